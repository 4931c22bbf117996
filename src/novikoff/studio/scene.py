"""What is drawn on the plane: regions, boundaries, the update, the band, the hulls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.display.sample import hull
from novikoff.exact.bounds import LEAST_WEIGHT_SIZE, sum_error_bounds
from novikoff.studio.contours import Grid, grid_over
from novikoff.studio.features import mapped
from novikoff.studio.fields import Mark
from novikoff.studio.plane import (
    Line,
    Window,
    arrow,
    clipped,
    dot,
    half_plane,
    path,
    polygon,
    words,
)
from novikoff.studio.proof import Finding
from novikoff.studio.state import State
from novikoff.studio.timeline import Look, Timeline, Update
from novikoff.wording import number

ARROW = 0.16  # length of the normal vector, as a share of the shorter side
MOST_HULL_ROWS = 20_000
ROUND = 97  # points of a circle
CAPTION = (44.0, 22.0, 17.0)  # pixels: from the left, from the top, and of each further line
MOST_LABELLED = 4  # blocking rows with their λ beside them


class Scene(NamedTuple):
    """Marks under and over the rows, and the rows that are on the wrong side."""

    under: list[Mark]
    over: list[Mark]
    wrong: list[int]


def scores(state: State, weights: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n, runs): the score of every point under every line of weights."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(mapped(points, state.feature_map) @ weights[:, :-1].T + weights[:, -1])


def boundary(state: State, weights: np.ndarray, view: Window, role: str, **more: Any) -> list[Mark]:
    """The zero line of one line of weights."""
    if state.feature_map == "none":
        inside = clipped(Line(*map(float, weights)), view)
        return [path(role, [inside], **more)] if inside else []
    grid = grid_over(view)
    strokes = grid.zeros(scores(state, weights[None], grid.points())[:, 0])
    return [path(role, strokes, **more)] if strokes else []


def draw(
    state: State, view: Window, timeline: Timeline, k: int, finding: Finding | None,
    overlays: list[tuple[int, Timeline]], owner: int = 1, look: Look | None = None,
    given_up: Sequence[int] = (),
) -> Scene:  # fmt: skip
    """Everything on the plane after k updates; of several classes, `owner` is the one shown.

    given_up: the rows that the best line there is gets wrong.
    """
    update = timeline.update(k) if k > 0 else None  # first: it brings the weights around k with it
    weights = timeline.weights(k)
    under: list[Mark] = []
    over: list[Mark] = []
    if "regions" in state.show:
        under += _regions(state, weights, view)
    if finding is not None and "hulls" in state.show:
        below, above = _hulls(state, finding, given_up)
        under += below
        over += above
    if finding is not None and "maximum" in state.show:
        under += _maximum(state, finding, view)
    if finding is not None and "ball" in state.show:
        below, above = _ball(state, finding, view)
        under += below
        over += above
    for place, other in overlays:
        last = other.weights(other.n_updates)
        for line in last if state.is_binary else last[owner : owner + 1]:
            under += boundary(state, line, view, "overlay", place=place)
    if look is not None:
        over += _ticks(state, look)
    if update is not None and "update" in state.show and (look is None or look.is_mistake):
        below, above = _update(state, timeline, update, view)
        under += below
        over += above
    under += _boundaries(state, weights, view)
    if state.is_binary:
        name = state.written.weights_drawn(state.offset)
        over += _arrow_of(state, weights[0], view, "normal", name)
    if state.stretch != 1.0:
        over.append(caption(view, 0, "stretched: the axes have different scales"))
    return Scene(under, over, wrong_rows(state, timeline, k, weights))


def caption(view: Window, line: int, text: str, **more: Any) -> Mark:
    """A line of words in the upper left corner of the plane."""
    x = view.left + CAPTION[0] * (view.right - view.left) / view.width
    y = view.top - (CAPTION[1] + line * CAPTION[2]) * (view.top - view.bottom) / view.height
    return words("caption", x, y, text, **more)


def wrong_rows(state: State, timeline: Timeline, k: int, weights: np.ndarray) -> list[int]:
    """Rows that the weights after k updates get wrong, by the tie rule of the state.

    Of more than two classes a row is right if its own class alone has the largest score.
    A score too close to zero for floats is decided exactly.
    """
    if not state.n_rows:
        return []
    every = scores(state, weights, state.points)
    doubts, is_live = _doubts(state, weights)
    if state.is_binary:
        lead = np.where(state.codes == 1, 1, -1) * every[:, 0]
    else:
        own = every[np.arange(len(every)), state.codes]
        every[np.arange(len(every)), state.codes] = -np.inf
        lead = own - every.max(axis=1)
    wrong = lead < 0
    positive = (state.codes == 1) & state.is_binary & (state.tie == "positive")
    wrong[~is_live] = ~positive[~is_live]
    unsure = np.flatnonzero(~(np.abs(lead) > doubts) & is_live)
    if len(unsure):
        signs = _exact_leads(state, timeline, k, unsure)
        wrong[unsure] = (signs < 0) | ((signs == 0) & ~positive[unsure])
    return [int(i) for i in np.flatnonzero(wrong)]


def _doubts(state: State, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far each lead can be off, and whether any term of its scores is other than zero.

    A lead is the difference of two scores at most, each off by the doubt of a sum, and rounded
    once; the weights are the nearest floats to the exact ones, and 0 only where those are.
    """
    points = mapped(state.points, state.feature_map)
    sizes = np.where(weights != 0.0, np.maximum(np.abs(weights), LEAST_WEIGHT_SIZE), 0.0)
    with np.errstate(all="ignore"):
        largest = (np.abs(points) @ sizes[:, :-1].T + sizes[:, -1]).max(axis=1)
    is_live = (points != 0.0).astype(int) @ (weights[:, :-1] != 0.0).T.astype(int)
    is_live += (weights[:, -1] != 0.0).astype(int)
    return 3.0 * sum_error_bounds(largest, weights.shape[1]), is_live.any(axis=1)


