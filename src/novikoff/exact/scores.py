"""The score of one row, exactly: what decides when a sum in floats could have lied."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from novikoff.exact.bounds import SMALLEST

SPLITTER = 2.0**27 + 1.0
# Between these no product of two factors is lost, nor what it rounds off.
LEAST_FACTOR, LARGEST_FACTOR = 2.0**-480, 2.0**480


def exact_score(row: np.ndarray, w: np.ndarray) -> float:
    """row·w for float64 arrays, rounded once: 0 only where the exact score is.

    Beyond the floats it is infinite, and below them the smallest number of its sign.
    Dekker: a product of floats is the sum of two floats, and fsum rounds only its result.
    """
    live = (row != 0.0) & (w != 0.0)
    row, w = row[live], w[live]
    if not len(row):
        return 0.0
    for part in (np.abs(row), np.abs(w)):
        if not (part.min() > LEAST_FACTOR and part.max() < LARGEST_FACTOR):
            return _by_fractions(row, w)
    high = row * w
    row_high, w_high = _upper_half(row), _upper_half(w)
    row_low, w_low = row - row_high, w - w_high
    low = row_high * w_high - high
    low += row_high * w_low
    low += row_low * w_high
    low += row_low * w_low
    return math.fsum([*high.tolist(), *low.tolist()])


def nearest_float(value: Fraction) -> float:
    """The value rounded once, its sign kept: 0 for 0 only, infinite beyond the floats."""
    sign = (value > 0) - (value < 0)
    try:
        return value.numerator / value.denominator or sign * SMALLEST
    except OverflowError:
        return sign * math.inf


def _upper_half(values: np.ndarray) -> np.ndarray:
    """The first 26 bits of each (Veltkamp)."""
    scaled = SPLITTER * values
    return np.asarray(scaled - (scaled - values))


def _by_fractions(row: np.ndarray, w: np.ndarray) -> float:
    pairs = zip(row.tolist(), w.tolist(), strict=True)
    return nearest_float(sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0)))
