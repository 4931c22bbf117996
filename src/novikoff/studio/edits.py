"""What a person can do to a state: each edit is a JSON object whose `do` says which."""

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
Edit = dict[str, Any]
Counter = Callable[[State], int]  # the number of updates of a state's run

# Runs that are drawn over each other at one click.
PRESETS: dict[str, tuple[Conventions, ...]] = {
    "orders": (Conventions("cyclic"), Conventions("restart"), Conventions("shuffled")),
    "shuffles": tuple(Conventions("shuffled", None, seed) for seed in range(1, 7)),
    "starts": tuple(Conventions("cyclic", "random", seed) for seed in range(1, 7)),
    "none": (),
}


def apply(state: State, edit: Any, count: Counter) -> State:
    """The state after one edit."""
    do = edit.get("do") if isinstance(edit, dict) else None
    if do in _OF_A_ROW:
        return _row_edited(state, edit)
    match do:
        case "add":
            return _added(state, edit)
        case "clear":
            names = ("tie", "offset", "size", "feature_map", "show")
            kept: Edit = {name: getattr(state, name) for name in names}
            return State(run=_plain_order(state.run), **kept)
        case "select":
            return _selected(state, edit)
        case "step":
            total, by = count(state), whole_number("by", edit.get("by", 1), -(10**6), 10**6)
            k = (total if state.k is None else min(state.k, total)) + by
            return _at(state, max(0, min(k, total)), count)
        case "go":
            return _at(state, edit.get("k"), count)
        case "set":
            return _set(state, edit.get("key"), edit.get("value"))
        case "zoom" | "pan":
            return _zoomed(state, edit) if do == "zoom" else _panned(state, edit)
        case "fit":
            return _fitted(state)
        case "size":
            return replace(state, size=pair(edit.get("size"), 16, 16_384))
        case "line":
            return _with_line(state, edit)
        case "overlay":
            if edit.get("preset") in PRESETS:
                return replace(state, overlays=PRESETS[edit["preset"]])
            pinned = tuple(run for run in state.overlays if run != state.run)
            return replace(state, overlays=(*pinned, state.run)[-MOST_OVERLAYS:])
        case "load":
            name = edit.get("name")
            if not isinstance(name, str) or len(name) > 200:
                raise InputError("a built-in set has a short name, such as lecture:002.")
            return open_columns(load_set(name), edit.get("columns"), state.size)
        case "reshape":
            return _reshaped(state, edit)
    raise InputError(f"{str(edit)[:60]!r} is not an edit that this studio knows.")


# Rows


_OF_A_ROW = ("move", "nudge", "place", "flip", "delete")


def _row_edited(state: State, edit: Edit) -> State:
    """One row moved by hand, by keys or by typed numbers, flipped or deleted."""
    if not state.n_rows:
        raise InputError("there is no row yet; click into the plane to add one.")
    if edit.get("row", state.selected) is None:
        raise InputError("no row is selected; click one, or press N in the plane.")
    i = whole_number("row", edit.get("row", state.selected), 0, state.n_rows - 1)
    if edit["do"] == "move":  # what was selected stays selected
        return replace(_placed(state, i, _point(state, edit)), selected=state.selected)
    if edit["do"] == "place":
        return _placed(state, i, (typed(edit.get("x")), typed(edit.get("y"))))
    if edit["do"] == "nudge":
        steps, grids = pair(edit.get("by"), -1000, 1000), window(state).grids()
        moved = zip(state.points[i].tolist(), steps, grids, strict=True)
        x, y = (snap(old + n * grid, grid / 10) for old, n, grid in moved)
        return _placed(state, i, (x, y))
    if edit["do"] == "flip":
        codes = state.codes.copy()
        code = edit.get("class", int(codes[i] + 1) % len(state.classes))
        codes[i] = whole_number("class", code, 0, len(state.classes) - 1)
        return _changed(replace(state, codes=codes))
    points, codes, origin = (
        np.delete(one, i, axis=0) for one in (state.points, state.codes, _origin(state))
    )
    selected = min(i, len(codes) - 1) if len(codes) else None
    return _with_rows(state, points, codes, origin, selected)


def _added(state: State, edit: Edit) -> State:
    if state.n_rows >= MOST_ROWS:
        raise InputError(f"the studio takes at most {MOST_ROWS} rows.")
    code = whole_number("class", edit.get("class", 1), 0, len(state.classes) - 1)
    points = np.vstack([state.points, [_point(state, {"at": _pixel(state, edit)})]])
    codes, origin = np.append(state.codes, code), np.append(_origin(state), -1)
    return _with_rows(state, points, codes, origin, selected=len(points) - 1)


