"""The rows of a face on which nothing is settled, where Newton steps do not tell them apart.

A weak separator δ is zero on the rows that balance and positive on those that it settles. Where it
is a mixture of many columns, the settled rows are only just off its hyperplane: their slacks vanish
no sooner than the weights are as long as that is thin, and floats end before. But then the rows
have hardly any extent along δ, which an eigenvector shows. The rows farthest off it are set aside,
which turns it, until those left lie on one hyperplane up to rounding. It is a proposal.
"""

from __future__ import annotations

import numpy as np

from novikoff.search.threads import one_thread_to_factor

ROUNDS = 12
THIN = 1e-3  # an extent, squared, of this share of the next is that of no row that balances
OFF = 0.1  # rows are set aside that are this far off, as a share of the farthest
FLAT = 1e-11  # how far off rounding can put a unit row


def on_a_face(rows: np.ndarray, active: np.ndarray) -> np.ndarray | None:
    """The places of the rows on the hyperplanes that nearly hold the active ones; None if all."""
    for _ in range(ROUNDS):
        few = rows[active]
        products = few.T @ few
        with one_thread_to_factor(len(products)):
            squares, directions = np.linalg.eigh(products)
        floor = 1e-15 * float(squares[-1])
        extents = np.maximum(squares, floor)
        steps = np.flatnonzero(extents[:-1] < THIN * extents[1:])
        if not len(steps):
            return None
        thin = directions[:, : int(steps[-1]) + 1]
        off = np.linalg.norm(few @ thin, axis=1)
        farthest = float(off.max())
        if farthest <= FLAT:
            flat = np.flatnonzero(np.linalg.norm(rows @ thin, axis=1) <= 10.0 * FLAT)
            return flat if len(flat) < len(rows) else None
        active = active[off <= OFF * farthest]
        if len(active) <= few.shape[1]:
            return None
    return None
