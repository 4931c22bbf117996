"""A state as the sections of the screen."""

from __future__ import annotations

from typing import Any, cast

from novikoff.studio import captions, card
from novikoff.studio.charts import vector_sum
from novikoff.studio.desk import Desk
from novikoff.studio.fewest import is_asked
from novikoff.studio.fields import ColumnChoice, Lines, Plot, View
from novikoff.studio.live import live_lines
from novikoff.studio.looks import looked_at
from novikoff.studio.own_line import own_line
from novikoff.studio.pictures.choice import gallery_key, picture
from novikoff.studio.plane import ticks, window
from novikoff.studio.scene import draw
from novikoff.studio.state import State
from novikoff.studio.story import Story, Update, owners_of
from novikoff.studio.whole import whole_key

LINES_AROUND = 12  # of the table, sent on either side of the present one
MOST_LINES = 200  # of the table in one answer
WITHOUT_A_RUN = ("table", "chart", "cursor", "inset", "step", "verdict", "overlays", "proof",
                 "live", "extra", "own", "deciding")  # fmt: skip


def place(state: State, story: Story) -> int:
    """k, within the run."""
    if state.visit is not None:
        return story.k_before(min(state.visit, story.visits.total))
    return story.n_updates if state.k is None else min(state.k, story.n_updates)


def shown_owner(state: State, story: Story | None) -> int:
    """The class that verdict, chart and update speak of: the one whose update is on the screen."""
    if state.is_binary:
        return 1
    k = 0 if story is None else place(state, story)
    return state.focus if story is None or k == 0 else story.owner(k)


def view_of(desk: Desk, state: State, hurried: bool) -> View:
    """All sections; see `Session.view`."""
    view = window(state)
    problem = desk.problem(state)
    story = None if problem else desk.story(state)
    k = 0 if story is None else place(state, story)
    owner = shown_owner(state, story)
    sections: dict[str, Any] = {
        "frame": {
            "window": view.to_json(),
            "ticks": {
                "x": ticks(view.left, view.right, view.width),
                "y": ticks(view.bottom, view.top, view.height),
            },
            "axes": list(state.axes),
            "nudge": captions.grid_names(view),
        },
        "controls": captions.controls(state, story, k, owner),
        "columns": _columns(desk, state),
        "selected": captions.selected(state, story),
        "problem": problem,
        "needs": _needs(desk, state),
    }
    if story is None:
        blank: dict[str, Any] = {"scene": {"under": [], "over": [], "wrong": []}}
        return cast(View, sections | blank | dict.fromkeys(WITHOUT_A_RUN))
    shown = desk.finding_if_quick(state, owner, hurried)
    findings = {
        one: shown if one == owner else desk.finding_if_quick(state, one, True)
        for one in owners_of(state)
    }
    whole = {one: found for one in findings if (found := desk.whole(state, one)) is not None}
    overlays = [(place, desk.story(state, run)) for place, run in enumerate(state.overlays)]
    fewest = desk.fewest(state, owner)
    given_up = () if fewest is None else fewest.rows
    look = looked_at(state, story)
    scene = draw(state, view, story, k, shown, overlays, owner, look, given_up)
    update = story.update(k) if k else None
    sandwich = desk.sandwich_if_quick(state, owner, hurried)
    kc = story.counts(k)[story.owners.index(owner)]
    regression = desk.regression(state, owner)
    first = whole.get(owner)
    drawn = shown.verdict if shown is not None and state.feature_map == "none" else None
    asked = first.verdict if first is not None else drawn
    waits = (
        None in findings.values()
        or (regression is None and not hurried and asked is not None)
        or sandwich is None
        or any(found.status == "deciding" for found in whole.values())
        or (fewest is None and not hurried and is_asked(state, shown))  # never while a hand moves
        or (state.view == "gallery" and desk.known(gallery_key(state)) is None)
    )
    shown_sections: dict[str, Any] = {
        "scene": scene._asdict(),
        "table": table_of(state, story, max(0, k - LINES_AROUND), k + LINES_AROUND),
        "chart": None if sandwich is None else sandwich.plot,
        "cursor": None if sandwich is None else sandwich.cursor(kc),
        "proof": None
        if sandwich is None
        else captions.proof_entries(sandwich.audit, state.written),
        "inset": _inset(state, story, update, owner),
        "step": captions.step(state, story, k, update, owner, look),
        "live": None
        if update is None or update.owner != owner
        else live_lines(state, story, update, shown, sandwich),
        "own": own_line(state, view, shown, len(scene.wrong)),
        "extra": picture(desk, state, story, k, owner, hurried),
        "verdict": card.verdict(state, owner, findings, whole, fewest, regression),
        "overlays": captions.overlay_entries(state, overlays),
        "deciding": str(hash((whole_key(state), state.run_key, state.run, state.view, owner)))
        if waits
        else None,
    }
    return cast(View, sections | shown_sections)


def table_of(state: State, story: Story, first: int, last: int) -> Lines:
    """Lines of the lecture's table."""
    first = max(0, first)
    return {
        "caption": captions.conventions_line(state),
        "header": story.header(state.written),
        "first": first,
        "entries": story.entries(first, min(last, first + MOST_LINES), state.written),
        "total": story.n_updates,
    }


def _inset(state: State, story: Story, update: Update | None, owner: int) -> Plot | None:
    if state.feature_map != "none":
        return None
    if update is None:
        start = story.runs[story.owners.index(owner)].weights_at(0)
        return vector_sum(None, start, "", state.written)
    name = f"x{_subscript(update.step.row + 1)}"
    return vector_sum(update, story.before(update), name, state.written)


def _columns(desk: Desk, state: State) -> ColumnChoice | None:
    """The columns that could be shown instead, where the source has more than two."""
    source = state.source
    table = desk.columns(state)
    if table is None:
        return None
    labels = list(table.others)
    if len(table.names) < 3 and not labels:
        return None
    chosen = source.get("columns", [0, min(1, len(table.names) - 1)])
    return {"names": list(table.names), "chosen": chosen, "labels": labels}


def _needs(desk: Desk, state: State) -> str | None:
    """The key of the file that these rows came from, where it has to be sent again."""
    source = state.source
    if source.get("kind") != "csv" or source.get("file") in desk.files:
        return None
    return source.get("file")


def _subscript(n: int) -> str:
    return str(n).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
