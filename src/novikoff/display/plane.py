"""Rows of any number of columns as points in a plane, stated in words; which of them are drawn.

Two columns are the plane themselves. More are shown in the plane through w: to the right is
the distance along w, upward the direction in which the rows spread most beside it. Without
a w, the plane of the first two principal components is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novikoff.inputs import Table

# For finding directions; all rows have their points.
MOST_SAMPLED_ROWS, MOST_SAMPLED_CELLS = 20_000, 2_000_000


@dataclass(frozen=True, eq=False)
class Plane:
    """Two directions in the space of the rows, as columns of `axes`."""

    axes: np.ndarray  # (d, 2)
    names: tuple[str, str]
    note: str

    def points(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray(rows @ self.axes)

    def line(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """The hyperplane's trace: x·n + b = 0 in the plane, with n the part of w inside it."""
        return weights[:-1] @ self.axes, float(weights[-1])


def plane_of(table: Table, weights: np.ndarray | None) -> Plane:
    """The plane in which to show these rows, through `weights` (the offset last) if given."""
    d = table.n_columns
    if d <= 2:
        axes = np.eye(d, 2)
        names = (table.column_name(0), table.column_name(1) if d == 2 else "")
        return Plane(axes, names, "")
    room = max(2, min(MOST_SAMPLED_ROWS, MOST_SAMPLED_CELLS // d))
    sample = table.dense_rows(drawn_rows(table.n_rows, room))
    sample = sample - sample.mean(axis=0)
    if weights is None or not weights[:-1].any():
        first, second = _principal(sample, 2)
        note = "Shown in the plane of the first two principal components."
        names = ("first principal component", "second principal component")
    else:
        first = weights[:-1] / np.linalg.norm(weights[:-1])
        rest = sample - np.outer(sample @ first, first)
        (second,) = _principal(rest, 1)
        second = second - (second @ first) * first
        length = np.linalg.norm(second)
        second = second / length if length > 1e-12 else np.zeros(d)
        note = (
            f"{d} columns, shown in the plane through w: to the right the distance along w, "
            "upward the direction of largest spread beside it."
        )
        names = ("distance along w", "largest spread beside w")
    return Plane(np.stack([first, second], axis=1), names, note)


def _principal(rows: np.ndarray, count: int) -> np.ndarray:
    """The first principal directions, each with its largest entry positive."""
    _, _, directions = np.linalg.svd(rows, full_matrices=False)
    directions = directions[:count]
    if len(directions) < count:
        directions = np.vstack([directions, np.zeros((count - len(directions), rows.shape[1]))])
    peaks = np.abs(directions).argmax(axis=1)
    flips = np.where(directions[np.arange(count), peaks] < 0, -1.0, 1.0)
    return np.asarray(directions * flips[:, None])


def drawn_rows(n_rows: int, room: int, needed: np.ndarray | None = None) -> np.ndarray:
    """At most about `room` rows, evenly spaced, with all that are `needed`; sorted."""
    spaced = np.unique(np.linspace(0, n_rows - 1, min(n_rows, room)).astype(np.intp))
    return spaced if needed is None else np.union1d(spaced, needed)


def hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull of points in the plane, in order; of a line, its two ends."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        corners = ConvexHull(points / (np.abs(points).max() or 1.0)).vertices
    except (QhullError, ValueError):  # fewer than three, or all on one line
        ends = np.unique(points, axis=0)
        return ends[[0, -1]][: len(ends)]
    return np.asarray(points[corners])
