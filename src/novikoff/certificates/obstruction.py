"""Obstruction: the hulls of the two classes share a point, so nothing separates them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers, weighted_sum
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.stamp import Stamp
from novikoff.errors import CertificateError
from novikoff.inputs import Table, row_numbers


@dataclass(frozen=True, eq=False, repr=False)
class Obstruction(Certificate):
    """The claim that Σ λ_i·z_i = 0 with λ_i > 0 on `rows`.

    If z_i·w > 0 held for all rows, Σ λ_i·z_i·w would be positive, and it is 0. So these few rows
    alone rule out a strict separator. They are made for people to look at: what a verdict rests on
    is a `Claim`.
    """

    rows: np.ndarray
    multipliers: Sequence[int]  # λ
    stamp: Stamp
    kind = "obstruction"
    fields = "rows:*count multipliers:*hex"
    status = "not separable"

    def __post_init__(self) -> None:
        rows, multipliers = read_pairs(self.rows, self.multipliers, self.stamp.n_rows, True)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "multipliers", multipliers)

    def _claim(self) -> dict[str, Any]:
        return vars(self)

    @classmethod
    def _of_fields(cls, proof: dict[str, Any], stamp: Stamp) -> Obstruction:
        return cls(proof["rows"], proof["multipliers"], stamp)

    def _check_claim(self, table: Table, signs: np.ndarray) -> None:
        check_balance(table, signs, self.rows, self.multipliers, self.stamp.offset)

    def point(self, table: Table) -> tuple[Fraction, ...]:
        """The point that both hulls share; without an offset, a point that both cones share.

        Σ λ_i·x_i is the same over either class, so it is half of the sum over both.
        """
        whole, scale = table.integers(self.rows)
        total = sum(self.multipliers) * scale
        sums = as_integers(self.multipliers) @ whole
        return tuple(Fraction(value, total) for value in sums)


def read_pairs(
    rows: Any, multipliers: Any, n_rows: int, are_positive: bool = False
) -> tuple[np.ndarray, tuple[int, ...]]:
    """Distinct rows of so many, each with an integer; at least one row, and positive, if asked."""
    found, numbers = read_rows(rows, n_rows), read_integers(multipliers)
    if len(found) != len(numbers):
        raise CertificateError(
            f"{len(found)} rows and {len(numbers)} multipliers are given; there must be one "
            "multiplier for each row."
        )
    if are_positive and not numbers:
        raise CertificateError("an obstruction needs at least one row.")
    if are_positive and min(numbers) <= 0:
        raise CertificateError("a multiplier is not positive; every row needs a positive one.")
    return found, numbers


def read_rows(rows: Any, n_rows: int) -> np.ndarray:
    """Distinct rows of so many."""
    found = read_integers(rows)
    if found and (min(found) < 0 or max(found) >= n_rows or len(set(found)) < len(found)):
        raise CertificateError(f"a row is out of range, or repeated: the data has {n_rows} rows.")
    return row_numbers(found)


def read_integers(values: Iterable[Any]) -> tuple[int, ...]:
    """Python's integers, which never wrap around."""
    try:
        return tuple(map(index, values))
    except TypeError:
        raise CertificateError("rows, multipliers, costs and shares must be integers.") from None


def check_balance(
    table: Table, signs: np.ndarray, support: np.ndarray, multipliers: Sequence[int], offset: bool
) -> None:
    """Raise unless Σ λ_i·z_i = 0, exactly, in every column and in the offset."""
    factors = signs[support].astype(object) * as_integers(multipliers)
    check_zero(table, weighted_sum(table, support, factors, offset)[0])


def check_zero(table: Table, total: np.ndarray) -> None:
    """Raise unless a weighted sum of rows, of every column and the offset, is zero."""
    wrong = np.flatnonzero(total)
    if wrong.size:
        j = int(wrong[0])
        what = "the offset" if j == table.n_columns else f"column {table.column_name(j)}"
        raise CertificateError(f"the weighted sum of the rows is not zero in {what}.")
