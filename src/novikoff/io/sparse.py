"""Rows that list their entries: blocks of CSR, and what they become together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from novikoff.io.chunks import TextError
from novikoff.io.data import csr_over
from novikoff.io.fields import FieldError, as_float, complaint, is_missing, is_number, missing_value
from novikoff.io.labels import wanted_rows

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


def judge(text: bytes, start: int, stop: int, may_drop: bool) -> float | None:
    """The number in text[start:stop], or None where it is missing and its row may be dropped."""
    field = text[start:stop].decode("utf-8", "replace")
    if may_drop and is_missing(field):
        return None
    if is_missing(field):
        raise TextError(f": {missing_value(field)}", start)
    if not is_number(field):
        raise TextError(f": {complaint(field, in_table=False)}", start)
    try:
        return as_float(field)
    except FieldError as error:
        raise TextError(f": {error}", start) from None


def keep_rows(
    block: SparseBlock, keep: np.ndarray, classes: Sequence[str] | None = None
) -> SparseBlock:
    """The block without the rows for which `keep` is False, and those of other classes."""
    if classes is not None and block.labels is not None:
        keep = keep & wanted_rows(block.labels, classes)
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


def sort_rows(block: SparseBlock) -> tuple[SparseBlock, int]:
    """The block with ascending columns in each row, and the first row that repeats one, or -1."""
    rows = np.repeat(np.arange(block.n_rows), np.diff(block.starts))
    order = np.lexsort((block.columns, rows))
    columns = block.columns[order]
    repeats = np.flatnonzero((columns[1:] == columns[:-1]) & (rows[1:] == rows[:-1]))
    first = int(rows[repeats[0]]) if len(repeats) else -1
    exact = None if block.exact is None else block.exact[order]
    return block._replace(columns=columns, values=block.values[order], exact=exact), first


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
