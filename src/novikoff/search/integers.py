"""Linear algebra over the integers: by FLINT, or by hand where importing it would take longest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from random import SystemRandom
from typing import Any

import numpy as np

WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # of primes below 2^64 (Miller, Rabin)
FEW = 8  # columns of what is done by hand
FEW_ROWS = 32
BITS = 24  # of weights that are free to be rounded


@cache
def a_prime() -> int:
    """A prime between 2^60 and 2^61, drawn once: no data can be made to be zero modulo it."""
    candidate = 2**60 + 2 * SystemRandom().randrange(2**59) + 1
    while not _is_prime(candidate):
        candidate += 2
    return candidate


def _is_prime(number: int) -> bool:
    """Of an odd number below 2^64."""
    shift = ((number - 1) & (1 - number)).bit_length() - 1
    for base in WITNESSES:
        power = pow(base, (number - 1) >> shift, number)
        if power not in (1, number - 1) and all(
            (power := power * power % number) != number - 1 for _ in range(shift - 1)
        ):
            return False
    return True


def independent(rows: np.ndarray, is_sure: bool = False) -> tuple[list[int], list[int]]:
    """Places of rows, the earliest first, and columns whose square block is invertible.

    Independence modulo a prime proves independence. That no more rows could be added is
    only very likely, which is good enough for a search; where `is_sure` it is certain.
    """
    n_rows, n_columns = rows.shape
    prime = None if is_sure else a_prime()
    if prime is not None and n_columns <= FEW and n_rows <= FEW_ROWS:
        return _independent_by_hand(rows.tolist(), prime)
    matrix = _matrix(rows, prime)
    if n_rows == n_columns and matrix.rank() == n_rows:
        return list(range(n_rows)), list(range(n_columns))
    places = _pivots(matrix.transpose())
    return places, _pivots(_matrix(rows[places], prime) if len(places) < n_rows else matrix)


def _independent_by_hand(rows: list[list[int]], prime: int) -> tuple[list[int], list[int]]:
    """The same: each row minus those kept before it has its first number in a column of its own."""
    places: list[int] = []
    kept: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        left = [value % prime for value in row]
        for pivot, line in kept.items():
            share = left[pivot]
            left = [(a - share * b) % prime for a, b in zip(left, line, strict=True)]
        first = next((column for column, value in enumerate(left) if value), None)
        if first is not None:
            inverse = pow(left[first], -1, prime)
            places.append(place)
            kept[first] = [value * inverse % prime for value in left]
    return places, sorted(kept)


def has_full_width(rows: np.ndarray, width: int) -> bool:
    """Whether a few rows surely have `width` columns that are independent: so modulo a prime.

    By hand, since importing a library for it would take longer; False may only mean bad luck.
    """
    if rows.shape[1] < width:
        return False
    prime = a_prime()
    left = [[int(value) % prime for value in row] for row in rows]
    for k in range(width):
        first = next((row for row in left if row[k]), None)
        if first is None:
            return False
        left.remove(first)
        inverse = pow(first[k], -1, prime)
        for row in left:
            share = row[k] * inverse % prime
            if share:
                row[k:] = [(a - share * b) % prime for a, b in zip(row[k:], first[k:], strict=True)]
    return True


def _matrix(rows: np.ndarray, prime: int | None) -> Any:
    from flint import fmpz_mat, nmod_mat

    n_rows, n_columns = rows.shape
    whole = fmpz_mat(n_rows, n_columns, rows.ravel().tolist())
    return whole if prime is None else nmod_mat(whole, prime)


def _pivots(matrix: Any) -> list[int]:
    reduced, *_, rank = matrix.rref()  # over the integers with a denominator in between
    return pivots_of(reduced, rank)


def pivots_of(reduced: Any, rank: int) -> list[int]:
    """The columns in which the lines of an echelon form begin."""
    pivots: list[int] = []
    column = 0
    for line in range(rank):
        while int(reduced[line, column]) == 0:
            column += 1
        pivots.append(column)
        column += 1
    return pivots


def solve(square: np.ndarray, right: Sequence[int] | np.ndarray) -> tuple[list[int], int]:
    """Integers x and scale > 0 with square·x = scale·right, for an invertible matrix."""
    if len(right) <= FEW:
        return _solve_by_hand(square.tolist(), [int(value) for value in right])
    from flint import fmpz_mat

    column = fmpz_mat(len(right), 1, [int(value) for value in right])
    solution: Any = fmpz_mat(square.tolist()).solve(column)
    numerators, denominator = solution.numer_denom()
    return [int(value) for value in numerators.entries()], int(denominator)


def _solve_by_hand(square: list[list[int]], right: list[int]) -> tuple[list[int], int]:
    """By Gauss and Jordan, in fractions."""
    left = [[*map(Fraction, line), Fraction(r)] for line, r in zip(square, right, strict=True)]
    for j in range(len(left)):
        pivot = next((i for i in range(j, len(left)) if left[i][j]), None)
        if pivot is None:
            raise ZeroDivisionError("the matrix is singular.")
        left[j], left[pivot] = left[pivot], left[j]
        left[j] = first = [value / left[j][j] for value in left[j]]
        for i, line in enumerate(left):
            if i != j and (share := line[j]):
                left[i] = [a - share * b for a, b in zip(line, first, strict=True)]
    solved = [line[-1] for line in left]
    scale = math.lcm(*(value.denominator for value in solved))
    return [int(value * scale) for value in solved], scale


def products(rows: np.ndarray, vector: Sequence[int]) -> list[int]:
    """rows·vector."""
    if len(vector) <= FEW:
        return [sum(map(int.__mul__, row, map(int, vector))) for row in rows.tolist()]
    from flint import fmpz_mat

    product = fmpz_mat(rows.tolist()) * fmpz_mat(len(vector), 1, [int(v) for v in vector])
    return [int(value) for value in product.entries()]


def near_but_zero_on(weights: np.ndarray, rows: np.ndarray) -> list[int]:
    """Integers near a multiple of these floats, of size 1 at most, that are zero on all rows."""
    exact = [round(value * 2**BITS) for value in weights.tolist()]
    kept, columns = independent(rows) if len(rows) else ([], [])
    if kept:
        free = sorted(set(range(len(exact))) - set(columns))
        fixed = np.array([exact[j] for j in free], dtype=object)
        right = -(rows[np.ix_(kept, free)] @ fixed) if free else [0] * len(kept)
        solved, scale = solve(rows[np.ix_(kept, columns)], right)
        exact = [value * scale for value in exact]
        for j, value in zip(columns, solved, strict=True):
            exact[j] = value
    return exact
