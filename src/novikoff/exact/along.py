"""‖w‖ and w·v after each update of a run: in floats with error bounds, or exactly.

Floats add one update after the other. A float sum of two vectors is off by at most u of its own
norm, so after k updates w is off by at most u·Σ ‖w after j updates‖ over j <= k; the same holds for
the running sum w·v. Where w has cancelled to so little that this is too much of it, or where a
square has left the range of the floats, the number is computed from exact weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.exact.bounds import NORM_UNDERFLOW, SLACK, SMALLEST, SPARE, UNIT
from novikoff.exact.norms import exponent_of_table, scaled
from novikoff.exact.roots import nearest_root
from novikoff.exact.scores import nearest_float
from novikoff.exact.tables import (
    RELATIVE_ERROR_LIMIT,
    exact_scores,
    float_scores,
    near_the_bottom,
)
from novikoff.exact.weights import ExactWeights
from novikoff.inputs import Table

BLOCK_ENTRIES = 1 << 16  # numbers in a block of updates
SAFE_SIZE = 2.0**-400  # from here to its inverse, neither a number nor its square leaves the range
CANCELLED_SCORE = 2.0**-40  # of itself: a score that is off by more is computed exactly


@dataclass(frozen=True, eq=False)
class Updates:
    """The updates of a run: `tape` names the row of each, and w begins at `start`."""

    table: Table
    signs: np.ndarray
    fit_intercept: bool
    start: np.ndarray
    tape: np.ndarray

    def exact(self) -> ExactWeights:
        return ExactWeights(self.table, self.signs, self.fit_intercept, self.start)

    def blocks(self) -> Iterator[tuple[int, np.ndarray]]:
        """(place on the tape, sign·(row, constant) of a block of updates)."""
        size = max(1, BLOCK_ENTRIES // len(self.start))
        comes_often = not self.table.is_sparse and self.table.n_rows < len(self.tape)
        every = self._signed(np.arange(self.table.n_rows)) if comes_often else None
        for begin in range(0, len(self.tape), size):
            which = self.tape[begin : begin + size]
            yield begin, self._signed(which) if every is None else np.take(every, which, axis=0)

    def _signed(self, which: np.ndarray) -> np.ndarray:
        block = np.empty((len(which), len(self.start)))
        block[:, :-1] = self.table.dense_rows(which)
        block[:, -1] = float(self.fit_intercept)
        block *= self.signs[which, None]
        return block


class ExactRun:
    """‖w‖² and w·v after k updates as exact numbers, for integers v with the offset last.

    Each is carried along the tape, so calls are fast while k rises; a smaller k starts anew.
    """

    def __init__(self, updates: Updates, v: np.ndarray | None) -> None:
        self._updates, self._v = updates, v
        self._weights, self._n_added = updates.exact(), 0
        self._gain, self._n_gained = 0, 0
        self._steps: dict[int, int] = {}  # sign·(row·v)·scale of each row on the tape
        start = [Fraction(value) for value in updates.start.tolist()]
        self.first_square = sum((value * value for value in start), Fraction(0))
        pairs = () if v is None else zip(start, v.tolist(), strict=True)
        self.first_product = sum((a * b for a, b in pairs if b), Fraction(0))

    def square_ratio(self, k: int) -> tuple[int, int]:
        """‖w‖² as a quotient that is not reduced, which takes less time than a Fraction."""
        if k < self._n_added:
            self._weights, self._n_added = self._updates.exact(), 0
        self._weights.add(self._updates.tape[self._n_added : k])
        self._n_added = k
        return self._weights.square_ratio()

    def square(self, k: int) -> Fraction:
        return Fraction(*self.square_ratio(k))

    def product(self, k: int) -> Fraction:
        """w·v; 0 without a v."""
        if self._v is None:
            return Fraction(0)
        if not self._steps:
            self._read_steps(self._v)
        if k < self._n_gained:
            self._gain, self._n_gained = 0, 0
        passed = self._updates.tape[self._n_gained : k].tolist()
        self._gain += sum(map(self._steps.__getitem__, passed))
        self._n_gained = k
        return self.first_product + Fraction(self._gain, self._scale)

    def _read_steps(self, v: np.ndarray) -> None:
        rows = np.unique(self._updates.tape)
        scores = list(exact_scores(self._updates.table, rows, v))
        self._scale = math.lcm(*(score.denominator for score in scores))
        signs = self._updates.signs[rows].tolist()
        for i, sign, score in zip(rows.tolist(), signs, scores, strict=True):
            self._steps[i] = sign * score.numerator * (self._scale // score.denominator)


class Curve(NamedTuple):
    """A number at each k = 0 … n, infinite beyond the floats, and how far each can be off."""

    values: np.ndarray
    error_bounds: np.ndarray

    def wide_places(self) -> list[int]:
        """The k at which the error bound is too much of the number."""
        limit = RELATIVE_ERROR_LIMIT * np.abs(self.values)
        return np.flatnonzero(~(self.error_bounds < limit) & (self.error_bounds != 0.0)).tolist()

    def put(self, k: int, value: float) -> None:
        """Take a value that is within four roundings of the exact number; 0 only for 0."""
        self.values[k] = value
        self.error_bounds[k] = SPARE * UNIT * abs(value) + (SMALLEST if value else 0.0)


def norms_along(updates: Updates, run: ExactRun) -> Curve:
    """‖w‖ after each update, within RELATIVE_ERROR_LIMIT of itself.

    A root of `width` squares is off by (width/2 + 1)·u of itself. Underflow takes at most
    NORM_UNDERFLOW from a norm, and nothing that counts from one above √NORM_UNDERFLOW.
    """
    n, width = len(updates.tape), len(updates.start)
    values, drifts, k = np.empty(n + 1), np.zeros(n + 1), np.arange(n + 1)
    with np.errstate(all="ignore"):  # a number beyond the floats has no finite error bound
        w, drift = updates.start, 0.0
        values[0] = math.sqrt(float(w @ w))
        for begin, sums in updates.blocks():
            here = slice(begin + 1, begin + 1 + len(sums))
            sums[0] += w
            np.cumsum(sums, axis=0, out=sums)
            values[here] = np.sqrt(np.einsum("ij,ij->i", sums, sums))
            drifts[here] = drift + np.cumsum(values[here])
            w, drift = sums[-1].copy(), float(drifts[here][-1])
        if updates.table.is_rounded:
            largest = float(scaled(1.0, exponent_of_table(updates.table)))
            drifts += k * (largest * math.sqrt(width) + 1.0)
        bounds = SLACK * UNIT * (drifts + (width + SPARE) * values) + (k + 1) * (width * SMALLEST)
        bounds += np.where(values < math.sqrt(NORM_UNDERFLOW), NORM_UNDERFLOW, 0.0)
    norms = Curve(values, bounds)
    if not updates.start.any():
        norms.put(0, 0.0)
    for place in norms.wide_places():
        norms.put(place, _root_of_ratio(*run.square_ratio(place)))
    return norms


def _root_of_ratio(above: int, below: int) -> float:
    """√(above/below), within two roundings."""
    try:
        quotient = above / below
    except OverflowError:
        quotient = math.inf
    if SAFE_SIZE < quotient < 1.0 / SAFE_SIZE:
        return math.sqrt(quotient)
    return nearest_root(Fraction(above, below))


class Progress:
    """What v, in integers with the offset last, makes of the rows and along the run.

    curve : w·v/‖v‖ at k = 0 … n
    least, worst_row : the smallest sign·(row·v) of all rows, exactly, and the first row that has it
    """

    def __init__(self, updates: Updates, v: np.ndarray, run: ExactRun) -> None:
        self._updates, self._v, self._run = updates, v, run
        self._square = sum(int(value) ** 2 for value in v)
        found = float_scores(updates.table, v)
        signed = found.values * updates.signs
        near = near_the_bottom(signed, found.error_bounds)
        signs = updates.signs[near].tolist()
        exact = exact_scores(updates.table, near, v)
        self.least, worst = min(
            (score * sign, i) for score, sign, i in zip(exact, signs, near, strict=True)
        )
        self.worst_row = int(worst)
        with np.errstate(all="ignore"):  # a number beyond the floats has no finite error bound
            self.curve = self._sums(signed, found.error_bounds, found.exponent)

    def signed_square(self, product: Fraction) -> Fraction:
        """(w·v/‖v‖)², with the sign of w·v."""
        return product * abs(product) / self._square

    def _sums(self, scores: np.ndarray, bounds: np.ndarray, e: int) -> Curve:
        """The running sums of scores·2^e, over ‖v‖.

        ‖v‖ is rounded once, the quotient once, and so is what is exact to begin with: together
        with the quotient's underflow, at most 4·u of itself and η.
        """
        tape = self._updates.tape
        self._read_cancelled(scores, bounds, e)
        top = max(int(value).bit_length() for value in self._v)
        length = nearest_root(Fraction(self._square, 1 << 2 * top))
        steps = scaled(scores / length, e - top)
        off = scaled(bounds / length, e - top) + SPARE * UNIT * np.abs(steps)
        off += np.where(steps == 0.0, SMALLEST * (scores != 0.0), SMALLEST)
        first = nearest_root(self.signed_square(self._run.first_product))
        values = np.cumsum(np.append(first, steps[tape]))
        drifts = UNIT * np.cumsum(np.abs(values))
        curve = Curve(values, SLACK * (np.append(0.0, np.cumsum(off[tape])) + drifts))
        curve.put(0, first)
        for k in curve.wide_places():
            curve.put(k, self._rounded(self._run.product(k), top, length))
        return curve

    def _read_cancelled(self, scores: np.ndarray, bounds: np.ndarray, e: int) -> None:
        """Compute the scores of rows on the tape that have cancelled exactly, and round once."""
        used = np.zeros(len(scores), dtype=bool)
        used[self._updates.tape] = True
        poor = np.flatnonzero(used & ~(bounds < CANCELLED_SCORE * np.abs(scores)))
        exact = exact_scores(self._updates.table, poor, self._v)
        for i, score in zip(poor.tolist(), exact, strict=True):
            scores[i] = nearest_float(score / Fraction(2) ** e) * int(self._updates.signs[i])
            bounds[i] = UNIT * abs(scores[i]) + (SMALLEST if score else 0.0)

    def _rounded(self, product: Fraction, top: int, length: float) -> float:
        """w·v/‖v‖ with ‖v‖ = length·2^top, within three roundings."""
        try:
            value = product.numerator / (product.denominator << top) / length
        except OverflowError:
            value = math.inf
        if SAFE_SIZE < abs(value) < 1.0 / SAFE_SIZE:
            return value
        return nearest_root(self.signed_square(product))
