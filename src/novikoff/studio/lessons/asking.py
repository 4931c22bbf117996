"""Questions of a lesson. What is right is asked of the library, and the page compares.

A block of lines such as `kind: number` and `answer: bound`; docs/studio.md lists them. The example
of a task is carried out when a lesson is opened, so that one which its own words do not solve is
found before a class is.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.conventions import ORDERS, TIES
from novikoff.errors import InputError
from novikoff.studio.computations import Computations
from novikoff.studio.features import MAPS
from novikoff.studio.lessons.prose import line_nodes
from novikoff.studio.proof import Finding
from novikoff.studio.scene import wrong_rows
from novikoff.studio.state import State
from novikoff.studio.values import Section
from novikoff.studio.views import place, shown_owner

KINDS = ("row", "number", "choice", "draw", "do")
PARTS = ("table", "facts", "best", "update")  # what can be hidden until an answer is given
_KEYS = ("question", "kind", "answer", "until", "right", "hint", "hides", "because",
         "example")  # fmt: skip
_OF_THE_CARD = ("margin", "length", "radius", "bound", "distance")
_LINE = re.compile(r"([a-z]+):[ \t]*(.*)")
_OPTION = re.compile(r"- \[([ x])\] (.+)")
_COUNT = re.compile(r"[1-9][0-9]{0,8}")
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,40})?(/[0-9]{1,18})?")
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

    def value(self, computations: Computations, state: State) -> Any:
        """What is right of the state that the step shows; None where there is no such number."""
        if self.kind == "draw":
            return self.line
        if self.kind == "row" and self.answer == "next":
            return next_row(computations, state)
        if self.kind in ("row", "number"):
            given = _number(self.answer)
            return quantity(self.answer, computations, state, state) if given is None else given
        return None

    @property
    def line(self) -> list[float]:
        """The line that is to be drawn."""
        found = (_number(part.strip()) for part in self.answer.split(","))
        return [value for value in found if value is not None]

    def asked(self, computations: Computations, state: State) -> Section:
        """The question with its answer, for the page, which hides what it shows of it."""
        return {
            "kind": self.kind, "question": list(self.question),
            "options": list(map(list, self.options)), "because": list(map(list, self.because)),
            "right_option": self.right_option, "right": list(self.right), "hint": list(self.hint),
            "until": [[one.quantity, one.relation, one.value] for one in self.until],
            "hides": sorted(self.hides), "value": self.value(computations, state),
        }  # fmt: skip

    def quantities(self, computations: Computations, state: State, began: State) -> Section:
        """What a task speaks of, of the rows as they are now."""
        return {
            one.quantity: quantity(one.quantity, computations, state, began) for one in self.until
        }

    def is_done(self, computations: Computations, state: State, began: State) -> bool:
        """Whether a state does what a task asks."""
        found = self.quantities(computations, state, began)
        pairs = [(found[one.quantity], one) for one in self.until]
        return all(
            value is not None
            and isinstance(value, str) == isinstance(one.value, str)
            and _COMPARED[one.relation](value, one.value)
            for value, one in pairs
        )


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
            "distance": finding.distance[0]}[name]  # fmt: skip


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
    """The number that a lesson's file writes; a student may type more forms (page/figures.js)."""
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return float(Fraction(text))
    except (ZeroDivisionError, OverflowError):
        return None


def next_row(computations: Computations, state: State) -> int:
    """The number of the row of the next mistake, from 1; 0 for no row."""
    if computations.problem(state):
        return 0
    timeline = computations.timeline(state)
    k = place(state, timeline)
    return timeline.update(k + 1).step.row + 1 if k < timeline.n_updates else 0


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
