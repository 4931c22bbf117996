"""Three dimensions: rows with their constant 1, or with columns of a feature map, and w.

All numbers are in the cube from -1 to 1, which the page turns by hand. Where one scale serves all
three axes, right angles are right.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from novikoff.studio.charts import extra
from novikoff.studio.features import MAPS, mapped
from novikoff.studio.plane import short
from novikoff.studio.scene import wrong_rows
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline
from novikoff.studio.values import Section
from novikoff.wording import number

TITLE = "Three dimensions"
MOST_ROWS = 2000
UNEVEN = 6.0  # beyond this ratio of extents each axis has a scale of its own


def space(state: State, timeline: Timeline, k: int) -> Section:
    names = MAPS[state.feature_map].names
    if len(timeline.runs) > 1:
        return extra("space", TITLE, "Choose two classes: one plane can be drawn.")
    weights = timeline.weights(k)[0]
    lifted = state.feature_map != "none"
    if lifted:
        rows = mapped(state.points, state.feature_map).astype(float)
        offset = float(weights[-1])
        rows, normal, third, note = _seen_along(rows, weights[:-1], names)
        axes = (state.axes[0], state.axes[1], third)
    else:
        height = 1.0 if state.offset else 0.0
        rows = np.column_stack([state.points, np.full(state.n_rows, height)])
        axes = (state.axes[0], state.axes[1], "constant")
        normal, offset = weights[:3], 0.0
        note = (
            f"Each row is a vector with its constant 1; {state.written.weights} is the normal of a "
            "plane through the origin, which cuts the floor at height 1 in the boundary."
            if state.offset
            else "Without an offset all rows lie in one plane, and so does the boundary's normal."
        )
    shown = min(state.n_rows, MOST_ROWS)
    corners = np.vstack([rows[:shown], np.zeros((1, 3))])
    low, high = corners.min(axis=0), corners.max(axis=0)
    extent = np.maximum(high - low, 1e-300)
    seen = extent[extent > 1e-200]
    even = not lifted or not len(seen) or float(seen.max()) <= UNEVEN * float(seen.min())
    scale = np.full(3, 1.7 / extent.max()) if even else 1.7 / extent
    middle = (low + high) / 2
    place = _Placing(middle, scale)
    plane = place.cut(normal, offset)
    wrong = [i for i in wrong_rows(state, timeline, k) if i < shown]
    made: Section = {
        "rows": [[*place.of(row), int(code)] for row, code in
                 zip(rows[:shown], state.codes[:shown], strict=True)],
        "wrong": wrong,
        "rays": not lifted and shown <= 60,
        "origin": place.of(np.zeros(3)),
        "axes": [{"name": name, "at": place.of(_unit(axis, extent))} for axis, name in
                 enumerate(axes)],
        "plane": plane,
        "floor": place.cut(np.array([0.0, 0.0, 1.0]), -1.0) if not lifted and state.offset else [],
        "normal": place.arrow(normal, plane if lifted else [], even),
        "label": state.written.weights,
    }  # fmt: skip
    if not even:
        note += " The axes have different scales."
    return extra("space", TITLE, note, space=made)


def _seen_along(
    rows: np.ndarray, weights: np.ndarray, names: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray, str, str]:
    """Rows and weights in the first two columns and a third, its name, and what is to be said.

    Of more than three columns, the third is the direction of the other weights. The weights lie in
    what these three span, so the hyperplane of all columns is seen as a plane, and each row as far
    from it as it is.
    """
    if len(names) == 3:
        note = f"The third column is {names[2]}. In these three a plane does what no line can."
        return rows, weights, names[2], note
    rest = weights[2:]
    size = float(np.abs(rest).max(initial=0.0))
    if not 0.0 < size < np.inf:
        rest, size = np.array([name[-1:] == "²" for name in names[2:]], dtype=float), 1.0
    along = rest / size
    along = along / np.linalg.norm(along)
    seen = np.column_stack([rows[:, :2], rows[:, 2:] @ along])
    normal = np.array([*weights[:2], float(weights[2:] @ along)])
    terms = " ".join(
        f"{'−' if part < 0 else '+'} {number(abs(round(float(part), 3)))}·{name}"
        for part, name in zip(along, names[2:], strict=True)
    )
    note = (
        f"The height is {terms.removeprefix('+ ')}, along the weights of the {len(names) - 2} "
        f"columns that are not drawn: so the plane is the boundary of all {len(names)}, and "
        "distances from it are true."
    )
    return seen, normal, "height", note


def _unit(axis: int, extent: np.ndarray) -> np.ndarray:
    at = np.zeros(3)
    at[axis] = 0.55 * extent.max() if extent[axis] < 0.2 * extent.max() else 0.6 * extent[axis]
    return at


class _Placing:
    """From data to the cube."""

    def __init__(self, middle: np.ndarray, scale: np.ndarray) -> None:
        self.middle, self.scale = middle, scale

    def of(self, point: np.ndarray) -> list[float]:
        return [short(float(value)) for value in (point - self.middle) * self.scale]

    def cut(self, normal: np.ndarray, offset: float) -> list[list[float]]:
        """The polygon in which the plane normal·x + offset = 0 cuts the cube."""
        a, c = normal / self.scale, float(normal @ self.middle + offset)
        size = float(np.abs(a).max())
        if not size > 0 or not np.isfinite(size):
            return []
        a, c = a / size, c / size
        ends = []
        for axis, u, v in product(range(3), (-1.0, 1.0), (-1.0, 1.0)):
            corner = np.insert(np.array([u, v]), axis, 0.0)
            rest = float(a @ corner) + c
            if abs(a[axis]) > 1e-12 and abs(rest / a[axis]) <= 1.0:
                corner[axis] = -rest / a[axis]
                ends.append(corner)
        if len(ends) < 3:
            return []
        points = np.unique(np.round(np.array(ends), 9), axis=0)
        centre = points.mean(axis=0)
        first = points[0] - centre
        across = np.cross(a, first)
        turn = np.arctan2((points - centre) @ across, (points - centre) @ first * np.linalg.norm(a))
        return [[short(float(v)) for v in point] for point in points[np.argsort(turn)]]

    def arrow(self, normal: np.ndarray, plane: list[list[float]], even: bool) -> list[float]:
        """The normal vector, from the middle of what is seen of the plane, else from the origin.

        Nothing for w = 0, nor where right angles do not look so.
        """
        length = float(normal @ normal)
        if not length > 0 or not np.isfinite(length) or not even:
            return []
        tail = np.mean(plane, axis=0) if plane else -self.middle * self.scale
        tip = tail + 0.6 * normal / np.sqrt(length)
        return [short(float(value)) for value in (*tail, *tip)]
