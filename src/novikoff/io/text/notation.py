"""Cells that are numbers to a person, in another notation than 1234.5.

Such a cell is never taken as a word in silence: as one level among many it would become an
indicator column of its own, and a few of them separate any two classes. There are two rules. A cell
of digits and marks without a letter is a number in another notation, unless it is a range or a
comparison. A column whose cells differ in their numbers alone, as 7.0 cm and 7.5 cm do, is one of
numbers, unless whole numbers stand behind a word, as in Stage 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from novikoff.wording import keyword

FEW_LEVELS = 2  # of so many levels an indicator says as much as a number would
LONGEST_NUMBER = 60  # letters of a cell that is looked at
MOST_RANGES = 30  # levels of a column of ranges such as 18-25
BLANKS = " \u00a0\u2009\u202f"  # all of them are meant by thousands=' '
_NUMERAL = r"\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?"
# Cells in which every number is written as …
_RANGE = r"[\[(]?-?… ?(?:,|;|-|–|to|bis) ?-?…[\])]?"
_COMPARISON = r"[<>≤≥].*"
_WITH_UNIT = r"[+-]?… ?(?!(?:st|nd|rd|th)$)[^\W\d_]{1,12}"
_NOTATIONS: tuple[dict[str, str], ...] = (  # arguments of `read`, beside none
    {"decimal": ","},
    {"thousands": ","},
    *({"thousands": mark} for mark in "'’_ "),
    *({"thousands": mark, "decimal": ","} for mark in ".'’_ "),
)


@cache
def numeral_form(decimal: str = ".", thousands: str | None = None) -> re.Pattern[str]:
    """Numbers with this decimal mark and, if any, this mark between thousands."""
    point, whole = re.escape(decimal), r"\d+"
    if thousands is not None:
        mark = f"[{re.escape(BLANKS if thousands == ' ' else thousands)}]"
        whole = rf"(?:\d{{1,3}}(?:{mark}\d{{3}})+|\d+)"
    number = rf"(?:(?P<whole>{whole})(?:{point}(?P<part>\d*))?|{point}(?P<only>\d+))"
    return re.compile(rf"(?P<sign>[+-]?){number}(?P<power>[eE][+-]?\d+)?", re.ASCII)


class Notation(NamedTuple):
    """How a cell is written, and what to say so that it is read."""

    name: str
    cures: tuple[dict[str, str], ...] = ()  # arguments of `read`, of which one set is meant

    @property
    def cure(self) -> str:
        """The arguments that say how such numbers are written."""
        sets = ([keyword(*one) for one in cure.items()] for cure in self.cures)
        return " or ".join(" and ".join(named) for named in sets)


class Odd(NamedTuple):
    """A column of numbers in another notation: one of its cells, and how it is written."""

    cell: str
    notation: Notation


def notation_of(cell: str) -> Notation | None:
    """How the cell writes its number; None if it is a word, or a number as usual."""
    text = cell.strip()
    if not text or len(text) > LONGEST_NUMBER or not any(map(str.isnumeric, text)):
        return None
    if numeral_form().fullmatch(text):
        is_usual = text == cell.strip(" \t")
        return None if is_usual else Notation("a number with other blanks about it")
    cures = [marks for marks in _NOTATIONS if numeral_form(**marks).fullmatch(text)]
    if cures:
        fewest = min(map(len, cures))
        return _with_marks(tuple(marks for marks in cures if len(marks) == fewest))
    if any(map(str.isalpha, text)) or re.fullmatch(f"{_RANGE}|{_COMPARISON}", _form(text)):
        return None
    return Notation("a number in another notation")


def _with_marks(cures: tuple[dict[str, str], ...]) -> Notation:
    parts = {"thousands": "thousands separators", "decimal": "a decimal comma"}
    names = dict.fromkeys(" and ".join(parts[name] for name in marks) for marks in cures)
    return Notation(f"a number with {' or '.join(names)}", cures)


def _form(cell: str) -> str:
    """The cell with … for each of its numbers."""
    return re.sub(_NUMERAL, "…", cell)


def odd_column(levels: Iterable[str], is_number: frozenset[str] = frozenset()) -> Odd | None:
    """The first cell that shows that a column of words is one of numbers; None if it is not.

    It is one if at least half of its distinct cells are numbers, in whatever notation, and one
    of them in another than the usual. `is_number` are the cells that are numbers as usual.
    """
    found = {level: notation_of(level) for level in levels if level not in is_number}
    certain = [Odd(level, notation) for level, notation in found.items() if notation is not None]
    n_levels = len(found) + len(is_number)
    if certain and 2 * (len(certain) + len(is_number)) >= n_levels:
        return min(certain, key=lambda odd: len(odd.notation.cures) > 1)  # one that is clear
    return _decorated(found, n_levels, len(is_number))


def _decorated(levels: Iterable[str], n_levels: int, n_numbers: int) -> Odd | None:
    """The first cell of a column whose cells differ in their numbers alone.

    Such as 7.0 cm, <7.0 or p = 7.0; at least half of the levels, with numbers as usual, must be
    like that. Stage 1, Q4 or chr22 are words: whole numbers after letters. So are ranges such as
    [0.5, 1.5), unless there are many.
    """
    forms: dict[str, list[str]] = {}
    for level in levels:
        if len(level) <= LONGEST_NUMBER and re.search(_NUMERAL, level):
            forms.setdefault(_form(level), []).append(level)
    form, cells = max(forms.items(), key=lambda item: len(item[1]), default=("", []))
    if len(cells) <= FEW_LEVELS or 2 * (len(cells) + n_numbers) < n_levels:
        return None
    if re.fullmatch(_RANGE, form) and len(cells) <= MOST_RANGES:
        return None
    has_letters = any(letter.isalpha() for letter in form)
    has_parts = any(not number.isdigit() for cell in cells for number in re.findall(_NUMERAL, cell))
    if has_letters and not has_parts and not re.fullmatch(_WITH_UNIT, form):
        return None
    return Odd(cells[0], Notation(f"a number in the form {form!r}"))
