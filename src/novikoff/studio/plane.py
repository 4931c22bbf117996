"""The part of the plane in view: pixels to numbers, what of a line is inside, and marks.

A mark is a shape that the page can draw, as a JSON object: its `kind` says what to draw, its `role`
how it looks (a CSS class).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from novikoff.studio.state import Ends, State
from novikoff.studio.values import Mark

PADDING = 0.16  # of the rows' extent, left free on each side by `fit`
NEGLIGIBLE = 1e-100  # an axis that is so short, or so much shorter than the other, has no extent
MOST_STRETCH = 5.0  # beyond this ratio of the extents the axes get scales of their own


class Line(NamedTuple):
    """The points with a·x + b·y + c = 0."""

    a: float
    b: float
    c: float

    @property
    def length(self) -> float:
        return math.hypot(self.a, self.b)

    def at(self, x: float, y: float) -> float:
        return self.a * x + self.b * y + self.c


@dataclass(frozen=True)
class Window:
    """A rectangle of the plane and the pixels it is drawn on; y grows upward."""

    left: float
    right: float
    bottom: float
    top: float
    width: float
    height: float

    @property
    def unit(self) -> float:
        """Data units per pixel along the first axis."""
        return (self.right - self.left) / self.width

    @property
    def corners(self) -> list[tuple[float, float]]:
        return [
            (self.left, self.bottom),
            (self.right, self.bottom),
            (self.right, self.top),
            (self.left, self.top),
        ]

    @property
    def center(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2

    def point(self, pixel_x: float, pixel_y: float) -> tuple[float, float]:
        """The point under a pixel, rounded to a short decimal that the eye cannot tell from it."""
        x = self.left + pixel_x * self.unit
        unit_y = (self.top - self.bottom) / self.height
        y = self.top - pixel_y * unit_y
        return snap(x, grid(self.unit)), snap(y, grid(unit_y))

    def grids(self) -> tuple[float, float]:
        """The steps that a row moves by under the keyboard, on each axis."""
        return 10 * grid(self.unit), 10 * grid((self.top - self.bottom) / self.height)

    def to_json(self) -> list[float]:
        return [self.left, self.right, self.bottom, self.top]


def first_ends(view: Window) -> Ends:
    """The handles of a line across the middle of what is seen, to begin with."""
    (x, y), (left, bottom), (right, top) = view.center, view.corners[0], view.corners[2]
    across, up = 0.22 * (right - left), 0.12 * (top - bottom)
    return x - across, y - up, x + across, y + up


def window(state: State) -> Window:
    """The window of a state: `span` units along its shorter side, around `center`."""
    width, height = state.size
    unit = state.span / min(width, height)
    x, y = state.center
    half_x, half_y = unit * width / 2, unit * state.stretch * height / 2
    return Window(x - half_x, x + half_x, y - half_y, y + half_y, width, height)


def grid(unit: float) -> float:
    """The largest power of ten that is at most about two pixels."""
    return float(10.0 ** math.floor(math.log10(2.0 * unit)))


def snap(value: float, step: float) -> float:
    """The nearest multiple of a power of ten, as the float that its decimal names."""
    places = max(0, -round(math.log10(step)))
    rounded = round(round(value / step) * step, places) if step < 1 else round(value / step) * step
    return float(rounded) + 0.0


def fit(state: State) -> tuple[tuple[float, float], float, float]:
    """center, span and stretch that show all rows, and the origin where the run needs it."""
    points = state.points
    if not state.offset or not len(points):
        points = np.vstack([points, np.zeros((1, 2))])
    if "ball" in state.show and state.feature_map == "none":
        reach = float(np.hypot(*state.points.T).max(initial=0.0))  # of the ball about the origin
        points = np.vstack([points, [[-reach, -reach], [reach, reach]]])
    low, high = points.min(axis=0), points.max(axis=0)
    extent = high - low
    if len(points) == 1 or not extent.any():
        extent = np.maximum(np.abs(high) * 0.5, 1.0) * 2
    longest = max(float(extent.max()), NEGLIGIBLE)
    extent = np.where(extent <= NEGLIGIBLE * max(longest, 1.0), longest, extent)
    ratio = float(extent[1] / extent[0])
    stretch = 1.0 if 1 / MOST_STRETCH <= ratio <= MOST_STRETCH else short(ratio, 3)
    width, height = state.size
    shorter = min(width, height)
    extent = extent * (1 + 2 * PADDING)
    span = max(extent[0] * shorter / width, extent[1] / stretch * shorter / height)
    center = (low + high) / 2
    step = grid(float(span) / shorter)
    x = snap(float(center[0]), step)
    y = snap(float(center[1]), step * 10.0 ** round(math.log10(stretch)))
    return (x, y), max(short(float(span), 3), 1e-9), stretch


Point = tuple[float, float]


def cut(polygon: list[Point], line: Line) -> tuple[list[Point], list[Point]]:
    """The part of a convex polygon where the line's value is not negative, and where it is cut."""
    kept: list[Point] = []
    ends: list[Point] = []
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        one, two = line.at(x1, y1), line.at(x2, y2)
        if one >= 0:
            kept.append((x1, y1))
        if (one >= 0) != (two >= 0):
            t = one / (one - two)
            ends.append((x1 + t * (x2 - x1), y1 + t * (y2 - y1)))
            kept.append(ends[-1])
    return kept, ends


def short(value: float, digits: int = 6) -> float:
    """The value with few digits: enough for a pixel, short in a message."""
    return float(f"{value:.{digits}g}")


def path(role: str, strokes: Iterable[Sequence[float]], closed: bool = False, **more: Any) -> Mark:
    """Polylines, each as x, y, x, y, …; together they are one shape."""
    at = [[short(value) for value in stroke] for stroke in strokes]
    return {"kind": "path", "role": role, "at": at, "closed": closed, **more}


def polygon(role: str, corners: Sequence[tuple[float, float]], **more: Any) -> Mark:
    flat = [coordinate for corner in corners for coordinate in corner]
    return path(role, [flat] if flat else [], closed=True, **more)


def dot(role: str, x: float, y: float, label: str = "", **more: Any) -> Mark:
    at = [short(float(x)), short(float(y))]
    return {"kind": "dot", "role": role, "at": at, "label": label, **more}


def words(role: str, x: float, y: float, text: str, anchor: str = "start", **more: Any) -> Mark:
    at = [short(float(x)), short(float(y))]
    return {"kind": "text", "role": role, "at": at, "text": text, "anchor": anchor, **more}
