"""Questions of a lesson. What is right is asked of the library, not written down twice.

A block of lines such as `kind: number` and `answer: bound`; docs/studio.md lists them. The example
of a task is carried out when a lesson is opened, so that one which its own words do not solve is
found before a class is.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.conventions import ORDERS, TIES
from novikoff.errors import InputError
from novikoff.studio.computations import Computations
from novikoff.studio.features import MAPS
from novikoff.studio.lessons.numbers import is_answer, readings
from novikoff.studio.lessons.prose import line_nodes
from novikoff.studio.proof import Finding
from novikoff.studio.scene import wrong_rows
from novikoff.studio.state import State
from novikoff.studio.values import Section
from novikoff.studio.views import place, shown_owner
from novikoff.wording import number

KINDS = ("row", "number", "choice", "draw", "do")
DRAWN = 0.02  # of the shorter side of the plane: how far off a line may be that a hand draws
PARTS = ("table", "facts", "best", "update")  # what can be hidden until an answer is given
_KEYS = ("question", "kind", "answer", "until", "right", "hint", "hides", "because",
         "example")  # fmt: skip
_OF_THE_CARD = ("margin", "length", "radius", "bound", "distance")
_LINE = re.compile(r"([a-z]+):[ \t]*(.*)")
_OPTION = re.compile(r"- \[([ x])\] (.+)")
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
_TEST = re.compile(r"\s*([a-z]+)\s*(<=|>=|!=|=|<|>)\s*([a-z0-9.-]+)\s*")
_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le, ">=": operator.ge, "!=": operator.ne, "=": operator.eq, "<": operator.lt,
    ">": operator.gt,
}  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """A quantity compared with a value."""

    quantity: str
    relation: str
    value: Any  # a number or a word


_RELATIONS = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than",
              "=": "exactly", "!=": "anything but"}  # fmt: skip
_STILL = {
    ("converged", "=", "yes"): "The run does not end.",
    ("converged", "=", "no"): "The run still ends.",
    ("status", "=", "separable"): "No line separates the rows yet.",
    ("status", "!=", "separable"): "A line still separates the rows.",
    ("status", "=", "overlapping"): "A line still separates the rows, or touches both classes.",
    ("offset", "=", "yes"): "The offset is still off.",
    ("offset", "=", "no"): "The offset is still on.",
    ("order", "=", "given"): "The order is not one of your own yet.",
    ("order", "=", "shuffled"): "The order is not shuffled yet.",
}


@dataclass(frozen=True)
class Ask:
    """One question."""

    question: tuple[Any, ...]  # nodes
    kind: str
    answer: str = ""
    options: tuple[tuple[Any, ...], ...] = ()
    because: tuple[tuple[Any, ...], ...] = ()  # of each option, what is wrong with it
    right_option: int = -1
    until: tuple[Condition, ...] = ()
    right: tuple[Any, ...] = ()  # said when it is answered
    hint: tuple[Any, ...] = ()
    hides: frozenset[str] = frozenset()  # of PARTS
    example: tuple[dict[str, Any], ...] = ()  # edits that do what is asked

    @property
    def line(self) -> tuple[float, ...]:
        """The line that is to be drawn."""
        return tuple(reading.value for part in self.answer.split(",") for reading in readings(part))

    @property
    def number(self) -> float | None:
        """The answer, where the lesson's file gives it as a number."""
        return _number(self.answer)


# What a question may be about, in words that a student reads too.
OF_FINDING = ("margin", "length", "radius", "bound", "distance", "status", "support")
QUANTITIES = ("mistakes", "passes", "wrong", "moved", "converged", "k", "rows", "offset", "order",
              "tie", "features", *OF_FINDING)  # fmt: skip


