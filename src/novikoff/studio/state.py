"""What is on the screen, as a small value that goes through JSON unchanged.

Everything shown is computed from a `State` alone. The page keeps the newest one, so it can
go back (undo), come back (a lost connection) and be handed on (a link).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from novikoff.conventions import ORDERS, TIES, Tie, true_or_false, whole_number
from novikoff.errors import InputError, one_of
from novikoff.studio.features import MAPS
from novikoff.studio.notation import NOTATIONS, Notation
from novikoff.studio.values import listed, pair, read_origin, read_source, real, text_of

MOST_ROWS = 50_000
MOST_CLASSES = 10
MOST_MISTAKES = 200_000
MOST_PASSES = 1_000_000
MOST_VISITS = 500_000_000  # of a run: about a second
MOST_OVERLAYS = 12
MOST_ANSWERS = 1000  # of a lesson, and its steps
MOST_ORDERED = 200  # rows whose order is given one by one
LARGEST = 1e12  # of a coordinate: beyond it, pixels and ticks lose their meaning
NUMBERS = ("binary64", "decimal")
SHOWN = ("regions", "update", "maximum", "hulls")  # at first
LAYERS = (*SHOWN, "ball")
VIEWS = {  # a further picture beside the plane, and its name in the list
    "none": "nothing more",
    "passes": "errors and updates for each pass",
    "potential": "the potential",
    "space": "three dimensions",
    "weights": "the space of weights",
    "gallery": "perceptrons side by side",
    "stream": "a stream of rows",
    "race": "tiny margins: a race",
}
Ends = tuple[float, float, float, float]  # of a line: x, y, x, y of its two handles


@dataclass(frozen=True)
class Conventions:
    """How a run is made: an order, a start and the seed that both may use."""

    order: str | tuple[int, ...] = "cyclic"  # a word, or row numbers from 0
    start: str | tuple[float, ...] | None = None
    seed: int = 0


@dataclass(frozen=True)
class LessonPlace:
    """A step of a lesson, and the answers that were given so far: (step, answer), by step."""

    name: str
    step: int = 0
    answers: tuple[tuple[int, str | int], ...] = ()

    def answered(self, value: str | int) -> LessonPlace:
        """The same place with an answer to the question of this step."""
        answers = dict(self.answers) | {self.step: value}
        return LessonPlace(self.name, self.step, tuple(sorted(answers.items())))


@dataclass(frozen=True, eq=False)
class State:
    """The rows, the conventions, the place on the tape and the part of the plane in view."""

    points: np.ndarray = field(default_factory=lambda: np.empty((0, 2)))  # (n, 2)
    codes: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))  # class places
    classes: tuple[str, ...] = ("-1", "1")  # of two classes the second one has sign +1
    axes: tuple[str, str] = ("x1", "x2")
    source: dict[str, Any] = field(default_factory=lambda: {"kind": "own"})
    numbers: str = "binary64"
    tie: Tie = "mistake"
    run: Conventions = Conventions()
    offset: bool = True
    passes: int = 1000
    limit: int = 10_000
    feature_map: str = "none"
    notation: str = "plain"
    view: str = "none"
    level: int = 4  # of the slider under a further picture
    visit: int | None = None  # the visits made so far, where the run is stepped by visits
    k: int | None = None  # None is the end of the run, wherever that is
    center: tuple[float, float] = (0.0, 0.0)
    span: float = 8.0  # data units along the shorter side of the plot
    stretch: float = 1.0  # units of the second axis for one unit of the first, at equal length
    size: tuple[float, float] = (640.0, 480.0)  # of the plot, in pixels of its screen
    overlays: tuple[Conventions, ...] = ()
    show: tuple[str, ...] = SHOWN
    selected: int | None = None
    line: Ends | None = None  # a person's own
    focus: int = 0  # of more than two classes, the one that is shown before the first mistake
    lesson: LessonPlace | None = None
    origin: np.ndarray | None = None  # each row's place in its table, -1 for none; None: in order

    @property
    def n_rows(self) -> int:
        return len(self.codes)

    @property
    def max_iter(self) -> int:
        """The passes that a run may make: as many as chosen, and few enough to be waited for."""
        return max(1, min(self.passes, MOST_VISITS // max(self.n_rows, 1)))

    @property
    def written(self) -> Notation:
        """How weights are written."""
        return NOTATIONS[self.notation]

    @property
    def is_binary(self) -> bool:
        return len(self.classes) == 2

    @property
    def signs(self) -> np.ndarray:
        """The sign of each row, of two classes."""
        return np.where(self.codes == 1, 1, -1)

    @cached_property
    def rows_key(self) -> str:
        """One hash of the rows and their classes."""
        digest = blake2b(self.points.tobytes(), digest_size=12)
        digest.update(self.codes.tobytes())
        digest.update(repr((self.classes, self.numbers)).encode())
        return digest.hexdigest()

    @cached_property
    def run_key(self) -> tuple[Any, ...]:
        """What a run depends on, but for its own conventions."""
        return (self.rows_key, self.tie, self.offset, self.passes, self.limit, self.feature_map)

    def sign(self, i: int) -> str:
        """The class of row i as a person reads it: + or − of two classes, else its label."""
        return "−+"[self.codes[i]] if self.is_binary else self.classes[self.codes[i]]

    def rows_json(self) -> list[list[float]]:
        return [
            [x, y, c] for (x, y), c in zip(self.points.tolist(), self.codes.tolist(), strict=True)
        ]

    def to_json(self) -> dict[str, Any]:
        return {"rows": self.rows_json(), **self.settings()}

    def settings(self) -> dict[str, Any]:
        """Everything but the rows."""
        kept = {_NAMES.get(one.name, one.name): as_json(getattr(self, one.name))
                for one in fields(self) if one.name not in ("points", "codes", "run")}  # fmt: skip
        return {"version": 1, **kept, **as_json(self.run)}


_NAMES = {"feature_map": "map"}  # fields that JSON has under another name


def as_json(value: Any) -> Any:
    """The value of a field, with lists for tuples and arrays and objects for dataclasses."""
    if isinstance(value, tuple):
        return [as_json(one) for one in value]
    if isinstance(value, (Conventions, LessonPlace)):
        return {one.name: as_json(getattr(value, one.name)) for one in fields(value)}
    return value.tolist() if isinstance(value, np.ndarray) else value


def read_state(given: Any) -> State:
    """A State from JSON that may come from anywhere; InputError where it makes no sense."""
    if not isinstance(given, dict):
        raise InputError("the state must be a JSON object.")
    if given.get("version") != 1:
        raise InputError(f"the state has version {given.get('version')!r}; this studio reads 1.")
    classes = tuple(map(text_of, listed("classes", given.get("classes"), MOST_CLASSES)))
    if len(classes) < 2 or len(set(classes)) != len(classes):
        raise InputError(f"a state needs 2 to {MOST_CLASSES} different classes.")
    points, codes = _rows(given.get("rows"), len(classes))
    axes = tuple(map(text_of, listed("axes", given.get("axes"), 2)))
    if len(axes) != 2:
        raise InputError("a state has two axes.")
    source = read_source(given.get("source"))
    state = State(points, codes, classes, axes, source, run=read_conventions(given))
    for key in (*SETTINGS, *_OF_A_SCREEN):
        if key in given:
            state = with_setting(state, key, given[key], SETTINGS | _OF_A_SCREEN)
    return state


def _line(given: Any) -> Ends | None:
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != 4:
        raise InputError("a line is four numbers.")
    x1, y1, x2, y2 = (real(value, -LARGEST, LARGEST) for value in given)
    return x1, y1, x2, y2


def read_place(given: Any) -> LessonPlace | None:
    """The place in a lesson from JSON."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise InputError("the place in a lesson must be a JSON object.")
    place = LessonPlace(text_of(given.get("name")))
    for one in listed("answers", given.get("answers", ()), MOST_ANSWERS):
        if not isinstance(one, list) or len(one) != 2:
            raise InputError("an answer is a pair: its step, and what was answered.")
        place = replace(place, step=_lesson_step(one[0])).answered(read_answer(one[1]))
    return replace(place, step=_lesson_step(given.get("step", 0)))


