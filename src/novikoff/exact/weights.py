"""Weights as exact rationals: the start plus signed rows, each added some number of times."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.exact.bounds import SMALLEST
from novikoff.exact.norms import exact_rows
from novikoff.exact.scores import nearest_float
from novikoff.inputs import Table, integers_of_floats

ROWS_ADDED_ONE_BY_ONE = 16  # fewer are not searched for rows that come twice


class ExactWeights:
    """w = start + Σ counts·sign·(row, constant), kept as integers over one scale."""

    def __init__(self, table: Table, signs: np.ndarray, fit_intercept: bool, start: np.ndarray):
        self._table, self._signs = table, signs
        self._has_constant = fit_intercept
        whole, self._scale = integers_of_floats(np.asarray(start, dtype=np.float64))
        self._whole: list[int] = whole.tolist()
        self._rows: dict[int, ExactRow] = {}

    def row(self, i: int) -> ExactRow:
        """Row i with its constant."""
        if i not in self._rows:
            self._read(np.array([i]))
        return self._rows[i]

    def add(self, rows: np.ndarray) -> None:
        """Add sign·row once for each mention of a row."""
        if len(rows) < ROWS_ADDED_ONE_BY_ONE:
            for i in rows.tolist():
                self._add_multiple(self.row(i), int(self._signs[i]))
            return
        found, counts = np.unique(rows, return_counts=True)
        self._read(found)
        for i, count in zip(found.tolist(), counts.tolist(), strict=True):
            self._add_multiple(self.row(i), count * int(self._signs[i]))

    def _read(self, rows: np.ndarray) -> None:
        """Read many rows at once, which costs far less than one by one."""
        missing = np.array([i for i in rows.tolist() if i not in self._rows], dtype=np.int64)
        found = exact_rows(self._table, missing)
        for i, (columns, row, scale) in zip(missing.tolist(), found, strict=True):
            entries = [(j, value) for j, value in zip(columns, row, strict=True) if value]
            if self._has_constant:
                entries.append((len(self._whole) - 1, scale))
            self._rows[i] = ExactRow(entries, scale)

    def _add_multiple(self, row: ExactRow, step: int) -> None:
        common = self._scale
        if row.scale != common and common % row.scale:
            common = math.lcm(row.scale, common)
            factor = common // self._scale
            self._whole = [value * factor for value in self._whole]
            self._scale = common
        step *= common // row.scale
        for j, value in row.entries:
            self._whole[j] += step * value

    def score(self, i: int) -> Fraction:
        """The exact score of row i."""
        row = self.row(i)
        total = sum(self._whole[j] * value for j, value in row.entries)
        return Fraction(total, self._scale * row.scale)

    def square(self) -> Fraction:
        """‖w‖², exactly."""
        return Fraction(*self.square_ratio())

    def square_ratio(self) -> tuple[int, int]:
        """‖w‖² as a quotient that is not reduced."""
        return sum(map(operator.mul, self._whole, self._whole)), self._scale**2

    def fractions(self) -> list[Fraction]:
        return [Fraction(value, self._scale) for value in self._whole]

    def floats(self) -> np.ndarray:
        """Each weight rounded once, to the nearest float64: 0 only where it is, ±inf beyond."""
        try:
            floats = [value / self._scale for value in self._whole]
        except OverflowError:
            floats = [nearest_float(value) for value in self.fractions()]
        for j, value in enumerate(self._whole):
            if value and not floats[j]:
                floats[j] = SMALLEST if value > 0 else -SMALLEST
        return np.array(floats)


class ExactRow(NamedTuple):
    """The non-zero entries of a row, as (column, integer), over a common scale."""

    entries: list[tuple[int, int]]
    scale: int


def integers_of_fractions(values: Sequence[int | Fraction]) -> np.ndarray:
    """The numbers times one positive number, as an object array of ints."""
    exact = [Fraction(value) for value in values]
    scale = math.lcm(*(value.denominator for value in exact))
    whole = np.empty(len(exact), dtype=object)
    whole[:] = [value.numerator * (scale // value.denominator) for value in exact]
    return whole
