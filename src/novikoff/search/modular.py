"""Linear algebra modulo a small prime, at the speed of float products of matrices, and exact.

Residues are whole numbers from 0 to p - 1 in float64, and p < 2^22: a sum of 512 products stays
below 2^53, so that BLAS adds it without rounding, in any order. The elimination halves the columns
again and again, so that nearly all of its work is such products.

What holds modulo p bounds the truth from one side: rows that are independent modulo p are
independent, so a rank is never lower than it is modulo p.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from novikoff.certificates.arithmetic import grid_of, largest_integer, whole_numbers
from novikoff.search.sparse_relations import powers_of_two, residues_of

LIMB = 22  # bits; residues and limbs of long numbers are shorter than this
PIECE = 21  # bits of a part of a whole number in floats
TERMS = 512  # products of two such numbers that floats add exactly
TALL = 64  # columns from which not all of very many rows are eliminated
NARROW = 8  # columns that are eliminated one by one
MOST_PRIMES = 4096  # of which there are 140,336
PRIMES = (4194301, 4194287, 4194277, 4194271, 4194247, 4194217)  # the largest below 2^22


def reduce_floats(values: np.ndarray, prime: int) -> np.ndarray:
    """Whole numbers below 2^53 in size, in place, each as its residue."""
    quotients = np.multiply(values, 1.0 / prime)
    np.floor(quotients, out=quotients)
    quotients *= prime
    values -= quotients
    if values.min(initial=0.0) < 0.0:  # the quotient may be off by one
        values[values < 0.0] += prime
    if values.max(initial=0.0) >= prime:
        values[values >= prime] -= prime
    return values


def times(left: np.ndarray, right: np.ndarray, prime: int) -> np.ndarray:
    """left·right mod p, for residues or limbs."""
    if left.shape[1] <= TERMS:
        return reduce_floats(left @ right, prime)
    total = np.zeros((len(left), right.shape[1]))
    for start in range(0, left.shape[1], TERMS):
        part = left[:, start : start + TERMS] @ right[start : start + TERMS]
        total += reduce_floats(part, prime)
    return reduce_floats(total, prime)


def residues_of_integers(whole: np.ndarray, prime: int) -> np.ndarray:
    """Python integers of any size, each mod p."""
    return np.asarray(whole % prime, dtype=np.float64) if whole.size else np.zeros(whole.shape)


def residues(block: np.ndarray, prime: int) -> np.ndarray:
    """Integers mod p; or floats, all of them times one power of two, mod p."""
    if block.dtype == object or block.dtype == np.int64:
        return residues_of_integers(block, prime)
    return residues_of(block, powers_of_two(prime), prime).astype(np.float64)


def nonzero_products(block: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Which numbers of block @ weights are not zero, exactly, for floats or integers and integers.

    What is 0 modulo primes whose product exceeds its size is 0. Where that takes too many primes
    Python's integers are multiplied.
    """
    weights = as_short(weights)
    bits = largest_integer(weights).bit_length() + block.shape[1].bit_length()
    pieces = None
    if block.dtype == object:
        block = as_short(block)
        width = largest_integer(block).bit_length()
    else:
        bottom, width = grid_of(block)
        if width + bits <= 53:
            return np.asarray(np.ldexp(block, -bottom) @ weights.astype(np.float64) != 0.0)
        if width <= 3 * PIECE:
            pieces = _pieces(np.ldexp(block, -bottom))
    needed = max(0, bits + width) // (LIMB - 1) + 1
    if needed > MOST_PRIMES:
        exact = whole_numbers(block).astype(object) @ weights.astype(object)
        return np.asarray(exact != 0, dtype=bool)
    found = np.zeros((len(block), weights.shape[1]), dtype=bool)
    for prime in islice(primes(), needed):
        factors = residues_of_integers(weights, prime)
        if pieces is None:
            found |= times(residues(block, prime), factors, prime) != 0.0
        else:
            found |= _times_pieces(pieces, factors, prime) != 0.0
    return found


