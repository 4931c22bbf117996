"""Draw docs/images/core.png: the rows of `touching`, a weak separator, and the core with its λ."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import numpy as np

import novikoff as nk

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "images" / "core.png"


def draw(path: Path = PICTURE) -> None:
    """The picture of docs/how_certify_works.md."""
    X, y = nk.datasets.touching()
    claim = nk.certify(X, y).certificate
    w = np.array([int(value) for value in claim.weights], dtype=float)
    scores = X @ w[:-1] + w[-1]
    named = dict(zip(claim.witness.rows, claim.witness.multipliers, strict=True))
    figure, axes = plt.subplots(figsize=(6.4, 4.2), dpi=150, layout="constrained")
    low, high = X.min(axis=0) - 0.8, X.max(axis=0) + 0.8
    foot = -w[-1] * w[:-1] / (w[:-1] @ w[:-1])
    along = np.array([-w[1], w[0]]) / np.linalg.norm(w[:-1])
    ends = np.array([foot - 9 * along, foot + 9 * along])
    axes.plot(*ends.T, color="#1c1f24", linewidth=1.8)
    for sign, colour, marker in ((1, "#1f6fb5", "o"), (-1, "#d1680f", "^")):
        rows = y == sign
        axes.scatter(*X[rows].T, s=70, color=colour, marker=marker, zorder=3)
    for i, (point, score) in enumerate(zip(X, scores, strict=True)):
        if score == 0:
            axes.scatter(
                *point, s=330, facecolor="none", edgecolor="#b3261e", linewidth=1.6, zorder=4
            )
            text = f"λ = {named.get(i, 1)}"
        else:
            text = "settled"
        axes.annotate(text, point, xytext=(13, 9), textcoords="offset points", fontsize=10)
    axes.set(
        xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal", xlabel="x1", ylabel="x2"
    )
    axes.set_title(
        "Ringed: the core. Its multiples add up to zero; the other rows are settled.", fontsize=10
    )
    figure.savefig(path)
    plt.close(figure)


if __name__ == "__main__":
    draw()
