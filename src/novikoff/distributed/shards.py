"""A shard: a small description of some rows, which any worker can load, always to the same rows.

A shard of files is an svmlight file, or some row groups of a Parquet file: as many consecutive ones
as make up at most `shard_rows` rows. A shard of a Dask collection holds a delayed block, which the
cluster computes where the task runs. The shards and their order, and so the result, depend on the
data alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from dask.delayed import Delayed

from novikoff.errors import FileError, InputError, NovikoffError
from novikoff.inputs import Table, in_memory, read_table
from novikoff.io.arrow import ArrowReader
from novikoff.io.column_warnings import column_warnings
from novikoff.io.data import Data
from novikoff.io.formats import find_format
from novikoff.io.layout import other_label, which_label
from novikoff.io.options import Options, options
from novikoff.io.reading import no_rows, open_reader
from novikoff.io.sources import Source, find_sources, reason_of, source_at, translated
from novikoff.io.svmlight import SvmlightReader
from novikoff.wording import first_few

SHARD_ROWS = ROWS_AT_ONCE = 1 << 16
PATHS = (str, os.PathLike)
WANTED = (
    "a path or a pattern of files, a list of paths, a pair (X, y) of Dask arrays, a Dask "
    "DataFrame, or a list of delayed pairs"
)


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
        source, given = Source(self.name, Path(self.path)), self.options
        if given.numbers is None:  # what is rounded is counted: one shard must not differ in kind
            given = replace(given, numbers="binary64")
        try:
            reader: Any = (
                open_reader([source], given)
                if self.row_groups is None
                else _RowGroups(source, given, self.row_groups)
            )
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
            there = list(X.columns)
            name = there[-1] if label is None else label
            if label is None:
                names = [*map(str, there)]
                if (other := other_label(names, len(names) - 1)) is not None:
                    raise InputError(which_label(names[other], names[-1]))
            if name not in there:
                raise InputError(
                    f"there is no column {name!r}; the columns are {first_few(there)}."
                )
            X, y, label = X.drop(columns=[name]), X[name].to_numpy(), str(name)
        columns = tuple(map(str, X.columns)) if hasattr(X, "columns") else None
        X, y = in_memory(X, "X"), in_memory(y, "y")
        X = X if hasattr(X, "shape") else np.asarray(X)
        return Rows(X, np.asarray(y), names=columns, label=label)


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


def plan(data: Any, shard_rows: int = SHARD_ROWS, **reading: Any) -> list[Shard]:
    """The shards of what the user gave; `reading` is what novikoff.read takes, for files."""
    if reading.get("label") is False:
        raise InputError("label is False; every row needs its label.")
    is_list = isinstance(data, (list, tuple))
    if isinstance(data, PATHS) or (is_list and data and all(isinstance(d, PATHS) for d in data)):
        return file_shards(data, shard_rows, reading)
    label = reading.pop("label", None)
    if reading and (is_list or hasattr(data, "to_delayed")):
        raise InputError(f"{min(reading)}= is about files; leave it out for a Dask collection.")
    if is_list and data and all(isinstance(d, Delayed) for d in data):
        return [BlockShard(f"delayed shard {i}", pair) for i, pair in enumerate(data)]
    if isinstance(data, tuple) and len(data) == 2 and hasattr(data[0], "to_delayed"):
        return _pair_shards(*data)
    if hasattr(data, "to_delayed") and hasattr(data, "columns"):
        parts = enumerate(data.to_delayed())
        return [BlockShard(f"partition {i}", part, None, label) for i, part in parts]
    what = "empty" if is_list and not data else f"a {type(data).__name__} that is no shards"
    raise InputError(f"data is {what}; it must be {WANTED}.")


def _pair_shards(X: Any, y: Any) -> list[Shard]:
    if not hasattr(y, "to_delayed"):
        raise InputError(f"y is a {type(y).__name__}; it must be a Dask array, as X is.")
    if hasattr(X, "rechunk"):
        if X.ndim != 2 or y.ndim != 1:
            raise InputError(
                f"X and y have shapes {X.shape} and {y.shape}; 2-D and 1-D are needed."
            )
        X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
        known = not any(size != size for size in (*X.chunks[0], *y.chunks[0]))
        if known and X.shape[0] != y.shape[0]:
            raise InputError(f"X has {X.shape[0]} rows and y has {y.shape[0]} labels.")
        if known and X.chunks[0] != y.chunks[0]:
            y = y.rechunk((X.chunks[0],))
    parts, labels = X.to_delayed().ravel(), y.to_delayed().ravel()
    if len(parts) != len(labels):
        raise InputError(f"X has {len(parts)} blocks and y has {len(labels)}; they must match.")
    pairs = zip(parts.tolist(), labels.tolist(), strict=True)
    return [BlockShard(f"block {i} of X", *pair) for i, pair in enumerate(pairs)]


def file_shards(data: Any, most: int, reading: dict[str, Any]) -> list[Shard]:
    """The shards of the files of a path, a pattern or a list of paths."""
    is_one = isinstance(data, PATHS)
    sources = find_sources(data) if is_one else [source_at(str(path)) for path in data]
    given = options(**reading)
    shards: list[Shard] = []
    for source in sources:
        if source.path is None:
            raise InputError(f"{source.name} cannot be sharded; save it to files first.")
        path, found = str(source.path.absolute()), find_format(source, given)
        if found == "parquet":
            groups = _row_groups(source, given, most)
            for group in groups:
                span = f" {group[0]}" if len(group) == 1 else f"s {group[0]} to {group[-1]}"
                name = source.name + f", row group{span}" * (len(groups) > 1)
                shards.append(FileShard(name, path, given, tuple(group)))
        elif found == "svmlight":
            shards.append(FileShard(source.name, path, given))
        else:
            raise InputError(
                f"{source.name} is {found}; files of a cluster are Parquet or svmlight: convert "
                "it, or give a Dask DataFrame, such as dask.dataframe.read_csv makes."
            )
    if not shards:
        raise InputError(f"{sources[0].name} has no rows.")
    return shards


def _row_groups(source: Source, given: Options, most: int) -> list[list[int]]:
    """Consecutive row groups, of at most `most` rows together unless one alone has more."""
    from pyarrow.parquet import ParquetFile

    ArrowReader([source], replace(given, format="parquet"))  # checks the columns, names the file
    with translated(source.name), ParquetFile(source.path) as file:
        sizes = [file.metadata.row_group(g).num_rows for g in range(file.metadata.num_row_groups)]
    groups: list[list[int]] = []
    room = 0
    for g, size in enumerate(sizes):
        if size:
            if not groups or size > room:
                groups.append([])
                room = most
            groups[-1].append(g)
            room -= size
    return groups
