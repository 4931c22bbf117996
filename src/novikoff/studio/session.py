"""From a state to everything on the screen, and from a message to its reply.

`Session` holds the newest state, and caches; its views depend on the state alone. It knows
nothing of sockets or notebooks: `handle` takes and gives JSON objects.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from novikoff.errors import InputError, NovikoffError
from novikoff.studio import reading
from novikoff.studio.charts import Sandwich, vector_sum
from novikoff.studio.code import as_csv, as_python, proof_csv
from novikoff.studio.edits import apply
from novikoff.studio.plane import ticks, window
from novikoff.studio.proof import Finding, find
from novikoff.studio.scene import draw
from novikoff.studio.share import decode, encode
from novikoff.studio.sources import Columns, load_set, open_columns
from novikoff.studio.state import Conventions, State, read_state
from novikoff.studio.story import Story, owners_of

LINES_AROUND = 12  # of the table, sent on either side of the present one
MOST_LINES = 200  # of the table in one answer
MOST_EDITS = 2000  # in one message
KEPT = 48  # runs and verdicts

T = TypeVar("T")


class Session:
    """One person at one screen."""

    def __init__(self, state: State | None = None, given: Columns | None = None) -> None:
        self.given = given
        self.state = state or open_columns(given or load_set("lecture:002"))
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._sent: dict[str, str] = {}
        self._sent_rows: State | None = None

    # What the views are made of, each computed once for as long as it is near.

    def _once(self, key: Any, make: Callable[[], T]) -> T:
        if key not in self._kept:
            self._kept[key] = make()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]  # type: ignore[no-any-return]

    def story(self, state: State, run: Conventions | None = None) -> Story:
        """The run of a state, by its own conventions or by others."""
        chosen = run or state.run
        return self._once((state.run_key, chosen), lambda: Story(state, chosen))

    def finding(self, state: State, owner: int) -> Finding:
        """The verdict on one class against the rest."""
        key = ("verdict", state.rows_key, state.offset, state.feature_map, owner)
        return self._once(key, lambda: find(state, owner))

    def sandwich(self, state: State) -> Sandwich:
        story = self.story(state)
        owner = 1 if state.is_binary else state.focus
        finding = self.finding(state, owner)
        run = story.runs[story.owners.index(owner)]
        key = ("audit", state.run_key, state.run, owner)
        return self._once(
            key, lambda: Sandwich(run.audit(separator=finding.separator, search=False))
        )

    def count(self, state: State) -> int:
        """The updates of the state's run; none where it cannot run."""
        return 0 if self.problem(state) else self.story(state).n_updates

    def problem(self, state: State) -> str:
        """Why there is no run, in a sentence; empty where there is one."""
        if not state.n_rows:
            return "There are no rows. Click into the plane to add one, or choose a set."
        present = set(state.codes.tolist())
        if len(present) < len(state.classes) and (state.is_binary or len(present) < 2):
            missing = next(c for c in range(len(state.classes)) if c not in present)
            name = "positive" if missing == 1 else "negative"
            what = f"a {name} row" if state.is_binary else "a second class"
            return f"Every row has the same sign; add {what}."
        if len(present) < len(state.classes):
            missing = next(c for c in range(len(state.classes)) if c not in present)
            return f"Class {state.classes[missing]} has no row; add one."
        try:
            self.story(state)
        except NovikoffError as error:
            return str(error)
        return ""

    # Views.

    def view(self, state: State) -> dict[str, Any]:
        """All sections of the screen but the rows themselves."""
        view = window(state)
        problem = self.problem(state)
        story = None if problem else self.story(state)
        k = 0 if story is None else story.n_updates if state.k is None else min(
            state.k, story.n_updates
        )  # fmt: skip
        sections: dict[str, Any] = {
            "frame": {
                "window": view.to_json(),
                "ticks": {
                    "x": ticks(view.left, view.right, view.width),
                    "y": ticks(view.bottom, view.top, view.height),
                },
                "axes": list(state.axes),
                "nudge": reading.grid_names(view),
            },
            "controls": reading.controls(state, story, k),
            "columns": self._columns(state),
            "selected": reading.selected(state, story),
            "problem": problem,
        }
        if story is None:
            blank: dict[str, Any] = {"scene": {"under": [], "over": [], "wrong": []}}
            empty = ("table", "chart", "cursor", "inset", "step", "verdict", "overlays", "proof")
            return sections | blank | dict.fromkeys(empty)
        findings = [self.finding(state, owner) for owner in owners_of(state)]
        shown = findings[0] if state.is_binary else findings[state.focus]
        overlays = [(place, self.story(state, run)) for place, run in enumerate(state.overlays)]
        scene = draw(state, view, story, k, shown, overlays)
        update = story.update(k) if k else None
        sandwich = self.sandwich(state)
        kc = story.counts(k)[story.owners.index(shown.owner)]
        return sections | {
            "scene": scene._asdict(),
            "table": self._table(state, story, max(0, k - LINES_AROUND), k + LINES_AROUND),
            "chart": sandwich.plot,
            "cursor": sandwich.cursor(kc),
            "proof": reading.proof_lines(sandwich.audit),
            "inset": self._inset(state, story, update),
            "step": reading.step(state, story, k, update),
            "verdict": reading.verdict(state, findings, shown),
            "overlays": reading.overlay_lines(state, overlays),
        }

    def _table(self, state: State, story: Story, first: int, last: int) -> dict[str, Any]:
        first = max(0, first)
        return {
            "caption": reading.conventions_line(state),
            "header": story.header(),
            "first": first,
            "lines": story.lines(first, min(last, first + MOST_LINES)),
            "total": story.n_updates,
        }

    def _inset(self, state: State, story: Story, update: Any) -> dict[str, Any] | None:
        if update is None or state.feature_map != "none":
            return None
        name = f"x{_subscript(update.step.row + 1)}"
        return vector_sum(update, story.before(update), name)

    def _columns(self, state: State) -> dict[str, Any] | None:
        """The columns that could be shown instead, where the source has more than two."""
        source = state.source
        if source.get("kind") == "set":
            names = self._once(("names", source["name"]), lambda: load_set(source["name"]).names)
        elif source.get("kind") == "given" and self.given is not None:
            names = self._given(source.get("label")).names
        else:
            names = tuple(source.get("names", ()))
        labels = source.get("labels", [])
        if source.get("kind") == "given" and self.given is not None and self.given.reread:
            labels = list(self.given.others)
        if len(names) < 3 and not labels:
            return None
        chosen = source.get("columns", [0, min(1, len(names) - 1)])
        return {"names": list(names), "chosen": chosen, "labels": labels}

    def _given(self, label: Any) -> Columns:
        """The table that the studio was started with, by one of its columns as the label."""
        given = self.given
        if given is None:
            raise InputError("this studio was started without data of its own.")
        if given.reread is None or label == given.source["label"] or label not in given.others:
            return given
        reread = given.reread
        return self._once(("given", label), lambda: reread(label))

    # Messages.

    def handle(self, message: Any) -> dict[str, Any]:
        """The reply to one message; an error is a sentence in it, and changes nothing."""
        if not isinstance(message, dict):
            return {"error": "a message must be a JSON object."}
        reply: dict[str, Any] = {"id": message.get("id")}
        try:
            if "ask" in message:
                return reply | {"answer": self._answer(message)}
            if message.get("hello"):
                self._sent, self._sent_rows = {}, None
                reply["menu"] = reading.menu()
            if "state" in message:
                self.state = read_state(message["state"])
            if "open" in message:
                self.state = decode(message["open"], self.state.size)
        except NovikoffError as error:
            reply["error"] = str(error)
        edits = message.get("edits", [])
        if not isinstance(edits, list) or len(edits) > MOST_EDITS:
            return reply | {"error": f"a message has at most {MOST_EDITS} edits."}
        for edit in edits:
            try:
                self.state = self._apply(edit)
            except NovikoffError as error:
                reply["error"] = str(error)
        return reply | self.news()

    def _apply(self, edit: Any) -> State:
        if isinstance(edit, dict) and edit.get("do") == "given":
            return open_columns(
                self._given(edit.get("label")), edit.get("columns"), self.state.size
            )
        return apply(self.state, edit, self.count)

    def news(self) -> dict[str, Any]:
        """What the screen does not show yet: sections that changed, rows that changed."""
        state = self.state
        view = self.view(state)
        changed = {}
        for name, section in view.items():
            text = json.dumps(section)
            if self._sent.get(name) != text:
                self._sent[name] = text
                changed[name] = section
        news: dict[str, Any] = {"view": changed, **self._row_news(state)}
        news["state"] = {key: v for key, v in _settings(state).items() if key != "rows"}
        self._sent_rows = state
        return news

    def _row_news(self, state: State) -> dict[str, Any]:
        """All rows, or the few that changed."""
        old = self._sent_rows
        if old is None or old.n_rows != state.n_rows:
            return {"rows": state.rows_json()}
        differ = (old.points != state.points).any(axis=1) | (old.codes != state.codes)
        places = np.flatnonzero(differ)
        if len(places) > max(8, state.n_rows // 4):
            return {"rows": state.rows_json()}
        return {"changes": [[int(i), *state.points[i].tolist(), int(state.codes[i])]
                            for i in places]}  # fmt: skip

    def _answer(self, message: dict[str, Any]) -> Any:
        """Files and parts of the table, computed when they are asked for."""
        state, what = self.state, message["ask"]
        if what == "share":
            return {"fragment": encode(state)}
        if what == "csv":
            return {"name": "rows.csv", "text": as_csv(state)}
        if problem := self.problem(state):
            raise InputError(problem)
        story = self.story(state)
        if what == "table":
            first = message.get("first", 0)
            if not isinstance(first, int) or not 0 <= first <= story.n_updates:
                raise InputError(f"the table has the lines 0 to {story.n_updates}.")
            return self._table(state, story, first, first + 2 * LINES_AROUND)
        if what == "code":
            k = story.n_updates if state.k is None else min(state.k, story.n_updates)
            return {"name": "studio.py", "text": as_python(state, k)}
        owner = 1 if state.is_binary else state.focus
        if what == "proof_rows":
            return {"name": "proof.csv", "text": proof_csv(state, owner)}
        if what == "proof":
            finding = self.finding(state, owner)
            if finding.certificate is None:
                raise InputError("there is no proof yet: the verdict is undecided.")
            text = json.dumps(finding.certificate.to_dict(), indent=1) + "\n"
            return {"name": "proof.json", "text": text}
        raise InputError(f"{str(what)[:40]!r} is not something to ask for.")


def _settings(state: State) -> dict[str, Any]:
    """The state's JSON without its rows."""
    return replace(state, points=np.empty((0, 2)), codes=np.empty(0, dtype=np.int64)).to_json()


def _subscript(n: int) -> str:
    return str(n).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
