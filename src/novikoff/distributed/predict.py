"""`predict`: the class of every row, as a lazy Dask collection."""

from __future__ import annotations

from typing import Any

import dask.array
import numpy as np
from dask.delayed import delayed

from novikoff.distributed.shards import PATHS, SHARD_ROWS, FileShard, file_shards
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
    if isinstance(data, (*PATHS, list, tuple)):
        if isinstance(data, (list, tuple)) and not all(isinstance(path, PATHS) for path in data):
            raise InputError("data is a list of other things than paths; give paths.")
        if like := getattr(model, "reading_", None):
            reading = {"label": False, **like, **reading}
        of_shard = delayed(_of_shard, pure=False)
        parts = [
            dask.array.from_delayed(
                of_shard(delayed(shard, traverse=False), model), (np.nan,), dtype=kind
            )
            for shard in file_shards(data, shard_rows, reading)
        ]
        return dask.array.concatenate(parts, allow_unknown_chunksizes=True)
    if reading:
        raise InputError(f"{min(reading)}= is about files; leave it out for a Dask collection.")
    if hasattr(data, "map_blocks"):
        if data.ndim != 2:
            raise InputError(f"X has shape {data.shape}; it must be 2-D, rows and columns.")
        data = data.rechunk({1: -1}) if data.numblocks[1] > 1 else data
        return data.map_blocks(model.predict, dtype=kind, drop_axis=1, meta=np.empty(0, dtype=kind))
    if hasattr(data, "map_partitions"):
        return data.map_partitions(_of_frame, model, meta=("prediction", kind))
    raise InputError(
        f"data is a {type(data).__name__}; it must be a Dask array or DataFrame, or files."
    )


def _of_frame(frame: Any, model: Any) -> Any:
    from pandas import Series

    labels = model.predict(frame) if len(frame) else np.empty(0, dtype=model.classes_.dtype)
    return Series(labels, index=frame.index, name="prediction")


def _of_shard(shard: FileShard, model: Any) -> np.ndarray:
    return np.asarray(model.predict(shard.load().table.matrix))
