"""What the page is sent, field by field: the view, the menu, questions and replies.

`page/types.js`, by which the page's modules are checked, is made from this file by
`python scripts/page_types.py`; a test sees that it is up to date.

Annotations are values here, not texts: only so does a shape know which of its fields are optional.
"""

from typing import Any, NotRequired, TypedDict

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
    ticks: NotRequired[Ticks]  # where the page's own round numbers will not do
    marks: list[Mark]
    x_label: NotRequired[str]
    legend: NotRequired[list[LegendLine]]


class Frame(TypedDict):
    window: list[float]
    axes: list[str]


class VisitView(TypedDict):
    """Where a run stands that is stepped visit by visit."""

    at: int
    total: int


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
    k: int
    total: int
    visit: VisitView | None
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


class UpdateMarks(TypedDict):
    """The row of an update, its scores in words, and the line before it, if that is one."""

    row: int
    sign: int
    text: str
    before: list[float]


class OtherRun(TypedDict):
    """A run drawn over this one: its last lines, and its name in the legend."""

    place: int
    text: str
    lines: list[list[float]]


class Band(TypedDict):
    """A line and how far its band reaches to either side."""

    line: list[float]
    half: float


class Best(TypedDict):
    """The theorem's two lengths: the unit vector with its margin, and the ball."""

    line: list[float]
    half: float
    name: str
    radius: float
    radius_name: str


class ProofMarks(TypedDict):
    """What is drawn of a verdict."""

    under: list[Mark]
    over: list[Mark]
    widest: Band | None
    best: Best | None


class Scene(TypedDict):
    """What the plane shows; a line is [a, b, c] of a·x + b·y + c, one for each run."""

    lines: list[list[float]]
    regions: bool
    letter: str
    update: UpdateMarks | None
    proof: ProofMarks | None
    others: list[OtherRun]
    under: list[Mark]
    over: list[Mark]
    wrong: list[int]


class VectorSum(TypedDict):
    """The sum of an update: w before and after, two entries each, and the names of the arrows."""

    old: list[float]
    new: list[float]
    names: list[str]


class Lines(TypedDict):
    """Some lines of the table."""

    caption: str
    header: list[str]
    first: int
    entries: list[list[str]]
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


class Regression(TypedDict):
    """What a statistician asks: the remark, infinite coefficients, blocking rows in full."""

    remark: str
    infinite: list[Fact]
    header: list[str]
    rows: list[list[str]]
    more: str


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
    regression: Regression | None


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


class LiveLine(TypedDict):
    """An inequality of the proof at one mistake; `lights` are the roles of what it speaks of."""

    text: str
    why: str
    holds: bool
    lights: list[str]


class Slider(TypedDict):
    label: str
    least: int
    most: int
    value: int
    text: str


class Panel(TypedDict):
    """One of several small pictures; bars are shares of 1."""

    title: str
    text: str
    plot: Plot
    bars: list[float]


class AxisEnd(TypedDict):
    name: str
    at: list[float]


class Space(TypedDict):
    """Three dimensions in the cube from -1 to 1, which the page turns; a row has its code last."""

    rows: list[list[float]]
    wrong: list[int]
    rays: bool
    origin: list[float]
    axes: list[AxisEnd]
    plane: list[list[float]]
    floor: list[list[float]]
    normal: list[float]
    label: str


class Extra(TypedDict):
    """A further picture."""

    name: str
    title: str
    note: str
    plot: Plot | None
    panels: list[Panel]
    space: Space | None
    slider: Slider | None


class OwnLine(TypedDict):
    """A person's own line: what is said of it, and its two handles."""

    text: str
    handles: list[list[float]]


class AskView(TypedDict):
    """The question of a step, and how it stands; texts are nodes, see lessons/prose.py."""

    kind: str
    question: list[Any]
    options: list[list[Any]]
    given: str | int | None
    right: bool | None
    said: list[Any]


class LessonView(TypedDict):
    """A step of a lesson; `headings` are lines of text, other words are nodes."""

    name: str
    title: list[Any]
    step: int
    headings: list[str]
    head: list[Any]
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
    inset: VectorSum | None
    step: Step | None
    verdict: Verdict | None
    overlays: list[Overlay] | None
    proof: list[ProofLine] | None
    live: list[LiveLine] | None
    extra: Extra | None
    own: OwnLine | None
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
