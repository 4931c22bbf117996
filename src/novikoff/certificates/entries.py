"""How the rows of a model are put together without rounding: from columns of whole numbers, by
differences of rows, or from entries (row, column, number), none of them twice.

Numbers are floats or Fractions. To multiply a column by a positive number changes neither which
rows a direction can make strict nor which multipliers of rows balance; the direction's entry is
divided by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.inputs import Table, table_of_fractions

FEWER = 4  # times fewer numbers than a dense table has make a sparse one worth it

MakeCsr = Callable[[np.ndarray, np.ndarray, np.ndarray, int], Any]  # values, columns, starts, width


# A matrix and scale: column c of it is exactly `scale[c]` times that of a table; None: all are 1.
WholeColumns = tuple[Any, tuple[int | Fraction, ...] | None]


def whole_columns(table: Table) -> WholeColumns:
    """Columns of floats as they are; others as integers, or as Fractions where these are long."""
    if table.exact is None:
        return table.matrix.astype(np.float64), None
    columns, scale = [], []
    for values in table.exact.T.tolist():
        factor = math.lcm(*(value.denominator for value in values))
        whole = [int(value * factor) for value in values]
        common = math.gcd(*whole) or 1
        if max(map(abs, whole)) // common > 2**53:
            return table.exact, None
        columns.append(np.array([value // common for value in whole], dtype=np.float64))
        scale.append(Fraction(factor, common))
    return np.ascontiguousarray(np.stack(columns, axis=1)), tuple(scale)


def differences(table: Table, first: np.ndarray, second: np.ndarray) -> WholeColumns:
    """Rows `first` minus rows `second`, exactly."""
    matrix, scale = whole_columns(table)
    if matrix.dtype != object:
        a, b = matrix[first], matrix[second]
        with np.errstate(all="ignore"):
            rows = a - b
            part = a - rows
            lost = (a - (rows + part)) + (part - b)  # what rounding took away (Knuth); or NaN
        if not (lost if isinstance(lost, np.ndarray) else lost.data).any():
            return rows, scale
        matrix = table.exact
        if matrix is None:
            matrix = np.frompyfunc(Fraction, 1, 1)(table.dense_rows(slice(None)).astype(object))
    return matrix[first] - matrix[second], None


class Entries(NamedTuple):
    """The numbers of some rows, by row."""

    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray


def entries_of(matrix: Any) -> Entries:
    """The numbers of a matrix that are not 0, in the order of its rows."""
    if isinstance(matrix, np.ndarray):
        rows, columns = np.nonzero(matrix)
        return Entries(rows, columns, matrix[rows, columns])
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    present = matrix.data != 0
    return Entries(rows[present], matrix.indices[present].astype(np.int64), matrix.data[present])


def chosen(entries: Entries, which: np.ndarray, n_rows: int) -> Entries:
    """Row which[r], for each r in turn, as row r."""
    starts = np.searchsorted(entries.rows, np.arange(n_rows + 1))
    lengths = np.diff(starts)[which]
    rows = np.repeat(np.arange(len(which)), lengths)
    ends = np.cumsum(lengths)
    places = np.arange(len(rows)) - np.repeat(ends - lengths, lengths)
    places += np.repeat(starts[which], lengths)
    return Entries(rows, entries.columns[places], entries.values[places])


def table_of_entries(
    parts: list[Entries], n_rows: int, n_columns: int, make_csr: MakeCsr | None
) -> Table:
    """The table that holds these numbers, and 0 elsewhere; without `make_csr` it is dense."""
    rows, columns, values = (np.concatenate([part[k] for part in parts]) for k in range(3))
    if values.dtype == object:
        numbers = np.full((n_rows, n_columns), Fraction(0), dtype=object)
        numbers[rows, columns] = [Fraction(value) for value in values]
        return table_of_fractions(numbers.ravel().tolist(), numbers.shape, None, "rational")
    if make_csr is None or len(values) * FEWER > n_rows * n_columns:
        dense = np.zeros((n_rows, n_columns))
        dense[rows, columns] = values
        return Table(dense, None, "binary64")
    order = np.lexsort((columns, rows))
    starts = np.searchsorted(rows[order], np.arange(n_rows + 1))
    small = np.int32 if max(len(values), n_columns) < 2**31 else np.int64
    matrix = make_csr(values[order], columns[order].astype(small), starts.astype(small), n_columns)
    return Table(matrix, None, "binary64")
