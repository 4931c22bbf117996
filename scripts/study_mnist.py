"""Which MNIST digits are linearly separable? Writes docs/studies/mnist.md, its figures and picture.

python scripts/study_mnist.py FOLDER [--small]: FOLDER has the four files of MNIST in idx format.
Each question is one `certify` on pixels as integers, so each answer is exact and has a proof.
"""

from __future__ import annotations

import gzip
import json
import platform
import sys
import time
from itertools import combinations
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import numpy as np

import novikoff as nk

DOCS = Path(__file__).resolve().parent.parent / "docs"
SETS = {"train": "60,000 training digits", "t10k": "10,000 test digits"}
SIZES = (1000, 2000, 4000, 8000, 11791)  # rows of 4 against 9
LIMIT = 120.0  # seconds for one question


def read(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Pixels, one row an image, and digits."""
    with gzip.open(folder / f"{name}-images-idx3-ubyte.gz") as file:
        pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 784)
    with gzip.open(folder / f"{name}-labels-idx1-ubyte.gz") as file:
        return pixels, np.frombuffer(file.read(), np.uint8, offset=8)


def ask(pixels: np.ndarray, labels: np.ndarray, name: str) -> dict:
    began = time.perf_counter()
    verdict = nk.certify(pixels, labels, time_limit=LIMIT)
    seconds = time.perf_counter() - began
    settled = len(verdict.separated) if verdict.status == "quasi-separable" else None
    print(f"{name}: {verdict.status}, {seconds:.2f} s", file=sys.stderr, flush=True)
    return {"name": name, "status": verdict.status, "rows": len(labels), "settled": settled,
            "seconds": round(seconds, 2)}  # fmt: skip


def pairs(pixels: np.ndarray, digits: np.ndarray, few: int | None) -> list[dict]:
    found = []
    for a, b in list(combinations(range(10), 2))[:few]:
        chosen = (digits == a) | (digits == b)
        found.append(ask(pixels[chosen], digits[chosen], f"{a}, {b}"))
    return found


def against_rest(pixels: np.ndarray, digits: np.ndarray, few: int | None) -> list[dict]:
    return [ask(pixels, digits == a, f"{a} against the rest") for a in range(10)[:few]]


def by_size(pixels: np.ndarray, digits: np.ndarray) -> list[dict]:
    """4 against 9, by the number of rows, in the order of the file."""
    chosen = np.flatnonzero((digits == 4) | (digits == 9))
    sizes = sorted({min(n, len(chosen)) for n in SIZES})
    return [ask(pixels[chosen[:n]], digits[chosen[:n]], f"4, 9: {n:,} rows") for n in sizes]


def draw_blocking(pixels: np.ndarray, digits: np.ndarray, pair: tuple[int, int], path: Path) -> int:
    """Draw some rows that alone rule out a strict separator; the number of all of them."""
    chosen = (digits == pair[0]) | (digits == pair[1])
    X, y = pixels[chosen], digits[chosen]
    rows = nk.certify(X, y).rows
    figure, axes = plt.subplots(3, 8, figsize=(8, 3.4), dpi=130, layout="constrained")
    for axis, row in zip(axes.ravel(), rows, strict=False):
        axis.imshow(X[row].reshape(28, 28), cmap="gray_r")
        axis.set_title(str(y[row]), fontsize=8)
    for axis in axes.ravel():
        axis.set_axis_off()
    figure.savefig(path)
    plt.close(figure)
    return len(rows)


def table(found: list[dict]) -> str:
    lines = [
        "| question | rows | status | rows predicted perfectly | seconds |",
        "|---|--:|---|--:|--:|",
    ]
    for one in found:
        settled = "" if one["settled"] is None else f"{one['settled']:,}"
        lines.append(
            f"| {one['name']} | {one['rows']:,} | {one['status']} | {settled} | {one['seconds']} |"
        )
    return "\n".join(lines)


def page(results: dict) -> str:
    parts = [
        "# Which MNIST digits are linearly separable?",
        "Written by `python scripts/study_mnist.py FOLDER`; FOLDER has the four files of MNIST. "
        "Each line is one exact answer of `certify`, with its proof, on the 784 pixels as integers "
        "and with an offset.",
        f"Machine: {results['machine']}; {results['date']}.",
    ]
    for name, title in SETS.items():
        counts: dict[str, int] = {}
        for one in results[name]["pairs"]:
            counts[one["status"]] = counts.get(one["status"], 0) + 1
        said = ", ".join(
            f"{n} {status}" for status, n in sorted(counts.items(), key=lambda c: -c[1])
        )
        others = [one for one in results[name]["pairs"] if one["status"] != "separable"]
        parts += [f"## The {title}", f"Of {len(results[name]['pairs'])} pairs: {said}."]
        parts += [table(others)] if others else []
        parts += ["Each digit against the nine others:", table(results[name]["rest"])]
    parts += [
        "## It depends on the number of rows",
        "4 against 9, the first rows of the training file. A separable set stays separable when "
        "rows are taken away, and 784 columns separate many rows whatever their labels are "
        "(Cover's theorem): separability of a training set says nothing about new digits.",
        table(results["sizes"]),
        "## Rows that block",
        f"{results['blocking']['rows']} images of {results['blocking']['pair']} alone rule out a "
        "hyperplane that has every row strictly on its side. Some of them:",
        "![Images that no hyperplane has all on their sides](../images/mnist-blocking.png)",
    ]
    return "\n\n".join(parts) + "\n"


def main(folder: Path, is_small: bool) -> None:
    few = 3 if is_small else None
    (DOCS / "studies").mkdir(exist_ok=True)
    results: dict = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "date": time.strftime("%Y-%m-%d"),
    }
    for name in SETS:
        pixels, digits = read(folder, name)
        results[name] = {
            "pairs": pairs(pixels, digits, few),
            "rest": against_rest(pixels, digits, few),
        }
    pixels, digits = read(folder, "train")
    results["sizes"] = by_size(pixels, digits)
    picture = DOCS / "images" / "mnist-blocking.png"
    rows = draw_blocking(pixels, digits, (4, 9), picture)
    results["blocking"] = {"pair": "4 and 9", "rows": rows}
    (DOCS / "studies" / "mnist.json").write_text(json.dumps(results, indent=1) + "\n")
    (DOCS / "studies" / "mnist.md").write_text(page(results))


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--small" in sys.argv)
