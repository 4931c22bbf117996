"""A state as the sections of the screen."""

from __future__ import annotations

from novikoff.studio import captions, card
from novikoff.studio.charts import live_lines
from novikoff.studio.computations import Computations
from novikoff.studio.own_line import own_line
from novikoff.studio.pictures.choice import gallery_key, picture
from novikoff.studio.plane import window
from novikoff.studio.proof import is_asked
from novikoff.studio.scene import scene
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline, Update, looked_at, owners_of
from novikoff.studio.values import Section
from novikoff.studio.whole import is_projection, whole_key

LINES_AROUND = 12  # of the table, sent on either side of the present one
MOST_LINES = 200  # of the table in one answer
WITHOUT_A_RUN = ("table", "chart", "cursor", "inset", "step", "verdict", "overlays", "proof",
                 "live", "extra", "own", "deciding")  # fmt: skip
EMPTY: Section = {"lines": [], "regions": False, "letter": "", "update": None, "proof": None,
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


def view_of(computations: Computations, state: State, hurried: bool) -> Section:
    """All sections; see `Session.view`."""
    view = window(state)
    problem = computations.problem(state)
    timeline = None if problem else computations.timeline(state)
    k = 0 if timeline is None else place(state, timeline)
    owner = shown_owner(state, timeline)
    sections: Section = {
        "frame": {"window": view.to_json(), "axes": list(state.axes)},
        "controls": captions.controls(state, timeline, k, owner),
        "columns": _columns(computations, state),
        "selected": captions.selected(state, timeline),
        "problem": problem,
        "needs": _needs(computations, state),
    }
    if timeline is None:
        return sections | {"scene": EMPTY} | dict.fromkeys(WITHOUT_A_RUN)
    findings = {owner: computations.finding(state, owner, hurried)}
    shown = findings[owner]
    findings = {one: computations.finding(state, one, True) for one in owners_of(state)} | findings
    whole = (
        {one: computations.whole(state, one, now=False) for one in findings}
        if is_projection(state)
        else {}
    )
    overlays = computations.overlays(state)
    fewest = computations.fewest(state, owner)
    look = looked_at(state, timeline)
    entries = captions.overlay_entries(state, overlays)
    others = [(entry, other) for entry, (_, other) in zip(entries, overlays, strict=True)]
    given_up = () if fewest is None else fewest.rows
    seen = scene(state, view, timeline, k, shown, others, owner, look, given_up)
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
        waits |= (regression is None and asked is not None) or (
            fewest is None and is_asked(state, shown)
        )
    key = (whole_key(state), state.run_key, state.run, state.view, owner)
    return sections | {
        "scene": seen,
        "table": table_of(state, timeline, max(0, k - LINES_AROUND), k + LINES_AROUND),
        "chart": sandwich and sandwich.plot,
        "cursor": sandwich and sandwich.cursor(kc),
        "proof": sandwich and captions.proof_entries(sandwich.audit, state.written),
        "inset": _inset(state, timeline, update, owner),
        "step": captions.step(state, timeline, k, update, owner, look),
        "live": None
        if update is None or update.owner != owner
        else live_lines(state, timeline, update, shown, sandwich),
        "own": own_line(state, shown, len(seen["wrong"])),
        "extra": picture(computations, state, timeline, k, owner, hurried),
        "verdict": card.verdict(state, owner, findings, whole, fewest, regression),
        "overlays": entries,
        "deciding": str(hash(key)) if waits else None,
    }


def table_of(state: State, timeline: Timeline, first: int, last: int) -> Section:
    """Lines of the lecture's table."""
    first = max(0, first)
    return {
        "caption": captions.conventions_line(state),
        "header": timeline.header(state.written),
        "first": first,
        "entries": timeline.entries(first, min(last, first + MOST_LINES), state.written),
        "total": timeline.n_updates,
    }


def _inset(state: State, timeline: Timeline, update: Update | None, owner: int) -> Section | None:
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


def _columns(computations: Computations, state: State) -> Section | None:
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
