"""svmlight (libsvm) files: `label [qid:n] index:value … # comment`, one row a line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.io import chunks
from novikoff.io.data import Data
from novikoff.io.formats import NUMERAL
from novikoff.io.options import Options
from novikoff.io.sources import Source
from novikoff.io.sparse import (
    IN_NUMERALS,
    SparseBlock,
    SparseReader,
    SparseRows,
    shown_word,
    sort_rows,
    words_of,
)
from novikoff.io.svmlight_arrow import LARGEST_INDEX, NO_QUERY, arrow_rows
from novikoff.wording import keyword


class SvmlightReader(SparseReader):
    """Blocks of svmlight files, and what they are together."""

    called = "svmlight"
    surveyed = ("zero_based", "n_columns")

    def __init__(self, sources: list[Source], options: Options) -> None:
        super().__init__(sources, options)
        most = LARGEST_INDEX
        if options.n_columns is not None:
            most = options.n_columns - (options.zero_based is True)
        self.limits = int(options.zero_based is False), most
        self.extent = 1, -1  # the smallest and the largest index of all blocks

    @property
    def needs_survey(self) -> bool:
        """Whether one pass must come first, to find the columns' number and the first index."""
        return self.options.n_columns is None or self.options.zero_based == "auto"

    def block_of(self, text: bytes) -> SparseBlock:
        """The rows of a text; those that lack a value are marked."""
        block = None
        is_large = len(text) >= chunks.ARROW_FROM
        if is_large and self._may_use_arrow and find_spec("pyarrow") is not None:
            block = arrow_rows(text, self.limits)
        if block is None:
            return self._plain_rows(text)
        return block._replace(labels=None) if self.options.label is False else block

    @property
    def _may_use_arrow(self) -> bool:
        return self.options.numbers not in ("decimal", "as written")

    def _plain_rows(self, text: bytes) -> SparseBlock:
        """The same, line by line."""
        rows = SparseRows(self.options.missing == "drop", self.is_exact)
        for line, written in enumerate(text.splitlines(), 1):
            rows.line = line
            self.add_line(written, rows)
        return sort_rows(self.made_block(rows))

    def add_line(self, written: bytes, rows: SparseRows) -> bool:
        """Add the row of a line; whether it holds one."""
        words = words_of(written.partition(b"#")[0])
        if not words:
            return False
        query, label = NO_QUERY, np.nan
        if b":" not in words[0]:
            if re.match(NUMERAL + rb",", words[0]):
                raise rows.wrong(f"{shown_word(words[0])} is several labels; a row needs one")
            word = words.pop(0)
            label = rows.number(word) if self.has_labels else label
        elif self.needs_labels:
            raise rows.wrong(
                f"{shown_word(words[0])} stands where the row's label should; a number is needed"
                f" ({keyword('label', False)} reads rows without one)"
            )
        if not self._add_usual(words, rows):
            for word in words:
                index, colon, value = word.partition(b":")
                if index == b"qid":
                    if not value.isdigit() or len(value) > 18:
                        raise rows.wrong(f"{shown_word(word)} is not of the form qid:number")
                    query = int(value)
                elif not colon or not index.isdigit():
                    raise rows.wrong(f"{shown_word(word)} is not of the form index:value")
                else:
                    rows.columns.append(self._index(index, word, rows))
                    rows.add(value)
        if len(set(rows.columns[rows.starts[-1] :])) < len(rows.columns) - rows.starts[-1]:
            raise rows.wrong("this row has an index twice")
        rows.labels.append(label)
        rows.queries.append(query)
        rows.end_row()
        return True

    def _add_usual(self, words: list[bytes], rows: SparseRows) -> bool:
        """Add entries index:numeral, all at once; False where there is anything else."""
        n, joined = len(words), b" ".join(words)
        if joined.translate(None, IN_NUMERALS) != (b" :" * n)[1:] or b" +" in b" " + joined:
            return False
        flat = joined.replace(b" ", b":").split(b":") if n else []
        try:
            columns = list(map(int, flat[::2]))
        except ValueError:
            return False
        least, most = self.limits
        is_within = not n or (least <= min(columns) and max(columns) <= most)
        return is_within and rows.add_usual(columns, flat[1::2])

    def _index(self, index: bytes, word: bytes, rows: SparseRows) -> int:
        least, most = self.limits
        found = int(index) if len(index) < 20 else LARGEST_INDEX + 1
        if not least <= found <= most:
            shown = shown_word(word)
            raise rows.wrong(
                f"the index of {shown} is not from {least} to {most}{self._why_outside(shown)}"
            )
        return found

    def survey(self, blocks: Iterable[SparseBlock]) -> None:
        """Learn from all blocks what one alone does not show."""
        smallest, largest = 2**31, -1
        for block in blocks:
            smallest, largest = min(smallest, block.smallest), max(largest, block.largest)
        self.extent = smallest, largest

    def finish(self, blocks: list[SparseBlock]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        first, n_columns = self._columns()
        if first:
            for block in blocks:
                np.subtract(block.columns, 1, out=block.columns)
        facts: dict[str, Any] = {"zero_based": not first, "n_columns": n_columns}
        return replace(self.data(blocks, n_columns, facts), reading=facts)

    def _columns(self) -> tuple[int, int]:
        """The first index, and how many columns there are."""
        options, (smallest, largest) = self.options, self.extent
        first = int(smallest > 0)
        if options.zero_based != "auto":
            first = int(not options.zero_based)
        needed = largest + 1 - first
        if options.n_columns is not None:
            if needed > options.n_columns:
                raise FileError(
                    f"{self.source} has an index 0 and an index {largest}, and "
                    f"n_columns is {options.n_columns}; it must be at least {needed}."
                )
            return first, options.n_columns
        if largest < 0:
            raise FileError(
                f"{self.source} has no entry at all, so it has no columns"
                f"; {keyword('n_columns')} says how many there are."
            )
        return first, needed

    def _why_outside(self, word: str) -> str:
        """What says so: an argument, or that there can be no larger index."""
        if self.options.zero_based is False and re.match(r"'0+:", word):
            return f", as {keyword('zero_based', False)} says"
        if self.limits[1] == LARGEST_INDEX:
            return "; number the columns anew"
        zero_based = self.options.zero_based
        start = f"{keyword('zero_based', zero_based)} and " if zero_based != "auto" else ""
        return f", as {start}{keyword('n_columns')} say"
