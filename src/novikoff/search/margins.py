"""Bounds that stay true after rounding: the margin from below and above, and the radius.

The margin γ of the rows z_i is max over w of min_i z_i·w/‖w‖, and equally the least norm of a
convex combination Σ λ_i·z_i. So every separator is a lower bound and every λ an upper one.
With z_i = sign_i·(x_i, 1) it is the margin of the mistake bound. The geometric margin leaves the
offset out of the norm: ‖w‖ has no b in it, and λ must weigh both classes equally.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers, weighted_sum
from novikoff.exact.bounds import SMALLEST, sum_error_bounds
from novikoff.exact.norms import exponent_of_table, length_above, radius_above, scaled, scaled_rows
from novikoff.exact.roots import root_down, root_up
from novikoff.exact.tables import exact_scores, float_scores, near_the_bottom
from novikoff.search.signed_rows import SignedRows

EXACT_NUMBERS = 50_000  # of a combination that is summed exactly
EXACT_ROWS = 200  # rows that are looked at exactly, where rounding leaves their order open


def radius(z: SignedRows) -> float:
    """max ‖z_i‖ over all rows of the table, rounded up."""
    return radius_above(z.table, z.fit_intercept)


def smallest_score(z: SignedRows, weights: np.ndarray) -> Fraction:
    """A lower bound on z_i·w over all rows, w in integers; exact but where very many rows tie."""
    found = float_scores(z.table, weights)
    signed = z.signs * found.values
    near = near_the_bottom(signed, found.error_bounds)
    if len(near) > EXACT_ROWS:
        low = float(np.nextafter((signed - found.error_bounds).min(), -np.inf))
        if low > 0.0:
            return Fraction(low) * Fraction(2) ** found.exponent
    exact = exact_scores(z.table, near, weights)
    return min(score * int(sign) for sign, score in zip(z.signs[near], exact, strict=True))


def margin_below(z: SignedRows, weights: Any, geometric: bool = False) -> float:
    """min z_i·w/‖w‖ rounded down: what these weights prove. Zero if they do not separate."""
    whole = as_integers(weights)
    score = smallest_score(z, whole)
    length = sum(int(w) ** 2 for w in (whole[:-1] if geometric else whole))
    if score <= 0 or length == 0:
        return 0.0
    return root_down(score * score / length)


def margin_above(
    z: SignedRows, rows: np.ndarray, weights: np.ndarray, geometric: bool = False
) -> float:
    """‖Σ λ_i·z_i‖/Σ λ_i rounded up, for λ = weights >= 0 (floats) on some rows.

    Geometric: half the distance between the classes' means, each weighed by its own λ.
    """
    if geometric:
        weights = _balanced(weights, z.signs[rows])
    total = math.fsum(weights)
    if not total > 0.0:
        return math.inf
    if len(rows) * z.dim <= EXACT_NUMBERS:
        whole = as_integers(np.asarray(weights, dtype=np.float64))
        factors = whole * z.signs[rows].astype(object)
        sums, over = weighted_sum(z.table, rows, factors, z.fit_intercept)
        square = sum(int(value) ** 2 for value in sums)
        return root_up(Fraction(square, (over * int(whole.sum())) ** 2))
    return _float_bound(z, rows, weights, geometric)


def _float_bound(z: SignedRows, rows: np.ndarray, weights: np.ndarray, geometric: bool) -> float:
    """‖Σ λ_i·z_i‖/Σ λ_i, plus all that rounding may have taken from it.

    Each place of the sum is a sum of `len(rows)` products, of rows and weights scaled to at most
    1; the sum of the weights themselves is exact, and rounded once.
    """
    weights = scaled(weights, -math.frexp(float(weights.max()))[1])
    signed = weights * z.signs[rows]
    e = max(exponent_of_table(z.table), int(z.fit_intercept))
    block, _ = scaled_rows(z.table, rows, e)
    with np.errstate(all="ignore"):
        value = np.abs(np.asarray(block.T @ signed))
        above = value + sum_error_bounds(abs(block).T @ weights, len(rows))
    if z.table.is_rounded:  # numbers below 2^-1022 have lost up to η/2 before they were scaled
        above += len(rows) * float(scaled(SMALLEST, -e))
    if z.fit_intercept and not geometric:
        last = Fraction(math.fsum(signed)) / Fraction(2) ** e
        above = np.append(above, float(np.nextafter(float(abs(last)), np.inf)))
    total = Fraction(float(np.nextafter(math.fsum(weights), 0.0)))
    length = length_above(above)
    if not math.isfinite(length):
        return math.inf
    return root_up(Fraction(length) ** 2 / total**2 * Fraction(4) ** e)


def _balanced(weights: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """The weights, each class scaled to a sum of 2^52 in whole numbers: exactly equal sums.

    All of them are 0 where a class has none: there is no distance from it, and so no bound.
    """
    balanced = np.zeros(len(weights))
    for sign in (-1, 1):
        mine = np.flatnonzero(signs == sign)
        total = weights[mine].sum()
        if total <= 0:
            return np.zeros(len(weights))
        whole = np.floor(weights[mine] / total * 2.0**52)
        whole[np.argmax(whole)] += 2.0**52 - whole.sum()
        balanced[mine] = whole
    return balanced
