"""Rows of a table: numbers, words and labels, without a missing value.

Numbers and text do not mix in one column: which of the two was meant would be a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from novikoff.io.fields import Odd, leaving_out, missing_value, odd_column, shown
from novikoff.io.fields import is_number as is_usual
from novikoff.io.labels import MISSING_CODE, Coded, wanted_rows
from novikoff.io.layout import Layout
from novikoff.io.options import Options
from novikoff.wording import keyword

NO_ROWS = np.empty(0, dtype=np.int64)
Wrong = Callable[[int, str], Exception]  # (row, message) to an exception that says where it is


class TableBlock(NamedTuple):
    """Some rows, none of which lacks a value."""

    numbers: np.ndarray  # (n, m): float64, or Fractions
    texts: tuple[Coded, ...]
    labels: Coded | np.ndarray | None
    dropped: np.ndarray = NO_ROWS  # the places of rows that were left out, among all of the block
    n_rounded: int = 0  # numbers that are not what the file has

    @property
    def n_rows(self) -> int:
        return len(self.numbers)

    @property
    def n_dropped(self) -> int:
        return len(self.dropped)


def make_block(
    layout: Layout,
    options: Options,
    numbers: np.ndarray,
    missing: np.ndarray | None,
    texts: list[Coded],
    labels: Coded | np.ndarray | None,
    wrong: Wrong,
    n_rounded: int = 0,
) -> TableBlock:
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
    where = f", column {layout.quoted(c)}: "
    row_of = dict(zip(words.levels, words.firsts, strict=True))
    if options.encoding is not None and options.unseen == "error":
        known = frozenset(options.encoding[layout.names[c]])
        for level, row in row_of.items():
            if level not in known:
                cure = f" ({keyword('unseen', 'zeros')} takes such a level as all zeros)"
                raise wrong(
                    row,
                    f"{where}the level {shown(level)} is not in the encoding"
                    f"{cure * (options.levels == 'all')}",
                )
    if c in layout.chosen or layout.typed:
        return
    numerals_of, is_number = options.numerals, options.numerals.is_number
    for level, row in row_of.items():
        if not numerals_of.is_usual and is_usual(level) and not is_number(level):
            what = f"the value is {shown(level)}, which is no number with {numerals_of.arguments}"
            raise wrong(row, f"{where}{what}")
    numerals = [level for level in words.levels if is_number(level)]
    if not numerals:
        return
    if odd := odd_column(words.levels, frozenset(numerals)):
        raise wrong(row_of[odd.cell], f"{where}{odd_cell(layout, c, odd)}")
    cure = f"; say {keyword('categorical', layout.wanted(c))} to take its numbers as levels too"
    found = shown(numerals[0])
    word = next((level for level in words.levels if not is_number(level)), None)
    if word is None:
        message = f"the value is the number {found} in a column of text"
    else:
        message = f"the value is {shown(word)}, and the column has numbers ({found})"
        cure += leaving_out(word)
    raise wrong(row_of[word or numerals[0]], f"{where}{message}{cure}")


def odd_cell(layout: Layout, c: int, odd: Odd) -> str:
    """What to say of a column of numbers in another notation, after its name."""
    said = "" if layout.typed else odd.notation.cure  # a typed file does not say how text reads
    cures = [f"say {said}"] if said else []
    cures.append(f"{'or ' * bool(cures)}take its cells as levels with {naming(layout, c)}")
    write = [] if said else ["write numbers like 1234.5"]
    write = ["store the column as numbers"] if layout.typed else write
    return f"{shown(odd.cell)} is {odd.notation.name}; {', '.join(write + cures)}"


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
