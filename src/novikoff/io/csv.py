"""CSV and TSV files: numbers as the nearest floats or as the decimals written, text encoded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.io import chunks
from novikoff.io.assembly import TableReader
from novikoff.io.chunks import Chunk, TextError, chunks_of, count_lines, parsed
from novikoff.io.csv_arrow import arrow_block, record_end
from novikoff.io.csv_records import Opening, open_table, records, skip_lines
from novikoff.io.data import n_beyond
from novikoff.io.fields import FieldError, odd_column
from novikoff.io.labels import Coded, WantedLabels
from novikoff.io.layout import make_layout
from novikoff.io.opening import Points
from novikoff.io.options import Options
from novikoff.io.sources import Source
from novikoff.io.tables import TableBlock, make_block, odd_cell, words_of


class CsvReader(TableReader):
    """Blocks of delimited files that share their columns, and what they are together."""

    is_delimited = True

    def __init__(self, sources: list[Source], options: Options) -> None:
        super().__init__(sources, options)
        self.uses_arrow = False  # until a chunk is large
        self.opening = self.first_opening(sources[0])
        self._openings: dict[Source, Opening] = {sources[0]: self.opening}
        header, kinds = self.opening.header, self.opening.kinds
        self.take_layout(
            make_layout(header, kinds, self.options, sources[0].name, self.opening.cells)
        )
        self._check_first_cells()
        if self.opening.note:
            self.notes.append(self.opening.note)
        self.facts = {**self.options.of_text(), "skip_rows": self.opening.skip_rows or None}
        if self.is_delimited:
            self.facts |= {"header": header is not None, "delimiter": self.opening.delimiter}

    def first_opening(self, source: Source) -> Opening:
        """The first records of the first source."""
        return open_table(source, self.options, None)

    def records(self, text: bytes) -> Iterator[tuple[int, list[str]]]:
        """The records of a text, each with the line on which it begins, from 1."""
        return records(text, self.opening.delimiter)

    def written_labels(self, block: TableBlock) -> Coded | np.ndarray | None:
        """The labels of a block as words, whatever they are taken for."""
        return block.labels

    def _check_first_cells(self) -> None:
        """Raise where the first rows show numbers in another notation, and name the line."""
        layout, opening = self.layout, self.opening
        for c in self.guessed:
            cells = opening.cells(c)
            usual = frozenset(filter(self.options.numerals.is_number, cells))
            if odd := odd_column(cells, usual):
                where = f"{self.sources[0].name}, line {opening.line_of(c, odd.cell)}"
                raise FileError(f"{where}, column {layout.quoted(c)}: {odd_cell(layout, c, odd)}.")

    def blocks(self) -> Iterator[TableBlock]:
        points = Points(self.options, self.opening.delimiter)
        yield from parsed(self._chunks(points), self.parse)
        if points.question:
            raise FileError(f"{self.source}: {points.question}")

    def _chunks(self, points: Points) -> Iterator[Chunk]:
        for chunk in chunks_of(self.sources, self._record_end):
            if len(chunk.text) >= chunks.ARROW_FROM and not self.uses_arrow:
                self.uses_arrow = self._may_use_arrow()
            points.look(chunk.text)
            yield chunk

    def parse(self, chunk: Chunk) -> tuple[int, TableBlock]:
        """The lines of the chunk and its rows, or TextError."""
        opening = self._opening(chunk.source) if chunk.is_first else self.opening
        skipped = opening.body_line - 1 if chunk.is_first else 0
        block = None
        if self.uses_arrow:
            body = chunk.text[skip_lines(chunk.text, skipped) :]
            block = arrow_block(body, opening.delimiter, self.layout, self.options)
        return count_lines(chunk.text), block or self._plain_block(chunk.text, skipped)

    def _may_use_arrow(self) -> bool:
        """Whether pyarrow is there, and reads numbers as this table writes them."""
        options = self.options
        if options.numbers == "decimal" or options.thousands or not self.is_delimited:
            return False
        return find_spec("pyarrow") is not None

    def _record_end(self, text: bytes) -> int:
        return record_end(text, self.opening.delimiter, self.source)

    def _opening(self, source: Source) -> Opening:
        """The first records of a source, whose columns must be those of the first one."""
        if source not in self._openings:
            named = replace(self.options, header=self.opening.header is not None)
            opening = open_table(source, named, self.opening.delimiter)
            if (opening.header, opening.width) != (self.opening.header, self.opening.width):
                raise FileError(
                    f"{source.name} does not have the columns of {self.sources[0].name}; files "
                    "that are read together need the same ones."
                )
            self._openings[source] = opening
        return self._openings[source]

    def _plain_block(self, text: bytes, skipped: int) -> TableBlock:
        """The rows after the first `skipped` lines, by Python's csv module."""
        exact = self.options.numbers == "decimal"
        layout, width = self.layout, len(self.layout.kinds)
        numerals = self.options.numerals
        convert: Any = numerals.as_fraction if exact else numerals.as_float
        may_drop = self.options.missing == "drop"
        line_numbers: list[int] = []
        numbers: list[Any] = []
        missing: list[int] = []
        words: list[list[str]] = [[] for _ in layout.kinds]
        in_text = layout.texts if layout.label is None else [*layout.texts, layout.label]
        label, classes = layout.label, self.options.classes
        wanted = None if classes is None or label is None else WantedLabels(classes)
        for line, fields in self.records(text):
            if line <= skipped:
                continue
            if len(fields) != width:
                raise TextError(
                    f": {len(fields)} fields where line {self.opening.first_line} has {width}",
                    line=line,
                )
            is_wanted = wanted is None or wanted[fields[label or 0]]
            for c in layout.numbers:
                if not is_wanted:
                    numbers.append(0.0)
                    continue
                if may_drop and numerals.is_missing(fields[c]):
                    missing.append(len(numbers))
                    numbers.append(0.0)
                    continue
                try:
                    numbers.append(convert(fields[c]))
                except FieldError as error:
                    message = f", column {layout.quoted(c)}: {error}"
                    raise TextError(message, line=line) from None
            for c in in_text:
                words[c].append(fields[c])
            line_numbers.append(line)
        shape = len(line_numbers), len(layout.numbers)
        marks = np.zeros(len(numbers), dtype=bool)
        marks[missing] = True
        found = np.empty(len(numbers), dtype=object if exact else np.float64)
        found[:] = numbers
        return make_block(
            layout,
            self.options,
            found.reshape(shape),
            marks.reshape(shape) if missing else None,
            [words_of(words[c], numerals.is_missing) for c in layout.texts],
            None if layout.label is None else words_of(words[layout.label], numerals.is_missing),
            lambda row, message: TextError(message, line=line_numbers[row]),
            0 if exact else n_beyond(found),
        )
