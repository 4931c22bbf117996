"""From many rows that balance to few: Carathéodory's theorem, a block of rows at a time.

Given positive weights with Σ weight_i·v_i = target, up to rounding, keep an independent set
of rows as a basis and push the weight of every other row to zero; a basis row that would
turn negative leaves, and the pushed row takes its place. The basis that remains carries the
target alone. It is a proposal: the exact weights are solved for elsewhere.

A pivot changes the inverse B of the basis by a product of two vectors. Those of a block of rows
are kept apart, as B - G·H, and joined at its end, so that nearly all work is products of matrices.
"""

from __future__ import annotations

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.threads import NUMPY_COLUMNS, one_thread_to_factor

WEIGHTLESS = 1e-9  # a change, or a share of the largest weight, under this is taken for none
PIVOTS_BETWEEN_INVERSIONS = 1000  # of the basis: rounding adds up over pivots
ROWS_PUSHED = 64  # with one product of matrices


def crossover(
    vectors: np.ndarray, weights: np.ndarray, target: np.ndarray, clock: Clock
) -> np.ndarray:
    """The places of independent rows of `vectors` that balance the target, heaviest first."""
    heavy = np.clip(weights / weights.max(), 1e-3, 1.0)
    seen, goal, basis = _first_basis(vectors, heavy, target)
    weights = _balanced(seen, weights, heavy, goal)
    rest = np.delete(np.arange(len(weights)), basis)
    rest = rest[np.argsort(weights[rest], kind="stable")]
    pushing = _Pushing(seen, goal, weights, basis)
    for start in range(0, len(rest), ROWS_PUSHED):
        clock.check()
        pushing.push(rest[start : start + ROWS_PUSHED])
    try:
        final = np.linalg.solve(seen[:, basis], goal)
    except np.linalg.LinAlgError:
        final = pushing.weights[basis]
    kept = np.flatnonzero(np.abs(final) > WEIGHTLESS * np.abs(final).max(initial=0.0))
    return np.asarray(basis[kept[np.argsort(-final[kept])]])


class _Pushing:
    """The weights, the basis and its inverse, all of them changed as rows are pushed."""

    def __init__(
        self, seen: np.ndarray, goal: np.ndarray, weights: np.ndarray, basis: np.ndarray
    ) -> None:
        self.seen, self.goal, self.weights, self.basis = seen, goal, weights, basis
        self.inverse = np.linalg.inv(seen[:, basis])
        self.slack = 1e-12 * float(weights.max())
        self.n_pivots = 0

    def push(self, rows: np.ndarray) -> None:
        """The weight of each of these rows to zero, or into the basis."""
        weights, basis = self.weights, self.basis
        changes = self.inverse @ self.seen[:, rows]  # each row in terms of the basis
        lefts = np.empty((len(basis), len(rows)))  # G
        rights = np.empty((len(rows), len(basis)))  # H
        count = 0
        for place, i in enumerate(rows.tolist()):
            change = changes[:, place]
            falling = np.flatnonzero(change < -WEIGHTLESS)
            held = np.maximum(weights[basis[falling]], 0.0)
            room = held / -change[falling]
            # Of those that vanish at once, or nearly, the steepest (Harris 1973).
            tied = room <= ((held + self.slack) / -change[falling]).min(initial=np.inf)
            leaving = int(falling[tied][np.argmin(change[falling[tied]])]) if tied.any() else -1
            share = min(float(weights[i]), float(room[falling == leaving].min(initial=np.inf)))
            weights[basis] += share * change
            if share >= weights[i]:
                weights[i] = 0.0
                continue
            weights[i] -= share
            weights[basis[leaving]] = 0.0
            basis[leaving] = i
            pivot = change[leaving]
            line = self.inverse[leaving] - lefts[leaving, :count] @ rights[:count]
            rights[count] = line / pivot
            lefts[:, count] = change
            lefts[leaving, count] -= 1.0
            later = changes[:, place + 1 :]
            later -= np.outer(lefts[:, count], later[leaving] / pivot)
            count += 1
        self._join(lefts[:, :count], rights[:count])

    def _join(self, lefts: np.ndarray, rights: np.ndarray) -> None:
        before, self.n_pivots = self.n_pivots, self.n_pivots + len(rights)
        if self.n_pivots // PIVOTS_BETWEEN_INVERSIONS == before // PIVOTS_BETWEEN_INVERSIONS:
            self.inverse -= lefts @ rights
            return
        self.inverse = np.linalg.inv(self.seen[:, self.basis])
        off = self.goal - self.seen @ self.weights
        self.weights[self.basis] += self.inverse @ off


def _first_basis(
    vectors: np.ndarray, heavy: np.ndarray, target: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vectors as columns, and the target, in their own span; and columns that are a basis of it."""
    with one_thread_to_factor(vectors.shape[1]):
        q, order = _pivoted((vectors * heavy[:, None]).T)
    return np.asarray((vectors @ q).T), target @ q, order[: q.shape[1]].copy()


def _pivoted(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An orthonormal basis of the columns' span, and all columns in the order of a pivoted QR:
    each time the one that is farthest from the span of those before it.
    """
    least = 1e-12 * max(columns.shape)
    if len(columns) > NUMPY_COLUMNS:
        from scipy.linalg import qr

        q, r, order = qr(columns, mode="economic", pivoting=True)
        diagonal = np.abs(np.diag(r))
        return q[:, : int((diagonal > least * diagonal[0]).sum())], order
    left, q, chosen = columns.copy(), np.empty((len(columns), 0)), list[int]()
    sizes = np.linalg.norm(left, axis=0)
    first = sizes.max()
    while len(chosen) < min(columns.shape) and sizes.max() > least * first:
        j = int(sizes.argmax())
        new = left[:, j] / sizes[j]
        new -= q @ (q.T @ new)  # what rounding has left of the span so far
        new /= np.linalg.norm(new)
        left -= np.outer(new, new @ left)
        sizes = np.linalg.norm(left, axis=0)
        q = np.column_stack([q, new])
        chosen.append(j)
        sizes[chosen] = 0.0
    return q, np.array(chosen + [j for j in range(columns.shape[1]) if j not in chosen])


def _balanced(
    seen: np.ndarray, weights: np.ndarray, heavy: np.ndarray, goal: np.ndarray
) -> np.ndarray:
    """The weights with seen·weights = goal as exactly as floats can; changes are relative."""
    q, r = np.linalg.qr((seen * heavy).T)
    for _ in range(2):
        off = goal - seen @ weights
        weights = weights + heavy * (q @ np.linalg.solve(r.T, off))
    return np.asarray(np.maximum(weights, 0.0))
