"""‖w‖ after each update of a run: in floats with a doubt, in integers where sums cancel.

In floats, a block of updates is summed in short chunks that start from zero, and the chunks' ends
are summed apart. Each sum of two vectors is off by at most u of its own norm, so after k updates w
is off by at most u times

    Σ ‖sums within this chunk‖ + Σ over earlier chunks of (their own such sum + ‖w at their end‖)

which grows with k/CHUNK and not with k. Where w has cancelled to so little that this is too much of
it, ‖w‖ is computed in integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.exact.bounds import LEAST, SLACK, SMALLEST, SPARE, UNIT
from novikoff.exact.norms import exponent_of_table, scaled
from novikoff.exact.roots import nearest_root
from novikoff.exact.tables import CLOSE
from novikoff.exact.weights import ExactWeights
from novikoff.inputs import Table

BLOCK_ENTRIES = 1 << 16  # numbers in a block of updates
CHUNK = 64
SAFE = 2.0**-400  # from here to its inverse, neither a number nor its square is near the ends
ORDINARY = 200  # binary exponents within which nothing has to be scaled


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
        size = max(CHUNK, BLOCK_ENTRIES // len(self.start) // CHUNK * CHUNK)
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


class Curve(NamedTuple):
    """A number at each k = 0 … n: value·2^exponent, off by at most doubt·2^exponent.

    squares : the number's exact square, with its sign, at each k at which 2^exponent is far from it
    """

    values: np.ndarray
    doubts: np.ndarray
    exponent: int
    squares: dict[int, Fraction]

    def put(self, k: int, value: float) -> bool:
        """Take `value`, off by at most 4·u of itself, at k; False where it is too extreme."""
        if not SAFE < abs(value) < 1.0 / SAFE:
            return False
        self.values[k], self.doubts[k] = value, SPARE * UNIT * abs(value)
        return True

    def fix(self, k: int, square: Fraction) -> None:
        """Take the exact number at k, known by its square with its sign."""
        self.squares[k] = square
        value = nearest_root(square / Fraction(4) ** self.exponent)
        self.values[k] = value
        self.doubts[k] = 2.0 * UNIT * abs(value) + (SMALLEST if value else 0.0)

    def plain(self) -> np.ndarray:
        """The numbers as floats, infinite beyond them."""
        plain = scaled(self.values, self.exponent)
        for k, square in self.squares.items():
            plain[k] = nearest_root(square)
        return np.asarray(plain)

    def square(self, k: int) -> Fraction:
        """The square at k with its sign: exact, or that of the float."""
        value = Fraction(float(self.values[k]))
        return self.squares.get(k, value * abs(value) * Fraction(4) ** self.exponent)


def norms_along(updates: Updates, largest: Fraction) -> Curve:
    """‖w‖ after each update, within CLOSE of itself; `largest` is the largest ‖row‖²."""
    first = sum((Fraction(value) ** 2 for value in updates.start.tolist()), Fraction(0))
    square = max(largest, first)
    e = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    e = 0 if abs(e) <= ORDINARY else e
    with np.errstate(all="ignore"):  # what is beyond the floats is in doubt, and computed exactly
        norms = _in_floats(updates, e)
    if len(poor := _poor(norms)):
        _exactly(updates, norms, poor)
    return norms


def _poor(norms: Curve) -> np.ndarray:
    return np.flatnonzero(~(norms.doubts < CLOSE * norms.values) & (norms.doubts != 0.0))


def _in_floats(updates: Updates, e: int) -> Curve:
    n, width = len(updates.tape), len(updates.start)
    values, drifts = np.empty(n + 1), np.zeros(n + 1)
    w, drift = scaled(updates.start, -e), 0.0
    values[0] = math.sqrt(float(w @ w))
    for begin, block in updates.blocks():
        here = slice(begin + 1, begin + 1 + len(block))
        part = partial_sums(scaled(block, -e) if e else block, w, drift)
        values[here], drifts[here] = part.norms, part.drifts
        w, drift = part.sums[-1], part.drift
    if _sums_are_exact(updates) and not e:
        # Squares of multiples of 2^-500 do not underflow either: only the root's sum rounds.
        return Curve(values, SLACK * UNIT * (width + SPARE) * values, e, {})
    k = np.arange(n + 1)
    lost = SMALLEST if e else 0.0  # of each entry that was scaled
    if updates.table.is_rounded:
        lost += float(scaled(SMALLEST, -e))
        drifts += k * _norm_above(updates, e)
    # A root of `width` squares is off by (width/2 + 1)·u of itself; underflow takes up to LEAST of
    # it, and nothing that counts from one above √LEAST.
    doubts = SLACK * UNIT * (drifts + (width + SPARE) * values) + (k + 1) * (width * lost)
    doubts += np.where(values < math.sqrt(LEAST), LEAST, 0.0)
    if not updates.start.any():
        doubts[0] = 0.0
    return Curve(values, doubts, e, {})


class PartialSums(NamedTuple):
    """first + the rows up to each: the sums, their norms, and how far off each is, in units of u.

    `drift` is that of the last sum, as the start of the next block.
    """

    sums: np.ndarray
    norms: np.ndarray
    drifts: np.ndarray
    drift: float


def partial_sums(block: np.ndarray, first: np.ndarray, drift: float = 0.0) -> PartialSums:
    """Sum the rows of `block`, which is overwritten, in chunks; `first` is itself off by `drift`.

    drifts·u is a bound up to the rounding of norms, which SLACK pays for.
    """
    n, n_chunks = len(block), -(-len(block) // CHUNK)
    if n_chunks * CHUNK > n:
        block = np.concatenate([block, np.zeros((n_chunks * CHUNK - n, block.shape[1]))])
    sums = block.reshape(n_chunks, CHUNK, len(first))
    np.cumsum(sums, axis=1, out=sums)
    within = np.cumsum(np.sqrt(np.einsum("ijk,ijk->ij", sums, sums)), axis=1)
    bases = np.cumsum(np.concatenate([first[None], sums[:, -1]]), axis=0)
    lengths = np.sqrt(np.einsum("ij,ij->i", bases[1:], bases[1:]))
    before = drift + np.concatenate([[0.0], np.cumsum(within[:, -1] + lengths)])
    sums += bases[:-1, None]
    norms = np.sqrt(np.einsum("ijk,ijk->ij", sums, sums))
    within += before[:-1, None] + norms
    sums = sums.reshape(n_chunks * CHUNK, len(first))[:n]
    drifts = within.ravel()[:n]
    return PartialSums(sums, norms.ravel()[:n], drifts, float(drifts[-1]) if n else drift)


def _norm_above(updates: Updates, e: int) -> float:
    """At least ‖row‖·2^-e of any row, from the largest entry."""
    largest = scaled(1.0, exponent_of_table(updates.table) - e)
    return float(largest) * math.sqrt(len(updates.start)) + 1.0


def _sums_are_exact(updates: Updates) -> bool:
    """Whether every weight of the run is below 2^53 units of a grid that all numbers lie on."""
    grid, first = updates.table.float_grid, Table(updates.start[None], None, "binary64").float_grid
    if grid is None or first is None:
        return False
    largest = max(grid[0], float(updates.fit_intercept))
    unit = min(grid[1], first[1], 1.0)
    return bool((len(updates.tape) * largest + first[0]) < 2.0**53 * unit)


def _exactly(updates: Updates, norms: Curve, poor: np.ndarray) -> None:
    weights, seen = updates.exact(), 0
    up, down = 1 << max(0, -2 * norms.exponent), 1 << max(0, 2 * norms.exponent)
    for k in poor.tolist():
        weights.add(updates.tape[seen:k])
        seen = k
        above, below = weights.square_ratio()
        try:
            value = math.sqrt(above * up / (below * down))  # no fraction to reduce: much faster
        except OverflowError:
            value = math.inf
        if not above:
            norms.values[k] = norms.doubts[k] = 0.0
        elif not norms.put(k, value):
            norms.fix(k, Fraction(above, below))
