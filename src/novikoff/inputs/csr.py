"""CSR matrices over arrays that are there already, and tables side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.inputs.table import Table


def csr_over(values: np.ndarray, columns: np.ndarray, starts: np.ndarray, n_columns: int) -> Any:
    """A CSR matrix over these very arrays, whose columns ascend in every row.

    scipy's constructor copies arrays that are a small part of others, such as of a memory map.
    """
    from scipy.sparse import csr_matrix

    matrix = csr_matrix((len(starts) - 1, n_columns), dtype=values.dtype)
    matrix.data, matrix.indices, matrix.indptr = values, columns, starts
    matrix.has_canonical_format = True
    return matrix


def side_by_side(tables: Sequence[Table]) -> Table:
    """The columns of tables of the same rows, one after the other, without their names.

    Exact where one of them is, CSR where one of them is, and of the numbers of the first.
    """
    numbers = tables[0].numbers
    if len(tables) == 1:
        return replace(tables[0], names=None, index=None)
    if any(table.is_sparse for table in tables):
        from scipy.sparse import csr_matrix, hstack

        parts = [csr_matrix(table.matrix) for table in tables]
        return Table(hstack(parts, format="csr", dtype=np.float64), None, numbers)
    floats = np.hstack([table.dense_rows(slice(None)) for table in tables])
    if all(table.exact is None for table in tables):
        return Table(floats, None, numbers)
    fractions = np.frompyfunc(Fraction, 1, 1)
    exact = np.hstack(
        [fractions(t.matrix.astype(object)) if t.exact is None else t.exact for t in tables]
    )
    return Table(floats, None, "rational" if numbers == "binary64" else numbers, exact)
