"""The profile of a combination c·β: the supremum of the log-likelihood where c·β is a number b.

Directions along which the likelihood never falls and c·β stays do not depend on b, so one core
serves every b: that of the model with the equality c·δ = 0. On it either c is determined, and the
profile is strictly concave in b, or the profile is flat, and the data say nothing of c·β.

An end of the interval is where the profile is χ²/2 below the supremum. From a point beyond the end
Newton's steps on a concave profile never pass it; a point before it makes a step that does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite, sqrt
from typing import NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.regression.limit.newton import Maximum, Problem

TOLERANCE = 1e-7  # of the log-likelihood at an end of an interval
MOST_POINTS = 200  # of a profile, for one end
MOST_MOVED = 20.0  # by one step along a profile, of a linear predictor
GOOD_POINT = 1e-13  # the decrement at a point of a profile
SHORTEST = 2.0**-40  # share of the way to a point
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

    problem: Problem
    c: np.ndarray  # of the problem's columns
    supremum: float
    estimate: float
    base: Maximum
    scale: float

    @cached_property
    def _d(self) -> np.ndarray:
        return self.problem.columns.combination(self.c)

    def at(self, b: float, near: Maximum | None = None) -> Maximum:
        """The maximum where c·β = b, followed along the tangent from one that is known."""
        point = self.base if near is None else near
        for _ in range(MOST_POINTS):
            from_b = float(self._d @ point.gamma)
            across = point.solve(self._d)
            tangent = across / float(self._d @ across)
            share = 1.0
            while not isfinite(self.problem.value(point.gamma + share * (b - from_b) * tangent)):
                share /= 2
                if share < SHORTEST:
                    raise InputError(NOT_FOUND)
            there = b if share == 1 else from_b + share * (b - from_b)
            start = point.gamma + (there - from_b) * tangent
            point = self.problem.maximise(start, self._d, there, GOOD_POINT)
            if share == 1:
                return point
        raise InputError(NOT_FOUND)

    def end(self, side: int, drop: float) -> float:
        """The b on this side (-1 or 1) where the profile is `drop` below the supremum."""
        target = self.supremum - drop
        if isfinite(self.estimate):
            b, near = self.estimate + side * self.scale * sqrt(2 * drop), None
        elif (self.estimate > 0) == (side > 0):
            return side * inf  # the profile rises towards its supremum
        else:
            b, near = float(self._d @ self.base.gamma), self.base
        inside = self.estimate if isfinite(self.estimate) else -side * inf
        outside = side * inf
        for _ in range(MOST_POINTS):
            point = self.at(b, near)
            above = point.value - target
            if abs(above) <= TOLERANCE:
                return b
            if above > 0:
                inside = b if side * (b - inside) > 0 else inside
            else:
                outside = b if side * (outside - b) > 0 else outside
            b, near = self._next(point, b, above, side, inside, outside), point
        raise InputError(NOT_FOUND)

    def _next(
        self, point: Maximum, b: float, above: float, side: int, inside: float, outside: float
    ) -> float:
        """The next b: where the root of the deviance, nearly a line, has the value asked for."""
        slope = point.multiplier
        far = 2 * max(self.supremum - point.value, 0.0)
        step = None
        if slope * side < 0:
            step = -above / slope
            if isfinite(self.estimate) and far > 0:
                root = sqrt(far)
                wanted = sqrt(far + 2 * above)
                step = (root - wanted) * root / slope  # root' = -slope/root
        if step is None or not isfinite(step):
            step = side * inf if above > 0 else -side * inf
        stride = self._stride(point)
        found = b + float(np.clip(step, -stride, stride))
        is_between = side * (found - inside) > 0 and side * (outside - found) > 0
        if not is_between and isfinite(inside) and isfinite(outside):
            found = (inside + outside) / 2
        return float(found)

    def _stride(self, point: Maximum) -> float:
        """How far b may go before a linear predictor has moved by `MOST_MOVED`."""
        across = point.solve(self._d)
        moved = np.abs(self.problem.columns.matrix @ across).max() / abs(float(self._d @ across))
        return float(MOST_MOVED / moved)
