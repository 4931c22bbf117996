"""A lesson file: Markdown, with blocks that say what a step shows and what it asks.

    ---                                  three dashes, then words about the whole
    title: Halfspaces
    about: One line for the list of lessons.
    notation: 002
    ---
    ## A step                            every second-level heading begins one
    Words, *emphasis*, $k \\le (R/\\gamma)^2$.

    ```show                              what the studio shows; what is not said stays as it was
    data: lecture:002                    a built-in set, or a `data` block of the file
    k: 3                                 the mistake to stand at; `end` is the last
    light: table, row 2                  what is lit
    ```
    ```ask                               a question, which Python checks
    question: Which row is wrong next?
    kind: row
    answer: next
    ```
    ```data four points                  rows of the lesson's own, as CSV, the label last
    x1,x2,label
    …
    ```

A fault is said with its line; a lesson with a fault is not shown in part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from markdown_it.token import Token

from novikoff.errors import InputError
from novikoff.studio.edits import PRESETS
from novikoff.studio.features import MAPS
from novikoff.studio.lessons.asking import Ask, read_ask
from novikoff.studio.lessons.mathml import Node, in_line
from novikoff.studio.lessons.prose import line_nodes, nodes_of, tokens_of
from novikoff.studio.notation import NOTATIONS

MOST_TEXT = 400_000  # characters of a lesson
MOST_STEPS = 200
MOST_DATA = 50_000  # characters of a data block
PARTS = ("plane", "transport", "verdict", "update", "table", "bound", "views", "conventions",
         "sets")  # fmt: skip
SETTINGS = ("data", "columns", "tie", "order", "start", "seed", "offset", "features", "notation",
            "limit", "passes", "layers", "compare", "view", "k", "select", "light")  # fmt: skip
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_LINE = re.compile(r"([a-z]+):[ \t]*(.*)")
_WHOLE = re.compile(r"[0-9]{1,12}")
FLAGS = {"yes": True, "no": False}


@dataclass(frozen=True)
class LessonStep:
    """One step: its words, what it shows, what it asks."""

    heading: str  # as one line of text
    head: tuple[Any, ...]  # the same as nodes: with its mathematics
    body: tuple[Node, ...]
    shows: dict[str, str]  # with what stays from the steps before
    light: tuple[str, ...] = ()
    ask: Ask | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson as it was read."""

    title: tuple[Any, ...]  # nodes, as all words are
    about: tuple[Any, ...]
    steps: tuple[LessonStep, ...]
    data: dict[str, str] = field(default_factory=dict)  # rows of its own, as CSV
    text: str = field(default="", repr=False)  # the file


def read_lesson(text: str, name: str = "the lesson") -> Lesson:
    """A lesson from the text of its file; InputError, with the line, where it is not one."""
    if len(text) > MOST_TEXT:
        raise InputError(
            f"{name} has {len(text):,} characters; a lesson has at most {MOST_TEXT:,}."
        )
    text = text.replace("\r\n", "\n").lstrip("\ufeff")
    try:
        return _Reading(text).lesson()
    except _FaultError as fault:
        raise InputError(f"{name}, line {fault.line}: {fault}") from None


