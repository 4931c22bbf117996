"""Rows of a table: numbers, words and labels, without a missing value.

Numbers and text do not mix in one column: which of the two was meant would be a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from novikoff.io.fields import is_number as is_usual
from novikoff.io.fields import leaving_out, missing_value, shown
from novikoff.io.labels import MISSING_CODE, Coded, wanted_rows
from novikoff.io.layout import Layout
from novikoff.io.options import Options
from novikoff.io.text.notation import Odd, odd_column
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

    def number(self, place: int) -> int:
        """The number that a row of this block has among all rows, those left out included."""
        for left in self.dropped.tolist():
            if left > place:
                break
            place += 1
        return place


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
    if options.classes is not None and labels is not None:
        wanted = wanted_rows(labels, options.classes)
        if not wanted.all():
            places = np.flatnonzero(wanted)
            block = make_block(
                layout, replace(options, classes=None), numbers[wanted],
                None if missing is None else missing[wanted],
                [words.of_rows(wanted) for words in texts],
                _kept(labels, wanted),
                lambda row, message: wrong(int(places[row]), message), n_rounded,
            )  # fmt: skip
            kept = np.delete(places, block.dropped)
            return block._replace(dropped=np.delete(np.arange(len(wanted)), kept))
    keep = np.ones(len(numbers), dtype=bool)
    if missing is not None:
        keep &= ~missing.any(axis=1)
        if options.missing == "error" and not keep.all():
            row = int(np.argmin(keep))
            column = layout.numbers[int(np.argmax(missing[row]))]
            raise wrong(row, f", column {layout.quoted(column)}: {missing_value()}")
    for c, words in zip(layout.texts, texts, strict=True):
        if options.missing == "error" and (words.codes == MISSING_CODE).any():
            row = int(np.argmin(words.codes))
            raise wrong(row, f", column {layout.quoted(c)}: {missing_value(needed='text')}")
        _check_levels(layout, options, c, words, wrong)
        keep &= words.codes != MISSING_CODE
    if isinstance(labels, Coded):
        if options.missing == "error" and (labels.codes == MISSING_CODE).any():
            row = int(np.argmin(labels.codes))
            label = layout.quoted(layout.label or 0)
            raise wrong(row, f": the label (column {label}) is missing{leaving_out()}")
        keep &= labels.codes != MISSING_CODE
    if keep.all():
        return TableBlock(numbers, tuple(texts), labels, n_rounded=n_rounded)
    kept_texts = tuple(words.of_rows(keep) for words in texts)
    dropped = np.flatnonzero(~keep)
    return TableBlock(numbers[keep], kept_texts, _kept(labels, keep), dropped, n_rounded)


def _kept(labels: Coded | np.ndarray | None, keep: np.ndarray) -> Any:
    if labels is None:
        return None
    return labels.of_rows(keep) if isinstance(labels, Coded) else labels[keep]


def _check_levels(layout: Layout, options: Options, c: int, words: Coded, wrong: Wrong) -> None:
    where = f", column {layout.quoted(c)}: "
    if options.encoding is not None and options.unseen == "error":
        known = frozenset(options.encoding[layout.names[c]])
        for level, row in zip(words.levels, words.firsts, strict=True):
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
    for level, row in zip(words.levels, words.firsts, strict=True):
        if not numerals_of.is_usual and is_usual(level) and not is_number(level):
            what = f"the value is {shown(level)}, which is no number with {numerals_of.arguments}"
            raise wrong(row, f"{where}{what}{options.twice_used}")
    numerals = [level for level in words.levels if is_number(level)]
    if not numerals:
        return
    odd = odd_column(words.levels, frozenset(numerals))
    if odd is not None:
        row = words.firsts[words.levels.index(odd.cell)]
        raise wrong(row, f"{where}{odd_cell(layout, c, odd)}")
    cure = f"; say {keyword('categorical', layout.wanted(c))} to take its numbers as levels too"
    found = shown(numerals[0])
    word = next((k for k, level in enumerate(words.levels) if not is_number(level)), None)
    if word is None:
        row = words.firsts[words.levels.index(numerals[0])]
        message = f"the value is the number {found} in a column of text"
    else:
        row = words.firsts[word]
        message = f"the value is {shown(words.levels[word])}, and the column has numbers ({found})"
        cure += leaving_out(words.levels[word])
    raise wrong(row, f"{where}{message}{cure}")


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
