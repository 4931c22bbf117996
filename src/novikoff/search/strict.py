"""Is there a strict separator? A portfolio over a growing working set of rows.

By Kirchberger's theorem d+2 rows are enough to rule one out, and few rows shape one. So a few
rows are solved for, and all rows are scored: the worst join the few. Of the proposers
(proposers.py) each is slower and surer than the one before; the last is exact and always answers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.proposers import Blocked, portfolio
from novikoff.search.signed_rows import SignedRows, Weights

SMALL = 1_000_000  # numbers: a table this small is its own working set
MOST_FIRST = 5000  # rows of the first working set


@dataclass(frozen=True)
class Separated:
    """Weights that are strict on every row in question: exactly so."""

    weights: Weights
    how: str


def decide_strict(
    z: SignedRows, clock: Clock, counts: np.ndarray | None = None
) -> Separated | Blocked:
    """Find a strict separator of the rows of z, or rows that rule one out.

    `counts` are the mistakes of a perceptron on each row of the table, if one was run.
    """
    if z.dim == 0:  # nothing but zero rows, each an obstruction
        return Blocked(z.rows[:1], [1], z.rows[:1], "a zero row")
    chosen = first_rows(z, counts)
    for proposer in portfolio(z, clock):
        while True:
            with clock.stage(proposer.name):
                proposed = proposer.propose(chosen)
            if proposed is None:
                break
            if isinstance(proposed, Blocked):
                return proposed
            with clock.stage("scan of all rows"):
                weights, opposed = _scan(z, proposed)
            if weights is not None:
                return Separated(weights, proposer.name)
            new = np.setdiff1d(opposed, chosen)
            if len(new) == 0:
                break
            chosen = np.concatenate([chosen, new])
    raise RuntimeError("the exact simplex has separated a working set wrongly")


def first_rows(z: SignedRows, counts: np.ndarray | None) -> np.ndarray:
    """The first working set: all rows of a small table, else those missed most often."""
    size = min(4 * z.dim, MOST_FIRST)
    if (z.n_rows * z.dim <= SMALL and z.n_rows <= 2 * MOST_FIRST) or z.n_rows <= 1.5 * size:
        return z.rows
    if counts is None:
        return z.rows[:: max(1, z.n_rows // size)]
    return np.sort(z.rows[np.argpartition(-counts[z.rows], size)[:size]])


def _scan(z: SignedRows, proposed: np.ndarray | list[int]) -> tuple[Weights | None, np.ndarray]:
    """Weights if they are exactly strict on all rows; else the rows that oppose them most."""
    if isinstance(proposed, np.ndarray):
        scores = z.picture.scores(proposed)
        if not scores.min() > 0.0:
            return None, _worst(z, scores)
        floats = z.picture.weights(proposed)
        if floats is not None and len(z.opposed(floats, strict=True)) == 0:
            return floats, z.rows[:0]
        proposed = z.picture.exact_weights(proposed)
    opposed = z.opposed(proposed, strict=True)
    return (proposed if len(opposed) == 0 else None), opposed[: 4 * z.dim]


def _worst(z: SignedRows, scores: np.ndarray) -> np.ndarray:
    """The rows of the lowest scores, those just above zero among them."""
    size = min(3 * z.dim + 50, len(scores) - 1)
    return z.rows[np.argpartition(scores, size)[:size]] if size > 0 else z.rows
