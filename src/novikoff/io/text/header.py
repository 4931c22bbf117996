"""Whether the first record of a table names its columns.

It does where it has words above numbers, and where it is 0, 1, 2, … as pandas names columns that
have no names. Where that cannot be told, the answer is a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from novikoff.io.fields import is_infinite
from novikoff.io.text.notation import notation_of
from novikoff.io.text.numerals import Numerals
from novikoff.wording import keyword

MANY_NAMES = 5  # columns whose names 0, 1, 2, … no row has by chance
_WHOLE = re.compile(r"\d{1,9}")
WORD, NUMBER, NOTHING = "word", "number", "nothing"


class HeaderDoubtError(Exception):
    """Why nobody can tell: a sentence that ends in what to say."""


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
    raise HeaderDoubtError(
        "every column is text, so that line 1 could be a header or a row; say "
        f"{keyword('header', True)} or {keyword('header', False)}."
    )


def _of_numbers(
    first: Sequence[str], rest: Sequence[Sequence[str]], place: int | None,
    numbers: Sequence[str], has_words: bool, above_numbers: bool,
) -> Header:  # fmt: skip
    """Whether a record with numbers in it, and perhaps words that no other record has, is one."""
    listed = ", ".join(first[:6]) + (", …" if len(first) > 6 else "")
    names = Header(True, f"line 1 ({listed}) is taken as the names of the columns")
    if not all(map(_WHOLE.fullmatch, numbers)) or len(set(numbers)) < len(numbers):
        return Header(False)
    counts = list(numbers) == [str(k) for k in range(len(numbers))]
    is_sure = has_words or len(numbers) < len(first) or len(numbers) >= MANY_NAMES
    if above_numbers or (counts and is_sure and len(numbers) > 1):
        return names
    has_parts = any("." in cell for row in rest for c, cell in enumerate(row) if c != place)
    is_open = counts and (len(numbers) > 2 or has_parts)
    if place is not None and not _stands(first[place], rest, place):
        # Line 1 has a class of its own, above classes that come again or numbers with decimals.
        labels = [record[place] for record in rest if place < len(record)]
        again = [labels.count(other) > 1 for other in labels] or [False]
        is_own = has_parts or (any if has_words else all)(again)
        is_open = is_open or (is_own and (has_words or len(numbers) > 1))
    if is_open:
        raise HeaderDoubtError(
            f"line 1 ({listed}) could be the names of the columns or a row; say "
            f"{keyword('header', True)} or {keyword('header', False)}."
        )
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
