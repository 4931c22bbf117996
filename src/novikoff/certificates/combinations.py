"""Is a vector a combination of a few rows? Proven by one lifting, however long the factors are.

A has r rows that are independent modulo a prime p: B, made of them in r columns C, is invertible
modulo p. Is v a combination of the rows of A? It is if c = v_C·B⁻¹ gives c·A = v in every other
column f, too. By Cramer's rule

    ± det B · (c·A_f - v_f)  =  det [ B   A_f ]  =  u,     an integer,
                                    [ v_C v_f ]

and by Hadamard's inequality |u| <= ‖v‖·Π ‖a_i‖, with the lengths of the rows. Dixon's lifting
(lifted.py) finds an x with x·A = v modulo p^K, digit by digit. Then x = c modulo p^K, because B is
invertible, so p^K divides u; and if p^K exceeds the bound then u = 0. The digits themselves are of
no use and are not made into fractions. If v is outside the span modulo p it is outside: the
denominators of c divide det B, which p does not.

That is one vector. All rows of a table would take as many; but where every row is to be zero in
any direction w that is zero on the few rows and has z_i·w >= 0 on all, their sum is enough: it is
zero, if it is a combination of the few, and a sum of numbers that are not negative is zero only if
each of them is.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.certificates.arithmetic import CELLS, grid_of, homogeneous, largest_integer
from novikoff.certificates.lifted import LONGEST, Lifting
from novikoff.certificates.modular import (
    LIMB,
    PRIMES,
    as_short,
    echelon,
    residues_of_integers,
)
from novikoff.inputs import Table


def are_combinations(rows: np.ndarray, vectors: np.ndarray) -> bool:
    """Whether each of the vectors, lines of integers, is surely a combination of the rows.

    False where one is not, and where no prime shows that the rows are independent.
    """
    rank = len(rows)
    whole = as_short(np.vstack([rows, vectors]).T)
    if largest_integer(whole).bit_length() > LONGEST:
        return False
    for prime in PRIMES:
        found = echelon(residues_of_integers(whole, prime), prime)
        if found.columns[:rank].tolist() == list(range(rank)):
            bits = hadamard_bits(rows) + max(hadamard_bits(line[None]) for line in vectors)
            n_digits = bits // (LIMB - 1) + 1  # p exceeds 2^(LIMB - 1)
            return found.rank == rank and Lifting(whole, found).divides(n_digits)
    return False


def hadamard_bits(rows: np.ndarray) -> int:
    """A k with Π ‖a_i‖ < 2^k, for rows of integers."""
    is_short = largest_integer(rows) ** 2 * rows.shape[1] < 1 << 62
    whole = rows.astype(np.int64 if is_short else object)
    squares: int = math.prod((whole * whole).sum(axis=1).tolist())
    return squares.bit_length() // 2 + 1


def signed_sum(table: Table, signs: np.ndarray, rows: np.ndarray, offset: bool) -> np.ndarray:
    """Σ sign_i·(x_i, 1) over some rows, times a positive number, as integers."""
    step = max(1, CELLS // (table.n_columns + 1))
    parts = [
        _block_sum(table, signs, rows[start : start + step], offset)
        for start in range(0, len(rows), step)
    ]
    common = math.lcm(*(scale for _, scale in parts))
    total = np.sum([sums * (common // scale) for sums, scale in parts], axis=0)
    return np.asarray(total // (math.gcd(*total.tolist()) or 1))


def _block_sum(
    table: Table, signs: np.ndarray, rows: np.ndarray, offset: bool
) -> tuple[np.ndarray, int]:
    """The sum over a block of rows as integers over a scale."""
    sides = signs[rows]
    if table.exact is None:
        block = homogeneous(table, rows, np.arange(table.n_columns), offset)
        bottom = min(grid_of(block)[0], 0)
        if np.abs(block).max() * len(rows) < 2.0 ** (62 + bottom):  # int64 adds without overflow
            sums = sides.astype(np.int64) @ np.ldexp(block, -bottom).astype(np.int64)
            return sums.astype(object), 1 << -bottom
    whole, scale = table.integers(rows)
    if offset:
        whole = np.hstack([whole, np.full((len(rows), 1), scale, dtype=object)])
    return sides.astype(object) @ whole, scale
