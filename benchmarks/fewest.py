"""fewest_mistakes: published optima decided again, each with a proof file, and a big-M program.

    sets         the four of the literature, what scikit-learn ships, planted flips, MNIST
    ours         the bracket and the seconds of one call, search and exact check included
    proof        proofs/NAME.json, checked by checker.py in a Python of its own
    big-M        the textbook's 0-1 program in HiGHS on the same rows, standardised: its bracket
                 after the time that it is given
    pocket       the mistakes of PocketPerceptron after 100 passes, the median of five seeds

Writes docs/benchmarks/fewest.md and fewest.json. Real data is looked for in ../shared/data, seen
from the project's root (or in --data), and left out where it is not there. `--sets "a;b"` does some
of them and keeps the others' last results; `--bigm 0` leaves the big-M program out.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from sklearn import datasets as shipped

import novikoff as nk
from novikoff.certificates import checker

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "docs" / "benchmarks"
PUBLISHED = {"cryotherapy": 6, "voicepath": 19, "caesarian": 18, "haberman": 65}


def table(path: Path, positive: str | None = None) -> tuple[np.ndarray, np.ndarray]:
    """A CSV file of numbers with the label last."""
    with path.open() as file:
        lines = [line for line in csv.reader(file) if line]
    X = np.array([[float(cell) for cell in line[:-1]] for line in lines])
    y = np.array([line[-1] for line in lines])
    return X, (y == positive).astype(int) if positive else np.unique(y, return_inverse=True)[1]


def pair(data: Any, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    keep = (data.target == a) | (data.target == b)
    return data.data[keep], (data.target[keep] == b).astype(int)


def mnist(folder: Path, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    def content(name: str) -> bytes:
        return gzip.decompress((folder / name).read_bytes())

    X = np.frombuffer(content("train-images-idx3-ubyte.gz"), np.uint8, offset=16).reshape(-1, 784)
    y = np.frombuffer(content("train-labels-idx1-ubyte.gz"), np.uint8, offset=8)
    keep = (y == a) | (y == b)
    return X[keep].astype(float), (y[keep] == b).astype(int)


def endometrial(path: Path) -> tuple[np.ndarray, np.ndarray]:
    read = nk.read(path, label="HG")
    return np.asarray(read.X, dtype=float), np.asarray(read.y).astype(int)


def sets(data: Path) -> dict[str, tuple[Callable[[], Any], float]]:
    """How each set is made, and the seconds that it is given."""
    zero_one = data / "zero_one"
    iris, wine, digits = shipped.load_iris(), shipped.load_wine(), shipped.load_digits()
    found: dict[str, tuple[Callable[[], Any], float]] = {
        "cryotherapy": (lambda: table(zero_one / "cryotherapy.csv"), 60),
        "voicepath": (lambda: table(zero_one / "voicepath_data.csv"), 60),
        "caesarian": (lambda: table(zero_one / "caesarian.csv"), 60),
        "haberman": (lambda: table(zero_one / "haberman_283.csv"), 60),
        "planted 30 of 1,000×5": (lambda: nk.datasets.planted_flips(1000, 5, 30), 60),
        "planted 20 of 100,000×20": (lambda: nk.datasets.planted_flips(100_000, 20, 20), 60),
        "planted 20 of 1,000,000×50": (lambda: nk.datasets.planted_flips(1_000_000, 50, 20), 120),
        "iris versicolor, virginica": (lambda: pair(iris, 1, 2), 60),
        "breast cancer": (lambda: shipped.load_breast_cancer(return_X_y=True), 60),
        "wine 1, 2": (lambda: pair(wine, 0, 1), 60),
        "digits 8, 9": (lambda: pair(digits, 8, 9), 60),
        "sonar": (lambda: table(data / "sonar.csv", "M"), 60),
        "endometrial": (lambda: endometrial(data / "endometrial.csv"), 60),
        "MNIST 4, 9": (lambda: mnist(data / "mnist", 4, 9), 600),
        "MNIST 7, 9": (lambda: mnist(data / "mnist", 7, 9), 600),
    }
    needed = {"sonar": "sonar.csv", "endometrial": "endometrial.csv", "MNIST 4, 9": "mnist",
              "MNIST 7, 9": "mnist", **dict.fromkeys(PUBLISHED, "zero_one")}  # fmt: skip
    return {k: v for k, v in found.items() if k not in needed or (data / needed[k]).exists()}


def big_m(X: np.ndarray, y: np.ndarray, limit: float, big: float = 1000.0) -> dict[str, Any]:
    """min Σ t with sign·(x·w + b) + M·t >= 1 and t in {0, 1}, columns standardised."""
    spread = X.std(axis=0)
    Z = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    Z = np.hstack([Z, np.ones((len(Z), 1))]) * np.where(y > 0, 1.0, -1.0)[:, None]
    n, d = Z.shape
    began = time.perf_counter()
    found = milp(
        np.append(np.zeros(d), np.ones(n)),
        integrality=np.append(np.zeros(d), np.ones(n)),
        bounds=Bounds(np.append(np.full(d, -np.inf), np.zeros(n)),
                      np.append(np.full(d, np.inf), np.ones(n))),
        constraints=LinearConstraint(np.hstack([Z, big * np.eye(n)]), 1.0, np.inf),
        options={"time_limit": limit},
    )  # fmt: skip
    lower = getattr(found, "mip_dual_bound", None)
    return {
        "lower": None if lower is None else int(np.ceil(lower - 1e-6)),
        "upper": None if found.fun is None else round(found.fun),
        "seconds": time.perf_counter() - began,
    }


def short_weights(X: np.ndarray, y: np.ndarray, few: Any) -> list[int] | None:
    """The hyperplane in whole numbers of few digits that gets as few rows wrong, if one does."""
    weights = np.append(few.weights, few.offset)
    signs = np.where(y > 0, 1, -1)
    for digits in range(1, 10):
        whole = np.round(weights / np.abs(weights[:-1]).max() * 10**digits)
        if ((X @ whole[:-1] + whole[-1]) * signs <= 0).sum() == few.upper:
            return [int(value) for value in whole]
    return None


def checked(certificate: Any, X: np.ndarray, y: np.ndarray, name: str) -> dict[str, Any]:
    """Save the proof, and let the checker alone read it."""
    text = certificate.to_json()
    kept = ROOT / "proofs" / f"{name.replace(' ', '_').replace(',', '').replace('×', 'x')}.json"
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(text)
    if X.size > 5_000_000:
        return {"bytes": len(text), "checker": None}
    with tempfile.TemporaryDirectory() as folder:
        proof, data = Path(folder) / "proof.json", Path(folder) / "data.csv"
        proof.write_text(text)
        with data.open("w", newline="") as file:
            csv.writer(file).writerows([*map(repr, row.tolist()), int(label)]
                                       for row, label in zip(X, y, strict=True))  # fmt: skip
        command = [sys.executable, "-I", "-S", checker.__file__, str(proof), str(data)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr}")
    return {"bytes": len(text), "checker": done.stdout.strip()}


def pocket(X: np.ndarray, y: np.ndarray) -> float | None:
    if X.size > 2_000_000:
        return None
    return statistics.median(
        nk.PocketPerceptron(random_state=seed).fit(X, y).n_training_errors_ for seed in range(5)
    )


def measured(name: str, make: Callable[[], Any], limit: float, bigm: float) -> dict[str, Any]:
    X, y = make()
    y = (np.asarray(y) > 0).astype(int)
    began, cpu = time.perf_counter(), time.process_time()
    few = nk.fewest_mistakes(X, y, time_limit=limit)
    found = {
        "rows": len(X),
        "columns": X.shape[1],
        "lower": few.certificate.lower,
        "upper": few.upper,
        "seconds": time.perf_counter() - began,
        "cpu": time.process_time() - cpu,
        "method": few.certificate.method,
        "obstructions": len(few.certificate.obstructions),
        "wrong": list(few.rows)[:100],
        "published": PUBLISHED.get(name),
        "load": os.getloadavg()[0],
    }
    found |= checked(few.certificate, X, y, name)
    if X.shape[1] <= 12 and X.size < 100_000:
        found["weights"] = short_weights(X, y, few)
    found["pocket"] = pocket(X, y)
    if bigm and X.size <= 200_000:
        found["big_m"] = big_m(X, y, bigm)
    return found


def page(results: dict[str, Any]) -> str:
    lines = [
        "# Benchmark: the fewest mistakes",
        "",
        "Made by `python benchmarks/fewest.py`, which writes every proof to the folder `proofs`, "
        "lets `checker.py` read it in a Python of its own, and gives the same rows to a big-M "
        "program in HiGHS. "
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, which "
        "other work was using too: processor seconds say more than those of the clock. "
        '`python benchmarks/fewest.py --sets "digits 8, 9" --bigm 0` makes one proof.',
        "",
        "| set | rows × columns | published | at least | at most | seconds | of the processor | "
        "lower bound by | proof |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, r in results.items():
        how = r["method"] + f", of {r['obstructions']}" * (r["obstructions"] > 0)
        size = f"{r['bytes'] / 1000:.0f} kB"
        published = "" if r["published"] is None else r["published"]
        lines.append(
            f"| {name} | {r['rows']:,} × {r['columns']} | {published} | {r['lower']} | "
            f"{r['upper']} | {r['seconds']:.2f} | {r['cpu']:.2f} | {how} | {size} |"
        )
    lines += [
        "",
        "## Against a big-M program, and what the pocket finds",
        "",
        "| set | ours | in seconds | big-M | in seconds | pocket, 100 passes |",
        "|---|---|---|---|---|---|",
    ]
    for name, r in results.items():
        other = r.get("big_m")
        bracket = "" if other is None else f"{other['lower']} to {other['upper']}"
        spent = "" if other is None else f"{other['seconds']:.1f}"
        mistakes = "" if r.get("pocket") is None else f"{r['pocket']:g}"
        lines.append(f"| {name} | {r['lower']} to {r['upper']} | {r['seconds']:.2f} | {bracket} | "
                     f"{spent} | {mistakes} |")  # fmt: skip
    lines += [
        "",
        "## Hyperplanes to check with a pocket calculator",
        "",
        "A row is right where its label (the larger is +) has the sign of the sum. Columns in the "
        "order of the file, then the offset.",
        "",
        "| set | weights | rows wrong, from 0 |",
        "|---|---|---|",
    ]
    for name, r in results.items():
        if r.get("weights") and r["published"] is not None:
            lines.append(f"| {name} | {', '.join(map(str, r['weights']))} | "
                         f"{', '.join(map(str, r['wrong']))} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--sets")
    parser.add_argument("--bigm", type=float, default=60.0)
    parser.add_argument("--limit", type=float, help="seconds for each set, at most")
    given = parser.parse_args()
    known = OUT / "fewest.json"
    results = json.loads(known.read_text()) if known.exists() else {}
    every = sets(given.data)
    chosen = list(every) if given.sets is None else given.sets.split(";")
    if unknown := set(chosen) - set(every):
        names = ", ".join(sorted(unknown))
        parser.error(f"{names}: there is no such set, or its file is not in {given.data}.")
    for name in chosen:
        make, limit = every[name]
        results[name] = measured(name, make, min(limit, given.limit or limit), given.bigm)
        r = results[name]
        print(f"{name}: {r['lower']} to {r['upper']} in {r['seconds']:.2f} s", flush=True)
        ordered = {key: results[key] for key in every if key in results}
        known.write_text(json.dumps(ordered, indent=1) + "\n")
        (OUT / "fewest.md").write_text(page(ordered))


if __name__ == "__main__":
    main()
