"""What a person can do to a state: each edit is a function from a state to a new one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.conventions import whole_number
from novikoff.errors import InputError
from novikoff.studio.features import MAPS
from novikoff.studio.plane import first_ends, fit, short, snap, window
from novikoff.studio.sources import load_set, open_columns
from novikoff.studio.state import (
    LARGEST,
    MOST_OVERLAYS,
    MOST_ROWS,
    Conventions,
    State,
    as_json,
    check_points,
    read_conventions,
    with_setting,
)
from novikoff.studio.values import pair, real

ZOOM = 1.25  # the factor of one step
Counter = Callable[[State], int]  # the number of updates of a state's run

# Runs that are drawn over each other at one click.
PRESETS: dict[str, tuple[Conventions, ...]] = {
    "orders": (Conventions("cyclic"), Conventions("restart"), Conventions("shuffled")),
    "shuffles": tuple(Conventions("shuffled", None, seed) for seed in range(1, 7)),
    "starts": tuple(Conventions("cyclic", "random", seed) for seed in range(1, 7)),
    "none": (),
}


def apply(state: State, edit: Any, count: Counter) -> State:
    """The state after one edit, a JSON object whose `do` says which."""
    if not isinstance(edit, dict) or edit.get("do") not in _EDITS:
        raise InputError(f"{str(edit)[:60]!r} is not an edit that this studio knows.")
    return _EDITS[edit["do"]](state, edit, count)


def _add(state: State, edit: dict[str, Any], _count: Counter) -> State:
    if state.n_rows >= MOST_ROWS:
        raise InputError(f"the studio takes at most {MOST_ROWS} rows.")
    code = whole_number("class", edit.get("class", 1), 0, len(state.classes) - 1)
    points = np.vstack([state.points, [_point(state, {"at": _pixel(state, edit)})]])
    origin = np.append(_origin(state), -1)
    return _with_rows(state, points, np.append(state.codes, code), origin, len(points) - 1)


def _move(state: State, edit: dict[str, Any], _count: Counter) -> State:
    """A row under a hand: what was selected stays selected."""
    moved = _placed(state, _row(state, edit), _point(state, edit))
    return replace(moved, selected=state.selected)


def _nudge(state: State, edit: dict[str, Any], _count: Counter) -> State:
    i = _row(state, edit)
    steps = pair(edit.get("by"), -1000, 1000)
    x, y = (
        snap(float(old) + n * grid, grid / 10)
        for old, n, grid in zip(state.points[i], steps, window(state).grids(), strict=True)
    )
    return _placed(state, i, (x, y))


def _place(state: State, edit: dict[str, Any], _count: Counter) -> State:
    return _placed(state, _row(state, edit), (typed(edit.get("x")), typed(edit.get("y"))))


def _flip(state: State, edit: dict[str, Any], _count: Counter) -> State:
    i = _row(state, edit)
    codes = state.codes.copy()
    code = (codes[i] + 1) % len(state.classes)
    codes[i] = whole_number("class", edit.get("class", int(code)), 0, len(state.classes) - 1)
    return _changed(replace(state, codes=codes))


def _delete(state: State, edit: dict[str, Any], _count: Counter) -> State:
    i = _row(state, edit)
    left = state.n_rows - 1
    points, codes, origin = (
        np.delete(rows, i, axis=0) for rows in (state.points, state.codes, _origin(state))
    )
    return _with_rows(state, points, codes, origin, min(i, left - 1) if left else None)


def _clear(state: State, _edit: dict[str, Any], _count: Counter) -> State:
    kept = {name: getattr(state, name) for name in ("tie", "offset", "size", "feature_map", "show")}
    return State(run=_plain_order(state.run), **kept)


def _select(state: State, edit: dict[str, Any], _count: Counter) -> State:
    if "by" in edit and state.n_rows:
        by = whole_number("by", edit["by"], -MOST_ROWS, MOST_ROWS)
        at = state.selected
        first = 0 if by > 0 else state.n_rows - 1
        return replace(state, selected=first if at is None else (at + by) % state.n_rows)
    return with_setting(state, "selected", edit.get("row"))


def _step(state: State, edit: dict[str, Any], count: Counter) -> State:
    total, by = count(state), whole_number("by", edit.get("by", 1), -(10**6), 10**6)
    k = (total if state.k is None else min(state.k, total)) + by
    return _go(state, {"k": max(0, min(k, total))}, count)


def _go(state: State, edit: dict[str, Any], count: Counter) -> State:
    moved = with_setting(replace(state, visit=None), "k", edit.get("k"))
    return replace(moved, k=None) if moved.k is not None and moved.k >= count(moved) else moved


def _set(state: State, edit: dict[str, Any], _count: Counter) -> State:
    key, value = edit.get("key"), edit.get("value")
    if key in ("order", "start", "seed"):
        changed = replace(state, run=_with_convention(state, key, value))
    else:
        changed = with_setting(state, str(key), value)
    if key in ("map", "offset"):
        changed = replace(changed, run=_with_dimensions(state, changed))
    described = ("tie", "run", "offset", "numbers", "feature_map")
    if all(getattr(changed, name) == getattr(state, name) for name in described):
        return changed
    return replace(changed, source=_without_note(state))


def _with_convention(state: State, key: str, value: Any) -> Conventions:
    if key == "order" and isinstance(value, str) and "," in value:
        value = [_row_number(word) for word in value.split(",")]
    if key == "start" and isinstance(value, str) and value not in ("random",):
        value = [typed(word) for word in value.strip("() ").split(",")] if value.strip() else None
    return read_conventions({**as_json(state.run), key: value})


def _with_dimensions(before: State, after: State) -> Conventions:
    """A given start keeps its meaning when columns or the offset come or go."""
    start = after.run.start
    if not isinstance(start, tuple):
        return after.run
    old, new = (len(MAPS[s.feature_map].names) for s in (before, after))
    kept = (start[:old] + (0.0,) * new)[:new]
    last = start[old] if before.offset and len(start) > old else 0.0
    return replace(after.run, start=kept + (last,) * after.offset)


def _zoom(state: State, edit: dict[str, Any], _count: Counter) -> State:
    factor = ZOOM ** -real(edit.get("steps"), -50, 50)
    span = min(max(state.span * factor, 1e-9), 2 * LARGEST)
    factor = span / state.span
    view, at = window(state), _pixel(state, edit)
    x, y = view.left + at[0] * view.unit, view.top - at[1] * view.unit * state.stretch
    cx, cy = state.center
    center = (_within(x + (cx - x) * factor), _within(y + (cy - y) * factor))
    return replace(state, center=center, span=span)


def _pan(state: State, edit: dict[str, Any], _count: Counter) -> State:
    dx, dy = pair(edit.get("by"), -1e6, 1e6)
    unit = window(state).unit
    x, y = state.center
    center = (_within(x - dx * unit), _within(y + dy * unit * state.stretch))
    return replace(state, center=center)


def _fit(state: State, _edit: dict[str, Any], _count: Counter) -> State:
    center, span, stretch = fit(state)
    return replace(state, center=center, span=span, stretch=stretch)


def _size(state: State, edit: dict[str, Any], _count: Counter) -> State:
    return replace(state, size=pair(edit.get("size"), 16, 16_384))


def _own_line(state: State, edit: dict[str, Any], _count: Counter) -> State:
    """A person's own line: shown, hidden, or one of its handles moved."""
    if "end" not in edit:
        return replace(state, line=None if state.line else first_ends(window(state)))
    end = whole_number("end", edit["end"], 0, 1)
    x1, y1, x2, y2 = state.line or first_ends(window(state))
    x, y = map(_within, _point(state, edit))
    return replace(state, line=(x1, y1, x, y) if end else (x, y, x2, y2))


