"""What a report draws: the rows with what decides them, and the audited run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from novikoff.display import BoundaryDisplay, MistakesDisplay, SandwichDisplay
from novikoff.errors import InputError
from novikoff.report.bound import AuditedRun
from novikoff.report.drawing import figure
from novikoff.report.markup import Markup, element
from novikoff.report.numerals import count_text
from novikoff.search.threads import one_thread
from novikoff.verdicts.fewest_answer import FewestMistakes
from novikoff.verdicts.verdict import Verdict

MOST_DRAWN = 1500  # rows
MOST_COLUMNS_DRAWN = 200_000  # of rows that are drawn
BOUNDARY, CURVES = (4.8, 4.2), (4.8, 3.1)  # inches


def verdict_picture(verdict: Verdict) -> Markup:
    """The rows, or a sample of them, with the hyperplane or the hulls and the point they share."""
    spans = "hulls" if verdict.fit_intercept else "cones from the origin"
    shared = " and the point that they share" if verdict.point is not None else ""
    says, caption = {
        "separable": (
            "a straight boundary has all rows of each class strictly on one side",
            "The separator of the certificate; the nearest rows are ringed.",
        ),
        "quasi-separable": (
            "a straight boundary has no row on its wrong side, but rows of both classes on it",
            f"The weak separator, and the point that both {spans} share.",
        ),
        "overlapping": (
            f"the {spans} of the two classes share a point, which is marked",
            f"The {spans} of the two classes{shared}.",
        ),
        "undecided": (
            "no boundary is known",
            "The rows: neither a separator nor a proof that there is none is known.",
        ),
    }[verdict.status]
    return _boundary(BoundaryDisplay.from_verdict, verdict, says, caption)


def fewest_picture(few: FewestMistakes) -> Markup:
    """The rows with the best hyperplane found."""
    says = "rows on the wrong side of a straight boundary are ringed"
    caption = "The best hyperplane found. The rows that it gets wrong are ringed."
    return _boundary(BoundaryDisplay.from_fewest, few, says, caption)


def _boundary(plotted: Callable[..., Any], answer: Any, says: str, caption: str) -> Markup:
    """A BoundaryDisplay with its legend above the axes; in its place, a sentence why there is none.

    plotted : the method of BoundaryDisplay for this answer
    """
    if answer.n_columns > MOST_COLUMNS_DRAWN:
        return _left_out(f"{count_text(answer.n_columns)} columns are too many for one")

    def draw(ax: Any) -> None:
        plotted(answer, ax=ax, most_drawn=MOST_DRAWN)
        ax.get_legend().remove()
        ax.figure.legend(
            *ax.get_legend_handles_labels(), loc="outside upper left", ncols=2, frameon=False,
            labelspacing=1.0,
        )  # fmt: skip

    try:
        with one_thread(answer.n_columns):
            what = f"The rows of the two classes in a plane: {says}."
            return figure("rows", draw, what, caption, BOUNDARY)
    except InputError:
        return _left_out("its numbers are too large")


def _left_out(why: str) -> Markup:
    return element("p", f"There is no picture of the rows: {why}.")


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
