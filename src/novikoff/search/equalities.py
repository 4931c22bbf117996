"""Rows of sign 0, which every direction must be zero on: taken out before anything is asked.

A direction that is zero on all equalities is N·v: the columns of N are a basis of the null space of
the equalities, and v is free. The other rows are asked as z·N, in few columns. Most of them are
often zero there, since the equalities span them: no direction moves them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from novikoff.certificates.arithmetic import CELLS, grid_of, homogeneous, largest_integer
from novikoff.inputs import Table
from novikoff.search.engine import Weight
from novikoff.search.lifted import null_space
from novikoff.search.modular import as_short, nonzero_products
from novikoff.search.signed_rows import SignedRows
from novikoff.search.span import outside, spanning_rows

MOST_COLUMNS = 600  # for which the null space is computed
LARGEST = 2**53  # integers up to this are floats
SHORT = 40  # bits of the numbers of a null space that is worth multiplying with


@dataclass(frozen=True)
class Equalities:
    """Independent rows that stand for all equalities, and what is free of them.

    basis : places in the table, ascending. That they span all equalities is very likely; whoever
        relies on it looks at all of them again
    null : integers, one line for each place in z (columns, then the offset) and one column for
        each free direction: a basis of all directions that are zero on `basis`. None where it
        would be too much work
    """

    basis: np.ndarray
    null: np.ndarray | None

    @property
    def n_free(self) -> int | None:
        return None if self.null is None else self.null.shape[1]


def eliminate(z: SignedRows, held: np.ndarray) -> Equalities:
    """What the rows `held`, equalities among the rows of z by their place, leave free."""
    basis = held
    if len(held):
        rows = SignedRows(
            z.table, np.ones(z.table.n_rows, dtype=np.int8), z.fit_intercept, held, z.columns
        )
        basis = np.sort(spanning_rows(rows, held[:: max(1, len(held) // (2 * rows.dim))]))
    return Equalities(basis, _null_space(z, basis))


def _null_space(z: SignedRows, basis: np.ndarray) -> np.ndarray | None:
    if len(basis) == z.dim:
        return np.zeros((z.dim, 0), dtype=object)
    if not len(basis) or z.dim > MOST_COLUMNS:
        return None
    whole = np.zeros((len(basis), z.dim), dtype=object)
    values, places = _unsigned(z, basis)
    whole[:, places] = values
    return null_space(whole)


def _unsigned(z: SignedRows, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(x, 1) for some rows, times one positive number, and the places that are not all zero."""
    plain = SignedRows(
        z.table, np.ones(z.table.n_rows, dtype=np.int8), z.fit_intercept, rows, z.columns
    )
    whole, places, _ = plain.integers(rows)
    return whole, places


@dataclass(frozen=True)
class Reduced:
    """Rows z·N that are not zero, each once: a row of `rows` stands for those of its group.

    It is z·N times `scale`, for the z at the place `first`.
    """

    rows: SignedRows
    first: np.ndarray
    scale: list[Fraction]
    moved: np.ndarray  # the places of all rows that are not zero
    group: np.ndarray  # for each of these, its row
    scales: list[Fraction]  # and what it is times

    def weights(self) -> list[Weight]:
        """What the rows of each group weigh together, and what the first of them may lose."""
        totals = [Fraction(0)] * self.rows.n_rows
        for row, scale in zip(self.group.tolist(), self.scales, strict=True):
            totals[row] += 1 / scale
        return [Weight(total, 1 / scale) for total, scale in zip(totals, self.scale, strict=True)]


def moved_rows(z: SignedRows, free: np.ndarray, known: Equalities) -> np.ndarray:
    """The places of the rows `free` with z·N ≠ 0, which are those that some direction moves.

    Where N has long numbers, the rows outside the span of the equalities, modulo two primes.
    """
    null = known.null
    if null is None or _bits(null) > SHORT:
        part = SignedRows(z.table, z.signs, z.fit_intercept, free, z.columns)
        return outside(part, known.basis)
    used = np.flatnonzero((null != 0).any(axis=1))
    columns = z.columns[used[used < len(z.columns)]]
    with_offset = bool(len(used)) and int(used[-1]) == len(z.columns)
    found = [free[:0]]
    weights = as_short(null[used])
    step = max(1, CELLS // (len(used) + 1))
    for start in range(0, len(free), step):
        rows = free[start : start + step]
        block = homogeneous(z.table, rows, columns, with_offset)
        found.append(rows[nonzero_products(block, weights).any(axis=1)])
    return np.concatenate(found)


def reduce_rows(z: SignedRows, moved: np.ndarray, null: np.ndarray) -> Reduced | None:
    """z·N for the rows `moved`, where floats hold it exactly; None where they do not.

    Each row is divided by what its numbers have in common.
    """
    if _bits(null) > SHORT:
        return None
    blocks: list[np.ndarray] = []
    scales: list[Fraction] = []
    step = max(1, CELLS // (z.dim + 1))
    for first, stop in _spans(len(moved), step):
        block, scale = _products(z, moved[first:stop], null)
        common = np.gcd.reduce(abs(block), axis=1)  # of one number it is that number, as it is
        block = block // common[:, None]
        if abs(block).max() > LARGEST:
            return None
        blocks.append(block.astype(np.float64))
        scales += [Fraction(scale, divisor) for divisor in common.tolist()]
    found, chosen, group = np.unique(
        np.vstack(blocks), axis=0, return_index=True, return_inverse=True
    )
    signs = np.ones(len(found), dtype=np.int8)
    rows = SignedRows(Table(found, None, "binary64"), signs, False)
    kept = [scales[place] for place in chosen.tolist()]
    return Reduced(rows, moved[chosen], kept, moved, group.reshape(-1), scales)


def _products(
    z: SignedRows, rows: np.ndarray, null: np.ndarray
) -> tuple[np.ndarray, int | Fraction]:
    """z·N for these rows as integers, times the second, which is positive."""
    block = z.exact_block(rows)
    if block.dtype != object:
        bottom, width = grid_of(block)
        if width + _bits(null) + z.dim.bit_length() <= 53:  # floats add it without rounding
            product = np.ldexp(block, -bottom) @ null.astype(np.float64)
            return product.astype(np.int64), Fraction(2) ** -bottom
    whole, places, scale = z.integers(rows)
    return whole @ null[places], scale


def _spans(size: int, step: int) -> Iterator[tuple[int, int]]:
    """Blocks of rows, the first of them small, so that what fails there is soon known."""
    first, stop = 0, min(size, 16)
    while first < size:
        yield first, stop
        first, stop = stop, min(size, stop + step)


def _bits(null: np.ndarray) -> int:
    return largest_integer(null).bit_length()
