"""The profile of a combination c·β: the supremum of the log-likelihood where c·β is a number b.

Directions along which the likelihood never falls and c·β stays do not depend on b, so one core
serves every b: that of the model with the equality c·δ = 0. On it either c is determined, and the
profile is strictly concave in b, or the profile is flat, and the data say nothing of c·β.

An end of the interval is where the profile is χ²/2 below the supremum.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, sqrt
from typing import NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.regression.limit.newton import MOST_HALVINGS, ROUNDING_OF_SUMS, Maximum

TOLERANCE = 1e-7  # of the log-likelihood at an end of an interval, or what sums round
MOST_POINTS = 200  # of a profile, for one end
MOST_MOVED_ALONG = 20.0  # by the first step along a profile, of a linear predictor
DECREMENT_OF_A_POINT = 1e-13  # the decrement at a point of a profile
NOT_FOUND = (
    f"an end of a profile interval was not found in {MOST_POINTS} points; scale or centre the "
    "columns."
)


class Interval(NamedTuple):
    """A profile-likelihood interval; an end that is infinite is one that the data do not give.

    tolerance : the profile at a finite end is so near to what the level asks for, as a
        log-likelihood
    """

    lower: float
    upper: float
    level: float
    tolerance: float


@dataclass(frozen=True, eq=False)
class Profile:
    """The profile of c·β over a problem in which c is determined.

    supremum : of the log-likelihood without the constraint
    estimate : of c·β; an infinity where the supremum is there
    base : a point of the profile, or the maximum itself
    scale : the standard error of the estimate, where it is finite
    """

    c: np.ndarray  # of the problem's columns
    supremum: float
    estimate: float
    base: Maximum
    scale: float

    @property
    def tolerance(self) -> float:
        """How far from its level the profile may be at an end: no less than sums round."""
        return max(TOLERANCE, ROUNDING_OF_SUMS * abs(self.supremum))

    @cached_property
    def _unit(self) -> float:
        """The length of the combination in Newton's coordinates: b is measured in it."""
        return float(np.abs(self.base.problem.combination(self.c)).max())

    @cached_property
    def _d(self) -> np.ndarray:
        return self.base.problem.combination(self.c) / self._unit

    def at(self, b: float) -> Maximum:
        """The maximum where c·β = b."""
        return self._follow(b / self._unit, self.base)

    def _follow(self, b: float, point: Maximum) -> Maximum:
        """The maximum where c·β is b units, along the tangent from one that is known."""
        problem = point.problem
        for _ in range(MOST_POINTS):
            whole = (b - float(self._d @ point.gamma)) * self._tangent(point)
            shares = 2.0 ** -np.arange(MOST_HALVINGS)
            starts = ((share, point.gamma + share * whole) for share in shares)
            share, start = next(
                ((s, one) for s, one in starts if isfinite(problem.at(one).value)), (0.0, whole)
            )
            if share == 0:
                break
            point = problem.maximise(
                start, self._d, b if share == 1 else None, DECREMENT_OF_A_POINT
            )
            if share == 1:
                return point
        raise InputError(NOT_FOUND)

    def _tangent(self, point: Maximum) -> np.ndarray:
        """How the other coordinates follow b, near a point of the profile."""
        across = point.solve(self._d)
        return across / float(self._d @ across)

    def end(self, side: int, drop: float) -> float:
        """The b on this side (-1 or 1) where the profile is `drop` below the supremum.

        Steps are Newton's for the root of the deviance, which is nearly a line.
        """
        is_finite, wanted = isfinite(self.estimate), sqrt(2 * drop)
        if not is_finite and (self.estimate > 0) == (side > 0):
            return side * inf  # the profile rises towards its supremum
        first, point = float(self._d @ self.base.gamma), self.base
        inside, outside = (first if is_finite else -side * inf), side * inf
        b = first + side * self.scale / self._unit * wanted if is_finite else first
        for _ in range(MOST_POINTS):
            point = self._follow(b, point)
            above = point.value - (self.supremum - drop)
            if abs(above) <= self.tolerance:
                return b * self._unit
            inside, outside = (b, outside) if above > 0 else (inside, b)
            step = side * inf if above > 0 else -side * inf
            if point.multiplier * side < 0:
                root = sqrt(2 * max(self.supremum - point.value, 0.0))
                step = (root - wanted) * root / point.multiplier or step
            moved = float(np.abs(point.problem.matrix @ self._tangent(point)).max())
            stride = max(MOST_MOVED_ALONG / moved, 4 * abs(b - first))
            b = b + float(np.clip(step, -stride, stride))
            is_between = side * (b - inside) > 0 and side * (outside - b) > 0
            if not is_between and isfinite(inside) and isfinite(outside):
                b = (inside + outside) / 2
        raise InputError(NOT_FOUND)
