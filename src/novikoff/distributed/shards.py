"""A shard: a small description of some rows, which any worker can load, always to the same rows.

A shard of files is an svmlight file, or some row groups of a Parquet file. A shard of a Dask
collection holds the delayed block, which the cluster computes where the task runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.errors import FileError, InputError, NovikoffError
from novikoff.inputs import Table, in_memory, read_table
from novikoff.io.arrow import ArrowReader
from novikoff.io.column_warnings import column_warnings
from novikoff.io.data import Data
from novikoff.io.layout import other_label, which_label
from novikoff.io.options import Options
from novikoff.io.reading import Reader, no_rows, open_reader
from novikoff.io.sources import Source, reason_of
from novikoff.io.svmlight import SvmlightReader
from novikoff.wording import first_few

ROWS_AT_ONCE = 1 << 16


@dataclass(frozen=True, eq=False, repr=False)
class Rows(Data):
    """The rows and labels of a shard, as its tasks see them."""

    y: Any  # never None: a shard has labels
    source: str = ""
    format: str = ""
    indices: tuple[int, int] | None = None  # the smallest and largest of an svmlight file
    warnings: tuple[str, ...] = ()  # what a person would ask about the columns of this shard

    @cached_property
    def table(self) -> Table:
        return read_table(self.X)

    def signs(self, negative: Any, positive: Any) -> np.ndarray:
        """+1 where the label is `positive`, -1 where it is `negative`."""
        y = np.asarray(self.y)
        signs = np.where(y == positive, 1, -1).astype(np.int8)
        if not ((signs > 0) | (y == negative)).all():
            raise NovikoffError("the labels are not those that the survey found.")
        return signs


@dataclass(frozen=True, eq=False)
class FileShard:
    """An svmlight file, or some row groups of a Parquet file."""

    name: str
    path: str
    options: Options
    row_groups: tuple[int, ...] | None = None

    def load(self) -> Rows:
        """The rows; FileError names the file, whatever is wrong with it."""
        try:
            reader = self._reader()
            blocks = list(reader.blocks())
            if not sum(block.n_rows for block in blocks):
                raise no_rows(self.name, sum(block.n_dropped for block in blocks), self.options)
            reader.survey(blocks)
            data: Data = reader.finish(blocks)
            warnings = column_warnings(data, self.options)
        except NovikoffError as error:
            raise in_shard(self.name, error) from None
        except MemoryError:
            raise MemoryError(f"{self.name} does not fit in the memory of its worker") from None
        except Exception as error:
            raise FileError(f"{self.name} cannot be read: {reason_of(error)}.") from None
        indices = reader.extent if isinstance(reader, SvmlightReader) else None
        return Rows(**vars(data), indices=indices, warnings=tuple(warnings))

    def _reader(self) -> Reader:
        source = Source(self.name, Path(self.path))
        given = self.options
        if given.numbers is None:  # what is rounded is counted: one shard must not differ in kind
            given = replace(given, numbers="binary64")
        if self.row_groups is None:
            return open_reader([source], given)
        return _RowGroups(source, given, self.row_groups)


@dataclass(frozen=True, eq=False)
class BlockShard:
    """A block of a collection: X and y, or one frame of which a column is y.

    They are delayed here, and computed where a task has them.
    """

    name: str
    X: Any
    y: Any = None
    label: str | None = None

    def load(self) -> Rows:
        """The rows of a computed block."""
        X, y, label = self.X, self.y, self.label
        if y is None and not hasattr(X, "columns"):  # a delayed pair
            X, y = X
        elif y is None:
            name = X.columns[-1] if label is None else label
            there = list(map(str, X.columns))
            if label is None and (other := other_label(there, len(there) - 1)) is not None:
                raise InputError(which_label(there[other], there[-1]))
            if name not in list(X.columns):
                shown = first_few(X.columns)
                raise InputError(f"there is no column {name!r}; the columns are {shown}.")
            X, y, label = X.drop(columns=[name]), X[name].to_numpy(), str(name)
        names = tuple(map(str, X.columns)) if hasattr(X, "columns") else None
        X, y = in_memory(X, "X"), in_memory(y, "y")
        X = X if hasattr(X, "shape") else np.asarray(X)
        return Rows(X, np.asarray(y), names=names, label=label)


Shard = FileShard | BlockShard


def in_shard(name: str, error: NovikoffError) -> NovikoffError:
    """The same error with the name of its shard."""
    return error if name in str(error) else type(error)(f"{name}: {error}")


class _RowGroups(ArrowReader):
    """Some row groups of one Parquet file."""

    def __init__(self, source: Source, options: Options, row_groups: tuple[int, ...]) -> None:
        self.row_groups = row_groups
        super().__init__([source], replace(options, format="parquet"))

    def _open(self, source: Source, stack: ExitStack) -> tuple[Any, Iterator[Any]]:
        from pyarrow.parquet import ParquetFile

        stream = stack.enter_context(self.pyarrow.OSFile(str(source.path), "rb"))
        file = stack.enter_context(ParquetFile(stream))
        groups = list(self.row_groups)
        return file.schema_arrow, file.iter_batches(batch_size=ROWS_AT_ONCE, row_groups=groups)
