"""The sentences and tables beside the picture, from the same numbers that it is drawn with."""

from __future__ import annotations

import re

import numpy as np

from novikoff.runs.audit import Audit
from novikoff.studio.features import MAPS
from novikoff.studio.notation import Notation
from novikoff.studio.state import Conventions, State
from novikoff.studio.timeline import Look, Timeline, Update
from novikoff.studio.values import Section
from novikoff.wording import count, number, vector

AS_SET = ("tie", "seed", "offset", "map", "notation", "numbers", "passes", "limit", "show")


def controls(state: State, timeline: Timeline | None, k: int, owner: int) -> Section:
    """The present choices, the length of the slider and what it says."""
    total = timeline.n_updates if timeline else 0
    slider, spoken = f"k = {k:,} of {total:,}", f"mistake {k:,} of {total:,}"
    spoken = spoken if k else f"start, before {count(total, 'mistake', ',')}"
    visit: Section | None = None
    if timeline is not None and state.visit is not None:
        visit = {"at": min(state.visit, timeline.visits.total), "total": timeline.visits.total}
        slider = spoken = f"visit {visit['at']:,} of {visit['total']:,}, k = {k:,}"
    order, start = state.run.order, state.run.start
    settings = state.settings()
    return {
        **{key: settings[key] for key in AS_SET},
        "classes": [_class_name(state, code) for code in range(len(state.classes))],
        "binary": state.is_binary,
        "title": _title(state),
        "note": _note(state),
        "order": order if isinstance(order, str) else "given",
        "order_text": order if isinstance(order, str) else ", ".join(str(i + 1) for i in order),
        "start": "zeros" if start is None else "random" if start == "random" else "given",
        "start_text": ", ".join(map(number, start)) if isinstance(start, tuple) else "",
        "seeded": order == "shuffled" or start == "random",
        "focus": owner,
        "k": k,
        "total": total,
        "visit": visit,
        "slider": slider,
        "slider_value": spoken,
    }


def _class_name(state: State, code: int) -> str:
    label = state.classes[code]
    if not state.is_binary:
        return label
    sign = "+" if code == 1 else "−"
    return sign if label in ("1", "-1", "+1") else f"{sign} {label}"


def _note(state: State) -> str:
    """What is known of these very rows: the set's own words as long as they are true, what is
    drawn of how many columns, what was made of a file, and that a right angle may not look so."""
    source = state.source
    notes = [source.get("note", ""), source.get("drawn", ""), *source.get("notes", ())]
    if source.get("rounded"):
        notes.append(
            "some numbers have more digits than a float64 keeps: drawn and run are the nearest "
            "ones, decided are those of the file"
        )
    if state.stretch != 1.0:
        notes.append("the axes have different scales")
    return " ".join(f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in notes if text)


def _title(state: State) -> str:
    kind, name = state.source.get("kind"), state.source.get("name", "")
    if kind == "own" and not name:
        return "Your own rows"
    return f"{name}{', edited' if state.source.get('edited') else ''}"


def outcome(timeline: Timeline) -> str:
    """How the run ended."""
    mistakes = count(timeline.n_updates, "mistake", ",")
    passes = count(timeline.n_passes, "pass", ",")
    if timeline.converged:
        return f"Converged: {mistakes} in {passes}, the last one clean."
    if timeline.cycle is not None:
        return f"Not converged: {timeline.cycle.sentence}"
    limit = "mistakes" if "max_mistakes" in {r.stop_reason for r in timeline.runs} else "passes"
    return f"Not converged: {mistakes} in {passes}, stopped by the limit on {limit}."


def step(
    state: State, timeline: Timeline, k: int, update: Update | None, owner: int, look: Look | None
) -> Section:
    """The update in words and as a sum; of several classes, `owner` is the one that is shown."""
    ended = {"sum": [], "symbol": "", "outcome": outcome(timeline)}
    if look is not None and not look.is_mistake:
        return ended | _right_row(state, timeline, look)
    of_class = "" if state.is_binary else f" for class {state.classes[owner]}"
    written = state.written
    if update is None:
        run = timeline.runs[timeline.owners.index(owner)]
        start = written.vector(run.weights_at(0), run.fit_intercept)
        name = written.weights if written.first == 0 else written.name(0)
        text = f"The run{of_class} starts at {name} = {start}. Press play, or the key →."
        if timeline.n_updates == 0:
            text = "The start already classifies every row." if timeline.converged else ""
        title = f"Before the first mistake{of_class and ' of any class'}"
        is_last = timeline.n_updates == 0
        return ended | {"title": title, "text": text, "symbol": name, "last": is_last}
    row, sign, score = update.step.row, update.step.sign, update.step.score
    plus = "+" if sign > 0 else "−"
    tie = "a tie" if score == 0 else number(score)
    needed = (">= 0" if state.tie == "positive" else "> 0") if sign > 0 else "< 0"
    run = timeline.runs[timeline.owners.index(update.owner)]
    features = np.append(run.table.dense_rows([row])[0], [1.0] if run.fit_intercept else [])
    before, after = (
        written.vector(w, run.fit_intercept) for w in (timeline.before(update), update.step.weights)
    )
    counted = "" if state.is_binary else f" It is mistake {update.step.k:,} of this class."
    return ended | {
        "title": f"Mistake {k:,}: row {row + 1}{of_class}",
        "text": f"Its sign is {plus}, so its score should be {needed}. It was {tie}, "
        f"and is {number(timeline.score_after(update))} now.{counted}",
        "symbol": written.weights if written.first == 0 else written.name(update.step.k),
        "sum": [before, plus, written.vector(features, run.fit_intercept), "=", after],
        "last": k == timeline.n_updates,
    }


