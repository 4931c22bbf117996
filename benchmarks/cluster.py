"""A cluster on one machine: scaling, the cost of a round, dask-ml's Incremental, 10 GB of Parquet.

Writes docs/benchmarks/cluster.md and cluster.json. Files are made anew in a temporary
folder (TMPDIR chooses where). `--small` tries everything at a small fraction of the size, and
writes nothing.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import logging
import os
import platform
import re
import resource
import statistics
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster, wait
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

import novikoff as nk

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = 75  # of a sparse row


@dataclass(frozen=True)
class Sizes:
    """How large everything is."""

    scaling_rows: int = 400_000  # of a shard
    scaling_shards: int = 4
    scaling_rounds: int = 5
    overhead_shards: tuple[int, ...] = (4, 16, 64)
    overhead_rounds: int = 15
    peer_rows: int = 200_000  # of a block
    peer_blocks: int = 16
    peer_passes: int = 10
    file_rows: int = 208_000  # of a file of 100 MB
    files: int = 10
    copies: int = 10
    fit_rounds: int = 3


SMALL = Sizes(20_000, 4, 3, (4, 16), 5, 10_000, 8, 5, 20_000, 3, 3, 2)


@contextmanager
def cluster(workers: int, memory: str = "8GB") -> Iterator[Client]:
    made = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0",
        memory_limit=memory, silence_logs=logging.CRITICAL,
    )  # fmt: skip
    with made, Client(made) as client:
        yield client


def fit(data: Any, client: Client, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return nk.distributed.fit(data, client, **options)


def seconds_a_round(data: Any, client: Client, **options: Any) -> tuple[float, Any]:
    """The median over the rounds but the first, in which loops are loaded."""
    taken: list[float] = []
    model = fit(data, client, progress=lambda ended: taken.append(ended.seconds), **options)
    return statistics.median(taken[1:]), model


# ---------------------------------------------------------------- scaling


def sparse_shard(i: int, rows: int, columns: int, classes: int) -> tuple[Any, np.ndarray]:
    """Sparse rows whose labels follow a planted direction for each class, mostly."""
    rng = np.random.default_rng(i)
    places = np.sort(rng.integers(0, columns, (rows, ENTRIES), dtype=np.int32), axis=1)
    starts = np.arange(rows + 1, dtype=np.int64) * ENTRIES
    X = sparse.csr_matrix((rng.normal(size=places.size), places.ravel(), starts), (rows, columns))
    X.sum_duplicates()
    planted = np.random.default_rng(10**6).normal(size=(columns, classes))
    return X, np.argmax(X @ planted, axis=1)


def kept_shards(client: Client, n_shards: int, *args: int) -> list[Any]:
    parts = [dask.delayed(sparse_shard, pure=True)(i, *args) for i in range(n_shards)]
    kept = client.persist(parts)
    wait(kept)
    return list(kept)


def scaling(sizes: Sizes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    bits = set()
    for workers in (1, 2):
        with cluster(workers) as client:
            data = kept_shards(client, sizes.scaling_shards, sizes.scaling_rows, 100_000, 10)
            taken, model = seconds_a_round(data, client, rounds=sizes.scaling_rounds)
        bits.add(model.coef_.tobytes())
        found.append(
            {
                "workers": workers,
                "shards": sizes.scaling_shards,
                "rows": sizes.scaling_rows,
                "seconds_a_round": taken,
                "seconds_a_shard": taken * workers / sizes.scaling_shards,
                "speedup": found[0]["seconds_a_round"] / taken if found else 1.0,
                "same_bits": len(bits) == 1,
            }
        )
    return found


def overhead(sizes: Sizes) -> list[dict[str, Any]]:
    """Rounds on shards that take hardly any time themselves."""
    found = []
    with cluster(2) as client:
        for columns in (100_000, 1_000_000):
            for shards in sizes.overhead_shards:
                data = kept_shards(client, shards, 3_000, columns, 2)
                taken, _ = seconds_a_round(data, client, rounds=sizes.overhead_rounds)
                found.append({"columns": columns, "shards": shards, "seconds": taken})
    return found


# ---------------------------------------------------------------- dask-ml


def peer(sizes: Sizes, flipped: float) -> dict[str, Any]:
    """Time to a training error: dask-ml's Incremental(Perceptron) and ours, on the same arrays.

    The target is the lowest error that Incremental had after any of its passes. Errors are
    measured between passes, and that is not timed.
    """
    what = "no label flipped" if not flipped else f"{flipped:.0%} of the labels flipped"
    try:
        from dask_ml.wrappers import Incremental
        from sklearn.linear_model import Perceptron
    except ImportError as error:
        return {"data": what, "missing": f"dask-ml cannot be imported ({error})"}
    with cluster(2) as client, tempfile.TemporaryDirectory() as folder:
        X, y = dense_arrays(client, sizes, flipped)

        def error_of(model: Any) -> float:
            return float((nk.distributed.predict(model, X) != y).mean().compute())

        theirs = Incremental(
            Perceptron(shuffle=False), shuffle_blocks=False, assume_equal_chunks=True
        )
        theirs.partial_fit(X[: sizes.peer_rows], y[: sizes.peer_rows], classes=[0, 1])  # warm
        theirs = Incremental(
            Perceptron(shuffle=False), shuffle_blocks=False, assume_equal_chunks=True
        )
        curve: list[tuple[float, float]] = []
        spent = 0.0
        for _ in range(sizes.peer_passes):
            started = time.perf_counter()
            theirs.partial_fit(X, y, classes=[0, 1])
            spent += time.perf_counter() - started
            curve.append((spent, error_of(theirs.estimator_)))
        target = min(error for _, error in curve)
        their_time = next(spent for spent, error in curve if error <= target)
        checkpoint = Path(folder) / "model.safetensors"
        fit((X, y), client, kind="averaged", rounds=2)  # warm
        ours: list[tuple[float, float]] = []

        def look(ended: Any) -> None:
            if not ours or ours[-1][1] > target:
                spent = ended.seconds + (ours[-1][0] if ours else 0.0)
                ours.append((spent, error_of(nk.load(checkpoint))))

        fit(
            (X, y), client, kind="averaged", rounds=5 * sizes.peer_passes, checkpoint=checkpoint,
            progress=look,
        )  # fmt: skip
    reached = ours[-1][1] <= target
    return {
        "data": what,
        "target_error": target,
        "their_passes": [error for _, error in curve].index(target) + 1,
        "their_seconds": their_time,
        "seconds_a_pass": curve[-1][0] / len(curve),
        "our_rounds": len(ours),
        "our_seconds": ours[-1][0],
        "our_error": ours[-1][1],
        "reached": reached,
        "ratio": their_time / ours[-1][0] if reached else None,
    }


def dense_arrays(client: Client, sizes: Sizes, flipped: float) -> list[Any]:
    rows, blocks, columns = sizes.peer_rows, sizes.peer_blocks, 50
    rng = da.random.default_rng(0)
    X = rng.normal(size=(rows * blocks, columns), chunks=(rows, columns))
    w = np.random.default_rng(1).normal(size=columns)
    coin = rng.random(size=rows * blocks, chunks=rows)
    y = (((X @ w) > 0) ^ (coin < flipped)).astype(np.int64)
    kept = client.persist([X, y])
    wait(kept)
    return list(kept)


# ---------------------------------------------------------------- files larger than memory


def write_files(folder: Path, sizes: Sizes) -> tuple[str, int]:
    """Parquet files of separable rows, each under several names; the pattern and all bytes."""
    rng = np.random.default_rng(0)
    w = rng.normal(size=60)
    total = 0
    for i in range(sizes.files):
        X = rng.normal(size=(sizes.file_rows, 60))
        X += np.sign(X @ w)[:, None] * w / np.linalg.norm(w) * 0.1
        frame = pa.table({**{f"x{j}": X[:, j] for j in range(60)}, "y": (X @ w > 0).astype(int)})
        path = folder / f"{i:03}-000.parquet"
        pq.write_table(frame, path, row_group_size=52_000, use_dictionary=False, compression="none")
        total += path.stat().st_size * sizes.copies
        for copy in range(1, sizes.copies):
            os.link(path, folder / f"{i:03}-{copy:03}.parquet")
    return str(folder / "*.parquet"), total


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def larger_than_memory(sizes: Sizes) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name, cluster(2, "1GB") as client:
        pattern, size = write_files(Path(name), sizes)
        started = time.perf_counter()
        verdict = nk.distributed.certify(pattern, client, verbose=True)
        certified = time.perf_counter() - started
        started = time.perf_counter()
        model = fit(pattern, client, rounds=sizes.fit_rounds, kind="averaged", verbose=True)
        fitted = time.perf_counter() - started
        peak = max(client.run(peak_memory).values())
    fetched, rounds = map(int, re.findall(r"\d+", verdict.how[0]))  # "… of 389 rows in 2 rounds"
    return {
        "bytes": size,
        "rows": verdict.n_rows,
        "columns": verdict.n_columns,
        "shards": verdict.n_shards,
        "status": verdict.status,
        "certify_rounds": rounds,
        "fetched": fetched,
        "certify_seconds": certified,
        "fit_rounds": model.n_iter_,
        "fit_mistakes": model.round_mistakes_.sum(axis=1).tolist(),
        "fit_seconds": fitted,
        "worker_peak_bytes": peak,
    }


# ---------------------------------------------------------------- report


def report(found: dict[str, Any]) -> str:
    machine = found["machine"]
    lines = [
        "# A cluster, timed",
        "",
        "`python benchmarks/cluster.py`: worker processes of one thread on one machine, with "
        "data in the workers' memory unless it says files.",
        "",
        f"{machine['cores']} cores, {machine['machine']}, Python {machine['python']}, dask "
        f"{machine['dask']}; load before the run {machine['load']:.1f}.",
        "",
        "## Scaling",
        "",
        "Ten classes, 100,000 columns, 75 entries a row.",
        "",
        "| workers | shards | rows a shard | seconds a shard | a round | speed-up | same bits |",
        "|--:|--:|--:|--:|--:|--:|---|",
    ]
    for row in found["scaling"]:
        lines.append(
            f"| {row['workers']} | {row['shards']} | {row['rows']:,} "
            f"| {row['seconds_a_shard']:.2f} | {row['seconds_a_round']:.2f} "
            f"| **{row['speedup']:.2f}×** | {'yes' if row['same_bits'] else 'NO'} |"
        )
    lines += [
        "",
        "## What a round costs beside its passes",
        "",
        "Two workers; shards of 3,000 rows, which take milliseconds. One w is sent out, one comes "
        "back from every shard, and they are added up on the workers, eight at a time.",
        "",
        "| columns | MB of w | shards | ms a round | ms a shard |",
        "|--:|--:|--:|--:|--:|",
    ]
    for row in found["overhead"]:
        ms = 1000 * row["seconds"]
        lines.append(
            f"| {row['columns']:,} | {8e-6 * row['columns']:.1f} | {row['shards']} | {ms:.0f} "
            f"| {ms / row['shards']:.1f} |"
        )
    lines += [
        "",
        "## Against dask-ml",
        "",
        "`Incremental(sklearn.linear_model.Perceptron())` hands one model from block to block; "
        "ours is `kind='averaged'`, on both workers at once. Time to the lowest training error "
        "that Incremental reached after any of its passes.",
        "",
        "| data | error | dask-ml: passes | seconds | ours: rounds | seconds | error | ratio "
        "| asked |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in found["peer"]:
        if "missing" in row:
            lines.append(f"| {row['data']} | | {row['missing']} | | | | | | 3× |")
            continue
        ratio = f"**{row['ratio']:.1f}×**" if row["reached"] else "not reached"
        lines.append(
            f"| {row['data']} | {row['target_error']:.4f} | {row['their_passes']} "
            f"| {row['their_seconds']:.2f} | {row['our_rounds']} | {row['our_seconds']:.2f} "
            f"| {row['our_error']:.4f} | {ratio} | 3× |"
        )
    big = found["files"]
    lines += [
        "",
        "## Files larger than memory",
        "",
        f"{big['bytes'] / 1e9:.1f} GB of Parquet, {big['rows']:,} rows of {big['columns']} columns "
        f"in {big['shards']} shards, two workers limited to 1 GB each "
        f"(highest {big['worker_peak_bytes'] / 1e6:.0f} MB).",
        "",
        "| what | rounds | seconds | GB/s | result |",
        "|---|--:|--:|--:|---|",
        f"| certify | {big['certify_rounds']} | {big['certify_seconds']:.1f} "
        f"| {_speed(big, big['certify_rounds'] + 2, 'certify_seconds'):.2f} "
        f"| {big['status']}, {big['fetched']} rows fetched |",
        f"| fit | {big['fit_rounds']} | {big['fit_seconds']:.1f} "
        f"| {_speed(big, big['fit_rounds'] + 1, 'fit_seconds'):.2f} "
        f"| mistakes {', '.join(map(str, big['fit_mistakes']))} |",
        "",
        "Every round reads all files, and so do the survey before the first and the check after "
        "the last; GB/s counts them all.",
        "",
    ]
    return "\n".join(lines)


def _speed(big: dict[str, Any], passes: int, seconds: str) -> float:
    return float(big["bytes"]) * passes / float(big[seconds]) / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a fraction of the size")
    small = parser.parse_args().small
    sizes = SMALL if small else Sizes()
    found: dict[str, Any] = {
        "machine": {
            "cores": os.cpu_count(),
            "machine": platform.machine(),
            "python": platform.python_version(),
            "dask": importlib.metadata.version("dask"),
            "load": os.getloadavg()[0],
        },
        "scaling": scaling(sizes),
        "overhead": overhead(sizes),
        "peer": [peer(sizes, 0.0), peer(sizes, 0.05)],
        "files": larger_than_memory(sizes),
    }
    text = report(found)
    if not small:
        target = ROOT / "docs" / "benchmarks"
        target.mkdir(parents=True, exist_ok=True)
        (target / "cluster.md").write_text(text, encoding="utf-8")
        (target / "cluster.json").write_text(json.dumps(found, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    main()
