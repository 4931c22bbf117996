"""Half-spaces w·x + b > 0: their sides, and their boundary as a line in the plane."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from novikoff.errors import InputError
from novikoff.geometry.margins import as_points
from novikoff.geometry.scores import read_hyperplane, scores
from novikoff.inputs import in_memory

if TYPE_CHECKING:
    from decimal import Decimal
    from numbers import Rational

    from novikoff.inputs.type_aliases import NumbersLike, RowsLike


def side(x: RowsLike, w: NumbersLike, b: float | Rational | Decimal = 0.0) -> int | np.ndarray:
    """The exact sign of w·x + b: 1 inside the half-space, 0 on its boundary, -1 outside.

    An int for one point, an int8 array for a table of rows.
    """
    table, single = as_points(x)
    signs = scores(table, read_hyperplane(w, b, table.n_columns)).signs
    return int(signs[0]) if single else signs


def axis_crossings(w: NumbersLike, b: float | Rational | Decimal) -> np.ndarray:
    """Where the boundary meets each axis: -b/w_j, and NaN for an axis it does not cross."""
    w = in_memory(w, "w")
    plane = read_hyperplane(w, b, np.size(np.asarray(w)))
    plane.length(with_one=False)
    normal, offset = plane.weights[:-1], plane.weights[-1]
    with np.errstate(over="ignore"):
        crossings = np.full(len(normal), np.nan)
        np.divide(-offset, normal, out=crossings, where=normal != 0.0)
    return crossings + 0.0  # -0.0 reads badly


def boundary_segment(
    w: NumbersLike,
    b: float | Rational | Decimal,
    x_range: tuple[float, float],
    y_range: tuple[float, float],
) -> np.ndarray | None:
    """The part of the line w·x + b = 0 inside a rectangle: its two ends as rows, or None."""
    plane = read_hyperplane(w, b, 2)
    plane.length(with_one=False)
    box = np.array([x_range, y_range], dtype=np.float64)
    if box.shape != (2, 2) or not (box[:, 0] < box[:, 1]).all() or not np.isfinite(box).all():
        raise InputError(
            f"the rectangle is {x_range!r} by {y_range!r}; each range is (low, high) with low < "
            "high."
        )
    # In exact rationals: a line through a corner meets the rectangle, one beside it does not.
    # Solve for the coordinate with the larger weight: the slope is then at most 1.
    limits = [[Fraction(limit) for limit in line] for line in box.tolist()]
    normal, offset = plane.whole[:-1], plane.whole[-1]
    across = int(abs(normal[1]) < abs(normal[0]))
    up = 1 - across
    slope, height = Fraction(-normal[across], normal[up]), Fraction(-offset, normal[up])
    low, high = limits[across]
    if slope:
        reaches = sorted((limit - height) / slope for limit in limits[up])
        low, high = max(low, reaches[0]), min(high, reaches[1])
    if not (low <= high and limits[up][0] <= slope * low + height <= limits[up][1]):
        return None
    ends = np.empty((2, 2))
    for end, place in zip(ends, (low, high), strict=True):
        end[across], end[up] = float(place), float(slope * place + height)
    return ends