def _lesson_step(given: Any) -> int:
    return whole_number("step", given, 0, MOST_ANSWERS)


def read_answer(given: Any) -> str | int:
    """An answer to a question: a typed text, or the place of an option."""
    return given if type(given) is int else text_of(given)


def read_conventions(given: Any) -> Conventions:
    """Order, start and seed from JSON."""
    if not isinstance(given, dict):
        raise InputError("a run's conventions must be a JSON object.")
    order, start = given.get("order", "cyclic"), given.get("start")
    if isinstance(order, list) and len(order) <= MOST_ORDERED:
        order = tuple(whole_number("a row of the order", i, 0, MOST_ORDERED) for i in order)
    else:
        one_of("order", order, ORDERS)
    seed = whole_number("seed", given.get("seed", 0), 0, 2**32 - 1)
    if isinstance(start, list) and len(start) <= 8:
        start = tuple(real(v, -LARGEST, LARGEST) for v in start)
    elif start not in (None, "random"):
        raise InputError(f"the start is {start!r}; it must be null, 'random' or a few numbers.")
    return Conventions(order, start, seed)


Reader = Callable[[State, str, Any], Any]  # of a value under a key, for a state


def _word(*allowed: str) -> Reader:
    def read(_state: State, key: str, value: Any) -> Any:
        one_of(key, value, allowed)
        return value

    return read


