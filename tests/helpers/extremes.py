"""Finite numbers of every size, given to everything that takes rows: nothing may crash or warn.

`attack` is run by the tests for a few seconds and by scripts/evidence.py for long.
"""

from __future__ import annotations

import tempfile
import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy import sparse

import novikoff as nk
from novikoff import geometry
from novikoff.errors import InputError

LARGEST = {np.float32: 3.4e38, np.float64: 1.7e308}
FORMS = ("float64", "float32", "CSR", "int64", "Fraction", "beyond floats")
KINDS = (
    "one size",
    "sizes by column",
    "sizes by row",
    "sizes by entry",
    "far",
    "subnormal",
    "edge",
)


def numbers(random: np.random.Generator, kind: str, shape: tuple[int, int]) -> np.ndarray:
    """Rows of float64, most of them far from 1."""
    values = random.normal(size=shape)
    if random.random() < 0.3:
        values = np.round(values * 2)
    n, d = shape
    sizes = {"one size": (1, 1), "sizes by column": (1, d), "sizes by row": (n, 1)}.get(kind, shape)
    if kind == "subnormal":
        return np.round(values) * 5e-324 * 10.0 ** random.integers(0, 10)
    if kind == "edge":
        return np.sign(values) * random.choice([1.5e308, 1.7e308, 8e307], size=shape)
    if kind == "far":
        return np.round(values, 1) + 10.0 ** random.integers(3, 18)
    exponents = random.integers(-320, 309, size=sizes).astype(float)
    with np.errstate(over="ignore", under="ignore"):
        # In two steps, since 10^-320 itself has few digits.
        return values * 10.0 ** (exponents / 2.0) * 10.0 ** (exponents / 2.0)


def rows_and_labels(random: np.random.Generator):
    kind = KINDS[random.integers(len(KINDS))]
    X = numbers(random, kind, (int(random.integers(2, 9)), int(random.integers(1, 5))))
    X = np.clip(np.nan_to_num(X, nan=0.0), -LARGEST[np.float64], LARGEST[np.float64])
    y = random.integers(0, 2, size=len(X))
    if random.random() < 0.6:  # a column that may tell them apart
        y = (X[:, 0] > np.sort(X[:, 0])[len(X) // 2]).astype(int)
    y[0], y[-1] = 0, 1
    form = int(random.integers(len(FORMS)))
    if form == 1:
        X = np.clip(X, -LARGEST[np.float32], LARGEST[np.float32]).astype(np.float32)
    elif form == 2:
        X = sparse.csr_array(np.where(random.random(X.shape) < 0.5, X, 0.0))
    elif form == 3:
        X = np.clip(X, -(2.0**62), 2.0**62).astype(np.int64)
    elif form == 4:
        X = np.array([[Fraction(v) / 3 for v in row] for row in X.tolist()], dtype=object)
    elif form == 5:
        large = 10 ** int(random.integers(300, 500))
        kept = random.random(X.shape) < 0.5
        whole = [
            [int(v) if keep else int(np.sign(v)) * large for v, keep in zip(*line, strict=True)]
            for line in zip(X.tolist(), kept.tolist(), strict=True)
        ]
        X = np.array(whole, dtype=object)
    return X, y, f"{kind}, {FORMS[form]}"


def square_norms(X, fit_intercept):
    rows = X.toarray() if sparse.issparse(X) else X
    return [sum(Fraction(v) ** 2 for v in row) + fit_intercept for row in rows.tolist()]


def try_everything(X, y, random: np.random.Generator, folder: Path | None) -> str:
    """Call all that takes rows; what it says is held against Fractions where that is quick.

    A report takes longest, and is written only where there is a folder for it.
    """
    offset = bool(random.integers(2))
    square = max(square_norms(X, offset))
    verdict = nk.certify(X, y, fit_intercept=offset)
    assert verdict.status != "undecided"
    verdict.certificate.verify(X, y)
    lower, upper = verdict.margin
    assert 0.0 <= lower <= upper
    assert _is_root_up(verdict.radius, square)
    assert geometry.radius(X, fit_intercept=offset) == verdict.radius
    str(verdict), verdict._repr_html_(), verdict.to_dict(), verdict.columns
    run = nk.trace(X, y, fit_intercept=offset, max_iter=3)
    str(run), run._repr_html_(), run.coef, run.to_frame()
    audit = run.audit()
    assert audit.holds
    str(audit)
    start = random.normal(size=X.shape[1] + offset) * 10.0 ** random.integers(-300, 300)
    again = nk.trace(X, y, fit_intercept=offset, max_iter=2, start=start)
    assert again.audit(search=False).holds
    str(again)
    if verdict.mistake_bound is not None:
        assert run.n_mistakes <= verdict.mistake_bound
    w, b = random.normal(size=X.shape[1]) * 10.0 ** random.integers(-300, 300), 0.5 * offset
    for call in (geometry.side, geometry.signed_distance):
        call(X, w, b)
    geometry.row_margins(X, y, w, b), geometry.set_margin(X, y, w, b, with_one=True)
    geometry.zero_one_error(X, y, w, b)
    classes = random.integers(0, 3, size=len(y))
    classes[:2] = 0, 1
    for against in ("rest", "each"):
        found = nk.certify_classes(X, classes, against=against, fit_intercept=offset)
        str(found), found._repr_html_()
    for geometric in (False, True):
        try:
            widest = nk.max_margin(X, y, fit_intercept=offset, geometric=geometric)
        except InputError:
            assert verdict.status != "separable"
            continue
        assert verdict.status == "separable"
        assert 0.0 <= widest.lower <= widest.upper
        widest.separator.verify(X, y)
        assert np.isfinite(widest.coef).all()
        str(widest)
        if not geometric:
            assert max(lower, widest.lower) <= min(upper, widest.upper)
    if folder is not None:
        verdict.report(folder / "report.html")
    return verdict.status


def _is_root_up(value: float, square: Fraction) -> bool:
    if np.isinf(value):
        return square > Fraction(np.finfo(float).max) ** 2
    return Fraction(np.nextafter(value, 0.0)) ** 2 < square <= Fraction(value) ** 2 or square == 0


def attack(count: int, seed: int, reports: bool = False) -> Counter:
    """How often each kind of rows had each status; an AssertionError names the seed."""
    seen: Counter = Counter()
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("error")
        for one in range(seed, seed + count):
            random = np.random.default_rng(one)
            X, y, kind = rows_and_labels(random)
            try:
                status = try_everything(X, y, random, Path(name) if reports else None)
            except Exception as error:
                raise AssertionError(f"seed {one}: {type(error).__name__}: {error}") from error
            seen[kind, status] += 1
    return seen
