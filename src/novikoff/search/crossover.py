"""From many rows that balance to few: Carathéodory's theorem, one row at a time.

Given positive weights with Σ weight_i·v_i = target, up to rounding, keep an independent set
of rows as a basis and push the weight of every other row to zero; a basis row that would
turn negative leaves, and the pushed row takes its place. The basis that remains carries the
target alone. It is a proposal: the exact weights are solved for elsewhere.
"""

from __future__ import annotations

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.threads import SMALL

REFRESH = 100  # pivots after which the inverse is computed anew


def crossover(
    vectors: np.ndarray, weights: np.ndarray, target: np.ndarray, clock: Clock
) -> np.ndarray:
    """The places of independent rows of `vectors` that balance the target, heaviest first."""
    heavy = np.clip(weights / weights.max(), 1e-3, 1.0)
    q, order = _pivoted((vectors * heavy[:, None]).T)
    rank = q.shape[1]
    seen = np.asarray((vectors @ q).T)  # rank × m: the rows, in their own span
    goal = target @ q
    weights = _balanced(seen, weights, heavy, goal)

    basis, rest = order[:rank].copy(), order[rank:]
    inverse = np.linalg.inv(seen[:, basis])
    n_pivots = 0
    for i in rest[np.argsort(weights[rest])].tolist():
        clock.check()
        change = inverse @ seen[:, i]
        falling = np.flatnonzero(change < -1e-11)
        room = np.maximum(weights[basis[falling]], 0.0) / -change[falling]
        share = min(float(weights[i]), float(room.min(initial=np.inf)))
        weights[basis] += share * change
        if share >= weights[i]:
            weights[i] = 0.0
            continue
        weights[i] -= share
        tied = falling[room <= share * (1.0 + 1e-9) + 1e-300]
        leaving = int(tied[np.argmin(change[tied])])
        weights[basis[leaving]] = 0.0
        basis[leaving] = i
        n_pivots += 1
        if n_pivots % REFRESH == 0:
            inverse = np.linalg.inv(seen[:, basis])
            weights[basis] += inverse @ (goal - seen @ weights)
        else:
            line = inverse[leaving] / change[leaving]
            inverse -= np.outer(change, line)
            inverse[leaving] = line
    final = np.linalg.solve(seen[:, basis], goal)
    kept = np.flatnonzero(np.abs(final) > 1e-13 * np.abs(final).max(initial=0.0))
    return np.asarray(basis[kept[np.argsort(-final[kept])]])


def _pivoted(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An orthonormal basis of the columns' span, and all columns in the order of a pivoted QR:
    each time the one that is farthest from the span of those before it.
    """
    least = 1e-12 * max(columns.shape)
    if len(columns) > SMALL:
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
