"""Shards that a worker has loaded, kept for the next round while memory lasts.

Rounds read the same files again and again. A shard is sent to the worker that had it before,
which finds it here unless the file has changed. At most a quarter of the worker's memory is
used, and less where the process would then have more than 60% of it, at which Dask begins to
spill. The shard that was not asked for longest goes first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from distributed import get_worker

from novikoff.distributed.shards import FileShard, Rows

MEMORY_SHARE = 0.25  # of the worker's memory, for shards that are kept
SPILLING = 0.6  # of the worker's memory, at which Dask begins to spill
KEPT_WITHOUT_LIMIT = 1 << 30  # bytes, where the worker has no limit

_rows: OrderedDict[str, tuple[Rows, int]] = OrderedDict()
_lock = threading.Lock()


def load(shard: FileShard) -> Rows:
    """The rows of the shard: those kept, or else read anew and kept."""
    key = _key(shard)
    with _lock:
        if key is not None and key in _rows:
            _rows.move_to_end(key)
            return _rows[key][0]
    rows = shard.load()
    if key is not None:
        _keep(key, rows)
    return rows


def _key(shard: FileShard) -> str | None:
    """Which rows: the file as it is now, and how it is read."""
    try:
        stat = Path(shard.path).stat()
    except OSError:
        return None  # reading it will say what is wrong
    return repr((shard.path, stat.st_mtime_ns, stat.st_size, shard.row_groups, shard.options))


def _keep(key: str, rows: Rows) -> None:
    with _lock:
        limit = _limit()
        _rows[key] = rows, _size(rows)
        while _rows and sum(size for _, size in _rows.values()) > limit:
            _rows.popitem(last=False)


def _limit() -> int:
    """How many bytes may be kept now."""
    try:
        worker = get_worker()
        most = worker.memory_manager.memory_limit
    except (ValueError, AttributeError):
        most = None
    if not most:
        return KEPT_WITHOUT_LIMIT
    kept = sum(size for _, size in _rows.values())
    others = worker.monitor.get_process_memory() - kept
    return max(0, int(min(MEMORY_SHARE * most, SPILLING * most - others)))


def _size(rows: Rows) -> int:
    matrix: Any = rows.table.matrix
    parts = [matrix] if not rows.table.is_sparse else [matrix.data, matrix.indices, matrix.indptr]
    labels = getattr(rows.y, "nbytes", 0) + 64 * rows.n_rows * (rows.y.dtype == object)
    return int(sum(part.nbytes for part in parts) + labels)
