"""Faults on a cluster of real processes: the result must not change by a bit.

Workers are killed at random moments of fits and of certifies, stopped for a while, and given
too little memory for a shard. Every disturbed run is compared with the undisturbed one. A bit
that differs ends it with an error.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import dask
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, Nanny, Scheduler, SchedulerPlugin, SpecCluster
from sklearn.exceptions import ConvergenceWarning

import novikoff as nk

SHARDS, ROWS, COLUMNS, ROUNDS = 8, 20_000, 20, 25
LARGE_ROWS = 250_000  # of a shard that a small worker cannot hold
SMALL, USUAL = "420MB", "4GB"
STOPPED = 2.0  # seconds


class Deaths(SchedulerPlugin):
    """Counts the workers that went away."""

    def __init__(self) -> None:
        self.count = 0

    def remove_worker(self, *_: Any, **__: Any) -> None:
        self.count += 1


def write(folder: Path, shards: int, rows: int) -> str:
    """Parquet files of separable rows with a small margin, one shard each."""
    rng = np.random.default_rng(0)
    w = rng.normal(size=COLUMNS)
    for i in range(shards):
        X = rng.normal(size=(rows, COLUMNS))
        X += np.sign(X @ w)[:, None] * w / np.linalg.norm(w) * 0.05
        y = np.where(X @ w > 0, 1, 0)
        frame = pa.table({**{f"x{j}": X[:, j] for j in range(COLUMNS)}, "y": y})
        pq.write_table(frame, folder / f"{i:02}.parquet", row_group_size=rows)
    return str(folder / "*.parquet")


def cluster_of(limits: list[str]) -> SpecCluster:
    """Single-thread worker processes with these limits of memory."""
    options = {"nthreads": 1, "silence_logs": logging.CRITICAL}
    return SpecCluster(
        scheduler={"cls": Scheduler, "options": {"dashboard_address": ":0"}},
        workers={
            i: {"cls": Nanny, "options": {**options, "memory_limit": limit}}
            for i, limit in enumerate(limits)
        },
    )


def fitted(pattern: str, client: Client, rounds: int) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = nk.distributed.fit(
            pattern, client, kind="averaged", mixing="mistakes", rounds=rounds
        )
    parts = (model.coef_, model.intercept_, model.last_coef_, model.round_mistakes_)
    return b"".join(part.tobytes() for part in parts)


def certified(pattern: str, client: Client, _: int) -> bytes:
    return repr(nk.distributed.certify(pattern, client).certificate.to_dict()).encode()


JOBS: dict[str, Callable[[str, Client, int], bytes]] = {"fit": fitted, "certify": certified}


def disturb(client: Client, how: str, after: float, choice: random.Random) -> bool:
    """Kill or stop a random worker process after some seconds; False if that would be the last."""
    time.sleep(after)
    with suppress(Exception):
        there = sorted(client.run(os.getpid, on_error="ignore").values())
        if len(there) < 2:
            return False
        pid = choice.choice(there)
        if how == "killed":
            os.kill(pid, signal.SIGKILL)
            return True
        os.kill(pid, signal.SIGSTOP)
        time.sleep(STOPPED)
        os.kill(pid, signal.SIGCONT)
        return True
    return False


def disturbed_runs(how: str, times: int, seed: int) -> Counter:
    """So many disturbances, one in a run, at random moments of its usual duration."""
    choice, counts = random.Random(seed), Counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        dask.config.set({"distributed.comm.timeouts.connect": "5s"}),
    ):
        pattern = write(Path(folder), SHARDS, ROWS)
        expected: dict[str, bytes] = {}
        while counts.total() < times:
            with cluster_of([USUAL, USUAL]) as cluster, Client(cluster) as client:
                usual = usual_runs(pattern, client, expected)
                while counts.total() < times and is_whole(client):
                    name = choice.choice(sorted(JOBS))
                    after = choice.uniform(0.0, usual[name])
                    made = disturbed_run(name, pattern, client, how, after, choice, expected)
                    counts[f"a worker {how} in {name}"] += made
    return counts


def usual_runs(pattern: str, client: Client, expected: dict[str, bytes]) -> dict[str, float]:
    """How long the undisturbed jobs take; their results are kept, or compared."""
    usual = {}
    for name, job in JOBS.items():
        job(pattern, client, ROUNDS)  # compiled loops are loaded
        started = time.perf_counter()
        if job(pattern, client, ROUNDS) != expected.setdefault(name, job(pattern, client, ROUNDS)):
            sys.exit(f"{name} gave other bits on another cluster")
        usual[name] = (time.perf_counter() - started) / 2
    return usual


def is_whole(client: Client) -> bool:
    """Whether both workers answer; Dask does not bring every one that was killed back."""
    deadline = time.monotonic() + 20.0
    while time.monotonic() < deadline:
        with suppress(Exception):
            if len(client.run(os.getpid, on_error="ignore")) == 2:
                return True
        time.sleep(0.2)
    return False


def disturbed_run(
    name: str, pattern: str, client: Client, how: str, after: float, choice: random.Random,
    expected: dict[str, bytes],
) -> int:  # fmt: skip
    """One job with a worker that is disturbed after so many seconds: whether one was there."""
    made: list[bool] = []
    hand = threading.Thread(target=lambda: made.append(disturb(client, how, after, choice)))
    hand.start()
    result = JOBS[name](pattern, client, ROUNDS)
    hand.join()
    if result != expected[name]:
        sys.exit(f"{name} with a worker {how} after {after:.3f} s gave other bits")
    print(f"{name}: a worker {how} after {after:.2f} s, the same bits", file=sys.stderr)
    return sum(made)


def small_worker_runs(times: int) -> Counter:
    """Fits where one of two workers has too little memory for a shard."""
    counts: Counter = Counter()
    with tempfile.TemporaryDirectory() as folder:
        pattern = write(Path(folder), 3, LARGE_ROWS)
        with cluster_of([USUAL]) as cluster, Client(cluster) as client:
            expected = fitted(pattern, client, 3)
        with (
            dask.config.set({"distributed.comm.timeouts.connect": "5s"}),
            cluster_of([USUAL, SMALL]) as cluster,
            Client(cluster) as client,
        ):
            deaths = Deaths()
            cluster.scheduler.add_plugin(deaths)
            for _ in range(times):
                if fitted(pattern, client, 3) != expected:
                    sys.exit("a worker without memory changed the bits of a fit")
                counts["a fit beside a worker with too little memory"] += 1
            counts["such workers that ran out of memory"] += deaths.count
    return counts


def faults(kills: int, seed: int = 0) -> Counter:
    """All of it; what was done, and how often."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    few = max(1, kills // 5)
    counts = disturbed_runs("killed", kills, seed)
    counts += disturbed_runs(f"stopped for {STOPPED:.0f} s", few, seed + 1)
    return counts + small_worker_runs(few)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="workers to kill")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    counts = faults(chosen.kills, chosen.seed)
    for what, times in sorted(counts.items()):
        print(f"{times:4}  {what}")
    print("every result had the bits of the undisturbed run")


if __name__ == "__main__":
    main()
