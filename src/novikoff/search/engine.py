"""Can any direction move the rows that are left? Floats propose an answer, integers make it exact.

With s = Σ z_i over the rows left, there are two answers, and always one of them:

    Balanced    multipliers of few rows, and of equalities, with which s + Σ ν_i·z_i + Σ μ_k·e_k is
                zero, ν_i > -1: so λ_i = 1 + ν_i > 0 balances every row left, and none can be moved
    Moved       a direction that opposes no row left, is zero on the equalities, and moves a row

The pulled hinge (hinge.py), with s for its pull, is asked about a working set of rows. A direction
that runs away is tried on all rows, and the rows that it opposes most join the working set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from novikoff.certificates.arithmetic import Sum, as_integers, core_sum, weighted_sum
from novikoff.search.clock import Clock, seconds_to_pivot
from novikoff.search.crossover import crossover
from novikoff.search.hinge import TIGHT, minimise_pulled
from novikoff.search.integers import (
    columns_of_their_own,
    independent,
    near_but_zero_on,
    short_null_space,
    solve,
)
from novikoff.search.signed_rows import SignedRows, Weights
from novikoff.search.strict import DIGIT_COLUMNS, orthonormal_frame, strict_weights

PULL_A_ROW = 0.03  # of the working set: small beside a slack, which is near 1
MOST_ROUNDS = 40  # in which rows join a working set; ten are usual
BITS_BEHIND_POINT = 40  # of multipliers and shares that are written without their last digits


@dataclass(frozen=True)
class Balanced:
    """1 + ν of `rows` and μ of `equalities`, over one denominator; ν = 0 on all other rows left."""

    rows: list[int] = field(default_factory=list)
    multipliers: list[int] = field(default_factory=list)
    equalities: list[int] = field(default_factory=list)
    factors: list[int] = field(default_factory=list)
    denominator: int = 1
    is_exact: bool = True
    relations: list[list[int]] = field(default_factory=list)

    def beyond(self) -> dict[int, Fraction]:
        """ν of the rows that have a multiplier."""
        pairs = zip(self.rows, self.multipliers, strict=True)
        return {row: Fraction(m, self.denominator) - 1 for row, m in pairs}


@dataclass(frozen=True)
class Moved:
    """Weights of every column, the offset last: integers, fractions, or floats as they are."""

    weights: Weights


class Left:
    """The rows that are left, and the equalities, of one table.

    counts : of each row of the table, how many rows it stands for: 1, unless told
    total : Σ z_i, where the rows at hand are only some of them
    """

    def __init__(
        self, z: SignedRows, left: np.ndarray, held: np.ndarray, clock: Clock,
        counts: Sequence[int] | None = None, total: Sum | None = None,
    ) -> None:  # fmt: skip
        self.z = self.seen = z  # `seen` has all rows that floats look at
        if len(held) or z.rows is not left:
            signs = np.where(z.signs == 0, 1, z.signs).astype(np.int8)
            every = np.concatenate([left, held])
            self.seen = SignedRows(z.table, signs, z.fit_intercept, every, z.columns).filled()
            self.z = SignedRows(z.table, signs, z.fit_intercept, left, self.seen.columns)
        self.left, self.held, self.clock, self.counts, self.given = left, held, clock, counts, total

    @cached_property
    def total(self) -> Sum:
        """Σ z_i over the rows left, for every column and the offset: integers, over the second."""
        if self.given is not None:
            return self.given
        if self.counts is not None:
            factors = as_integers([self.counts[row] for row in self.left.tolist()])
            signed = factors * self.z.signs[self.left].astype(object)
            return weighted_sum(self.z.table, self.left, signed, self.z.fit_intercept)
        chosen = np.zeros(self.z.table.n_rows, dtype=bool)
        chosen[self.left] = True
        return core_sum(self.z.table, self.z.signs, chosen, self.z.fit_intercept)

    def balance_of(self, numbers: Mapping[int, int], denominator: int) -> Balanced | None:
        """The balance with ν, or μ, of these rows: numbers over a positive denominator.

        None where a multiplier would not be positive.
        """
        held = set(self.held.tolist())
        common = math.gcd(denominator, *numbers.values())
        found = Balanced(denominator=denominator // common)
        for row, number in sorted(numbers.items()):
            if row in held and number:
                found.equalities.append(row)
                found.factors.append(number // common)
            elif number:
                if number + denominator <= 0:
                    return None
                found.rows.append(row)
                found.multipliers.append((number + denominator) // common)
        return found

    def balanced_by(self, rows: np.ndarray, multipliers: Sequence[int]) -> Balanced | None:
        """From an obstruction, Σ multiplier·z = 0: a multiple of it makes any ν positive."""
        solved = self._carried_by(rows)
        if solved is None:
            return None
        numbers, denominator = solved
        pairs = list(zip(rows.tolist(), multipliers, strict=True))
        times = max(0, *(-(numbers.get(row, 0) // multiplier) for row, multiplier in pairs))
        for row, multiplier in pairs:
            numbers[row] = numbers.get(row, 0) + times * multiplier
        return self.balance_of(numbers, denominator)

    def balanced_on(self, names: np.ndarray) -> Balanced | None:
        """The balance on these rows alone, if there is one."""
        solved = self._carried_by(names)
        return None if solved is None else self.balance_of(*solved)

    def _carried_by(self, names: np.ndarray) -> tuple[dict[int, int], int] | None:
        """ν, over a denominator, of independent ones of these rows that carry -total."""
        total, over = self.total
        if not total.any():
            return {}, 1
        if not len(names):
            return None
        column_ids = self.z.column_ids
        whole, places, scale = self.z.integers(names)
        if total[np.delete(column_ids, places)].any():
            return None
        kept, columns = independent(whole, clock=self.clock)
        if not kept:
            return None
        target = -total[column_ids[places]]
        numbers, denominator = solve(whole[np.ix_(kept, columns)].T, target[columns], self.clock)
        # Σ number·whole = denominator·target, where whole = scale·z and target = -over·Σ z
        if len(columns) < len(places):
            found = as_integers(numbers) @ whole[kept]
            if (found != denominator * target).any():
                return None
        pairs = zip(names[kept].tolist(), numbers, strict=True)
        return {row: number * scale for row, number in pairs}, denominator * over

    def ask(self, nearby: np.ndarray | None = None) -> Balanced | Moved | None:
        """The answer, if floats find it; `nearby` are rows that matter, where some are known."""
        if not self.total[0].any():
            return Balanced()
        if self.z.dim == 0:
            return None
        chosen, size = self.left, 4 * self.z.dim + 50
        if len(self.left) > 2 * size:
            chosen = self.left[:: len(self.left) // (size // 2)]
        if nearby is not None:
            chosen = np.union1d(chosen, nearby[np.isin(nearby, self.left)])
        held = self.held[:: max(1, len(self.held) // (4 * self.z.dim))]
        for _ in range(MOST_ROUNDS):
            with self.clock.stage("pulled hinge"):
                answer = self._propose(chosen, held)
            if answer is None or isinstance(answer, Balanced):
                return answer
            with self.clock.stage("scan of all rows"):
                scores = self._unit_scores(answer, self.left)
                kept = self._unit_scores(answer, self.held)
            against = np.setdiff1d(self.left[scores < -TIGHT], chosen, assume_unique=True)
            broken = np.setdiff1d(self.held[np.abs(kept) > TIGHT], held, assume_unique=True)
            if not len(against) and not len(broken):
                if not len(self.held) and scores.min() > 0.0:
                    weights, _ = strict_weights(self.z, answer)
                    if weights is not None:
                        return Moved(weights)
                return self.made_exact(self.seen.float_view.weights(answer), scores)
            order = np.argsort(scores)[: 3 * self.z.dim + 50]
            near = self.left[order[scores[order] < TIGHT]]
            chosen = np.union1d(chosen, near)
            held = np.union1d(held, broken[:: max(1, len(broken) // self.z.dim)])
        return None

    def _unit_scores(self, weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """z·w for rows and weights of length 1 as the view shows them."""
        w = weights / (np.linalg.norm(weights) or 1.0)
        parts = [self.seen.float_view.unit_rows(part) @ w for part in self.z.blocks(rows)]
        return np.concatenate([np.zeros(0), *parts])

    def _propose(self, chosen: np.ndarray, held: np.ndarray) -> np.ndarray | Balanced | None:
        """Weights of the view that seem to move rows; or an exact balance."""
        view = self.seen.float_view
        rows, kept = view.unit_rows(chosen), view.unit_rows(held)
        if not isinstance(rows, np.ndarray):
            return None
        every = np.vstack([rows, kept])
        if not np.isfinite(every).all():
            return None
        pull = view.unit_target([int(value) for value in self.total[0][self.z.column_ids]])
        frame, hidden = orthonormal_frame(every)
        if (unseen := hidden.T @ pull).any() and np.linalg.norm(unseen) > 1e-9:
            return np.asarray(hidden @ unseen)
        rows, kept, pull = rows @ frame, kept @ frame, frame.T @ pull
        pull *= PULL_A_ROW * math.sqrt(frame.shape[1] * len(chosen)) / (np.linalg.norm(pull) or 1.0)
        found = minimise_pulled(rows, kept, pull, self.clock)
        if found.end != "balanced":
            return np.asarray(frame @ found.v)
        active, used = np.flatnonzero(found.slacks), np.flatnonzero(found.factors)
        vectors = np.vstack([rows[active], kept[used] * np.sign(found.factors[used])[:, None]])
        weights = np.concatenate([found.slacks[active], np.abs(found.factors[used])])
        with self.clock.stage("few rows of many"):
            few = crossover(vectors, weights, -pull, self.clock)
        names = np.concatenate([chosen[active], held[used]])[few]
        others = np.concatenate([held, chosen])
        with self.clock.stage("exact answer"):
            return self.balanced_on(names) or self.balanced_on(
                np.concatenate([names, others[~np.isin(others, names)]])
            )

    def made_exact(self, floats: np.ndarray | None, scores: np.ndarray) -> Moved | None:
        """The direction in few bits, but exactly zero on the rows that it seems to leave alone.

        floats : weights of every column, the offset last
        scores : of the rows left, of length 1, with weights of length 1
        """
        still = self.left[np.abs(scores) <= TIGHT]
        if len(still) == len(self.left) or floats is None:
            return None
        known = np.concatenate([self.held, still])
        tight = known[:: max(1, len(known) // (2 * self.z.dim))]
        for _ in range(MOST_ROUNDS):
            with self.clock.stage("exact answer"):
                weights = self._zero_on(tight, floats)
            if weights is None:
                return None
            with self.clock.stage("scan of all rows"):
                sides = self.z.sides(weights)
            wrong = np.concatenate(
                [self.left[sides[self.left] < 0], self.held[sides[self.held] != 0]]
            )
            if not len(wrong):
                return Moved(weights) if (sides[self.left] > 0).any() else None
            new = np.setdiff1d(wrong[np.isin(wrong, known)], tight, assume_unique=True)
            if not len(new):
                return None
            tight = np.concatenate([tight, new[: self.z.dim]])
        return None

    def _zero_on(self, tight: np.ndarray, floats: np.ndarray) -> list[int] | None:
        """Weights near these, of every column, that are exactly zero on the rows `tight`."""
        part = floats[self.z.column_ids]
        part = part / (float(np.abs(part).max()) or 1.0)
        null = None
        if self.z.dim > DIGIT_COLUMNS and len(tight):
            null = short_null_space(self.z.exact_block(tight), self.clock)
        if null is not None:  # each of its columns has a place in which the others are 0
            own = columns_of_their_own(null)
            shares = part[own] / null[own, np.arange(null.shape[1])].astype(np.float64)
            shares = shares / (np.abs(shares).max(initial=0.0) or 1.0)
            whole = [round(share * 2**BITS_BEHIND_POINT) for share in shares.tolist()]
            exact = list(null @ as_integers(whole))
        else:
            exact = self._near_in_long_numbers(part, tight)
        common = math.gcd(*exact)
        return self.z.place([value // common for value in exact]) if common else None

    def _near_in_long_numbers(self, part: np.ndarray, tight: np.ndarray) -> list[int]:
        """The same from few of these rows, which seem to span all of them."""
        whole = np.zeros((0, self.z.dim), dtype=object)
        if len(tight):
            from scipy.linalg import qr

            self.clock.check_call(seconds_to_pivot(len(tight), self.z.dim))
            rows = self.seen.float_view.unit_rows(tight)
            _, triangle, order = qr(rows.T, mode="economic", pivoting=True)
            size = np.abs(np.diag(triangle))
            few = tight[order[: int((size > TIGHT * size[0]).sum())]]
            values, places, _ = self.z.integers(few)
            whole = np.zeros((len(few), self.z.dim), dtype=object)
            whole[:, places] = values
        return near_but_zero_on(part, whole, self.clock)
