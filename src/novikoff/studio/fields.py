"""What the page is sent, field by field: written down here, and nowhere else.

`page/types.js`, by which the page's modules are checked, is made from this file by
`python scripts/page_types.py`; a test sees that it is up to date.

Annotations are values here, not texts: only so does a shape know which of its fields are optional.
"""

import types
from typing import Any, NotRequired, TypedDict, Union, get_args, get_origin, get_type_hints

Row = tuple[float, float, int]  # x, y and the place of the class


class Mark(TypedDict):
    """A shape in coordinates of the plane; its role says how it looks."""

    kind: str
    role: str
    at: Any
    label: NotRequired[str]
    label_at: NotRequired[list[float]]
    text: NotRequired[str]
    anchor: NotRequired[str]
    closed: NotRequired[bool]
    code: NotRequired[int]
    side: NotRequired[int]
    place: NotRequired[int]
    row: NotRequired[int]


class Tick(TypedDict):
    at: float
    text: str


class Ticks(TypedDict):
    x: list[Tick]
    y: list[Tick]


class LegendLine(TypedDict):
    role: str
    text: str


class Plot(TypedDict):
    """A small picture with axes of its own."""

    window: list[float]
    ticks: Ticks
    marks: list[Mark]
    x_label: NotRequired[str]
    legend: NotRequired[list[LegendLine]]


class Frame(TypedDict):
    window: list[float]
    ticks: Ticks
    axes: list[str]
    nudge: str


class Controls(TypedDict):
    classes: list[str]
    binary: bool
    title: str
    note: str
    tie: str
    order: str
    order_text: str
    start: str
    start_text: str
    seed: int
    seeded: bool
    offset: bool
    map: str
    notation: str
    numbers: str
    passes: int
    limit: int
    show: list[str]
    focus: int
    n_rows: int
    n_overlays: int
    k: int
    total: int
    slider: str
    slider_value: str


class ColumnChoice(TypedDict):
    names: list[str]
    chosen: Any
    labels: list[str]


Selected = TypedDict(  # the row under the keyboard; `class` is a word that Python keeps for itself
    "Selected",
    {"row": int, "number": int, "x": str, "y": str, "class": int, "text": str, "made": str},
)


class Scene(TypedDict):
    under: list[Mark]
    over: list[Mark]
    wrong: list[int]


class Lines(TypedDict):
    """Some lines of the table."""

    caption: str
    header: list[str]
    first: int
    lines: list[list[str]]
    total: int


class Step(TypedDict):
    title: str
    text: str
    symbol: str
    sum: list[str]
    outcome: str
    last: bool


class Fact(TypedDict):
    name: str
    value: str


class Support(TypedDict):
    row: int
    number: int
    sign: str
    weight: str


class ClassLine(TypedDict):
    code: int
    name: str
    status: str


class Whole(TypedDict):
    """The verdict on all columns."""

    status: str
    title: str
    sentence: str
    facts: list[Fact]
    has_proof: bool


class Verdict(TypedDict):
    status: str
    headline: str
    headline_status: str
    title: str
    sentence: str
    facts: list[Fact]
    support: list[Support]
    classes: list[ClassLine]
    has_proof: bool
    drawn_title: str
    whole: Whole | None


class Overlay(TypedDict):
    place: int
    name: str
    text: str
    weights: str


class ProofLine(TypedDict):
    formula: str
    text: str
    holds: bool | None
    note: str


class AskView(TypedDict):
    """The question of a step, and how it stands; texts are nodes, see lessons/prose.py."""

    kind: str
    question: list[Any]
    options: list[list[Any]]
    given: str | int | None
    right: bool | None
    said: list[Any]


class LessonView(TypedDict):
    """A step of a lesson."""

    name: str
    title: str
    step: int
    headings: list[str]
    heading: str
    body: list[Any]
    light: list[str]
    ask: AskView | None
    fault: str


class View(TypedDict):
    """All sections of the screen."""

    frame: Frame
    controls: Controls
    columns: ColumnChoice | None
    selected: Selected | None
    problem: str
    needs: str | None
    deciding: str | None
    scene: Scene
    table: Lines | None
    chart: Plot | None
    cursor: list[Mark] | None
    inset: Plot | None
    step: Step | None
    verdict: Verdict | None
    overlays: list[Overlay] | None
    proof: list[ProofLine] | None
    lesson: LessonView | None


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
    title: str
    about: str


class Menu(TypedDict):
    """Everything that can be chosen; it never changes."""

    lessons: list[LessonName]
    sets: list[SetGroup]
    ties: list[Choice]
    orders: list[Choice]
    maps: list[Choice]
    notations: list[Choice]
    numbers: list[Choice]
    presets: list[str]


class Reading(TypedDict):
    drop: NotRequired[list[str]]
    missing: NotRequired[str]


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


_WORDS: dict[Any, str] = {
    str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "any",
}  # fmt: skip


def shapes() -> dict[str, Any]:
    """Every shape that is written down here, by its name."""
    found = {name: one for name, one in globals().items() if isinstance(one, type(Mark))}
    return {name: one for name, one in found.items() if one.__module__ == __name__}


def in_jsdoc(kind: Any) -> str:
    """A type as the page's modules write it."""
    if kind in _WORDS:
        return _WORDS[kind]
    if kind == Row:
        return "Row"
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list:
        of = in_jsdoc(inner[0])
        return f"({of})[]" if "|" in of else f"{of}[]"
    if origin is tuple:
        return f"[{', '.join(map(in_jsdoc, inner))}]"
    if origin in (Union, types.UnionType):
        return " | ".join(map(in_jsdoc, inner))
    if origin is NotRequired:
        return in_jsdoc(inner[0])
    return str(kind.__name__)


def module_text() -> str:
    """page/types.js."""
    lines = [
        "// @ts-check",
        "/** What Python sends, as types. Made from fields.py by scripts/page_types.py. */",
        "",
        "/** @typedef {[number, number, number]} Row  x, y and the place of the class */",
    ]
    for name, shape in shapes().items():
        hints = get_type_hints(shape, include_extras=True)
        parts = [
            f"{field}{'?' * (field in shape.__optional_keys__)}: {in_jsdoc(kind)}"
            for field, kind in hints.items()
        ]
        about = " ".join((shape.__doc__ or "").split())
        about = f"  {about.rstrip('.')}" if about and not about.startswith("dict(") else ""
        lines.append(f"/** @typedef {{{{{', '.join(parts)}}}}} {name}{about} */")
    lines += [
        "/** @typedef {{send: (message: any) => void, close: () => void}} Link */",
        "/** @typedef {(handlers: {open: () => void, reply: (reply: Reply) => void, "
        "lost: (why: string) => void}) => Link} Connect */",
        "",
        "export {};",
        "",
    ]
    return "\n".join(lines)
