"""Pure functions of shards on the cluster.

Dask runs a task again where its worker died or its result was lost. What Dask gives up on (a
task that was on too many workers that died, or whose future was cancelled) is asked for again
here. A task is a function of its arguments alone, so nothing of this shows in the result.

Rounds read the same files again and again. Where all of them fit into a part of the memory of the
workers, a shard that was read stays on its worker, as a result that Dask keeps.
"""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from dask.delayed import delayed
from distributed import Client, Future, KilledWorker
from distributed.client import FutureCancelledError

from novikoff.distributed.shards import FileShard, Rows, Shard, in_shard
from novikoff.errors import NovikoffError

FAN_IN = 8  # parts that are added up by one task
ATTEMPTS = 5  # how often work that Dask gave up on is asked for
MEMORY_SHARE = 0.25  # of the workers' memory, for shards that are kept
KEPT_WITHOUT_LIMIT = 1 << 30  # bytes on a worker that has no limit
EXPANSION = 8  # bytes in memory for each byte of a file, at most: compressed Parquet


class Tasks:
    """What this client asks of the cluster about some shards.

    retries : how often a task that raised an error is run again, by Dask
    """

    def __init__(self, client: Client, retries: int, shards: Sequence[Shard]) -> None:
        self.client, self.retries = client, retries
        size = 0
        for path in {shard.path for shard in shards if isinstance(shard, FileShard)}:
            with suppress(OSError):  # reading it will say what is wrong
                size += EXPANSION * Path(path).stat().st_size
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        limits = [worker["memory_limit"] for worker in workers]
        room = sum(MEMORY_SHARE * limit if limit else KEPT_WITHOUT_LIMIT for limit in limits)
        self.is_kept = size <= room
        self.kept: dict[str, Future] = {}  # files that were read, by name and how they are read
        self.names: dict[str, str] = {}  # of the shards of the tasks at hand

    def one(self, function: Callable[..., Any], *args: Any, priority: int = 0) -> Future:
        """The future of function(*args), where args may be futures and lists of futures."""
        with warnings.catch_warnings():  # Dask advises to scatter; see `each` for why not
            warnings.filterwarnings("ignore", message="Sending large graph", category=UserWarning)
            return self.client.submit(
                function, *args, pure=False, retries=self.retries, priority=priority
            )

    def each(
        self, function: Callable[..., Any], shards: Sequence[Shard], *args: Any
    ) -> list[Future]:
        """The futures of function(rows, index, *args) for every shard, in order.

        The arguments go out once, as the result of a task of their own that all others need:
        workers hand it on, and if the one that has it dies another runs the task. A scattered
        copy would be lost with its worker.
        """
        sent = self.one(tuple, args)
        token, task = secrets.token_hex(8), delayed(_on_shard, pure=False)
        wanted = []
        for i, shard in enumerate(shards):
            key = f"{function.__name__}-{token}-{i}"
            self.names[key] = shard.name
            rows = self._kept(shard)
            wanted.append(task(function, shard.name, rows, i, sent, dask_key_name=key))
        made: list[Future] = self.client.compute(wanted, retries=self.retries)
        return made

    def _kept(self, shard: Shard) -> Shard | Future:
        """The rows of a file on a worker, where these are kept; else what is to be loaded."""
        if not self.is_kept or not isinstance(shard, FileShard):
            return shard
        key = repr((shard.name, shard.options))
        if key not in self.kept:
            future = self.kept[key] = self.one(FileShard.load, shard)
            self.names[future.key] = shard.name
        return self.kept[key]

    def tree(self, add: Callable[[list[Any]], Any], parts: list[Future]) -> Future:
        """All parts added up, FAN_IN at a time: an order that depends on their number alone."""
        level = 1
        while len(parts) > 1:
            starts = range(0, len(parts), FAN_IN)
            parts = [self.one(add, parts[k : k + FAN_IN], priority=level) for k in starts]
            level += 1
        return parts[0]

    def results(self, ask: Callable[[], list[Future]]) -> list[Any]:
        """What the futures that `ask` makes come to; it is asked again if the cluster fails."""
        failure: BaseException | None = None
        for _ in range(ATTEMPTS):
            try:
                return list(self.client.gather(ask()))
            except (KilledWorker, FutureCancelledError, MemoryError) as error:
                failure = error
                self.is_kept = False  # a worker may be too small for what it keeps
                self.kept.clear()
                self.client.submit(int, pure=False).result()  # until there is a worker
        what = self.names.get(getattr(failure, "task", ""), "the same work")
        raise NovikoffError(
            f"the cluster gave up {ATTEMPTS} times on {what} ({type(failure).__name__}); does "
            "every shard fit in the memory of a worker?"
        ) from failure


def _on_shard(
    function: Callable[..., Any], name: str, source: Shard | Rows, index: int, args: tuple[Any, ...]
) -> Any:
    try:
        rows = source if isinstance(source, Rows) else source.load()
        return function(rows, index, *args)
    except NovikoffError as error:
        raise in_shard(name, error) from None
