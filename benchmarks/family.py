"""The averaged perceptron, predictions and votes, timed beside scikit-learn in the same run.

Writes docs/benchmarks/family.md and family.json. A whole fit is fit(X, y) with max_iter=1; five
passes are a fit with max_iter=5; all in turns with the peer.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer
from sklearn.linear_model import SGDClassifier

import novikoff as nk
from passes import dense, digits, sparse
from timing import in_turns, seconds

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 9
TAPE = 20_000
TEST_ROWS = 10_000

CASES: list[tuple[str, float, Callable[[], Any], bool]] = [
    ("dense 100,000 × 100", 3.0, lambda: dense(100_000, 100), True),
    ("dense 20,000 × 1,000", 3.0, lambda: dense(20_000, 1_000), True),
    ("CSR 200,000 × 100,000, 75 a row", 1.5, sparse, False),
]


def averaged(name: str, asked: float, X: Any, y: np.ndarray, offset: bool) -> dict[str, Any]:
    def ours(passes: int) -> Any:
        return nk.AveragedPerceptron(max_iter=passes, fit_intercept=offset).fit(X, y)

    def peer(passes: int) -> Any:
        return SGDClassifier(
            loss="perceptron", penalty=None, average=True, learning_rate="constant", eta0=1,
            shuffle=False, tol=None, max_iter=passes, fit_intercept=offset,
        ).fit(X, y)  # fmt: skip

    taken = in_turns(
        {
            "ours 1": lambda: ours(1), "peer 1": lambda: peer(1),
            "ours 5": lambda: ours(5), "peer 5": lambda: peer(5),
        },
        ROUNDS,
    )  # fmt: skip
    ours_coef, peer_coef = ours(5).coef_, peer(5).coef_
    off = float(np.abs(ours_coef - peer_coef).max() / np.abs(peer_coef).max())
    return {"case": name, "asked": asked, "largest difference": off, **taken}


def prediction(name: str, X: Any, y: np.ndarray, offset: bool) -> dict[str, Any]:
    ours = nk.Perceptron(max_iter=1, fit_intercept=offset).fit(X, y)
    peer = Peer(max_iter=1, tol=None, shuffle=False, fit_intercept=offset).fit(X, y)
    taken = in_turns({"ours": lambda: ours.predict(X), "peer": lambda: peer.predict(X)}, ROUNDS)
    return {"case": name, **taken}


def votes() -> dict[str, Any]:
    """A tape on which no row comes twice, the worst case, made of labels without any rule."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50_000, 784)), rng.integers(0, 2, size=50_000)
    clf, seen = nk.VotedPerceptron(), 0
    while seen == 0 or clf.n_mistakes_ < TAPE:
        clf.partial_fit(X[seen : seen + 100], y[seen : seen + 100], classes=[0, 1])
        seen += 100
    tests = X[-TEST_ROWS:]
    clf.predict(tests[:100])
    return {
        "mistakes": int(clf.n_mistakes_),
        "rows on the tape": len(clf.support_),
        "rows predicted": TEST_ROWS,
        "seconds": min(seconds(lambda: clf.predict(tests)) for _ in range(3)),
        "product alone": min(seconds(lambda: tests @ clf.support_vectors_.T) for _ in range(3)),
    }


def ms(value: float) -> str:
    return f"{1e3 * value:.1f}"


def ratio(r: dict[str, Any], ours: str, peer: str) -> str:
    return f"**{r[peer] / r[ours]:.1f}×**"


def report(fits: list[dict[str, Any]], predictions: list[dict[str, Any]], vote: Any) -> str:
    lines = [
        "# The family, timed",
        "",
        "`python benchmarks/family.py`, float64, in one process and in turns, medians of "
        f"{ROUNDS}; times in ms. {os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}, numpy {np.__version__}, scikit-learn {sklearn.__version__}.",
        "",
        "## Averaged",
        "",
        "nk.AveragedPerceptron against `SGDClassifier(loss='perceptron', penalty=None, "
        "average=True, learning_rate='constant', eta0=1, shuffle=False, tol=None)`, which computes "
        "the same mean: the largest difference of a weight, relative to the largest weight, is in "
        "the last column. Reading labels and checking X are included.",
        "",
        "| rows | asked | 1 pass | peer | ratio | 5 passes | peer | ratio | difference |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for r in fits:
        lines.append(
            f"| {r['case']} | {r['asked']}× | {ms(r['ours 1'])} | {ms(r['peer 1'])} | "
            f"{ratio(r, 'ours 1', 'peer 1')} | {ms(r['ours 5'])} | {ms(r['peer 5'])} | "
            f"{ratio(r, 'ours 5', 'peer 5')} | {r['largest difference']:.0e} |"
        )
    lines += [
        "",
        "## Prediction",
        "",
        "`predict` of a linear member against scikit-learn's `Perceptron.predict`, on all rows. "
        "Ours includes the exact sign of every score.",
        "",
        "| rows | ours | peer | ratio |",
        "|---|--:|--:|--:|",
    ]
    for r in predictions:
        lines.append(
            f"| {r['case']} | {ms(r['ours'])} | {ms(r['peer'])} | {ratio(r, 'ours', 'peer')} |"
        )
    lines += [
        "",
        "## Votes",
        "",
        f"{vote['rows predicted']:,} rows of 784 columns, a tape of {vote['mistakes']:,} mistakes "
        f"on {vote['rows on the tape']:,} different rows: {vote['seconds']:.1f} s (asked: under "
        f"15 s), of which the matrix product of the two sets of rows alone would take "
        f"{vote['product alone']:.1f} s.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    fits, predictions = [], []
    for name, asked, make, offset in CASES:
        X, y = make()
        fits.append(averaged(name, asked, X, y, offset))
        predictions.append(prediction(name, X, y, offset))
        print(fits[-1], predictions[-1], file=sys.stderr, flush=True)
    X, y = digits()
    predictions.append(prediction("ten classes, 60,000 × 784", X, y, True))
    print(predictions[-1], file=sys.stderr, flush=True)
    del X
    vote = votes()
    text = report(fits, predictions, vote)
    folder = ROOT / "docs" / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "family.md").write_text(text, encoding="utf-8")
    result = {"averaged": fits, "prediction": predictions, "votes": vote}
    (folder / "family.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
