"""A state as the sections of the screen: numbers, which the page puts into words."""

from __future__ import annotations

from typing import Any

from novikoff.studio.charts import live_lines
from novikoff.studio.computations import Computations
from novikoff.studio.pictures import gallery_key, picture
from novikoff.studio.plane import window
from novikoff.studio.proof import is_asked
from novikoff.studio.scene import own_line, scene
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline, Update, looked_at, owners_of
from novikoff.studio.values import Section
from novikoff.studio.whole import is_projection, whole_key

LINES_AROUND = 12  # of the table, sent on either side of the present one
OF_A_RUN = ("run", "lines", "scene", "chart", "cursor", "proof", "live", "verdict", "extra", "own",
            "deciding")  # fmt: skip


def place(state: State, timeline: Timeline) -> int:
    """k, within the run."""
    if state.visit is not None:
        return timeline.k_before(min(state.visit, timeline.visits.total))
    return timeline.n_updates if state.k is None else min(state.k, timeline.n_updates)


def shown_owner(state: State, timeline: Timeline | None) -> int:
    """The class that verdict, chart and update speak of: the one whose update is on the screen."""
    if state.is_binary:
        return 1
    k = 0 if timeline is None else place(state, timeline)
    return state.focus if timeline is None or k == 0 else timeline.owner(k)


def view_of(computations: Computations, state: State, hurried: bool) -> Section:
    """All sections but the words of a lesson; see `Session.view`."""
    problem = computations.problem(state)
    sections: Section = {
        "columns": _columns(computations, state), "problem": problem,
        "needs": _needs(computations, state), **dict.fromkeys(OF_A_RUN),
    }  # fmt: skip
    if problem:
        return sections
    timeline = computations.timeline(state)
    k, owner = place(state, timeline), shown_owner(state, timeline)
    shown = computations.finding(state, owner, hurried)
    findings = {one: computations.finding(state, one, True) for one in owners_of(state)}
    findings[owner] = shown
    whole = {}
    if is_projection(state):
        whole = {one: computations.whole(state, one, now=False) for one in findings}
    overlays = computations.overlays(state)
    fewest = computations.fewest(state, owner)
    given_up = () if fewest is None else fewest.rows
    seen = scene(state, window(state), timeline, k, shown, overlays, owner, given_up)
    update = timeline.update(k) if k else None
    sandwich = computations.sandwich(state, owner, hurried)
    kc = timeline.counts(k)[timeline.owners.index(owner)]
    regression = computations.regression(state, owner)
    waits = (
        sandwich is None
        or any(found.status == "deciding" for found in (*findings.values(), *whole.values()))
        or (state.view == "gallery" and computations.known(gallery_key(state)) is None)
    )
    if not hurried:  # never while a hand moves
        asked = computations.verdict(state, owner)
        waits |= regression is None and asked is not None
        waits |= fewest is None and is_asked(state, shown)
    key = (whole_key(state), state.run_key, state.run, state.view, owner)
    live = live_lines(state, timeline, update, shown, sandwich) if update else None
    return sections | {
        "run": _run(state, timeline, k, owner, update, overlays),
        "lines": timeline.lines(k - LINES_AROUND, k + LINES_AROUND),
        "scene": seen,
        "chart": sandwich and sandwich.plot,
        "cursor": sandwich and sandwich.cursor(kc),
        "proof": sandwich and sandwich.checks(),
        "live": live,
        "own": own_line(state, shown, len(seen["wrong"])),
        "extra": picture(computations, state, timeline, k, owner, hurried),
        "verdict": {
            "owner": owner,
            "drawn": [found.to_json() for found in findings.values()],
            "whole": [found.to_json() for found in whole.values()],
            "fewest": fewest and {**vars(fewest), "rows": list(fewest.rows)},
            "regression": regression,
        },
        "deciding": str(hash(key)) if waits else None,
    }


def _run(
    state: State, timeline: Timeline, k: int, owner: int, update: Update | None,
    overlays: list[tuple[int, Timeline]],
) -> Section:  # fmt: skip
    """The facts of the run at k."""
    at = timeline.owners.index(owner)
    visit, cycle, i = None, timeline.cycle, state.selected
    if state.visit is not None:
        total = timeline.visits.total
        visit = {"at": min(state.visit, total), "total": total}
    by_mistakes = any(run.stop_reason == "max_mistakes" for run in timeline.runs)
    last: Any = [(one, other.weights(other.n_updates)[at].tolist()) for one, other in overlays]
    return {
        "k": k, "total": timeline.n_updates, "owner": owner, "visit": visit,
        "passes": timeline.n_passes, "converged": timeline.converged,
        "limit": "mistakes" if by_mistakes else "passes",
        "cycle": cycle and {"first": cycle.first, "last": cycle.last},
        "start": timeline.padded(timeline.runs[at].weights_at(0)),
        "looked": looked_at(state, timeline),
        "update": update and timeline.full(update),
        "made": 0 if i is None else sum(int(run.dual_counts[i]) for run in timeline.runs),
        "overlays": [
            {"place": one, "total": other.n_updates, "converged": other.converged, "weights": line}
            for (one, line), (_, other) in zip(last, overlays, strict=True)
        ],
    }  # fmt: skip


def _columns(computations: Computations, state: State) -> Section | None:
    """The columns that could be shown instead, where the source has more than two."""
    table = computations.columns(state)
    if table is None or (len(table.names) < 3 and not table.others):
        return None
    chosen = state.source.get("columns", [0, min(1, len(table.names) - 1)])
    return {"names": list(table.names), "chosen": chosen, "labels": list(table.others)}


def _needs(computations: Computations, state: State) -> str | None:
    """The key of the file that these rows came from, where it has to be sent again."""
    file = state.source.get("file")
    return file if state.source.get("kind") == "csv" and file not in computations.files else None
