"""What it costs to give a row up: exact numbers as integers without a common divisor.

Every sum of costs is then a whole number of units, so a bound may be rounded up to one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np


@dataclass(frozen=True)
class Costs:
    """whole: the cost of each row of the table over `unit`; 0 where a row is free to give up.
    trusted: the rows that must not be given up, as a mask.
    given: whether there were costs at all, or every row costs 1.
    """

    whole: list[int]
    unit: Fraction
    trusted: np.ndarray
    given: bool

    @classmethod
    def of(cls, n_rows: int, costs: Sequence[Fraction] | None, trusted: np.ndarray) -> Costs:
        if costs is None:
            return cls([1] * n_rows, Fraction(1), trusted, False)
        common = math.lcm(*(cost.denominator for cost in costs))
        whole = [int(cost * common) for cost in costs]
        divisor = math.gcd(*whole) or 1
        return cls([w // divisor for w in whole], Fraction(divisor, common), trusted, True)

    @property
    def matter(self) -> np.ndarray:
        """The rows that are not free to give up: trusted ones among them."""
        if not self.given:
            return np.arange(len(self.whole))
        return np.flatnonzero(self.trusted | np.array([w > 0 for w in self.whole]))

    def of_rows(self, rows: np.ndarray) -> int:
        """What it costs to give these rows up, in units."""
        if not self.given:
            return len(rows)
        return sum(self.whole[row] for row in rows.tolist())

    @property
    def largest(self) -> int:
        """The cost of the dearest row, in units; 1 where all are free."""
        return (max(self.whole) or 1) if self.given else 1

    def floats(self, rows: np.ndarray) -> np.ndarray:
        """The costs of these rows over the largest, as floats: units may be beyond floats."""
        if not self.given:
            return np.ones(len(rows))
        largest = self.largest
        return np.array([self.whole[row] / largest for row in rows.tolist()])

    def outward(self, units: int) -> int | Fraction:
        """So many units as the number that the caller counts in."""
        value = units * self.unit
        return value.numerator if value.denominator == 1 else value
