"""From a state to everything on the screen, and from a message to its reply.

`Session` holds the newest state; its views depend on the state alone, and on which verdicts are
known by now. It knows nothing of sockets or notebooks: `handle` takes and gives JSON objects.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.errors import FileError, InputError, NovikoffError
from novikoff.studio.desk import Desk
from novikoff.studio.edits import apply
from novikoff.studio.export import exported
from novikoff.studio.files import MOST_BYTES, OpenFile, UnclearLabelError
from novikoff.studio.menu import menu
from novikoff.studio.origins import read_reading
from novikoff.studio.share import decode
from novikoff.studio.sources import Columns, load_set, open_columns
from novikoff.studio.state import State, read_state
from novikoff.studio.views import table_of, view_of

LINES_AROUND = 12  # of the table, sent on either side of the one that is asked for
MOST_EDITS = 2000  # in one message


class Session(Desk):
    """One person at one screen."""

    def __init__(
        self, state: State | None = None, given: Columns | None = None,
        opened: OpenFile | None = None,
    ) -> None:  # fmt: skip
        super().__init__(given, opened)
        self.state = state or open_columns(given or load_set("lecture:002"))
        self._sent: dict[str, str] = {}
        self._sent_rows: State | None = None

    def view(self, state: State, hurried: bool = False) -> dict[str, Any]:
        """All sections of the screen but the rows themselves.

        hurried: a hand is moving a row; what takes long is left to `decide`.
        """
        return view_of(self, state, hurried)

    # Messages

    def handle(self, message: Any) -> dict[str, Any]:
        """The reply to one message; an error is a sentence in it, and changes nothing."""
        if not isinstance(message, dict):
            return {"error": "a message must be a JSON object."}
        reply: dict[str, Any] = {"id": message.get("id")}
        if "ask" in message:
            try:
                return reply | {"answer": self._answer(message)}
            except NovikoffError as error:
                return reply | {"error": str(error)}
        try:
            if message.get("hello"):
                self._sent, self._sent_rows = {}, None
                reply["menu"] = menu()
            if "file" in message:
                self._take_file(message["file"])
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
                reply |= _what_went_wrong(edit, error)
        return reply | self.news(hurried=message.get("hand") is True)

    def _apply(self, edit: Any) -> State:
        do = edit.get("do") if isinstance(edit, dict) else None
        if do == "given":
            return open_columns(self._given(edit), edit.get("columns"), self.state.size)
        if do == "file":
            return open_columns(self._file(edit), edit.get("columns"), self.state.size)
        if do == "focus":
            return self._focused(edit.get("class"))
        return apply(self.state, edit, self.count)

    def _given(self, edit: dict[str, Any]) -> Columns:
        """The table that the studio was started with, by one of its columns as the label."""
        given, label = self.given, edit.get("label")
        if given is None:
            raise InputError("this studio was started without data of its own.")
        if self.opened is None or label == given.source.get("label") or label not in given.others:
            return given
        return self.read(self.opened, label, {})

    def _file(self, edit: dict[str, Any]) -> Columns:
        """A file that the page has sent, now or before."""
        if "data" in edit:
            self._take_file(edit)
        key, label = str(edit.get("file")), edit.get("label")
        if key not in self.files:
            raise InputError("the file is not here any more; open it again.")
        if label is not None and not isinstance(label, str):
            raise InputError("label must be the name of a column.")
        return self.read(self.files[key], label, read_reading(edit.get("reading") or {}))

    def _take_file(self, given: Any) -> None:
        """Keep the bytes of a file, to read them as often as another label is chosen."""
        words = given if isinstance(given, dict) else {}
        key, name, data = (words.get(part) for part in ("file", "name", "data"))
        if not all(isinstance(part, str) for part in (key, name, data)) or len(str(key)) > 100:
            raise InputError("a file has a name, a key and its bytes in base64.")
        if len(str(data)) > 4 * (MOST_BYTES // 3) + 8:
            raise InputError(
                f"{str(name)[:100]} is too large: the studio takes {MOST_BYTES // 10**6} MB."
            )
        try:
            raw = base64.b64decode(str(data), validate=True)
        except (binascii.Error, ValueError):
            raise InputError("the bytes of a file are not base64.") from None
        self.keep_file(OpenFile(str(name)[:200], "csv", str(key), raw=raw))

    def _focused(self, code: Any) -> State:
        """The state that shows one of several classes: at its newest mistake so far."""
        state = self.state
        if type(code) is not int or not 0 <= code < len(state.classes):
            raise InputError(f"class {code!r} is not one of the {len(state.classes)} classes.")
        state = replace(state, focus=code)
        if state.is_binary or self.problem(state):
            return state
        story = self.story(state)
        k = story.n_updates if state.k is None else min(state.k, story.n_updates)
        if k == 0:
            return state
        found = story.nearest(code, k)
        return replace(state, k=None if found == story.n_updates else found)

    def news(self, hurried: bool = False) -> dict[str, Any]:
        """What the screen does not show yet: sections that changed, rows that changed."""
        state = self.state
        view = self.view(state, hurried)
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
        if what == "decide":
            self.decide(state, lambda: self.state.rows_key != state.rows_key)
            return {}
        if what == "table":
            if problem := self.problem(state):
                raise InputError(problem)
            story, first = self.story(state), message.get("first", 0)
            if not isinstance(first, int) or not 0 <= first <= story.n_updates:
                raise InputError(f"the table has the lines 0 to {story.n_updates}.")
            return table_of(state, story, first, first + 2 * LINES_AROUND)
        return exported(self, state, what)


def _what_went_wrong(edit: Any, error: NovikoffError) -> dict[str, Any]:
    """An error to be shown; of a file, a question, since it may be readable in another way."""
    if not isinstance(error, (UnclearLabelError, FileError)) or edit.get("do") != "file":
        return {"error": str(error)}
    return {
        "question": {
            "text": str(error), "choices": list(getattr(error, "choices", ())),
            "file": edit.get("file"), "reading": edit.get("reading") or {},
        }
    }  # fmt: skip


def _settings(state: State) -> dict[str, Any]:
    """The state's JSON without its rows."""
    bare = replace(state, points=np.empty((0, 2)), codes=np.empty(0, dtype=np.int64))
    return bare.to_json()
