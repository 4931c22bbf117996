"""The audit once more, in nothing but Fractions: slow, plain and exact."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import NamedTuple


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
        if at_zero:
            cosines = [p / n if n else Fraction(0) for p, n in zip(progress, norms, strict=True)]
            first["potential"] = _first(
                k for k, c in enumerate(cosines) if c < k * square_margin / square_radius
            )
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
