"""All rows changed at once: turned, scaled, moved apart, shaken.

Each change is told as a difference, so that a slider that goes back takes its change back: noise
adds the same random directions times the change of its size, and rows move apart along the line
between the means of the two classes, which this does not turn.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.studio.plane import short
from novikoff.studio.state import LARGEST, State, check_points
from novikoff.studio.values import real

MOST_TURN = 360.0  # degrees
MOST_SCALE = 1e6


def reshaped(state: State, edit: dict[str, Any]) -> State:
    """The state with all rows changed by `turn`, `scale`, `apart` or `noise`."""
    if not state.n_rows:
        raise InputError("there is no row yet; click into the plane to add one.")
    points = state.points.copy()
    size = state.span / 3  # of what is seen, which these changes leave as it is
    if "turn" in edit:
        angle = math.radians(real(edit["turn"], -MOST_TURN, MOST_TURN))
        cos, sin = math.cos(angle), math.sin(angle)
        points = points @ np.array([[cos, sin], [-sin, cos]])
    elif "scale" in edit:
        points = points * real(edit["scale"], 1 / MOST_SCALE, MOST_SCALE)
    elif "apart" in edit:
        points = points + real(edit["apart"], -10.0, 10.0) * size * _away(state)
    elif "noise" in edit:
        shake = np.random.RandomState(7).standard_normal(points.shape)
        points = points + real(edit["noise"], -10.0, 10.0) * size * shake
    else:
        raise InputError("rows are changed by turn, scale, apart or noise.")
    rounded = [[short(float(v)) for v in row] for row in np.clip(points, -LARGEST, LARGEST)]
    source = {**state.source, "edited": True, "moved": True}
    return replace(state, points=check_points(np.array(rounded)), source=source)


def _away(state: State) -> np.ndarray:
    """For each row the unit vector away from the other class; none where there are not two."""
    if not state.is_binary or len(set(state.codes.tolist())) < 2:
        raise InputError("only two classes can be moved apart.")
    positive = state.codes == 1
    along = state.points[positive].mean(axis=0) - state.points[~positive].mean(axis=0)
    length = float(np.hypot(*along))
    if not length > 0:
        raise InputError("both classes have the same middle; move a row first.")
    return np.asarray(np.where(positive, 1.0, -1.0)[:, None] * (along / length)[None])
