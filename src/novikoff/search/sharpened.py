"""Columns that are sums of others but for rounding, such as total = a + b, made visible to floats.

Exactly, such a column is independent of the others, by what rounding left of x_j - Σ f_k·x_k: some
1e-16 of its size, which no float solver tells from zero. But those remainders decide the question,
too. So the column gives way to its remainder, x_j - Σ f_k·x_k - c times a factor, computed without
rounding and held by floats just as it is. That is an exact change of coordinates: the same rows
balance with the same multipliers, and weights are carried back exactly. Only factors f_k that are
short fractions are looked for: sums, means, shares of a whole, other units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.inputs import integers_of_floats, read_table
from novikoff.search.signed_rows import SignedRows

LEAST, MOST = 4, 1200  # columns that are looked at
SAMPLE = 2  # rows for each column, in which relations are looked for
SUSPECT = 1e-7  # a share of a column's square that others leave, from which on one looks closely
NEAR = 1e-12  # a share of a column that others leave, if it is their sum but for rounding
SHORT = 1000  # the largest denominator of a factor
CLOSE = 1e-10  # how far a factor may be from a short fraction, as a share of it
WORK = 1 << 25  # numbers of relations that are multiplied exactly


@dataclass(frozen=True)
class Remainder:
    """Column `place` stands for `scale`·(its own number - Σ factor·that of others - constant)."""

    place: int
    factors: dict[int, Fraction]
    constant: Fraction
    scale: Fraction


@dataclass(frozen=True)
class Sharpened:
    """The rows that stand for those given."""

    rows: SignedRows
    remainders: list[Remainder] = field(default_factory=list)

    def outward(self, weights: Any) -> Any:
        """Weights of these rows as weights of the rows given, the offset last."""
        if not self.remainders:
            return weights
        found = [Fraction(value) for value in weights]
        for one in self.remainders:
            found[one.place] *= one.scale
            for k, factor in one.factors.items():
                found[k] -= found[one.place] * factor
            found[-1] -= found[one.place] * one.constant
        return found


def sharpened(z: SignedRows) -> Sharpened:
    """z itself, unless columns are sums of others but for rounding."""
    table = z.table
    if table.is_sparse or table.exact is not None or not LEAST <= z.dim <= MOST:
        return Sharpened(z)
    if len(z.columns) < table.n_columns or z.n_rows < z.dim:
        return Sharpened(z)
    few = table.matrix[z.rows[:: max(1, z.n_rows // (SAMPLE * z.dim))]].astype(np.float64)
    relations = [one for one in _relations(few, z.fit_intercept) if _remainder(few, one)]
    if not relations or table.n_rows * sum(len(one.factors) + 1 for one in relations) > WORK:
        return Sharpened(z)
    matrix = np.array(table.matrix, dtype=np.float64)
    remainders = []
    for one in relations:
        column = _remainder(matrix, one)  # made of columns that stay as they are, but for its own
        if column is not None:
            matrix[:, one.place], scale = column
            remainders.append(Remainder(one.place, one.factors, one.constant, scale))
    if not remainders:
        return Sharpened(z)
    return Sharpened(SignedRows(read_table(matrix), z.signs, z.fit_intercept, z.rows), remainders)


def _relations(few: np.ndarray, offset: bool) -> list[Remainder]:
    """Columns of a few rows that are nearly combinations of others with short factors."""
    with np.errstate(all="ignore"):
        means = few.mean(axis=0) if offset else np.zeros(few.shape[1])
        units = few - means
        lengths = np.sqrt((units * units).sum(axis=0))
        units /= lengths
    live = np.flatnonzero(np.isfinite(lengths) & (lengths > 0) & np.isfinite(units).all(axis=0))
    units = units[:, live]
    products = units.T @ units
    if len(live) < 2 or not _is_suspect(products):
        return []
    from scipy.linalg import cho_solve, lapack

    upper, order, rank, _ = lapack.dpstrf(products, tol=SUSPECT)
    first, rest = order[:rank] - 1, order[rank:] - 1
    known, left, factors = units[:, first], units[:, rest], np.zeros((rank, len(rest)))
    for _ in range(3):  # the products alone would leave half of the digits
        factors += cho_solve((upper[:rank, :rank], False), known.T @ left)
        left = units[:, rest] - known @ factors
    near = np.sqrt((left * left).sum(axis=0)) < NEAR * math.sqrt(len(few))
    basis, found = live[first], []
    for place, column in zip(live[rest[near]].tolist(), factors.T[near], strict=True):
        own = lengths[place]
        shares = dict(zip(basis.tolist(), (column * own / lengths[basis]).tolist(), strict=True))
        shares = {k: s for k, s in shares.items() if abs(s) * lengths[k] > CLOSE * own}
        short = {k: Fraction(s).limit_denominator(SHORT) for k, s in shares.items()}
        if any(abs(short[k] - s) > CLOSE * abs(s) for k, s in shares.items()):
            continue
        constant = Fraction(0)
        if offset:
            mean = float(means[place]) - sum(float(f) * float(means[k]) for k, f in short.items())
            constant = Fraction(mean).limit_denominator(SHORT)
            if abs(constant - mean) > CLOSE * (own / math.sqrt(len(few)) + abs(means[place])):
                continue
        found.append(Remainder(place, short, constant, Fraction(1)))
    return found


def _is_suspect(products: np.ndarray) -> bool:
    """Whether columns of length 1 with these products may depend on each other but for rounding."""
    try:
        lower = np.linalg.cholesky(products)
    except np.linalg.LinAlgError:
        return True
    return bool((np.diag(lower) ** 2).min() < SUSPECT)


def _remainder(matrix: np.ndarray, one: Remainder) -> tuple[np.ndarray, Fraction] | None:
    """The remainder of every row, times a power of two, as floats; None if they do not hold it, or
    there is none."""
    places = [one.place, *one.factors]
    whole, scale = integers_of_floats(matrix[:, places])
    numbers = [Fraction(1), *(-factor for factor in one.factors.values())]
    common = math.lcm(one.constant.denominator, *(number.denominator for number in numbers))
    weights = np.array([int(number * common) for number in numbers], dtype=object)
    left = whole @ weights - int(one.constant * common) * scale
    bits = math.gcd(*left.tolist())
    bits &= -bits
    if not bits or max(map(abs, left.tolist())) // bits >> 53:
        return None
    floats = (left // bits).astype(np.float64)
    exponent = int(np.frexp(np.abs(floats).max())[1])
    return np.ldexp(floats, -exponent), Fraction(common * scale, bits << exponent)
