"""One large factor, taken out exactly: thousands of indicator columns leave a question in few.

Let each row have a 1 in one column of a factor, its level g, so that z_i = s_i·(e_g, x_i); or one
other number for each level, as columns over their deviations have, by which a_g is divided. A
direction (a, b) opposes no row of the level just when s_i·(a_g + x_i·b) >= 0 for all of them. Such
an a_g exists just when (x_i - x_j)·b >= 0 for every row i of sign + and j of sign - of the level.
So the levels drop out, and what is left is a question about such pairs, in the columns of x alone.
With an offset c, rows without a level are one more level: c stands for its a, and a_g + c for a_g.
There are many pairs, but for a given b one of each level is worst: pairs join as they are met.

A balance of pairs is one of rows. With λ = 1 everywhere, and more on one row of each level, so that
both signs of the level weigh the same, the columns of the factor are balanced, and stay so when the
two rows of a pair get more alike. So the multipliers are short, however many levels there are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import Sum, as_integers, core_sum, weighted_sum
from novikoff.inputs import Table, table_of_fractions
from novikoff.search.clock import Clock
from novikoff.search.engine import Balanced, Left, Moved
from novikoff.search.signed_rows import SignedRows

LEAST_LEVELS = 300  # with fewer the usual search is quick enough
MOST_OTHER_COLUMNS = 300  # columns that are no levels
PAIR_ROUNDS = 200  # in which pairs join; 5 to 20 are usual
PAIRS_A_ROUND = 200  # pairs that join in a round
ZERO_SCORE = 1e-9  # a score under this share of its terms may be zero

Ask = Callable[[SignedRows, Sum], Balanced | Moved]


@dataclass(frozen=True)
class Factor:
    """The level of each row, -1 for none, the columns that are levels, and the others."""

    level: np.ndarray  # by row of the table
    number: np.ndarray  # by column of the table: what rows of the level have there
    columns: np.ndarray
    rest: np.ndarray


def find_factor(z: SignedRows) -> Factor | None:
    """The largest factor among the columns, if it is large: the k-th number of rows, for some k."""
    matrix = z.table.matrix
    if not z.table.is_sparse or len(z.columns) < LEAST_LEVELS or z.table.exact is not None:
        return None
    sizes = np.diff(matrix.indptr)
    place = np.arange(len(matrix.indices)) - np.repeat(matrix.indptr[:-1], sizes)
    low, high = (np.full(matrix.shape[1], fill) for fill in (np.iinfo(np.int64).max, -1))
    np.minimum.at(low, matrix.indices, place)
    np.maximum.at(high, matrix.indices, place)
    number = np.zeros(matrix.shape[1])
    number[matrix.indices] = matrix.data  # one of the column's numbers
    is_one_number = number != 0.0
    is_one_number[matrix.indices[matrix.data != number[matrix.indices]]] = False
    fixed = np.flatnonzero((low == high) & is_one_number)
    if not len(fixed):
        return None
    best = int(np.argmax(np.bincount(high[fixed])))
    columns = fixed[high[fixed] == best]
    rest = np.setdiff1d(np.unique(matrix.indices), columns)
    if len(columns) < LEAST_LEVELS or len(rest) > MOST_OTHER_COLUMNS:
        return None
    level = np.full(matrix.shape[0], -1, dtype=np.int64)
    has = np.flatnonzero(sizes > best)
    first = matrix.indices[matrix.indptr[has] + best]
    known = np.isin(first, columns)
    level[has[known]] = first[known]
    return Factor(level, number, columns, rest)


class Levels:
    """The rows left of a table with a large factor."""

    def __init__(self, z: SignedRows, factor: Factor, left: np.ndarray, clock: Clock) -> None:
        self.z, self.factor, self.left, self.clock = z, factor, left, clock
        self.offset = z.fit_intercept
        self.x = Table(z.table.matrix[:, factor.rest], None, "binary64")
        self.rows = left[np.lexsort((left, factor.level[left]))]
        levels = factor.level[self.rows]
        self.starts = np.flatnonzero(np.concatenate([[True], levels[1:] != levels[:-1]]))
        self.ends = np.append(self.starts[1:], len(levels))
        self.level_of_run = levels[self.starts]
        self.is_positive = z.signs[self.rows] > 0

    def ask(self, ask: Ask) -> Balanced | Moved | None:
        """The answer for the rows left; None where it is not found this way."""
        if not len(self.factor.rest):
            return None
        if self.level_of_run[0] < 0:  # rows without a level come first
            if not self.offset:
                return None
            signs = self.z.signs[self.rows[: self.ends[0]]]
            if (signs == signs[0]).all():
                return Moved(self._whole([0] * len(self.factor.rest), {0: Fraction(int(signs[0]))}))
        base = self._base()
        total = self._total(base)
        if not total[0].any():
            return self._balance(base, {}, [])
        few = np.arange(0, len(self.starts), max(1, len(self.starts) // PAIRS_A_ROUND))
        pairs = self._pairs(few, np.zeros(len(self.rows)))
        for _ in range(PAIR_ROUNDS):
            self.clock.check()
            answer = ask(self._question(pairs), total)
            if isinstance(answer, Balanced):
                return self._balance(base, answer.beyond(), pairs)
            new = self._against(answer)
            if isinstance(new, Moved):
                return new
            fresh = sorted(set(new).difference(pairs))
            if not fresh:
                return None
            pairs += fresh
        return None

    def _base(self) -> dict[int, int]:
        """What one row of a level gets beyond 1, so that both of its signs weigh the same."""
        signs = self.z.signs[self.rows].astype(np.int64)
        sums = np.add.reduceat(signs, self.starts)
        base: dict[int, int] = {}
        for run in np.flatnonzero(sums).tolist():
            part = self.rows[self.starts[run] : self.ends[run]]
            lighter = part[self.z.signs[part] == -np.sign(sums[run])]
            base[int(lighter[0])] = abs(int(sums[run]))
        return base

    def _total(self, base: dict[int, int]) -> Sum:
        """Σ λ_i·s_i·x_i over the rows left, in the other columns and the offset."""
        chosen = np.zeros(self.z.table.n_rows, dtype=bool)
        chosen[self.left] = True
        total, over = core_sum(self.x, self.z.signs, chosen, self.offset)
        rows = np.array(list(base), dtype=np.intp)
        factors = self.z.signs[rows].astype(object) * as_integers(list(base.values()))
        added, under = weighted_sum(self.x, rows, factors, self.offset)
        return total * under + added * over, over * under

    def _question(self, pairs: list[tuple[int, int]]) -> SignedRows:
        """x_i - x_j for these pairs, exactly, as rows of the sign + without an offset."""
        first, second = (np.array(side, dtype=np.intp) for side in zip(*pairs, strict=True))
        upper, over = self.x.integers(first)
        lower, under = self.x.integers(second)
        cells = [
            Fraction(int(a), over) - Fraction(int(b), under)
            for a, b in zip(upper.ravel(), lower.ravel(), strict=True)
        ]
        table = table_of_fractions(cells, upper.shape, None, "binary64")
        return SignedRows(table, np.ones(len(pairs), dtype=np.int8), False)

    def _against(self, answer: Moved) -> list[tuple[int, int]] | Moved:
        """The worst pairs of all levels that b opposes; or the direction of all rows."""
        exact = as_integers(answer.weights)[:-1].tolist()
        largest = max(map(abs, exact)) or 1
        b = np.array([value / largest for value in exact])
        scores = np.asarray(self.x.matrix @ b)[self.rows]
        sizes = np.asarray(abs(self.x.matrix) @ np.abs(b))[self.rows]
        lows = np.minimum.reduceat(np.where(self.is_positive, scores, np.inf), self.starts)
        highs = np.maximum.reduceat(np.where(self.is_positive, -np.inf, scores), self.starts)
        gaps = lows - highs
        slack = ZERO_SCORE * np.maximum.reduceat(sizes, self.starts)
        worst = np.argsort(gaps)[:PAIRS_A_ROUND]
        pairs = self._pairs(worst[gaps[worst] < slack[worst]], scores)
        if (gaps < -slack).any():
            return pairs
        # a_g lies between what both signs of the level allow, or is just what they do.
        loose, tight = np.flatnonzero(gaps > slack), np.flatnonzero(gaps <= slack)
        middles = -(lows[loose] + highs[loose]) / 2.0
        values = {
            run: Fraction(middle) * largest
            for run, middle in zip(loose.tolist(), middles.tolist(), strict=True)
        }
        for run, (i, _) in zip(tight.tolist(), self._pairs(tight, scores), strict=True):
            whole, over = self.x.integers(np.array([i]))
            score = sum(int(a) * v for a, v in zip(whole[0], exact, strict=True))
            values[run] = Fraction(-score, over)
        weights = self._whole(exact, values)
        sides = self.z.sides(weights)[self.left]
        return Moved(weights) if (sides > 0).any() and not (sides < 0).any() else pairs

    def _pairs(self, runs: np.ndarray, scores: np.ndarray) -> list[tuple[int, int]]:
        """The pair of least score of each of these levels."""
        pairs = []
        for run in runs.tolist():
            part = slice(self.starts[run], self.ends[run])
            upper = np.where(self.is_positive[part], scores[part], np.inf)
            lower = np.where(self.is_positive[part], -np.inf, scores[part])
            rows = self.rows[part]
            pairs.append((int(rows[np.argmin(upper)]), int(rows[np.argmax(lower)])))
        return pairs

    def _whole(self, b: list[int], values: dict[int, Fraction]) -> list[Any]:
        """The weights of all columns and the offset, from b and what a_g is of each run, or 0."""
        weights: list[Any] = [0] * (self.z.table.n_columns + 1)
        for j, value in zip(self.factor.rest.tolist(), b, strict=True):
            weights[j] = value
        if self.level_of_run[0] < 0:
            weights[-1] = values[0]
        for run, level in enumerate(self.level_of_run.tolist()):
            if level >= 0:
                number = Fraction(float(self.factor.number[level]))
                weights[level] = (values.get(run, Fraction(0)) - weights[-1]) / number
        return weights

    def _balance(
        self, base: dict[int, int], beyond: dict[int, Fraction], pairs: list[tuple[int, int]]
    ) -> Balanced | None:
        """Pairs as rows: both of a pair get the same."""
        found: dict[int, Fraction] = {row: Fraction(value) for row, value in base.items()}
        for place, value in beyond.items():
            for row in pairs[place]:
                found[row] = found.get(row, Fraction(0)) + value
        common = math.lcm(*(value.denominator for value in found.values()))
        numbers = {row: int(value * common) for row, value in found.items()}
        return Left(self.z, self.left, self.left[:0], self.clock).balance_of(numbers, common)
