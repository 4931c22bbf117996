"""Do a few rows span all of them? Then what is zero on these rows is zero everywhere.

Every linear relation between the columns that holds on the few rows must hold on all rows.
Three kinds of relations are looked at, each exactly: columns that are zero, columns that are
equal, and, for the columns that are left, a basis of all other relations. Mostly there is
none: full rank modulo a prime proves full rank, because rank mod p <= rank.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import (
    CELLS,
    homogeneous,
    product_signs,
    whole_numbers,
)
from novikoff.errors import CertificateError
from novikoff.inputs import Table

PRIME = 2**61 - 1


def check_spans(table: Table, rows: np.ndarray, offset: bool) -> None:
    """Raise unless rank of (x_i, 1) over `rows` is the rank over all rows."""
    columns = np.arange(table.n_columns)
    if table.is_sparse:
        columns = np.unique(table.matrix[rows].indices).astype(np.intp)
    whole = whole_numbers(homogeneous(table, rows, columns, offset))
    first_with: dict[tuple[int, ...], int] = {}
    zeros = np.ones(table.n_columns, dtype=bool)
    twins: list[tuple[int, int]] = []
    kept: list[int] = []
    for place, column in enumerate(columns.tolist()):
        numbers = tuple(whole[:, place])
        zeros[column] = not any(numbers)
        if not zeros[column] and first_with.setdefault(numbers, column) == column:
            kept.append(place)
        elif not zeros[column]:
            twins.append((column, first_with[numbers]))
    _check_zeros_and_twins(table, np.flatnonzero(zeros), np.array(twins, dtype=np.intp))

    square = whole[:, kept + [len(columns)] * offset]
    relations = _relations(square)
    if relations is None:
        return
    used = (relations != 0).any(axis=1)
    columns = columns[kept]
    has_offset = offset and bool(used[-1])
    columns, relations = columns[used[: len(columns)]], relations[used]
    step = max(1, CELLS // max(1, len(columns)))
    for start in range(0, table.n_rows, step):
        block = np.arange(start, min(start + step, table.n_rows))
        outside = product_signs(homogeneous(table, block, columns, has_offset), relations)
        if outside.any():
            _refuse(f"row {start + int(outside.any(axis=1).argmax())}")


def _relations(whole: np.ndarray) -> np.ndarray | None:
    """A basis of all n with whole @ n = 0, one a column, as Python integers; None if n = 0."""
    from flint import fmpz_mat, nmod_mat

    n_columns = whole.shape[1]
    if n_columns == 0:
        return None
    matrix = fmpz_mat(whole.tolist())
    if nmod_mat(matrix, PRIME).rank() == n_columns:
        return None
    basis, count = matrix.nullspace()
    if count == 0:
        return None
    numbers = np.array([int(value) for value in basis.entries()], dtype=object)
    return numbers.reshape(basis.nrows(), basis.ncols())[:, :count]


def _check_zeros_and_twins(table: Table, zeros: np.ndarray, twins: np.ndarray) -> None:
    values = table.matrix if table.exact is None else table.exact
    if not (zeros.size or twins.size):
        return
    step = max(1, CELLS * table.n_rows // max(1, table.matrix.size))
    for start in range(0, table.n_rows, step):
        block = values[start : start + step]
        if zeros.size and _count(block[:, zeros]):
            _refuse("a row with a number in a column that is zero on all of them")
        if twins.size and _count(block[:, twins[:, 0]] != block[:, twins[:, 1]]):
            _refuse("a row that differs in two columns that are equal on all of them")


def _count(block: Any) -> int:
    return int(np.count_nonzero(block) if isinstance(block, np.ndarray) else block.count_nonzero())


def _refuse(what: str) -> None:
    raise CertificateError(
        f"the rows of the obstruction do not span {what}, so they do not rule out a weak separator."
    )
