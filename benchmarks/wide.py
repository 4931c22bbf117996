"""`certify` on wide tables, proof and its check included: growth with the columns.

Rows of normal numbers, float32, twenty for each column; 2% of the labels are flipped, or none. A
linear program of all rows (HiGHS) and firthmodels get the same rows, and PATIENCE seconds. Then
tables whose columns depend on each other, which need more than floats can prove. Each case runs in
a process of its own, so that its memory can be measured. Writes wide.md and wide.json in
docs/benchmarks/. `python benchmarks/wide.py 1000 2000` runs these widths only.
"""

from __future__ import annotations

import json
import math
import os
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WIDTHS = (250, 500, 1000, 2000, 4096)
ASKED = {1000: 5.0, 2000: 25.0, 4096: 240.0}
DEPENDENT = (100, 250, 500, 1000)
PATIENCE = 60.0  # seconds that another library has
PEERS = ("HiGHS", "firthmodels")
KINDS = {
    "sums": "a tenth of the columns are sums of three others; 2% flipped",
    "twins": "a tenth of the columns are there twice; 2% flipped",
    "dummies": "half of the columns are indicators of one factor, beside the offset; 2% flipped",
    "settled": "one column settles a tenth of the rows, the others overlap",
    "hidden": "the same, once a mixture of all others is taken off that column",
    "mixed": "nine tenths as many columns of integers, mixed with each other; 2% flipped",
}


def rows_of(d: int, share: float) -> tuple[Any, Any]:
    """Float32 rows and their labels, drawn block by block, so that nothing larger is held."""
    import numpy as np

    random = np.random.default_rng(0)
    n = 20 * d
    X = np.empty((n, d), dtype=np.float32)
    w = random.standard_normal(d)
    y = np.empty(n, dtype=np.int8)
    for start in range(0, n, 4096):
        block = random.standard_normal((min(4096, n - start), d), dtype=np.float32)
        X[start : start + 4096] = block
        y[start : start + 4096] = block @ w > 0
    flipped = random.random(n) < share
    y[flipped] = 1 - y[flipped]
    return X, y


def one(d: int, share: float) -> dict[str, Any]:
    """Decide one table in this process: seconds, processor's seconds, memory beyond X."""
    import novikoff as nk

    X, y = rows_of(d, share)
    nk.certify(X[:200, :3], y[:200])  # what is imported and compiled is not measured
    before = resource.getrusage(resource.RUSAGE_SELF)
    held = _memory()
    start = time.perf_counter()
    verdict = nk.certify(X, y)
    taken = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "columns": d,
        "rows": len(X),
        "flipped": share,
        "status": verdict.status,
        "proof": type(verdict.certificate).__name__,
        "seconds": taken,
        "processor": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "memory": 1.0 + max(0, after.ru_maxrss * 1024 - held) / X.nbytes,
        "process": after.ru_maxrss * 1024 / X.nbytes,
    }


