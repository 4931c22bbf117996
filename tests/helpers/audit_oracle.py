"""The audit once more, in nothing but Fractions: slow, plain and exact.

`attack` audits random runs at every scale and compares; the tests run it for a few seconds,
scripts/evidence.py for long.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy import sparse

import novikoff as nk


class Expected(NamedTuple):
    """Squares with a sign where a root would not be rational."""

    square_radius: Fraction
    square_margin: Fraction | None
    worst_row: int | None
    square_norms: list[Fraction]
    square_progress: list[Fraction] | None
    first_failures: dict[str, int | None]


def signed_square(number):
    return number * abs(number)


def rows_of(run):
    values = run.table.exact
    if values is None:
        matrix = run.table.matrix
        values = (matrix.toarray() if run.table.is_sparse else matrix).astype(float)
    one = [1] if run.fit_intercept else [0]
    return [[Fraction(v) for v in row] + one for row in values.tolist()]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def weights_along(run, rows):
    w = [Fraction(value) for value in run.start.tolist()]
    yield w
    for i in run.tape.rows.tolist():
        w = [a + int(run.signs[i]) * b for a, b in zip(w, rows[i], strict=True)]
        yield w


def expected_audit(run, v=None, margin=None) -> Expected:
    """For a separator v (with its offset last) or a claimed margin, or both."""
    rows = rows_of(run)
    square_radius = max(dot(row, row) for row in rows)
    path = list(weights_along(run, rows))
    norms = [dot(w, w) for w in path]
    first = {"norm": _first(k for k, s in enumerate(norms) if s > norms[0] + k * square_radius)}
    at_zero = not run.start.any()
    square_margin = None if margin is None else Fraction(margin) ** 2
    if v is None:
        if margin is not None and at_zero:
            first["progress"] = _first(k for k, s in enumerate(norms) if s < k * k * square_margin)
            first["bound"] = _bound(run, square_radius, square_margin)
        return Expected(square_radius, square_margin, None, norms, None, first)
    v = [Fraction(value) for value in v]
    square = dot(v, v)
    scores = [int(s) * dot(row, v) for s, row in zip(run.signs, rows, strict=True)]
    least = min(scores)
    if margin is None:
        square_margin = signed_square(least) / square
    progress = [signed_square(dot(w, v)) / square for w in path]
    gained = [dot(w, v) - dot(path[0], v) for w in path]
    first["cosine"] = _first(k for k, s in enumerate(progress) if s > norms[k])
    if square_margin > 0:
        first["progress"] = _first(
            k for k, g in enumerate(gained) if signed_square(g) / square < k * k * square_margin
        )
        if at_zero and square_radius:
            cosines = [p / n if n else Fraction(0) for p, n in zip(progress, norms, strict=True)]
            first["potential"] = _first(
                k for k, c in enumerate(cosines) if c < k * square_margin / square_radius
            )
        if at_zero:
            first["bound"] = _bound(run, square_radius, square_margin)
    return Expected(square_radius, square_margin, scores.index(least), norms, progress, first)


def _bound(run, square_radius, square_margin):
    return _first(k for k in range(run.n_mistakes + 1) if k * square_margin > square_radius)


def _first(ks):
    return next(iter(ks), None)


def is_root(value, square, relative=2.0**-53):
    """Is the float `value` √square (with its sign), to `relative` or the limits of float64?"""
    if square < 0:
        return is_root(-value, -square, relative)
    if math.isinf(value):
        return value > 0 and square >= Fraction(sys.float_info.max) ** 2
    share, smallest = Fraction(relative), Fraction(2.0**-1074)
    low = max(Fraction(float(value)) * (1 - share) - smallest, Fraction(0))
    high = Fraction(float(value)) * (1 + share) + smallest
    return (value > 0) == (square > 0) and low**2 <= square <= high**2


KINDS = ("far", "subnormal", "huge", "mixed", "integers", "tenths", "squares vanish", "normal")


def random_rows(random: np.random.Generator, kind: str):
    n, d = int(random.integers(2, 7)), int(random.integers(1, 4))
    X = random.normal(size=(n, d))
    with np.errstate(over="ignore"):
        X = {
            "far": lambda: np.round(X, 1) + 10.0 ** random.integers(3, 13),
            "subnormal": lambda: X * 10.0 ** random.integers(-320, -290),
            "huge": lambda: X * 10.0 ** random.integers(290, 308),
            "mixed": lambda: X * 10.0 ** random.integers(-300, 300, size=(n, d)),
            "integers": lambda: np.round(X * 3),
            "tenths": lambda: np.round(X, 1),
            "squares vanish": lambda: X * 10.0 ** random.integers(-170, -150),
            "normal": lambda: X,
        }[kind]()
    X = np.clip(X, -1.7e308, 1.7e308)
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    if random.integers(2):
        y = np.where(X[:, 0] > np.median(X[:, 0]), 1, -1)
        y[0] = -y[0] if len(set(y.tolist())) < 2 else y[0]
    form = random.integers(4)
    if form == 1:
        X = np.clip(X, -3e38, 3e38).astype(np.float32)
    elif form == 2:
        X = sparse.csr_array(X)
    elif form == 3:
        X = np.array([[Fraction(v) / 3 for v in row] for row in X.tolist()], dtype=object)
    return X, y


def random_run(random: np.random.Generator, kind: str):
    X, y = random_rows(random, kind)
    offset, width = bool(random.integers(2)), X.shape[1]
    start = None
    if random.integers(3) == 0:
        start = np.round(random.normal(size=width + offset))
        if random.integers(2):
            start = random.normal(size=width + offset) * 10.0 ** random.integers(-320, 305)
    order = ("cyclic", "restart", "shuffled")[random.integers(3)]
    passes = int(random.integers(1, 12))
    return nk.trace(
        X, y, fit_intercept=offset, start=start, max_iter=passes, order=order, random_state=0
    )


def random_claim(random: np.random.Generator, run):
    """A separator (of any kind), a margin, or both."""
    v = np.round(random.normal(size=len(run.start)) * 2)
    if random.integers(2):
        v = random.normal(size=len(run.start)) * 10.0 ** random.integers(-300, 300)
    if not run.fit_intercept:
        v[-1] = 0.0
    if not v.any():
        v[0] = 1.0
    margin = float(abs(random.normal()) * 10.0 ** random.integers(-20, 20)) or 1.0
    return ((v, None), (v, margin), (None, margin))[random.integers(3)]


def agrees(audit, run, v, margin) -> None:
    """Every number and every decision of the audit against the Fractions."""
    expected = expected_audit(run, v, margin)
    checks = {check.name: check for check in audit.checks}
    assert expected.first_failures.keys() <= checks.keys()
    for name, check in checks.items():
        if name in expected.first_failures:
            first = expected.first_failures[name]
            assert (check.holds, check.first_failure) == (first is None, first), name
        else:
            assert check.holds is None, name
    assert is_root(audit.radius, expected.square_radius)
    for found, squares in (
        (audit.norm, expected.square_norms),
        (audit.progress, expected.square_progress or ()),
    ):
        for k, square in enumerate(squares):
            assert is_root(found[k], square, 1e-9), k
    if expected.worst_row is not None and margin is None:
        assert is_root(audit.margin, expected.square_margin)
        notes = [check.note for check in audit.checks if "wrong side" in check.note]
        assert all(f"row {expected.worst_row + 1} " in note for note in notes)


def attack(count: int, seed: int) -> Counter:
    """How many runs of each kind were audited; an AssertionError names the seed."""
    seen: Counter = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for one in range(seed, seed + count):
            random = np.random.default_rng(one)
            kind = KINDS[random.integers(len(KINDS))]
            run = random_run(random, kind)
            v, margin = random_claim(random, run)
            given = v if v is None or run.fit_intercept else v[:-1]
            try:
                agrees(run.audit(separator=given, margin=margin, search=False), run, v, margin)
            except Exception as error:
                raise AssertionError(f"seed {one}: {type(error).__name__}: {error}") from error
            seen[kind] += 1
    return seen
