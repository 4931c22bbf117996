"""What the user gave, as shards in a fixed order.

The shards, and so the result, depend on the data alone: a file is one, or, of Parquet, as many
consecutive row groups as make up at most `shard_rows` rows; a block of a collection is one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dask.delayed import Delayed

from novikoff.distributed.shards import BlockShard, FileShard, Shard
from novikoff.errors import InputError
from novikoff.io.arrow import ArrowReader
from novikoff.io.formats import find_format
from novikoff.io.options import Options, options
from novikoff.io.sources import Source, find_sources, source_at, translated

SHARD_ROWS = 1 << 16

WANTED = (
    "a path or a pattern of files, a list of paths, a pair (X, y) of Dask arrays, a Dask "
    "DataFrame, or a list of delayed pairs"
)


def plan(data: Any, shard_rows: int = SHARD_ROWS, **reading: Any) -> list[Shard]:
    """The shards of the data; `reading` is what novikoff.read takes, for files."""
    if reading.get("label") is False:
        raise InputError("label is False; every row needs its label.")
    if isinstance(data, (str, os.PathLike)):
        return file_shards(sources_of(data), shard_rows, reading)
    if not isinstance(data, (list, tuple)) and not hasattr(data, "to_delayed"):
        raise InputError(f"data is a {type(data).__name__}; it must be {WANTED}.")
    if isinstance(data, (list, tuple)) and not data:
        raise InputError(f"data is empty; it must be {WANTED}.")
    if isinstance(data, (list, tuple)) and all(isinstance(d, (str, os.PathLike)) for d in data):
        return file_shards(sources_of(data), shard_rows, reading)
    label = reading.pop("label", None)
    if reading:
        raise InputError(f"{min(reading)}= is about files; leave it out for a Dask collection.")
    if isinstance(data, (list, tuple)) and all(isinstance(d, Delayed) for d in data):
        return [BlockShard(f"delayed shard {i}", pair) for i, pair in enumerate(data)]
    if isinstance(data, tuple) and len(data) == 2 and hasattr(data[0], "to_delayed"):
        return _pair_shards(*data)
    if hasattr(data, "to_delayed") and hasattr(data, "columns"):
        return [
            BlockShard(f"partition {i}", part, None, label)
            for i, part in enumerate(data.to_delayed())
        ]
    raise InputError(f"data is a {type(data).__name__} that is no shards; it must be {WANTED}.")


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


def sources_of(data: Any) -> list[Source]:
    """The files of a path, a pattern or a list of paths."""
    if isinstance(data, (str, os.PathLike)):
        return find_sources(data)
    return [source_at(str(path)) for path in data]


def file_shards(sources: Sequence[Source], most: int, reading: dict[str, Any]) -> list[Shard]:
    """The shards of files."""
    given = options(**reading)
    shards: list[Shard] = []
    for source in sources:
        if source.path is None:
            raise InputError(f"{source.name} cannot be sharded; save it to files first.")
        path, found = str(source.path.absolute()), find_format(source, given)
        if found == "parquet":
            groups = _row_groups(source, given, most)
            shards += [
                FileShard(_name(source, group, len(groups)), path, given, tuple(group))
                for group in groups
            ]
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

    reader = ArrowReader(
        [source], replace(given, format="parquet")
    )  # checks the columns, and names the file
    with translated(source.name), ParquetFile(source.path) as file:
        sizes = [file.metadata.row_group(g).num_rows for g in range(file.metadata.num_row_groups)]
    del reader
    groups: list[list[int]] = []
    room = 0
    for g, size in enumerate(sizes):
        if not size:
            continue
        if not groups or size > room:
            groups.append([])
            room = most
        groups[-1].append(g)
        room -= size
    return groups


def _name(source: Source, group: list[int], count: int) -> str:
    if count == 1:
        return source.name
    span = f" {group[0]}" if len(group) == 1 else f"s {group[0]} to {group[-1]}"
    return f"{source.name}, row group{span}"
