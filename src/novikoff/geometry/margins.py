"""Distances, margins, radius and zero-one error of rows with respect to (w, b)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.conventions import TIES, true_or_false
from novikoff.errors import one_of
from novikoff.exact.norms import radius_above
from novikoff.geometry.scores import read_hyperplane, scores
from novikoff.inputs import Table, in_memory, read_labels, read_table

if TYPE_CHECKING:
    from decimal import Decimal
    from numbers import Rational

    from novikoff.conventions import Tie
    from novikoff.inputs.type_aliases import LabelsLike, NumbersLike, RowsLike


def as_points(x: Any, name: str = "x") -> tuple[Table, bool]:
    """x as a table, and whether it was a single point."""
    x = in_memory(x, name)
    single = isinstance(x, (list, tuple, np.ndarray)) and np.ndim(x) == 1
    return read_table(np.asarray(x).reshape(1, -1) if single else x, name), single


def signed_distance(
    x: RowsLike, w: NumbersLike, b: float | Rational | Decimal = 0.0
) -> float | np.ndarray:
    """(w·x + b)/‖w‖: how far x lies from the hyperplane, positive on the side w points to.

    A float for one point, an array for a table of rows.
    """
    table, single = as_points(x)
    plane = read_hyperplane(w, b, table.n_columns)
    distances = scores(table, plane).over(*plane.length(with_one=False))
    return float(distances[0]) if single else distances


def row_margins(
    X: RowsLike,
    y: LabelsLike,
    w: NumbersLike,
    b: float | Rational | Decimal = 0.0,
    positive: Any = None,
    normalised: bool = True,
    with_one: bool = False,
) -> np.ndarray:
    """sign·(w·x + b)/‖w‖ for each row: its margin, negative on the wrong side.

    with_one: False divides by ‖w‖ and gives the geometric margin, the distance of the row to
        the hyperplane. True divides by ‖(w, b)‖ and gives the margin of the row with its
        constant 1, which is the one in the mistake bound of a run with an offset.
    normalised: False divides by nothing.
    positive: the label of sign +1; by default the larger of the two (see `certify`).
    """
    table = read_table(X)
    signs = read_labels(y, table.n_rows, positive).signs
    plane = read_hyperplane(w, b, table.n_columns)
    divisor = plane.length(with_one) if normalised else (1.0, 0)
    return np.asarray(signs * scores(table, plane).over(*divisor))


def set_margin(
    X: RowsLike,
    y: LabelsLike,
    w: NumbersLike,
    b: float | Rational | Decimal = 0.0,
    positive: Any = None,
    normalised: bool = True,
    with_one: bool = False,
) -> float:
    """The margin of the set with respect to (w, b): the smallest of its `row_margins`.

    Positive exactly where (w, b) is a separator, unless it is smaller than any float64.
    """
    return float(row_margins(X, y, w, b, positive, normalised, with_one).min())


def radius(X: RowsLike, fit_intercept: bool = False) -> float:
    """R = max ‖x‖ about the origin, not about the centre of the rows; rounded up.

    fit_intercept: True counts every row with its constant 1: max √(‖x‖² + 1), the R that goes
        with `row_margins(…, with_one=True)` in the mistake bound (R/γ)².
    """
    return radius_above(read_table(X), true_or_false("fit_intercept", fit_intercept))


def zero_one_error(
    X: RowsLike,
    y: LabelsLike,
    w: NumbersLike,
    b: float | Rational | Decimal = 0.0,
    positive: Any = None,
    tie: Tie = "mistake",
    share: bool = True,
) -> float | int:
    """The share of rows that (w, b) gets wrong; their number where `share` is False.

    tie: what a score of exactly 0, found exactly, counts as: 'mistake' and 'zero' (predicted
        0, equal to neither label) an error on both signs, so sign·score <= 0 is one;
        'positive' (predicted +) an error on negative rows only.
    """
    one_of("tie", tie, TIES)
    table = read_table(X)
    signs = read_labels(y, table.n_rows, positive).signs
    sides = scores(table, read_hyperplane(w, b, table.n_columns)).signs
    predicted = np.where(sides == 0, 1, sides) if tie == "positive" else sides
    n_errors = int(np.count_nonzero(predicted != signs))
    return n_errors / table.n_rows if share else n_errors
