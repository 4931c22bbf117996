"""Rows that list their entries, line by line: blocks of CSR, and what they become together."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError, ParameterError
from novikoff.inputs import Table, table_of_fractions
from novikoff.inputs.csr import csr_over
from novikoff.io.chunks import Chunk, TextError, chunks_of, count_lines, parsed
from novikoff.io.data import MOST_EXACT_NUMBERS, Data, join_columns, n_beyond, rows_left_out
from novikoff.io.fields import FieldError, MissingError, as_float, as_fraction, is_number, shown
from novikoff.io.labels import wanted_rows
from novikoff.io.options import Options
from novikoff.io.reading import Reader
from novikoff.io.sources import Source
from novikoff.wording import keyword

IN_NUMERALS = b"0123456789.eE+-"  # of text of these letters float makes what a numeral means
OF_ROWS = ("labels", "weights", "tags", "queries")


class SparseBlock(NamedTuple):
    """Some rows; row r holds values[starts[r]:starts[r+1]] at those columns."""

    labels: np.ndarray | None  # float64
    starts: np.ndarray  # int64, from 0
    columns: np.ndarray  # int32: as the file counts them, or places in `names`
    values: np.ndarray  # float64
    extent: tuple[int, int] = (2**31 - 1, -1)  # the columns' least and largest, of all rows
    weights: np.ndarray | None = None
    tags: np.ndarray | None = None
    queries: np.ndarray | None = None
    names: Sequence[str] = ()  # of the columns, where the file names them
    exact: np.ndarray | None = None  # the values as Fractions, where floats would round them
    n_rounded: int = 0  # numbers beyond 2^53 that are not what the file has
    lacking: np.ndarray | None = None  # whether a row lacks a value
    dropped: np.ndarray = np.empty(0, dtype=np.int64)  # rows left out, among all of the block

    @property
    def n_rows(self) -> int:
        return len(self.starts) - 1

    @property
    def n_dropped(self) -> int:
        return len(self.dropped)


class SparseReader(Reader):
    """Text whose rows begin with their labels and list their entries; a subclass reads lines.

    Entries are floats; "decimal" takes them as written, and too many are an error; "as written"
    takes floats where they are too many.
    """

    called: str  # the format, in messages

    def __init__(self, sources: list[Source], options: Options) -> None:
        super().__init__(sources, options)
        if options.label not in (None, False):
            raise ParameterError(
                f"{self.source} is {self.called}, where every row begins with its label; leave "
                f"{keyword('label')} out."
            )
        self.has_labels = options.label is not False
        self.needs_labels = self.has_labels  # a stream has rows that are only predicted
        self.is_exact = options.numbers in ("decimal", "as written")

    def blocks(self) -> Iterator[SparseBlock]:
        yield from parsed(chunks_of(self.sources), self.parse)

    def parse(self, chunk: Chunk) -> tuple[int, SparseBlock]:
        """The lines of the chunk and its rows that are kept, or TextError."""
        block = self.block_of(chunk.text)
        columns = block.columns
        extent = int(columns.min(initial=2**31 - 1)), int(columns.max(initial=-1))
        block = block._replace(extent=extent)  # of rows that are left out, too
        keep = np.ones(block.n_rows, dtype=bool) if block.lacking is None else ~block.lacking
        if self.options.classes is not None and block.labels is not None:
            keep &= wanted_rows(block.labels, self.options.classes)
        if not keep.all():
            lengths = np.diff(block.starts)
            entries = np.repeat(keep, lengths)
            of_rows = {name: getattr(block, name) for name in OF_ROWS}
            block = block._replace(
                starts=np.concatenate([[0], np.cumsum(lengths[keep])]).astype(np.int64),
                columns=block.columns[entries],
                values=block.values[entries],
                exact=None if block.exact is None else block.exact[entries],
                dropped=np.flatnonzero(~keep),
                **{name: column[keep] for name, column in of_rows.items() if column is not None},
            )
        return count_lines(chunk.text), block

    def block_of(self, text: bytes) -> SparseBlock:
        """The rows of a text; those that lack a value are marked."""
        raise NotImplementedError

    def data(
        self, blocks: list[SparseBlock], n_columns: int, facts: dict[str, Any],
        names: tuple[str, ...] | None = None, sum_repeats: bool = False,
    ) -> Data:  # fmt: skip
        """The rows of the blocks, whose list is emptied: exact where that is asked for.

        `facts` are arguments of `read` for the same file.
        """
        columns = {name: join_columns(getattr(block, name) for block in blocks) for name in OF_ROWS}
        left_out = rows_left_out((block.n_rows, block.dropped) for block in blocks)
        n_rows = sum(block.n_rows for block in blocks)
        notes: tuple[str, ...] = ()
        n_rounded = sum(block.n_rounded for block in blocks)
        is_exact = any(block.exact is not None for block in blocks)
        numbers = self.options.numbers
        if is_exact and n_rows * n_columns > MOST_EXACT_NUMBERS:
            if numbers == "decimal":
                raise FileError(
                    f"{self.source} holds decimals that no float64 is equal to, in {n_rows} rows "
                    f"of {n_columns} columns; more than {MOST_EXACT_NUMBERS:,} exact numbers are "
                    f"too many: say {keyword('numbers', 'binary64')}."
                )
            n_rounded = sum(n_beyond(block.values) for block in blocks)
            is_exact, numbers = False, "binary64"
            notes = (f"{n_rows:,} rows of {n_columns:,} columns are too many for exact decimals: "
                     "numbers are taken as the nearest float64",)  # fmt: skip
        X: Any
        if is_exact:
            X = _exact_table(blocks, n_columns, names)
        else:
            X = _stack(blocks, n_columns, sum_repeats)
        if numbers in ("decimal", "as written"):
            X, numbers = X if is_exact else Table(X, names, "decimal"), "decimal"
        options = replace(self.options, numbers=numbers)
        return Data(
            X=X, y=columns["labels"], source=self.source, format=self.format, names=names,
            weights=columns["weights"], tags=columns["tags"], queries=columns["queries"],
            options=options.to_read_again(None, **facts, **options.of_text()),
            notes=notes, left_out=left_out, n_rounded=n_rounded,
        )  # fmt: skip


class SparseRows:
    """Rows as they are read, line by line."""

    def __init__(self, may_drop: bool, is_exact: bool) -> None:
        self.line = 0
        self.labels: list[float] = []
        self.weights: list[float] = []
        self.tags: list[str] = []
        self.queries: list[int] = []
        self.starts = [0]
        self.columns: list[Any] = []
        self.values: list[float] = []
        self.exact: list[int | Fraction] | None = [] if is_exact else None
        self.may_drop = may_drop

    def number(self, written: bytes) -> float:
        """The number in a field; NaN where it is missing and its row may be dropped."""
        try:
            return as_float(written.decode("utf-8", "replace"), in_table=False)
        except FieldError as error:
            if self.may_drop and isinstance(error, MissingError):
                return math.nan
            raise self.wrong(str(error)) from None

    def add_usual(self, columns: list[Any], written: Sequence[bytes]) -> bool:
        """Add values of IN_NUMERALS at once; False if one is no finite number, or to be exact."""
        if self.exact is not None:
            return False
        try:
            values = list(map(float, written))
        except ValueError:
            return False
        if math.inf in values or -math.inf in values:
            return False
        self.columns += columns
        self.values += values
        return True

    def add(self, written: bytes, factor: bytes = b"1") -> None:
        """Another value, for the column that was added last."""
        value = self.number(written)
        if factor != b"1":
            value *= self.number(factor)
            if math.isinf(value):
                raise self.wrong("a value times its space's is beyond 1.8e308")
        self.values.append(value)
        if self.exact is not None:
            try:
                self.exact.append(_exactly(written) * _exactly(factor))
            except FieldError as error:
                raise self.wrong(str(error)) from None

    def wrong(self, message: str) -> TextError:
        """What is wrong in the line that is being read."""
        return TextError(f": {message}", line=self.line)

    def block(self, has_labels: bool) -> SparseBlock:
        """All rows, and which of them lack a value."""
        values = np.array(self.values, dtype=np.float64)
        starts = np.array(self.starts, dtype=np.int64)
        lacking = np.isnan(self.labels) & has_labels
        lacking |= np.diff(np.concatenate([[0], np.cumsum(np.isnan(values))])[starts]) > 0
        exact = None
        if self.exact is not None and self.exact != self.values:
            exact = np.empty(len(values), dtype=object)
            exact[:] = list(map(Fraction, self.exact))

        def of_rows(column: list[Any], dtype: Any) -> np.ndarray | None:
            """What every row has, where the format has it."""
            return None if len(column) < len(self.labels) else np.array(column, dtype=dtype)

        return SparseBlock(
            np.array(self.labels) if has_labels else None,
            starts, np.array(self.columns, dtype=np.int32), values,
            weights=of_rows(self.weights, np.float64), tags=of_rows(self.tags, np.str_),
            queries=of_rows(self.queries, np.int64), exact=exact,
            n_rounded=0 if self.exact is not None else n_beyond(values), lacking=lacking,
        )  # fmt: skip


def _exactly(written: bytes) -> int | Fraction:
    """The number as it is written; 0 where it is missing."""
    if written.isdigit() and len(written) < 16:
        return int(written)
    field = written.decode()
    return as_fraction(field) if is_number(field) else 0


def shown_word(word: bytes) -> str:
    """A word of a line as a message quotes it."""
    return shown(word.decode("utf-8", "replace"))


def words_of(written: bytes) -> list[bytes]:
    """The words of a line, which blanks and tabs alone separate."""
    if b"\x0b" in written or b"\x0c" in written:  # which bytes.split takes for blanks too
        return [word for word in re.split(rb"[ \t\r\n]", written) if word]
    return written.split()


def sort_rows(block: SparseBlock) -> SparseBlock:
    """The block with ascending columns in each row."""
    rows = np.repeat(np.arange(block.n_rows), np.diff(block.starts))
    order = np.lexsort((block.columns, rows))
    exact = None if block.exact is None else block.exact[order]
    return block._replace(columns=block.columns[order], values=block.values[order], exact=exact)


def _stack(blocks: list[SparseBlock], n_columns: int, sum_repeats: bool) -> Any:
    """The rows of all blocks as one CSR matrix; the list is emptied as they are copied."""
    n_rows = sum(block.n_rows for block in blocks)
    n_entries = sum(len(block.columns) for block in blocks)
    whole = np.int32 if n_entries < 2**31 else np.int64
    values = np.empty(n_entries)
    columns = np.empty(n_entries, dtype=whole)
    starts = np.zeros(n_rows + 1, dtype=whole)
    row = entry = 0
    blocks.reverse()
    while blocks:
        block = blocks.pop()
        stop = entry + len(block.columns)
        values[entry:stop] = block.values
        columns[entry:stop] = block.columns
        starts[row : row + len(block.starts)] = block.starts + entry
        row, entry = row + block.n_rows, stop
    matrix = csr_over(values, columns, starts, n_columns)
    if sum_repeats:
        matrix.has_canonical_format = matrix.has_sorted_indices = False  # the first implied both
        matrix.sum_duplicates()
    return matrix


def _exact_table(blocks: list[SparseBlock], n_columns: int, names: tuple[str, ...] | None) -> Table:
    shape = sum(block.n_rows for block in blocks), n_columns
    cells = np.full(shape, Fraction(0), dtype=object)
    row = 0
    for block in blocks:
        rows = row + np.repeat(np.arange(block.n_rows), np.diff(block.starts))
        exact = block.exact
        if exact is None:
            exact = np.array([Fraction(value) for value in block.values.tolist()], dtype=object)
        np.add.at(cells, (rows, block.columns), exact)
        row += block.n_rows
    blocks.clear()
    return table_of_fractions(cells.ravel().tolist(), shape, names, "decimal")
