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

from novikoff.conventions import whole_number
from novikoff.errors import FileError, InputError, NovikoffError
from novikoff.studio.computations import Computations
from novikoff.studio.edits import apply
from novikoff.studio.export import decode, exported
from novikoff.studio.files import MOST_BYTES, OpenFile, UnclearLabelError
from novikoff.studio.lessons.reading import Lesson
from novikoff.studio.lessons.shelf import OWN, OwnLesson, lesson_view, shipped, step_state, tried
from novikoff.studio.menu import menu, thumbnails
from novikoff.studio.pictures import train_gallery
from novikoff.studio.sources import Columns, load_set, open_columns
from novikoff.studio.state import (
    LessonPlace,
    State,
    read_answer,
    read_place,
    read_state,
    with_setting,
)
from novikoff.studio.values import Section, read_reading, text_of
from novikoff.studio.views import LINES_AROUND, place, shown_owner, view_of
from novikoff.wording import unsteering

MOST_EDITS = 2000  # in one message


class Session(Computations):
    """One person at one screen."""

    def __init__(
        self,
        state: State | None = None,
        given: Columns | None = None,
        opened: OpenFile | None = None,
        own: OwnLesson | None = None,
    ) -> None:
        super().__init__(given, opened)
        self.own = own
        self.state = state or first_state(given)
        if own is not None:
            self.state = self.at_step(LessonPlace(OWN))
        self._sent: dict[str, str] = {}
        self._sent_rows: State | None = None

    def view(self, state: State, hurried: bool = False) -> Section:
        """All sections of the screen but the rows themselves.

        hurried: a hand is moving a row; what takes long is left to `decide`.
        """
        return view_of(self, state, hurried) | {"lesson": self._lesson_view(state)}

    # Messages

    def handle(self, message: Any) -> dict[str, Any]:
        """The reply to one message; an error is a sentence in it, and changes nothing."""
        if not isinstance(message, dict):
            return {"error": "a message must be a JSON object."}
        try:
            json.dumps(message, ensure_ascii=False).encode()
        except UnicodeEncodeError:  # a lone surrogate, which no file takes
            return {"error": "a message must be Unicode text; this one has half a character."}
        reply: dict[str, Any] = {"id": message.get("id")}
        if "ask" in message:
            try:
                return reply | {"answer": self._answer(message)}
            except NovikoffError as error:
                return reply | {"error": str(error)}
        try:
            if message.get("hello"):
                self._sent, self._sent_rows = {}, None
                reply["menu"] = menu(self.own.lesson if self.own else None)
            if message.get("reload"):
                self._reload()
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
        """The state after an edit; those of files, lessons and visits are made here."""
        own = {
            "given": self._given, "file": self._file, "focus": self._focused,
            "lesson": self._opened_lesson, "visit": self._visited, "end": self._at_end,
            "answer": self._answered,
        }  # fmt: skip
        do = edit.get("do") if isinstance(edit, dict) else None
        if do == "step" and self.state.visit is not None:
            do = "visit"
        return own[do](edit) if do in own else apply(self.state, edit, self.count)

    def _given(self, edit: dict[str, Any]) -> State:
        """The table that the studio was started with, by one of its columns as the label."""
        given, label = self.given, edit.get("label")
        if given is None:
            raise InputError("this studio was started without data of its own.")
        if self.opened and label != given.source.get("label") and label in given.others:
            given = self.read(self.opened, label, {})
        return open_columns(given, edit.get("columns"), self.state.size)

    def _file(self, edit: dict[str, Any]) -> State:
        """A file that the page has sent, now or before."""
        if "data" in edit:
            self._take_file(edit)
        key, label = str(edit.get("file")), edit.get("label")
        if key not in self.files:
            raise InputError("the file is not here any more; open it again.")
        label = None if label is None else text_of(label)
        table = self.read(self.files[key], label, read_reading(edit.get("reading") or {}))
        return open_columns(table, edit.get("columns"), self.state.size)

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
        self.keep_file(OpenFile(unsteering(str(name)[:200]), "csv", str(key), raw=raw))

    # Lessons

    def lesson(self, name: str) -> Lesson:
        """A lesson by its name."""
        if name != OWN:
            return shipped(name)
        if self.own is None:
            raise InputError("this studio was started without a lesson of its own.")
        return self.own.lesson

    def _opened_lesson(self, edit: dict[str, Any]) -> State:
        """A step of a lesson; without a name, the studio without one."""
        if edit.get("name") is None:
            return replace(self.state, lesson=None)
        at = read_place(edit) or LessonPlace(OWN)
        old = self.state.lesson
        if old is not None and old.name == at.name:
            at = replace(at, answers=old.answers)
        return self.at_step(at)

    def at_step(self, at: LessonPlace) -> State:
        """What a step of a lesson shows."""
        lesson = self.lesson(at.name)
        step = min(at.step, len(lesson.steps) - 1)
        return step_state(lesson, replace(at, step=step), self.state.size, self)

    def _answered(self, edit: dict[str, Any]) -> State:
        """The state with an answer to the question of its step."""
        answer = read_answer(edit.get("value"))
        return replace(self.state, lesson=self._place().answered(answer))

    def _place(self) -> LessonPlace:
        if self.state.lesson is None:
            raise InputError("no lesson is open.")
        return self.state.lesson

    def _reload(self) -> None:
        """The lesson's file may have changed: show the step anew."""
        own, place = self.own, self.state.lesson
        if own is None:
            return
        own.refresh()
        if place is not None and place.name == OWN and not own.fault:
            try:
                tried(own.lesson, self)
                self.state = self.at_step(place)
            except NovikoffError as error:
                own.fault = str(error)

    def _lesson_view(self, state: State) -> Section | None:
        """The words of the step on the screen, and its question."""
        place = state.lesson
        if place is None:
            return None
        try:
            lesson = self.lesson(place.name)
        except InputError:
            return None  # a link from a studio with another lesson
        bare = LessonPlace(place.name, min(place.step, len(lesson.steps) - 1))
        fault = self.own.fault if self.own is not None and place.name == OWN else ""
        try:
            began = self.once(
                ("step", lesson.text, bare), lambda: step_state(lesson, bare, state.size, self)
            )
        except NovikoffError as error:
            began, fault = state, str(error)
        return lesson_view(lesson, bare, state, began, self, fault)

    def _visited(self, edit: dict[str, Any]) -> State:
        """The run stepped by visits: by some, to one, or from the present mistake on."""
        state = self.state
        if self.problem(state):
            return state
        timeline = self.timeline(state)
        total = timeline.visits.total
        k = place(state, timeline)
        at = int(timeline.update(k).step.visit) + 1 if k else 0
        at = min(at if state.visit is None else state.visit, total)
        if "by" in edit:
            at += whole_number("by", edit["by"], -(10**6), 10**6)
        elif "to" in edit:
            at = whole_number("to", edit["to"], 0, 10**12)
        return replace(state, visit=max(0, min(at, total)), k=k)

    def _at_end(self, edit: dict[str, Any]) -> State:
        """The first or the last step, of visits or of mistakes."""
        last = edit.get("last") is True
        if self.state.visit is None:
            return apply(self.state, {"do": "go", "k": None if last else 0}, self.count)
        return self._visited({"to": 10**12 if last else 0})

    def _focused(self, edit: dict[str, Any]) -> State:
        """The state that shows one of several classes: at its newest mistake so far."""
        state = with_setting(self.state, "focus", edit.get("class"))
        if state.is_binary or self.problem(state):
            return state
        timeline = self.timeline(state)
        k = place(state, timeline)
        if k == 0:
            return state
        found = timeline.nearest(state.focus, k)
        return replace(state, k=None if found == timeline.n_updates else found)

    def news(self, hurried: bool = False) -> dict[str, Any]:
        """What the screen does not show yet: sections that changed, rows that changed."""
        state, view = self.state, self.view(self.state, hurried)
        texts = {name: json.dumps(section) for name, section in view.items()}
        changed = {name: view[name] for name in view if self._sent.get(name) != texts[name]}
        news = {"view": changed, **self._row_news(state), "state": state.settings()}
        self._sent, self._sent_rows = texts, state
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
            timeline = None if self.problem(state) else self.timeline(state)
            shown = shown_owner(state, timeline)
            self.decide(state, shown, lambda: self.state.rows_key != state.rows_key)
            train_gallery(self, state)
            return {}
        if what == "table":
            if problem := self.problem(state):
                raise InputError(problem)
            timeline, first = self.timeline(state), message.get("first", 0)
            first = whole_number("first", first, 0, timeline.n_updates)
            return timeline.lines(first, first + 2 * LINES_AROUND)
        if what == "thumbnails":
            return thumbnails()
        if what == "lesson":
            name = self._place().name
            return {"name": f"lesson-{name}.md", "text": self.lesson(name).text}
        return exported(self, state, what)


def first_state(given: Columns | None = None) -> State:
    """What a new screen shows: the data it was started with, or a lecture before its first step."""
    if given is not None:
        return open_columns(given)
    return replace(open_columns(load_set("lecture:002")), k=0)


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
