"""The multipliers that rows of an obstruction determine: r of them, once those of the others are
given.

R are r rows that are independent in r columns C. The others get weights: one row alone the weight
1, many rows positive integers near which all of the rows balance. Σ weight·z over the others is one
vector, `last`, and with R it is r+1 vectors that have one relation in the columns C. If that is
positive, so are all multipliers. Its signs are proven by floats (verified.py) or else in integers.

Many rows nearly balance with 1 - U·w, where U are the rows at length 1 and w is the least-squares
solution of U·w = 1: what is left of the ones when all that the columns span is taken off them.
Floats compute it, and it need not be exact: what they give is rounded to integers, and stays so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import largest_integer
from novikoff.certificates.lifted import short_null_space
from novikoff.certificates.modular import (
    PRIMES,
    Echelon,
    echelon,
    residues_of_integers,
    short_integers,
)
from novikoff.certificates.verified import proves_obstruction
from novikoff.errors import CertificateError

FROM = 256  # columns from which more rows than r+1 may be given without multipliers
BITS = 30  # of a weight
LEAST = 2.0**-900  # a float of normal size, and far from those that are not


@dataclass(frozen=True)
class Determined:
    """Signed rows of an obstruction, by their places among those given, and what they determine."""

    block: np.ndarray  # all of the rows, as floats or integers
    whole: np.ndarray  # the same times a positive number, as integers
    found: Echelon  # of these
    others: np.ndarray
    weights: list[int]

    @property
    def rows(self) -> np.ndarray:
        """R"""
        return self.found.rows

    @property
    def columns(self) -> np.ndarray:
        """C"""
        return self.found.columns

    @cached_property
    def last(self) -> np.ndarray:
        """Σ weight·z over the others, times a positive number, in integers."""
        return weighted_sum(self.whole[self.others], self.weights)

    @property
    def is_proven_by_floats(self) -> bool:
        """Whether floats prove that all multipliers are positive."""
        block = self.block[np.ix_(self.rows, self.columns)]
        last: Any = self.last[self.columns]
        if block.dtype == object:  # columns are divided as far as they go
            divisors = np.maximum(np.gcd.reduce(block, axis=0), 1)
            block, last = block // divisors, last * np.frompyfunc(Fraction, 2, 1)(1, divisors)
        floats = exact_floats(block)
        rounded = None if floats is None else _rounded(last, float(np.abs(floats).max()))
        if floats is None or rounded is None:
            return False
        return proves_obstruction(np.vstack([floats, rounded]), True)

    def null_space(self) -> np.ndarray | None:
        """All directions that are zero on R, one a column; None where they have long numbers."""
        few = replace(self.found, rows=np.arange(len(self.rows)))
        return short_null_space(self.whole[self.rows], few)

    def multipliers(self) -> list[int]:
        """All of them, solved for in integers; an error where one is not positive."""
        few = np.vstack([self.whole[self.rows].astype(object), self.last])
        *solved, scale = positive_relation(few[:, self.columns])
        found = np.empty(len(self.block), dtype=object)
        found[self.rows] = solved
        found[self.others] = [scale * weight for weight in self.weights]
        common = math.gcd(*found.tolist())
        return [value // common for value in found.tolist()]


def determined(block: np.ndarray, found: Echelon | None = None) -> Determined:
    """What signed rows, given as floats or integers, determine; an error where it is too little.

    `found` is an elimination of `short_integers(block)`, if one is known.
    """
    whole = short_integers(block)
    found = independent_part(whole) if found is None else found
    others = np.setdiff1d(np.arange(len(block)), found.rows)
    weights: list[int] | None = None
    if len(others) == 1:
        weights = [1]
    elif len(others) > 1 and found.rank >= FROM:
        weights = _balancing(block, found, others)
    if weights is None:
        raise CertificateError(
            f"{len(block)} rows are given without multipliers; {found.rank} independent columns "
            f"need {found.rank + 1} to determine them."
        )
    return Determined(block, whole, found, others, weights)


def independent_part(whole: np.ndarray) -> Echelon:
    """Rows and columns, one fewer than there are rows if a prime finds so many, that are
    independent; a prime that divides a determinant finds fewer."""
    for prime in PRIMES:
        found = echelon(residues_of_integers(whole, prime), prime)
        if found.rank >= min(len(whole) - 1, FROM):
            break
    return found


def exact_floats(block: np.ndarray) -> np.ndarray | None:
    """The block as floats, its columns divided as far as they go; None if floats cannot hold it."""
    if block.dtype != object:
        return block
    whole = block // np.maximum(np.gcd.reduce(block, axis=0), 1)
    return whole.astype(np.float64) if largest_integer(whole) <= 2**53 else None


def _rounded(exact: np.ndarray, size: float) -> np.ndarray | None:
    """Integers or fractions as the nearest floats, all of them times a power of two, so that they
    are of a size near to that given; None where one is beyond the normal floats."""
    try:
        floats = np.array([float(value) for value in exact])
    except OverflowError:
        return None
    scaled = np.ldexp(floats, np.frexp(size)[1] - np.frexp(np.abs(floats).max())[1])
    sizes = np.minimum(np.abs(floats), np.abs(scaled))
    return scaled if ((sizes > LEAST) | (exact == 0)).all() else None


def _balancing(block: np.ndarray, found: Echelon, others: np.ndarray) -> list[int] | None:
    """Weights of the other rows with which, up to rounding, all rows balance; None if not > 0."""
    floats = exact_floats(block[:, found.columns])
    weights = None if floats is None else near_balance(floats)
    if weights is None:
        return None
    rounded = np.rint(weights[others] * (2.0**BITS / weights.max()))
    return [int(value) for value in rounded] if rounded.min() > 0 else None


def near_balance(rows: np.ndarray) -> np.ndarray | None:
    """Weights with which many rows of independent columns balance, up to rounding: see above."""
    with np.errstate(all="ignore"):
        units = np.ldexp(rows, -np.frexp(np.abs(rows).max(axis=0))[1])
        lengths = np.linalg.norm(units, axis=1)
        units /= lengths[:, None]
        products = units.T @ units
        products[np.diag_indices(len(products))] += 1e-14 * len(rows)
        try:
            inverse = np.linalg.inv(products)
        except np.linalg.LinAlgError:
            return None
        left = np.ones(len(rows))
        for _ in range(3):
            left -= units @ (inverse @ (units.T @ left))
        weights = left / lengths
    return weights if np.isfinite(weights).all() else None


def positive_relation(whole: np.ndarray) -> list[int]:
    """The λ > 0 with Σ λ_i·z_i = 0, for D+1 rows of D integers; an error where there is none."""
    from flint import fmpz_mat

    n_columns = whole.shape[1]
    matrix = fmpz_mat(whole[:n_columns].T.tolist())
    try:  # in terms of the first D rows, which are independent if all multipliers are positive
        solved: Any = matrix.solve(fmpz_mat([[-int(value)] for value in whole[n_columns]]))
    except ZeroDivisionError:
        raise CertificateError("the relation between the rows is not positive on all.") from None
    numerators, denominator = solved.numer_denom()
    values = [int(value) for value in numerators.entries()]
    if min(values, default=1) <= 0:
        raise CertificateError("the relation between the rows is not positive on all of them.")
    return [*values, int(denominator)]


def weighted_sum(whole: np.ndarray, weights: list[int]) -> np.ndarray:
    """Σ weight·line, exactly."""
    factors = np.empty(len(weights), dtype=object)
    factors[:] = weights
    return np.asarray(factors @ whole.astype(object))
