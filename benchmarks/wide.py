"""`certify` on wide tables, proof and its check included: growth with the columns.

Rows of normal numbers, float32, twenty for each column; 2% of the labels are flipped, or none. Each
case runs in a process of its own, so that its memory can be measured. Writes wide.md and wide.json
in docs/benchmarks/. `python benchmarks/wide.py 1000 2000` runs these widths only.
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
LARGEST_FOR_OTHERS = 250  # columns up to which a linear program of all rows is run beside it


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
        "program": _program(X, y) if d <= LARGEST_FOR_OTHERS and share else None,
    }


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


def main(widths: list[int]) -> None:
    found = []
    for d in widths:
        for share in (0.02, 0.0):
            command = [sys.executable, __file__, "--one", str(d), str(share)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            found.append(json.loads(done.stdout.splitlines()[-1]))
            print(found[-1], flush=True)
    write(found)


def write(found: list[dict[str, Any]]) -> None:
    lines = [
        "# certify on wide tables",
        "",
        "Written by `benchmarks/wide.py`. Normal rows, float32, twenty for each column; proof and",
        "its check included. Memory is what the process held at most, in tables X; of small tables",
        "it is that of the libraries. A linear program of all rows (HiGHS, floats, no proof)",
        "stands beside the narrowest.",
        "",
        f"{os.cpu_count()} cores, Python {platform.python_version()}, load at the end "
        f"{os.getloadavg()[0]:.1f}.",
        "",
        "| columns | flipped | status | proof | s | processor, s | asked, s | memory | HiGHS, s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one_of in found:
        asked = ASKED.get(one_of["columns"])
        program = one_of["program"]
        lines.append(
            f"| {one_of['columns']:,} | {one_of['flipped']:.0%} | {one_of['status']} | "
            f"{one_of['proof']} | {one_of['seconds']:.2f} | {one_of['processor']:.1f} | "
            f"{'' if asked is None else f'{asked:g}'} | {one_of['memory']:.1f}× X | "
            f"{'' if program is None else f'{program:.1f}'} |"
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
    folder = ROOT / "docs" / "benchmarks"
    (folder / "wide.md").write_text("\n".join(lines) + "\n")
    (folder / "wide.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(int(sys.argv[2]), float(sys.argv[3]))))
    else:
        main([int(word) for word in sys.argv[1:]] or list(WIDTHS))
