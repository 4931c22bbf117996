"""How far a float can be from the truth: the few bounds that every decision rests on.

The model of arithmetic (IEEE 754, round to nearest, gradual underflow): with u = 2^-53 and
η = 2^-1074, the smallest number above zero,

    fl(a + b) = (a + b)·(1 + δ)          |δ| <= u       (a sum is never hurt by underflow)
    fl(a · b) = a·b·(1 + δ) + ε          |δ| <= u, |ε| <= η/2
    fl(a·b + c), fused, = (a·b + c)·(1 + δ) + ε         as above

unless the result overflows. So a sum of n products, in any order, fused or not, is off by at most
γ·Σ|x_j·w_j| + n·η with γ = n·u/(1 − n·u): each term goes through at most n roundings, and each ε
through sums only. For n < 2^40, γ <= 1.001·n·u. Every bound below is of this one kind; SLACK pays
for γ over n·u and for the rounding of the bound itself, and SPARE terms are added to n for the
roundings of what goes into the sum (a weight or a number that is the nearest float to the true
one: one more factor 1 + δ each).

Whatever is decided by them must be computed in float64. Where numbers are stored in float32, each
product is of two float32 numbers widened first: see `compiled`, where float(x) is a float64.

Scalars here are plain Python, so that loops can compile them as they are; arrays are served by the
functions whose names end in s.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

UNIT = 2.0**-53  # u: half the distance from 1 to the next float64
UNIT_SINGLE = 2.0**-24  # the same in float32
SMALLEST = 2.0**-1074  # η
SLACK = 1.01
SPARE = 4
TINY = 2.0**-1070  # 16·η: for each term, what underflow can take from its product and the bound
HUGE = 2.0**1000  # Σ|x·w| below this is far from overflow, in any order
LEAST = 2.0**-500  # √(n·η), for n < 2^74: what underflow can take from a norm
LEAST_SINGLE = 2.0**-110  # the same for weights that are rounded to float32
GROWTH = 1.0 + 2.0**-22  # ‖w‖ by one rounding of all its entries, even to float32, twice over
FLOOR = 2.0**-960  # a weight below this may have lost all its digits when it was rounded


def norm_above(square: float) -> float:
    """A number that is at least a norm, from the float sum of its n squares; n < 2^40.

    The sum is at least S·(1 − γ) − n·η for the true S. So √S <= √sum·(1 + γ) + √(2·n·η), which
    1.001 and LEAST cover, the rounding of the root included. An overflow gives infinity.
    """
    return 1.001 * math.sqrt(square) + LEAST


def norms_above(squares: Any) -> np.ndarray:
    """`norm_above` of an array."""
    with np.errstate(over="ignore"):
        return np.asarray(1.001 * np.sqrt(squares) + LEAST)


def score_doubt(radius: float, reach: float, width: int) -> float:
    """How far from zero a float score must be for its sign to be the exact one.

    radius >= ‖row‖, reach >= ‖w‖, both at least LEAST; the row has `width` terms. By Cauchy and
    Schwarz Σ|x_j·w_j| <= radius·reach. Infinite where a partial sum might overflow: then no
    score is certain, an infinite one least of all.
    """
    size = radius * reach
    if not size < HUGE:
        return math.inf
    return (width + SPARE) * (SLACK * UNIT * size + TINY)


def score_doubts(radii: Any, reaches: Any, width: int) -> np.ndarray:
    """`score_doubt` of arrays that broadcast against each other."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        size = radii * reaches
        doubts = (width + SPARE) * (SLACK * UNIT * size + TINY)
        return np.asarray(np.where(size < HUGE, doubts, np.inf))


