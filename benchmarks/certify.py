"""certify: how long a proven answer takes, against firthmodels and against one product X @ w.

    planted sets     medians of runs in turns with firthmodels.detect_separation, which is given
                     the same arrays; our time includes the search, the exact check and the
                     reading of the labels
    MNIST            all 45 pairs of digits and every digit against the rest, 60,000 rows
    20 newsgroups    all 190 pairs of groups on word counts, CSR
    memory           the most that the process grew by, over the size of X

Writes docs/benchmarks/certify.md and certify.json. Real data is looked for in ../shared/data, seen
from the project's root, and left out where it is not there. `--small` tries everything on less.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import platform
import statistics
import sys
import tarfile
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import firthmodels
import highspy
import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

import novikoff as nk
from timing import seconds

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
ROUNDS = 5


def planted(n: int, d: int, flips: int = 0, gap: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Normal rows and a random hyperplane through the origin, `gap` away from every row."""
    random = np.random.default_rng(0)
    X = random.normal(size=(n, d))
    u = random.normal(size=d)
    u /= np.linalg.norm(u)
    y = X @ u > 0
    if gap:
        X += np.outer(np.where(y, gap, -gap), u)
    y[random.choice(n, flips, replace=False)] ^= True
    return X, y.astype(np.int64)


def against_firthmodels(name: str, X: Any, y: Any, asked: float) -> dict[str, Any]:
    verdict = nk.certify(X, y)
    theirs = firthmodels.detect_separation(X, y)
    ours: list[float] = []
    their: list[float] = []
    for _ in range(3):
        ours += [seconds(lambda: nk.certify(X, y)) for _ in range(3)]
        their.append(seconds(lambda: firthmodels.detect_separation(X, y)))
    return {
        "set": name,
        "status": verdict.status,
        "theirs": "separation" if theirs.separation else "no separation",
        "ours s": statistics.median(ours),
        "firthmodels s": statistics.median(their),
        "asked": asked,
    }


def against_one_product(name: str, X: np.ndarray, y: np.ndarray, asked: float) -> dict[str, Any]:
    w = np.ones(X.shape[1])
    nk.certify(X, y)
    ours, product = [], []
    for _ in range(ROUNDS):
        ours.append(seconds(lambda: nk.certify(X, y)))
        product += [seconds(lambda: X @ w) for _ in range(3)]
    return {
        "set": name,
        "status": nk.certify(X, y).status,
        "ours s": statistics.median(ours),
        "product s": statistics.median(product),
        "asked": asked,
    }


def read_mnist() -> tuple[np.ndarray, np.ndarray]:
    with gzip.open(DATA / "mnist" / "train-images-idx3-ubyte.gz") as file:
        pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784)
    with gzip.open(DATA / "mnist" / "train-labels-idx1-ubyte.gz") as file:
        digits = np.frombuffer(file.read(), np.uint8, offset=8)
    return pixels, digits


def mnist(small: bool) -> list[dict[str, Any]]:
    pixels, digits = read_mnist()
    if small:
        pixels, digits = pixels[:6000], digits[:6000]
    results = []
    for against in ("each", "rest"):
        verdicts = nk.certify_classes(pixels, digits, against=against)
        for key, verdict in verdicts.items():
            classes = (
                f"{key[0]} against {key[1]}" if against == "each" else f"{key} against the rest"
            )
            print(f"MNIST {classes}: {verdict.status}, {verdict.seconds:.2f} s", file=sys.stderr)
            results.append({
                "classes": classes,
                "rows": verdict.n_rows,
                "status": verdict.status,
                "few rows": len(verdict.rows),
                "seconds": verdict.seconds,
                "how": list(verdict.how),
            })  # fmt: skip
    return results


def newsgroups(small: bool) -> list[dict[str, Any]]:
    posts: dict[str, list[str]] = {}
    with tarfile.open(DATA / "20news-bydate.tar.gz") as archive:
        for member in archive:
            if member.isfile() and "train" in member.name.split("/")[-3]:
                text = archive.extractfile(member).read().decode("latin1")  # type: ignore[union-attr]
                posts.setdefault(member.name.split("/")[-2], []).append(text)
    groups = sorted(posts)[: 5 if small else None]
    names = np.repeat(groups, [len(posts[group]) for group in groups])
    counts = CountVectorizer().fit_transform(text for group in groups for text in posts[group])
    results = []
    for pair in itertools.combinations(groups, 2):
        rows = np.flatnonzero(np.isin(names, pair))
        X, y = counts[rows], names[rows]
        taken = seconds(lambda X=X, y=y: nk.certify(X, y))
        status = nk.certify(X, y).status
        results.append({"groups": pair, "rows": len(rows), "status": status, "seconds": taken})
    return results


