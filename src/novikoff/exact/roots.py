"""Square roots of exact numbers, rounded to the side that keeps a bound true, or to the nearest."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from novikoff.exact.bounds import SMALLEST


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


def nearest_root(square: Fraction) -> float:
    """√square rounded once, to the nearest float; -√|square| for what is below zero.

    Beyond the floats it is infinite; 0 only where the square is, so that the sign is kept.
    """
    if square < 0:
        return -nearest_root(-square)
    low = root_down(square)
    # The step to the next float is twice the way to the middle, also at the end of the range.
    middle = Fraction(low) + Fraction(math.ulp(low)) / 2
    near = low if square <= middle * middle else math.nextafter(low, math.inf)
    return near or (SMALLEST if square else 0.0)


def root_gap(right: Fraction, left: Fraction) -> Fraction:
    """√right − √left to about 2^-58 of itself, its sign exact; √ of a negative number is -√|it|.

    Where both have one sign it is (right − left)/(√right + √left): the numerator is exact.
    """
    if right < 0 and left < 0:
        right, left = -left, -right
    if right > 0 and left > 0:
        return (right - left) / (_close_root(right) + _close_root(left))
    return _close_root(right) - _close_root(left)


def _close_root(square: Fraction) -> Fraction:
    """√square within 2^-59 of itself, as a fraction without limits of size; odd in `square`."""
    if square == 0:
        return Fraction(0)
    root, shift = _whole_root(abs(square))
    close = Fraction(root) / Fraction(2) ** shift
    return close if square > 0 else -close


def _whole_root(square: Fraction) -> tuple[int, int]:
    """(r, s) with r·2^-s just above √square; r has about 61 bits."""
    shift = 60 - (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    scaled = square * Fraction(4) ** shift
    return math.isqrt(scaled.numerator // scaled.denominator) + 1, shift


def _root(square: Fraction) -> float:
    """√square within a few roundings, and not far below."""
    if square <= 0:
        return 0.0
    root, shift = _whole_root(square)
    try:
        return math.ldexp(float(root), -shift) or SMALLEST
    except OverflowError:
        return sys.float_info.max
