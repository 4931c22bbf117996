"""Freund & Schapire (1999) on MNIST: kernel perceptrons of degree 1 to 3, three ways to predict.

Run as `python benchmarks/kernel.py`; `--permutations 1` is the quick form, and `--go-on` takes up
a run that was broken off. Needs the four MNIST files in ../shared/data/mnist, seen from the
project's root. Writes docs/benchmarks/kernel.md and kernel.json.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
import warnings
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import novikoff as nk

ROOT = Path(__file__).resolve().parents[1]
MNIST = ROOT.parent / "shared" / "data" / "mnist"
FOLDER = ROOT / "docs" / "benchmarks"
RULES = ("last", "average", "vote")
PAPER = {  # (degree, passes) → test error in percent, and mistakes
    (1, 1): {"last": 14.7, "vote": 8.5},
    (1, 10): {"last": 13.5, "vote": 8.1},
    (2, 1): {"last": 4.0, "vote": 2.8},
    (2, 10): {"last": 2.3, "vote": 1.8},
    (3, 1): {"last": 3.1, "vote": 2.3, "mistakes": 8475},
    (3, 10): {"last": 1.7, "vote": 1.6, "mistakes": 18422},
}


def read_mnist(part: str) -> tuple[np.ndarray, np.ndarray]:
    """Rows of 784 pixels, each divided by 255, in float32; and their digits."""
    with gzip.open(MNIST / f"{part}-images-idx3-ubyte.gz") as file:
        pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784)
    with gzip.open(MNIST / f"{part}-labels-idx1-ubyte.gz") as file:
        digits = np.frombuffer(file.read(), np.uint8, offset=8)
    return pixels.astype(np.float32) / np.float32(255), digits


def measure(train: Any, test: Any, degree: int, passes: int, seed: int | None) -> dict[str, Any]:
    """Fit once, in the file's order or a permutation of it; predict in all three ways."""
    (X, y), (X_test, y_test) = train, test
    order: Any = "cyclic" if seed is None else np.random.RandomState(seed).permutation(len(y))
    clf = nk.KernelPerceptron(degree=degree, max_iter=passes, order=order)
    began = time.perf_counter()
    clf.fit(X, y)
    fitted = time.perf_counter()
    result: dict[str, Any] = {"degree": degree, "passes": passes, "permutation": seed}
    for rule in RULES:
        began_rule = time.perf_counter()
        wrong = clf.set_params(prediction=rule).predict(X_test) != y_test
        result[rule] = round(100 * float(wrong.mean()), 2)
        result[f"{rule}_seconds"] = round(time.perf_counter() - began_rule, 2)
    result |= {
        "mistakes": int(clf.n_mistakes_),
        "support": len(clf.support_),
        "fit_seconds": round(fitted - began, 2),
    }
    print(json.dumps(result), flush=True)
    return result


def cases(permutations: int) -> list[tuple[int, int, int | None]]:
    """(degree, passes, seed of the order or None for the file's) of every measurement."""
    few = min(2, permutations)
    found: list[tuple[int, int, int | None]] = [(degree, 1, None) for degree in (3, 2, 1)]
    for degree, orders in ((3, permutations), (2, permutations), (1, few)):
        found += [(degree, 1, seed) for seed in range(orders)]
        found += [(degree, 3, seed) for seed in range(few)]
    return found


def run(permutations: int, done: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All measurements, in order; those already `done` are taken as they are."""
    by_case = {(r["degree"], r["passes"], r["permutation"]): r for r in done}
    train, test = read_mnist("train"), read_mnist("t10k")
    for case in cases(permutations):
        if case not in by_case:
            by_case[case] = measure(train, test, *case)
            save([by_case[c] for c in cases(permutations) if c in by_case])
    return [by_case[case] for case in cases(permutations)]


def save(results: list[dict[str, Any]]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = ",\n ".join(json.dumps(result) for result in results)
    (FOLDER / "kernel.json").write_text(f"[{lines}]\n")


def spread(values: list[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:.2f}"
    return f"{mean(values):.2f} ({min(values):.2f} … {max(values):.2f})"


def table(results: list[dict[str, Any]]) -> str:
    head = "| degree | passes | orders | last | average | vote | mistakes | support | paper |"
    lines = [head, "|---|---|---|---|---|---|---|---|---|"]
    for degree in (1, 2, 3):
        for passes in (1, 3):
            cases = ((True, "the file's"), (False, "{} random"))
            for in_file, name in cases:
                rows = [
                    r
                    for r in results
                    if (r["degree"], r["passes"]) == (degree, passes)
                    and (r["permutation"] is None) == in_file
                ]
                if rows:
                    errors = [spread([r[rule] for r in rows]) for rule in RULES]
                    counts = [
                        f"{mean(r[key] for r in rows):,.0f}" for key in ("mistakes", "support")
                    ]
                    cells = [degree, passes, name.format(len(rows)), *errors, *counts]
                    cells.append(paper(degree, 1 if passes == 1 else 10))
                    lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def paper(degree: int, passes: int) -> str:
    figures = PAPER[degree, passes]
    text = f"last {figures['last']}, vote {figures['vote']}"
    if "mistakes" in figures:
        text += f", {figures['mistakes']:,} mistakes"
    return text if passes == 1 else f"10 passes: {text}"


def report(results: list[dict[str, Any]]) -> str:
    timed = results[0]
    total = timed["fit_seconds"] + timed["vote_seconds"]
    compared = []
    for degree in (2, 3):
        rows = [r for r in results if (r["degree"], r["passes"]) == (degree, 1)]
        rows = [r for r in rows if r["permutation"] is not None]
        for rule in ("last", "vote"):
            off = mean(r[rule] for r in rows) - PAPER[degree, 1][rule]
            compared.append(f"degree {degree} {rule} {off:+.2f}")
    return f"""# Kernel perceptrons on MNIST

Freund & Schapire (1999) again: the kernel (1 + x·x')^degree, ten classes one against the rest,
60,000 training and 10,000 test digits. Test errors in percent. Pixels are divided by 255 and kept
in float32. Where a figure stands for several random orders of the training rows, it is their mean,
with the smallest and the largest in brackets; the same order is used in every pass.

{table(results)}

Mean error over the random orders less the paper's, at one pass, in percentage points:
{", ".join(compared)}.

The paper's set is NIST's digits, cut and centred in another way, so equality is not to be
expected; its figures are those remembered in this project's notes, at 1 and 10 passes. The last
weights are a matter of luck: their error varies from order to order by more than a percentage
point, as they are whatever the latest mistake made of them. The vote and the average do not.

Degree 3, one pass, file order, on {os.cpu_count()} cores: training {timed["fit_seconds"]:.1f} s,
prediction of the 10,000 test rows by vote {timed["vote_seconds"]:.1f} s, {total:.1f} s in all
({timed["mistakes"]:,} mistakes, {timed["support"]:,} rows in the support).
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--permutations", type=int, default=10, help="random orders of rows")
    parser.add_argument("--go-on", action="store_true", help="keep what kernel.json has already")
    options = parser.parse_args()
    if not MNIST.is_dir():
        print(f"no MNIST files in {os.path.relpath(MNIST)}: nothing to measure", file=sys.stderr)
        return 1
    warnings.simplefilter("ignore", ConvergenceWarning)
    done = json.loads((FOLDER / "kernel.json").read_text()) if options.go_on else []
    results = run(max(1, options.permutations), done)
    save(results)
    (FOLDER / "kernel.md").write_text(report(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
