"""certify_regression beside what other tools say on the same sets, and how long each takes.

Each set is decided, fitted by statsmodels with all its warnings caught, and, where it has two
classes, given to firthmodels.detect_separation. Writes regression.md and regression.json in
docs/benchmarks/. Real data is looked for in ../shared/data and left out where it is not there.
"""

from __future__ import annotations

import json
import platform
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import firthmodels
import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import sparse
from sklearn.datasets import load_iris
from statsmodels.duration.hazard_regression import PHReg

import novikoff as nk

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"


class Case(NamedTuple):
    name: str
    decide: Callable[[], Any]
    fit: Callable[[], Any] | None  # by statsmodels
    classes: tuple[Any, Any] | None = None  # X and y, for firthmodels, which adds a constant
    design: Any = None  # a sparse table, where the memory beside it is measured


def cases() -> Iterator[Case]:
    random = np.random.default_rng(0)
    X = np.array([[1.0, 0], [2, 0], [3, 1], [4, 1]])
    y = np.array([0, 0, 1, 1])
    yield logit("four rows, all separated", X, y)
    if (DATA / "endometrial.csv").exists():
        frame = pd.read_csv(DATA / "endometrial.csv")
        yield logit("endometrial, 79×3", frame[["NV", "PI", "EH"]].to_numpy(float), frame["HG"])
    X = random.standard_normal((20_000, 100))
    y = (X @ random.standard_normal(100) + 2 * random.standard_normal(20_000) > 0).astype(int)
    yield logit("logistic 20,000×100, finite", X, y)
    X = np.hstack([X, ((y == 1) & (random.random(20_000) < 0.01))[:, None]])
    yield logit("logistic 20,000×101, one indicator of one class", X, y)
    iris = load_iris()
    wide = sm.add_constant(iris.data)
    yield Case(
        "iris, multinomial",
        lambda: nk.certify_regression(iris.data, iris.target, model="multinomial"),
        lambda: sm.MNLogit(iris.target, wide).fit(disp=0),
    )
    counts, design = with_levels(random, 2_000, 40)
    yield Case(
        "Poisson 2,000 rows, 2×40 levels",
        lambda: nk.certify_regression(design, counts, model="poisson", fit_intercept=False),
        lambda: sm.Poisson(counts, design.toarray()).fit(disp=0),
    )
    many, large = with_levels(random, 1_000_000, 10_000, 3)
    yield Case(
        "Poisson 1,000,000 rows, 3×10,000 levels",
        lambda: nk.certify_regression(large, many, model="poisson", fit_intercept=False),
        None,
        design=large,
    )
    times = random.exponential(size=300)
    treated = (times > np.quantile(times, 0.6)).astype(float)
    Z = np.column_stack([treated, random.standard_normal(300)])
    yield Case(
        "Cox 300×2, events of the untreated first",
        lambda: nk.certify_regression(Z, model="cox", time=times),
        lambda: PHReg(times, Z, ties="breslow").fit(),
    )


def logit(name: str, X: np.ndarray, y: Any) -> Case:
    wide = sm.add_constant(X)
    return Case(
        name,
        lambda: nk.certify_regression(X, y, model="logistic"),
        lambda: sm.Logit(np.asarray(y), wide).fit(disp=0),
        (X, np.asarray(y)),
    )


def with_levels(
    random: np.random.Generator, n: int, size: int, factors: int = 2
) -> tuple[np.ndarray, Any]:
    """Counts, and indicators of some factors; some levels are rare and have zeros alone."""
    codes = np.minimum(random.zipf(1.3, (n, factors)) - 1, size - 1)
    codes = np.where(
        random.random((n, factors)) < 0.5, random.integers(0, size, codes.shape), codes
    )
    columns = codes + size * np.arange(factors)
    starts = np.arange(0, n * factors + 1, factors)
    design = sparse.csr_matrix((np.ones(n * factors), columns.ravel(), starts), (n, size * factors))
    return random.poisson(0.4 * (codes[:, 0] % 7 != 3)), design


def said(work: Callable[[], Any]) -> tuple[str, float]:
    """What a fit says for itself, and how long it took."""
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = work()
            converged = getattr(found, "mle_retvals", {}).get("converged", True)
            answer = "converged" if converged else "not converged"
        except Exception as error:  # whatever a peer raises is what it says
            answer = type(error).__name__
    kinds = sorted({one.category.__name__ for one in caught})
    return ", ".join([answer, *kinds]), time.perf_counter() - start


def beside(case: Case) -> float:
    """What deciding holds at most beside the table, as a multiple of it (Linux)."""
    Path("/proc/self/clear_refs").write_text("5")  # the highest so far is the present
    before = _highest()
    case.decide()
    table = case.design
    return (_highest() - before) / (table.data.nbytes + table.indices.nbytes + table.indptr.nbytes)


def _highest() -> int:
    """The bytes that the process has held at most."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def one(case: Case) -> dict[str, Any]:
    memory = None if case.design is None else beside(case)
    case.decide()  # imports and compiled code
    start = time.perf_counter()
    verdict = case.decide()
    taken = time.perf_counter() - start
    theirs, their_time = said(case.fit) if case.fit else ("", None)
    firth, firth_time = "", None
    if case.classes is not None:
        start = time.perf_counter()
        try:
            found = firthmodels.detect_separation(*case.classes)
            firth = "separation" if found.separation else "no separation"
        except np.linalg.LinAlgError:
            firth = "refuses collinear columns"
        firth_time = time.perf_counter() - start
    return {
        "set": case.name,
        "status": verdict.status,
        "rows": len(verdict.separated) if verdict.separated is not None else None,
        "seconds": taken,
        "memory": memory,
        "statsmodels": theirs,
        "statsmodels_seconds": their_time,
        "firthmodels": firth,
        "firthmodels_seconds": firth_time,
    }


def main() -> None:
    found = []
    for case in cases():
        found.append(one(case))
        print(found[-1], flush=True)
    lines = [
        "# Regressions: who notices",
        "",
        "Written by `benchmarks/regression.py`. Ours is exact, names the rows that are predicted",
        "perfectly and has a proof; statsmodels fits, and what it says stands beside it;",
        "firthmodels is asked where there are two classes, and names columns, not rows.",
        "",
        f"Python {platform.python_version()}, statsmodels {version('statsmodels')}, firthmodels "
        f"{version('firthmodels')}.",
        "",
        "| set | estimate | rows named | s | statsmodels says | s | firthmodels says | s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in found:
        times = [
            "" if row[name] is None else f"{row[name]:.2f}"
            for name in ("seconds", "statsmodels_seconds", "firthmodels_seconds")
        ]
        named = "" if row["rows"] is None else f"{row['rows']:,}"
        lines.append(
            f"| {row['set']} | {row['status']} | {named} | {times[0]} | {row['statsmodels']} | "
            f"{times[1]} | {row['firthmodels']} | {times[2]} |"
        )
    lines += [
        f"\n{row['set']}: deciding holds {row['memory']:.1f} times the table beside it."
        for row in found
        if row["memory"] is not None
    ]
    folder = ROOT / "docs" / "benchmarks"
    (folder / "regression.md").write_text("\n".join(lines) + "\n")
    (folder / "regression.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
