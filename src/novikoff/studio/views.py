"""A state as the sections of the screen."""

from __future__ import annotations

from typing import Any, cast

from novikoff.studio import captions, card
from novikoff.studio.charts import live_lines
from novikoff.studio.computations import Computations
from novikoff.studio.fields import ColumnChoice, Lines, Scene, VectorSum, View
from novikoff.studio.own_line import own_line
from novikoff.studio.pictures.choice import gallery_key, picture
from novikoff.studio.plane import window
from novikoff.studio.proof import is_asked
from novikoff.studio.scene import scene
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline, Update, looked_at, owners_of
from novikoff.studio.whole import whole_key

LINES_AROUND = 12  # of the table, sent on either side of the present one
MOST_LINES = 200  # of the table in one answer
WITHOUT_A_RUN = ("table", "chart", "cursor", "inset", "step", "verdict", "overlays", "proof",
                 "live", "extra", "own", "deciding")  # fmt: skip
EMPTY: Scene = {"lines": [], "regions": False, "letter": "", "update": None, "proof": None,
                "others": [], "under": [], "over": [], "wrong": []}  # fmt: skip


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


def view_of(computations: Computations, state: State, hurried: bool) -> View:
    """All sections; see `Session.view`."""
    view = window(state)
    problem = computations.problem(state)
    timeline = None if problem else computations.timeline(state)
    k = 0 if timeline is None else place(state, timeline)
    owner = shown_owner(state, timeline)
    sections: dict[str, Any] = {
        "frame": {
            "window": view.to_json(),
            "axes": list(state.axes),
        },
        "controls": captions.controls(state, timeline, k, owner),
        "columns": _columns(computations, state),
        "selected": captions.selected(state, timeline),
        "problem": problem,
        "needs": _needs(computations, state),
    }
    if timeline is None:
        blank: dict[str, Any] = {"scene": EMPTY}
        return cast(View, sections | blank | dict.fromkeys(WITHOUT_A_RUN))
    shown = computations.finding_if_quick(state, owner, hurried)
    findings = {
        one: shown if one == owner else computations.finding_if_quick(state, one, True)
        for one in owners_of(state)
    }
    whole = {
        one: found for one in findings if (found := computations.whole(state, one)) is not None
    }
    overlays = computations.overlays(state)
    fewest = computations.fewest(state, owner)
    given_up = () if fewest is None else fewest.rows
    look = looked_at(state, timeline)
    entries = captions.overlay_entries(state, overlays)
    others = [(entry, other) for entry, (_, other) in zip(entries, overlays, strict=True)]
    seen = scene(state, view, timeline, k, shown, others, owner, look, given_up)
    update = timeline.update(k) if k else None
    sandwich = computations.sandwich_if_quick(state, owner, hurried)
    kc = timeline.counts(k)[timeline.owners.index(owner)]
    regression = computations.regression(state, owner)
    first = whole.get(owner)
    drawn = shown.verdict if shown is not None and state.feature_map == "none" else None
    asked = first.verdict if first is not None else drawn
    waits = (
        None in findings.values()
        or (regression is None and not hurried and asked is not None)
        or sandwich is None
        or any(found.status == "deciding" for found in whole.values())
        or (fewest is None and not hurried and is_asked(state, shown))  # never while a hand moves
        or (state.view == "gallery" and computations.known(gallery_key(state)) is None)
    )
    shown_sections: dict[str, Any] = {
        "scene": seen,
        "table": table_of(state, timeline, max(0, k - LINES_AROUND), k + LINES_AROUND),
        "chart": None if sandwich is None else sandwich.plot,
        "cursor": None if sandwich is None else sandwich.cursor(kc),
        "proof": None
        if sandwich is None
        else captions.proof_entries(sandwich.audit, state.written),
        "inset": _inset(state, timeline, update, owner),
        "step": captions.step(state, timeline, k, update, owner, look),
        "live": None
        if update is None or update.owner != owner
        else live_lines(state, timeline, update, shown, sandwich),
        "own": own_line(state, shown, len(seen["wrong"])),
        "extra": picture(computations, state, timeline, k, owner, hurried),
        "verdict": card.verdict(state, owner, findings, whole, fewest, regression),
        "overlays": entries,
        "deciding": str(hash((whole_key(state), state.run_key, state.run, state.view, owner)))
        if waits
        else None,
    }
    return cast(View, sections | shown_sections)


def table_of(state: State, timeline: Timeline, first: int, last: int) -> Lines:
    """Lines of the lecture's table."""
    first = max(0, first)
    return {
        "caption": captions.conventions_line(state),
        "header": timeline.header(state.written),
        "first": first,
        "entries": timeline.entries(first, min(last, first + MOST_LINES), state.written),
        "total": timeline.n_updates,
    }


def _inset(state: State, timeline: Timeline, update: Update | None, owner: int) -> VectorSum | None:
    """w + sign·x = w′; before the first update there is only the start."""
    if state.feature_map != "none":
        return None
    name = state.written.name
    if update is None:
        w = timeline.runs[timeline.owners.index(owner)].weights_at(0)[:2].tolist()
        return {"old": w, "new": w, "names": [name(0)]}
    sign, k = "+" if update.step.sign > 0 else "−", update.step.k
    return {
        "old": timeline.before(update)[:2].tolist(), "new": update.step.weights[:2].tolist(),
        "names": [name(k - 1), f"{sign} x{_subscript(update.step.row + 1)}", name(k)],
    }  # fmt: skip


def _columns(computations: Computations, state: State) -> ColumnChoice | None:
    """The columns that could be shown instead, where the source has more than two."""
    source = state.source
    table = computations.columns(state)
    if table is None:
        return None
    labels = list(table.others)
    if len(table.names) < 3 and not labels:
        return None
    chosen = source.get("columns", [0, min(1, len(table.names) - 1)])
    return {"names": list(table.names), "chosen": chosen, "labels": labels}


def _needs(computations: Computations, state: State) -> str | None:
    """The key of the file that these rows came from, where it has to be sent again."""
    source = state.source
    if source.get("kind") != "csv" or source.get("file") in computations.files:
        return None
    return source.get("file")


def _subscript(n: int) -> str:
    return str(n).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
