"""‖w‖ after each update of a run: in floats with a doubt, in limbs where sums cancel.

In floats, a block of updates is summed in short chunks that start from zero, and the chunks' ends
are summed apart. Each sum of two vectors is off by at most u of its own norm, so after k updates w
is off by at most u times

    Σ ‖sums within this chunk‖ + Σ over earlier chunks of (their own such sum + ‖w at their end‖)

which grows with k/CHUNK and not with k. Where w has cancelled to so little that this is too much of
it, the block is summed once more in limbs: each column is written in digits of BITS bits, and
sums of up to 2^32 digits are exact in int64. Then each weight is rounded a few times only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.exact.bounds import LEAST, SLACK, SMALLEST, SPARE, UNIT
from novikoff.exact.norms import exponent_of_table, scaled
from novikoff.exact.roots import nearest_root
from novikoff.exact.scores import nearest_float
from novikoff.exact.tables import CLOSE
from novikoff.exact.weights import ExactWeights
from novikoff.inputs import Table, lowest_bits

CELLS = 1 << 16  # numbers in a block of updates
CHUNK = 64
BITS = 30
MOST_LIMBS = 8
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
        size = max(CHUNK, CELLS // len(self.start) // CHUNK * CHUNK)
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


class Line(NamedTuple):
    """A number at each k = 0 … n: value·2^exponent, off by at most doubt·2^exponent.

    squares : the number's exact square, with its sign, at each k at which 2^exponent is far from it
    """

    values: np.ndarray
    doubts: np.ndarray
    exponent: int
    squares: dict[int, Fraction]

    def put(self, k: int, value: float, square: Callable[[], Fraction]) -> None:
        """Take `value` at k, off by at most 4·u of itself, or its square if it is extreme."""
        if SAFE < abs(value) < 1.0 / SAFE:
            self.values[k], self.doubts[k] = value, SPARE * UNIT * abs(value)
        else:
            self.fix(k, square())

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


def norms_along(updates: Updates, largest: Fraction) -> Line:
    """‖w‖ after each update, within CLOSE of itself; `largest` is the largest ‖row‖²."""
    first = sum((Fraction(value) ** 2 for value in updates.start.tolist()), Fraction(0))
    square = max(largest, first)
    e = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    e = 0 if abs(e) <= ORDINARY else e
    with np.errstate(all="ignore"):  # what is beyond the floats is in doubt, and computed exactly
        norms = _in_floats(updates, e)
    if len(_poor(norms)):
        _in_limbs(updates, norms)
    if len(poor := _poor(norms)):
        _exactly(updates, norms, poor)
    return norms


def _poor(norms: Line) -> np.ndarray:
    return np.flatnonzero(~(norms.doubts < CLOSE * norms.values) & (norms.doubts != 0.0))


def _in_floats(updates: Updates, e: int) -> Line:
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
        return Line(values, SLACK * UNIT * (width + SPARE) * values, e, {})
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
    return Line(values, doubts, e, {})


class PartialSums(NamedTuple):
    """first + the rows up to each: the sums, their norms, and how far off each is, in units of u.

    `drift` is that of the last sum, as the start of the next block.
    """

    sums: np.ndarray
    norms: np.ndarray
    drifts: np.ndarray
    drift: float


def partial_sums(block: np.ndarray, first: np.ndarray, drift: float = 0.0) -> PartialSums:
    """Sum the rows of `block` (which is overwritten) in chunks, after `first`, itself off by `drift`.

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
    return PartialSums(
        sums, norms.ravel()[:n], within.ravel()[:n], float(within.flat[n - 1]) if n else drift
    )


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


