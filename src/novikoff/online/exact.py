"""The score of one row, rounded once: what decides when a sum in floats could have lied."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

SPLITTER = 2.0**27 + 1.0
SMALL, LARGE = 2.0**-480, 2.0**480  # between these no product is lost, nor what it rounds off
SMALLEST = 2.0**-1074


def exact_score(row: np.ndarray, w: np.ndarray) -> float:
    """row·w rounded once. It is 0 only where the exact score is, and infinite only beyond 1.8e308.

    Dekker: a product of floats is the sum of two floats, and fsum rounds only its result.
    """
    live = (row != 0.0) & (w != 0.0)
    row, w = row[live], w[live]
    if not len(row):
        return 0.0
    for part in (np.abs(row), np.abs(w)):
        if not (part.min() > SMALL and part.max() < LARGE):
            return _by_fractions(row, w)
    high = row * w
    row_high, w_high = _upper_half(row), _upper_half(w)
    row_low, w_low = row - row_high, w - w_high
    low = row_high * w_high - high
    low += row_high * w_low
    low += row_low * w_high
    low += row_low * w_low
    return math.fsum([*high.tolist(), *low.tolist()])


def _upper_half(values: np.ndarray) -> np.ndarray:
    """The first 26 bits of each (Veltkamp)."""
    scaled = SPLITTER * values
    return np.asarray(scaled - (scaled - values))


def _by_fractions(row: np.ndarray, w: np.ndarray) -> float:
    pairs = zip(row.tolist(), w.tolist(), strict=True)
    score = sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0))
    if not score:
        return 0.0
    try:
        return score.numerator / score.denominator or (SMALLEST if score > 0 else -SMALLEST)
    except OverflowError:
        return math.inf if score > 0 else -math.inf