def _overlay(state: State, edit: dict[str, Any], _count: Counter) -> State:
    """Draw more runs over this one: a preset, or a copy of the present conventions."""
    preset = edit.get("preset")
    if preset in PRESETS:
        return replace(state, overlays=PRESETS[preset])
    pinned = tuple(run for run in state.overlays if run != state.run)
    return replace(state, overlays=(*pinned, state.run)[-MOST_OVERLAYS:])


def _load(state: State, edit: dict[str, Any], _count: Counter) -> State:
    name = edit.get("name")
    if not isinstance(name, str) or len(name) > 200:
        raise InputError("a built-in set has a short name, such as lecture:002.")
    return open_columns(load_set(name), edit.get("columns"), state.size)


def typed(text: Any) -> float:
    """A number that a person has typed."""
    try:
        value = float(str(text).strip().replace("−", "-"))
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:
        raise InputError(f"{str(text)[:40]!r} is not a number; write one such as -0.8.")
    return value


def _row_number(word: str) -> int:
    if not word.strip().isdecimal() or int(word) < 1:
        raise InputError(f"{word.strip()[:20]!r} is not a row number; rows count from 1.")
    return int(word) - 1


def _row(state: State, edit: dict[str, Any]) -> int:
    if not state.n_rows:
        raise InputError("there is no row yet; click into the plane to add one.")
    if edit.get("row", state.selected) is None:
        raise InputError("no row is selected; click one, or press N in the plane.")
    return whole_number("row", edit.get("row", state.selected), 0, state.n_rows - 1)


