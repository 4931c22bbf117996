"""Farkas's alternative over the integers: a combination of rows, or a direction. Always one.

    Combination:           Σ weight_i·row_i = scale·target, all weights and the scale positive
    SeparatingDirection:   row_i·δ >= 0 for every row, and target·δ < 0

Rows are asked through a working set. A linear program (lp.py) proposes, and one exact solve makes
of it an answer in integers. Where that fails, the first phase of the simplex method in exact
arithmetic starts from what floats propose: a basic weight that comes out negative belongs to a
reversed row, which costs 1, and so does the target itself where the proposed rows do not span it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from novikoff.certificates.arithmetic import as_integers
from novikoff.search.clock import Clock
from novikoff.search.integers import independent, near_but_zero_on, products, solve
from novikoff.search.lp import LinearProgram
from novikoff.search.signed_rows import SignedRows, Weights

INWARD_SHARE = 2.0**-10  # how far a direction is moved towards one that is strict on every row
TARGET = -1  # stands for the target as a column of the basis


@dataclass(frozen=True)
class Combination:
    """Σ multipliers[k]·row[rows[k]] = scale·target, everything positive."""

    rows: list[int]
    multipliers: list[int]
    scale: int


@dataclass(frozen=True)
class SeparatingDirection:
    """Integers with row·weights >= 0 for every row, and target·weights < 0."""

    weights: list[int]


class Question:
    """Targets asked about one after the other; rows once needed stay in the working set.

    `inside` are weights that are strict on every row, where such are known: a direction moved a
    little towards them can be rounded freely, and need not be solved for. (The signs of 200
    separable columns take 8 s with it, and 26 s without.)
    """

    def __init__(
        self, z: SignedRows, chosen: np.ndarray, clock: Clock, inside: Weights | None = None
    ) -> None:
        self.z, self.clock = z, clock
        self.inside = None if inside is None else self._of_unit_size(inside)
        self.program = LinearProgram(z.float_view.dim)
        self.chosen, self.whole, self.scale = chosen[:0], np.zeros((0, z.dim), dtype=object), 1
        self._join(chosen)

    def _join(self, new: np.ndarray) -> None:
        """Add rows to the working set, and to the program."""
        with self.clock.stage("linear program"):
            self.program.add(self.z.float_view.unit_rows(new))
        values, places, scale = self.z.integers(new)
        whole = np.zeros((len(new), self.z.dim), dtype=object)
        whole[:, places] = values
        common = math.lcm(self.scale, scale)
        known = self.whole if common == self.scale else self.whole * (common // self.scale)
        self.whole = np.vstack([known, whole if common == scale else whole * (common // scale)])
        self.scale, self.chosen = common, np.concatenate([self.chosen, new])

    def ask(self, target: Sequence[int | Fraction]) -> Combination | SeparatingDirection:
        """Is the target a combination of rows, or does a direction separate it from them?

        target : a vector over the columns and the offset; rows of the answer are those of the table
        """
        denominator = math.lcm(*(Fraction(value).denominator for value in target))
        aim = [int(value * denominator) for value in target]
        self.program.aim(self.z.float_view.unit_target(aim))
        while True:
            for answer in self._answers(aim):
                if isinstance(answer, Combination):
                    multipliers = [weight * self.scale for weight in answer.multipliers]
                    rows = self.chosen[answer.rows].tolist()
                    return Combination(rows, multipliers, answer.scale * denominator)
                weights = self.z.place(answer.weights)
                with self.clock.stage("scan of all rows"):
                    wrong = self.z.opposed(weights, strict=False)
                if len(wrong) == 0:
                    return SeparatingDirection(weights)
                new = np.setdiff1d(wrong, self.chosen, assume_unique=True)  # not numpy.ma's
                if len(new):
                    scores = self.z.float_scores(weights, new)
                    self._join(new[np.argsort(scores)[: 2 * self.z.dim]])
                    break

    def _answers(self, aim: list[int]) -> Iterator[Combination | SeparatingDirection]:
        """For the working set: what floats propose, made exact; then what is surely true."""
        with self.clock.stage("linear program"):
            proposal = self.program.solve(self.clock)
        hint = [] if proposal is None else proposal.tight.tolist()
        if proposal is not None and proposal.delta is not None:
            floats = self.z.float_view.weights(proposal.delta)
            part = None if floats is None else self._of_unit_size(floats)
            if part is not None and self.inside is not None:
                yield from self._rounded(part + INWARD_SHARE * self.inside, [], aim)
            if part is not None:
                yield from self._rounded(part, hint, aim)
        elif hint:
            with self.clock.stage("exact answer"):
                found = combine(self.whole[hint], aim, self.clock)
            if found is not None:
                rows = [hint[place] for place in found.rows]
                yield Combination(rows, found.multipliers, found.scale)
        with self.clock.stage("exact simplex"):
            settled = settle(self.whole, aim, hint, self.clock)
        yield settled

    def _rounded(
        self, part: np.ndarray, tight: list[int], aim: list[int]
    ) -> Iterator[SeparatingDirection]:
        """The direction in few bits, but exactly zero on the rows at the places `tight`."""
        with self.clock.stage("exact answer"):
            exact = near_but_zero_on(part, self.whole[tight], self.clock)
        if sum(t * v for t, v in zip(aim, exact, strict=True)) < 0:
            yield _primitive(exact)

    def _of_unit_size(self, weights: Weights) -> np.ndarray:
        """Weights of every column as floats at the places of z, the largest 1."""
        if isinstance(weights, np.ndarray):
            part = weights[self.z.column_ids]
            return np.asarray(part / (float(np.abs(part).max()) or 1.0))
        exact = [Fraction(weights[j]) for j in self.z.column_ids.tolist()]
        largest = max(map(abs, exact)) or Fraction(1)
        return np.array([float(value / largest) for value in exact])


def combine(rows: np.ndarray, target: Sequence[int], clock: Clock) -> Combination | None:
    """The target from independent ones among these rows, the earliest first, if that works."""
    goal = as_integers(list(target))
    places, columns = independent(rows, clock=clock)
    if not places:
        return None
    weights, scale = solve(rows[np.ix_(places, columns)].T, goal[columns], clock)
    if min(weights) < 0:
        return None
    found = _combination(places, weights, scale)
    if len(columns) == rows.shape[1]:
        return found
    total = as_integers(found.multipliers) @ rows[found.rows]
    return found if (total == found.scale * goal).all() else None


def settle(
    rows: np.ndarray, target: Sequence[int], hint: Sequence[int], clock: Clock
) -> Combination | SeparatingDirection:
    """Answer for integer `rows` (m × D), starting from the rows at the places in `hint`."""
    goal = as_integers(list(target))
    # The first basis: independent rows, those of the hint first, then the target, then others.
    labels = [*hint, TARGET, *sorted(set(range(len(rows))) - set(hint))]
    every = np.vstack([rows[hint], goal[None, :], rows[labels[len(hint) + 1 :]]])
    first, columns = independent(every, clock=clock)
    basis = [labels[place] for place in first]
    matrix, aim = rows[:, columns], goal[columns]
    if not any(aim):
        return Combination([], [], 1)
    reversed_rows: set[int] = set()

    def square() -> np.ndarray:
        """The basic vectors as columns, some of them reversed."""
        vectors = [aim if label == TARGET else matrix[label] for label in basis]
        signed = [-v if k in reversed_rows else v for k, v in zip(basis, vectors, strict=True)]
        return np.stack(signed, axis=1)

    weights, scale = solve(square(), aim, clock)
    reversed_rows |= {label for label, weight in zip(basis, weights, strict=True) if weight < 0}
    last: tuple[int, int] | None = None
    while True:
        clock.check()
        costs = [int(label == TARGET or label in reversed_rows) for label in basis]
        weights, scale = solve(square(), aim, clock)
        cost = sum(w for w, c in zip(weights, costs, strict=True) if c)
        if cost == 0:
            return _combination(basis, weights, scale)
        prices, _ = solve(square().T, costs, clock)
        value = products(matrix, prices)
        candidates = [j for j, v in enumerate(value) if v > 0]
        if not candidates:
            delta = [0] * len(goal)
            for column, price in zip(columns, prices, strict=True):
                delta[column] = -price
            return _primitive(delta)
        # The largest price falls fastest; Bland's rule, when nothing falls, cannot cycle.
        is_stuck = last is not None and cost * last[1] == last[0] * scale
        entering = candidates[0] if is_stuck else max(candidates, key=value.__getitem__)
        last = (cost, scale)
        change, _ = solve(square(), matrix[entering], clock)
        # The weight that reaches zero first leaves; among equals that of the smallest label.
        ratios = [
            (Fraction(weight, fall), label, k)
            for k, (weight, fall, label) in enumerate(zip(weights, change, basis, strict=True))
            if fall > 0
        ]
        leaving = min(ratios)[-1]
        reversed_rows.discard(basis[leaving])
        basis[leaving] = entering


def _combination(places: Sequence[int], weights: Sequence[int], scale: int) -> Combination:
    kept = [(p, w) for p, w in zip(places, weights, strict=True) if w > 0]
    common = math.gcd(scale, *(w for _, w in kept))
    return Combination([p for p, _ in kept], [w // common for _, w in kept], scale // common)


def _primitive(delta: Sequence[int]) -> SeparatingDirection:
    """The direction in the smallest integers."""
    common = math.gcd(*delta) or 1
    return SeparatingDirection([d // common for d in delta])
