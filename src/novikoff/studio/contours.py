"""Where a function on a grid is zero, and where it is positive (marching squares)."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from novikoff.studio.plane import Window, short

CELLS_ACROSS = 96

Point = tuple[float, float]


class Grid(NamedTuple):
    """Sample points over a window: xs ascending, ys ascending."""

    xs: np.ndarray
    ys: np.ndarray

    def points(self) -> np.ndarray:
        """All sample points, row by row of the grid, as (n, 2)."""
        x, y = np.meshgrid(self.xs, self.ys)
        return np.stack([x.ravel(), y.ravel()], axis=1)

    def field(self, values: np.ndarray) -> np.ndarray:
        return values.reshape(len(self.ys), len(self.xs))


def grid_over(view: Window) -> Grid:
    down = max(8, round(CELLS_ACROSS * view.height / view.width))
    return Grid(
        np.linspace(view.left, view.right, CELLS_ACROSS + 1),
        np.linspace(view.bottom, view.top, min(down, 2 * CELLS_ACROSS) + 1),
    )


def regions_and_strokes(
    grid: Grid, field: np.ndarray
) -> tuple[list[list[float]], list[list[float]]]:
    """Polygons that cover {field > 0} once, and the polylines of {field = 0}."""
    positive = field > 0
    corners = (
        positive[:-1, :-1].astype(np.int8)
        + positive[:-1, 1:]
        + positive[1:, 1:]
        + positive[1:, :-1]
    )
    polygons = _full_runs(grid, corners == 4)
    pieces: list[tuple[Point, Point]] = []
    for row, column in np.argwhere((corners > 0) & (corners < 4)).tolist():
        cell, cut = _cell(grid, field, row, column)
        polygons += cell
        pieces += cut
    return polygons, _chained(pieces)


def _full_runs(grid: Grid, full: np.ndarray) -> list[list[float]]:
    """Cells that are positive at all corners, joined along each row of the grid."""
    padded = np.zeros((full.shape[0], full.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = full
    change = np.diff(padded, axis=1)
    begins, ends = np.argwhere(change == 1), np.argwhere(change == -1)
    boxes = []
    for (row, first), (_, last) in zip(begins.tolist(), ends.tolist(), strict=True):
        left, right = short(grid.xs[first]), short(grid.xs[last])
        low, high = short(grid.ys[row]), short(grid.ys[row + 1])
        boxes.append([left, low, right, low, right, high, left, high])
    return boxes


def _cell(
    grid: Grid, field: np.ndarray, row: int, column: int
) -> tuple[list[list[float]], list[tuple[Point, Point]]]:
    """The positive part of one cell and the pieces of the zero line in it.

    Walking round the corners, every change of sign is a crossing. With four of them (a
    saddle) the crossings are joined in pairs, so that each positive corner is cut off.
    """
    places = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
    corners = [(short(grid.xs[c]), short(grid.ys[r]), float(field[r, c])) for r, c in places]
    outline: list[tuple[Point, bool]] = []  # points in order, and whether each is a crossing
    for (x1, y1, one), (x2, y2, two) in zip(corners, corners[1:] + corners[:1], strict=True):
        if one > 0:
            outline.append(((x1, y1), False))
        if (one > 0) != (two > 0):
            t = one / (one - two)
            outline.append(((short(x1 + t * (x2 - x1)), short(y1 + t * (y2 - y1))), True))
    crossings = [place for place, (_, is_crossing) in enumerate(outline) if is_crossing]
    if len(crossings) == 4:
        return _saddle(outline)
    polygon = [coordinate for point, _ in outline for coordinate in point]
    return [polygon], [(outline[crossings[0]][0], outline[crossings[1]][0])]


def _saddle(
    outline: list[tuple[Point, bool]],
) -> tuple[list[list[float]], list[tuple[Point, Point]]]:
    polygons, pieces = [], []
    n = len(outline)
    for place, (corner, is_crossing) in enumerate(outline):
        if not is_crossing:
            before, after = outline[place - 1][0], outline[(place + 1) % n][0]
            polygons.append([*before, *corner, *after])
            pieces.append((before, after))
    return polygons, pieces


def _chained(pieces: list[tuple[Point, Point]]) -> list[list[float]]:
    """Pieces with common ends joined into polylines."""
    pieces = [(one, two) for one, two in pieces if one != two]  # a zero on a grid point
    near: dict[Point, list[int]] = defaultdict(list)
    for place, (one, two) in enumerate(pieces):
        near[one].append(place)
        near[two].append(place)
    free = [True] * len(pieces)

    def walk(start: Point, place: int) -> list[float]:
        stroke, at = [*start], start
        while True:
            free[place] = False
            one, two = pieces[place]
            at = two if at == one else one
            stroke += at
            following = [p for p in near[at] if free[p]]
            if not following:
                return stroke
            place = following[0]

    strokes = []
    ends = [point for point, places in near.items() if len(places) == 1]
    for point in [*ends, *near]:  # open lines first, then closed ones
        for place in near[point]:
            if free[place]:
                strokes.append(walk(point, place))
    return strokes