def quantity(name: str, computations: Computations, state: State, began: State) -> Any:
    """A quantity of a state, `moved` since it began; None where there is none, as without a run."""
    of_state = {
        "rows": state.n_rows, "offset": "yes" if state.offset else "no", "tie": state.tie,
        "order": state.run.order if isinstance(state.run.order, str) else "given",
        "features": state.feature_map, "moved": _moved(state, began),
        "mistakes": computations.count(state),
    }  # fmt: skip
    if name in of_state:
        return of_state[name]
    if computations.problem(state):
        return None
    timeline = computations.timeline(state)
    k = place(state, timeline)
    if name == "wrong":
        return len(wrong_rows(state, timeline, k))
    if name in OF_FINDING:
        return _of_finding(name, computations.finding(state, shown_owner(state, timeline)))
    converged = "yes" if timeline.converged else "no"
    return {"k": k, "passes": timeline.n_passes, "converged": converged}[name]


def _of_finding(name: str, finding: Finding) -> Any:
    if name in ("status", "bound"):
        return getattr(finding, name)
    if name == "support":
        return len(finding.support)
    if finding.separator is None:
        return None
    margin = finding.margin[0]
    return {"margin": margin, "length": 1.0 / margin, "radius": finding.radius,
            "distance": finding.half_width}[name]  # fmt: skip


def _moved(state: State, began: State) -> int:
    """Rows that are not as the step showed them; rows that are gone or new count too."""
    both = min(state.n_rows, began.n_rows)
    same = (state.points[:both] == began.points[:both]).all(axis=1)
    same &= state.codes[:both] == began.codes[:both]
    return int((~np.asarray(same)).sum()) + abs(state.n_rows - began.n_rows)


# What a word may be compared with; every other quantity is a number.
WORDS: dict[str, tuple[str, ...]] = {
    "converged": ("yes", "no"), "offset": ("yes", "no"), "tie": TIES, "order": (*ORDERS, "given"),
    "features": tuple(MAPS), "status": ("separable", "quasi-separable", "overlapping", "undecided"),
}  # fmt: skip


def read_ask(text: str) -> Ask:
    """A question from the lines of its block."""
    found: dict[str, str] = {}
    options: list[tuple[bool, tuple[Any, ...]]] = []
    because: dict[int, tuple[Any, ...]] = {}
    for line in (line.strip() for line in text.splitlines() if line.strip()):
        option, pair = _OPTION.fullmatch(line), _LINE.fullmatch(line)
        if option:
            options.append((option[1] == "x", tuple(line_nodes(option[2]))))
        elif pair and pair[1] == "because" and options and len(options) - 1 not in because:
            because[len(options) - 1] = tuple(line_nodes(pair[2]))
        elif pair and pair[1] in found:
            raise InputError(f"{pair[1]} is said twice.")
        elif pair and pair[1] in _KEYS:
            found[pair[1]] = pair[2]
        else:
            raise InputError(f"{line[:40]!r} is none of {', '.join(_KEYS)}, and no  - [x] option.")
    kind = found.get("kind", "choice" if options else "")
    if kind not in KINDS:
        raise InputError(f"the kind is {kind!r}; it is one of {', '.join(KINDS)}.")
    if not found.get("question"):
        raise InputError("a question is missing: write  question: …")
    right = [place for place, (is_right, _) in enumerate(options) if is_right]
    if (kind == "choice") != bool(options) or (options and len(right) != 1):
        raise InputError("a choice has options, of which one is right:  - [x] …")
    if kind == "draw" and len(Ask((), kind, found.get("answer", "")).line) != 3:
        raise InputError("a line is drawn by  answer: 2, 3, 6  for 2·x + 3·y + 6 = 0.")
    if kind in ("row", "number") and not _is_answer(kind, found.get("answer", "")):
        raise InputError(f"answer is {found.get('answer', '')[:40]!r}; give a number"
                         f"{', or next' if kind == 'row' else ', or a quantity'}.")  # fmt: skip
    until = tuple(map(_condition, found.get("until", "").split(","))) if kind == "do" else ()
    if "example" in found and kind != "do":
        raise InputError("an example goes with kind: do.")
    hides = {word.strip() for word in found.get("hides", "").split(",") if word.strip()}
    if hides - set(PARTS):
        raise InputError(f"hides is {found['hides']!r}; it names some of {', '.join(PARTS)}.")
    hides |= {"table"} if kind == "row" else set()
    hides |= {"facts"} if kind == "number" and found["answer"] in _OF_THE_CARD else set()
    words = {key: tuple(line_nodes(found[key])) for key in ("question", "right", "hint")
             if key in found}  # fmt: skip
    return Ask(
        words["question"], kind, found.get("answer", ""), tuple(nodes for _, nodes in options),
        tuple(because.get(place, ()) for place in range(len(options))),
        right[0] if right else -1, until, words.get("right", ()), words.get("hint", ()),
        frozenset(hides), read_example(found.get("example", "")),
    )  # fmt: skip


