"""Pure functions of shards on the cluster.

Dask runs a task again where its worker died or its result was lost. What Dask gives up on (a
task that was on too many workers that died, or whose future was cancelled) is asked for again
here. A task is a function of its arguments alone, so nothing of this shows in the result.
"""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dask.delayed import delayed
from distributed import Client, Future, KilledWorker
from distributed.client import FutureCancelledError

from novikoff.distributed import cache
from novikoff.distributed.planning import Shard
from novikoff.distributed.shards import BlockShard, FileShard, in_shard, rows_of_block
from novikoff.errors import NovikoffError

FAN_IN = 8  # parts that are added up by one task


class Tasks:
    """What this client asks of the cluster.

    retries : how often a task that raised an error is run again, by Dask
    attempts : how often work that Dask gave up on is asked for anew
    """

    def __init__(self, client: Client, retries: int, attempts: int = 5) -> None:
        self.client = client
        self.retries = retries
        self.attempts = attempts
        self.workers: dict[str, str] = {}  # by shard: the worker that had it before
        self.may_choose_workers = True  # whether shards go to `workers`
        self.names: dict[str, str] = {}  # of the shards of the tasks at hand

    def one(self, function: Callable[..., Any], *args: Any, priority: int = 0) -> Future:
        """The future of function(*args), where args may be futures and lists of futures."""
        with _large_arguments():
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
        sent = self.one(_sent, args)
        token = secrets.token_hex(8)
        keys = [f"{function.__name__}-{token}-{i}" for i in range(len(shards))]
        self.names.update(zip(keys, (shard.name for shard in shards), strict=True))
        futures: dict[int, Future] = {}
        for worker, indices in self._files_by_worker(shards).items():
            made = self.client.map(
                _on_file, [shards[i] for i in indices], indices, function=function, args=sent,
                key=[keys[i] for i in indices], pure=False, retries=self.retries,
                workers=worker, allow_other_workers=worker is not None,
            )  # fmt: skip
            futures.update(zip(indices, made, strict=True))
        blocks = [(i, shard) for i, shard in enumerate(shards) if isinstance(shard, BlockShard)]
        if blocks:
            task = delayed(_on_block, pure=False)
            wanted = [
                task(
                    function, shard.name, shard.label, shard.X, shard.y, i, sent,
                    dask_key_name=keys[i],
                )
                for i, shard in blocks
            ]  # fmt: skip
            made = self.client.compute(wanted, retries=self.retries)
            futures.update({i: future for (i, _), future in zip(blocks, made, strict=True)})
        return [futures[i] for i in range(len(shards))]

    def _files_by_worker(self, shards: Sequence[Shard]) -> dict[str | None, list[int]]:
        """The indices of the shards of files, by the worker that each should go to."""
        files = {i: shard.name for i, shard in enumerate(shards) if isinstance(shard, FileShard)}
        workers = self._find_workers(list(files.values()))
        indices: dict[str | None, list[int]] = {}
        for i, name in files.items():
            indices.setdefault(workers.get(name), []).append(i)
        return indices

    def _find_workers(self, names: list[str]) -> dict[str, str]:
        """For each shard the worker that had it, or else one that has the fewest: a wish only."""
        load = dict.fromkeys(sorted(self.client.nthreads()), 0)
        if not (names and load and self.may_choose_workers):
            return {}
        self.workers = {name: worker for name, worker in self.workers.items() if worker in load}
        for worker in self.workers.values():
            load[worker] += 1
        for name in names:
            if name not in self.workers:
                self.workers[name] = min(load, key=load.__getitem__)
                load[self.workers[name]] += 1
        return self.workers

    def tree(self, add: Callable[[list[Any]], Any], parts: list[Future]) -> Future:
        """All parts added up, FAN_IN at a time: an order that depends on their number alone."""
        level = 1
        while len(parts) > 1:
            parts = [
                self.one(add, parts[k : k + FAN_IN], priority=level)
                for k in range(0, len(parts), FAN_IN)
            ]
            level += 1
        return parts[0]

    def results(self, ask: Callable[[], list[Future]]) -> list[Any]:
        """What the futures that `ask` makes come to; it is asked again if the cluster fails."""
        failure: BaseException | None = None
        for attempt in range(self.attempts):
            # a worker that is too small must not get the shard again
            self.may_choose_workers = attempt == 0
            self.names.clear()
            try:
                return list(self.client.gather(ask()))
            except (KilledWorker, FutureCancelledError, MemoryError) as error:
                failure = error
                self.client.submit(_nothing, pure=False).result()  # until there is a worker
        what = self.names.get(getattr(failure, "task", ""), "the same work")
        raise NovikoffError(
            f"the cluster gave up {self.attempts} times on {what} ({type(failure).__name__}); does "
            "every shard fit in the memory of a worker?"
        ) from failure


def _sent(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return args


def _nothing() -> None:
    return None


def _on_file(
    shard: FileShard, index: int, *, function: Callable[..., Any], args: tuple[Any, ...],
) -> Any:  # fmt: skip
    rows = cache.load(shard)
    with _naming(shard.name):
        return function(rows, index, *args)


def _on_block(
    function: Callable[..., Any], name: str, label: str | None, X: Any, y: Any, index: int,
    args: tuple[Any, ...],
) -> Any:  # fmt: skip
    with _naming(name):
        return function(rows_of_block(X, y, label), index, *args)


@contextmanager
def _naming(name: str) -> Iterator[None]:
    try:
        yield
    except NovikoffError as error:
        raise in_shard(name, error) from None


@contextmanager
def _large_arguments() -> Iterator[None]:
    """Dask advises to scatter large arguments; see `each` for why they are not."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph", category=UserWarning)
        yield