def _pieces(whole: np.ndarray) -> list[np.ndarray]:
    """Whole numbers below 2^63 as three of PIECE bits, the highest first, each with their sign."""
    found = []
    for power in (2 * PIECE, PIECE):
        found.append(np.trunc(np.ldexp(whole, -power)))
        whole = whole - np.ldexp(found[-1], power)
    return [*found, whole]


def _times_pieces(pieces: list[np.ndarray], right: np.ndarray, prime: int) -> np.ndarray:
    """The whole numbers times residues, mod p, in the same precision."""
    total = np.zeros((len(pieces[0]), right.shape[1]))
    for piece in pieces:
        total = reduce_floats(total * 2.0**PIECE + times(piece, right, prime), prime)
    return total


def short_integers(block: np.ndarray) -> np.ndarray:
    """A positive multiple of floats or integers, as int64 where that holds it, else as objects."""
    if block.dtype != object and block.size:
        bottom, width = grid_of(block)
        if width < 63 and abs(bottom) < 1000:
            return np.asarray(np.ldexp(block, -bottom), dtype=np.int64)
    return as_short(whole_numbers(block))


def as_short(whole: np.ndarray) -> np.ndarray:
    """Integers as int64, where that holds them; else as they are."""
    try:
        return whole.astype(np.int64) if whole.dtype == object else whole
    except OverflowError:
        return whole


