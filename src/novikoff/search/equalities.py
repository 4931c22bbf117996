"""Rows of sign 0, which every direction must be zero on: a few that stand for all of them."""

from __future__ import annotations

import numpy as np

from novikoff.search.signed_rows import SignedRows
from novikoff.search.span import spanning_rows


def independent_equalities(z: SignedRows, held: np.ndarray) -> np.ndarray:
    """Independent rows among `held`, places in the table, that span all of them.

    That they span all is very likely; whoever relies on it looks at all of them again.
    """
    if not len(held):
        return held
    ones = np.ones(z.table.n_rows, dtype=np.int8)
    rows = SignedRows(z.table, ones, z.fit_intercept, held, z.columns)
    return np.sort(spanning_rows(rows, held[:: max(1, len(held) // (2 * rows.dim))]))
