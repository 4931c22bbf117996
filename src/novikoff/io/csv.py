"""CSV and TSV files: numbers as the nearest floats or as the decimals written, text encoded.

pyarrow reads ten times as fast as Python's csv module, and knows neither lines nor our sentences.
So it either gives the very block that Python's csv module would give, or none, and then that
module reads the chunk: whatever has to be said of a cell is said there alone.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.io import chunks
from novikoff.io.assembly import TableReader
from novikoff.io.chunks import Chunk, TextError, chunks_of, count_lines, last_line_end, parsed
from novikoff.io.data import n_beyond
from novikoff.io.fields import BLANKS, MISSING, FieldError
from novikoff.io.labels import Coded, WantedLabels
from novikoff.io.layout import Layout, make_layout
from novikoff.io.opening import (
    UNEXPECTED_END,
    Opening,
    Points,
    checked,
    open_table,
    records,
    skip_lines,
)
from novikoff.io.options import Options
from novikoff.io.sources import Source
from novikoff.io.tables import (
    TableBlock,
    dictionary_words,
    is_null,
    make_block,
    values_of,
    words_of,
)

QUOTE, LF, CR = b'"\n\r'


class CsvReader(TableReader):
    """Blocks of delimited files that share their columns, and what they are together."""

    is_delimited = True

    def __init__(self, sources: list[Source], options: Options) -> None:
        super().__init__(sources, options)
        self.uses_arrow = False  # until a chunk is large
        self.opening = self.first_opening(sources[0])
        header, kinds = self.opening.header, self.opening.kinds
        self.take_layout(
            make_layout(header, kinds, self.options, sources[0].name, self.opening.cells)
        )
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

    def record_end(self, text: bytes) -> int:
        """Where the last whole record of a text ends."""
        return record_end(text, self.opening.delimiter, self.source)

    def written_labels(self, block: TableBlock) -> Coded | np.ndarray | None:
        return block.labels  # as words, whatever they are taken for

    def blocks(self) -> Iterator[TableBlock]:
        points = Points(self.options, self.opening.delimiter)

        def looked_at() -> Iterator[Chunk]:
            options = self.options
            as_arrow_reads = options.numbers != "decimal" and not options.thousands
            for chunk in chunks_of(self.sources, self.record_end):
                if len(chunk.text) >= chunks.ARROW_FROM and as_arrow_reads and self.is_delimited:
                    self.uses_arrow = self.uses_arrow or find_spec("pyarrow") is not None
                points.look(chunk.text)
                yield chunk

        yield from parsed(looked_at(), self.parse)
        if points.question:
            raise FileError(f"{self.source}: {points.question}")

    def parse(self, chunk: Chunk) -> tuple[int, TableBlock]:
        """The lines of the chunk and its rows, or TextError."""
        skipped = self.body_line(chunk.source) - 1 if chunk.is_first else 0
        block = None
        if self.uses_arrow:
            body = chunk.text[skip_lines(chunk.text, skipped) :]
            block = arrow_block(body, self.opening.delimiter, self.layout, self.options)
        return count_lines(chunk.text), block or self._plain_block(chunk.text, skipped)

    def body_line(self, source: Source) -> int:
        """The first line of the rows of a source, whose columns must be those of the first one."""
        first = self.opening
        if source == self.sources[0]:
            return first.body_line
        named = replace(self.options, header=first.header is not None)
        opening = open_table(source, named, first.delimiter)
        if opening.header != first.header or len(opening.kinds) != len(first.kinds):
            raise FileError(
                f"{source.name} does not have the columns of {self.sources[0].name}; files "
                "that are read together need the same ones."
            )
        return opening.body_line

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


class DeclinedError(Exception):
    """Python's csv module is to read this chunk, and to say what is wrong in it."""


def arrow_block(text: bytes, delimiter: str, layout: Layout, options: Options) -> TableBlock | None:
    """The rows of a text of whole records; None where Python's csv module is to read them."""
    if len(layout.kinds) < 2 or not _is_simple(text, delimiter):
        return None
    if not text.isascii() or b"\0" in text:
        checked(text)
        if chunks.BOM in text:  # which pyarrow passes over
            return None
    import pyarrow
    from pyarrow import csv as arrow

    places = [*layout.numbers, *layout.texts, *([] if layout.label is None else [layout.label])]
    types = dict.fromkeys(map(str, places), pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))
    types |= dict.fromkeys(map(str, layout.numbers), pyarrow.float64())
    try:
        table = arrow.read_csv(
            pyarrow.BufferReader(text),
            arrow.ReadOptions(
                use_threads=False,
                block_size=len(text) + 1,
                column_names=[str(c) for c in range(len(layout.kinds))],
            ),
            arrow.ParseOptions(delimiter=delimiter, newlines_in_values=b'"' in text),
            arrow.ConvertOptions(
                column_types=types,
                include_columns=list(types),
                null_values=sorted(MISSING | options.numerals.na),
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
                decimal_point=options.numerals.decimal,
            ),
        )
        columns = {c: table.column(k).combine_chunks() for k, c in enumerate(map(int, types))}
        return _block_of(columns, table.num_rows, layout, options)
    except (pyarrow.ArrowException, DeclinedError):
        return None


