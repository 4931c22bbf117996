"""From many rows that balance to few: Carathéodory's theorem, one row after the other.

Given positive weights with Σ weight_i·v_i = target, up to rounding, keep an independent set
of rows as a basis and push the weight of every other row to zero; a basis row that would
turn negative leaves, and the pushed row takes its place. The basis that remains carries the
target alone. It is a proposal: the exact weights are solved for elsewhere.
"""

from __future__ import annotations

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.threads import NUMPY_COLUMNS, one_thread_to_factor

WEIGHTLESS = 1e-9  # a change, or a share of the largest weight, under this is taken for none
ROUNDED_LENGTH = 1e-12  # of the largest length, or weight: what rounding leaves of zero


def crossover(
    vectors: np.ndarray, weights: np.ndarray, target: np.ndarray, clock: Clock
) -> np.ndarray:
    """The places of independent rows of `vectors` that balance the target, heaviest first."""
    heavy = np.clip(weights / weights.max(), 1e-3, 1.0)
    with one_thread_to_factor(vectors.shape[1]):
        span, order = _pivoted((vectors * heavy[:, None]).T)
    seen, goal, basis = (vectors @ span).T, target @ span, order[: span.shape[1]].copy()
    q, r = np.linalg.qr((seen * heavy).T)
    for _ in range(2):  # the weights balance the target as exactly as floats can
        weights = weights + heavy * (q @ np.linalg.solve(r.T, goal - seen @ weights))
    weights = np.maximum(weights, 0.0)
    inverse = np.linalg.inv(seen[:, basis])
    slack = ROUNDED_LENGTH * float(weights.max())
    rest = np.delete(np.arange(len(weights)), basis)
    n_pivots = 0
    for i in rest[np.argsort(weights[rest], kind="stable")].tolist():
        clock.check()
        change = inverse @ seen[:, i]  # the row in terms of the basis
        share, leaving = float(weights[i]), -1
        falling = np.flatnonzero(change < -WEIGHTLESS)
        if len(falling):  # of weights that vanish at once, or nearly, the steepest (Harris 1973)
            held, steep = np.maximum(weights[basis[falling]], 0.0), -change[falling]
            tied = np.flatnonzero(held / steep <= ((held + slack) / steep).min())
            first = tied[np.argmax(steep[tied])]
            if held[first] / steep[first] < share:
                share, leaving = float(held[first] / steep[first]), int(falling[first])
        weights[basis] += share * change
        weights[i] -= share
        if leaving < 0:
            continue
        weights[basis[leaving]] = 0.0
        basis[leaving] = i
        n_pivots += 1
        if n_pivots % len(basis):
            line = inverse[leaving] / change[leaving]
            inverse -= np.outer(change, line)
            inverse[leaving] = line
        else:
            inverse = np.linalg.inv(seen[:, basis])  # anew: rounding adds up over pivots
            weights[basis] += inverse @ (goal - seen @ weights)
    try:
        final = np.linalg.solve(seen[:, basis], goal)
    except np.linalg.LinAlgError:
        final = weights[basis]
    kept = np.flatnonzero(np.abs(final) > WEIGHTLESS * np.abs(final).max(initial=0.0))
    return np.asarray(basis[kept[np.argsort(-final[kept])]])


def _pivoted(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An orthonormal basis of the columns' span, and all columns in the order of a pivoted QR:
    each time the one that is farthest from the span of those before it.
    """
    least = ROUNDED_LENGTH * max(columns.shape)
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
