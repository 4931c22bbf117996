"""Whole numbers that no float64 is equal to: kept as they are written, or counted.

Below 2^53 every whole number is a float64. Above, two that differ may have one nearest float, and
rows that are apart become one row. A number with an exponent, as 6.02e23, is not meant to the last
digit, and is the nearest float as decimals are.
"""

from __future__ import annotations

import re

from novikoff.io.fields import FieldError, as_fraction
from novikoff.wording import plural

LARGEST_EXACT = 2**53  # whole numbers up to it are floats
MOST_EXACT_NUMBERS = 5_000_000  # of a table: each is an object
_WRITTEN_OUT = re.compile(r"[+-]?\d+(?:\.0*)?", re.ASCII)


def is_rounded(value: float, *written: str) -> bool:
    """Whether a value is not the product of the whole numbers written, if they are written out."""
    if abs(value) < LARGEST_EXACT or not all(map(_WRITTEN_OUT.fullmatch, written)):
        return False
    product = 1
    try:
        for field in written:
            product *= as_fraction(field).numerator
    except FieldError:  # more digits than Python converts
        return True
    return product != value


def rounded_in_words(n: int) -> str:
    """That numbers were taken as their nearest floats."""
    what = "is taken as the nearest one" if n == 1 else "are taken as the nearest one"
    return f"{n:,} {plural(n, 'number')} that no float64 is equal to {what}"