def _block_of(columns: dict[int, Any], n_rows: int, layout: Layout, options: Options) -> TableBlock:
    """The block of pyarrow's columns, by their places in the file: numbers, or words."""
    numbers = np.empty((n_rows, len(layout.numbers)))
    missing = None
    for k, c in enumerate(layout.numbers):
        numbers[:, k] = values_of(columns[c], np.float64)
        if columns[c].null_count:
            missing = np.zeros(numbers.shape, dtype=bool) if missing is None else missing
            missing[:, k] = is_null(columns[c])
            numbers[missing[:, k], k] = 0.0
    if numbers.size and not np.isfinite([numbers.min(), numbers.max()]).all():
        raise DeclinedError  # infinite, or no number at all

    def read(word: str) -> str | None:
        if len(word) > csv.field_size_limit():
            raise DeclinedError
        word = word.strip(BLANKS)
        return None if options.numerals.is_missing(word) else word

    texts = [dictionary_words(columns[c], read) for c in layout.texts]
    labels = None if layout.label is None else dictionary_words(columns[layout.label], read)
    n_rounded = n_beyond(numbers)
    return make_block(layout, options, numbers, missing, texts, labels, DeclinedError, n_rounded)


def _is_simple(text: bytes, delimiter: str) -> bool:
    """Whether quotes stand about whole fields alone, and no field is too long for Python's csv."""
    given = np.frombuffer(text, np.uint8)
    quotes = np.flatnonzero(given == QUOTE) if b'"' in text else np.empty(0, dtype=np.int64)
    if len(quotes) % 2 or not _are_about_fields(given, quotes, delimiter):  # or one is left open
        return False
    limit = csv.field_size_limit()
    half = limit // 2  # a line of more than the limit goes through one of these without an end
    if all(text.find(b"\n", at, at + half) >= 0 for at in range(0, len(text) - half, half)):
        return True
    ends = np.flatnonzero((given == LF) | (given == CR) | (given == ord(delimiter)))
    return bool(np.diff(ends, prepend=0).max(initial=0) <= limit)


def _are_about_fields(given: np.ndarray, quotes: np.ndarray, delimiter: str) -> bool:
    """Whether every quote opens or closes a field, or is one of two that stand for one.

    Then an odd quote opens and an even one closes, and both readers agree on what is quoted.
    """
    borders = np.zeros(256, dtype=bool)
    borders[[ord(delimiter), LF, CR]] = True
    opens, closes = quotes[::2], quotes[1::2]
    closes = closes[closes + 1 < len(given)]
    before = borders[given[opens - 1]] | (opens == 0)
    before[1:] |= given[opens[1:] - 1] == QUOTE  # the one that this one doubles, or an odd quote,
    after = borders[given[closes + 1]] | (given[closes + 1] == QUOTE)  # before which none closes
    return bool(before.all() and after.all())


def record_end(text: bytes, delimiter: str, source: str) -> int:
    """Where the last whole record of a text ends, which may go on within quotes."""
    if b'"' not in text:
        return last_line_end(text)
    given = np.frombuffer(text, np.uint8)
    quotes = np.flatnonzero(given == QUOTE)
    if not _are_about_fields(given, quotes, delimiter):
        return _record_end_by_python(text, delimiter, source)
    if len(quotes) % 2 and len(text) - int(quotes[-1]) > csv.field_size_limit():
        raise _open_field(source)
    for mark, stop in ((LF, len(text)), (CR, len(text) - 1)):  # a last \r may be half a line end
        ends = np.flatnonzero(given[:stop] == mark)
        outside = ends[np.searchsorted(quotes, ends) % 2 == 0]
        if len(outside):
            return int(outside[-1]) + 1
    return 0


def _record_end_by_python(text: bytes, delimiter: str, source: str) -> int:
    """The same by Python's csv module, for text with other quotes; what is wrong is said later."""
    text_lines = text.splitlines(keepends=True)
    if not text.endswith(b"\n"):
        text_lines.pop()
    sizes = np.cumsum([0, *map(len, text_lines)])
    reader = csv.reader(
        (line.decode("latin-1") for line in text_lines), delimiter=delimiter, skipinitialspace=True,
        strict=True,
    )  # fmt: skip
    n_lines = 0
    try:
        for _ in reader:
            n_lines = reader.line_num
    except csv.Error as error:
        if "limit" in str(error):
            raise _open_field(source) from None
        if UNEXPECTED_END not in str(error):
            n_lines = len(text_lines)
    return int(sizes[n_lines])


def _open_field(source: str) -> FileError:
    return FileError(
        f"{source} has a field of more than {csv.field_size_limit()} bytes in quotes; is one "
        "missing?"
    )
