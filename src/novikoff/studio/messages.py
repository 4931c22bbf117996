"""What is sent beside the view: the menu, questions and replies. As fields.py, for both sides.

Annotations are values here too, not texts.
"""

from typing import Any, NotRequired, TypedDict

from novikoff.studio.fields import Row


class Choice(TypedDict):
    value: str
    text: str


class SetName(TypedDict):
    name: str
    about: str


class SetGroup(TypedDict):
    title: str
    names: list[SetName]


class LessonName(TypedDict):
    name: str
    title: list[Any]  # nodes, see lessons/prose.py
    about: list[Any]


class Menu(TypedDict):
    """Everything that can be chosen; it never changes."""

    lessons: list[LessonName]
    sets: list[SetGroup]
    ties: list[Choice]
    orders: list[Choice]
    maps: list[Choice]
    notations: list[Choice]
    views: list[Choice]
    numbers: list[Choice]
    presets: list[str]


class Reading(TypedDict):
    drop: NotRequired[list[str]]
    keep: NotRequired[list[str]]
    categorical: NotRequired[list[str]]
    missing: NotRequired[str]
    decimal: NotRequired[str]
    thousands: NotRequired[str]


class Question(TypedDict):
    """How a file is to be read."""

    text: str
    choices: list[str]
    file: str
    reading: Reading


class Reply(TypedDict):
    """What answers a message; of the view, the sections that changed."""

    id: NotRequired[int]
    menu: NotRequired[Menu]
    view: NotRequired[Any]
    rows: NotRequired[list[Row]]
    changes: NotRequired[list[list[float]]]
    state: NotRequired[Any]
    error: NotRequired[str]
    question: NotRequired[Question]
    answer: NotRequired[Any]
