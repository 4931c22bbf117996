"""Rows that list their entries: blocks of CSR, and what they become together."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.inputs.csr import csr_over
from novikoff.io.chunks import TextError
from novikoff.io.fields import (
    FieldError,
    as_float,
    as_fraction,
    complaint,
    is_missing,
    is_number,
    missing_value,
)
from novikoff.io.labels import wanted_rows
from novikoff.io.rounding import Budget, is_written_out
from novikoff.wording import keyword

NONE = np.empty(0, dtype=np.int64)


class SparseBlock(NamedTuple):
    """Some rows; row r holds values[starts[r]:starts[r+1]] at those columns."""

    labels: np.ndarray | None  # float64
    starts: np.ndarray  # int64, from 0
    columns: np.ndarray  # int32: as the file counts them, or places in `names`
    values: np.ndarray  # float64
    smallest: int = 2**31  # of the columns
    largest: int = -1
    weights: np.ndarray | None = None
    tags: np.ndarray | None = None
    queries: np.ndarray | None = None
    names: Sequence[str] = ()  # of the columns, where the file names them
    exact: np.ndarray | None = None  # the values as Fractions, where floats would round them
    n_rounded: int = 0  # numbers beyond 2^53 that are not what the file has
    lacking: np.ndarray | None = None  # whether a row lacks a value
    dropped: np.ndarray = NONE  # the places of rows that were left out, among all of the block

    @property
    def n_rows(self) -> int:
        return len(self.starts) - 1

    @property
    def n_dropped(self) -> int:
        return len(self.dropped)


@dataclass
class Extent:
    """What is known of all blocks of a pass."""

    n_rows: int = 0
    n_entries: int = 0
    smallest: int = 2**31
    largest: int = -1

    def add(self, block: SparseBlock) -> None:
        self.n_rows += block.n_rows
        self.n_entries += len(block.columns)
        self.smallest = min(self.smallest, block.smallest)
        self.largest = max(self.largest, block.largest)


class Numbers(dict[bytes, float]):
    """The numbers in fields, each looked at once; NaN where one is missing and may be."""

    def __init__(self, may_drop: bool) -> None:
        self.may_drop = may_drop

    def __missing__(self, written: bytes) -> float:
        field = written.decode("utf-8", "replace")
        if is_missing(field):
            if not self.may_drop:
                raise FieldError(missing_value(field))
            value = np.nan
        elif not is_number(field):
            raise FieldError(complaint(field, in_table=False))
        else:
            value = as_float(field)
        self[written] = value
        return value


class SparseRows:
    """Rows as they are read, line by line."""

    def __init__(self, may_drop: bool) -> None:
        self.line = 0
        self.labels: list[float] = []
        self.starts = [0]
        self.columns: list[int] = []
        self.values: list[float] = []
        self.written: list[tuple[bytes, bytes]] = []  # of a value the number, and its factor
        self._numbers = Numbers(may_drop)

    def begin(self, line: int) -> None:
        self.line = line

    def number(self, written: bytes) -> float:
        """The number in a field; NaN where it is missing and its row may be dropped."""
        try:
            return self._numbers[written]
        except FieldError as error:
            raise TextError(f": {error}", line=self.line) from None

    def add(self, written: bytes, factor: bytes = b"1") -> None:
        """Another value, for the column that was added last."""
        value = self.number(written)
        if factor != b"1":
            value *= self.number(factor)
            if math.isinf(value):
                raise TextError(": a value times its space's is beyond 1.8e308", line=self.line)
        self.values.append(value)
        self.written.append((written, factor))

    def end(self) -> None:
        self.starts.append(len(self.values))

    def block(self, budget: Budget, has_labels: bool) -> SparseBlock:
        """All rows, and which of them lack a value."""
        values = np.array(self.values, dtype=np.float64)
        starts = np.array(self.starts, dtype=np.int64)
        lacking = np.isnan(self.labels) & has_labels
        lacking |= np.diff(np.concatenate([[0], np.cumsum(np.isnan(values))])[starts]) > 0
        exact, n_rounded = budget.exact(values, self._exactly)
        if budget.is_spent and budget.numbers == "decimal":
            raise TextError(
                " and above: too many numbers for exact decimals"
                f"; say {keyword('numbers', 'binary64')}",
                line=self.line,
            )
        return SparseBlock(
            np.array(self.labels) if has_labels else None,
            starts, np.array(self.columns, dtype=np.int32), values,
            exact=exact, n_rounded=n_rounded, lacking=lacking,
        )  # fmt: skip

    def _exactly(self, whole: bool) -> Iterator[int | Fraction | None]:
        """The number of each value as written; of `whole` ones None where it is not written so."""
        for written, factor in self.written:
            value, times = (_exact(part, whole) for part in (written, factor))
            yield None if value is None or times is None else value * times


def _exact(written: bytes, whole: bool) -> int | Fraction | None:
    if written.isdigit() and len(written) < 16:
        return int(written)
    word = written.decode("utf-8", "replace")
    if whole and not is_written_out(word):
        return None
    try:
        return as_fraction(word) if is_number(word) else 0
    except FieldError as error:
        raise TextError(f": {error}") from None


def words_of(written: bytes) -> list[bytes]:
    """The words of a line, which blanks and tabs alone separate."""
    if b"\x0b" in written or b"\x0c" in written:  # which bytes.split takes for blanks too
        return [word for word in re.split(rb"[ \t\r\n]", written) if word]
    return written.split()


def keep_rows(block: SparseBlock, classes: Sequence[str] | None = None) -> SparseBlock:
    """The block without the rows that lack a value, and those of other classes."""
    keep = np.ones(block.n_rows, dtype=bool) if block.lacking is None else ~block.lacking
    if classes is not None and block.labels is not None:
        keep &= wanted_rows(block.labels, classes)
    if keep.all():
        return block
    lengths = np.diff(block.starts)
    entries = np.repeat(keep, lengths)
    starts = np.concatenate([[0], np.cumsum(lengths[keep])]).astype(np.int64)

    def kept(column: np.ndarray | None) -> np.ndarray | None:
        return None if column is None else column[keep]

    return block._replace(
        labels=kept(block.labels),
        starts=starts,
        columns=block.columns[entries],
        values=block.values[entries],
        exact=None if block.exact is None else block.exact[entries],
        weights=kept(block.weights),
        tags=kept(block.tags),
        queries=kept(block.queries),
        dropped=np.flatnonzero(~keep),
    )


def sort_rows(block: SparseBlock) -> SparseBlock:
    """The block with ascending columns in each row."""
    rows = np.repeat(np.arange(block.n_rows), np.diff(block.starts))
    order = np.lexsort((block.columns, rows))
    exact = None if block.exact is None else block.exact[order]
    return block._replace(columns=block.columns[order], values=block.values[order], exact=exact)


def stack(blocks: list[SparseBlock], n_columns: int, sum_repeats: bool = False) -> Any:
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
