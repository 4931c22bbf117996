"""Square roots of exact numbers, rounded to the side that keeps a bound true."""

from __future__ import annotations

import math
import sys
from fractions import Fraction


def root_down(square: Fraction) -> float:
    """The largest float that is not above √square."""
    root = _root(square)
    while Fraction(root) ** 2 > square:
        root = math.nextafter(root, 0.0)
    return root


def root_up(square: Fraction) -> float:
    """The smallest float that is not below √square; infinity beyond the floats."""
    root = root_down(square)
    return root if Fraction(root) ** 2 == square else math.nextafter(root, math.inf)


def _root(square: Fraction) -> float:
    """√square within a few roundings, and not far below."""
    if square <= 0:
        return 0.0
    shift = 60 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = square * Fraction(4) ** shift
    root = math.isqrt(scaled.numerator // scaled.denominator) + 1
    try:
        return math.ldexp(float(root), -shift) or 5e-324
    except OverflowError:
        return sys.float_info.max