def _right_row(state: State, timeline: Timeline, look: Look) -> Section:
    """A visit without an update."""
    text = f"For all {len(state.classes)} classes its score has the right sign: no update."
    if look.score is not None:
        sign = state.sign(look.row)
        text = f"Its sign is {sign}, and its score is {number(look.score)}: no update."
    title = f"Visit {look.visit:,}: row {look.row + 1} is right"
    return {"title": title, "text": text, "last": look.visit == timeline.visits.total}


def conventions_line(state: State) -> str:
    order = state.run.order if isinstance(state.run.order, str) else "given"
    offset = state.written.offset_words(state.offset)
    weights = f"weights of {', '.join(MAPS[state.feature_map].names)}"
    if state.feature_map == "none":
        weights = f"weights of {state.axes[0]}, {state.axes[1]}"
    if state.source.get("width", 2) > 2:
        weights += " (the run is on what is drawn)"
    return f"Tie {state.tie}, order {order}; {weights}; {offset}."


def selected(state: State, timeline: Timeline | None) -> Section | None:
    """The row under the keyboard."""
    i = state.selected
    if i is None or i >= state.n_rows:
        return None
    x, y = state.points[i].tolist()
    code = int(state.codes[i])
    spoken = f"class {state.classes[code]}"
    if state.is_binary:
        spoken = "positive" if code == 1 else "negative"
    text, made = f"Row {i + 1} of {state.n_rows}: ({number(x)}, {number(y)}), {spoken}", ""
    if timeline is not None:
        made = count(sum(int(run.dual_counts[i]) for run in timeline.runs), "mistake", ",")
        text += f", {made} in the run"
    return {
        "row": i, "number": i + 1, "x": repr(x).removesuffix(".0"), "class": code,
        "y": repr(y).removesuffix(".0"), "text": text, "made": made,
    }  # fmt: skip


def overlay_entries(state: State, overlays: list[tuple[int, Timeline]]) -> list[Section]:
    """One line of legend per run drawn over this one."""
    entries: list[Section] = []
    for place, timeline in overlays:
        run = timeline.runs[0]
        last = state.written.vector(run.weights_at(run.n_mistakes), run.fit_intercept)
        ended = "" if timeline.converged else ", not converged"
        entries.append({
            "place": place, "name": overlay_name(state.overlays[place]),
            "text": count(timeline.n_updates, "mistake", ",") + ended,
            "weights": "" if len(timeline.runs) > 1 else last,
        })  # fmt: skip
    return entries


def overlay_name(run: Conventions) -> str:
    order = run.order if isinstance(run.order, str) else "given order"
    if order == "shuffled":
        order += f" {run.seed}"
    if run.start is None:
        return order
    given = run.start if isinstance(run.start, tuple) else ()
    start = f"start {vector(given)}" if given else f"random start {run.seed}"
    return start if run.order == "cyclic" else f"{order}, {start}"


def proof_entries(audit: Audit, written: Notation) -> list[Section]:
    """The theorem's inequalities along the run, and whether each holds."""
    words = {True: "holds", False: "fails", None: "not checked"}
    entries: list[Section] = []
    for check in audit.checks:
        first = check.first_failure
        text = words[check.holds] + ("" if first is None else f", first at k = {first}")
        formula = _letters(check.formula, written).replace("<=", "≤")
        entries.append({"formula": formula, "text": text, "holds": check.holds, "note": check.note})
    return entries


def _letters(formula: str, written: Notation) -> str:
    """A formula of the audit in the letters of the notation."""
    start = "w0" if written.first == 0 and written.weights == "w" else written.name(0)
    letters = {"w0": start, "w": written.weights, "v": written.best, "γ": written.margin}
    return re.sub(r"w0|[wvγ]", lambda found: letters[found[0]], formula)
