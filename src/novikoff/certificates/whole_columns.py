"""Columns as numbers that differences do not round: each times a number of its own, if need be.

To multiply a column by a positive number changes neither which rows a direction can make strict nor
which multipliers of rows balance; the direction's entry is divided by it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.inputs import Table, lowest_bits

# Two numbers below 2^1022 differ by less than 2^1023, which is a float. Every float is a multiple
# of 2^-1074.
HIGHEST, LOWEST = 1022, -1074


class WholeColumns(NamedTuple):
    """Column c of the matrix is exactly `scale[c]` times that of the table; None: all are 1.

    The matrix holds floats or, where those would be rounded, Fractions.
    """

    matrix: Any
    scale: tuple[int | Fraction, ...] | None


def whole_columns(table: Table, bits: int) -> WholeColumns:
    """The columns as multiples of one number each, below 2^bits times it, where they are such.

    With 53 bits the numbers are floats, with 52 so are their differences. Floats of which no
    difference is taken stay as they are.
    """
    if table.exact is None:
        if bits >= 53 or _spread(table) <= bits:
            return WholeColumns(table.matrix.astype(np.float64), None)
        numbers = table.dense_rows(slice(None)).astype(object)
        return WholeColumns(np.frompyfunc(Fraction, 1, 1)(numbers), None)
    columns, scale = [], []
    for values in table.exact.T.tolist():
        factor = math.lcm(*(value.denominator for value in values))
        whole = [int(value * factor) for value in values]
        common = math.gcd(*whole) or 1
        if max(map(abs, whole)) // common > 2**bits:
            return WholeColumns(table.exact, None)
        columns.append(np.array([value // common for value in whole], dtype=np.float64))
        scale.append(Fraction(factor, common))
    return WholeColumns(np.ascontiguousarray(np.stack(columns, axis=1)), tuple(scale))


def _spread(table: Table) -> int:
    """The most bits that a column spans, from its largest number to the last bit of any."""
    if table.is_sparse:
        values = np.asarray(table.matrix.data, dtype=np.float64)
        places = np.asarray(table.matrix.indices)
    else:
        values = np.asarray(table.matrix, dtype=np.float64).ravel()
        places = np.tile(np.arange(table.n_columns), table.n_rows)
    present = values != 0.0
    values, places = values[present], places[present]
    top = np.full(table.n_columns, -(2**40), dtype=np.int64)
    low = np.full(table.n_columns, 2**40, dtype=np.int64)
    np.maximum.at(top, places, np.frexp(values)[1].astype(np.int64))
    np.minimum.at(low, places, lowest_bits(values).astype(np.int64))
    if int(top.max()) > HIGHEST:
        return int(top.max()) - LOWEST
    return int((top - low)[top >= low].max(initial=0))
