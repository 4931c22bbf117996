"""Cover's function counting theorem, measured: which share of random labellings is separable?

Of the 2^n labellings of n points in general position in D dimensions, offset included, exactly
2·Σ_(k<D) C(n - 1, k) are separable (Cover 1965): nearly all of them while n < D, half of them at
n = 2·D, and hardly any beyond. Here random labellings of normal numbers, of pixels and of counts of
words are decided exactly, all labellings of one set of rows together. Writes docs/cover.md, its
picture and its figures; `python scripts/cover.py --mnist FOLDER --text FILE` adds the pixels of
MNIST (four files of its own format) and the words of a file with one text a line, gzipped.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import novikoff as nk

ROOT = Path(__file__).resolve().parent.parent
RATIOS = (0.8, 1.25, 1.5, 1.75, 2.0, 2.25, 2.75)  # rows for each dimension
COLUMNS = 40
HEAD = """# Cover's theorem, measured

A labelling of n rows is separable in D dimensions (the offset is one of them) for
2·Σ_(k<D) C(n − 1, k) of all 2^n labellings, if the rows are in general position
([Cover 1965](https://doi.org/10.1109/PGEC.1965.264137)). A probe must be compared with that: of
n < D rows every concept, and every random labelling, is linearly separable. Half of all labellings
are at n = 2·D.

Real features are not in general position. Below, {labellings:,} random labellings of the same rows
are decided exactly for each point, by `novikoff.certify(X, Y)`; *rank* is the rank of the rows with
their constant 1, which is the D of the theorem's column. Written by `scripts/cover.py`.

![The share of separable labellings against n/D](images/cover.png)

| rows | n/D | n | columns | rank | equal rows | separable | Cover, D = rank | quasi-separable |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
TAIL = """
Normal numbers follow the theorem, and so do pixels from the middle of MNIST's images. Two kinds of
features depart from it, both because they are not in general position:

- **Columns that are 0 in nearly all rows.** A pixel at the edge of a digit that is dark in one
  image only settles that image, whatever its label. Where Cover's count falls to nothing,
  labellings of such pixels are not overlapping but quasi-separable: some rows are told apart
  perfectly and the others not at all. A probe that is fitted to them diverges as it does on
  separable data. And D is the rank of the rows, not the number of columns: pixels that are 0 in
  every image count for nothing.
- **Rows that are equal.** Short texts repeat each other in their counts of common words. Two equal
  rows with unlike labels rule a strict separator out, so that hardly any random labelling is
  separable even where n < D. Cover's count is an upper bound there, and a poor one.
"""


def cover(n: int, dim: int) -> float:
    """The share of separable labellings of n points in general position."""
    return float(Fraction(sum(math.comb(n - 1, k) for k in range(min(n, dim))), 2 ** (n - 1)))


def normal(_: Any) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((400, COLUMNS))


def digits(_: Any) -> np.ndarray:
    from sklearn.datasets import load_digits

    return np.asarray(load_digits().data[:, 8:48])  # five of the eight lines of an image


def mnist(folder: str) -> np.ndarray:
    with gzip.open(Path(folder) / "train-images-idx3-ubyte.gz") as file:
        pixels = np.frombuffer(file.read(16 + 784 * 2000), dtype=np.uint8)[16:]
    images = pixels.reshape(-1, 28, 28)[:, 10:18, 12:17]  # the middle: 8 × 5 pixels
    return images.reshape(len(images), -1).astype(np.float64)


def words(path: str) -> np.ndarray:
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        texts = [line.lower().split() for line in file if line.strip()][:2000]
    common = [word for word, _ in Counter(w for text in texts for w in text).most_common(COLUMNS)]
    counts = [Counter(text) for text in texts]
    return np.array([[count[word] for word in common] for count in counts], dtype=np.float64)


def measure(name: str, X: np.ndarray, n_labellings: int) -> list[dict[str, Any]]:
    """The shares at each number of rows, which are drawn anew."""
    random = np.random.default_rng(1)
    found = []
    for ratio in RATIOS:
        n = round(ratio * (X.shape[1] + 1))
        rows = X[random.choice(len(X), n, replace=False)]
        Y = random.random((n, n_labellings)) < 0.5
        Y = Y[:, Y.any(axis=0) & ~Y.all(axis=0)]
        began = time.perf_counter()
        verdicts = nk.certify(rows, Y, progress=False)
        dim = int(np.linalg.matrix_rank(np.column_stack([rows, np.ones(n)])))
        counts = verdicts.counts
        one: dict[str, Any] = {
            "rows": name, "n": n, "columns": X.shape[1], "rank": dim,
            "equal": n - len(np.unique(rows, axis=0)), "labellings": len(verdicts),
            "separable": counts.get("separable", 0) / len(verdicts),
            "quasi": counts.get("quasi-separable", 0) / len(verdicts),
            "undecided": counts.get("undecided", 0), "cover": cover(n, dim),
            "seconds": time.perf_counter() - began,
        }  # fmt: skip
        print(one, flush=True)
        found.append(one)
    return found


def draw(found: list[dict[str, Any]]) -> None:
    """The shares against n/D, with the theorem's curve."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots(figsize=(7, 4.2), layout="constrained")
    dim = COLUMNS + 1
    at = range(dim // 2, 4 * dim)
    ax.plot([n / dim for n in at], [cover(n, dim) for n in at], color="black", lw=1,
            label=f"Cover's theorem, D = {dim}")  # fmt: skip
    for name, marker in zip(dict.fromkeys(one["rows"] for one in found), "osD^", strict=False):
        own = [one for one in found if one["rows"] == name]
        ax.plot([one["n"] / one["rank"] for one in own], [one["separable"] for one in own],
                marker, ms=6, label=name)  # fmt: skip
    ax.set(xlabel="n/D: rows for each dimension", ylabel="share of labellings that is separable")
    ax.set_xlim(0.5, 4.0)
    ax.legend()
    figure.savefig(ROOT / "docs" / "images" / "cover.png", dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mnist", metavar="FOLDER")
    parser.add_argument("--text", metavar="FILE")
    parser.add_argument("--labellings", type=int, default=1000)
    given = parser.parse_args()
    sets: dict[str, tuple[Any, Any]] = {"normal": (normal, True), "digits": (digits, True)}
    sets |= {"MNIST": (mnist, given.mnist), "words": (words, given.text)}
    found = [
        one
        for name, (rows_of, source) in sets.items()
        if source
        for one in measure(name, rows_of(source), given.labellings)
    ]
    draw(found)
    lines = [
        f"| {one['rows']} | {one['n'] / one['rank']:.2f} | {one['n']} | {one['columns']} | "
        f"{one['rank']} | {one['equal']} | {one['separable']:.2%} | {one['cover']:.2%} | "
        f"{one['quasi']:.2%} |"
        for one in found
    ]
    page = HEAD.format(labellings=given.labellings) + "\n".join(lines) + "\n" + TAIL
    (ROOT / "docs" / "cover.md").write_text(page, encoding="utf-8")
    (ROOT / "docs" / "cover.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
