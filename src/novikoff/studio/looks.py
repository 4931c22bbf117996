"""The row that a run is looking at, where it is stepped visit by visit."""

from __future__ import annotations

from typing import NamedTuple

from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline

MOST_TICKED = 300  # rows with a tick or a cross


class Look(NamedTuple):
    """One visit, and those before it in the same pass: the row, and whether it was a mistake.

    Of several classes it is one if it was for any of them.
    """

    visit: int  # from 1
    row: int
    is_mistake: bool
    score: float | None  # that the row had when it was looked at; of two classes only
    ticked: tuple[tuple[int, bool], ...]


def looked_at(state: State, timeline: Timeline) -> Look | None:
    """None where the run is stepped by mistakes, or nothing has been looked at yet."""
    if not state.visit or not timeline.shares_visits:
        return None
    visits = timeline.visits
    last = min(state.visit, visits.total) - 1
    begin = max(visits.pass_begin(last), last - MOST_TICKED + 1)
    ticked = tuple((visits.row(v), timeline.is_mistake(v)) for v in range(begin, last + 1))
    row, wrong = ticked[-1]
    if len(timeline.runs) > 1:
        return Look(last + 1, row, wrong, None, ticked)
    k = visits.k_before(last)
    score = timeline.runs[0].exact_weights_at(k).score(row)
    return Look(last + 1, row, wrong, score.numerator / score.denominator, ticked)
