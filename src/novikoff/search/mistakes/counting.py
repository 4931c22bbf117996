"""The fewest mistakes by counting: every hyperplane through enough rows to fix it.

A best hyperplane can be moved until it passes through D - 1 independent rows z (D: their rank).
So the least cost is the least, over such hyperplanes and both orientations, of the rows strictly
on the wrong side and of the same question for the rows *on* it, asked inside it, one dimension
lower. Where these are independent the latter is 0: all of them can be made right. A hyperplane
whose strict mistakes alone cost as much as a known answer is passed over. It is decided, not
proven in a file.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from novikoff.loops.planes import planes_from
from novikoff.search.clock import Clock
from novikoff.search.integers import independent
from novikoff.search.mistakes.costs import Costs
from novikoff.search.signed_rows import SignedRows

SCORES_A_SECOND = 4e8  # scores a second, compiled
EXACT_INTEGERS = 1 << 53  # floats hold every integer below
MOST_PLANES = 200_000  # hyperplanes that a call may find
MOST_COST = 1 << 40  # units in all: sums of costs stay in 64 bits


class Counting:
    """The question for integer rows, with costs; `found` are the rows given up in the answer."""

    def __init__(self, whole: np.ndarray, costs: list[int], clock: Clock) -> None:
        self.clock = clock
        self.costs = costs
        columns = independent(whole, is_sure=True)[1] if len(whole) else []
        self.rows = _made_small(whole[:, columns])
        self.dim = len(columns)

    @property
    def fits(self) -> bool:
        """Whether every number of the count is exact in machine arithmetic."""
        if self.dim <= 1:
            return True
        tops = sorted((max(map(abs, column)) for column in self.rows.T.tolist()), reverse=True)
        k = self.dim - 1
        square = k**k * math.prod(tops[:k]) ** 2  # of a minor at most: Hadamard
        return 2 * square < EXACT_INTEGERS and sum(self.costs) < MOST_COST

    def least(self, bound: int) -> tuple[int, frozenset[int]] | None:
        """The least cost, if it is below `bound`, and rows to give up; else None."""
        n = len(self.rows)
        zero = [i for i in range(n) if not any(self.rows[i])]
        base = sum(self.costs[i] for i in zero)
        if self.dim <= 1:
            return self._on_a_line(bound, zero, base)
        live = np.array([i for i in range(n) if any(self.rows[i])])
        if base >= bound:
            return None
        best: tuple[int, frozenset[int]] | None = None
        rows = self.rows[live].astype(np.int64)
        costs = np.array([self.costs[i] for i in live.tolist()], dtype=np.int64)
        limit = bound - base
        seen: set[bytes] = set()
        work: Any = planes_from.for_work(2.0 * math.comb(len(rows), self.dim - 1) * len(rows))
        n_planes = min(MOST_PLANES, max(64, 4 * math.comb(len(rows), self.dim - 1)))
        room = np.zeros((n_planes, self.dim - 1), dtype=np.int64)
        for first in range(len(rows)) if self.dim > 2 else range(1):
            self.clock.check()
            vectors = np.zeros((self.dim, self.dim, self.dim), dtype=np.int64)
            vectors[0] = np.eye(self.dim, dtype=np.int64)
            pivots = np.ones(self.dim, dtype=np.int64)
            count = work(rows, costs, first, limit, vectors, pivots, room)
            if count < 0:
                raise MemoryError("too many hyperplanes with many rows on them")
            for plane in room[:count].tolist():
                answer = self._settle(rows, costs, plane, limit, seen)
                if answer is not None:
                    limit = answer[0]
                    gone = frozenset(live[list(answer[1])].tolist()) | frozenset(zero)
                    best = limit + base, gone
        return best

    def _on_a_line(
        self, bound: int, zero: list[int], base: int
    ) -> tuple[int, frozenset[int]] | None:
        best = None
        for side in (1, -1):
            gone = [i for i in range(len(self.rows)) if self.dim and side * self.rows[i, 0] < 0]
            cost = base + sum(self.costs[i] for i in gone)
            if cost < bound:
                best, bound = (cost, frozenset([*zero, *gone])), cost
        return best

    def _settle(
        self, rows: np.ndarray, costs: np.ndarray, plane: list[int], limit: int, seen: set[bytes]
    ) -> tuple[int, frozenset[int]] | None:
        """The least cost next to one hyperplane, if it is below the limit."""
        normal = _normal(rows[plane])
        scores = rows @ normal
        key = np.sign(scores).astype(np.int8).tobytes()
        if key in seen:
            return None
        seen.add(key)
        on = np.flatnonzero(scores == 0)
        best = None
        for side in (1, -1):
            wrong = np.flatnonzero(side * scores < 0)
            strict = int(costs[wrong].sum())
            if strict >= limit:
                continue
            inner: tuple[int, frozenset[int]] | None = (0, frozenset())
            if len(on) > self.dim - 1:
                inner = self._inside(rows, costs, on, normal, limit - strict)
            if inner is not None:
                limit = strict + inner[0]
                best = limit, frozenset(wrong.tolist()) | inner[1]
        return best

    def _inside(
        self, rows: np.ndarray, costs: np.ndarray, on: np.ndarray, normal: np.ndarray, bound: int
    ) -> tuple[int, frozenset[int]] | None:
        """The same for the rows on a hyperplane: one of its columns follows from the others."""
        left_out = int(np.flatnonzero(normal)[0])
        part = np.delete(rows[on], left_out, axis=1).astype(object)
        deeper = Counting(part, costs[on].tolist(), self.clock)
        found = deeper.least(bound)
        return None if found is None else (found[0], frozenset(on[list(found[1])].tolist()))


def _normal(rows: np.ndarray) -> np.ndarray:
    """The integer vector orthogonal to D - 1 independent rows, in lowest terms."""
    from flint import fmpz_mat

    basis, _ = fmpz_mat(rows.tolist()).nullspace()
    numbers = [int(basis[j, 0]) for j in range(rows.shape[1])]
    divisor = math.gcd(*numbers)
    return np.array([value // divisor for value in numbers], dtype=np.int64)


def _made_small(whole: np.ndarray) -> np.ndarray:
    """The columns over their greatest common divisors: a hyperplane stays what it is."""
    divisors = [math.gcd(*column) or 1 for column in whole.T.tolist()]
    return whole // np.array(divisors, dtype=object) if whole.size else whole


def seconds_of(n_rows: int, dim: int) -> float:
    """How long a count takes, about."""
    return math.comb(n_rows, dim - 1) * n_rows / SCORES_A_SECOND if dim > 1 else 0.0


def counting_of(z: SignedRows, costs: Costs, clock: Clock) -> Counting:
    """The count over the rows that matter; columns are shifted where there is an offset."""
    whole, places, scale = z.integers(z.rows)
    if z.fit_intercept and len(places) > 1:
        signs = z.signs[z.rows].astype(object)
        for j in range(whole.shape[1] - 1):  # sign·x becomes sign·(x - middle)
            column = whole[:, j] * signs
            middle = (int(min(column)) + int(max(column))) // 2
            middle -= middle % scale
            whole[:, j] -= signs * middle
    total = sum(costs.whole[row] for row in z.rows.tolist())
    prices = [total + 1 if costs.trusted[row] else costs.whole[row] for row in z.rows.tolist()]
    return Counting(whole, prices, clock)
