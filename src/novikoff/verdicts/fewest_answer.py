"""FewestMistakes: the answer of `fewest_mistakes`, between two bounds, each with its proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from novikoff.certificates import Mistakes, Reading
from novikoff.conventions import seconds as read_seconds
from novikoff.hooks import hook
from novikoff.inputs import Labels, Table, row_numbers
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.mistakes.hitting_set import HittingSetSearch
from novikoff.search.threads import one_thread
from novikoff.verdicts.answer import Answer, Facts, listed, row_facts
from novikoff.verdicts.arguments import column_warnings
from novikoff.verdicts.hyperplane import Hyperplane
from novikoff.verdicts.numerals import about, as_json
from novikoff.wording import count, table_html, table_text

if TYPE_CHECKING:
    from novikoff.display import BoundaryDisplay

SUSPECT_SECONDS = 10.0  # seconds for the rows to look at, unless told otherwise
OPTIMA_SAMPLED = 40  # changes of one row for another, from one optimum to the next


ENTRY = ("n_rows", "lower", "upper", "optimal", "rows", "seconds")  # in a table of answers
ALWAYS = {True: "yes", False: "no", None: "not known"}


class Suspect(NamedTuple):
    """A row that a best answer gives up.

    row : its number in X, or in the file that X was read from, from 0
    name : what a DataFrame's index calls it
    share : of the answers found, best or nearly so, how large a part gives it up
    always : True if every best answer gives it up, which is proven; False if one was found that
        does not; None if neither is known
    """

    row: int
    name: Any
    share: float
    always: bool | None


class Suspects(list[Suspect]):
    """The rows to look at, those in most answers first. A label there may well be right."""

    def __init__(self, found: Iterable[Suspect], n_answers: int) -> None:
        super().__init__(found)
        self.n_answers = n_answers

    @property
    def rows(self) -> np.ndarray:
        """Their numbers, as an array."""
        return row_numbers(suspect.row for suspect in self)

    def _table(self) -> tuple[list[str], list[list[str]]]:
        named = any(s.name != s.row for s in self)
        entries = [
            [str(s.row), *[str(s.name)] * named, f"{100 * s.share:.0f}%", ALWAYS[s.always]]
            for s in self
        ]
        return ["row", *["name"] * named, "of answers", "in every best answer"], entries

    def to_dict(self) -> list[dict[str, Any]]:
        return [{**suspect._asdict(), "name": str(suspect.name)} for suspect in self]

    def __str__(self) -> str:
        answers = f"{self.n_answers} answers" if self.n_answers != 1 else "one answer"
        return f"Labels to look at, from {answers} found:\n{table_text(*self._table())}"

    def __repr__(self) -> str:
        return f"<Suspects: {len(self)} rows of {self.n_answers} answers>"

    def _repr_html_(self) -> str:
        return table_html(*self._table())


@dataclass(frozen=True, eq=False, repr=False)
class FewestMistakes(Answer):
    """The fewest rows that any hyperplane gets wrong, a row on it included: at least `lower`.

    Attributes
    ----------
    lower, upper : the rows (or their cost, where rows have costs) that the best hyperplane gets
        wrong are at least and at most so many; both are None where trusted rows alone are not
        separable
    optimal : whether the two are the same
    rows : the rows that the hyperplane found gets wrong: an array of their numbers in X, from 0,
        or in the file that X was read from
    certificate : the proof of both; `certificate.lower` is what the file proves, less than `lower`
        only where that comes from counting hyperplanes
    how : the methods that found the bounds
    seconds : in all
    interrupted : whether Ctrl-C ended the search
    classes, n_rows, n_columns, fit_intercept, numbers, reading : as in `Verdict`
    """

    certificate: Mistakes
    how: tuple[str, ...]
    seconds: float
    interrupted: bool
    classes: tuple[Any, Any]
    table: Table = field(repr=False)
    labels: Labels = field(repr=False)
    hitting: HittingSetSearch = field(repr=False)
    by_counting: bool = False
    reading: Reading | None = None
    always: dict[int, bool] = field(default_factory=dict, repr=False)
    ask_instead = "few.upper == 0 for separable data, or few.optimal"

    @property
    def lower(self) -> int | Fraction | None:
        return self.certificate.upper if self.by_counting else self.certificate.lower

    @property
    def upper(self) -> int | Fraction | None:
        return self.certificate.upper

    @property
    def optimal(self) -> bool:
        return self.lower is not None and self.lower == self.upper

    @property
    def impossible(self) -> bool:
        """Whether trusted rows alone are not separable, so that no hyperplane is an answer."""
        return self.upper is None

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    @property
    def n_columns(self) -> int:
        return self.table.n_columns

    @property
    def fit_intercept(self) -> bool:
        return self.certificate.stamp.offset

    @property
    def numbers(self) -> str:
        return self.table.numbers

    @property
    def places(self) -> np.ndarray:
        """Where the rows that are wrong stand in X; where impossible, the obstruction's rows."""
        found = self.certificate
        return found.obstructions[0][0] if self.impossible else found.mistakes

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was encoded or left out in a file, or columns of a DataFrame to ask about."""
        if self.reading is not None:
            return tuple(self.reading.notes)
        return column_warnings(self.table, self.labels.signs)

    @property
    def rows(self) -> np.ndarray:
        return row_numbers(map(self.number, self.places.tolist()))

    @property
    def has_index(self) -> bool:
        return self.table.index is not None

    @property
    def row_names(self) -> list[Any]:
        """`rows` as the DataFrame's index names them; their numbers where X has no index."""
        return self.table.row_names(self.rows)

    @property
    def weights(self) -> np.ndarray | None:
        """w of the hyperplane w·x + b = 0, as floats, over the largest |w| or |b|.

        `certificate.weights` has them exactly, of any size.
        """
        weights = self.certificate.weights
        return None if weights is None else Hyperplane(weights).floats[:-1]

    @property
    def offset(self) -> float | None:
        """b, as a float; 0 without an offset."""
        weights = self.certificate.weights
        return None if weights is None else float(Hyperplane(weights).floats[-1])

    # Labels to look at

    @cached_property
    def suspects(self) -> Suspects:
        """The labels to look at: `find_suspects` in ten seconds at most, asked once."""
        return self.find_suspects(SUSPECT_SECONDS)

    def find_suspects(self, time_limit: float | None = SUSPECT_SECONDS) -> Suspects:
        """The rows of the best answers, how often each is given up, and whether always.

        Whether a row is in every best answer is proven, where the bracket is closed, by keeping
        the row and seeing the lower bound pass the optimum. Asked again, the search goes on.
        """
        hitting, limit = self.hitting, read_seconds(time_limit)
        self.table.unchanged()
        if hitting.upper is None:
            return Suspects([], 0)
        hitting.clock = Clock(limit)
        with one_thread(hitting.z.dim), suppress(OutOfTimeError, KeyboardInterrupt):
            hitting.sample_optima(OPTIMA_SAMPLED if not self.always else 0)
            for row in hitting.wrong.tolist() if self.optimal else ():
                if row not in self.always:
                    self.always[row] = hitting.is_in_every_answer(row)
        best, wrong_rows = hitting.upper, tuple(hitting.wrong.tolist())
        answers = {wrong_rows: best, **hitting.answers}
        given_up = {row for wrong, cost in answers.items() if cost == best for row in wrong}
        self.always.update({row: False for row in given_up if hitting.has_answer_without(row)})
        most = best + (max(1, best // 10) if best else 0)
        near = [wrong for wrong, cost in answers.items() if cost <= most]
        counts = Counter(row for wrong in near for row in wrong)
        places = sorted(given_up, key=lambda row: (-counts[row], row))
        numbers = row_numbers(self.number(place) for place in places)
        named = zip(places, numbers.tolist(), self.table.row_names(numbers), strict=True)
        return Suspects(
            (Suspect(row, name, counts[place] / len(near), self.always.get(place))
             for place, row, name in named), len(near),
        )  # fmt: skip

    # Words, pictures, pages

    def sentence(self) -> str:
        plane = "hyperplane" if self.fit_intercept else "hyperplane through the origin"
        if self.impossible:
            why = f"row {self.rows[0]} is zero"
            if len(self.rows) > 1:
                why = (f"the trusted rows {listed(self.rows)} alone rule out one that is right on "
                       "all of them")  # fmt: skip
            return f"Every {plane} gets a trusted row wrong: {why}."
        if len(self.certificate.trusted):  # the others may do better
            trusted = count(len(self.certificate.trusted), "trusted row").removeprefix("1 ")
            plane += f" that is right on the {trusted}"
        rows, much = count(self.n_rows, "row"), f"Exactly {_shown(self.lower)}"
        if not self.optimal:
            much = f"At least {_shown(self.lower)} and at most {_shown(self.upper)}"
        if self.by_counting:
            proven = _shown(self.certificate.lower)
            plane += f" (by enumeration; the proof file proves at least {proven})"
        if self.certificate.costs is not None:
            return f"{much} is what the mistakes of the best {plane} cost on {rows}."
        verb = "is" if self.upper == self.lower == 1 else "are"
        return f"{much} of {rows} {verb} wrong for the best {plane}."

    def plot(self, ax: Any = None) -> BoundaryDisplay:
        """Draw the best hyperplane, with the rows that it gets wrong (needs matplotlib)."""
        self.check_rows("a picture of them")
        display: BoundaryDisplay = hook("fewest.plot")(self, ax=ax)
        return display

    def check_rows(self, _what: str) -> None:
        self.table.unchanged()

    def _own_facts(self) -> Facts:
        facts: Facts = []
        if not self.impossible:
            names = self.row_names if self.has_index else None
            facts += row_facts(self.rows, ": labels to look at", names)
        if len(self.certificate.trusted):
            facts.append(("trusted", count(len(self.certificate.trusted), "row")))
        return facts

    def _ended(self) -> tuple[str, str]:
        found = super()._ended()[1]
        return "found", found.replace("in", "interrupted after", 1) if self.interrupted else found

    @property
    def _proof(self) -> str:
        found = self.certificate
        if self.impossible or not found.obstructions:
            return found.method if self.impossible else "a hyperplane"
        if found.method.startswith("disjoint"):
            return f"a hyperplane, and {count(len(found.obstructions), 'disjoint obstruction')}"
        return (
            f"a hyperplane, and {found.method} of {count(len(found.obstructions), 'obstruction')}"
        )

    def entry(self) -> dict[str, Any]:
        """What a table of several answers says of this one."""
        known = self.to_dict()
        return {name: known[name] for name in ENTRY}

    def to_dict(self) -> dict[str, Any]:
        """What is known, as numbers, lists and texts that JSON can hold, without the proof."""
        weights = self.weights
        return {
            "lower": as_json(self.lower),
            "upper": as_json(self.upper),
            "optimal": self.optimal,
            "impossible": self.impossible,
            "by_enumeration": self.by_counting,
            "proven_lower": as_json(self.certificate.lower),
            "rows": self.rows.tolist(),
            "row_names": [str(name) for name in self.row_names],
            "weights": None if weights is None else weights.tolist(),
            "offset": self.offset,
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "negative": str(self.classes[0]),
            "positive": str(self.classes[1]),
            "fit_intercept": self.fit_intercept,
            "method": self.certificate.method,
            "obstructions": len(self.certificate.obstructions),
            "interrupted": self.interrupted,
            **self._common(),
        }

    def __repr__(self) -> str:
        return f"<FewestMistakes: {self.sentence()}>"


def _shown(value: int | Fraction | None) -> str:
    if value is None or isinstance(value, int):
        return str(value)
    short = about(value, 10)
    return short if Fraction(short) == value else str(value) if value.denominator < 10**6 else short