def _whole(least: int, most: int) -> Reader:
    return lambda _state, key, value: whole_number(key, value, least, most)


def _or_none(most: int) -> Reader:
    return lambda _state, key, value: None if value is None else whole_number(key, value, 0, most)


def _real(least: float, most: float) -> Reader:
    return lambda _state, _key, value: real(value, least, most)


def _pair(least: float, most: float) -> Reader:
    return lambda _state, _key, value: pair(value, least, most)


def _shown(_state: State, key: str, value: Any) -> Any:
    if not isinstance(value, list) or not set(map(str, value)) <= set(LAYERS):
        raise InputError(f"{key} is {value!r}; it must list some of {', '.join(LAYERS)}.")
    return tuple(name for name in LAYERS if name in value)


# Who reads each setting that the page may change one at a time.
SETTINGS: dict[str, Reader] = {
    "numbers": _word(*NUMBERS),
    "tie": _word(*TIES),
    "offset": lambda _state, key, value: true_or_false(key, value),
    "passes": _whole(1, MOST_PASSES),
    "limit": _whole(1, MOST_MISTAKES),
    "map": _word(*MAPS),
    "notation": _word(*NOTATIONS),
    "view": _word(*VIEWS),
    "level": _whole(0, 100),
    "visit": _or_none(2 * MOST_VISITS),
    "k": _or_none(MOST_MISTAKES * MOST_CLASSES),
    "show": _shown,
    "selected": lambda state, key, v: _or_none(max(state.n_rows - 1, 0))(state, key, v),
    "focus": lambda state, key, v: whole_number(key, v, 0, len(state.classes) - 1),
}
# The rest of a state, which only comes as a whole.
_OF_A_SCREEN: dict[str, Reader] = {
    "center": _pair(-LARGEST, LARGEST),
    "span": _real(1e-12, 4 * LARGEST),
    "stretch": _real(1e-24, 1e24),
    "size": _pair(16, 16_384),
    "overlays": lambda _state, key, value: tuple(
        map(read_conventions, listed(key, value, MOST_OVERLAYS))
    ),
    "line": lambda _state, _key, value: _line(value),
    "lesson": lambda _state, _key, value: read_place(value),
    "origin": lambda state, _key, value: read_origin(value, state.n_rows, MOST_ROWS),
}


def with_setting(state: State, key: str, value: Any, known: dict[str, Reader] = SETTINGS) -> State:
    """The state with one setting changed."""
    one_of("setting", key, tuple(known))
    name = "feature_map" if key == "map" else key
    changed: dict[str, Any] = {name: known[key](state, key, value)}
    return replace(state, **changed)


def _rows(given: Any, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(given, list) or len(given) > MOST_ROWS:
        raise InputError(f"rows must be a list of at most {MOST_ROWS} rows.")
    try:
        table = np.array(given or np.empty((0, 3)), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        table = np.empty(0)
    if table.ndim != 2 or table.shape[1] != 3:
        raise InputError("each row must be two numbers and the place of its class.")
    if not np.isin(table[:, 2], np.arange(n_classes)).all():
        raise InputError(f"a row's class must be a whole number from 0 to {n_classes - 1}.")
    return check_points(table[:, :2]), table[:, 2].astype(np.int64)


def check_points(points: np.ndarray) -> np.ndarray:
    """Raise unless the studio can draw these points."""
    with np.errstate(invalid="ignore"):
        if not (np.abs(points) <= LARGEST).all():
            raise InputError(f"a coordinate is not a number of size at most {LARGEST:g}.")
    return np.ascontiguousarray(points + 0.0)  # +0.0 makes a plain zero of −0
