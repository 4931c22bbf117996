"""What the first lines of a text table show: which character separates its cells, whether the first
record names the columns, and whether points may separate thousands.

The first record is a header where it has words above numbers, and where it is 0, 1, 2, … as pandas
names columns that have no names. Where that cannot be told, the answer is a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from novikoff.io.fields import Numerals, is_infinite, notation_of
from novikoff.io.options import Options
from novikoff.wording import keyword

MARKS = ",;\t"
OTHERS = "|~^:!&@/"  # that are taken where they are said
MANY_NAMES = 5  # columns whose names 0, 1, 2, … no row has by chance
_STATED = re.compile(rb'"?sep=([,;\t|:!~^&@%$*/])"?[ ;,\t]*(?:\r\n|\n|\r|\Z)', re.IGNORECASE)
_QUOTED = re.compile(rb'"[^"]*"')
_LINE_END = re.compile(rb"\r\n|\n|\r")
_DECIMAL = re.compile(rb"(?<=\d),(?=\d)")
_WHOLE = re.compile(r"\d{1,9}")
_WITH_POINT = rb"[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?"
_CELL = re.compile(rb'(?:^|(?<=[;\r\n]))[ \t]*"?(' + _WITH_POINT + rb')"?[ \t]*(?=[;\r\n]|\Z)')
_GROUPED = re.compile(rb"[+-]?[1-9]\d{0,2}\.\d{3}")
WORD, NUMBER, NOTHING = "word", "number", "nothing"


def find_delimiter(text: bytes) -> str:
    """The one of comma, semicolon and tab that the first line has most of, outside quotes.

    Where semicolons or tabs are there too, and every cell between them that has commas is a
    number, as in `5,1;3,5;yes`, the commas belong to the numbers.
    """
    first = _QUOTED.sub(b"", _LINE_END.split(text.lstrip(b"\r\n"), maxsplit=1)[0])
    counts = {mark: first.count(mark.encode()) for mark in MARKS}
    other = max(";\t", key=counts.__getitem__)
    if counts[other] and counts[","] == len(_DECIMAL.findall(first)) > 0:
        cells = first.decode("utf-8", "replace").split(other)
        if all(notation_of(cell) is not None for cell in cells if "," in cell):
            return other
    return max(MARKS, key=counts.__getitem__)


def stated_delimiter(text: bytes) -> str | None:
    """The delimiter that a first line such as sep=; states, as spreadsheets write it."""
    found = _STATED.match(text)
    return None if found is None else found[1].decode()


def other_delimiter(text_lines: Sequence[str]) -> str:
    """What to do about lines without comma, semicolon and tab: the end of a sentence.

    A mark that stands in each of them as often as in the first is what separates their cells.
    """
    blanks = {len(line.split()) for line in text_lines}
    for mark in OTHERS if max(blanks, default=0) < 2 else "|":
        n = text_lines[0].count(mark) if text_lines else 0
        if n and all(line.count(mark) == n for line in text_lines):
            return f": say {keyword('delimiter', mark)}"
    if len(blanks) == 1 and blanks != {1}:
        return "; cells that blanks separate are not told apart: put commas there"
    return ""


class HeaderDoubtError(Exception):
    """Why nobody can tell: a sentence that ends in what to say."""

    def __init__(self, what: str) -> None:
        cure = f"say {keyword('header', True)} or {keyword('header', False)}."
        super().__init__(f"{what}; {cure}")


class Header(NamedTuple):
    """The answer, and a remark on it where a person might think otherwise."""

    is_there: bool
    note: str | None = None


def find_header(
    first: Sequence[str],
    rest: Sequence[Sequence[str]],
    label: str | int | bool | None,
    numerals: Numerals,
) -> Header:
    """Whether the record `first`, above the records `rest`, is a header."""
    is_word = isinstance(label, str) and label in first and not numerals.is_number(label)
    if is_word and not _stands(str(label), rest, first.index(str(label))):  # else it is a class
        return Header(True)
    place = label_place(label, len(first))
    kinds = [kind_of(cell, numerals) for cell in first]
    words = [c for c, kind in enumerate(kinds) if kind == WORD]
    features = [c for c in words if c != place]
    if features and (not rest or any(_is_above_numbers(rest, c, numerals) for c in words)):
        return Header(True)
    if NUMBER in kinds and not any(_stands(first[c], rest, c) for c in words):
        numbers = [cell for cell, kind in zip(first, kinds, strict=True) if kind == NUMBER]
        above_numbers = rest and any(_is_above_numbers(rest, c, numerals) for c in words)
        return _of_numbers(first, rest, place, numbers, bool(words), bool(above_numbers))
    if len(features) < len(first) - (place is not None):
        return Header(False)
    raise HeaderDoubtError("every column is text, so that line 1 could be a header or a row")


def _of_numbers(
    first: Sequence[str], rest: Sequence[Sequence[str]], place: int | None,
    numbers: Sequence[str], has_words: bool, above_numbers: bool,
) -> Header:  # fmt: skip
    """Whether a record with numbers in it, and perhaps words that no other record has, is one."""
    listed = ", ".join(first[:6]) + (", …" if len(first) > 6 else "")
    if not all(map(_WHOLE.fullmatch, numbers)) or len(set(numbers)) < len(numbers):
        return Header(False)
    counts = list(numbers) == [str(k) for k in range(len(numbers))]
    is_sure = has_words or len(numbers) < len(first) or len(numbers) >= MANY_NAMES
    if above_numbers or (counts and is_sure and len(numbers) > 1):
        return Header(True, f"line 1 ({listed}) is taken as the names of the columns")
    has_parts = any("." in cell for row in rest for c, cell in enumerate(row) if c != place)
    is_open = counts and (len(numbers) > 2 or has_parts)
    if place is not None and not _stands(first[place], rest, place):
        # Line 1 has a class of its own, above classes that come again or numbers with decimals.
        labels = [record[place] for record in rest if place < len(record)]
        again = [labels.count(other) > 1 for other in labels] or [False]
        is_own = has_parts or (any if has_words else all)(again)
        is_open = is_open or (is_own and (has_words or len(numbers) > 1))
    if is_open:
        raise HeaderDoubtError(f"line 1 ({listed}) could be the names of the columns or a row")
    return Header(False)


def label_place(label: str | int | bool | None, width: int) -> int | None:
    """Where the label is thought to be before names are known."""
    if label is False:
        return None
    is_place = label is not None and str(label).isdecimal() and 1 <= int(label) <= width
    return int(label) - 1 if is_place and label is not None else width - 1


def kind_of(cell: str, numerals: Numerals) -> str:
    """A word, nothing, or a number, in whatever notation."""
    if numerals.is_missing(cell):
        return NOTHING
    if numerals.is_number(cell) or is_infinite(cell) or notation_of(cell) is not None:
        return NUMBER
    return WORD


def _is_above_numbers(rest: Sequence[Sequence[str]], c: int, numerals: Numerals) -> bool:
    """Whether a column holds numbers below its first cell, or nothing."""
    below = first_cell(rest, c, numerals)
    return below is None or kind_of(below, numerals) == NUMBER


def first_cell(records: Sequence[Sequence[str]], c: int, numerals: Numerals) -> str | None:
    """The first cell of a column that is not missing."""
    cells = (record[c] for record in records if c < len(record))
    return next((cell for cell in cells if not numerals.is_missing(cell)), None)


def _stands(word: str, rest: Sequence[Sequence[str]], c: int) -> bool:
    return any(c < len(record) and record[c] == word for record in rest)


class Points:
    """Whether points may separate thousands: 1.500 and 30.000 between semicolons.

    Where such a table has a number with any other point, such as 0.5 or 1.25, points are decimal
    marks. Where it has none, nobody can tell, and the two readings differ by a factor of 1000.
    """

    def __init__(self, options: Options, delimiter: str | None) -> None:
        is_said = options.decimal is not None or options.thousands is not None
        self.are_decimal = is_said or delimiter != ";"
        self.grouped: str | None = None  # the first number that may have thousands

    def look(self, text: bytes) -> None:
        if self.are_decimal or b"." not in text:
            return
        for cell in _CELL.finditer(text):
            if not _GROUPED.fullmatch(cell[1]):
                self.are_decimal = True
                return
            self.grouped = self.grouped or cell[1].decode()

    @property
    def question(self) -> str | None:
        """What to ask, where all that was looked at leaves it open."""
        if self.are_decimal or self.grouped is None:
            return None
        return (
            f"every number with a point, such as {self.grouped}, has three digits after it, so "
            f"that its point may be a decimal mark or separate thousands; say "
            f"{keyword('decimal', '.')}, or {keyword('thousands', '.')} with "
            f"{keyword('decimal', ',')}."
        )
