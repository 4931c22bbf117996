"""svmlight (libsvm) files: `label [qid:n] index:value … # comment`, one row a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from novikoff.errors import FileError, ParameterError
from novikoff.io.chunks import Chunk, TextError, chunks_of, count, loop_for, parsed
from novikoff.io.data import Data, join_columns, rows_left_out
from novikoff.io.fields import shown
from novikoff.io.identity import Identified
from novikoff.io.labels import signs_of
from novikoff.io.options import Options
from novikoff.io.rounding import Budget
from novikoff.io.sources import Source
from novikoff.io.sparse import Extent, SparseBlock, judge, keep_rows, sort_rows
from novikoff.io.sparse_exact import sparse_rows, svmlight_values
from novikoff.loops import svmlight as loops
from novikoff.loops.numerals import powers_of_ten
from novikoff.wording import argument, can_give, hint, keyword


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
        most = loops.LARGEST_INDEX
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
        text = chunk.text
        n_lines, n_colons, _ = count(text, b":")
        rows, given = loop_for(loops.svmlight_rows, text)
        labels = np.empty(n_lines)
        queries, places = np.empty((2, n_lines), dtype=np.int64)
        starts = np.zeros(n_lines + 1, dtype=np.int64)
        columns = np.empty(n_colons, dtype=np.int32)
        values = np.empty(n_colons)
        doubtful = np.empty((64, 3), dtype=np.int64)
        while True:
            code, at, n, n_doubtful, smallest, largest, n_unsorted = rows(
                given, powers_of_ten(), self.options.label is not False, *self.limits,
                labels, queries, starts, columns, values, places, doubtful,
            )  # fmt: skip
            if n_doubtful <= len(doubtful):
                break
            doubtful = np.empty((n_doubtful, 3), dtype=np.int64)
        keep = np.ones(n_lines, dtype=bool)
        for entry, start, stop in doubtful[:n_doubtful].tolist():
            number = judge(text, start, stop, self.options.missing == "drop")
            if number is None:
                row = -1 - entry if entry < 0 else np.searchsorted(starts[:n], entry, "right") - 1
                keep[row] = False
            elif entry < 0:
                labels[-1 - entry] = number
            else:
                values[entry] = number
        if code != loops.DONE:
            raise TextError(self._complaint(code, text, at), at)
        block = SparseBlock(
            labels[:n] if self.options.label is not False else None,
            starts[: n + 1], columns[: starts[n]], values[: starts[n]],
            smallest, largest, queries=queries[:n],
        )  # fmt: skip
        exact, n_rounded = self.budget.exact(block.values, partial(svmlight_values, text))
        if self.budget.is_spent and self.options.numbers == "decimal":
            raise TextError(
                " and above: too many entries for exact decimals"
                f"{hint('; say {}', 'numbers', 'binary64')}",
                at,
            )
        block = block._replace(exact=exact, n_rounded=n_rounded)
        if n_unsorted:
            block, repeated = sort_rows(block)
            if repeated >= 0:
                raise TextError(": this row has an index twice", int(places[repeated]))
        return n_lines, keep_rows(block, keep[:n], self.options.classes)

    def said_beforehand(self) -> dict[str, Any]:
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
                    f"{argument('n_columns')} is {options.n_columns}; it must be at least {needed}."
                )
            return first, options.n_columns
        if extent.largest < 0:
            raise FileError(
                f"{self.source} has no entry at all, so it has no columns"
                f"{hint('; {} says how many there are', 'n_columns')}."
            )
        return first, needed

    def _complaint(self, code: int, text: bytes, at: int) -> str:
        word = shown(text[at : at + 99].split()[0].decode("utf-8", "replace"))
        least, most = self.limits
        return {
            loops.NO_LABEL: f": {word} stands where the row's label should; a number is needed"
            f"{hint(' ({} reads rows without one)', 'label', False)}",
            loops.MANY_LABELS: f": {word} is several labels; a row needs one",
            loops.BAD_INDEX: f": {word} is not of the form index:value",
            loops.BAD_QUERY: f": {word} is not of the form qid:number",
            loops.INDEX_OUTSIDE: f": the index of {word} is not from {least} to {most}"
            f"{self._why_outside(word)}",
        }[code]

    def _why_outside(self, word: str) -> str:
        """What says so: an argument, or that there can be no larger index."""
        if self.options.zero_based is False and re.match(r"'0+:", word):
            return f", as {keyword('zero_based', False)} says"
        if self.limits[1] == loops.LARGEST_INDEX:
            return "; number the columns anew"
        zero_based = self.options.zero_based
        start = f"{keyword('zero_based', zero_based)} and " if zero_based != "auto" else ""
        what = f"{start}{keyword('n_columns')} say" if can_give("n_columns") else "the model says"
        return f", as {what}"