def primes() -> Iterator[int]:
    """The primes below 2^22, the largest first; the product of k of them exceeds 2^(21·k)."""
    yield from PRIMES
    small = [k for k in range(2, 1 << LIMB // 2) if all(k % j for j in range(2, int(k**0.5) + 1))]
    for number in range(PRIMES[-1] - 2, 1 << (LIMB - 1), -2):
        if all(number % k for k in small):
            yield number


@dataclass(frozen=True)
class Echelon:
    """Rows and columns whose square block is invertible modulo p, as many as there can be.

    The columns are those that do not depend, modulo p, on columns before them.
    """

    rows: np.ndarray
    columns: np.ndarray
    factored: np.ndarray  # L below and U above the diagonal, of the block
    prime: int

    @property
    def rank(self) -> int:
        return len(self.columns)

    def inverse(self) -> np.ndarray:
        """That of the block."""
        return self.solve(np.eye(self.rank))

    def solve(self, right: np.ndarray) -> np.ndarray:
        """block⁻¹·right, whose lines stand for `rows` in their order."""
        solved = right.copy()
        _solve_lower(self.factored, solved, self.prime)
        _solve_upper(self.factored, solved, self.prime)
        return solved


def echelon(residues: np.ndarray, prime: int) -> Echelon:
    """Eliminate a matrix of residues, which may be overwritten.

    Of very many rows a share is eliminated, with those that it turns out not to span.
    """
    n_rows, n_columns = residues.shape
    few = np.arange(0, n_rows, max(1, n_rows // (n_columns + 1)))
    while 2 * len(few) <= n_rows and n_columns >= TALL:
        found = _echelon(residues[few], prime)
        few = few[found.rows]
        if not len(beyond := _beyond(residues, few, found)):
            return replace(found, rows=few)
        few = np.concatenate([few, beyond[: n_columns + 1]])
    return _echelon(residues, prime)


def _beyond(residues: np.ndarray, few: np.ndarray, found: Echelon) -> np.ndarray:
    """The rows outside the span of a few, but for chance: not 0 times two directions that all of
    these few are 0 times."""
    directions = zero_directions(residues[few], found)
    return np.flatnonzero(times(residues, directions, found.prime).any(axis=1))


def zero_directions(residues: np.ndarray, found: Echelon) -> np.ndarray:
    """Two random directions, one a column, that these rows are 0 times: those that an elimination
    has found to be independent. A row outside their span is 0 times both by a chance of p^-2."""
    prime, n_columns = found.prime, residues.shape[1]
    free = np.setdiff1d(np.arange(n_columns), found.columns)
    directions = np.zeros((n_columns, 2))
    directions[free] = np.random.default_rng(found.rank).integers(1, prime, (len(free), 2))
    right = times(residues, directions, prime)
    directions[found.columns] = found.solve((prime - right) % prime)
    return directions


def _echelon(residues: np.ndarray, prime: int) -> Echelon:
    order = np.arange(len(residues))
    pivots = _eliminate(residues, order, 0, 0, residues.shape[1], prime)
    columns = np.array(pivots, dtype=np.intp)
    return Echelon(order[: len(pivots)].copy(), columns, residues[: len(pivots), columns], prime)


def _eliminate(
    left: np.ndarray, order: np.ndarray, top: int, first: int, last: int, prime: int
) -> list[int]:
    """Eliminate the columns from `first` to `last` in the rows from `top` on; where pivots are.

    Below each pivot stand the factors with which its row was subtracted.
    """
    if top == len(left):
        return []
    if last - first <= NARROW:
        return _eliminate_narrow(left, order, top, first, last, prime)
    middle = (first + last) // 2
    pivots = _eliminate(left, order, top, first, middle, prime)
    below = top + len(pivots)
    if pivots:
        right = left[:, middle:last]
        _solve_lower(left[top:below][:, pivots], right[top:below], prime)
        if below < len(left):
            right[below:] -= times(left[below:][:, pivots], right[top:below], prime)
            right[below:][right[below:] < 0.0] += prime
    return pivots + _eliminate(left, order, below, middle, last, prime)


def _eliminate_narrow(
    left: np.ndarray, order: np.ndarray, top: int, first: int, last: int, prime: int
) -> list[int]:
    pivots: list[int] = []
    for column in range(first, last):
        place = top + len(pivots)
        filled = np.flatnonzero(left[place:, column])
        if not len(filled):
            continue
        swapped = [place, place + int(filled[0])]
        if swapped[0] != swapped[1]:
            left[swapped], order[swapped] = left[swapped[::-1]], order[swapped[::-1]]
        inverse = pow(int(left[place, column]), -1, prime)
        factors = reduce_floats(left[place + 1 :, column] * inverse, prime)
        left[place + 1 :, column] = factors
        rest = left[place + 1 :, column + 1 : last]
        rest -= factors[:, None] * left[place, column + 1 : last]
        left[place + 1 :, column + 1 : last] = reduce_floats(rest, prime)
        pivots.append(column)
    return pivots


def _solve_lower(factored: np.ndarray, right: np.ndarray, prime: int) -> None:
    """right := L⁻¹·right, where L has ones on its diagonal."""
    size = len(factored)
    if size <= NARROW:
        for k in range(1, size):
            right[k] = reduce_floats(right[k] - factored[k, :k] @ right[:k], prime)
        return
    half = size // 2
    _solve_lower(factored[:half, :half], right[:half], prime)
    right[half:] -= times(factored[half:, :half], right[:half], prime)
    right[half:][right[half:] < 0.0] += prime
    _solve_lower(factored[half:, half:], right[half:], prime)


def _solve_upper(factored: np.ndarray, right: np.ndarray, prime: int) -> None:
    """right := U⁻¹·right."""
    size = len(factored)
    if size <= NARROW:
        for k in range(size - 1, -1, -1):
            inverse = pow(int(factored[k, k]), -1, prime)
            rest = reduce_floats(right[k] - factored[k, k + 1 :] @ right[k + 1 :], prime)
            right[k] = reduce_floats(rest * inverse, prime)
        return
    half = size // 2
    _solve_upper(factored[half:, half:], right[half:], prime)
    right[:half] -= times(factored[:half, half:], right[half:], prime)
    right[:half][right[:half] < 0.0] += prime
    _solve_upper(factored[:half, :half], right[:half], prime)
