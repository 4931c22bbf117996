"""Rows beyond the floats' range, made smaller: the same question for numbers that floats hold.

z = sign·(x, 1) times 2^-e, one e for all, has the separators, obstructions and infinite
coefficients of z, and 2^-e times its margin and radius. The constant is no longer 1, so it
becomes the last column of rows without an offset: places and weights stay where they were.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.inputs import table_of_fractions
from novikoff.search.signed_rows import SignedRows

LARGEST_EXPONENT = 1000  # the binary exponent of the largest number that is left


@dataclass(frozen=True)
class RangeScaled:
    """The rows that stand for those given, which are 2^exponent times as long."""

    rows: SignedRows
    exponent: int
    has_constant: bool = False  # whether the last column stands for the offset

    def outward(self, weights: Any) -> Any:
        """Weights of these rows as weights of the rows given, the offset last."""
        if self.has_constant:
            return weights[:-1]
        if self.exponent == 0:
            return weights
        return [*map(Fraction, weights[:-1]), Fraction(weights[-1]) * (1 << self.exponent)]

    def inward(self, weights: Any) -> Any:
        """Weights of the rows given as weights of these."""
        if self.has_constant:
            return [*map(Fraction, weights), Fraction(0)]
        if self.exponent == 0:
            return weights
        return [*map(Fraction, weights[:-1]), Fraction(weights[-1]) / (1 << self.exponent)]

    def below(self, value: float) -> float:
        """A length of these rows as one of the rows given, rounded down."""
        return min(_times(value, self.exponent), sys.float_info.max)

    def above(self, value: float) -> float:
        """The same, rounded up: infinity where it is beyond the floats."""
        return _times(value, self.exponent)


def range_scaled(z: SignedRows, *, constant: bool = True) -> RangeScaled:
    """z itself where floats hold its numbers, else rows that they do hold.

    Where not `constant`, the offset stays what it is, free of any norm: for the geometric margin.
    """
    if not z.table.is_beyond_floats:
        return RangeScaled(z, 0)
    values: Any = z.table.exact
    top = max(abs(value.numerator).bit_length() - value.denominator.bit_length()
              for value in values.flat)  # fmt: skip
    exponent = top + 1 - LARGEST_EXPONENT
    factor = Fraction(1, 1 << exponent)
    cells = values * factor
    moved = constant and z.fit_intercept
    if moved:
        last = np.empty((len(cells), 1), dtype=object)
        last[:] = factor
        cells = np.hstack([cells, last])
    table = table_of_fractions(cells.ravel().tolist(), cells.shape, None, z.table.numbers)
    rows = SignedRows(table, z.signs, z.fit_intercept and not moved, z.rows)
    return RangeScaled(rows, exponent, moved)


def _times(value: float, exponent: int) -> float:
    try:
        return math.ldexp(value, exponent)
    except OverflowError:
        return math.inf
