"""How far a float can be from the truth: the few bounds that every decision rests on.

The model of arithmetic (IEEE 754, round to nearest, gradual underflow): with u = 2^-53 and
η = 2^-1074, the smallest number above zero,

    fl(a + b) = (a + b)·(1 + δ)          |δ| <= u       (a sum is never hurt by underflow)
    fl(a · b) = a·b·(1 + δ) + ε          |δ| <= u, |ε| <= η/2
    fl(a·b + c), fused, = (a·b + c)·(1 + δ) + ε         as above

unless the result overflows. So a sum of n products, in any order, fused or not, is off by at most
γ·Σ|x_j·w_j| + n·η with γ = n·u/(1 − n·u): each term goes through at most n roundings, and each ε
through sums only. For n < 2^40, γ <= 1.001·n·u. Every bound below is of this one kind. SLACK covers
γ over n·u and the rounding of the bound itself. SPARE terms are added to n for the roundings of the
numbers that enter the sum: a weight or an entry that is the nearest float to the true number has
one more factor 1 + δ.

A number that is compared with one of these bounds must be computed in float64. Where numbers are
stored in float32, both factors of a product are widened first: see `compiled`, where float(x) is a
float64.

Scalars here are plain Python, so that loops can compile them as they are; arrays are served by the
functions whose names end in s.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

UNIT = 2.0**-53  # u: half the distance from 1 to the next float64
SMALLEST = 2.0**-1074  # η
SLACK = 1.01  # factor that covers γ / (n·u), and the rounding of a bound itself
SPARE = 4  # terms added to n, for the roundings of the numbers that enter a sum
TERM_UNDERFLOW = 2.0**-1070  # 16·η: what underflow can take from one term and from its bound
OVERFLOW_LIMIT = 2.0**1000  # a sum of |x·w| below this cannot overflow, in any order
NORM_UNDERFLOW = 2.0**-500  # √(n·η) for n < 2^74: what underflow can take from a norm
NORM_UNDERFLOW_SINGLE = 2.0**-110  # the same for weights that are rounded to float32
ROUNDING_GROWTH = 1.0 + 2.0**-22  # of ‖w‖, by two roundings of all its entries, even to float32
LEAST_WEIGHT_SIZE = 2.0**-960  # a smaller weight may have lost all its digits when it was rounded


def norm_above(square: float) -> float:
    """A number that is at least a norm, from the float sum of its n squares; n < 2^40.

    The sum is at least S·(1 − γ) − n·η for the true S. So √S <= √sum·(1 + γ) + √(2·n·η), which
    1.001 and NORM_UNDERFLOW cover, the rounding of the root included. An overflow gives infinity.
    """
    return 1.001 * math.sqrt(square) + NORM_UNDERFLOW


def norms_above(squares: Any) -> np.ndarray:
    """`norm_above` of an array."""
    with np.errstate(over="ignore"):
        return np.asarray(1.001 * np.sqrt(squares) + NORM_UNDERFLOW)


def score_error_bound(radius: float, norm_bound: float, width: int) -> float:
    """How far from zero a float score must be for its sign to be the exact one.

    radius >= ‖row‖ and norm_bound >= ‖w‖, both at least NORM_UNDERFLOW; the row has `width` terms.
    By Cauchy and Schwarz Σ|x_j·w_j| <= radius·norm_bound. The bound is infinite where a partial
    sum might overflow: then no score is certain, an infinite one least of all.
    """
    size = radius * norm_bound
    if not size < OVERFLOW_LIMIT:
        return math.inf
    return (width + SPARE) * (SLACK * UNIT * size + TERM_UNDERFLOW)


def score_error_bounds(radii: Any, norm_bounds: Any, width: int) -> np.ndarray:
    """`score_error_bound` of arrays that broadcast against each other."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return sum_error_bounds(radii * norm_bounds, width)


