"""Whether the first record of a table names its columns.

It does where it has words above numbers, and where it is 0, 1, 2, … as pandas names columns that
have no names. Where that cannot be told, the answer is a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from novikoff.io.fields import is_missing, shown
from novikoff.io.text.notation import notation_of
from novikoff.io.text.numerals import Numerals
from novikoff.wording import keyword

ENOUGH = 5  # columns whose names 0, 1, 2, … no row has by chance
WHOLE = re.compile(r"\d{1,9}")
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
    words = [c for c, kind in enumerate(kinds) if kind == WORD and c != place]
    below = [column_kind(rest, c, numerals) for c in range(len(first))]
    if words and (not rest or any(_is_above_numbers(first[c], rest, c, numerals) for c in words)):
        return Header(True)
    if found := _of_numbers(first, rest, place, kinds, below):
        return found
    if not words:
        return Header(False)
    if len(words) < len(first) - (place is not None):
        return Header(False)
    raise HeaderDoubtError(
        "every column is text, so that line 1 could be a header or a row; say "
        f"{keyword('header', True)} or {keyword('header', False)}."
    )


def label_place(label: str | int | bool | None, width: int) -> int | None:
    """Where the label is thought to be before names are known."""
    if label is False:
        return None
    is_place = label is not None and str(label).isdecimal() and 1 <= int(label) <= width
    return int(label) - 1 if is_place and label is not None else width - 1


def kind_of(cell: str, numerals: Numerals) -> str:
    """A word, nothing, or a number, in whatever notation."""
    if is_missing(cell):
        return NOTHING
    if numerals.is_number(cell):
        return NUMBER
    odd = notation_of(cell)
    return NUMBER if odd is not None and odd.is_certain else WORD


def _is_above_numbers(cell: str, rest: Sequence[Sequence[str]], c: int, numerals: Numerals) -> bool:
    """Whether a word stands above numbers; words that look like numbers stand above others."""
    below = first_cell(rest, c)
    if below is None or numerals.is_number(below):
        return True
    odd, other = notation_of(below), notation_of(cell)
    return odd is not None and (other is None or other.name != odd.name)


def first_cell(records: Sequence[Sequence[str]], c: int) -> str | None:
    """The first cell of a column that is not missing."""
    cells = (record[c] for record in records if c < len(record))
    return next((cell for cell in cells if not is_missing(cell)), None)


def column_kind(records: Sequence[Sequence[str]], c: int, numerals: Numerals) -> str:
    """What the first cell of a column that is not missing holds."""
    cell = first_cell(records, c)
    return NUMBER if cell is None else kind_of(cell, numerals)


def _of_numbers(
    first: Sequence[str], rest: Sequence[Sequence[str]], place: int | None,
    kinds: Sequence[str], below: Sequence[str],
) -> Header | None:  # fmt: skip
    """Whether names that are whole numbers make a header; None where they are none."""
    whole = [cell for cell, kind in zip(first, kinds, strict=True) if kind == NUMBER]
    words = [c for c, kind in enumerate(kinds) if kind == WORD]
    said = ", ".join(first[:6]) + (", …" if len(first) > 6 else "")
    doubt = HeaderDoubtError(
        f"line 1 ({said}) could be the names of the columns or a row; say "
        f"{keyword('header', True)} or {keyword('header', False)}."
    )
    is_alone = (  # a class that line 1 has and no other, where all others come again
        place is not None
        and place < len(first)
        and not _stands(first[place], rest, place)
        and _stand_again(rest, place)
    )
    if not whole or not all(map(WHOLE.fullmatch, whole)) or len(set(whole)) < len(whole):
        if whole and is_alone and len(set(whole)) == len(whole) > 1:
            raise doubt
        return None
    is_count = whole == [str(k) for k in range(len(whole))]
    names = Header(True, f"line 1 ({said}) is taken as the names of the columns")
    if words:
        if any(_stands(first[c], rest, c) for c in words):
            return None  # a word that is found again is a level or a class
        if rest and place in words and below[place] == NUMBER:
            return names  # a word above numbers
        if is_count and len(whole) > 1:
            return names
        again = place in words and _stand_again(rest, place)
        if (is_count and rest) or (again and len(whole) > 1):
            raise doubt
        return None
    if not is_count:
        if is_alone and len(whole) > 2:
            raise doubt
        return None
    if NOTHING in kinds or len(whole) >= ENOUGH:
        return names
    small = len(whole) == len(first) == 2
    if len(whole) > 2 or (small and any("." in cell for row in rest for cell in row)):
        raise doubt
    return None


def _stands(word: str, rest: Sequence[Sequence[str]], c: int) -> bool:
    return any(c < len(record) and record[c] == word for record in rest)


def _stand_again(rest: Sequence[Sequence[str]], c: int) -> bool:
    """Whether every word below stands more than once: classes do, and names do not."""
    cells = [record[c] for record in rest if c < len(record)]
    return len(cells) >= 2 * ENOUGH and all(cells.count(cell) > 1 for cell in set(cells))


def names_of(header: Sequence[str] | None, width: int) -> tuple[str, ...]:
    """The columns' names; x1, x2, … for those without one."""
    found = header or ()
    return tuple(found[c] if c < len(found) and found[c] else f"x{c + 1}" for c in range(width))


def quoted_name(names: Sequence[str], named: bool, c: int) -> str:
    """The column as a message names it."""
    return shown(names[c]) if named else str(c + 1)
