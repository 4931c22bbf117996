"""svmlight (libsvm) files: `label [qid:n] index:value … # comment`, one row a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from novikoff.errors import FileError, ParameterError
from novikoff.io import chunks
from novikoff.io.chunks import Chunk, TextError, chunks_of, count, parsed
from novikoff.io.data import Data, join_columns, rows_left_out
from novikoff.io.fields import shown
from novikoff.io.formats import NUMERAL
from novikoff.io.identity import Identified
from novikoff.io.labels import signs_of
from novikoff.io.options import Options
from novikoff.io.rounding import Budget
from novikoff.io.sources import Source
from novikoff.io.sparse import Extent, SparseBlock, SparseRows, keep_rows, sort_rows, words_of
from novikoff.io.sparse_exact import sparse_rows
from novikoff.io.svmlight_arrow import LARGEST_INDEX, NO_QUERY, arrow_rows
from novikoff.wording import keyword


class SvmlightReader(Identified):
    """Blocks of svmlight files, and what they are together."""

    format = "svmlight"
    surveyed = ("zero_based", "n_columns")

    def __init__(self, sources: list[Source], options: Options) -> None:
        self.sources = sources
        self.options = options
        self.source = sources[0].name if len(sources) == 1 else f"{len(sources)} files"
        if options.label not in (None, False):
            raise ParameterError(
                f"{self.source} is svmlight, where every row begins with its label; leave "
                f"{keyword('label')} out."
            )
        most = LARGEST_INDEX
        if options.n_columns is not None:
            most = options.n_columns - (options.zero_based is True)
        self.limits = int(options.zero_based is False), most
        self.extent: Extent | None = None
        self.budget = Budget(options.numbers)

    @property
    def needs_survey(self) -> bool:
        """Whether one pass must come first, to find the columns' number and the first index."""
        return self.options.n_columns is None or self.options.zero_based == "auto"

    def blocks(self) -> Iterator[SparseBlock]:
        yield from parsed(chunks_of(self.sources), self.parse)

    def parse(self, chunk: Chunk) -> tuple[int, SparseBlock]:
        """The lines of the chunk and its rows, or TextError."""
        n_lines, _, _ = count(chunk.text)
        block = None
        if len(chunk.text) >= chunks.ARROW_FROM and self._may_use_arrow():
            block = arrow_rows(chunk.text, self.limits)
        if block is None:
            block = self._plain_rows(chunk.text)
        elif self.options.label is False:
            block = block._replace(labels=None)
        return n_lines, keep_rows(block, self.options.classes)

    def _may_use_arrow(self) -> bool:
        exact = self.options.numbers in ("decimal", "as written")
        return not exact and find_spec("pyarrow") is not None

    def _plain_rows(self, text: bytes) -> SparseBlock:
        """The rows of a text, line by line; those that lack a value are marked."""
        needs_label = self.options.label is not False
        rows = SparseRows(may_drop=self.options.missing == "drop")
        queries: list[int] = []
        for line, written in enumerate(text.splitlines(), 1):
            words = words_of(written.partition(b"#")[0])
            if not words:
                continue
            rows.begin(line)
            query = NO_QUERY
            label = words[0]
            if b":" in label:
                if needs_label:
                    raise self._wrong(
                        f"{_shown(label)} stands where the row's label should; a number is needed"
                        f" ({keyword('label', False)} reads rows without one)",
                        line,
                    )
                rows.labels.append(np.nan)
            else:
                if re.match(NUMERAL + rb",", label):
                    raise self._wrong(f"{_shown(label)} is several labels; a row needs one", line)
                del words[0]
                rows.labels.append(rows.number(label) if needs_label else np.nan)
            for word in words:
                index, colon, value = word.partition(b":")
                if index == b"qid":
                    if not value.isdigit() or len(value) > 18:
                        raise self._wrong(f"{_shown(word)} is not of the form qid:number", line)
                    query = int(value)
                elif not colon or not index.isdigit():
                    raise self._wrong(f"{_shown(word)} is not of the form index:value", line)
                else:
                    rows.columns.append(self._index(index, word, line))
                    rows.add(value)
            if len(set(rows.columns[rows.starts[-1] :])) < len(rows.columns) - rows.starts[-1]:
                raise self._wrong("this row has an index twice", line)
            queries.append(query)
            rows.end()
        block = rows.block(self.budget, has_labels=needs_label)
        extent = (min(rows.columns), max(rows.columns)) if rows.columns else (2**31, -1)
        return sort_rows(
            block._replace(
                smallest=extent[0], largest=extent[1], queries=np.array(queries, dtype=np.int64)
            )
        )

    def _index(self, index: bytes, word: bytes, line: int) -> int:
        least, most = self.limits
        found = int(index) if len(index) < 20 else LARGEST_INDEX + 1
        if not least <= found <= most:
            raise self._wrong(
                f"the index of {_shown(word)} is not from {least} to {most}"
                f"{self._why_outside(_shown(word))}",
                line,
            )
        return found

    def _wrong(self, message: str, line: int) -> TextError:
        return TextError(f": {message}", line=line)

    def given_beforehand(self) -> dict[str, Any]:
        """Of what a survey finds, what was given."""
        said = {"zero_based": self.options.zero_based, "n_columns": self.options.n_columns}
        return {name: value for name, value in said.items() if value not in (None, "auto")}

    def survey(self, blocks: Iterable[SparseBlock]) -> None:
        """Learn from all blocks what one alone does not show."""
        self.extent = Extent()
        for block in blocks:
            self.extent.add(block)

    def finish(self, blocks: list[SparseBlock]) -> Data:
        """The blocks' rows as X and y; the list is emptied."""
        first, n_columns = self._columns()
        if first:
            for block in blocks:
                np.subtract(block.columns, 1, out=block.columns)
        y = signs_of(join_columns(block.labels for block in blocks), self.options.positive)
        queries = join_columns(block.queries for block in blocks)
        left_out = rows_left_out((block.n_rows, block.dropped) for block in blocks)
        found = sparse_rows(blocks, n_columns, self.source, self.budget)
        told = replace(self.options, numbers=found.numbers)
        return Data(
            X=found.X,
            y=y,
            queries=queries,
            left_out=left_out,
            n_rounded=found.n_rounded,
            notes=found.notes,
            told=told.told(
                self.format,
                None,
                zero_based=not first,
                n_columns=n_columns,
                **self.options.told_of_text(),
            ),
            source=self.source,
            format=self.format,
            reading={"zero_based": not first, "n_columns": n_columns},
        )

    def _columns(self) -> tuple[int, int]:
        """The first index, and how many columns there are."""
        options, extent = self.options, self.extent or Extent(smallest=1)
        first = int(extent.smallest > 0)
        if options.zero_based != "auto":
            first = int(not options.zero_based)
        needed = extent.largest + 1 - first
        if options.n_columns is not None:
            if needed > options.n_columns:
                raise FileError(
                    f"{self.source} has an index 0 and an index {extent.largest}, and "
                    f"n_columns is {options.n_columns}; it must be at least {needed}."
                )
            return first, options.n_columns
        if extent.largest < 0:
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


def _shown(word: bytes) -> str:
    return shown(word.decode("utf-8", "replace"))
