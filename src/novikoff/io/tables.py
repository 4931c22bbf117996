"""Blocks of rows of a table: numbers, words and labels, without a missing value.

Numbers and text do not mix in one column: which of the two was meant would be a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from novikoff.io.fields import (
    Notation,
    is_number,
    leaving_out,
    missing_value,
    odd_number,
    shown,
)
from novikoff.io.labels import MISSING_CODE, Coded, wanted_rows
from novikoff.io.layout import Layout
from novikoff.io.options import Options
from novikoff.wording import keyword

Wrong = Callable[[int, str], Exception]  # (row, message) to an exception that says where it is


class TableBlock(NamedTuple):
    """Some rows, none of which lacks a value."""

    numbers: np.ndarray  # (n, m): float64, or Fractions
    texts: tuple[Coded, ...]
    labels: Coded | np.ndarray | None
    dropped: np.ndarray = np.empty(0, dtype=np.int64)  # rows left out, among all of the block
    n_rounded: int = 0  # numbers that are not what the file has

    @property
    def n_rows(self) -> int:
        return len(self.numbers)

    @property
    def n_dropped(self) -> int:
        return len(self.dropped)


def make_block(
    layout: Layout, options: Options, numbers: np.ndarray, missing: np.ndarray | None,
    texts: list[Coded], labels: Coded | np.ndarray | None, wrong: Wrong, n_rounded: int = 0,
) -> TableBlock:  # fmt: skip
    """A block of these columns; `missing` marks the numbers that are not there, None if none is.

    A row that lacks a value is dropped, or is what is wrong, as `options` say; one of a class that
    is not wanted is dropped, whatever it lacks.
    """
    keep = np.ones(len(numbers), dtype=bool)
    if options.classes is not None and labels is not None:
        keep = wanted_rows(labels, options.classes)
    wanted = keep.copy()

    def take_out(lacks: Any) -> int | None:
        """Drop rows that lack a value; the first of them where that is an error."""
        lacks = lacks & keep
        if options.missing == "error":
            return int(np.argmax(lacks)) if lacks.any() else None
        keep[lacks] = False
        return None

    if missing is not None and (row := take_out(missing.any(axis=1))) is not None:
        column = layout.numbers[int(np.argmax(missing[row]))]
        raise wrong(row, f", column {layout.quoted(column)}: {missing_value()}")
    for c, words in zip(layout.texts, texts, strict=True):
        if (row := take_out(words.codes == MISSING_CODE)) is not None:
            raise wrong(row, f", column {layout.quoted(c)}: {missing_value(needed='text')}")
        _check_levels(layout, options, c, words if wanted.all() else words.of_rows(wanted), wrong)
    if isinstance(labels, Coded) and (row := take_out(labels.codes == MISSING_CODE)) is not None:
        label = layout.quoted(layout.label or 0)
        raise wrong(row, f": the label (column {label}) is missing{leaving_out()}")
    if keep.all():
        return TableBlock(numbers, tuple(texts), labels, n_rounded=n_rounded)
    if labels is not None:
        labels = labels.of_rows(keep) if isinstance(labels, Coded) else labels[keep]
    kept_texts = tuple(words.of_rows(keep) for words in texts)
    return TableBlock(numbers[keep], kept_texts, labels, np.flatnonzero(~keep), n_rounded)


def _check_levels(layout: Layout, options: Options, c: int, words: Coded, wrong: Wrong) -> None:
    """Raise where a level is not in the encoding, or shows that the column is no text."""
    where, numerals = f", column {layout.quoted(c)}: ", options.numerals
    row_of = dict(zip(words.levels, words.firsts, strict=True))
    if options.encoding is not None and options.unseen == "error":
        known = frozenset(options.encoding[layout.names[c]])
        for level in words.levels:
            if level not in known:
                cure = f" ({keyword('unseen', 'zeros')} takes such a level as all zeros)"
                cure *= options.levels == "all"
                what = f"the level {shown(level)} is not in the encoding{cure}"
                raise wrong(row_of[level], f"{where}{what}")
    if c in layout.chosen or layout.typed:
        return
    others = [level for level in words.levels if not numerals.is_number(level)]
    for level in others if not numerals.is_usual else ():
        if is_number(level):
            what = f"the value is {shown(level)}, which is no number with {numerals.arguments}"
            raise wrong(row_of[level], f"{where}{what}")
    if odd := odd_number(others):
        raise wrong(row_of[odd.cell], f"{where}{odd_cell(layout, c, odd)}")
    if len(others) == len(words.levels):
        return
    number = next(level for level in words.levels if numerals.is_number(level))
    cure = f"; say {keyword('categorical', layout.wanted(c))} to take its numbers as levels too"
    message = f"the value is the number {shown(number)} in a column of text"
    if others:
        message = f"the value is {shown(others[0])}, and the column has numbers ({shown(number)})"
        cure += leaving_out(others[0])
    raise wrong(row_of[others[0] if others else number], f"{where}{message}{cure}")


def odd_cell(layout: Layout, c: int, odd: Notation) -> str:
    """What to say of a column of numbers in another notation, after its name."""
    said = "" if layout.typed else odd.cure  # a typed file does not say how text reads
    cures = [f"say {said}"] if said else []
    cures.append(f"{'or ' * bool(cures)}take its cells as levels with {naming(layout, c)}")
    write = [] if said else ["write numbers like 1234.5"]
    write = ["store the column as numbers"] if layout.typed else write
    return f"{shown(odd.cell)} is {odd.name}; {', '.join(write + cures)}"


def naming(layout: Layout, c: int) -> str:
    """The two ways to name a column of text that is not to be guessed at."""
    name = layout.wanted(c)
    return f"{keyword('categorical', name)}, or leave it out with {keyword('drop', name)}"


def words_of(column: Sequence[str], is_missing: Callable[[str], bool]) -> Coded:
    """A column of words."""
    seen: dict[str, int] = {}
    firsts: list[int] = []
    codes = np.empty(len(column), dtype=np.int32)
    for row, word in enumerate(column):
        code = seen.get(word)
        if code is None:
            if is_missing(word):
                code = MISSING_CODE
            else:
                code = seen[word] = len(seen)
                firsts.append(row)
        codes[row] = code
    return Coded(codes, list(seen), firsts)


# Columns of Arrow by their buffers: Arrow's own conversions to numpy import pandas.


def values_of(column: Any, dtype: Any) -> np.ndarray:
    """The values of an array of Arrow, whatever stands where one is null."""
    if not len(column):
        return np.empty(0, dtype=dtype)
    values = np.frombuffer(column.buffers()[1], dtype=dtype)
    return values[column.offset : column.offset + len(column)]


def is_null(column: Any) -> np.ndarray:
    """Which values of an array of Arrow are null."""
    return values_of(column.is_null().cast("uint8"), np.uint8).astype(bool)


def dictionary_words(column: Any, read: Callable[[str], str | None] = str) -> Coded:
    """A dictionary-encoded array as words; `read` makes None of a word that stands for nothing."""
    indices = column.indices.cast("int64")
    places = np.where(is_null(indices), MISSING_CODE, values_of(indices, np.int64))
    listed = [word if word is None else read(word) for word in column.dictionary.to_pylist()]
    firsts = np.full(len(listed) + 1, len(places))  # the last for no word
    firsts[places[::-1]] = np.arange(len(places))[::-1]
    levels: dict[str, int] = {}
    rows: list[int] = []
    ranks = np.full(len(listed) + 1, MISSING_CODE, dtype=np.int32)
    for place, (word, row) in enumerate(zip(listed, firsts.tolist(), strict=False)):
        if word is None or row == len(places):
            continue
        if word not in levels:
            levels[word] = len(levels)
            rows.append(row)
        ranks[place] = levels[word]
    return Coded(ranks[places], list(levels), rows)
