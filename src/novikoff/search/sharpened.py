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
    relations = _relations(z)
    if not relations or table.n_rows * sum(len(one.factors) + 1 for one in relations) > WORK:
        return Sharpened(z)
    matrix = np.array(table.matrix, dtype=np.float64)
    remainders = []
    for one in relations:
        column = _remainder(np.asarray(table.matrix, dtype=np.float64), one)
        if column is not None:
            matrix[:, one.place], scale = column
            remainders.append(Remainder(one.place, one.factors, one.constant, scale))
    if not remainders:
        return Sharpened(z)
    return Sharpened(SignedRows(read_table(matrix), z.signs, z.fit_intercept, z.rows), remainders)


def _relations(z: SignedRows) -> list[Remainder]:
    """Columns that are nearly combinations of others with short factors."""
    step = max(1, z.n_rows // (SAMPLE * z.dim))
    few = z.table.matrix[z.rows[::step]].astype(np.float64)
    means = few.mean(axis=0) if z.fit_intercept else np.zeros(few.shape[1])
    with np.errstate(all="ignore"):
        few -= means
        lengths = np.sqrt((few * few).sum(axis=0))
        few /= lengths
    live = np.flatnonzero(np.isfinite(lengths) & (lengths > 0) & np.isfinite(few).all(axis=0))
    if len(live) < 2 or not _is_suspect(few[:, live]):
        return []
    from scipy.linalg import qr, solve_triangular

    _, upper, order = qr(few[:, live], mode="economic", pivoting=True)
    size = np.abs(np.diag(upper))
    rank = int((size > NEAR * math.sqrt(len(few))).sum())
    if rank == len(live):
        return []
    factors = solve_triangular(upper[:rank, :rank], upper[:rank, rank:])
    basis, found = live[order[:rank]], []
    for place, column in zip(live[order[rank:]].tolist(), factors.T, strict=True):
        own = lengths[place]
        shares = dict(zip(basis.tolist(), (column * own / lengths[basis]).tolist(), strict=True))
        near = {k: s for k, s in shares.items() if abs(s) * lengths[k] > CLOSE * own}
        short = {k: Fraction(s).limit_denominator(SHORT) for k, s in near.items()}
        if any(abs(short[k] - s) > CLOSE * abs(s) for k, s in near.items()):
            continue
        constant = Fraction(0)
        if z.fit_intercept:
            left = float(means[place]) - sum(float(f) * float(means[k]) for k, f in short.items())
            constant = Fraction(left).limit_denominator(SHORT)
            if abs(constant - left) > CLOSE * (own / math.sqrt(len(few)) + abs(means[place])):
                continue
        found.append(Remainder(place, short, constant, Fraction(1)))
    return found


def _is_suspect(units: np.ndarray) -> bool:
    """Whether columns of length 1 may depend on each other but for rounding."""
    try:
        lower = np.linalg.cholesky(units.T @ units)
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
