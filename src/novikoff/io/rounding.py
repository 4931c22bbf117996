"""Whole numbers that no float64 is equal to: kept as they are written, or counted.

Below 2^53 every whole number is a float64. Above, two that differ may have one nearest float, and
rows that are apart become one row. A number with an exponent, as 6.02e23, is not meant to the last
digit, and is the nearest float as decimals are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from novikoff.io.fields import FieldError
from novikoff.wording import plural

LARGEST_EXACT = 2**53  # whole numbers up to it are floats
MOST_CELLS = 5_000_000  # of a table of exact numbers: each is an object
MOST_ENTRIES = 5_000_000  # of sparse rows that are read as decimals
Reads = Callable[[str], Fraction]
_WRITTEN_OUT = re.compile(r"[+-]?\d+(?:\.0*)?", re.ASCII)


def large_places(values: np.ndarray) -> np.ndarray:
    """The places of numbers so large that they may have been rounded to a whole one."""
    if not values.size:
        return np.empty((0, values.ndim), dtype=np.int64)
    with np.errstate(all="ignore"):
        return np.argwhere(np.abs(values) >= LARGEST_EXACT)


def count_rounded(values: np.ndarray, written: Iterable[tuple[Any, str]], read: Reads) -> int:
    """How many values are not equal to the whole numbers written in their places."""
    whole = ((values[place], field) for place, field in written if is_written_out(field))
    return sum(exact_or_none(read, field) != float(value) for value, field in whole)


def is_written_out(usual: str | None) -> bool:
    """Whether a numeral, in the usual notation, is that of a whole number with all its digits."""
    return usual is not None and _WRITTEN_OUT.fullmatch(usual) is not None


class Budget:
    """How the entries of sparse text are read: as floats, or as long as they are few, exactly.

    numbers : 'decimal' asks for every entry as written, and too many are an error of the reader;
        'as written' gives up there; all others take floats.
    """

    def __init__(self, numbers: str | None) -> None:
        self.numbers = numbers
        self.n_read = 0
        self.is_spent = False

    def exact(
        self, values: np.ndarray, written: Callable[[bool], Iterator[Fraction | int | None]]
    ) -> tuple[np.ndarray | None, int]:
        """The entries as Fractions, None where floats hold them; and how many are rounded.

        `written` gives the number of every entry, or, if asked with True, None for those that are
        not whole numbers written out.
        """
        if self.numbers in ("decimal", "as written"):
            self.n_read += len(values)
            self.is_spent = self.is_spent or self.n_read > MOST_ENTRIES
            if not self.is_spent:
                return _all_exact(values, written(False)), 0
        large = large_places(values).ravel()
        if not len(large):
            return None, 0
        listed = list(written(True))
        pairs = ((listed[k], values[k]) for k in large.tolist())
        return None, sum(whole is not None and whole != float(near) for whole, near in pairs)


def _all_exact(values: np.ndarray, written: Iterator[Any]) -> np.ndarray | None:
    """The very numbers; None, after a look at each, where floats are equal to all of them."""
    nearest = values.tolist()
    seen: list[Fraction | int] = []
    for value in written:
        differs = value != nearest[len(seen)]
        seen.append(value)
        if differs:
            break
    else:
        return None
    exact = np.empty(len(values), dtype=object)
    exact[:] = [Fraction(value) for value in chain(seen, written)]
    return exact


def exact_or_none(as_fraction: Reads, field: str) -> Fraction | None:
    """The number as written; None where it has more digits than can be converted."""
    try:
        return as_fraction(field)
    except FieldError:
        return None


def rounded_in_words(n: int) -> str:
    """That numbers were taken as their nearest floats."""
    what = "is taken as the nearest one" if n == 1 else "are taken as the nearest one"
    return f"{n:,} {plural(n, 'number')} that no float64 is equal to {what}"
