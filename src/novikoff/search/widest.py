"""The separator of largest margin, between two bounds that close in on each other.

Newton steps on the squared hinge (hinge.py), with ε falling, approach it on a working set. The
rows that stay active are the support; solved for as if it were known, u_i·w = 1 on it, both
bounds meet there. Then all rows are scored, and the worst join the working set. Every bound
that is kept is computed by margins.py, so that it is true after rounding.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.hinge import dense, minimise_with_ridge
from novikoff.search.margins import margin_above, margin_below
from novikoff.search.signed_rows import SignedRows

FALLING_RIDGES = tuple(10.0**-k for k in range(1, 17))
MARGIN_ROUNDS = 100
MOST_JOINING = 2500  # rows of the first working set, where there are very many columns


class Widest:
    """The bracket of the largest margin of the rows of z, and the weights that attain it."""

    def __init__(self, z: SignedRows, geometric: bool, clock: Clock) -> None:
        self.z, self.geometric, self.clock = z, geometric, clock
        self.weights: Any = None
        self.lower, self.upper = 0.0, math.inf
        self.support = z.rows[:0]
        values = z.table.matrix.data if z.table.is_sparse else z.table.matrix
        largest = max(abs(float(values.min(initial=0))), abs(float(values.max(initial=0))))
        exponent = math.frexp(max(largest, float(z.fit_intercept)))[1]
        self.size = math.ldexp(1.0, exponent - 1)  # the rows are divided by it
        self.centre = np.zeros(z.table.n_columns)

    def is_within(self, rtol: float) -> bool:
        return self.lower > 0.0 and self.upper <= self.lower * (1.0 + rtol)

    def start(self, separator: Any) -> None:
        """Begin with a known separator: the rows that it scores lowest are the working set."""
        self._offer(separator)
        z = self.z
        size = min(z.n_rows, max(min(2 * z.dim + 50, MOST_JOINING), 200_000 // z.dim))
        scores = z.float_scores(separator, z.rows)
        self.chosen = np.sort(z.rows[np.argpartition(scores, size - 1)[:size]])
        if self.geometric and not z.table.is_sparse:
            self.centre = (z.table.dense_rows(self.chosen) / self.size).mean(axis=0)

    def close(self, rtol: float, rounds: int = MARGIN_ROUNDS) -> None:
        """Tighten the bracket until it is within rtol, or floats can do no more."""
        w: np.ndarray | None = None
        for _ in range(rounds):
            if self.is_within(rtol):
                return
            with np.errstate(all="ignore"):  # it proposes; what is kept is computed by margins.py
                w = self._solve(w, rtol)
            self._offer(self._original(w))
            scores = self.z.float_scores(self._original(w), self.z.rows)
            size = min(self.z.dim + 50, MOST_JOINING, len(scores))
            worst = np.argpartition(scores, size - 1)[:size]
            against = set(self.z.rows[worst].tolist()) - set(self.chosen.tolist())
            new = np.array(sorted(against), dtype=self.chosen.dtype)
            if len(new) == 0 or scores.min() >= scores[self.chosen].min():
                return
            self.chosen = np.concatenate([self.chosen, new])

    def _offer(self, weights: Any) -> None:
        if isinstance(weights, np.ndarray) and not np.isfinite(weights).all():
            return
        lower = margin_below(self.z, weights, self.geometric)
        if lower > self.lower:
            self.weights, self.lower = weights, lower
        elif self.weights is None:  # a separator, though its margin is below every float
            self.weights = weights

    # The rows, divided by `size` (and centred, for the geometric margin)

    def _scaled_rows(self, rows: np.ndarray) -> Any:
        signs = self.z.signs[rows].astype(np.float64)
        last = np.full((len(rows), 1), 1.0 if self.geometric else 1.0 / self.size)
        if self.z.is_wide:
            from scipy import sparse

            block = self.z.table.matrix[rows].astype(np.float64) / self.size
            if self.z.fit_intercept:
                block = sparse.hstack([block, last], format="csr")
            return (sparse.diags_array(signs) @ block).tocsr()
        block = self.z.table.dense_rows(rows) / self.size - self.centre
        return (np.hstack([block, last]) if self.z.fit_intercept else block) * signs[:, None]

    def _original(self, w: np.ndarray) -> Any:
        """Weights of the rows as given, `size` times what they would be; exact beyond floats."""
        columns = w[: self.z.table.n_columns]
        if not self.z.fit_intercept:
            return np.append(columns, 0.0)
        if not self.geometric:
            return np.append(columns, w[-1])
        last = float(w[-1] - columns @ self.centre)
        with np.errstate(over="ignore"):
            weights = np.append(columns, last * self.size)
        if np.isfinite(weights).all() or not np.isfinite(last):
            return weights
        return [*map(Fraction, columns.tolist()), Fraction(last) * Fraction(self.size)]

    # One round: the largest margin of the working set

    def _solve(self, w: np.ndarray | None, rtol: float) -> np.ndarray:
        """The weights of largest margin on the working set; its upper bound is kept."""
        view = self._scaled_rows(self.chosen)
        free = self.geometric and self.z.fit_intercept
        body = view[:, :-1] if free else view
        none = np.zeros(0)
        start = np.zeros(view.shape[1]) if w is None else w
        best, w = _Candidate(view, body, start, none.astype(np.intp), none), start
        try:
            for epsilon in FALLING_RIDGES:
                w, score = minimise_with_ridge(view, w, epsilon, self.clock, free_last=free)
                active = np.flatnonzero(score < 1.0)
                known = _known_support(view, body, active, free)
                for one in ((w, active, 1.0 - score[active]), *([known] if known else [])):
                    candidate = _Candidate(view, body, *one)
                    best = candidate if candidate.gap <= best.gap else best
                if best.gap <= 0.1 * rtol:
                    break
        except OutOfTimeError:
            self._offer(self._original(best.w))
            raise
        finally:
            if len(best.rows):
                rows = self.chosen[best.rows]
                upper = margin_above(self.z, rows, best.weights, self.geometric)
                if upper < self.upper:
                    self.upper, self.support = upper, rows
        return best.w


class _Candidate:
    """Weights, the rows and convex weights that go with them, and the gap between both bounds."""

    def __init__(
        self, view: Any, body: Any, w: np.ndarray, rows: np.ndarray, weights: np.ndarray
    ) -> None:
        self.w, self.rows, self.weights, self.gap = w, rows, weights, math.inf
        total = float(weights.sum())
        margin = float((view @ w).min()) / (float(np.linalg.norm(w[: body.shape[1]])) or 1.0)
        if margin > 0.0 and total > 0.0:
            self.gap = float(np.linalg.norm(body[rows].T @ weights)) / total / margin - 1.0


def _known_support(
    view: Any, body: Any, active: np.ndarray, free: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """w with u_i·w = 1 on the support, and its positive convex weights; None if there are none.

    Rows whose weight would be negative leave, the more negative half of them at a time.
    """
    if len(active) > view.shape[1]:
        return None
    gram = dense(body[active] @ body[active].T)
    last = dense(view[active][:, -1:]).ravel()
    kept = np.arange(len(active))
    while len(kept):
        count = len(kept)
        system = np.zeros((count + free, count + free))
        system[:count, :count] = gram[np.ix_(kept, kept)]
        right = np.ones(count + free)
        if free:
            system[count, :count] = system[:count, count] = last[kept]
            right[count] = 0.0
        try:
            solution = np.linalg.solve(system, right)
            solution += np.linalg.solve(system, right - system @ solution)
        except np.linalg.LinAlgError:
            return None
        weights = solution[:count]
        negative = np.flatnonzero(weights < 0.0)
        if len(negative) == 0:
            w = np.asarray(body[active[kept]].T @ weights)
            return (np.append(w, solution[count]) if free else w), active[kept], weights
        leaving = negative[np.argsort(weights[negative])[: -(-len(negative) // 2)]]
        kept = np.delete(kept, leaving)
    return None
