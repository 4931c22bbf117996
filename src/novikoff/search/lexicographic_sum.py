"""How large a multiple of a direction keeps the rows settled that it settles, whatever is added."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from novikoff.certificates.arithmetic import score_signs
from novikoff.inputs import Table
from novikoff.search.signed_rows import SignedRows, filled_columns

GROWN_BITS = 32  # of a factor that is too small: one more look at the rows for each


def _part(z: SignedRows, rows: np.ndarray) -> tuple[SignedRows, np.ndarray]:
    """Some rows alone, CSR ones without their empty columns, and which weights are theirs."""
    table, columns = z.table.take(rows), np.arange(z.table.n_columns)
    if table.is_sparse:
        columns = filled_columns(table.matrix)
        table = Table(table.matrix[:, columns], None, table.numbers)
    column_ids = np.append(columns, z.table.n_columns)
    return SignedRows(table, z.signs[rows], z.fit_intercept), column_ids


def sides(z: SignedRows, rows: np.ndarray, signs: np.ndarray, w: np.ndarray) -> np.ndarray:
    """sign·score of some rows: its exact sign."""
    if not len(rows):
        return np.zeros(0, dtype=np.int8)
    if 2 * len(rows) > z.table.n_rows:  # to read all rows takes less than a copy of these
        return np.asarray(score_signs(z.table, w)[rows] * signs)
    part, column_ids = _part(z, rows)
    return np.asarray(score_signs(part.table, w[column_ids]) * signs)


def lexicographic_factor(
    z: SignedRows, rows: np.ndarray, direction: np.ndarray, total: np.ndarray
) -> int:
    """A positive factor with z·(total + factor·direction) > 0 on these rows.

    Floats propose one that leaves the rows well off zero; it grows until all rows are, exactly.
    """
    part, column_ids = _part(z, rows)
    direction, total = direction[column_ids], total[column_ids]
    if not (len(rows) and total.any()):
        return 1
    factor = 1
    gain, score = (part.float_scores(w.tolist(), part.rows) for w in (direction, total))
    sizes = [max(map(abs, w.tolist())) for w in (direction, total)]
    with np.errstate(all="ignore"):
        needed = float(np.nanmax((1.0 - 2.0 * score) / gain, initial=0.0))
    if math.isfinite(needed):
        factor = max(1, math.ceil(Fraction(needed) * Fraction(9, 8) * sizes[1] / sizes[0]))
    while (sides(part, part.rows, part.signs, total + factor * direction) <= 0).any():
        factor <<= GROWN_BITS
    return factor