class _FaultError(InputError):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class _Reading:
    """One pass over the tokens of a lesson."""

    def __init__(self, text: str) -> None:
        self.text = text
        front = _FRONT.match(text)
        self.front = _pairs(front[1], 2) if front else {}
        self.skipped = front[0].count("\n") if front else 0
        self.tokens = tokens_of(text[front.end() :] if front else text)
        self.top, self.top_line = "", 2  # a first-level heading before the steps
        if self.tokens and self.tokens[0].tag == "h1":
            self.top, self.top_line = self.tokens[1].content, self._line(self.tokens[0])
            del self.tokens[:3]
        self.data: dict[str, str] = {}
        self.shown: dict[str, str] = {"notation": self.front.get("notation", "plain")}

    def lesson(self) -> Lesson:
        unknown = set(self.front) - {"title", "about", "notation"}
        if unknown:
            raise _FaultError(2, f"{sorted(unknown)[0]!r} is not title, about or notation.")
        if self.shown["notation"] not in NOTATIONS:
            raise _FaultError(2, f"notation is one of {', '.join(NOTATIONS)}.")
        for token in self.tokens:
            if token.type == "fence" and token.info.split()[:1] == ["data"]:
                self._take_data(token)
        steps = tuple(self._step(part) for part in self._parts())
        if not steps:
            message = "a lesson has steps; each begins with a heading such as ## The rule."
            raise _FaultError(1, message)
        if len(steps) > MOST_STEPS:
            raise _FaultError(1, f"it has {len(steps)} steps; a lesson has at most {MOST_STEPS}.")
        named = self.front.get("title", "")
        line = named or self.top
        title = self._words(line, 2 if named else self.top_line) if line else steps[0].head
        about = self._words(self.front.get("about", ""), 2)
        return Lesson(title, about, steps, self.data, self.text)

    def _words(self, text: str, line: int) -> tuple[Any, ...]:
        """A line of words with its mathematics."""
        with _at(line):
            return tuple(line_nodes(text))

    def _line(self, token: Token) -> int:
        return (token.map or [0])[0] + self.skipped + 1

    def _parts(self) -> list[list[Token]]:
        """The tokens of each step, its heading first."""
        parts: list[list[Token]] = []
        for token in self.tokens:
            if token.type == "heading_open" and token.tag == "h2" and token.level == 0:
                parts.append([])
            if parts:
                parts[-1].append(token)
            elif token.type == "inline" or token.type in ("fence", "math_block"):
                message = "words before the first step; a step begins with ## and its name."
                raise _FaultError(self._line(token), message)
        return parts

    def _take_data(self, token: Token) -> None:
        name = " ".join(token.info.split()[1:])
        if not name:
            raise _FaultError(self._line(token), "rows of a lesson have a name: ```data my rows.")
        if len(token.content) > MOST_DATA:
            message = f"{name!r} has {len(token.content):,} characters; at most {MOST_DATA:,}."
            raise _FaultError(self._line(token), message)
        if name in self.data:
            raise _FaultError(self._line(token), f"there are two data blocks {name!r}.")
        self.data[name] = token.content

    def _step(self, tokens: list[Token]) -> LessonStep:
        head = self._words(tokens[1].content, self._line(tokens[0]))
        heading = "".join(map(in_line, head))
        body: list[Token] = []
        ask: Ask | None = None
        light: tuple[str, ...] = ()
        shown = False
        for token in tokens[3:]:
            kind = token.info.split()[:1] if token.type == "fence" else []
            if kind == ["show"]:
                if shown:
                    raise _FaultError(self._line(token), "a step has one show block.")
                light, shown = self._take_show(token), True
            elif kind == ["ask"]:
                if ask is not None:
                    raise _FaultError(self._line(token), "a step asks one question.")
                with _at(self._line(token)):
                    ask = read_ask(token.content)
            elif kind != ["data"]:
                body.append(token)
        with _at(self._line(tokens[0]), f"step {heading!r}, "):
            nodes = tuple(nodes_of(body))
        return LessonStep(heading, head, nodes, dict(self.shown), light, ask)

    def _take_show(self, token: Token) -> tuple[str, ...]:
        line = self._line(token)
        given = _pairs(token.content, line + 1)
        for key, value in given.items():
            _check(key, value, line)
        if "data" in given:
            notation = given.get("notation", self.shown["notation"])
            self.shown = {"notation": notation}
        light = given.pop("light", "")
        self.shown |= given
        return tuple(word.strip() for word in light.split(",") if word.strip())


@contextmanager
def _at(line: int, where: str = "") -> Iterator[None]:
    """A slip in what is read here is said with its line."""
    try:
        yield
    except InputError as error:
        raise _FaultError(line, f"{where}{error}") from None


def _pairs(text: str, line: int) -> dict[str, str]:
    """Lines of `key: value`; a value may stand in quotes."""
    found: dict[str, str] = {}
    for place, one in enumerate(text.splitlines()):
        if not one.strip() or one.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(one.strip())
        if match is None:
            raise _FaultError(line + place, f"{one.strip()[:40]!r} is not written as  key: value.")
        if match[1] in found:
            raise _FaultError(line + place, f"{match[1]} is said twice.")
        value = match[2].strip()
        quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
        found[match[1]] = value[1:-1] if quoted else value
    return found


def _check(key: str, value: str, line: int) -> None:
    """A slip in a show block is found when the file is read, not when the step is reached."""
    if key not in SETTINGS:
        raise _FaultError(line, f"{key!r} is not one of {', '.join(SETTINGS)}.")
    allowed: dict[str, Any] = {"offset": FLAGS, "features": MAPS, "notation": NOTATIONS,
                               "compare": PRESETS}  # fmt: skip
    if key in allowed and value not in allowed[key]:
        raise _FaultError(line, f"{key} is {value!r}; it is one of {', '.join(allowed[key])}.")
    if key == "k" and value != "end" and not _WHOLE.fullmatch(value):
        raise _FaultError(line, f"k is {value[:40]!r}; it is a whole number, or end.")
    if key == "select" and not (_WHOLE.fullmatch(value) and int(value)):
        raise _FaultError(line, f"select is {value[:40]!r}; it is the number of a row, from 1.")
    if key == "light":
        for word in (word.strip() for word in value.split(",")):
            if word not in PARTS and not re.fullmatch(r"row [1-9][0-9]{0,8}", word):
                message = f"{word!r} cannot be lit; {', '.join(PARTS)} can, and row 3."
                raise _FaultError(line, message)