def _is_answer(kind: str, text: str) -> bool:
    if kind == "row":
        return text == "next" or _COUNT.fullmatch(text) is not None
    return (text in QUANTITIES and text not in WORDS) or _number(text) is not None


def _condition(part: str) -> Condition:
    match = _TEST.fullmatch(part)
    said = f"until is {part.strip()!r}"
    if match is None or match[1] not in QUANTITIES:
        names = ", ".join(QUANTITIES)
        raise InputError(f"{said}; it compares one of {names}, such as mistakes >= 50.")
    name, relation, word = match.groups()
    value, words = _number(word), WORDS.get(name)
    if value is None and relation not in ("=", "!="):
        raise InputError(f"{said}; a word is = or != another.")
    if words is None and value is None:
        raise InputError(f"{said}; {name} is a number.")
    if words is not None and word not in words:
        raise InputError(f"{said}; {name} is one of {', '.join(words)}.")
    return Condition(name, relation, word if value is None else value)


def _number(text: str) -> float | None:
    """The number that a lesson's file writes; a student may type more forms (numbers.py)."""
    found = readings(text)
    return found[0].value if len(found) == 1 else None


@dataclass(frozen=True)
class Answered:
    """What is said about an answer."""

    right: bool
    text: str = ""


def check(
    ask: Ask, given: Any, computations: Computations, state: State, began: State
) -> Answered | None:
    """Whether a given answer is right; None where there is none yet.

    began: the state that the step showed. What was asked is about that state, whatever has been
    done to it since; only of a `do` the present one counts.
    """
    if ask.kind == "do":
        return _done(ask, computations, state, began)
    if ask.kind == "draw":
        return drawn(ask.line, state)
    if given is None:
        return None
    if ask.kind == "choice":
        return Answered(given == ask.right_option)
    typed = str(given)
    if not readings(typed):
        return Answered(False, f"{typed[:30]!r} is not a number; write it as 0.5, 1/2 or √5.")
    if ask.kind == "row":
        right = next_row(computations, began) if ask.answer == "next" else int(ask.answer)
        return Answered(is_answer(typed, right))
    true = ask.number
    if true is None:
        true = quantity(ask.answer, computations, began, began)
    if not isinstance(true, (int, float)):
        return Answered(False, "there is no such number here.")
    return Answered(is_answer(typed, float(true)))


def drawn(line: tuple[float, ...], state: State) -> Answered:
    """Whether a person's own line is the one that is asked for, as well as a hand can draw it."""
    if state.line is None:
        return Answered(False, "Drag the two handles of the line.")
    (a, b, c), (x1, y1, x2, y2) = line, state.line
    off = max(abs(a * x1 + b * y1 + c), abs(a * x2 + b * y2 + c)) / math.hypot(a, b)
    if math.hypot(x2 - x1, y2 - y1) < 0.1 * state.span:
        return Answered(False, "Move the two handles further apart.")
    if off <= DRAWN * state.span:
        return Answered(True)
    far = number(float(f"{off:.2g}"))
    return Answered(False, f"Not yet: a handle is {far} away from the line.")


