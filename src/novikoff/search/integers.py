"""Linear algebra over the integers, by FLINT: independent rows, solutions, short relations.

What is independent modulo a prime is independent, so a rank is never lower than it is modulo p.
The prime is drawn at random once: no data can be made to deceive it. Nothing interrupts FLINT, so
where a clock is given, a call that would end too late is not begun.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from random import SystemRandom
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import product_signs, whole_numbers
from novikoff.search.clock import Clock, seconds_to_reduce, seconds_to_solve

ROUNDED_BITS = 24  # of free weights: half of a float's, so that products are exact


@cache
def a_prime() -> int:
    """A prime between 2^60 and 2^61, drawn once."""
    from flint import fmpz

    candidate = 2**60 + 2 * SystemRandom().randrange(2**59) + 1
    while not fmpz(candidate).is_prime():
        candidate += 2
    return candidate


def independent(rows: np.ndarray, clock: Clock | None = None) -> tuple[list[int], list[int]]:
    """Places of rows, the earliest first, and columns whose square block is invertible.

    Independence modulo a prime proves independence. That no more rows could be added is
    only very likely, which is good enough for a search.
    """
    n_rows, n_columns = rows.shape
    if clock is not None:
        clock.check_call(2.0 * seconds_to_reduce(n_rows, n_columns))
    matrix = _matrix(rows, a_prime())
    if n_rows == n_columns and matrix.rank() == n_rows:
        return list(range(n_rows)), list(range(n_columns))
    places = _pivots(matrix.transpose())
    return places, _pivots(_matrix(rows[places], a_prime()) if len(places) < n_rows else matrix)


def _matrix(rows: np.ndarray, prime: int) -> Any:
    from flint import fmpz_mat, nmod_mat

    n_rows, n_columns = rows.shape
    return nmod_mat(fmpz_mat(n_rows, n_columns, rows.ravel().tolist()), prime)


def _pivots(matrix: Any) -> list[int]:
    reduced, *_, rank = matrix.rref()  # over the integers with a denominator in between
    return pivots_of(reduced, rank)


def pivots_of(reduced: Any, rank: int) -> list[int]:
    """The columns in which the rows of an echelon form begin."""
    pivots: list[int] = []
    column = 0
    for line in range(rank):
        while int(reduced[line, column]) == 0:
            column += 1
        pivots.append(column)
        column += 1
    return pivots


def solve(
    square: np.ndarray, right: Sequence[int] | np.ndarray, clock: Clock | None = None
) -> tuple[list[int], int]:
    """Integers x and scale > 0 with square·x = scale·right, for an invertible matrix.

    Each equation is divided by what its numbers share: columns of 1e-200 and of 1e200, as integers
    over one number, have a thousand bits, and nearly all of them are zeros.
    """
    from flint import fmpz_mat

    equations, column = square.tolist(), [int(value) for value in right]
    shared = [math.gcd(*equation, value) for equation, value in zip(equations, column, strict=True)]
    equations = [[v // g for v in equation] for equation, g in zip(equations, shared, strict=True)]
    if clock is not None and math.isfinite(clock.left()):
        n_bits = max(abs(value) for equation in equations for value in equation).bit_length()
        clock.check_call(seconds_to_solve(len(square), n_bits))
    goal = fmpz_mat(len(column), 1, [v // g for v, g in zip(column, shared, strict=True)])
    solution: Any = fmpz_mat(equations).solve(goal)
    numerators, denominator = solution.numer_denom()
    return [int(value) for value in numerators.entries()], int(denominator)


def products(rows: np.ndarray, vector: Sequence[int]) -> list[int]:
    """rows·vector."""
    from flint import fmpz_mat

    product = fmpz_mat(rows.tolist()) * fmpz_mat(len(vector), 1, [int(v) for v in vector])
    return [int(value) for value in product.entries()]


def near_but_zero_on(weights: np.ndarray, rows: np.ndarray, clock: Clock) -> list[int]:
    """Integers near a multiple of these floats, of size 1 at most, that are zero on all rows."""
    exact = [round(value * 2**ROUNDED_BITS) for value in weights.tolist()]
    kept, columns = independent(rows, clock=clock) if len(rows) else ([], [])
    if kept:
        free = sorted(set(range(len(exact))) - set(columns))
        fixed = np.array([exact[j] for j in free], dtype=object)
        right = -(rows[np.ix_(kept, free)] @ fixed) if free else [0] * len(kept)
        solved, scale = solve(rows[np.ix_(kept, columns)], right, clock)
        exact = [value * scale for value in exact]
        for j, value in zip(columns, solved, strict=True):
            exact[j] = value
    return exact


def short_null_space(block: np.ndarray, clock: Clock) -> np.ndarray | None:
    """A basis of all integers n with block @ n = 0, one a column; None where they are long.

    Found modulo a prime, read as small fractions, and multiplied out. At most as many relations
    hold as hold modulo the prime, so those that do hold are all there are.
    """
    clock.check_call(seconds_to_reduce(*block.shape))
    whole = whole_numbers(block)
    divisors = np.maximum(np.gcd.reduce(whole, axis=0), 1).astype(object)
    prime = a_prime()
    reduced, rank = _matrix(whole // divisors, prime).rref()
    pivots = pivots_of(reduced, rank)
    others = np.setdiff1d(np.arange(whole.shape[1]), pivots)
    basis = np.zeros((whole.shape[1], len(others)), dtype=object)
    for k, other in enumerate(others.tolist()):
        residues = [1, *(-int(reduced[line, other]) % prime for line in range(rank))]
        numbers = whole_multiples(residues, prime)
        if numbers is None:
            return None
        basis[[other, *pivots], k] = numbers
    basis *= (math.lcm(*divisors.tolist()) // divisors)[:, None]
    basis = basis // np.gcd.reduce(basis, axis=0) if len(others) else basis
    return None if product_signs(block, basis).any() else basis


def columns_of_their_own(relations: np.ndarray) -> np.ndarray:
    """For each relation a column that no other one has: without these columns none is left."""
    used = relations != 0
    alone = used & (used.sum(axis=1) == 1)[:, None]
    return np.asarray(alone.argmax(axis=0))


def whole_multiples(residues: Sequence[int], prime: int) -> list[int] | None:
    """Integers in the ratios of the small fractions with these residues; None if one has none."""
    found = [small_fraction(residue, prime) for residue in residues]
    shares = [share for share in found if share is not None]
    if len(shares) < len(found):
        return None
    scale = math.lcm(*(share.denominator for share in shares))
    return [int(share * scale) for share in shares]


def small_fraction(residue: int, prime: int) -> Fraction | None:
    """a/b = residue (mod p) with |a| and b at most √(p/2), by Euclid; None if there is none."""
    most = math.isqrt(prime // 2)
    above, below = (prime, 0), (residue, 1)
    while below[0] > most:
        quotient = above[0] // below[0]
        above, below = below, (above[0] - quotient * below[0], above[1] - quotient * below[1])
    top, bottom = below
    if bottom == 0 or abs(bottom) > most or math.gcd(top, bottom) != 1:
        return None
    return Fraction(top, bottom)