def _exact_leads(state: State, timeline: Timeline, k: int, rows: np.ndarray) -> np.ndarray:
    """For a few rows the sign of what `wrong_rows` calls their lead, in integers."""
    whole, scale = timeline.runs[0].table.integers(rows)
    exact = [timeline.exact(place, kc).fractions() for place, kc in enumerate(timeline.counts(k))]
    common = math.lcm(*(value.denominator for line in exact for value in line))
    weights = np.array([[int(v * common) for v in line] for line in exact], dtype=object)
    every = whole @ weights[:, :-1].T + weights[:, -1] * scale
    codes = state.codes[rows]
    if state.is_binary:
        lead = every[:, 0] * np.where(codes == 1, 1, -1).astype(object)
    else:
        rivals = [
            [v for c, v in enumerate(line) if c != code]
            for line, code in zip(every, codes, strict=True)
        ]
        lead = every[np.arange(len(rows)), codes] - np.array([max(r) for r in rivals], dtype=object)
    return np.array([(value > 0) - (value < 0) for value in lead])


def _regions(state: State, weights: np.ndarray, view: Window) -> list[Mark]:
    """For each class the part of the window in which its score is the largest."""
    if state.is_binary:
        if not weights[0, :-1].any():
            return []
        weights = np.vstack([-weights, weights])
    if state.feature_map == "none":
        return [
            polygon("region", _cell(weights, code, view), code=code) for code in range(len(weights))
        ]
    grid, leads = _leads(state, weights, view)
    outlines = [(code, grid.positive(lead)) for code, lead in enumerate(leads)]
    return [path("region", found, closed=True, code=code) for code, found in outlines if found]


def _cell(weights: np.ndarray, code: int, view: Window) -> list[tuple[float, float]]:
    """The corners of the part of the window in which a class has the largest score."""
    corners = view.corners
    for rival in range(len(weights)):
        difference = weights[code] - weights[rival]
        if rival != code and corners and difference.any():
            corners = half_plane(corners, Line(*map(float, difference)))
    return corners if len(corners) > 2 else []


