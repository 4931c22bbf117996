"""FewestMistakes: the answer of `fewest_mistakes`, between two bounds, each with its proof."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.certificates import Mistakes, Reading
from novikoff.conventions import seconds as read_seconds
from novikoff.errors import NoTruthValue
from novikoff.inputs import Labels, Table, row_numbers
from novikoff.io.doubts import frame_doubts
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.mistakes.hitting import Hitting
from novikoff.search.mistakes.others import has_answer_without, is_in_every_answer, wander
from novikoff.search.threads import one_thread
from novikoff.verdicts.suspects import Suspects, suspects_of
from novikoff.views import view
from novikoff.wording import count, facts_text, label_fact, table_html

SUSPECTS = 10.0  # seconds for the rows to look at, unless told otherwise
MOST = 20  # rows that are listed in words
WANDERINGS = 40


@dataclass(frozen=True, eq=False, repr=False)
class FewestMistakes(NoTruthValue):
    """The fewest rows that any hyperplane gets wrong, a row on it included: at least `lower`.

    Attributes
    ----------
    lower, upper : the rows (or their cost, where rows have costs) that the best hyperplane gets
        wrong are at least and at most so many; both are None where trusted rows alone are not
        separable
    optimal : whether the two are the same
    rows : the rows that the hyperplane found gets wrong: an array of their numbers in X, from 0,
        or in the file that X was read from
    certificate : the proof of both; `certificate.lower` is what the file proves. It is less than
        `lower` only where that comes from counting hyperplanes
    how : the methods that found the bounds
    seconds : in all
    interrupted : whether Ctrl-C ended the search
    classes, n_rows, n_columns, fit_intercept, numbers, reading : as in `Verdict`
    """

    lower: int | Fraction | None
    upper: int | Fraction | None
    certificate: Mistakes
    how: tuple[str, ...]
    seconds: float
    interrupted: bool
    classes: tuple[Any, Any]
    table: Table = field(repr=False)
    labels: Labels = field(repr=False)
    hitting: Hitting = field(repr=False)
    by_counting: bool = False
    reading: Reading | None = None
    always: dict[int, bool] = field(default_factory=dict, repr=False)
    ask_instead = "few.upper == 0 for separable data, or few.optimal"

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

    def number(self, place: int) -> int:
        """The number, from 0, of a row of X in the file that X was read from."""
        return place if self.reading is None else self.reading.number(place)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was encoded or left out in a file, or columns of a DataFrame to ask about."""
        if self.reading is not None:
            return tuple(self.reading.notes)
        return frame_doubts(self.table, self.labels.signs)

    @property
    def rows(self) -> np.ndarray:
        return row_numbers(map(self.number, self.places.tolist()))

    def _name(self, place: int) -> Any:
        return self.number(place) if self.table.index is None else self.table.row_name(place)

    @property
    def row_names(self) -> list[Any]:
        """`rows` as the DataFrame's index names them; their numbers where X has no index."""
        return [self._name(place) for place in self.places.tolist()]

    @property
    def weights(self) -> np.ndarray | None:
        """w of the hyperplane w·x + b = 0, as floats; `certificate.weights` has it exactly."""
        found = self._floats()
        return None if found is None else found[:-1]

    @property
    def offset(self) -> float | None:
        """b, as a float; 0 without an offset."""
        found = self._floats()
        return None if found is None else float(found[-1])

    def _floats(self) -> np.ndarray | None:
        weights = self.certificate.weights
        if weights is None or isinstance(weights, np.ndarray):
            return weights
        largest = max(abs(Fraction(value)) for value in weights) or Fraction(1)
        return np.array([float(Fraction(value) / largest) for value in weights])

    # Labels to look at

    @property
    def suspects(self) -> Suspects:
        """The labels to look at: `find_suspects` in ten seconds at most, asked once."""
        if "_suspects" not in self.__dict__:
            object.__setattr__(self, "_suspects", self.find_suspects(SUSPECTS))
        return self.__dict__["_suspects"]  # type: ignore[no-any-return]

    def find_suspects(self, time_limit: float | None = SUSPECTS) -> Suspects:
        """The rows of the best answers, how often each is given up, and whether always.

        Whether a row is in every best answer is proven, where the bracket is closed, by keeping
        the row and seeing the lower bound pass the optimum. Asked again, the search goes on.
        """
        hitting, limit = self.hitting, read_seconds(time_limit)
        self.table.unchanged()
        best = hitting.best
        if best.cost is None:
            return Suspects([], 0, 0)
        hitting.clock = Clock(limit)
        with one_thread(hitting.z.dim):
            try:
                wander(hitting, WANDERINGS if not self.always else 0)
                for row in best.wrong.tolist() if self.optimal else ():
                    if row not in self.always:
                        self.always[row] = is_in_every_answer(hitting, row)
            except (OutOfTimeError, KeyboardInterrupt):
                pass
        for row in {
            row for wrong, cost in best.answers.items() if cost == best.cost for row in wrong
        }:
            if has_answer_without(hitting, row):
                self.always[row] = False
        cost = best.cost
        return suspects_of(
            best.answers, cost, best.wrong.tolist(), self.always, self.number, self._name
        )

    # Words, pictures, pages

    def sentence(self) -> str:
        """What is true, in a sentence or two."""
        plane = "hyperplane" if self.fit_intercept else "hyperplane through the origin"
        if self.impossible:
            if len(self.rows) == 1:
                return f"Every {plane} gets a trusted row wrong: row {self.rows[0]} is zero."
            return (
                f"Every {plane} gets a trusted row wrong: the trusted rows {_listed(self.rows)} "
                "alone rule out one that is right on all of them."
            )
        if len(self.certificate.trusted):  # the others may do better
            trusted = count(len(self.certificate.trusted), "trusted row").removeprefix("1 ")
            plane += f" that is right on the {trusted}"
        rows = count(self.n_rows, "row")
        if self.certificate.costs is not None:
            what, of = "the mistakes of the best", f" on {rows}"
            if self.optimal:
                text = f"Exactly {_shown(self.lower)} is what {what} {plane} cost{of}"
            else:
                text = (f"At least {_shown(self.lower)} and at most {_shown(self.upper)} is what "
                        f"{what} {plane} cost{of}")  # fmt: skip
        elif self.optimal:
            verb = "is" if self.lower == 1 else "are"
            text = f"Exactly {self.lower} of {rows} {verb} wrong for the best {plane}"
        else:
            text = (f"At least {self.lower} and at most {self.upper} of {rows} are wrong for the "
                    f"best {plane}")  # fmt: skip
        if self.by_counting:
            proven = _shown(self.certificate.lower)
            text += f" (by enumeration; the proof file proves at least {proven})"
        return text + "."

    def facts(self) -> list[tuple[str, str]]:
        """Name and text of everything else that is worth a line."""
        facts = label_fact(self.reading)
        if not self.impossible and len(self.rows):
            facts.append(("rows", f"{_listed(self.rows)}, counted from 0: labels to look at"))
            if self.table.index is not None:
                facts.append(("index", f"{_listed(self.row_names)}, the same rows by name"))
        if len(self.certificate.trusted):
            facts.append(("trusted", count(len(self.certificate.trusted), "row")))
        if self.notes:
            facts.append(("reading" if self.reading else "columns", "; ".join(self.notes)))
        facts.append(("proof", self._proof()))
        ended = "interrupted after" if self.interrupted else "in"
        facts.append(("found", f"{ended} {self.seconds:.3g} s by {', then '.join(self.how)}"))
        return facts

    def _proof(self) -> str:
        found = self.certificate
        if self.impossible:
            return f"{found.method}, checked exactly"
        if not found.obstructions:
            return "a hyperplane, checked exactly"
        below = f"{found.method} of {count(len(found.obstructions), 'obstruction')}"
        if found.method.startswith("disjoint"):
            below = count(len(found.obstructions), "disjoint obstruction")
        return f"a hyperplane, and {below}, checked exactly"

    def plot(self, ax: Any = None) -> Any:
        """Draw the hyperplane with the rows that it gets wrong marked (needs matplotlib)."""
        return view("fewest.plot")(self, ax=ax)

    def report(
        self, path: str | os.PathLike[str], source: str | None = None, proof: str | None = None
    ) -> None:
        """Write one HTML file with the answer, the rows with their columns, and a picture."""
        view("fewest.report")(self, path, source, proof)

    def to_dict(self) -> dict[str, Any]:
        """What is known, as numbers, lists and texts that JSON can hold, without the proof."""
        weights, offset = self.weights, self.offset
        return {
            "lower": _json(self.lower),
            "upper": _json(self.upper),
            "optimal": self.optimal,
            "impossible": self.impossible,
            "by_enumeration": self.by_counting,
            "proven_lower": _json(self.certificate.lower),
            "rows": self.rows.tolist(),
            "row_names": [str(name) for name in self.row_names],
            "weights": None if weights is None else weights.tolist(),
            "offset": offset,
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "negative": str(self.classes[0]),
            "positive": str(self.classes[1]),
            "label": None if self.reading is None else self.reading.label,
            "fit_intercept": self.fit_intercept,
            "numbers": self.numbers,
            "method": self.certificate.method,
            "obstructions": len(self.certificate.obstructions),
            "notes": list(self.notes),
            "how": list(self.how),
            "interrupted": self.interrupted,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        return facts_text(self.sentence(), self.facts())

    def __repr__(self) -> str:
        return f"<FewestMistakes: {self.sentence()}>"

    def _repr_html_(self) -> str:
        table = table_html(["", ""], [list(fact) for fact in self.facts()])
        return f"<p>{html.escape(self.sentence())}</p>{table}"


def _listed(rows: Any) -> str:
    shown = ", ".join(map(str, rows[:MOST]))
    return shown + f", … ({len(rows)} in all)" * (len(rows) > MOST)


def _shown(value: int | Fraction | None) -> str:
    if value is None or isinstance(value, int):
        return str(value)
    short = f"{_nearest(value):.10g}"
    return short if Fraction(short) == value else str(value) if value.denominator < 10**6 else short


def _json(value: int | Fraction | None) -> int | float | str | None:
    if value is None or isinstance(value, int):
        return value
    near = _nearest(value)
    return near if isinstance(near, float) else str(near)


def _nearest(value: Fraction) -> float | Decimal:
    """A float, or a decimal where the value is beyond floats, large or small."""
    try:
        near = float(value)
    except OverflowError:
        near = 0.0
    return near or Decimal(value.numerator) / Decimal(value.denominator)
