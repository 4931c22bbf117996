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
from novikoff.io.data import Data, n_beyond
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
from novikoff.wording import keyword

LARGEST_INDEX = 2**31 - 2  # so that an index and a count of columns fit int32
NO_QUERY = -1
LETTER, BLANK, LINE_END, COLON = range(4)
_KINDS = np.full(256, LETTER, dtype=np.uint8)
_KINDS[list(b" \t")], _KINDS[list(b"\r\n")], _KINDS[list(b":")] = BLANK, LINE_END, COLON
_TO_LINES = bytes.maketrans(b" \t\r:", b"\n\n\n\n")


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
        return self.options.n_columns is None or self.options.zero_based == "auto"

    def block_of(self, text: bytes) -> SparseBlock:
        """The rows of a text; those that lack a value are marked."""
        is_large = len(text) >= chunks.ARROW_FROM and not self.is_exact
        if is_large and find_spec("pyarrow") is not None:
            block = arrow_rows(text, self.limits)
            if block is not None:
                return block if self.has_labels else block._replace(labels=None)
        rows = SparseRows(self.options.missing == "drop", self.is_exact)
        for line, written in enumerate(text.splitlines(), 1):
            rows.line = line
            self.add_line(written, rows)
        return sort_rows(rows.block(self.has_labels))

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
        least, most = self.limits
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
                    column = int(index) if len(index) < 20 else LARGEST_INDEX + 1
                    if not least <= column <= most:
                        given = self.given_beforehand().items()
                        said = " and ".join(keyword(*one) for one in given)
                        why = f", as {said} say" if said else "; number the columns anew"
                        raise rows.wrong(
                            f"the index of {shown_word(word)} is not from {least} to {most}{why}"
                        )
                    rows.columns.append(column)
                    rows.add(value)
        if len(set(rows.columns[rows.starts[-1] :])) < len(rows.columns) - rows.starts[-1]:
            raise rows.wrong("this row has an index twice")
        rows.labels.append(label)
        rows.queries.append(query)
        rows.starts.append(len(rows.values))
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

    def survey(self, blocks: Iterable[SparseBlock]) -> None:
        """Learn the smallest and the largest index of all blocks."""
        smallest, largest = 2**31 - 1, -1
        for block in blocks:
            smallest, largest = min(smallest, block.extent[0]), max(largest, block.extent[1])
        self.extent = smallest, largest

    def finish(self, blocks: list[SparseBlock]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        options, (smallest, largest) = self.options, self.extent
        first = int(smallest > 0 if options.zero_based == "auto" else not options.zero_based)
        n_columns = needed = largest + 1 - first
        if options.n_columns is not None:
            n_columns = options.n_columns
            if needed > n_columns:
                raise FileError(
                    f"{self.source} has an index 0 and an index {largest}, and "
                    f"n_columns is {n_columns}; it must be at least {needed}."
                )
        elif largest < 0:
            raise FileError(
                f"{self.source} has no entry at all, so it has no columns"
                f"; {keyword('n_columns')} says how many there are."
            )
        for block in blocks if first else ():
            np.subtract(block.columns, 1, out=block.columns)
        facts: dict[str, Any] = {"zero_based": not first, "n_columns": n_columns}
        return replace(self.data(blocks, n_columns, facts), reading=facts)


def arrow_rows(text: bytes, limits: tuple[int, int]) -> SparseBlock | None:
    """The rows of a text whose indices are within `limits`, by numpy and pyarrow.

    All numbers of the text are read as one column; which of them are labels, indices and values is
    told by what stands between them. Where a text holds anything else, such as comments, queries or
    a value that is missing, there is no answer, and it is read line by line.
    """
    if b"#" in text or b"q" in text or b"," in text or not text.isascii():
        return None
    given = np.frombuffer(text, np.uint8)
    kinds = _KINDS[given]
    is_letter = kinds == LETTER
    begins = np.flatnonzero(is_letter[1:] & ~is_letter[:-1]) + 1
    if is_letter[:1].any():
        begins = np.concatenate([[0], begins])
    if not len(begins):
        return None
    before = kinds[begins - 1]
    is_value = before == COLON
    line_numbers = np.cumsum(kinds == LINE_END, dtype=np.int32)[begins]
    is_label = np.diff(line_numbers, prepend=-1) > 0
    is_index = np.append(is_value[1:], False)
    n_colons = text.count(b":")
    # Every number is a label, an index or a value, and every colon stands between two numbers.
    if not (
        n_colons == is_value.sum() == is_index.sum()
        and (is_label ^ is_index ^ is_value).all()
        and not (is_label & is_value).any()
        and is_letter[np.flatnonzero(kinds == COLON) - 1].all()
    ):
        return None
    numbers = _numbers(text, len(begins))
    is_digit = (given >= ord("0")) & (given <= ord("9"))
    digits = np.concatenate([[0], np.cumsum(is_digit, dtype=np.int32)])
    start, end = begins[is_index], begins[is_value] - 1  # of an index, which is of digits alone
    if numbers is None or not (digits[end] - digits[start] == end - start).all():
        return None
    columns, values = numbers[is_index], numbers[is_value]
    if len(columns) and not limits[0] <= columns.min() <= columns.max() <= limits[1]:
        return None
    per_row = np.add.reduceat(is_value, np.flatnonzero(is_label), dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(per_row)])
    block = SparseBlock(
        numbers[is_label], starts, columns.astype(np.int32), values,
        queries=np.full(len(per_row), NO_QUERY), n_rounded=n_beyond(values),
    )  # fmt: skip
    inner = np.ones(max(len(columns) - 1, 0), dtype=bool)  # steps within a row
    ends = starts[1:-1] - 1
    inner[ends[(ends >= 0) & (ends < len(inner))]] = False
    if not (np.diff(block.columns)[inner] > 0).all():
        block = sort_rows(block)
        if not (np.diff(block.columns)[inner] > 0).all():  # a row repeats a column
            return None
    return block


def _numbers(text: bytes, n: int) -> np.ndarray | None:
    """All `n` numbers of a text; None where one is none, or infinite."""
    import pyarrow
    from pyarrow import csv

    try:
        column: Any = csv.read_csv(
            pyarrow.BufferReader(text.translate(_TO_LINES)),
            csv.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=["number"]),
            csv.ParseOptions(quote_char=False),
            csv.ConvertOptions(column_types={"number": pyarrow.float64()}, null_values=[]),
        )["number"].combine_chunks()
    except pyarrow.ArrowException:
        return None
    numbers = np.frombuffer(column.buffers()[1], np.float64)[column.offset :][: len(column)]
    if len(numbers) != n or not np.isfinite(numbers).all():
        return None
    return numbers