def sum_doubts(sizes: Any, width: int) -> np.ndarray:
    """How far a float sum of `width` products can be off, from the float sum of their sizes.

    Sharper than `score_doubts` where terms are uneven. With Ŝ the float sum of |x_j·w_j|, in
    any order, the true sum of sizes is at most (Ŝ + n·η)/(1 − γ), so the error is at most
    1.01·n·u·Ŝ + 2·n·η. Infinite where sizes are not below HUGE, or are no numbers.
    A weight that is the nearest float to an exact one must enter the sizes as max(|w|, FLOOR):
    there one rounding may have cost all of w, which is below u·FLOOR.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        sizes = np.asarray(sizes)
        doubts = (width + SPARE) * (SLACK * UNIT * sizes + TINY)
        return np.asarray(np.where(sizes < HUGE, doubts, np.inf))


def reach_after(reach: float, step: float, radius: float) -> float:
    """A number that is at least ‖w + step·row‖ as stored, if reach >= ‖w‖ and radius >= ‖row‖.

    The triangle inequality, times GROWTH for the rounding of the product and of the sum in each
    entry, also to float32. What underflow takes from an entry (η/2, or 2^-150 in float32) is
    below reach·2^-23, since a reach is never below LEAST (LEAST_SINGLE). That a mistake adds at
    most (step·radius)² to ‖w‖² would bound it more tightly, for a square root; a pass starts from
    ‖w‖ itself, so the sum is tight enough.
    """
    return GROWTH * (reach + abs(step) * radius)


def reach_after_mistake(reach: float, radius: float) -> float:
    """A number that is at least ‖w + row‖, if reach >= ‖w‖, radius >= ‖row‖, and row·w <= 0.

    Then ‖w + row‖² <= ‖w‖² + ‖row‖². Of exact weights, so nothing of w rounds; 2^-50 pays for the
    three roundings here. Both are at least LEAST, so no square underflows.
    """
    return (1.0 + 2.0**-50) * math.sqrt(reach * reach + radius * radius)


def drift_after(drift: float, reach: float, radius: float) -> float:
    """A number that is at least ‖w − exact w‖ after w += ±row in float64, if `drift` was before.

    The new entries are sums, each off by at most u of itself: u·‖new w‖ in all, and
    reach >= ‖new w‖. A row that is the nearest floats to the true one adds u·radius (its subnormal
    numbers may have lost all digits, but radius >= LEAST covers them). SLACK is spent on every
    term, which pays for the rounding of their sum as long as there are fewer than 2^46.

    A float score is then within score_doubt(radius, reach + drift, …) + SLACK·radius·drift of the
    score under the exact weights: ‖w‖ <= reach + drift, and row·(w − exact w) <= radius·drift.
    """
    return drift + SLACK * UNIT * (reach + radius)


# The same by squares, for learners of single rows, which take no root.

SQUARE_TINY = (
    2.0**-1000
)  # n·η for n < 2^74: what underflow can take from the square of a row's norm
SQUARE_FLOOR = 2.0**-800  # a reach², if not 0, is at least this: factor·reach² is no subnormal
SQUARE_LEAST = 1e-300  # what underflow can take from the square of a score, and of its doubt
SQUARE_GROWTH = 1.0 + 2.0**-40  # ‖w‖² by the rounding of all its entries
SQUARE_FAR = 1e300  # a reach² below this is far from overflow


def square_factor(width: int) -> float:
    """The score of a row is certain if score² > factor·reach²·square + SQUARE_LEAST.

    Here reach² >= ‖w‖² and square is the float sum of x_j² plus SQUARE_TINY. With a and b the two
    parts of `score_doubt`, (a + b)² <= 2·a² + 2·b²; twice 2 pays for 1.001 in the square, and
    2·b² is far below SQUARE_LEAST. Where a partial sum could overflow, so does the right side,
    and nothing is certain.
    """
    return 4.0 * ((width + SPARE) * SLACK * UNIT) ** 2


def square_reach_after(square_reach: float, step: float, square: float) -> float:
    """A number that is at least ‖w + step·row‖² as stored, if step·(row·w) <= 0.

    Then ‖w + step·row‖² <= ‖w‖² + step²·‖row‖². step² alone might underflow, where step·square·step
    loses at most 2·η, which the floor covers; and so it does for the rounding of tiny entries.
    """
    return SQUARE_GROWTH * (square_reach + step * square * step) + SQUARE_FLOOR