def _leads(state: State, weights: np.ndarray, view: Window) -> tuple[Grid, list[np.ndarray]]:
    """A grid, and for each class by how much its score there is above all others."""
    grid = grid_over(view)
    every = scores(state, weights, grid.points())
    others = [np.delete(every, code, axis=1).max(axis=1) for code in range(len(weights))]
    return grid, [every[:, code] - other for code, other in enumerate(others)]


def _boundaries(state: State, weights: np.ndarray, view: Window) -> list[Mark]:
    if state.is_binary:
        return boundary(state, weights[0], view, "boundary")
    if state.feature_map == "none":
        cells = [_cell(weights, code, view) for code in range(len(weights))]
        return [path("boundary between", _inner_edges(corners, view)) for corners in cells]
    grid, leads = _leads(state, weights, view)
    strokes = [grid.zeros(lead) for lead in leads]
    return [path("boundary between", found) for found in strokes if found]


def _inner_edges(corners: list[tuple[float, float]], view: Window) -> list[list[float]]:
    """The edges of a polygon that are not edges of the window."""
    kept = []
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        on_edge = (x1 == x2 and x1 in (view.left, view.right)) or (
            y1 == y2 and y1 in (view.bottom, view.top)
        )
        if not on_edge:
            kept.append([x1, y1, x2, y2])
    return kept


def _arrow_of(state: State, w: np.ndarray, view: Window, role: str, label: str) -> list[Mark]:
    """The normal vector of a boundary, at the point of it nearest to the origin in view.

    None where the axes have different scales: there no right angle looks like one.
    """
    if state.feature_map != "none" or state.stretch != 1.0:
        return []
    line = Line(*map(float, w))
    if clipped(line, view) is None:
        return []
    at = (0.0, 0.0) if view.holds(*line.foot(0.0, 0.0)) else view.center
    x, y = line.foot(*at)
    if not view.holds(x, y):
        ends = clipped(line, view) or [x, y, x, y]
        x, y = (ends[0] + ends[2]) / 2, (ends[1] + ends[3]) / 2
    size = ARROW * min(view.right - view.left, view.top - view.bottom) / line.length
    return [arrow(role, (x, y), (x + size * line.a, y + size * line.b), label)]


def _update(
    state: State, timeline: Timeline, update: Update, view: Window
) -> tuple[list[Mark], list[Mark]]:
    """The boundary before the update, the row that was wrong, and how far it was from its side."""
    row = update.step.row
    x, y = (float(value) for value in state.points[row])
    under: list[Mark] = []
    over = [dot("current", x, y, row=row)]
    before = timeline.before(update)
    if not state.offset:
        before = np.append(before, 0.0)
    if state.is_binary:
        under += boundary(state, before, view, "boundary before")
    is_true_to_scale = state.feature_map == "none" and state.stretch == 1.0
    line = Line(*map(float, before)) if is_true_to_scale else None
    if line is not None and clipped(line, view) is not None and state.is_binary:
        fx, fy = line.foot(x, y)
        if math.isfinite(fx + fy):
            under.append(path("score", [[x, y, fx, fy]], row=row))
    after = timeline.score_after(update)
    text = f"score {number(update.step.score)} → {number(after)}".replace("-", "−")
    over.append(words("score", x, y, text, row=row))
    return under, over


def _ticks(state: State, look: Look) -> list[Mark]:
    """A tick or a cross on every row that was looked at in this pass, and a ring on the last."""
    marks = [
        dot("crossed" if wrong else "ticked", *state.points[row], row=row)
        for row, wrong in dict(look.ticked).items()
    ]
    return [*marks, dot("looked", *state.points[look.row], row=look.row)]


