"""The lessons that ship with the studio, one of a person's own, and a step on the screen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from novikoff.errors import FileError, InputError, no_file
from novikoff.studio.computations import Computations
from novikoff.studio.edits import apply
from novikoff.studio.files import OpenFile
from novikoff.studio.lessons.reading import FLAGS, MOST_TEXT, Lesson, read_lesson
from novikoff.studio.plane import first_ends, window
from novikoff.studio.sources import load_set, open_columns
from novikoff.studio.state import LessonPlace, State
from novikoff.studio.values import Section

SHIPPED = ("tour", "000", "001", "002", "003", "004")
OWN = "own"


@lru_cache(maxsize=len(SHIPPED))
def shipped(name: str) -> Lesson:
    """A lesson that comes with the studio."""
    if name not in SHIPPED:
        raise InputError(f"there is no lesson {name[:40]!r}; there are {', '.join(SHIPPED)}.")
    text = files("novikoff.studio.lessons").joinpath(f"{name}.md").read_text(encoding="utf-8")
    return read_lesson(text, f"lesson {name}")


@dataclass
class OwnLesson:
    """A lesson file that somebody is writing: read again whenever it has changed.

    A version with a fault does not replace the last one without; the fault is said instead.
    """

    path: Path
    lesson: Lesson
    seen: tuple[int, int]  # when it was written, and its size
    fault: str = ""

    @classmethod
    def open(cls, path: Path) -> OwnLesson:
        return cls(path, read_lesson(_text(path), path.name), _stamp(path))

    def has_changed(self) -> bool:
        try:
            return _stamp(self.path) != self.seen
        except FileError:
            return False  # an editor may be replacing it

    def refresh(self) -> None:
        """Read the file again, if it has changed."""
        if not self.has_changed():
            return
        self.seen = _stamp(self.path)
        try:
            self.lesson, self.fault = read_lesson(_text(self.path), self.path.name), ""
        except (InputError, FileError) as error:
            self.fault = str(error)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        raise no_file(str(path)) from None
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None
    return found.st_mtime_ns, found.st_size


def _text(path: Path) -> str:
    if _stamp(path)[1] > 4 * MOST_TEXT:
        raise InputError(
            f"{path.name} is too large; a lesson has at most {MOST_TEXT:,} characters."
        )
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{path} is not text in UTF-8.") from None
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}.") from None


# A line of a show block, and the setting that it changes.
_SETTINGS = {
    "tie": "tie", "order": "order", "start": "start", "seed": "seed", "offset": "offset",
    "features": "map", "notation": "notation", "limit": "limit", "passes": "passes",
    "layers": "show", "view": "view",
}  # fmt: skip
_WHOLE = ("seed", "limit", "passes")


def step_state(lesson: Lesson, at: LessonPlace, size: Any, computations: Computations) -> State:
    """What a step shows, whatever was done on the steps before it."""
    shows = lesson.steps[at.step].shows
    state = _rows(lesson, shows, size)
    for key, setting in _SETTINGS.items():
        if key in shows:
            edit = {"do": "set", "key": setting, "value": _value(key, shows[key])}
            state = apply(state, edit, computations.count)
    if "compare" in shows:
        state = apply(state, {"do": "overlay", "preset": shows["compare"]}, computations.count)
    k = shows.get("k", "end")
    edits: list[dict[str, Any]] = [{"do": "fit"}, {"do": "go", "k": None if k == "end" else int(k)}]
    if "select" in shows:
        edits.append({"do": "select", "row": int(shows["select"]) - 1})
    for edit in edits:
        state = apply(state, edit, computations.count)
    ask = lesson.steps[at.step].ask
    if ask is not None and ask.kind == "draw":
        state = replace(state, line=first_ends(window(state)))
    return replace(state, lesson=at)


def _value(key: str, text: str) -> Any:
    if key == "offset":
        return FLAGS[text]
    if key in _WHOLE:
        is_short = text.isascii() and text.isdecimal() and len(text) <= 12
        return int(text) if is_short else text[:40]
    if key == "layers":
        return [word.strip() for word in text.split(",") if word.strip()]
    return text


def _rows(lesson: Lesson, shows: dict[str, str], size: Any) -> State:
    name = shows.get("data", "lecture:002")
    if name not in lesson.data:
        columns = load_set(name)
        return open_columns(columns, _places(shows.get("columns"), columns.names), size)
    if "columns" in shows:
        raise InputError("columns go with a built-in set; these rows have two already.")
    file = OpenFile(name, "csv", name, raw=lesson.data[name].encode())
    state = open_columns(file.columns(asks=False), None, size)
    if state.source.get("width", 0) > 2:
        raise InputError(f"the rows {name!r} have {state.source.get('width')} columns; draw two.")
    return replace(state, source={"kind": "own", "name": name})


def _places(text: str | None, names: tuple[str, ...]) -> Any:
    if text is None or text == "projection":
        return text
    wanted = [word.strip() for word in text.split(",")]
    if not set(wanted) <= set(names):
        raise InputError(f"the columns are {text!r}; choose two of {', '.join(names[:12])}.")
    return [names.index(word) for word in wanted]


def tried(lesson: Lesson, computations: Computations) -> None:
    """Make every step's state once, so that a slip is found before a class is."""
    for place, step in enumerate(lesson.steps):
        try:
            _try(lesson, place, computations)
        except InputError as error:
            raise InputError(f"step {place + 1} ({step.heading}): {error}") from None


def _try(lesson: Lesson, place: int, computations: Computations) -> None:
    step = lesson.steps[place]
    state = step_state(lesson, LessonPlace("own", place), (640.0, 480.0), computations)
    for word in step.light:
        if word.startswith("row ") and int(word[4:]) > state.n_rows:
            raise InputError(f"{word} cannot be lit: there are {state.n_rows} rows.")
    problem = computations.problem(state)
    if problem and ("order" in step.shows or "start" in step.shows):
        raise InputError(problem)
    if step.ask is not None and step.ask.example:
        done = state
        for edit in step.ask.example:
            done = apply(done, edit, computations.count)
        if not step.ask.is_done(computations, done, state):
            raise InputError("the example does not do what is asked.")


def lesson_view(
    lesson: Lesson, at: LessonPlace, state: State, began: State, computations: Computations,
    fault: str = "",
) -> Section:  # fmt: skip
    """The words of a step, and its question with its answer.

    began: the state that the step showed. What is right is about that state, whatever has been done
    to it since; only a task is about the present one.
    """
    step, ask = lesson.steps[at.step], lesson.steps[at.step].ask
    return {
        "name": at.name, "title": list(lesson.title), "step": at.step,
        "headings": [one.heading for one in lesson.steps], "head": list(step.head),
        "body": list(step.body), "light": list(step.light), "fault": fault,
        "ask": ask and computations.once(
            ("asked", lesson.text, at.step, fault), lambda: ask.asked(computations, began)
        ),
        "quantities": ask.quantities(computations, state, began) if ask else {},
    }  # fmt: skip