def _selected(state: State, edit: Edit) -> State:
    if "by" not in edit or not state.n_rows:
        return with_setting(state, "selected", edit.get("row"))
    by = whole_number("by", edit["by"], -MOST_ROWS, MOST_ROWS)
    if state.selected is None:
        return replace(state, selected=0 if by > 0 else state.n_rows - 1)
    return replace(state, selected=(state.selected + by) % state.n_rows)


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


def _without_note(state: State) -> Edit:
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


def typed(text: Any) -> float:
    """A number that a person has typed."""
    try:
        value = float(str(text).strip().replace("−", "-"))
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:
        raise InputError(f"{str(text)[:40]!r} is not a number; write one such as -0.8.")
    return value


# The run


def _at(state: State, k: Any, count: Counter) -> State:
    moved = with_setting(replace(state, visit=None), "k", k)
    return replace(moved, k=None) if moved.k is not None and moved.k >= count(moved) else moved


def _set(state: State, key: Any, value: Any) -> State:
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
        value = [_row_number(word.strip()) for word in value.split(",")]
    if key == "start" and isinstance(value, str) and value != "random":
        value = [typed(word) for word in value.strip("() ").split(",")] if value.strip() else None
    return read_conventions({**as_json(state.run), key: value})


def _row_number(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise InputError(f"{word[:20]!r} is not a row number; rows count from 1.")
    return int(word) - 1


def _with_dimensions(before: State, after: State) -> Conventions:
    """A given start keeps its meaning when columns or the offset come or go."""
    start = after.run.start
    if not isinstance(start, tuple):
        return after.run
    old, new = (len(MAPS[s.feature_map].names) for s in (before, after))
    kept = (start[:old] + (0.0,) * new)[:new]
    last = start[old] if before.offset and len(start) > old else 0.0
    return replace(after.run, start=kept + (last,) * after.offset)


# The plane


def _pixel(state: State, edit: Edit) -> tuple[float, float]:
    """The place on the plot that an edit names, else its middle."""
    width, height = state.size
    return pair(edit.get("at", (width / 2, height / 2)), -1e6, 1e6)


def _point(state: State, edit: Edit) -> tuple[float, float]:
    return window(state).point(*pair(edit.get("at"), -1e6, 1e6))


def _zoomed(state: State, edit: Edit) -> State:
    factor = ZOOM ** -real(edit.get("steps"), -50, 50)
    span = min(max(state.span * factor, 1e-9), 2 * LARGEST)
    factor = span / state.span
    view, at = window(state), _pixel(state, edit)
    x, y = view.left + at[0] * view.unit, view.top - at[1] * view.unit * state.stretch
    cx, cy = state.center
    center = (_within(x + (cx - x) * factor), _within(y + (cy - y) * factor))
    return replace(state, center=center, span=span)


def _panned(state: State, edit: Edit) -> State:
    (dx, dy), (x, y) = pair(edit.get("by"), -1e6, 1e6), state.center
    unit = window(state).unit
    center = (_within(x - dx * unit), _within(y + dy * unit * state.stretch))
    return replace(state, center=center)


def _fitted(state: State) -> State:
    center, span, stretch = fit(state)
    return replace(state, center=center, span=span, stretch=stretch)


def _with_line(state: State, edit: Edit) -> State:
    """A person's own line: shown, hidden, or one of its handles moved."""
    if "end" not in edit:
        return replace(state, line=None if state.line else first_ends(window(state)))
    end = whole_number("end", edit["end"], 0, 1)
    x1, y1, x2, y2 = state.line or first_ends(window(state))
    x, y = map(_within, _point(state, edit))
    return replace(state, line=(x1, y1, x, y) if end else (x, y, x2, y2))


MOST_TURN = 360.0  # degrees
MOST_SCALE = 1e6


def _reshaped(state: State, edit: Edit) -> State:
    """The state with all rows changed by `turn`, `scale`, `apart` or `noise`.

    Each change is a difference, so that a slider that goes back takes its change back.
    """
    if not state.n_rows:
        raise InputError("there is no row yet; click into the plane to add one.")
    points = state.points
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
    return _fitted(changed) if "scale" in edit else changed


def _away(state: State) -> np.ndarray:
    """For each row the unit vector away from the other class; none where there are not two."""
    if not state.is_binary or len(set(state.codes.tolist())) < 2:
        raise InputError("only two classes can be moved apart.")
    positive = state.codes == 1
    along = state.points[positive].mean(axis=0) - state.points[~positive].mean(axis=0)
    length = float(np.hypot(*along))
    if not length > 0:
        raise InputError("both classes have the same middle; move a row first.")
    return np.asarray(state.signs[:, None] * (along / length)[None])
