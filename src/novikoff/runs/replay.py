"""A run once more, from its tape: float norms at every k, exact weights where asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.exact.weights import ExactWeights
from novikoff.inputs import Table

BLOCK_ENTRIES = 1 << 20


class Replay:
    """The rows, the start and the mistakes of a run."""

    def __init__(
        self,
        table: Table,
        signs: np.ndarray,
        fit_intercept: bool,
        start: np.ndarray,
        tape: np.ndarray,
    ) -> None:
        self.table, self.signs, self.fit_intercept = table, signs, fit_intercept
        self.start, self.tape = start, tape
        self.first = fractions(start)
        self.starts_at_zero = not start.any()

    def exact(self) -> ExactWeights:
        return ExactWeights(self.table, self.signs, self.fit_intercept, self.start)

    def signed_rows(self, which: np.ndarray) -> np.ndarray:
        block = np.empty((len(which), self.table.n_columns + 1))
        block[:, :-1] = self.table.dense_rows(which)
        block[:, -1] = float(self.fit_intercept)
        block *= self.signs[which, None]
        return block

    def norms(self, scale: float) -> np.ndarray:
        """‖w‖ at k = 0 … n, in floats; squares are taken of w / scale, a power of two."""
        squares = np.empty(len(self.tape) + 1)
        w = self.start / scale
        squares[0] = w @ w
        size = max(1, BLOCK_ENTRIES // len(w))
        for begin in range(0, len(self.tape), size):
            block = self.signed_rows(self.tape[begin : begin + size]) / scale
            block[0] += w
            np.cumsum(block, axis=0, out=block)
            w = block[-1].copy()
            squares[begin + 1 : begin + 1 + len(block)] = np.einsum("ij,ij->i", block, block)
        return np.sqrt(squares) * scale

    def scores(self, v: np.ndarray) -> np.ndarray:
        """sign·(row·v) of every row, in floats."""
        product = self.table.matrix @ v[:-1] + (v[-1] if self.fit_intercept else 0.0)
        return np.asarray(product * self.signs)

    def square_norms(self) -> np.ndarray:
        """‖row‖² of every row, its constant included, in floats."""
        if self.table.is_sparse:
            squares = np.asarray(self.table.matrix.multiply(self.table.matrix).sum(axis=1)).ravel()
        else:
            squares = np.einsum("ij,ij->i", self.table.matrix, self.table.matrix, dtype=np.float64)
        return np.asarray(squares + float(self.fit_intercept))

    def largest_square(self) -> Fraction:
        """The largest ‖row‖², exactly; floats tell which rows come into question."""
        with np.errstate(over="ignore"):
            norms = self.square_norms()
        close, grid = near(norms, float(norms.max())), self.table.float_grid
        if grid is not None and norms.max() < 2.0**53 * min(grid[1], 1.0) ** 2:
            return Fraction(float(norms.max()))  # every square and sum of them is exact
        exact = self.exact()
        return max(exact.row(i).square() for i in close)


def fractions(values: Iterable[Any]) -> list[Fraction]:
    """The numbers exactly; of many columns most are zero, and all of these are one object."""
    zero = Fraction(0)
    return [Fraction(value) if value else zero for value in values]


def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    """Σ a·b, exactly."""
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), Fraction(0))


def root(value: Fraction) -> float:
    """√value, also where value is beyond the range of floats but its root is not."""
    if not value:
        return 0.0
    half = (value.numerator.bit_length() - value.denominator.bit_length()) // 2
    return math.ldexp(math.sqrt(value / Fraction(4) ** half), half)


def as_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def near(values: np.ndarray, target: float, scale: float | None = None) -> list[int]:
    """Where `values` is within rounding of `target`, or not a number at all."""
    width = 1e-9 * (abs(target) if scale is None else scale)
    with np.errstate(invalid="ignore"):
        close = np.flatnonzero(~(np.abs(values - target) > width))
    return [int(i) for i in close]