def next_row(computations: Computations, state: State) -> int:
    """The number of the row of the next mistake, from 1; 0 for no row."""
    if computations.problem(state):
        return 0
    timeline = computations.timeline(state)
    k = place(state, timeline)
    return timeline.update(k + 1).step.row + 1 if k < timeline.n_updates else 0


def _done(ask: Ask, computations: Computations, state: State, began: State) -> Answered:
    for condition in ask.until:
        value = quantity(condition.quantity, computations, state, began)
        same_kind = isinstance(value, str) == isinstance(condition.value, str)
        met = value is not None and same_kind
        met = met and _COMPARED[condition.relation](value, condition.value)
        if not met:
            return Answered(False, so_far(condition, value))
    return Answered(True)


def so_far(condition: Condition, value: Any) -> str:
    """How a task stands, as a sentence: this condition is not met."""
    name, wanted = condition.quantity, condition.value
    if isinstance(wanted, str):
        return _STILL.get((name, condition.relation, wanted), f"The {name} is still {value}.")
    shown = "not known" if value is None else number(float(value))
    amount = f"{_RELATIONS[condition.relation]} {number(wanted)}"
    if name in ("margin", "length", "radius", "bound", "distance"):
        return f"So far the {name} is {shown}; it is to be {amount}."
    things = {"moved": "moved rows", "wrong": "wrong rows", "support": "ringed rows"}.get(
        name, name
    )
    return f"So far: {shown} {things}; wanted: {amount}."


_MOVE = re.compile(r"row ([1-9][0-9]{0,5}) at (-?[0-9.]+), (-?[0-9.]+)")
_ROW = re.compile(r"(flip|delete) row ([1-9][0-9]{0,5})")
_SET = re.compile(r"(offset|order|start|features|tie|seed) (\S.*)")
_FLAGS = {"yes": True, "no": False}


def read_example(text: str) -> tuple[dict[str, Any], ...]:
    """The edits of an example, in order."""
    return tuple(_edit(part.strip()) for part in text.split(";") if part.strip())


def _edit(text: str) -> dict[str, Any]:
    if move := _MOVE.fullmatch(text):
        return {"do": "place", "row": int(move[1]) - 1, "x": move[2], "y": move[3]}
    if row := _ROW.fullmatch(text):
        return {"do": row[1], "row": int(row[2]) - 1}
    if setting := _SET.fullmatch(text):
        key = "map" if setting[1] == "features" else setting[1]
        value: Any = _FLAGS.get(setting[2], setting[2])
        value = int(setting[2]) if key == "seed" and setting[2].isdecimal() else value
        return {"do": "set", "key": key, "value": value}
    raise InputError(
        f"example is {text[:60]!r}; it is written as  row 2 at 2, 1.9  or  flip row 3  or  "
        "offset yes."
    )


def without_answer(view: Section, ask: Ask) -> Section:
    """The view without what the question asks for."""
    shown = dict(view)
    k, table, scene = view["controls"]["k"], view["table"], view["scene"]
    if table is not None and ask.hides & {"table", "update"}:
        last = k if "update" in ask.hides else k + 1
        shown["table"] = table | {"entries": table["entries"][: max(0, last - table["first"])]}
        shown["table"] |= {"total": k} if "table" in ask.hides else {}
    if "facts" in ask.hides:
        shown |= {"proof": None, "live": None, "chart": None, "cursor": None}
        shown["verdict"] = view["verdict"] and view["verdict"] | {"facts": []}
    if "best" in ask.hides:
        under = [mark for mark in scene["under"] if mark["role"] != "maximum"]
        scene = scene | {"under": under, "proof": scene["proof"] and
                         scene["proof"] | {"widest": None, "best": None}}  # fmt: skip
    if "update" in ask.hides:
        shown |= {"inset": None, "live": None}
        shown["step"] = view["step"] and view["step"] | {"sum": [], "text": ""}
        scene = scene | {"update": scene["update"] and scene["update"] | {"text": ""}}
    return shown | {"scene": scene}
