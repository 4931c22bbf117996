"""`predict`: the class of every row, as a lazy Dask collection."""

from __future__ import annotations

import os
from typing import Any

import dask.array
import numpy as np
from dask.delayed import delayed

from novikoff.distributed.shards import SHARD_ROWS, FileShard, file_shards
from novikoff.errors import InputError


def predict(
    model: Any, data: Any, *, shard_rows: int = SHARD_ROWS, **reading: Any
) -> dask.array.Array | Any:
    """The predictions of a fitted model; nothing is computed before Dask is asked to.

    A Dask array gives a Dask array with the same blocks, a Dask DataFrame of the model's columns
    a Series with its index, and files (a path, a pattern or a list of paths) a Dask array with
    a block for each shard. A model that was learnt from files takes the same columns from these,
    which need no labels; else they are read as novikoff.read does, and their labels left aside.
    """
    if not hasattr(model, "classes_"):
        raise InputError(f"the {type(model).__name__} is not fitted; fit it first.")
    kind = model.classes_.dtype
    if isinstance(data, (str, os.PathLike, list, tuple)):
        return _of_files(model, data, shard_rows, reading)
    if reading:
        raise InputError(f"{min(reading)}= is about files; leave it out for a Dask collection.")
    if hasattr(data, "map_blocks"):
        if data.ndim != 2:
            raise InputError(f"X has shape {data.shape}; it must be 2-D, rows and columns.")
        data = data.rechunk({1: -1}) if data.numblocks[1] > 1 else data
        return data.map_blocks(
            _of_block, model, dtype=kind, drop_axis=1, meta=np.empty(0, dtype=kind)
        )
    if hasattr(data, "map_partitions"):
        return data.map_partitions(_of_frame, model, meta=("prediction", kind))
    raise InputError(
        f"data is a {type(data).__name__}; it must be a Dask array or DataFrame, or files."
    )


def _of_files(model: Any, data: Any, shard_rows: int, reading: dict[str, Any]) -> Any:
    if isinstance(data, (list, tuple)) and not all(
        isinstance(path, (str, os.PathLike)) for path in data
    ):
        raise InputError("data is a list of other things than paths; give paths.")
    if like := getattr(model, "reading_", None):
        reading = {"label": False, **like, **reading}
    parts = [
        dask.array.from_delayed(
            delayed(_of_shard, pure=False)(model, delayed(shard, traverse=False)),
            (np.nan,),
            dtype=model.classes_.dtype,
        )
        for shard in file_shards(data, shard_rows, reading)
    ]
    return dask.array.concatenate(parts, allow_unknown_chunksizes=True)


def _of_block(X: Any, model: Any) -> np.ndarray:
    return np.asarray(model.predict(X))


def _of_frame(frame: Any, model: Any) -> Any:
    from pandas import Series

    if not len(frame):
        return Series([], index=frame.index, dtype=model.classes_.dtype, name="prediction")
    return Series(model.predict(frame), index=frame.index, name="prediction")


def _of_shard(model: Any, shard: FileShard) -> np.ndarray:
    return np.asarray(model.predict(shard.load().table.matrix))
