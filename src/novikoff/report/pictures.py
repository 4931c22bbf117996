"""What a report draws: the rows with what decides them, and the audited run."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.display import BoundaryDisplay, MistakesDisplay, SandwichDisplay
from novikoff.display.sample import drawn_rows
from novikoff.display.words import printable
from novikoff.inputs import Table
from novikoff.report.bound import AuditedRun
from novikoff.report.drawing import figure
from novikoff.report.markup import Markup, element, shortened
from novikoff.report.numerals import count_text
from novikoff.search.threads import one_thread
from novikoff.verdicts.hyperplane import Hyperplane
from novikoff.verdicts.verdict import Verdict

LEAST_DRAWN, MOST_DRAWN = 50, 1500  # rows
MOST_RINGED = 200
MOST_CELLS, MOST_COLUMNS = 500_000, 200_000  # of the rows that are drawn
LARGEST_DRAWN = 1e100  # numbers that a picture can hold

BOUNDARY, CURVES = (4.8, 4.2), (4.8, 3.1)
WIDEST_NAME = 24
THINNEST = 4.0  # one side over the other, with equal units
FITTED = " The two axes have different units, so right angles do not look it."


def boundary_picture(verdict: Verdict, plane: Hyperplane | None) -> Markup:
    """The rows, or a sample of them, with the hyperplane or the hulls and the point they share."""
    source, labels = verdict.signed_rows.table, verdict.labels
    room = max(LEAST_DRAWN, min(MOST_DRAWN, MOST_CELLS // source.n_columns))
    if source.n_columns > MOST_COLUMNS:
        return _left_out(f"{count_text(source.n_columns)} columns are too many for one")
    support = None
    if verdict.status == "separable" and plane is not None:
        support = _nearest(verdict, plane)
    blocking = verdict.places[: min(MOST_RINGED, room)]
    chosen = drawn_rows(source.n_rows, room, blocking if support is None else support)
    matrix = source.dense_rows(chosen)
    if not float(np.abs(matrix).max()) < LARGEST_DRAWN:
        return _left_out("its numbers are too large")

    names = None
    if source.names is not None:
        names = tuple(_name(text) for text in source.names[:2])
        names += source.names[2:]
    point = None
    if verdict.point is not None:
        point = np.array([value.numerator / value.denominator for value in verdict.point])
    negative, positive = map(_name, labels.classes)
    with one_thread(source.n_columns):
        display = BoundaryDisplay(
            Table(matrix, names, "binary64"), labels.signs[chosen], (negative, positive),
            weights=None if plane is None else plane.floats, ringed="nearest rows",
            support=None if support is None else np.searchsorted(chosen, support),
            blocking=np.searchsorted(chosen, blocking) if len(blocking) else None, point=point,
            cones=not verdict.fit_intercept,
        )  # fmt: skip
    fitted = _is_thin(display.points)
    return figure(
        "rows",
        lambda ax: _plot(display, ax, fitted),
        f"The rows of the two classes in a plane: {_shows(verdict)}.",
        _caption(verdict, len(chosen), len(blocking)) + FITTED * fitted,
        BOUNDARY,
    )


def _is_thin(points: np.ndarray) -> bool:
    """Whether equal units on both axes would leave a strip of a picture."""
    width, height = np.ptp(points, axis=0)
    return bool(min(width, height) > 0 and max(width, height) > THINNEST * min(width, height))


def _plot(display: BoundaryDisplay, ax: Any, fitted: bool) -> None:
    """Draw, with the legend where it hides no row."""
    display.plot(ax=ax)
    for rows in display.rows_.values():
        rows.set_sizes([min(36.0, max(9.0, 9000 / len(display.points)))])
        rows.set_linewidths([min(0.6, max(0.15, 200 / len(display.points)))])
    if fitted:
        (x, y), (right, top) = display.points.min(axis=0), display.points.max(axis=0)
        ax.set_aspect("auto")
        ax.set_xlim(x - 0.1 * (right - x), right + 0.1 * (right - x))
        ax.set_ylim(y - 0.1 * (top - y), top + 0.1 * (top - y))
        if display.normal_ is not None:  # it would not look perpendicular
            display.normal_.remove()
    ax.get_legend().remove()
    ax.figure.legend(
        *ax.get_legend_handles_labels(),
        loc="outside upper left",
        ncols=2,
        frameon=False,
        labelspacing=1.0,
    )


def run_pictures(audited: AuditedRun | None) -> list[Markup]:
    """The sandwich of the audit, and the mistakes of each pass."""
    if audited is None or audited.run.n_mistakes == 0:
        return []
    run, audit = audited.run, audited.audit
    sandwich = figure(
        "sandwich",
        lambda ax: SandwichDisplay.from_audit(audit, ax=ax),
        f"Line chart over {run.n_mistakes} mistakes: k·γ stays below w·v, that below ‖w‖, and "
        "that below √k·R.",
        "Why the perceptron must stop: w·v grows at least as k·γ, and ‖w‖ at most as √k·R; "
        "where these two meet, at k = (R/γ)², there is no room for another mistake.",
        CURVES,
    )
    mistakes = figure(
        "mistakes",
        lambda ax: MistakesDisplay.from_runs({"rows in their order": run}, ax=ax),
        f"Line chart: the mistakes in each of {run.n_passes} passes, {run.n_mistakes} in all.",
        "Mistakes in each pass of the same run.",
        CURVES,
    )
    return [sandwich] * run.converged + [mistakes] * (run.n_passes > 2)


def _nearest(verdict: Verdict, plane: Hyperplane) -> np.ndarray:
    scores = plane.scores(verdict.signed_rows)
    with np.errstate(over="ignore"):
        near = np.flatnonzero(scores <= scores.min() + 1e-9 * np.abs(scores).max())
    return near[:MOST_RINGED]


def _shows(verdict: Verdict) -> str:
    if verdict.status == "separable":
        return "a straight boundary has all rows of each class strictly on one side"
    if verdict.status == "quasi-separable":
        return "a straight boundary has no row on its wrong side, but rows of both classes on it"
    if verdict.status == "overlapping":
        return f"the {_spans(verdict)} of the two classes share a point, which is marked"
    return "no boundary is known"


def _caption(verdict: Verdict, n_drawn: int, n_ringed: int) -> str:
    spans = _spans(verdict)
    shared = " and the point that they share" if verdict.point is not None else ""
    text = {
        "separable": "The separator of the certificate; the nearest rows are ringed.",
        "quasi-separable": f"The weak separator, and the point that both {spans} share.",
        "overlapping": f"The {spans} of the two classes{shared}.",
        "undecided": "The rows: neither a separator nor a proof that there is none is known.",
    }[verdict.status]
    if n_drawn < verdict.n_rows:
        text += f" {count_text(n_drawn)} of {count_text(verdict.n_rows)} rows are drawn"
        text += f"; {spans} are those of the rows drawn." if len(verdict.known_rows) else "."
    if n_ringed < len(verdict.rows):
        text += f" {n_ringed} of {count_text(len(verdict.rows))} blocking rows are ringed."
    return text


def _spans(verdict: Verdict) -> str:
    """What a separator would keep apart: hulls, or cones where it must pass the origin."""
    return "hulls" if verdict.fit_intercept else "cones from the origin"


def _name(text: object) -> str:
    return shortened(printable(str(text)), WIDEST_NAME)


def _left_out(why: str) -> Markup:
    return element("p", f"There is no picture of the rows: {why}.")
