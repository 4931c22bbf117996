"""Where a function on a grid is zero, and where it is positive, by contourpy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.studio.plane import Window, short

CELLS_ACROSS = 96
LARGEST_VALUE = 1e300  # of the function: contourpy leaves out a cell with an infinite corner


class Grid(NamedTuple):
    """Sample points over a window: xs ascending, ys ascending."""

    xs: np.ndarray
    ys: np.ndarray

    def points(self) -> np.ndarray:
        """All sample points, row by row of the grid, as (n, 2)."""
        x, y = np.meshgrid(self.xs, self.ys)
        return np.stack([x.ravel(), y.ravel()], axis=1)

    def positive(self, values: np.ndarray) -> list[list[float]]:
        """The outlines of {function > 0}, of which holes turn the other way round."""
        outlines = []
        polygons, offsets = self._contours(values).filled(0.0, np.inf)
        for polygon, places in zip(polygons, offsets, strict=True):
            outlines += [_flat(part) for part in np.split(polygon, places[1:-1])]
        return outlines

    def zeros(self, values: np.ndarray) -> list[list[float]]:
        """The polylines of {function = 0}."""
        return [_flat(line) for line in self._contours(values).lines(0.0)]

    def _contours(self, values: np.ndarray) -> Any:
        from contourpy import contour_generator

        field = np.clip(np.nan_to_num(values), -LARGEST_VALUE, LARGEST_VALUE)
        shaped = field.reshape(len(self.ys), len(self.xs))
        return contour_generator(self.xs, self.ys, shaped, fill_type="OuterOffset")


def grid_over(view: Window) -> Grid:
    down = max(8, round(CELLS_ACROSS * view.height / view.width))
    return Grid(
        np.linspace(view.left, view.right, CELLS_ACROSS + 1),
        np.linspace(view.bottom, view.top, min(down, 2 * CELLS_ACROSS) + 1),
    )


def _flat(points: np.ndarray) -> list[float]:
    return [short(value) for value in points.ravel().tolist()]
