"""Two rows with the same numbers and opposite labels: the shortest obstruction there is.

Equal rows have equal products with a random vector, up to rounding, so they are neighbours when
rows are sorted by it. Neighbours that are close are compared number by number.
"""

from __future__ import annotations

import numpy as np

from novikoff.search.signed_rows import SignedRows

MOST = 200  # pairs that are compared


def conflicting_rows(z: SignedRows, counts: np.ndarray | None) -> np.ndarray | None:
    """Two rows of z that differ in nothing but their sign (or one that is zero), if it finds some.

    Where a perceptron has counted its mistakes, it has missed both rows sooner or later.
    """
    rows = z.rows if counts is None else z.rows[counts[z.rows] > 0]
    direction = np.zeros(z.table.n_columns + 1)
    direction[z.columns] = np.random.default_rng(0).uniform(1.0, 2.0, len(z.columns))
    products = z.float_scores(direction, rows) * z.signs[rows]
    order = np.argsort(products, kind="stable")
    sides = z.signs[rows[order]]
    size = np.abs(products[order])
    with np.errstate(over="ignore"):
        close = np.diff(products[order]) <= 1e-12 * (size[1:] + size[:-1])
    pairs = np.flatnonzero(close & (sides[1:] != sides[:-1]))[:MOST]
    for place in pairs.tolist():
        pair = rows[order[place : place + 2]]
        whole, _, _ = z.integers(pair)
        if not (whole[0] + whole[1]).any():
            return pair if whole.any() else pair[:1]
    return None