def growth(X: Any, y: Any, size: int) -> float:
    """The most that the process grew by during certify, over the size of X."""

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before, most, done = resident(), [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.002):
            most[0] = max(most[0], resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    nk.certify(X, y)
    done.set()
    watcher.join()
    return max(0, most[0] - before) / size


def memory(n: int) -> list[dict[str, Any]]:
    X, y = planted(n, 50, flips=10)
    far = X + 1e9
    thin = sparse.csr_matrix(np.where(np.abs(X) > 1.5, X, 0.0))
    size = thin.data.nbytes + thin.indices.nbytes
    return [
        {"X": f"float64 {n:,}×50", "over X": growth(X, y, X.nbytes)},
        {"X": f"float32 {n:,}×50", "over X": growth(X.astype(np.float32), y, X.nbytes // 2)},
        {"X": f"float64 {n:,}×50, every number near 1e9", "over X": growth(far, y, far.nbytes)},
        {"X": f"CSR {n:,}×50, 13% full", "over X": growth(thin, y, size)},
    ]


def table(headers: list[str], lines: list[list[str]]) -> str:
    rows = [headers, ["---"] * len(headers), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def report(results: dict[str, Any]) -> str:
    parts = [
        "# certify: times",
        "Written by `benchmarks/certify.py`. Times include the exact check of the proof.",
        f"{results['machine']}.",
        "## Against firthmodels.detect_separation",
        "Their answer is a float program with a tolerance and no certificate.",
        table(
            ["set", "status", "firthmodels", "ours, s", "theirs, s", "ratio", "asked"],
            [
                [r["set"], r["status"], r["theirs"], f"{r['ours s']:.4f}",
                 f"{r['firthmodels s']:.2f}", f"{r['firthmodels s'] / r['ours s']:.0f}×",
                 f"{r['asked']:.0f}×"]
                for r in results["firthmodels"]
            ],
        ),
        "## Against one product X @ w",
        table(
            ["set", "status", "ours, s", "X @ w, s", "ratio", "asked: at most"],
            [
                [r["set"], r["status"], f"{r['ours s']:.3f}", f"{r['product s']:.4f}",
                 f"{r['ours s'] / r['product s']:.1f}×",
                 f"{r['asked']:.0f}×" if r["asked"] else "2 s"]
                for r in results["product"]
            ],
        ),
        "## Memory beyond X",
        table(
            ["X", "the process grew by, at most"],
            [[r["X"], f"{r['over X']:.2f}× X"] for r in results["memory"]],
        ),
    ]  # fmt: skip
    if "mnist" in results:
        count = Counter(
            ("pairs" if "rest" not in r["classes"] else "one against the rest", r["status"])
            for r in results["mnist"]
        )
        total = "; ".join(f"{n} {what}: {status}" for (what, status), n in count.items())
        slowest = max(results["mnist"], key=lambda r: r["seconds"])
        parts += [
            "## MNIST, the 60,000 training digits, pixels as integers",
            f"{total}. The slowest, {slowest['classes']}, took {slowest['seconds']:.1f} s; all "
            f"{len(results['mnist'])} took {sum(r['seconds'] for r in results['mnist']):.0f} s. "
            "Quasi-separable digits differ in a pixel that only one of the classes uses, and "
            "the few rows alone rule out a strict separator.",
            table(
                ["classes", "rows", "status", "few rows", "seconds"],
                [
                    [r["classes"], str(r["rows"]), r["status"], str(r["few rows"] or ""),
                     f"{r['seconds']:.2f}"]
                    for r in results["mnist"]
                ],
            ),
        ]  # fmt: skip
    if "newsgroups" in results:
        times = [r["seconds"] for r in results["newsgroups"]]
        count = Counter(r["status"] for r in results["newsgroups"])
        total = ", ".join(f"{n} {status}" for status, n in count.items())
        parts += [
            "## 20 newsgroups, word counts (CSR)",
            f"{len(times)} pairs of groups: {total}. Median {statistics.median(times):.2f} s, "
            f"slowest {max(times):.2f} s (asked: 5 s).",
        ]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--small", action="store_true", help="smaller sets, to try it")
    small = options.parse_args().small
    n = 20_000 if small else 200_000
    results: dict[str, Any] = {
        "machine": f"{os.cpu_count()} cores, Python {platform.python_version()}, numpy "
        f"{np.__version__}, highspy {highspy.Highs().version()}, firthmodels "
        f"{firthmodels.__version__ if hasattr(firthmodels, '__version__') else '0.8'}"
    }
    results["product"] = [
        against_one_product(f"{5 * n:,}×50, 10 labels flipped", *planted(5 * n, 50, 10), 40.0),
        against_one_product(f"{n:,}×50, separable without a gap", *planted(n, 50), 0.0),
    ]
    results["memory"] = memory(5 * n)
    results["firthmodels"] = [
        against_firthmodels(name, *planted(*size, **how), asked)  # type: ignore[arg-type]
        for name, size, how, asked in (
            ("20,000×100, 1% of labels flipped", (20_000, 100), {"flips": 200}, 20),
            ("20,000×100, separable, margin 0.01", (20_000, 100), {"gap": 0.01}, 100),
            (f"{n:,}×50, 20 labels flipped", (n, 50), {"flips": 20}, 100),
        )
    ]
    if (DATA / "20news-bydate.tar.gz").exists():
        results["newsgroups"] = newsgroups(small)
    if (DATA / "mnist").exists():
        results["mnist"] = mnist(small)
    folder = ROOT / "docs" / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    text = report(results)
    if not small:
        (folder / "certify.json").write_text(json.dumps(results, indent=1) + "\n")
        (folder / "certify.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
