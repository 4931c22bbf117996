"""Floats read as the shortest decimals that print them: 0.1 is a tenth.

A float is a binary number, and shares such as 0.4, 0.2 and 0.4 add up to 1 as decimals only. Who
has typed them, or read them from a file, means the decimals.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import ParameterError
from novikoff.inputs.table import INTEGER_BYTES, Table, table_of_fractions
from novikoff.memory import check_room

NUMBERS_AT_ONCE = 100_000  # numbers that are looked at together
LARGEST_WHOLE_FLOAT = 2.0**53  # up to here a whole float prints as the number that it is


def reads_decimals(numbers: Any) -> bool:
    """Whether `numbers` asks for decimals; ParameterError where it is another word."""
    if numbers is None or (isinstance(numbers, str) and numbers == "decimal"):
        return numbers is not None
    raise ParameterError(
        f"numbers is {numbers!r}; it must be 'decimal', which reads floats as the "
        f"decimals that print them, or None, which takes them as they are.",
        "numbers",
    )


def is_whole(table: Table) -> bool:
    """Whether every number is whole and no larger than floats count: it is its own decimal."""
    if table.exact is not None:
        return all(value.denominator == 1 for value in table.exact.flat)
    values = table.matrix.data if table.is_sparse else table.matrix
    step = max(1, NUMBERS_AT_ONCE * len(values) // max(1, values.size))
    blocks = (values[start : start + step] for start in range(0, len(values), step))
    return table.largest_entry <= LARGEST_WHOLE_FLOAT and all(
        (part == np.rint(part)).all() for part in blocks
    )


def as_decimals(table: Table) -> Table:
    """The table whose floats are decimals; Decimals, Fractions and whole numbers stay."""
    if table.exact is None and is_whole(table):
        return replace(table, numbers="decimal")
    shape = (table.n_rows, table.n_columns)
    what = f"a table of {shape[0]:,} rows and {shape[1]:,} columns of decimals"
    cure = "multiply columns by a power of ten, so that they hold whole numbers: no answer changes"
    check_room(2 * INTEGER_BYTES * shape[0] * shape[1], what, cure)
    if table.exact is not None:
        values = [_of_exact(value) for value in table.exact.flat]
        kind = table.numbers if table.numbers == "rational" else "decimal"
    else:
        dense = table.matrix.toarray() if table.is_sparse else table.matrix
        different, places = np.unique(dense, return_inverse=True)
        decimals = [_of_float(value) for value in different]
        values, kind = [decimals[k] for k in places.ravel().tolist()], "decimal"
    made = table_of_fractions(values, shape, table.names, kind)
    return replace(made, index=table.index)


def _of_float(value: np.floating) -> Fraction:
    return Fraction(*Decimal(str(value)).as_integer_ratio())


def _of_exact(value: Fraction) -> Fraction:
    """A number that was given beside Decimals: if it is a float, its decimal."""
    if value.denominator == 1 or value.denominator & (value.denominator - 1):
        return value
    try:
        near = value.numerator / value.denominator
    except OverflowError:
        return value
    return _of_float(np.float64(near)) if Fraction(near) == value else value
