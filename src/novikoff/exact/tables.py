"""Scores of all rows of a table under exact weights: in floats with error bounds, and exactly.

Weights are integers, the offset last (0 where there is none): any positive multiple of them is
the same hyperplane.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.exact.bounds import SMALLEST, sum_error_bounds
from novikoff.exact.norms import (
    exact_rows,
    exponent_of_table,
    row_blocks,
    scaled,
    scaled_rows,
    widest_row,
)
from novikoff.inputs import Table

RELATIVE_ERROR_LIMIT = 2.0**-32  # of a number: by more than this none is off that is not exact


class FloatScores(NamedTuple):
    """score = value·2^exponent row by row, off by at most error_bound·2^exponent."""

    values: np.ndarray
    error_bounds: np.ndarray
    exponent: int


def float_scores(table: Table, weights: np.ndarray) -> FloatScores:
    """The scores of all rows in floats.

    Rows and weights are scaled by powers of two to at most 1, so nothing overflows. What
    underflow takes from a weight, from an entry or from their product is at most η/2 each, which
    the bound on a sum pays for with every term. A table of rounded numbers below 2^-1022 has
    lost up to η/2 of each before it was scaled.
    """
    top = max(int(w).bit_length() for w in weights)
    v = np.array([w / (1 << top) for w in weights])
    e = exponent_of_table(table)
    if weights[-1]:
        e = max(e, 1)  # the constant 1 is below 2^1
    offset = float(scaled(v[-1], -e))
    width = widest_row(table) + 1
    values, sizes = np.empty(table.n_rows), np.empty(table.n_rows)
    with np.errstate(all="ignore"):
        for block in row_blocks(table):
            rows, _ = scaled_rows(table, block, e)
            values[block] = rows @ v[:-1] + offset
            sizes[block] = abs(rows) @ np.abs(v[:-1]) + abs(offset)
        error_bounds = sum_error_bounds(sizes, width)
        if table.is_rounded:
            error_bounds += width * float(scaled(SMALLEST, -e))
    return FloatScores(values, error_bounds, e + top)


def exact_scores(table: Table, rows: np.ndarray, weights: np.ndarray) -> Iterator[Fraction]:
    """The scores of some rows, in their order."""
    whole = weights.tolist()
    for columns, row, scale in exact_rows(table, rows):
        own = [whole[j] for j in columns] if table.is_sparse else whole
        yield Fraction(sum(map(operator.mul, row, own)) + whole[-1] * scale, scale)


def near_the_bottom(values: np.ndarray, error_bounds: np.ndarray) -> np.ndarray:
    """The rows whose value may be the smallest."""
    with np.errstate(invalid="ignore"):
        low, high = values - error_bounds, values + error_bounds
    certain = np.where(np.isfinite(high), high, np.inf).min()
    return np.flatnonzero(~(low > certain))
