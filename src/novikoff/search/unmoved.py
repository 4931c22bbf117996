"""Rows that no weak separator moves, and one that moves all others: as floats see them.

A weak separator is zero on an obstruction, and so on all that its rows span. Without their part in
that span the other rows are asked for a strict separator. An obstruction that shows up there joins
the rows that are not moved, and they are asked again. The direction that is found is made exactly
zero on the rows that must not move, and then all rows are asked: floats only propose here.

One direction for all rows at once: where a few rows of a wide table are in conflict, the vertices
of a linear program would settle the others a few at a time.
"""

from __future__ import annotations

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.newton import descend
from novikoff.search.proposers import Blocked
from novikoff.search.question import TIGHT, Opposed, Question
from novikoff.search.signed_rows import SignedRows
from novikoff.search.strict import SMALL

EPSILONS = (1e-2, 1e-5, 1e-8)
HALF = 0.5  # of the score of a row that moves
MOST_TIMES = 12  # that rows are asked; then it is no matter of a few rows in conflict


def moves_the_others(z: SignedRows, blocked: Blocked, clock: Clock) -> Opposed | None:
    """A weak separator that is strict on all rows but those that none moves, if floats find it."""
    if z.is_wide or z.n_rows * z.dim > SMALL:
        return None
    with clock.stage("span of the rows"):
        unit = z.picture.unit_rows(z.rows)
        held = np.union1d(np.searchsorted(z.rows, blocked.rows), _in_conflict(unit))
    if not np.isfinite(unit).all():
        return None
    for _ in range(MOST_TIMES):
        clock.check()
        with clock.stage("span of the rows"):
            free = _null_space(unit[held])
            seen = unit @ free
            lengths = np.linalg.norm(seen, axis=1)
            moved = np.flatnonzero(lengths > TIGHT)
        if not len(moved):
            return None
        with clock.stage("Newton steps"):
            w, scores = _leaning(seen[moved] / lengths[moved, None], clock)
        if scores.min() > 0.0:
            return _made_exact(z, z.rows[held], free @ w, clock)
        held = np.union1d(held, moved[scores < HALF])
    return None


def _leaning(rows: np.ndarray, clock: Clock) -> tuple[np.ndarray, np.ndarray]:
    """Weights that give rows a score of 1 where they can, and the scores.

    The slacks 1 - score balance the rows as ε falls. So the mean score of an obstruction is 0.
    """
    w = np.zeros(rows.shape[1])
    for epsilon in EPSILONS:
        w, scores = descend(rows, w, epsilon, clock, until_separated=True)
        if scores.min() > 0.0:
            break
    return w, scores


def _in_conflict(unit: np.ndarray) -> np.ndarray:
    """Places of rows whose negative is a row too."""
    places = {row.tobytes(): place for place, row in enumerate(unit + 0.0)}
    pairs = [place for place, row in enumerate(0.0 - unit) if row.tobytes() in places]
    return np.array(pairs, dtype=np.intp)


def _null_space(rows: np.ndarray) -> np.ndarray:
    """Orthonormal directions, as columns, that are zero on these rows of length 1."""
    from scipy.linalg import qr

    whole, triangle, _ = qr(rows.T, pivoting=True)
    rank = int((np.abs(np.diag(triangle)) > TIGHT).sum())
    return np.asarray(whole[:, rank:])


def _made_exact(z: SignedRows, held: np.ndarray, delta: np.ndarray, clock: Clock) -> Opposed | None:
    """The direction with exact zeros on the rows held, if no row opposes it and some follow it."""
    floats = z.picture.weights(delta)
    if floats is None:
        return None
    with clock.stage("exact answer"):
        weights = z.place(Question(z, held, clock).zero_on_all(floats))
    with clock.stage("scan of all rows"):
        if len(z.opposed(weights, strict=False)):
            return None
        return Opposed(weights) if len(z.opposed(weights, strict=True)) < z.n_rows else None
