"""Cells that are numbers to a person, in another notation than 1234.5.

Such a cell is never taken as a word in silence: as one level among many it would become an
indicator column of its own, and a few of them separate any two classes.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from novikoff.wording import keyword

FEW_LEVELS = 2  # of so many levels an indicator says as much as a number would
MOST_LETTERS = 60  # of a cell that is looked at; no number is longer
MARKS = "'’ \u00a0\u2009\u202f"  # that stand between thousands, beside comma and point
_DIGITS = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_ANY = r"\d[\d.,'’ \u00a0\u2009\u202f]*"  # a number with any marks in it
_MONTH = r"(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-z]*\.?"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?(?: ?(?:z|utc|[+-]\d{2}:?\d{2}))?"
_DATE = (
    r"(?:\d{4}([-/.])\d{1,2}(?:\1\d{1,2})?|\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})"
    rf"|\d{{1,2}}\.?[ -]?{_MONTH}[ -]?,?[ -]?\d{{2,4}}|{_MONTH}[ -]\d{{1,2}},?[ -]\d{{4}}"
    rf"|{_MONTH}[ -]\d{{4}}|\d{{4}}[ -]{_MONTH})"
)
MOST_RANGES = 30  # of a column of words
_NUMERAL = r"\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?"
_INTERVAL = r"[\[(]?-?… ?(?:,|;|:|-|–|to|bis|\.\.) ?-?…[\])]?"
_RANGE = rf"({_DIGITS}) ?(?:-|–|to|bis|\.\.) ?({_DIGITS})"


class Notation(NamedTuple):
    """How a cell is written, and what to say so that it is read."""

    name: str  # the words after 'a number with' or alike
    cures: tuple[dict[str, str], ...] = ()  # arguments of `read`, of which one set is meant
    is_certain: bool = True  # else words are written like this as well

    @property
    def cure(self) -> str:
        """The arguments that say how such numbers are written."""
        sets = ([keyword(*one) for one in cure.items()] for cure in self.cures)
        return " or ".join(" and ".join(said) for said in sets)


# Patterns are compiled, and kept by `re`, when a cell is first looked at: most tables have none.
_PLAIN: list[tuple[str, Notation]] = [
    (rf"{_DATE}(?:[t ]+{_CLOCK})?", Notation("a date")),
    (rf"(?:-?\d+ days?,? )?[+-]?{_CLOCK}", Notation("a time")),
    (r"[+-]?0[xbo][0-9a-f]+(?:\.[0-9a-f]*)?(?:p[+-]?\d+)?", Notation("a hexadecimal number")),
    (r"[+-]?(?:\d+ )?\d+ ?[/⁄] ?\d+", Notation("a fraction")),
    (rf"[+-]?{_ANY}[%‰]|[%‰]{_ANY}", Notation("a number with a percent sign")),
    (rf"\( ?{_ANY}\)", Notation("a number in parentheses")),
    (r"[+-]?\d+(?:_\d+)+(?:\.[\d_]*)?(?:e[+-]?\d+)?",
     Notation("a number with underscores", ({"thousands": "_"},))),
    (rf"{_ANY}[+-]", Notation("a number with its sign behind it")),
    (rf"[+-](?: +|[+-]){_ANY}", Notation("a number with two signs or a blank after its sign")),
    (r"[+-]?\d*[.,]?\d+[.,]?d[+-]?\d+", Notation("a number with the exponent of Fortran")),
    (r"[+-]?\d*[.,]?\d+ ?[x×·*] ?10\^?[+-]?\d+", Notation("a number with a power of ten")),
    (rf"['’`]{_DIGITS}['’`]?|={_DIGITS}|\"{_DIGITS}\"", Notation("a number in quotes")),
    (rf"[+-]?{_DIGITS} ?(?:±|\+/-|\+-) ?{_DIGITS}", Notation("a number with its error")),
]  # fmt: skip
_SPACED = f"[{MARKS}]"
_COMMA = r"[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?"
_EITHER = r"[+-]?[1-9]\d{0,2},\d{3}"
_BY_COMMA = r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?|[+-]?\d{1,3}(?:,\d{2,3})+,\d{3}(?:\.\d*)?"
_BY_POINT = r"[+-]?\d{1,3}(?:\.\d{3})+,\d*|[+-]?\d{1,3}(?:\.\d{3}){2,}"
_BY_SPACE = rf"[+-]?\d{{1,3}}(?:({_SPACED})\d{{3}})(?:\1\d{{3}})*(?:([.,])\d*)?"
_CODES = r"(?:usd|eur|gbp|chf|jpy|cny|inr|aud|cad|sek|nok|dkk|pln|czk|huf|rub|brl|mxn|zar|krw)"
_CURRENCY = rf"[+-]?{_CODES} ?[+-]?{_ANY}|[+-]?{_ANY}{_CODES}|(?:r|kr|fr|rs|us|hk)\.? ?\$? ?{_ANY}"
_UNIT = rf"[+-]?{_ANY}\s*([^\W\d_]{{1,12}}[²³]?|°[CFK]?|[^\W\d_]+/[^\W\d_]+)"
_ORDINALS = {"st", "nd", "rd", "th"}


def notation_of(cell: str) -> Notation | None:
    """How the cell writes its number; None if it is no number, or one as usual."""
    text = cell.strip()
    if not text or len(text) > MOST_LETTERS or not any(map(_is_digit, text)):
        return None
    if re.fullmatch(rf"[+-]?{_DIGITS}", text, re.ASCII):
        return (
            None if text == cell.strip(" \t") else Notation("a number with other blanks about it")
        )
    if found := _with_other_letters(text):
        return found
    for pattern, notation in _PLAIN:
        if re.fullmatch(pattern, text, re.IGNORECASE):
            return notation
    return _with_marks(text) or _with_currency(text) or _like_a_number(text)


def _is_digit(letter: str) -> bool:
    return letter.isdecimal() or unicodedata.numeric(letter, None) is not None


def _with_other_letters(text: str) -> Notation | None:
    """Another minus sign, other digits, ½: all that has a usual form of its own."""
    if text[0] in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2796\ufe63\uff0d\u00ad" and (
        re.fullmatch(_ANY, text[1:].lstrip())
    ):
        return Notation(f"a number with the minus sign U+{ord(text[0]):04X} in place of '-'")
    others = [c for c in text if not c.isascii()]
    if any(c.isdecimal() for c in others) or "٫" in others:
        usual = unicodedata.normalize("NFKC", text).replace("٫", ".").replace("٬", "")
        usual = "".join(str(unicodedata.decimal(c, c)) for c in usual)
        if not re.search(r"[^\W\d_]", usual):
            return Notation("a number in other digits than 0 to 9")
    fraction = [c for c in others if unicodedata.numeric(c, None) is not None and not c.isalpha()]
    if fraction and re.fullmatch(r"[+-]?\d*\W?", text.replace(fraction[0], "")):
        return Notation("a number in other digits than 0 to 9")
    if "·" in others and re.fullmatch(r"[+-]?\d+·\d+", text):
        return Notation("a number with a middle dot")
    return None


def _with_marks(text: str) -> Notation | None:
    """Commas, points and blanks between digits."""
    if re.fullmatch(_EITHER, text):
        name = "a number with a decimal comma or a thousands separator"
        return Notation(name, ({"decimal": ","}, {"thousands": ","}))
    if re.fullmatch(_COMMA, text):
        return Notation("a number with a decimal comma", ({"decimal": ","},))
    if re.fullmatch(_BY_COMMA, text):
        return Notation("a number with thousands separators", ({"thousands": ","},))
    if re.fullmatch(_BY_POINT, text):
        name = "a number with thousands separators" + " and a decimal comma" * ("," in text)
        return Notation(name, ({"thousands": ".", "decimal": ","},))
    if found := re.fullmatch(_BY_SPACE, text):
        mark = found[1] if found[1] in "'’" else " "
        cure = {"thousands": mark}
        if found[2] == ",":
            return Notation(
                "a number with thousands separators and a decimal comma",
                ({**cure, "decimal": ","},),
            )
        return Notation("a number with thousands separators", (cure,))
    return None


def _with_currency(text: str) -> Notation | None:
    signs = [c for c in text if unicodedata.category(c) == "Sc"]
    is_money = signs and re.fullmatch(rf"[+-]?\s*{_ANY}-?", text.replace(signs[0], "", 1).strip())
    if is_money or re.fullmatch(_CURRENCY, text, re.IGNORECASE):
        return Notation("a number with a currency sign")
    return None


def _like_a_number(text: str) -> Notation | None:
    """What is less certain: with a unit, or of digits and marks alone; a range is a word."""
    if (found := re.fullmatch(_UNIT, text)) and found[1].lower() not in _ORDINALS:
        return Notation(f"a number with the unit {found[1]!r}", is_certain=False)
    if text[0] in "<>≤≥=" or text[0] in "[(":
        return None
    if (found := re.fullmatch(_RANGE, text)) and float(found[1]) < float(found[2]):
        return None
    if not any(c.isalpha() for c in text):
        return Notation("digits and marks in no notation that is known", is_certain=False)
    return None


class Odd(NamedTuple):
    """A column of numbers in another notation: one of its cells, and how it is written."""

    cell: str
    notation: Notation


def odd_column(levels: Iterable[str], is_number: frozenset[str] = frozenset()) -> Odd | None:
    """The first cell that shows that a column of words is one of numbers; None if it is not.

    It is one if at least half of its distinct cells are numbers, in whatever notation, and one
    of them in another than the usual. `is_number` are the cells that are numbers as usual.
    What looks like a number and may be a word counts where there are more than FEW_LEVELS.
    """
    found = {level: notation_of(level) for level in levels if level not in is_number}
    certain = [Odd(level, n) for level, n in found.items() if n is not None and n.is_certain]
    n_levels = len(found) + len(is_number)
    if certain and 2 * (len(certain) + len(is_number)) >= n_levels:
        return min(certain, key=lambda odd: len(odd.notation.cures) > 1)  # one that is clear
    names = Counter(n.name for n in found.values() if n is not None)
    if n_levels <= FEW_LEVELS:
        return None
    if not names:
        return decorated(found, n_levels, len(is_number))
    name, times = names.most_common(1)[0]
    if 2 * (times + len(is_number)) < n_levels:
        return decorated(found, n_levels, len(is_number))
    return next(Odd(level, n) for level, n in found.items() if n is not None and n.name == name)


def decorated(levels: Iterable[str], n_levels: int, n_numbers: int) -> Odd | None:
    """The first cell of a column whose numbers all stand within the same other letters.

    Such as <7.0, x7.0 or p = 7.0; at least half of the levels, with numbers as usual, must be
    like that. Stage 1, Q4 or chr22 are words: whole numbers after letters. So are ranges such as
    [0.5, 1.5), unless there are many.
    """
    forms: dict[str, list[str]] = {}
    for level in levels:
        if len(level) <= MOST_LETTERS and re.search(_NUMERAL, level):
            forms.setdefault(re.sub(_NUMERAL, "…", level), []).append(level)
    if not forms:
        return None
    form, cells = max(forms.items(), key=lambda item: len(item[1]))
    if len(cells) <= FEW_LEVELS or 2 * (len(cells) + n_numbers) < n_levels:
        return None
    if re.fullmatch(_INTERVAL, form) and len(cells) <= MOST_RANGES:
        return None
    has_letters = any(letter.isalpha() for letter in form)
    has_parts = any(not number.isdigit() for cell in cells for number in re.findall(_NUMERAL, cell))
    if has_letters and not has_parts:
        return None
    return Odd(cells[0], Notation(f"a number in the form {form!r}", is_certain=False))
