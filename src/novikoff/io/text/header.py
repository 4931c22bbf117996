"""Whether the first record of a table names its columns.

It does where it has words above numbers, and where it is 0, 1, 2, … as pandas names columns that
have no names. Where that cannot be told, the answer is a question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from novikoff.io.fields import is_infinite, shown
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


def check_second_line(
    first: Sequence[str], rest: Sequence[Sequence[str]], numbered: tuple[int, int],
    chosen: Collection[str], label: str | int | bool | None, numerals: Numerals,
) -> None:  # fmt: skip
    """Raise where the second line is none of the rows: units, or the names under merged cells.

    It has words and no number; below it columns hold numbers alone where it has words. `numbered`
    are the numbers of the first two, `chosen` the columns whose numbers are levels.
    """
    second, below = rest[0], rest[1:]
    kinds = [kind_of(cell, numerals) for cell in (*first, *second)]
    if NUMBER in kinds or WORD not in kinds[len(first) :]:
        return
    place = label_place(label, len(first))
    if isinstance(label, str) and label in first:
        place = list(first).index(label)
    odd = [
        c for c, cell in enumerate(second[: len(first)])
        if c != place and first[c] not in chosen and kind_of(cell, numerals) == WORD
        and {kind_of(row[c], numerals) for row in below if c < len(row)} <= {NUMBER, NOTHING}
        and first_cell(below, c, numerals) is not None
    ]  # fmt: skip
    if not odd:
        return
    shown_cells = ", ".join(map(shown, second[:4])) + (", …" if len(second) > 4 else "")
    said = f"line {numbered[1]} ({shown_cells}) has words where the lines below have numbers"
    if NOTHING in kinds[: len(first)] or len(set(first)) < len(first):
        raise HeaderDoubtError(
            f"{said}, as names have that stand under merged cells; "
            f"{keyword('skip_rows', numbered[1] - 1)} takes that line as the header."
        )
    named = (
        f" {keyword('label', place + 1)}" if isinstance(label, str) and place is not None else ""
    )
    raise HeaderDoubtError(
        f"{said}, as units have; delete that line, or say {keyword('skip_rows', numbered[1])} "
        f"{keyword('header', False)}{named} and name columns by their numbers."
    )


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
    if numerals.is_number(cell) or is_infinite(cell):
        return NUMBER
    odd = notation_of(cell)
    return NUMBER if odd is not None else WORD


def _is_above_numbers(cell: str, rest: Sequence[Sequence[str]], c: int, numerals: Numerals) -> bool:
    """Whether a word stands above numbers; words that look like numbers stand above others."""
    below = first_cell(rest, c, numerals)
    if below is None or numerals.is_number(below) or is_infinite(below):
        return True
    odd, other = notation_of(below), notation_of(cell)
    return odd is not None and (other is None or other.name != odd.name)


def first_cell(records: Sequence[Sequence[str]], c: int, numerals: Numerals) -> str | None:
    """The first cell of a column that is not missing."""
    cells = (record[c] for record in records if c < len(record))
    return next((cell for cell in cells if not numerals.is_missing(cell)), None)


def column_kind(records: Sequence[Sequence[str]], c: int, numerals: Numerals) -> str:
    """What the first cell of a column that is not missing holds."""
    cell = first_cell(records, c, numerals)
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
    is_new = place is not None and place < len(first) and not _stands(first[place], rest, place)
    labels = [record[place] for record in rest if place is not None and place < len(record)]
    comes_again = [labels.count(label) > 1 for label in labels]
    if not whole or not all(map(WHOLE.fullmatch, whole)) or len(set(whole)) < len(whole):
        is_many = len(labels) >= 2 * ENOUGH and all(comes_again)
        if whole and is_new and is_many and len(set(whole)) == len(whole) > 1:
            raise doubt
        return None
    # Line 1 has a class of its own, above classes that come again or numbers that are not whole.
    has_parts = any("." in cell for row in rest for c, cell in enumerate(row) if c != place)
    is_alone = is_new and (has_parts or (any if place in words else all)(comes_again or [False]))
    is_count = whole == [str(k) for k in range(len(whole))]
    names = Header(True, f"line 1 ({said}) is taken as the names of the columns")
    if words:
        if any(_stands(first[c], rest, c) for c in words):
            return None  # a word that is found again is a level or a class
        if rest and place in words and below[place] == NUMBER:
            return names  # a word above numbers
        if is_count and len(whole) > 1:
            return names
        if (is_count and rest) or (place in words and is_alone):
            raise doubt
        return None
    if not is_count:
        if is_alone and len(whole) > 1:
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


def names_of(header: Sequence[str] | None, width: int) -> tuple[str, ...]:
    """The columns' names; x1, x2, … for those without one."""
    found = header or ()
    return tuple(found[c] if c < len(found) and found[c] else f"x{c + 1}" for c in range(width))


def quoted_name(names: Sequence[str], named: bool, c: int) -> str:
    """The column as a message names it."""
    return shown(names[c]) if named else str(c + 1)
