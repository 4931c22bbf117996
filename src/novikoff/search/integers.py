"""Linear algebra over the integers, by FLINT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

PRIME = 2305843009213693921  # 2^61 - 31


def independent(rows: np.ndarray, prime: int | None = PRIME) -> tuple[list[int], list[int]]:
    """Places of rows, the earliest first, and columns whose square block is invertible.

    Independence modulo a prime proves independence. That no more rows could be added is
    only very likely, which is good enough for a search; without a prime it is certain.
    """
    n_rows, n_columns = rows.shape
    matrix = _matrix(rows, prime)
    if n_rows == n_columns and matrix.rank() == n_rows:
        return list(range(n_rows)), list(range(n_columns))
    places = _pivots(matrix.transpose())
    return places, _pivots(_matrix(rows[places], prime) if len(places) < n_rows else matrix)


def has_full_width(rows: np.ndarray, width: int) -> bool:
    """Whether a few rows surely have `width` columns that are independent: so modulo a prime.

    By hand, since importing a library for it would take longer; False may only mean bad luck.
    """
    if rows.shape[1] < width:
        return False
    left = [[int(value) % PRIME for value in row] for row in rows]
    for k in range(width):
        first = next((row for row in left if row[k]), None)
        if first is None:
            return False
        left.remove(first)
        inverse = pow(first[k], -1, PRIME)
        for row in left:
            share = row[k] * inverse % PRIME
            if share:
                row[k:] = [(a - share * b) % PRIME for a, b in zip(row[k:], first[k:], strict=True)]
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
    from flint import fmpz_mat

    column = fmpz_mat(len(right), 1, [int(value) for value in right])
    solution: Any = fmpz_mat(square.tolist()).solve(column)
    numerators, denominator = solution.numer_denom()
    return [int(value) for value in numerators.entries()], int(denominator)


def products(rows: np.ndarray, vector: Sequence[int]) -> list[int]:
    """rows·vector."""
    from flint import fmpz_mat

    product = fmpz_mat(rows.tolist()) * fmpz_mat(len(vector), 1, [int(v) for v in vector])
    return [int(value) for value in product.entries()]
