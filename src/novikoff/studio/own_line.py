"""A line of a person's own: how many rows it gets wrong, and how wide it separates."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from novikoff.inputs import read_table
from novikoff.studio.plane import Line, Window
from novikoff.studio.proof import Finding
from novikoff.studio.scene import signs_of
from novikoff.studio.state import State
from novikoff.studio.values import Section
from novikoff.wording import count, number

Ends = tuple[float, float, float, float]  # x, y, x, y of its two handles


def first_ends(view: Window) -> Ends:
    """A line across the middle of what is seen, to begin with."""
    x, y = view.center
    across, up = 0.22 * (view.right - view.left), 0.12 * (view.top - view.bottom)
    return x - across, y - up, x + across, y + up


def line_of(ends: Ends) -> Line:
    x1, y1, x2, y2 = ends
    return Line(y1 - y2, x2 - x1, x1 * y2 - x2 * y1)


def sides(state: State, ends: Ends) -> np.ndarray:
    """For each row the sign of its side, exactly: 0 on the line."""
    x1, y1, x2, y2 = (Fraction(value) for value in ends)
    return signs_of(read_table(state.points), [y1 - y2, x2 - x1, x1 * y2 - x2 * y1])


def wrong_by(state: State, ends: Ends) -> tuple[int, int]:
    """The fewer of the rows that the line gets wrong with either side positive, and that side."""
    signed = np.where(state.codes == 1, 1, -1) * sides(state, ends)
    plus, minus = int((signed <= 0).sum()), int((signed >= 0).sum())
    return (plus, 1) if plus <= minus else (minus, -1)


def own_line(state: State, finding: Finding, wrong: int) -> Section | None:
    """What is said of the line; None where there is none, or more than two classes."""
    if state.line is None or not state.is_binary or not state.n_rows:
        return None
    own, side = wrong_by(state, state.line)
    line = line_of(state.line)
    text = f"Your line: {count(own, 'row')} wrong; the perceptron's, now: {wrong}."
    if own == 0 and line.length > 0:
        signs = np.where(state.codes == 1, 1, -1) * side
        scores = signs * (state.points @ np.array([line.a, line.b]) + line.c)
        reach = float(scores.min()) / line.length
        text = f"Your line separates: the nearest row is {number(reach)} away."
        if finding.half_width:
            text += f" The most is {number(finding.half_width)}."
    x1, y1, x2, y2 = state.line
    return {"text": text, "handles": [[x1, y1], [x2, y2]]}