def sum_error_bounds(sizes: Any, width: int) -> np.ndarray:
    """How far a float sum of `width` products can be off, from the float sum of their sizes.

    Sharper than `score_error_bounds` where terms are uneven. With Ŝ the float sum of |x_j·w_j|, in
    any order, the true sum of sizes is at most (Ŝ + n·η)/(1 − γ), so the error is at most
    1.01·n·u·Ŝ + 2·n·η. Infinite where a size is not below OVERFLOW_LIMIT, or is NaN.
    A weight that is the nearest float to an exact one must enter the sizes as
    max(|w|, LEAST_WEIGHT_SIZE): one rounding may have cost all of a smaller weight.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        sizes = np.asarray(sizes)
        bounds = (width + SPARE) * (SLACK * UNIT * sizes + TERM_UNDERFLOW)
        return np.asarray(np.where(sizes < OVERFLOW_LIMIT, bounds, np.inf))


def norm_bound_after(norm_bound: float, step: float, radius: float) -> float:
    """At least ‖w + step·row‖ as stored, if norm_bound >= ‖w‖ and radius >= ‖row‖.

    The triangle inequality, times ROUNDING_GROWTH for the rounding of the product and of the sum
    in each entry, also to float32. Underflow takes at most η/2 (2^-150 in float32) from an entry,
    which is below norm_bound·2^-23: a norm bound is never below NORM_UNDERFLOW (_SINGLE). A square
    root would give a tighter bound, for a mistake adds at most (step·radius)² to ‖w‖²; a pass
    starts from ‖w‖ itself, so the sum is tight enough.
    """
    return ROUNDING_GROWTH * (norm_bound + abs(step) * radius)


def norm_bound_after_mistake(norm_bound: float, radius: float) -> float:
    """At least ‖w + row‖, if norm_bound >= ‖w‖, radius >= ‖row‖, and row·w <= 0.

    Then ‖w + row‖² <= ‖w‖² + ‖row‖². For exact weights, which do not round; 2^-50 covers the three
    roundings here. Both arguments are at least NORM_UNDERFLOW, so no square underflows.
    """
    return (1.0 + 2.0**-50) * math.sqrt(norm_bound * norm_bound + radius * radius)


def drift_after(drift: float, norm_bound: float, radius: float) -> float:
    """At least ‖w − exact w‖ after w += ±row in float64, if `drift` was at least that before.

    Each new entry is a sum, off by at most u of itself: u·‖new w‖ in all, and
    norm_bound >= ‖new w‖. A row that is the nearest floats to the true one adds u·radius (its
    subnormal numbers may have lost all digits, but radius >= NORM_UNDERFLOW covers them). SLACK
    multiplies every term, which covers the rounding of their sum up to 2^46 terms.

    A float score is within score_error_bound(radius, norm_bound + drift, …) + SLACK·radius·drift
    of the score under the exact weights: ‖w‖ <= norm_bound + drift, and
    row·(w − exact w) <= radius·drift.
    """
    return drift + SLACK * UNIT * (norm_bound + radius)


# The same by squares, for learners of single rows, which take no root.

SQUARE_ROW_UNDERFLOW = 2.0**-1000  # n·η for n < 2^74: what underflow can take from ‖row‖²
LEAST_SQUARE_BOUND = 2.0**-800  # of ‖w‖², where w is not 0: factor·bound is then no subnormal
SQUARE_SCORE_UNDERFLOW = 1e-300  # what underflow can take from score², and from its error bound
SQUARE_ROUNDING_GROWTH = 1.0 + 2.0**-40  # of ‖w‖², by the rounding of all its entries
SQUARE_OVERFLOW_LIMIT = 1e300  # a bound on ‖w‖² below this is far from overflow


def square_factor(width: int) -> float:
    """A score is certain if score² > factor·square_norm_bound·square + SQUARE_SCORE_UNDERFLOW.

    Here square_norm_bound >= ‖w‖², and square is the float sum of x_j² plus SQUARE_ROW_UNDERFLOW.
    With a and b the two parts of `score_error_bound`, (a + b)² <= 2·a² + 2·b²; twice 2 covers 1.001
    in the square, and 2·b² is far below SQUARE_SCORE_UNDERFLOW. Where a partial sum could overflow,
    so does the right side, and nothing is certain.
    """
    return 4.0 * ((width + SPARE) * SLACK * UNIT) ** 2


def square_norm_bound_after(square_norm_bound: float, step: float, square: float) -> float:
    """At least ‖w + step·row‖² as stored, if step·(row·w) <= 0.

    Then ‖w + step·row‖² <= ‖w‖² + step²·‖row‖². step² alone might underflow; step·square·step
    loses at most 2·η, which LEAST_SQUARE_BOUND covers, as it does the rounding of tiny entries.
    """
    grown = square_norm_bound + step * square * step
    return SQUARE_ROUNDING_GROWTH * grown + LEAST_SQUARE_BOUND