def _hulls(
    state: State, finding: Finding, given_up: Sequence[int]
) -> tuple[list[Mark], list[Mark]]:
    """For rows that no line separates: the hulls, the point they share, the rows that prove it."""
    best = [dot("fewest", *state.points[row], row=row) for row in given_up]
    if not finding.support:
        return [], best
    under: list[Mark] = []
    if state.feature_map == "none" and state.n_rows <= MOST_HULL_ROWS:
        positive = state.codes == finding.owner
        rest: tuple[str, dict[str, Any]] = ("hull rest", {})
        if state.is_binary:
            rest = ("hull", {"side": 0})
        sides = (("hull", {"side": finding.owner}, positive), (*rest, ~positive))
        for role, side, chosen in sides:
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


def _ball(state: State, finding: Finding, view: Window) -> tuple[list[Mark], list[Mark]]:
    """The theorem's two lengths: the ball of radius R, and the band γ on either side of v.

    With an offset both are of rows with their 1, and what is drawn is their cut at height 1: a
    disc of radius √(R² − 1), and the points whose score under the unit vector v is within γ.
    """
    if finding.separator is None or state.feature_map != "none":
        return [], []
    radius = drawn_radius(state, finding)
    turns = np.linspace(0.0, 2.0 * math.pi, ROUND)
    circle = np.stack([radius * np.cos(turns), radius * np.sin(turns)], axis=1)
    marks = [path("ball", [circle.ravel().tolist()], closed=True)]
    v = unit_separator(finding)
    line = Line(*map(float, v))
    band = _band(line, finding.margin[0], view) if line.length > 0 else []
    marks += [polygon("gamma", band), *boundary(state, v, view, "best")]
    at = (radius * math.sqrt(0.5), -radius * math.sqrt(0.5))
    best = _arrow_of(state, v, view, "best", state.written.best_drawn(state.offset))
    return marks, [arrow("ball", (0.0, 0.0), at, _radius_name(state)), *best]


def unit_separator(finding: Finding) -> np.ndarray:
    """v, the unit vector of the largest margin; its last entry is the offset, 0 without one."""
    exact = [Fraction(value) for value in finding.separator.weights]
    size = max(map(abs, exact))
    v = np.array([float(value / size) for value in exact])
    return np.asarray(v / np.linalg.norm(v))


def proof_marks(state: State, finding: Finding, given_up: Sequence[int] = ()) -> dict[str, Any]:
    """What is drawn of a verdict, for any window: marks, and the lines to be cut to the window."""
    below, above = _hulls(state, finding, given_up)
    made: dict[str, Any] = {"hulls": {"under": below, "over": above}, "widest": None, "best": None}
    if finding.widest is not None:
        made |= {"widest": finding.widest.tolist(), "half_width": finding.half_width}
    if finding.separator is not None:
        made |= {
            "best": unit_separator(finding).tolist(), "margin": finding.margin[0],
            "radius": drawn_radius(state, finding),
            "name": state.written.best_drawn(state.offset), "radius_name": _radius_name(state),
        }  # fmt: skip
    return made


def drawn_radius(state: State, finding: Finding) -> float:
    """The radius of the ball in the plane: with an offset, of its cut at height 1."""
    return math.sqrt(max(finding.radius**2 - (1.0 if state.offset else 0.0), 0.0))


def _radius_name(state: State) -> str:
    return "√(R² − 1)" if state.offset else "R"


def _maximum(state: State, finding: Finding, view: Window) -> list[Mark]:
    """The boundary of the largest margin and its band."""
    if finding.widest is None:
        return []
    w = finding.widest
    marks: list[Mark] = []
    if state.feature_map == "none":
        line = Line(*map(float, w))
        marks.append(polygon("band", _band(line, finding.half_width * line.length, view)))
    return marks + boundary(state, w, view, "maximum")


def _band(line: Line, most: float, view: Window) -> list[tuple[float, float]]:
    """The part of the window in which the line's value is at most `most` in size."""
    inner = half_plane(view.corners, Line(line.a, line.b, line.c + most))
    return half_plane(inner, Line(-line.a, -line.b, -line.c + most)) if inner else []