def _in_limbs(updates: Updates, norms: Line) -> None:
    """Compute the blocks that hold a poor norm anew, from digits."""
    digits = _Digits.of(updates)
    if digits is None:
        return
    poor = np.zeros(len(norms.values), dtype=bool)
    poor[_poor(norms)] = True
    state = digits.split(updates.start[None])[:, 0]
    doubt = SLACK * UNIT * (len(updates.start) + digits.count + 2 * SPARE)
    for begin, block in updates.blocks():
        here = slice(begin + 1, begin + 1 + len(block))
        if not poor[begin:].any():
            return
        limbs = digits.split(block)
        if not poor[here].any():
            state = state + limbs.sum(axis=1)
            continue
        limbs[:, 0] += state
        np.cumsum(limbs, axis=1, out=limbs)
        state = limbs[:, -1].copy()
        weights = digits.join(limbs, norms.exponent)
        values = np.sqrt(np.einsum("ij,ij->i", weights, weights))
        norms.values[here] = values
        norms.doubts[here] = np.where(limbs.any(axis=(0, 2)), doubt * values + LEAST, 0.0)


class _Digits(NamedTuple):
    """Each column of the updates as `count` digits of BITS bits below its own power of two."""

    tops: np.ndarray
    count: int

    @staticmethod
    def of(updates: Updates) -> _Digits | None:
        """None where the numbers are not floats, or too many digits would be needed."""
        table = updates.table
        if table.is_rounded:
            return None
        width = len(updates.start)
        tops, bottoms = np.full(width, -2000), np.full(width, 2000)
        used = np.unique(updates.tape)
        step = max(1, CELLS // width)
        parts = [used[begin : begin + step] for begin in range(0, len(used), step)]
        for part in (None, *parts):
            rows = updates.start[None]
            if part is not None:
                rows = np.ones((len(part), width))
                rows[:, :-1] = table.dense_rows(part)
            present = rows != 0.0
            lows = np.full(rows.shape, 2000)
            lows[present] = lowest_bits(rows[present])
            highs = np.where(present, np.frexp(rows)[1], -2000)
            tops = np.maximum(tops, highs.max(axis=0))
            bottoms = np.minimum(bottoms, lows.min(axis=0))
        count = max(1, int(-(-(tops - bottoms).max() // BITS)))
        return _Digits(np.where(tops == -2000, 0, tops), count) if count <= MOST_LIMBS else None

    def split(self, block: np.ndarray) -> np.ndarray:
        """(count, rows, columns) of int64: the digits, each with the sign of its number."""
        rest = np.ldexp(np.abs(block), BITS - self.tops)
        limbs = np.empty((self.count, *block.shape), dtype=np.int64)
        signs = np.sign(block).astype(np.int64)
        for limb in limbs:
            digit = np.floor(rest)
            limb[:] = digit
            limb *= signs
            rest = (rest - digit) * 2.0**BITS
        return limbs

    def join(self, limbs: np.ndarray, e: int) -> np.ndarray:
        """The numbers that sums of digits stand for, times 2^-e, each rounded `count` times."""
        whole = limbs.copy()
        _carry(whole)
        negative = whole[0] < 0
        whole = np.where(negative, -limbs, limbs)
        _carry(whole)
        total = np.zeros(whole.shape[1:])
        for limb in whole[::-1]:
            total = total * 2.0**-BITS + limb
        return np.asarray(scaled(np.where(negative, -total, total), self.tops - BITS - e))


def _carry(whole: np.ndarray) -> None:
    """Make every digit but the first one lie in [0, 2^BITS)."""
    for k in range(len(whole) - 1, 0, -1):
        whole[k - 1] += whole[k] >> BITS
        whole[k] &= (1 << BITS) - 1


def _exactly(updates: Updates, norms: Line, poor: np.ndarray) -> None:
    weights, seen = updates.exact(), 0
    unit = 1 / Fraction(4) ** norms.exponent
    for k in poor.tolist():
        weights.add(updates.tape[seen:k])
        seen = k
        square = weights.square()
        scaled_square = nearest_float(square * unit)
        norms.put(k, math.sqrt(scaled_square), lambda exact=square: exact)
