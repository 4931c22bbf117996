"""What the plane shows: lines of weights for the page to draw, the curves of a feature map, hulls
and bands of a verdict, wrong rows, and what is said of a person's own line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from novikoff.display.plane import hull
from novikoff.exact.tables import exact_scores, float_scores
from novikoff.exact.weights import integers_of_fractions
from novikoff.inputs import Table, read_table
from novikoff.studio.features import mapped
from novikoff.studio.plane import Window, dot, path, polygon, short
from novikoff.studio.proof import Finding
from novikoff.studio.state import Ends, State
from novikoff.studio.timeline import Timeline
from novikoff.studio.values import Mark, Section
from novikoff.wording import count, number

MOST_HULL_ROWS = 20_000
MOST_LABELLED = 4  # blocking rows with their λ beside them


def scene(
    state: State, view: Window, timeline: Timeline, k: int, finding: Finding,
    overlays: list[tuple[int, Timeline]], owner: int, given_up: Sequence[int],
) -> Section:  # fmt: skip
    """What the plane shows after k updates; of several classes, `owner` is the one shown.

    Lines are sent as their weights: the page cuts them to its window, and turns them. The curves of
    a feature map are drawn here. given_up: the rows that the best line there is gets wrong.
    """
    if k > 0:
        timeline.update(k)  # first: it brings the weights around k with it
    weights = timeline.weights(k)
    is_straight = state.feature_map == "none"
    under = []
    if not is_straight:
        under = _curves(state, view, weights, _before(state, timeline, k), finding, overlays, owner)
    return {
        "lines": weights.tolist() if is_straight else [],
        "proof": None if finding.status == "deciding" else proof_marks(state, finding, given_up),
        "under": under,
        "wrong": wrong_rows(state, timeline, k),
    }


def _before(state: State, timeline: Timeline, k: int) -> np.ndarray | None:
    """The boundary before update k, of two classes, where it is to be drawn."""
    if k == 0 or not state.is_binary or "update" not in state.show:
        return None
    return np.array(timeline.padded(timeline.before(timeline.update(k))))


CELLS_ACROSS = 96
LARGEST_VALUE = 1e300  # of a function: contourpy leaves out a cell with an infinite corner


class Grid:
    """Sample points over a window, and contours of functions on them, by contourpy."""

    def __init__(self, view: Window) -> None:
        down = min(max(8, round(CELLS_ACROSS * view.height / view.width)), 2 * CELLS_ACROSS)
        self.xs = np.linspace(view.left, view.right, CELLS_ACROSS + 1)
        self.ys = np.linspace(view.bottom, view.top, down + 1)
        x, y = np.meshgrid(self.xs, self.ys)
        self.points = np.stack([x.ravel(), y.ravel()], axis=1)  # row by row

    def positive(self, values: np.ndarray) -> list[list[float]]:
        """The outlines of {function > 0}, of which holes turn the other way round."""
        outlines = []
        for corners, places in zip(*self._contours(values).filled(0.0, np.inf), strict=True):
            outlines += [_flat(part) for part in np.split(corners, places[1:-1])]
        return outlines

    def zeros(self, values: np.ndarray) -> list[list[float]]:
        """The polylines of {function = 0}."""
        return [_flat(line) for line in self._contours(values).lines(0.0)]

    def _contours(self, values: np.ndarray) -> Any:
        from contourpy import contour_generator

        field = np.clip(np.nan_to_num(values), -LARGEST_VALUE, LARGEST_VALUE)
        shaped = field.reshape(len(self.ys), len(self.xs))
        return contour_generator(self.xs, self.ys, shaped, fill_type="OuterOffset")


def _flat(points: np.ndarray) -> list[float]:
    return [short(value) for value in points.ravel().tolist()]


def _curves(
    state: State, view: Window, weights: np.ndarray, before: np.ndarray | None,
    finding: Finding, overlays: list[tuple[int, Timeline]], owner: int,
) -> list[Mark]:  # fmt: skip
    """Regions and boundaries in the original plane, where a feature map bends them."""
    grid = Grid(view)
    columns = mapped(grid.points, state.feature_map)

    def curve(role: str, line: np.ndarray, **more: Any) -> list[Mark]:
        strokes = grid.zeros(columns @ line[:-1] + line[-1])
        return [path(role, strokes, **more)] if strokes else []

    marks: list[Mark] = []
    rivals = np.vstack([-weights, weights]) if state.is_binary else weights
    every = columns @ rivals[:, :-1].T + rivals[:, -1]
    leads = [every[:, code] - np.delete(every, code, axis=1).max(axis=1)
             for code in range(len(rivals))]  # fmt: skip
    if "regions" in state.show and weights[:, :-1].any():
        outlines = [(code, grid.positive(lead)) for code, lead in enumerate(leads)]
        marks += [
            path("region", found, closed=True, code=code) for code, found in outlines if found
        ]
    if finding.widest is not None and "maximum" in state.show:
        marks += curve("maximum", finding.widest)
    for place, other in overlays:
        last = other.weights(other.n_updates)[other.owners.index(owner)]
        marks += curve("overlay", last, place=place)
    if before is not None:
        marks += curve("boundary before", before)
    if state.is_binary:
        return marks + curve("boundary", weights[0])
    strokes = [grid.zeros(lead) for lead in leads]
    return marks + [path("boundary between", found) for found in strokes if found]


def signs_of(table: Table, weights: Sequence[Fraction]) -> np.ndarray:
    """For each row the sign of its score under weights whose last is the offset, exactly."""
    whole = integers_of_fractions(weights)
    if not any(whole):
        return np.zeros(table.n_rows)
    values, bounds, _ = float_scores(table, whole)
    signs: np.ndarray = np.sign(values)
    unsure = np.flatnonzero(~(np.abs(values) > bounds))
    for i, score in zip(unsure.tolist(), exact_scores(table, unsure, whole), strict=True):
        signs[i] = (score > 0) - (score < 0)
    return signs


def wrong_rows(state: State, timeline: Timeline, k: int) -> list[int]:
    """Rows that the weights after k updates get wrong, by the tie rule of the state.

    Of more than two classes a row is right if its own class alone has the largest score.
    """
    table = timeline.runs[0].table
    lines = [timeline.exact(place, kc).fractions() for place, kc in enumerate(timeline.counts(k))]
    if state.is_binary:
        lead = state.signs * signs_of(table, lines[0])
        forgiven = (state.codes == 1) & (state.tie == "positive")
        wrong = (lead < 0) | ((lead == 0) & ~forgiven)
    else:
        wrong = np.zeros(state.n_rows, dtype=bool)
        for (one, own), (two, other) in combinations(enumerate(lines), 2):
            lead = signs_of(table, [a - b for a, b in zip(own, other, strict=True)])
            wrong |= ((state.codes == one) & (lead <= 0)) | ((state.codes == two) & (lead >= 0))
    return [int(i) for i in np.flatnonzero(wrong)]


def _hulls(
    state: State, finding: Finding, given_up: Sequence[int]
) -> tuple[list[Mark], list[Mark]]:
    """For rows that no line separates: the hulls, the point they share, the rows that prove it."""
    best = [dot("fewest", *state.points[row], row=row) for row in given_up]
    if not finding.support:
        return [], best
    under: list[Mark] = []
    if state.feature_map == "none" and state.n_rows <= MOST_HULL_ROWS:
        own = state.codes == finding.owner
        rest: Any = ("hull", {"side": 0}) if state.is_binary else ("hull rest", {})
        for role, side, chosen in (("hull", {"side": finding.owner}, own), (*rest, ~own)):
            points = state.points[chosen]
            if not state.offset:
                points = np.vstack([points, np.zeros((1, 2))])
            under.append(polygon(role, hull(points).tolist(), **side))
    few = len(finding.support) <= MOST_LABELLED
    over = [
        dot("blocking", x, y, f"λ {text}" if few else "", row=row)
        for row, text in finding.support
        for x, y in [state.points[row]]
    ]
    if finding.point is not None and state.feature_map == "none":
        of = "shared point" if state.offset else "shared point of the hulls with the origin"
        over.append(dot("shared", *finding.point, label=of))
    return under, over + best


def unit_separator(finding: Finding) -> np.ndarray:
    """v, the unit vector of the largest margin; its last entry is the offset, 0 without one."""
    exact = [Fraction(value) for value in finding.separator.weights]
    size = max(map(abs, exact))
    v = np.array([float(value / size) for value in exact])
    return np.asarray(v / np.linalg.norm(v))


def proof_marks(state: State, finding: Finding, given_up: Sequence[int] = ()) -> Section:
    """What is drawn of a verdict: hulls, the widest band, the theorem's two lengths.

    With an offset the lengths are of rows with their 1, and what is drawn is their cut at height 1:
    a disc of radius √(R² − 1), and the points whose score under the unit vector v is within γ.
    """
    under, over = _hulls(state, finding, given_up)
    made: Section = {"under": under, "over": over, "widest": None, "best": None}
    if state.feature_map != "none":
        return made
    if finding.widest is not None:
        made["widest"] = {"line": finding.widest.tolist(), "half": finding.distance[0]}
    if finding.separator is not None:
        made["best"] = {
            "line": unit_separator(finding).tolist(), "half": finding.margin[0],
            "name": state.written.best_drawn(state.offset),
            "radius": math.sqrt(max(finding.radius**2 - state.offset, 0.0)),
            "radius_name": "√(R² − 1)" if state.offset else "R",
        }  # fmt: skip
    return made


def sides(state: State, ends: Ends) -> np.ndarray:
    """For each row the sign of its side of a line, exactly: 0 on the line."""
    x1, y1, x2, y2 = map(Fraction, ends)
    return signs_of(read_table(state.points), [y1 - y2, x2 - x1, x1 * y2 - x2 * y1])


def wrong_by(state: State, ends: Ends) -> tuple[int, int]:
    """The fewer of the rows that the line gets wrong with either side positive, and that side."""
    signed = state.signs * sides(state, ends)
    plus, minus = int((signed <= 0).sum()), int((signed >= 0).sum())
    return (plus, 1) if plus <= minus else (minus, -1)


def own_line(state: State, finding: Finding, wrong: int) -> Section | None:
    """What is said of a person's own line; None where there is none, or more than two classes."""
    if state.line is None or not state.is_binary or not state.n_rows:
        return None
    own, side = wrong_by(state, state.line)
    x1, y1, x2, y2 = state.line
    text = f"Your line: {count(own, 'row')} wrong; the perceptron's, now: {wrong}."
    length = math.hypot(y1 - y2, x2 - x1)
    if own == 0 and length > 0:
        scores = state.points @ np.array([y1 - y2, x2 - x1]) + (x1 * y2 - x2 * y1)
        nearest = float((state.signs * side * scores).min()) / length
        text = f"Your line separates: the nearest row is {number(nearest)} away."
        if finding.widest is not None:
            text += f" The most is {number(finding.distance[0])}."
    return {"text": text, "handles": [[x1, y1], [x2, y2]]}
