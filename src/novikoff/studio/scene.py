"""What the plane shows: lines for the page to draw, and the curves of a feature map."""

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
from novikoff.inputs import Table
from novikoff.studio.contours import Grid, grid_over
from novikoff.studio.features import mapped
from novikoff.studio.plane import Window, dot, path, polygon
from novikoff.studio.proof import Finding
from novikoff.studio.state import State
from novikoff.studio.timeline import Look, Timeline, Update
from novikoff.studio.values import Mark, Section
from novikoff.wording import number

MOST_HULL_ROWS = 20_000
LAYERS = ("hulls", "maximum", "ball")  # of a proof
MOST_LABELLED = 4  # blocking rows with their λ beside them


def scores(state: State, weights: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n, runs): the score of every point under every line of weights."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(mapped(points, state.feature_map) @ weights[:, :-1].T + weights[:, -1])


def _curve(state: State, weights: np.ndarray, view: Window, role: str, **more: Any) -> list[Mark]:
    """The zero line of one line of weights over the columns of a feature map."""
    grid = grid_over(view)
    strokes = grid.zeros(scores(state, weights[None], grid.points())[:, 0])
    return [path(role, strokes, **more)] if strokes else []


def scene(
    state: State, view: Window, timeline: Timeline, k: int, finding: Finding,
    overlays: list[tuple[Section, Timeline]], owner: int = 1, look: Look | None = None,
    given_up: Sequence[int] = (),
) -> Section:  # fmt: skip
    """What the plane shows after k updates; of several classes, `owner` is the one shown.

    Lines are sent as their weights: the page cuts them to its window, and turns them. The curves of
    a feature map are drawn here. given_up: the rows that the best line there is gets wrong.
    """
    update = timeline.update(k) if k > 0 else None  # first: it brings the weights around k with it
    weights = timeline.weights(k)
    is_straight = state.feature_map == "none"
    places = slice(None) if state.is_binary else slice(owner, owner + 1)
    last = [other.weights(other.n_updates)[places] for _, other in overlays]
    others: list[Section] = [
        {"place": entry["place"], "text": f"{entry['name']}: {entry['text']}",
         "lines": _lines(lines) if is_straight else []}
        for (entry, _), lines in zip(overlays, last, strict=True)
    ]  # fmt: skip
    if (look is not None and not look.is_mistake) or "update" not in state.show:
        update = None
    before = None if update is None else timeline.before(update)
    if before is not None and not state.offset:
        before = np.append(before, 0.0)
    if not state.is_binary:
        before = None
    is_found = finding.status != "deciding"
    return {
        "lines": _lines(weights) if is_straight else [],
        "regions": "regions" in state.show,
        "letter": state.written.weights_drawn(state.offset) if state.is_binary else "",
        "update": None if update is None else _update(timeline, update, before, is_straight),
        "proof": proof_marks(state, finding, given_up, state.show) if is_found else None,
        "others": others,
        "under": []
        if is_straight
        else _curves(state, view, weights, before, finding, others, last),
        "over": [] if look is None else _ticks(state, look),
        "wrong": wrong_rows(state, timeline, k),
    }


def _lines(weights: np.ndarray) -> list[list[float]]:
    """Lines of weights as JSON; one that has overflowed is no line."""
    return [line.tolist() if np.isfinite(line).all() else [0.0, 0.0, 0.0] for line in weights]


def _curves(
    state: State, view: Window, weights: np.ndarray, before: np.ndarray | None,
    finding: Finding, others: list[Section], last: list[np.ndarray],
) -> list[Mark]:  # fmt: skip
    """Regions and boundaries in the original plane, where a feature map bends them."""
    marks: list[Mark] = []
    rivals = np.vstack([-weights, weights]) if state.is_binary else weights
    grid, leads = _leads(state, rivals, view)
    if "regions" in state.show and weights[:, :-1].any():
        outlines = [(code, grid.positive(lead)) for code, lead in enumerate(leads)]
        marks += [
            path("region", found, closed=True, code=code) for code, found in outlines if found
        ]
    if finding.widest is not None and "maximum" in state.show:
        marks += _curve(state, finding.widest, view, "maximum")
    for other, lines in zip(others, last, strict=True):
        for line in lines:
            marks += _curve(state, line, view, "overlay", place=other["place"])
    if before is not None:
        marks += _curve(state, before, view, "boundary before")
    if state.is_binary:
        return marks + _curve(state, weights[0], view, "boundary")
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
        lead = np.where(state.codes == 1, 1, -1) * signs_of(table, lines[0])
        forgiven = (state.codes == 1) & (state.tie == "positive")
        wrong = (lead < 0) | ((lead == 0) & ~forgiven)
    else:
        wrong = np.zeros(state.n_rows, dtype=bool)
        for (one, own), (two, other) in combinations(enumerate(lines), 2):
            lead = signs_of(table, [a - b for a, b in zip(own, other, strict=True)])
            wrong |= ((state.codes == one) & (lead <= 0)) | ((state.codes == two) & (lead >= 0))
    return [int(i) for i in np.flatnonzero(wrong)]


def _leads(state: State, weights: np.ndarray, view: Window) -> tuple[Grid, list[np.ndarray]]:
    """A grid, and for each class by how much its score there is above all others."""
    grid = grid_over(view)
    every = scores(state, weights, grid.points())
    others = [np.delete(every, code, axis=1).max(axis=1) for code in range(len(weights))]
    return grid, [every[:, code] - other for code, other in enumerate(others)]


def _update(
    timeline: Timeline, update: Update, before: np.ndarray | None, is_straight: bool
) -> Section:
    """The row that was wrong, its score before and after, and the line before the update."""
    after = timeline.score_after(update)
    text = f"score {number(update.step.score)} → {number(after)}".replace("-", "−")
    lines = [] if before is None or not is_straight else _lines(before[None])
    return {
        "row": update.step.row, "sign": update.step.sign, "text": text,
        "before": lines[0] if lines else [],
    }  # fmt: skip


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
        rest: tuple[str, dict[str, Any]] = (
            ("hull", {"side": 0}) if state.is_binary else ("hull rest", {})
        )
        for role, side, chosen in (("hull", {"side": finding.owner}, positive), (*rest, ~positive)):
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


def proof_marks(
    state: State, finding: Finding, given_up: Sequence[int] = (), show: Sequence[str] = LAYERS
) -> Section:
    """What is drawn of a verdict: hulls, the widest band, the theorem's two lengths.

    With an offset the lengths are of rows with their 1, and what is drawn is their cut at height 1:
    a disc of radius √(R² − 1), and the points whose score under the unit vector v is within γ.
    """
    made: Section = {"under": [], "over": [], "widest": None, "best": None}
    if "hulls" in show:
        made["under"], made["over"] = _hulls(state, finding, given_up)
    if state.feature_map != "none":
        return made
    if finding.widest is not None and "maximum" in show:
        made["widest"] = {"line": finding.widest.tolist(), "half": finding.half_width}
    if finding.separator is not None and "ball" in show:
        cut = 1.0 if state.offset else 0.0
        made["best"] = {
            "line": unit_separator(finding).tolist(), "half": finding.margin[0],
            "name": state.written.best_drawn(state.offset),
            "radius": math.sqrt(max(finding.radius**2 - cut, 0.0)),
            "radius_name": "√(R² − 1)" if state.offset else "R",
        }  # fmt: skip
    return made