def dependent_rows(d: int, kind: str) -> tuple[Any, Any]:
    """Rows of which columns depend on each other, or which are settled in part."""
    import numpy as np

    X, y = rows_of(d, 0.02)
    random = np.random.default_rng(1)
    tenth = d // 10
    if kind == "mixed":
        X = random.integers(-9, 10, (len(X), d - tenth)).astype(np.float64)
        X = X @ random.integers(-3, 4, (d - tenth, d))
        y = ((X @ random.standard_normal(d) > 0) != (random.random(len(X)) < 0.02)).astype(np.int8)
    elif kind == "hidden":
        X = np.round(X * 256).astype(np.float64)
        X[:, -1] = np.where(random.random(len(X)) < 0.1, (2.0 * y - 1) * np.abs(X[:, -1]), 0)
        X[:, -1] += X[:, :-1] @ random.integers(-3, 4, d - 1)
    elif kind == "sums":
        X = np.round(X * 256) / np.float32(256)  # so that sums are exact
        for j in range(d - tenth, d):
            X[:, j] = X[:, random.choice(d - tenth, 3, replace=False)].sum(axis=1)
    elif kind == "twins":
        X[:, d - tenth :] = X[:, :tenth]
    elif kind == "dummies":
        X[:, : d // 2] = random.integers(0, d // 2, len(X))[:, None] == np.arange(d // 2)
    else:
        X[:, -1] = np.where(random.random(len(X)) < 0.1, (2.0 * y - 1) * np.abs(X[:, -1]), 0)
    return X, y


def one_dependent(d: int, kind: str) -> dict[str, Any]:
    import novikoff as nk

    X, y = dependent_rows(d, kind)
    nk.certify(X[:200, :3], y[:200])
    start = time.perf_counter()
    verdict = nk.certify(X, y)
    return {
        "columns": d,
        "kind": kind,
        "status": verdict.status,
        "proof": type(verdict.certificate).__name__,
        "seconds": time.perf_counter() - start,
    }


def peer(d: int, share: float, name: str) -> dict[str, Any]:
    """Another library on the same rows: its seconds."""
    X, y = rows_of(d, share)
    if name == "HiGHS":
        return {"seconds": _program(X, y)}
    from firthmodels import detect_separation

    start = time.perf_counter()
    detect_separation(X, y)
    return {"seconds": time.perf_counter() - start}


def _memory() -> int:
    """Bytes that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _program(X: Any, y: Any) -> float:
    """HiGHS on the same rows, one program of all of them, without a proof."""
    import numpy as np
    from scipy.optimize import linprog

    signs = np.where(y > 0, 1.0, -1.0)
    rows = np.hstack([X.astype(np.float64), np.ones((len(X), 1))]) * signs[:, None]
    start = time.perf_counter()
    linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(X)), bounds=(-1, 1), method="highs")
    return time.perf_counter() - start


def run(*words: Any, patience: float | None = None) -> dict[str, Any] | None:
    """One case in a process of its own; None where patience ends."""
    command = [sys.executable, __file__, *map(str, words)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return None
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main(widths: list[int]) -> None:
    found: list[dict[str, Any]] = []
    given_up: set[str] = set()
    for d in widths:
        for share in (0.02, 0.0):
            figures = run("--one", d, share) or {}
            for name in PEERS:
                asked = f"{name} {share}"
                theirs = None
                if asked not in given_up:
                    theirs = run("--peer", d, share, name, patience=PATIENCE)
                if theirs is None:
                    given_up.add(asked)
                figures[name] = None if theirs is None else theirs["seconds"]
            found.append(figures)
            print(figures, flush=True)
    dependent = [
        run("--dependent", d, kind) or {} for kind in KINDS for d in DEPENDENT if d <= max(widths)
    ]
    write(found, dependent)


def write(found: list[dict[str, Any]], dependent: list[dict[str, Any]]) -> None:
    lines = [
        "# certify on wide tables",
        "",
        "Written by `benchmarks/wide.py`. Normal rows, float32, twenty for each column; proof and",
        "its check included. *Memory* is what was held at most beyond what the process held when",
        "X and all libraries were loaded, X itself counted, in tables X; *process* is all that",
        "the process held, libraries included. HiGHS is one linear program of all rows and",
        "firthmodels its `detect_separation`, both in floats and without a proof, in the same run;",
        f"each has {PATIENCE:g} s, reading included, and is not asked again of wider tables.",
        "",
        f"{os.cpu_count()} cores, Python {platform.python_version()}, load at the end "
        f"{os.getloadavg()[0]:.1f}.",
        "",
        "| columns | flipped | status | proof | s | processor, s | asked, s | memory | process "
        "| HiGHS, s | firthmodels, s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one_of in found:
        asked = ASKED.get(one_of["columns"])
        peers = [
            f"> {PATIENCE:g}" if one_of[name] is None else f"{one_of[name]:.1f}" for name in PEERS
        ]
        lines.append(
            f"| {one_of['columns']:,} | {one_of['flipped']:.0%} | {one_of['status']} | "
            f"{one_of['proof']} | {one_of['seconds']:.2f} | {one_of['processor']:.1f} | "
            f"{'' if asked is None else f'{asked:g}'} | {one_of['memory']:.1f}× X | "
            f"{one_of['process']:.1f}× X | {peers[0]} | {peers[1]} |"
        )
    for share in (0.02, 0.0):
        part = [one_of for one_of in found if one_of["flipped"] == share]
        if len(part) > 1:
            first, last = part[-2], part[-1]
            power = math.log(last["processor"] / first["processor"])
            power /= math.log(last["columns"] / first["columns"])
            lines += [
                "",
                f"With {share:.0%} flipped the processor's time grows like columns^{power:.1f} "
                f"between {first['columns']:,} and {last['columns']:,} columns.",
            ]
    lines += [
        "",
        "## Columns that depend on others, and rows that are settled in part",
        "",
        "Floats do not prove that a column is a combination of others. Such relations are found",
        "modulo a prime, lifted, and checked on all rows; what is left is as above.",
        "",
        "| table | columns | status | proof | s |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {KINDS[case['kind']]} | {case['columns']:,} | {case['status']} | {case['proof']} | "
        f"{case['seconds']:.2f} |"
        for case in dependent
    ]
    folder = ROOT / "docs" / "benchmarks"
    (folder / "wide.md").write_text("\n".join(lines) + "\n")
    facts = {"wide": found, "dependent": dependent}
    (folder / "wide.json").write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    action, words = [*sys.argv, ""][1], sys.argv[2:]
    if action == "--one":
        print(json.dumps(one(int(words[0]), float(words[1]))))
    elif action == "--dependent":
        print(json.dumps(one_dependent(int(words[0]), words[1])))
    elif action == "--peer":
        print(json.dumps(peer(int(words[0]), float(words[1]), words[2])))
    else:
        main([int(word) for word in sys.argv[1:]] or list(WIDTHS))