def _placed(state: State, i: int, point: tuple[float, float]) -> State:
    points = state.points.copy()
    points[i] = [_within(point[0]), _within(point[1])]
    source = {**state.source, "moved": True}
    return _changed(replace(state, points=points, selected=i, source=source))


def _origin(state: State) -> np.ndarray:
    return np.arange(state.n_rows) if state.origin is None else state.origin


def _within(value: float) -> float:
    return min(max(value, -LARGEST), LARGEST) + 0.0  # a plain zero for −0


def _changed(state: State) -> State:
    """The rows are no longer those of their source."""
    return replace(state, source={**_without_note(state), "edited": True})


def _without_note(state: State) -> dict[str, Any]:
    """The source without the set's own words, which speak of its rows and conventions."""
    return {key: value for key, value in state.source.items() if key != "note"}


def _with_rows(
    state: State, points: np.ndarray, codes: np.ndarray, origin: np.ndarray, selected: int | None
) -> State:
    """Another number of rows: a given order means nothing any more."""
    overlays = tuple(run for run in state.overlays if isinstance(run.order, str))
    kept = origin if "width" in state.source else None  # of a table with further columns
    changed = replace(state, points=points, codes=codes, selected=selected, origin=kept)
    return _changed(replace(changed, run=_plain_order(state.run), overlays=overlays))


def _plain_order(run: Conventions) -> Conventions:
    return run if isinstance(run.order, str) else replace(run, order="cyclic")


def _pixel(state: State, edit: dict[str, Any]) -> tuple[float, float]:
    """The place on the plot that an edit names, else its middle."""
    width, height = state.size
    return pair(edit.get("at", (width / 2, height / 2)), -1e6, 1e6)


def _point(state: State, edit: dict[str, Any]) -> tuple[float, float]:
    return window(state).point(*pair(edit.get("at"), -1e6, 1e6))


MOST_TURN = 360.0  # degrees
MOST_SCALE = 1e6


def _reshape(state: State, edit: dict[str, Any], count: Counter) -> State:
    """The state with all rows changed by `turn`, `scale`, `apart` or `noise`.

    Each change is a difference, so that a slider that goes back takes its change back.
    """
    if not state.n_rows:
        raise InputError("there is no row yet; click into the plane to add one.")
    points = state.points.copy()
    size = state.span / 3  # of what is seen, which these changes leave as it is
    if "turn" in edit:
        angle = math.radians(real(edit["turn"], -MOST_TURN, MOST_TURN))
        cos, sin = math.cos(angle), math.sin(angle)
        points = points @ np.array([[cos, sin], [-sin, cos]])
    elif "scale" in edit:
        points = points * real(edit["scale"], 1 / MOST_SCALE, MOST_SCALE)
    elif "apart" in edit:
        points = points + real(edit["apart"], -10.0, 10.0) * size * _away(state)
    elif "noise" in edit:
        shake = np.random.RandomState(7).standard_normal(points.shape)
        points = points + real(edit["noise"], -10.0, 10.0) * size * shake
    else:
        raise InputError("rows are changed by turn, scale, apart or noise.")
    rounded = [[short(float(v)) for v in row] for row in np.clip(points, -LARGEST, LARGEST)]
    source = {**state.source, "moved": True}
    changed = _changed(replace(state, points=check_points(np.array(rounded)), source=source))
    return _fit(changed, {}, count) if "scale" in edit else changed


def _away(state: State) -> np.ndarray:
    """For each row the unit vector away from the other class; none where there are not two."""
    if not state.is_binary or len(set(state.codes.tolist())) < 2:
        raise InputError("only two classes can be moved apart.")
    positive = state.codes == 1
    along = state.points[positive].mean(axis=0) - state.points[~positive].mean(axis=0)
    length = float(np.hypot(*along))
    if not length > 0:
        raise InputError("both classes have the same middle; move a row first.")
    return np.asarray(np.where(positive, 1.0, -1.0)[:, None] * (along / length)[None])


_EDITS: dict[str, Callable[[State, dict[str, Any], Counter], State]] = {
    "add": _add, "move": _move, "nudge": _nudge, "place": _place, "flip": _flip,
    "delete": _delete, "clear": _clear, "select": _select, "step": _step, "go": _go,
    "set": _set, "zoom": _zoom, "pan": _pan, "fit": _fit, "size": _size,
    "overlay": _overlay, "load": _load, "line": _own_line, "reshape": _reshape,
}  # fmt: skip
