"""What one cell of a text table is: a number, a missing value, or a word.

A cell that is a number to a person, in another notation than 1234.5, is never taken as a word in
silence: as one level among many it would become an indicator column of its own, and a few of them
separate any two classes. A cell of digits and marks without a letter is such a number, unless it is
a range or a comparison; so are the cells of a column that differ in their numbers alone, as 7.0 cm
and 7.5 cm do, unless whole numbers stand behind a word, as in Stage 1. Which marks a number has is
said by `decimal` and `thousands`: 1.234 is one number here and another there, and which was meant
cannot be seen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from novikoff.wording import keyword

NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
MISSING = frozenset(
    {"", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NULL", "null", "?"}
)
INFINITE = frozenset({"inf", "infinity", "∞"})
MOST_DIGITS = 4000  # characters; Python converts 4300 digits
LARGEST_EXPONENT = 9999  # so that a text of ten characters cannot ask for gigabytes
FEW_FORMS = 2  # cells that differ in their numbers: an indicator says as much as a number would
MOST_RANGES = 30  # levels of a column of ranges such as 18-25
LONGEST_NUMBER = 60  # letters of a cell that is looked at for another notation
BLANKS = " \t"
THOUSANDS_BLANKS = " \u00a0\u2009\u202f"  # all of them are meant by thousands=' '
_ONE = r"(?>\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?)"  # a number, in whatever notation
_RANGE = re.compile(r"[\[(]?-?… ?(?:,|;|-|–|to|bis) ?-?…[\])]?")  # each number as …
_UNIT = re.compile(r"[+-]?… ?(?!(?:st|nd|rd|th)$)[^\W\d_]{1,12}")
_RANGE_OR_COMPARISON = re.compile(
    rf"[\[(]?-?{_ONE} ?(?:,|;|-|–) ?-?{_ONE}[\])]?|[<>≤≥].*|{_ONE} ?\+"
)
_NOTATIONS: tuple[dict[str, str], ...] = (  # arguments of `read`, beside none
    {"decimal": ","},
    *({"thousands": mark} for mark in ",'’_ "),
    *({"thousands": mark, "decimal": ","} for mark in ".'’_ "),
)


class FieldError(Exception):
    """Why a field cannot be used: the end of a sentence about it."""


class MissingError(FieldError):
    """That a field is a missing value, where a number is needed."""


class Notation(NamedTuple):
    """How a cell writes a number, and what to say so that it is read."""

    cell: str
    name: str
    cures: tuple[dict[str, str], ...] = ()  # arguments of `read`, of which one set is meant

    @property
    def cure(self) -> str:
        """The arguments that say how such numbers are written."""
        sets = ([keyword(*one) for one in cure.items()] for cure in self.cures)
        return " or ".join(" and ".join(named) for named in sets)


def is_number(field: str) -> bool:
    return NUMERAL.fullmatch(field) is not None


def is_missing(field: str) -> bool:
    return field in MISSING


def is_infinite(field: str) -> bool:
    return field.lstrip("+-").lower() in INFINITE


def shown(field: str) -> str:
    """The field as a message quotes it."""
    return repr(field) if len(field) <= 40 else f"{field[:40]!r}… ({len(field)} characters)"


@cache
def numeral_form(decimal: str = ".", thousands: str | None = None) -> re.Pattern[str]:
    """Numbers with this decimal mark and, if any, this mark between thousands."""
    point, whole = re.escape(decimal), r"\d+"
    if thousands is not None:
        mark = f"[{re.escape(THOUSANDS_BLANKS if thousands == ' ' else thousands)}]"
        whole = rf"(?:\d{{1,3}}(?:{mark}\d{{3}})+|\d+)"
    number = rf"(?:(?P<whole>{whole})(?:{point}(?P<part>\d*))?|{point}(?P<only>\d+))"
    return re.compile(rf"(?P<sign>[+-]?){number}(?P<power>[eE][+-]?\d+)?", re.ASCII)


def notation_of(cell: str) -> Notation | None:
    """How the cell writes its number; None if it is a word, or a number as usual."""
    text = cell.strip()
    if len(text) > LONGEST_NUMBER or not any(map(str.isnumeric, text)):
        return None
    if any(letter.isalpha() and letter not in "eE" for letter in text):
        return None
    if is_number(text):
        is_usual = text == cell.strip(BLANKS)
        return None if is_usual else Notation(cell, "a number with other blanks about it")
    if cures := [marks for marks in _NOTATIONS if numeral_form(**marks).fullmatch(text)]:
        fewest = min(map(len, cures))
        cures = [marks for marks in cures if len(marks) == fewest]
        parts = {"thousands": "thousands separators", "decimal": "a decimal comma"}
        names = dict.fromkeys(" and ".join(parts[name] for name in marks) for marks in cures)
        return Notation(cell, f"a number with {' or '.join(names)}", tuple(cures))
    if any(map(str.isalpha, text)) or _RANGE_OR_COMPARISON.fullmatch(text):
        return None
    return Notation(cell, "a number in another notation")


def odd_number(words: Iterable[str]) -> Notation | None:
    """The first word that is a number in another notation, and if there is one, a clear one."""
    found = [notation for word in words if (notation := notation_of(word)) is not None]
    return min(found, key=lambda notation: len(notation.cures) > 1, default=None)


def number_in_words(words: Iterable[str], n_numbers: int) -> Notation | None:
    """The first of words that differ in their numbers alone; None if there are few of them.

    With the numbers of the column, which are not among the words, they must be half of its levels.
    """
    words = list(words)
    forms: dict[str, list[str]] = {}
    for word in words:
        if len(word) <= LONGEST_NUMBER and re.search(_ONE, word):
            forms.setdefault(re.sub(_ONE, "…", word), []).append(word)
    form, cells = max(forms.items(), key=lambda item: len(item[1]), default=("", []))
    if len(cells) <= FEW_FORMS or 2 * (len(cells) + n_numbers) < len(words) + n_numbers:
        return None
    if _RANGE.fullmatch(form) and len(cells) <= MOST_RANGES:
        return None
    has_parts = any(not number.isdigit() for cell in cells for number in re.findall(_ONE, cell))
    if any(map(str.isalpha, form)) and not has_parts and not _UNIT.fullmatch(form):
        return None
    return Notation(cells[0], f"a number in the form {form!r}")


def complaint(field: str, in_table: bool = True) -> str:
    """What to say of a field that had to be a number and is not.

    Only for a table in text can it be said how numbers are written, and what is missing.
    """
    odd = notation_of(field)
    if odd is None:
        what = f"is {shown(field)}{', which is infinite' * is_infinite(field)}"
        cure = leaving_out(field) if in_table else ""
        return f"the value {what}; a finite number is needed{cure}"
    cure = f"say {odd.cure}" if odd.cures and in_table else "write it like 1234.5"
    return f"the value is {shown(field)}, {odd.name}; a finite number is needed: {cure}"


def missing_value(field: str = "", needed: str = "a finite number") -> str:
    """What to say of a value that is missing, where that is an error."""
    which = f" ({shown(field)})" if field else ""
    return f"the value is missing{which}; {needed} is needed{leaving_out()}"


def leaving_out(word: str = "") -> str:
    """What leaves out rows that lack a value, or that have this word: the end of a sentence."""
    if re.search(r"[,\"\r\n]", word):
        return ""
    named = f"{keyword('na', word)} with " if word else ""
    return f"; {named}{keyword('missing', 'drop')} leaves such rows out"


def no_number(field: str, in_table: bool = True) -> FieldError:
    """Why a field that had to be a number is none."""
    if is_missing(field):
        return MissingError(missing_value(field))
    return FieldError(complaint(field, in_table))


def as_float(field: str, in_table: bool = True) -> float:
    """The nearest float64; FieldError if the field is no number or beyond all of them."""
    if not is_number(field):
        raise no_number(field, in_table)
    value = float(field)
    if math.isinf(value):
        raise FieldError(f"the value is {shown(field)}, beyond 1.8e308; divide the column")
    return value


def as_fraction(field: str) -> Fraction:
    """The number as written; FieldError if the field is none, or one of absurd size."""
    if not is_number(field):
        raise no_number(field)
    whole, point, part = field.partition(".")
    if point and part.isascii() and part.isdigit() and len(field) < MOST_DIGITS:  # nearly always
        return Fraction(int(whole + part), 10 ** len(part))
    _, _, exponent = field.lower().partition("e")
    if exponent and (len(exponent) > 12 or abs(int(exponent)) > LARGEST_EXPONENT):
        raise FieldError(f"the value is {shown(field)}; its exponent is too large")
    try:
        return Fraction(field)
    except ValueError:  # more digits than Python converts
        raise FieldError(f"the value is {shown(field)}; it has too many digits") from None


@dataclass(frozen=True)
class Numerals:
    """How numbers and missing values are written in a table."""

    decimal: str = "."
    thousands: str | None = None
    na: frozenset[str] = frozenset()  # what stands for a missing value, beside the usual words

    @property
    def is_usual(self) -> bool:
        return self == USUAL

    def is_missing(self, field: str) -> bool:
        return field in MISSING or field in self.na

    @property
    def arguments(self) -> str:
        """The arguments of `read` that name this notation."""
        thousands = f" and {keyword('thousands', self.thousands)}" if self.thousands else ""
        return f"{keyword('decimal', self.decimal)}{thousands}"

    def usual(self, field: str) -> str | None:
        """The field in the usual notation; None if it is no number in this one."""
        if field in self.na:
            return None
        if self.decimal == "." and self.thousands is None:
            return field if is_number(field) else None
        found = numeral_form(self.decimal, self.thousands).fullmatch(field)
        if found is None:
            return None
        whole = re.sub(r"\D", "", found["whole"] or "")
        part = found["part"] or found["only"] or ""
        return f"{found['sign']}{whole or '0'}.{part or '0'}{found['power'] or ''}"

    def is_number(self, field: str) -> bool:
        return self.usual(field) is not None

    def as_float(self, field: str) -> float:
        """The nearest float64, or FieldError."""
        return as_float(field) if self.is_usual else as_float(self._given(field))

    def as_fraction(self, field: str) -> Fraction:
        """The number as written, or FieldError."""
        return as_fraction(field) if self.is_usual else as_fraction(self._given(field))

    def _given(self, field: str) -> str:
        """The field in the usual notation, or FieldError."""
        usual = self.usual(field)
        if usual is not None:
            return usual
        if self.is_missing(field):
            raise MissingError(missing_value(field))
        if is_infinite(field) or (self.decimal == "." and self.thousands is None):
            raise FieldError(complaint(field))
        what = f"the value is {shown(field)}, which is no number"
        raise FieldError(f"{what} with {self.arguments}")


USUAL = Numerals()
