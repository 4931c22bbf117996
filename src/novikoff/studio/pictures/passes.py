"""Updates of each pass, and rows that are wrong after it. People mistake one for the other."""

from __future__ import annotations

import numpy as np

from novikoff.studio.fields import Extra
from novikoff.studio.marks import dot, path
from novikoff.studio.pictures.blank import curve_plot, extra
from novikoff.studio.scene import wrong_rows
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline
from novikoff.studio.visits import Visits
from novikoff.wording import count

MOST = 60  # passes that are drawn


def passes(state: State, timeline: Timeline, k: int) -> Extra:
    """Both curves, over the first passes."""
    if len(timeline.runs) > 1:
        return extra("passes", "Errors and updates for each pass", "Choose a set of two classes.")
    updates, ends = pass_counts(state, timeline)
    shown = min(len(updates), MOST)
    errors = [
        len(wrong_rows(state, timeline, end, timeline.weights(end))) for end in ends[: shown + 1]
    ]
    counted = [0, *updates[:shown]]
    at = int(np.searchsorted(ends[: shown + 1], k))
    marks = [
        path("errors", [[v for i, e in enumerate(errors) for v in (float(i), float(e))]]),
        path("updates", [[v for i in range(1, shown + 1) for v in (float(i), float(counted[i]))]]),
        path("cursor", [[float(at), 0.0, float(at), 1.1 * max([1, *errors, *counted])]]),
    ]
    marks += [dot("errors", float(i), float(e)) for i, e in enumerate(errors)]
    marks += [dot("updates", float(i), float(counted[i])) for i in range(1, shown + 1)]
    plot = curve_plot(marks, float(max(shown, 1)), float(max([1, *errors, *counted])), "pass")
    plot["legend"] = [
        {"role": "errors", "text": "rows wrong after the pass"},
        {"role": "updates", "text": "updates made in it"},
    ]
    note = f"{count(len(updates), 'pass')}; a run ends after a pass without an update."
    if shown < len(updates):
        note += f" Drawn are the first {shown}."
    return extra("passes", "Errors and updates for each pass", note, plot)


def pass_counts(state: State, timeline: Timeline) -> tuple[list[int], list[int]]:
    """The updates of each pass, and the mistakes made up to its end (from 0, before the first)."""
    run = timeline.runs[0]
    visits = Visits(run, state.run)
    ends: list[int] = [0]
    updates: list[int] = []
    at = 0
    while at < visits.total and len(updates) <= 10 * MOST:
        if state.run.order == "restart":
            made = visits.k_before(at)
            last = int(run.tape.visits[made]) + 1 if made < run.n_mistakes else visits.total
        else:
            last = min(at + visits.n, visits.total)
        ends.append(visits.k_before(last))
        updates.append(ends[-1] - ends[-2])
        at = last
    return updates, ends
