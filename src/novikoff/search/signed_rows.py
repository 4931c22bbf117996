"""The rows z_i = sign_i·(x_i, 1) in question: as floats to propose with, exact to prove with.

Rows beyond the floats' range are made smaller: z times 2^-e, one e for all, has the separators,
obstructions and infinite coefficients of z, and 2^-e times its margin and radius.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import BLOCK_NUMBERS, as_integers, homogeneous, score_signs
from novikoff.inputs import Table, integers_of_floats, table_of_fractions
from novikoff.memory import check_columns
from novikoff.search.float_view import FloatView
from novikoff.search.frame import Frame, frame_of

COLUMN_BYTES = 250  # bytes that a search and its proof take for each column, as measured
DENSE_COLUMNS = 2000  # CSR rows with more columns than this stay sparse
LARGEST_EXPONENT = 1000  # the binary exponent of the largest number of rows made smaller

Weights = np.ndarray | Sequence[int | Fraction]  # of every column, the offset last


class SignedRows:
    """The z_i of some rows, in some columns and, where there is one, the offset (last).

    Rows are named by their place in the table, columns and offset by their place in z.
    """

    def __init__(
        self,
        table: Table,
        signs: np.ndarray,
        fit_intercept: bool,
        rows: np.ndarray | None = None,
        columns: np.ndarray | None = None,
    ) -> None:
        check_columns(table.n_columns, COLUMN_BYTES, "a search for a separator")
        self.table = table
        self.signs = signs
        self.fit_intercept = fit_intercept
        self.rows = np.arange(table.n_rows) if rows is None else rows
        self.columns = np.arange(table.n_columns) if columns is None else columns

    def __getstate__(self) -> dict[str, Any]:
        """Without the view, which may hold integers of FLINT: it is made again."""
        return {name: value for name, value in vars(self).items() if name != "float_view"}

    @property
    def n_rows(self) -> int:
        return len(self.rows)

    @property
    def dim(self) -> int:
        return len(self.columns) + self.fit_intercept

    @property
    def is_wide(self) -> bool:
        """Whether blocks of rows stay CSR: only where dense ones would be too wide."""
        return self.table.is_sparse and self.dim > DENSE_COLUMNS

    @property
    def step(self) -> int:
        """Rows that make a block of a sensible size."""
        return max(1, BLOCK_NUMBERS * self.table.n_rows // max(1, int(self.table.matrix.size)))

    def blocks(self, rows: np.ndarray | None = None) -> Iterator[np.ndarray]:
        """These rows of the table, or all in question, in blocks of a sensible size."""
        rows = self.rows if rows is None else rows
        return (rows[start : start + self.step] for start in range(0, len(rows), self.step))

    @cached_property
    def float_view(self) -> FloatView | Frame:
        """The rows as floats see them best."""
        plain = FloatView(self)
        return frame_of(self, plain) or plain

    def filled(self) -> SignedRows:
        """The same rows; of CSR ones, in the columns in which one of them has a number."""
        if not self.table.is_sparse:
            return self
        columns = np.intersect1d(self.columns, filled_columns(self.table.matrix[self.rows]))
        return SignedRows(self.table, self.signs, self.fit_intercept, self.rows, columns)

    @property
    def column_ids(self) -> np.ndarray:
        """For each place in z, the place among all columns; the offset comes after them."""
        return np.append(self.columns, self.table.n_columns)[: self.dim]

    def place(self, numbers: Sequence[Any]) -> list[Any]:
        """Numbers for the places in z as weights of every column."""
        weights: list[Any] = [0] * (self.table.n_columns + 1)
        for column_id, value in zip(self.column_ids.tolist(), numbers, strict=True):
            weights[column_id] = value
        return weights

    def integers(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """z_i for rows `which`, times `scale`, as Python integers.

        Only the places at which one of these rows is not zero. Returns the integers, those
        places, and the scale.
        """
        table = self.table
        if table.is_sparse:
            block = table.matrix[which][:, self.columns]
            present = np.unique(block.indices).astype(np.intp)
            whole, scale = integers_of_floats(block[:, present].toarray().astype(np.float64))
        else:
            values = table.matrix if table.exact is None else table.exact
            part = values[np.ix_(which, self.columns)]
            present = np.flatnonzero((part != 0).any(axis=0))
            if table.exact is None:
                whole, scale = integers_of_floats(part[:, present].astype(np.float64))
            else:
                whole, scale = table.integers(which)
                whole = whole[:, self.columns[present]]
        if self.fit_intercept:
            last = np.full((len(which), 1), scale, dtype=object)
            whole, present = np.hstack([whole, last]), np.append(present, len(self.columns))
        return whole * self.signs[which].astype(object)[:, None], present, scale

    def exact_block(self, which: np.ndarray) -> np.ndarray:
        """z_i for rows `which`: as floats where those are exact, else a multiple in integers."""
        block = homogeneous(self.table, which, self.columns, self.fit_intercept)
        return np.asarray(block * self.signs[which].astype(block.dtype)[:, None])

    def float_scores(self, weights: Weights, which: np.ndarray) -> np.ndarray:
        """z·w/max|w| for rows `which`, up to rounding."""
        if isinstance(weights, np.ndarray):
            w = weights / (np.abs(weights).max() or 1.0)
        else:
            whole = as_integers(weights).tolist()
            largest = max(map(abs, whole)) or 1
            w = np.array([value / largest for value in whole])
        with np.errstate(all="ignore"):
            scores = self.products(w[:-1], which) + self.fit_intercept * w[-1]
            return np.asarray(np.nan_to_num(scores * self.signs[which]))

    def products(self, v: np.ndarray, which: np.ndarray, matrix: Any = None) -> np.ndarray:
        """x·v for rows `which`, in the type of v; no more than a block of them is ever copied.

        `matrix` stands for the table's where it is given.
        """
        matrix, n_rows = self.table.matrix if matrix is None else matrix, self.table.n_rows
        if 2 * len(which) > n_rows and matrix.dtype == v.dtype:
            product = np.asarray(matrix @ v)
            return product if len(which) == n_rows else product[which]
        parts = [matrix[part].astype(v.dtype, copy=False) @ v for part in self.blocks(which)]
        return np.concatenate([np.zeros(0), *parts])

    def sides(self, weights: Weights) -> np.ndarray:
        """The exact sign of z·w for every row of the table."""
        return np.asarray(score_signs(self.table, weights) * self.signs)

    def opposed(self, weights: Weights, strict: bool) -> np.ndarray:
        """The rows with z·w < 0, or <= 0 where strict, decided without rounding."""
        sides = self.sides(weights)[self.rows]
        return np.asarray(self.rows[sides <= 0 if strict else sides < 0])


def filled_columns(matrix: Any) -> np.ndarray:
    """The columns in which a row of this CSR matrix has a number; a 0 that is stored is none."""
    return np.unique(matrix.indices[matrix.data != 0])


@dataclass(frozen=True)
class RangeScaled:
    """The rows that stand for those given, which are 2^exponent times as long."""

    rows: SignedRows
    exponent: int = 0
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
        return min(self.above(value), sys.float_info.max)

    def above(self, value: float) -> float:
        """The same, rounded up: infinity where it is beyond the floats."""
        try:
            return math.ldexp(value, self.exponent)
        except OverflowError:
            return math.inf


def range_scaled(z: SignedRows, *, constant: bool = True) -> RangeScaled:
    """z itself where floats hold its numbers, else rows that they do hold.

    The constant is no longer 1: it becomes the last column of rows without an offset. Where not
    `constant`, it stays what it is, free of any norm: for the geometric margin.
    """
    if not z.table.is_beyond_floats:
        return RangeScaled(z)
    values: Any = z.table.exact
    sizes = (v.numerator.bit_length() - v.denominator.bit_length() for v in values.flat)
    exponent = max(sizes) + 1 - LARGEST_EXPONENT
    factor = Fraction(1, 1 << exponent)
    cells = values * factor
    moved = constant and z.fit_intercept
    if moved:
        cells = np.hstack([cells, np.full((len(cells), 1), factor, dtype=object)])
    table = table_of_fractions(cells.ravel().tolist(), cells.shape, None, z.table.numbers)
    rows = SignedRows(table, z.signs, z.fit_intercept and not moved, z.rows)
    return RangeScaled(rows, exponent, moved)
