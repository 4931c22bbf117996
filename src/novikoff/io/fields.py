"""What one field of a text file is: a number, a missing value, or a word."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from novikoff.io.text.notation import notation_of
from novikoff.wording import keyword

NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
MISSING = frozenset(
    {"", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "NULL", "null", "?"}
)
INFINITE = frozenset({"inf", "infinity", "∞"})
MOST_DIGITS = 4000  # characters; Python converts 4300 digits
LARGEST_EXPONENT = 9999  # so that a text of ten characters cannot ask for gigabytes
BLANKS = " \t"


class FieldError(Exception):
    """Why a field cannot be used: the end of a sentence about it."""


class MissingError(FieldError):
    """That a field is a missing value, where a number is needed."""


def is_number(field: str) -> bool:
    return NUMERAL.fullmatch(field) is not None


def is_missing(field: str) -> bool:
    return field in MISSING


def shown(field: str) -> str:
    """The field as a message quotes it."""
    return repr(field) if len(field) <= 40 else f"{field[:40]!r}… ({len(field)} characters)"


def is_infinite(field: str) -> bool:
    return field.lstrip("+-").lower() in INFINITE


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
    if not word:
        return f"; {keyword('missing', 'drop')} leaves such rows out"
    if re.search(r"[,\"\r\n]", word):
        return ""
    return f"; {keyword('na', word)} with {keyword('missing', 'drop')} leaves such rows out"


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
