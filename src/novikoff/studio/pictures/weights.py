"""The space of weights: each row allows a half-plane of w, and the run walks until it is in all.

With an offset this is the slice at the present offset, so that it stays a plane.
"""

from __future__ import annotations

import numpy as np

from novikoff.studio.charts import extra
from novikoff.studio.plane import Line, Window, cut, dot, path, polygon, short
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline
from novikoff.studio.values import Mark, Section
from novikoff.wording import number

TITLE = "The space of weights"
MOST_LINES = 40  # rows whose line is drawn
MOST_STEPS = 400  # of the walk
SIZE = 300.0  # pixels


def weight_space(state: State, timeline: Timeline, k: int) -> Section:
    if len(timeline.runs) > 1 or state.feature_map != "none":
        why = "Choose two classes and no features: two weights can be drawn."
        return extra("weights", TITLE, why)
    run, written = timeline.runs[0], state.written
    first = max(0, min(k, run.n_mistakes) - MOST_STEPS)
    walk = [run.weights_at(first)[:2].tolist()]
    walk += [step.weights[:2].tolist() for step in run.steps(first + 1, k)] if k else []
    view = _window(np.array(walk))
    offset = float(timeline.weights(k)[0][-1])
    signs = np.where(state.codes == 1, 1.0, -1.0)
    region = list(view.corners)
    sides: list[Mark] = []
    for i, ((x, y), sign) in enumerate(zip(state.points.tolist(), signs.tolist(), strict=True)):
        line = Line(sign * x, sign * y, sign * offset * state.offset)
        if line.length > 0:
            region, _ = cut(region, line)
        elif line.c <= 0:
            region = []
        _, ends = cut(view.corners, line)
        if len(ends) == 2 and i < MOST_LINES:
            stroke = [*ends[0], *ends[1]]
            sides.append(path("allowed", [stroke], code=int(state.codes[i]), row=i))
    marks = [polygon("feasible", region), *sides]
    marks.append(path("walk", [[v for point in walk for v in point]]))
    marks += [dot("walked", x, y) for x, y in walk[-60:-1]]
    marks += [dot("origin", 0.0, 0.0), dot("now", walk[-1][0], walk[-1][1], written.name(k))]
    plot: Section = {
        "window": [short(v) for v in (view.left, view.right, view.bottom, view.top)],
        "marks": marks,
        "x_label": f"{written.weights}₁, and {written.weights}₂ upward",
    }  # fmt: skip
    note = (
        "A line is a row: weights on its right side get the row right. Shaded: right on all rows. "
        "A click is a start."
    )
    if state.offset:
        note += f" Drawn is the slice with the present offset, {number(offset)}."
    return extra("weights", TITLE, note, plot)


def _window(walk: np.ndarray) -> Window:
    corners = np.vstack([walk, np.zeros((1, 2))])
    low, high = corners.min(axis=0), corners.max(axis=0)
    half = max(0.62 * float((high - low).max()), 1e-6)
    if not half > 1e-5:
        half = 1.0
    x, y = (low + high) / 2
    return Window(x - 1.5 * half, x + 1.5 * half, y - half, y + half, 1.5 * SIZE, SIZE)
