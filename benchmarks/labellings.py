"""`certify(X, Y)`: many labellings of one table, proofs checked, on the processor.

Normal rows, float32; labels by planted directions, of which a share is flipped. The run measures
what people use in its place, a model for each labelling: LogisticRegression and LinearSVC of
scikit-learn, a probe of torch with L-BFGS where torch is installed, and a linear program (HiGHS).
They get a few labellings, and their time for all is extrapolated. Writes labellings.md, but for
what device.py has written of a GPU, and labellings.json in docs/benchmarks/.
`python benchmarks/labellings.py 2000 100 20` takes one size: rows, columns, labellings.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import time
import warnings
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
PEER_LABELLINGS = 1  # that another library is asked about
PATIENCE = 40.0  # seconds that it has for them
SIZES = ((20_000, 1_000, 100, 0.02), (20_000, 1_000, 100, 0.0), (5_000, 250, 1_000, 0.02))
PEERS = ("LogisticRegression", "LinearSVC", "torch L-BFGS", "HiGHS")


def rows_of(n: int, d: int, n_labellings: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X, Y = np.empty((n, d), dtype=np.float32), np.empty((n, n_labellings), dtype=bool)
    planted = random.standard_normal((d, n_labellings), dtype=np.float32)
    for start in range(0, n, 8192):
        block = random.standard_normal((min(8192, n - start), d), dtype=np.float32)
        part = slice(start, start + len(block))
        X[part], Y[part] = block, block @ planted > 0
    return X, Y ^ (random.random(Y.shape, dtype=np.float32) < share)


def one(n: int, d: int, n_labellings: int, share: float) -> dict[str, Any]:
    """All labellings together, in this process."""
    import novikoff as nk

    X, Y = rows_of(n, d, n_labellings, share)
    nk.certify(X[:200, :3], Y[:200, :2], progress=False)  # what is imported is not measured
    held, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    verdicts = nk.certify(X, Y, progress=False)
    seconds = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "rows": n, "columns": d, "labellings": n_labellings, "flipped": share,
        "counts": verdicts.counts, "seconds": seconds,
        "memory": max(0, used.ru_maxrss - held.ru_maxrss) * 1024 / X.nbytes,
        "processor": used.ru_utime + used.ru_stime - held.ru_utime - held.ru_stime,
    }  # fmt: skip


def peer(n: int, d: int, n_labellings: int, share: float, name: str) -> dict[str, Any]:
    """A few labellings, one by one, by another library: seconds of all, and what it can tell."""
    X, Y = rows_of(n, d, n_labellings, share)
    warnings.simplefilter("ignore")
    began, tells = time.perf_counter(), []
    for k in range(PEER_LABELLINGS):
        y = Y[:, k]
        if name == "HiGHS":
            from scipy.optimize import linprog

            z = np.hstack([X.astype(float), np.ones((n, 1))]) * np.where(y, 1.0, -1.0)[:, None]
            made = linprog(-z.sum(axis=0), A_ub=-z, b_ub=np.zeros(n), bounds=(-1, 1))
            tells.append(f"optimum {-made.fun:.3g}")
            continue
        if name == "torch L-BFGS":
            tells.append(f"{_torch_probe(X, y):.2%} right")
            continue
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC

        model: Any = LogisticRegression(C=1e6) if name == "LogisticRegression" else LinearSVC(C=1e3)
        tells.append(f"{model.fit(X, y).score(X, y):.2%} right")
    return {"seconds": (time.perf_counter() - began) / PEER_LABELLINGS, "tells": tells}


def _torch_probe(X: np.ndarray, y: np.ndarray) -> float:
    import torch

    rows, labels = torch.asarray(X), torch.asarray(y.astype(np.float32))
    w = torch.zeros(X.shape[1] + 1, requires_grad=True)
    optimiser = torch.optim.LBFGS([w], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> Any:
        optimiser.zero_grad()
        scores = rows @ w[:-1] + w[-1]
        found = torch.nn.functional.binary_cross_entropy_with_logits(scores, labels)
        found.backward()
        return found

    optimiser.step(loss)
    with torch.no_grad():
        return float(((rows @ w[:-1] + w[-1] > 0) == (labels > 0.5)).float().mean())


def run(*words: Any, patience: float | None = None) -> dict[str, Any] | None:
    """One case in a process of its own; None where patience ends, or what it needs is not there."""
    command = [sys.executable, __file__, *map(str, words)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=patience)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main(sizes: tuple[tuple[Any, ...], ...]) -> None:
    found = []
    for size in sizes:
        figures = run("--one", *size) or {}
        theirs = {name: run("--peer", *size, name, patience=PATIENCE) for name in PEERS}
        found.append({**figures, "peers": theirs})
        print(found[-1], flush=True)
    write(found)


def write(found: list[dict[str, Any]]) -> None:
    lines = [
        "# certify(X, Y): many labellings of one table",
        "",
        "Written by `benchmarks/labellings.py`. Normal rows, float32; every proof is checked.",
        "*Memory* is what was held at most beyond X, in tables X. The other columns are one model",
        "for each labelling by another library, in the same run: "
        f"{PEER_LABELLINGS} of them was made,",
        f"in at most {PATIENCE:g} s, and the time of all is extrapolated from it; – is for more",
        "time. None of them proves an answer.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, "
        f"numpy {np.__version__}, load at the end {os.getloadavg()[0]:.1f}.",
        "",
        "| rows | columns | labellings | flipped | s | processor, s | memory | decided | "
        + " | ".join(f"{name}, s" for name in PEERS) + " |",
        "| --- " * (8 + len(PEERS)) + "|",
    ]  # fmt: skip
    for case in found:
        counts = ", ".join(f"{number} {status}" for status, number in case["counts"].items())
        theirs = []
        for name in PEERS:
            asked = case["peers"].get(name)
            theirs.append("–" if not asked else f"{asked['seconds'] * case['labellings']:,.0f}")
        lines.append(
            f"| {case['rows']:,} | {case['columns']:,} | {case['labellings']:,} | "
            f"{case['flipped']:.1%} | {case['seconds']:.1f} | "
            f"{case['processor']:.1f} | {case['memory']:.1f}× X | {counts} | "
            f"{' | '.join(theirs)} |"
        )
    lines += ["", "What the others tell of the first labellings, and that is no verdict:", ""]
    for case in found:
        for name, asked in case["peers"].items():
            if asked:
                size = f"{case['rows']:,} × {case['columns']:,}, {case['flipped']:.1%} flipped"
                lines.append(f"- {size}: {name}: {', '.join(asked['tells'])}")
    folder = ROOT / "docs" / "benchmarks"
    page = folder / "labellings.md"
    device = page.read_text(encoding="utf-8").partition("## On a GPU") if page.exists() else ()
    lines += ["", "".join(device[1:]).rstrip()] if device and device[1] else []
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "labellings.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    action, given = [*sys.argv, ""][1], sys.argv[2:]
    if action in ("--one", "--peer"):
        numbers = int(given[0]), int(given[1]), int(given[2]), float(given[3])
        print(json.dumps(one(*numbers) if action == "--one" else peer(*numbers, given[4])))
    elif action:
        main(((*map(int, sys.argv[1:4]), 0.02),))
    else:
        main(SIZES)
