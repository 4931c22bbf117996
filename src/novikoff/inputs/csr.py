"""CSR matrices over arrays that are there already."""

from __future__ import annotations

from typing import Any

import numpy as np


def csr_over(values: np.ndarray, columns: np.ndarray, starts: np.ndarray, n_columns: int) -> Any:
    """A CSR matrix over these very arrays, whose columns ascend in every row.

    scipy's constructor copies arrays that are a small part of others, such as of a memory map.
    """
    from scipy.sparse import csr_matrix

    matrix = csr_matrix((len(starts) - 1, n_columns), dtype=values.dtype)
    matrix.data, matrix.indices, matrix.indptr = values, columns, starts
    matrix.has_canonical_format = True
    return matrix
