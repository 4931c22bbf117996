"""Norms of the rows of a table: the largest exactly, at every scale.

Squares leave the floats' range long before the numbers do: 1e-170 squared is 0 and 1e170 squared
is infinite. So rows are first scaled by the power of two that brings the largest entry to [½, 1):
the square that matters is then at least ¼, and what underflows is far below its error bound.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.exact.bounds import sum_error_bounds
from novikoff.exact.roots import root_up
from novikoff.inputs import Table, integers_of_floats, largest_of

BLOCK_ENTRIES = 1 << 18  # numbers in a block of rows
EXACT_BLOCK_ENTRIES = 1 << 14  # the same where they are Python's integers
MOST_NEAR_ROWS = 200  # rows that may share the largest norm before a bound on it has to do


def row_blocks(table: Table) -> Iterator[slice]:
    """Slices of rows with about BLOCK_ENTRIES stored entries each."""
    step = max(1, BLOCK_ENTRIES * table.n_rows // max(1, int(table.matrix.size)))
    for start in range(0, table.n_rows, step):
        yield slice(start, min(start + step, table.n_rows))


def exponent_of(values: np.ndarray) -> int:
    """The e with 2^(e-1) <= max |value| < 2^e; 0 where all are zero."""
    return int(np.frexp(largest_of(values))[1])


def exponent_of_table(table: Table) -> int:
    """The e of the largest entry of a table."""
    return int(np.frexp(table.largest_entry)[1])


def scaled(values: Any, e: Any) -> Any:
    """values·2^e; beyond the floats' range that is ±inf or 0, without a warning."""
    with np.errstate(over="ignore", under="ignore"):
        if isinstance(e, int) and abs(e) <= 1000:  # a product is much faster, and the same
            return values * 2.0**e
        return np.ldexp(values, e)


def scaled_rows(table: Table, block: slice | np.ndarray, e: int | None = None) -> tuple[Any, int]:
    """(rows, e): the block's rows in float64 times 2^-e; without an e, all entries below 1."""
    if not table.is_sparse:
        rows = table.dense_rows(block)
        e = exponent_of(rows) if e is None else e
        return (scaled(rows, -e) if e else rows), e
    rows = table.matrix[block].astype(np.float64)
    e = exponent_of(rows.data) if e is None else e
    if e:
        rows.data = scaled(rows.data, -e)
    return rows, e


def widest_row(table: Table) -> int:
    """The most entries that a row stores."""
    return int(np.diff(table.matrix.indptr).max()) if table.is_sparse else table.n_columns


def largest_square(table: Table, fit_intercept: bool) -> Fraction:
    """The largest ‖row‖² exactly, with 1 for the constant."""
    squares, error_bounds, e = _squares(table)
    if _squares_are_exact(table):
        return Fraction(float(squares.max())) * Fraction(4) ** e + fit_intercept
    near = _near_the_top(squares, error_bounds)
    return max(exact_squares(table, near)) + fit_intercept


def radius_above(table: Table, fit_intercept: bool) -> float:
    """The largest ‖row‖ rounded up; where very many rows come near it, a bit more than that."""
    squares, error_bounds, e = _squares(table)
    near = _near_the_top(squares, error_bounds)
    if len(near) > MOST_NEAR_ROWS and np.isfinite(squares).all():
        largest = Fraction(float(squares.max()))
        if not _squares_are_exact(table):
            largest += Fraction(float(error_bounds[near].max()))
        return root_up(largest * Fraction(4) ** e + fit_intercept)
    return root_up(max(exact_squares(table, near)) + fit_intercept)


def length_above(entries: np.ndarray) -> float:
    """At least the norm of a vector of floats; infinite where an entry is not finite.

    Scaled to at most 1, the sum of n squares is off by its error bound, and its root is rounded up.
    """
    if not np.isfinite(entries).all():
        return math.inf
    e = exponent_of(entries)
    values = scaled(entries, -e)
    with np.errstate(under="ignore"):
        square = float(values @ values)
    error_bound = float(sum_error_bounds(square, len(values)))
    return root_up((Fraction(square) + Fraction(error_bound)) * Fraction(4) ** e)


def exact_rows(table: Table, rows: np.ndarray) -> Iterator[tuple[list[int], list[int], int]]:
    """(columns, integers, scale) of some rows, whose entries are integers/scale."""
    if table.is_sparse:
        for i in rows.tolist():
            held = slice(table.matrix.indptr[i], table.matrix.indptr[i + 1])
            whole, scale = integers_of_floats(table.matrix.data[held].astype(np.float64))
            yield table.matrix.indices[held].tolist(), whole.tolist(), scale
        return
    step, columns = max(1, EXACT_BLOCK_ENTRIES // table.n_columns), list(range(table.n_columns))
    for start in range(0, len(rows), step):
        whole, scale = table.integers(rows[start : start + step])
        for row in whole.tolist():
            yield columns, row, scale


def exact_squares(table: Table, rows: np.ndarray) -> Iterator[Fraction]:
    """‖row‖² of some rows, without their constant."""
    for _, row, scale in exact_rows(table, rows):
        yield Fraction(sum(map(operator.mul, row, row)), scale * scale)


def _squares(table: Table) -> tuple[np.ndarray, np.ndarray, int]:
    """(ŝ, error_bound, e): ‖row‖²·4^-e in floats, and how far each can be off.

    A number that is itself the nearest float to an exact one is off by u of itself, which the
    bound's spare terms pay for; or, below 2^-1022, by η/2. Scaled by 2^-e that is at most 2^-100 if
    e > -900, far below the error bound of a square near ¼; for smaller tables nothing is certain.
    """
    e = exponent_of_table(table)
    squares = np.empty(table.n_rows)
    with np.errstate(all="ignore"):
        for block in row_blocks(table):
            rows, _ = scaled_rows(table, block, e)
            if table.is_sparse:
                squares[block] = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
            else:
                squares[block] = np.einsum("ij,ij->i", rows, rows)
    error_bounds = sum_error_bounds(squares, widest_row(table))
    if table.is_rounded and e <= -900:
        error_bounds[:] = np.inf
    return squares, error_bounds, e


def _squares_are_exact(table: Table) -> bool:
    """Whether every square of a row, and every sum of them, is below 2^53 units of its grid."""
    if table.float_grid is None:
        return False
    largest, grid = table.float_grid
    return bool(widest_row(table) * (largest / grid) ** 2 < 2.0**53)


def _near_the_top(squares: np.ndarray, error_bounds: np.ndarray) -> np.ndarray:
    """The rows whose square may be the largest."""
    with np.errstate(invalid="ignore"):
        low, high = squares - error_bounds, squares + error_bounds
    certain = np.where(np.isfinite(low), low, -np.inf).max()
    return np.flatnonzero(~(high < certain))
