"""RegressionVerdict: does the estimate exist, what is to blame, and the proof.

Printing and `to_dict` ask for what follows from a verdict (collinear and infinite coefficients,
what to leave out) only of data so small that it is a matter of a moment; of larger ones they say
what was asked for before. `infinite`, `infinite_signs`, `collinear` and `drop` ask, and the
verdict remembers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from novikoff.certificates import Claim, Reading
from novikoff.certificates.comparisons import Comparisons
from novikoff.conventions import seconds as read_seconds
from novikoff.errors import InputError
from novikoff.inputs import row_numbers
from novikoff.regression.collinear import DependentCoefficients, rounding_notes, why_dependent
from novikoff.regression.decide import decide
from novikoff.regression.dropping import Drop, propose
from novikoff.regression.model_data import ModelData
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.collinear import elimination_seconds
from novikoff.search.infinite import InfiniteCoefficients
from novikoff.search.signed_rows import SignedRows
from novikoff.verdicts.answer import (
    MOST_LISTED,
    Answer,
    Facts,
    collinear_text,
    listed,
    runs_of,
    signed_names,
)
from novikoff.verdicts.collinear import Collinear, collinear_in_time
from novikoff.wording import count, plural

if TYPE_CHECKING:
    from novikoff.regression.limit import LikelihoodRatio, Limit, RefitData

# What follows from a verdict is found without being asked for where the comparisons have no more
# numbers, and an elimination takes no more seconds.
MOST_NUMBERS_UNASKED, SECONDS_UNASKED = 20_000_000, 1.0
MOST_IN_A_SENTENCE = 6  # coefficients, before the facts that list more
ON_THE_EDGE = (
    "the estimate may lie on the edge of a log-binomial model, where the fitted probability of an "
    "observation without a failure ({} of {}) is 1; standard errors and tests mean nothing there"
)
FREE = "not determined and may be anything"
NO_TIME = "no time was left to look for columns that are combinations but for rounding"
PRINTED = "; often all that is seen is a large coefficient with a huge standard error."
CHOICES = (
    "collapse levels or classes, penalise (Firth's bias reduction, a prior), or report the limit "
    "with its one-sided intervals, which the verdict's `limit()` gives; docs/infinite.md says when "
    "each is right."
)


@dataclass(frozen=True, eq=False, repr=False)
class RegressionVerdict(Answer):
    """What is true of a regression's maximum-likelihood estimate, exactly, and the proof.

    Attributes
    ----------
    status : 'finite', 'infinite' or 'undecided'
    certificate : Claim; None where undecided
    given : the model and its data: `.model`, `.table`, `.response`, `.notes`
    comparison_rows : the comparisons that the model makes of the data, with their signs
    settled : which of them are strict along one direction, by place; None where undecided
    stages, seconds : seconds spent in each stage, and in all
    why_undecided : what ended the search, in words; None where it is decided
    """

    status: Literal["finite", "infinite", "undecided"]
    certificate: Claim | None
    given: ModelData
    comparison_rows: Comparisons
    settled: np.ndarray | None
    stages: dict[str, float]
    seconds: float
    seed: int = 0
    time_limit: float | None = None
    why_undecided: str | None = None
    _asked: dict[str, Any] = field(default_factory=dict)
    ask_instead = "fit.status == 'finite'"
    names_methods = False

    @classmethod
    def of(cls, given: ModelData, time_limit: float | None, seed: int) -> RegressionVerdict:
        """Decide it."""
        found = decide(given, time_limit, seed)
        status: Literal["finite", "infinite", "undecided"] = "undecided"
        if found.proof is not None:
            status = "infinite" if found.proof.n_settled else "finite"
        return cls(
            status, found.proof, given, found.rows, found.settled, found.clock.seconds,
            found.clock.spent(), seed, time_limit, found.why,
        )  # fmt: skip

    @property
    def model(self) -> str:
        """The model, as it was called."""
        return self.given.called or self.given.model.name

    @property
    def n_rows(self) -> int:
        """How many observations the model has."""
        return self.given.n_rows

    @property
    def reading(self) -> Reading | None:
        """How the data came out of a file, where it did."""
        return self.given.reading

    @property
    def numbers(self) -> str:
        return "binary64" if self.given.table is None else self.given.table.numbers

    @property
    def has_changed(self) -> bool:
        return self.given.has_changed

    @property
    def has_index(self) -> bool:
        return self.given.index is not None

    def check_rows(self, _what: str) -> None:
        self.given.check_unchanged()

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was encoded, left out, rounded or found on the way, in words."""
        collinear = self.collinear_if_quick()
        known = [] if collinear is None else collinear.places
        notes = list(self.given.notes)
        try:
            clock = Clock(self.time_limit)
            notes += rounding_notes(self.given, self.comparison_rows, known, clock)
        except OutOfTimeError:
            notes.append(NO_TIME)
        failures = self.given.failures
        if failures is not None and self.status == "finite" and not failures.all():
            notes.append(ON_THE_EDGE.format(int((~failures).sum()), len(failures)))
        return tuple(notes)

    @cached_property
    def is_small(self) -> bool:
        """Whether what follows from the verdict is found in a moment."""
        table = self.comparison_rows.table
        few = table.n_rows * table.n_columns <= MOST_NUMBERS_UNASKED
        return few and elimination_seconds(table) <= SECONDS_UNASKED

    def known(self, name: str) -> bool:
        """Whether `infinite` or `drop` may be asked for without a long search."""
        return not self.has_changed and (self.is_small or name in self._asked)

    @property
    def how(self) -> tuple[str, ...]:
        """The stages of the search, in the order in which they were first entered."""
        return tuple(self.stages)

    # Coefficients

    @cached_property
    def coefficients(self) -> tuple[str, ...]:
        """What the coefficients are called."""
        return tuple(self.given.coefficients())

    def _name(self, place: int) -> str:
        return self.coefficients[place] if place < len(self.coefficients) else "(none)"

    def _remembered(self, name: str, ask: Callable[[], Any]) -> Any:
        """What was found once, or is found now."""
        if name not in self._asked:
            self._asked[name] = ask()
        return self._asked[name]

    def dependent(self, clock: Clock) -> DependentCoefficients:
        """The coefficients that depend on earlier ones; OutOfTimeError where the clock says so."""
        found: DependentCoefficients = self._remembered(
            "dependent", lambda: DependentCoefficients(self.given, self.comparison_rows, clock)
        )
        return found

    def directions(
        self, settled: np.ndarray, clock: Clock, weights: Any = None
    ) -> InfiniteCoefficients:
        """What directions that settle these comparisons can move; OutOfTimeError.

        weights : of a direction that settles them, where it is known
        """
        rows, dependent = self.comparison_rows, self.dependent(clock).columns
        z = SignedRows(rows.table, rows.signs, rows.offset)
        return InfiniteCoefficients(z, settled, dependent, clock, weights)

    @property
    def collinear(self) -> Collinear:
        """The columns that depend on earlier ones, each with its dependence; the constant first.

        They are left out before it is asked what is infinite: their coefficients are not
        determined. Exact, whatever the status; InputError where the time limit ends the search.
        """
        with collinear_in_time(len(self.coefficients), self.time_limit) as clock:
            found = self.dependent(clock)
        return Collinear(found, self._name, partial(why_dependent, self.given))

    def collinear_if_quick(self) -> Collinear | None:
        """`collinear` if it is known already, or a matter of a moment; else None."""
        if self.known("dependent"):
            with suppress(InputError):
                return self.collinear
        return None

    @property
    def infinite(self) -> Mapping[str, str] | None:
        """The coefficients that are infinite, by name: '+', '-' or, where it may be both, 'either'.

        'infinite' stands for a sign that would take long to find: `infinite_signs` asks for it.
        Empty where the estimate is finite, None where undecided, or where the time limit of
        `certify_regression`, which holds here too, ended the search for them.
        """
        return self._infinite(Clock(self.time_limit), all_signs=False)

    def infinite_signs(self, time_limit: float | None = None) -> Mapping[str, str] | None:
        """`infinite` with all signs, as far as they are found in so many seconds."""
        return self._infinite(Clock(read_seconds(time_limit)), all_signs=True)

    def _infinite(self, clock: Clock, all_signs: bool) -> Mapping[str, str] | None:
        settled = self.settled
        if settled is None or self.certificate is None:
            return None
        if len(settled) == 0:
            return {}
        self.given.check_unchanged()
        weights = self.comparison_rows.inward(self.certificate.weights)
        try:
            found: InfiniteCoefficients = self._remembered(
                "infinite", lambda: self.directions(settled, clock, weights)
            )
        except OutOfTimeError:
            return None
        with suppress(OutOfTimeError):
            if all_signs or found.is_small(clock):
                found.work(clock)
        return {self._name(place): word for place, word in found.words().items()}

    # Observations

    @cached_property
    def _places(self) -> np.ndarray | None:
        """The observations, by place, that make comparisons, all of them settled."""
        if self.settled is None:
            return None
        made = np.bincount(self.comparison_rows.observation, minlength=self.n_rows)
        strict = np.bincount(self.comparison_rows.observation[self.settled], minlength=self.n_rows)
        return np.flatnonzero((made > 0) & (made == strict))

    def _numbers(self, places: np.ndarray) -> np.ndarray:
        return row_numbers(self.given.numbers[places])

    @cached_property
    def separated(self) -> np.ndarray | None:
        """The observations that are predicted perfectly: all comparisons that they make are
        strict. An array of their numbers, from 0, in what was given; None where undecided."""
        return None if self._places is None else self._numbers(self._places)

    @cached_property
    def rest(self) -> np.ndarray | None:
        """The other observations of the model."""
        if self._places is None:
            return None
        return self._numbers(np.setdiff1d(np.arange(self.n_rows), self._places))

    def names_of(self, numbers: Any) -> list[Any]:
        """What the index of the data calls these observations; their numbers without an index."""
        return [self.given.row_name(number) for number in map(int, numbers)]

    @property
    def separated_names(self) -> list[Any] | None:
        """`separated` by the index of the data."""
        return None if self.separated is None else self.names_of(self.separated)

    @cached_property
    def comparisons(self) -> tuple[tuple[int, Any], ...] | None:
        """The strict pairs (observation, class, player or observation that it is compared with).

        Empty for models in which every observation makes one comparison; None where undecided.
        """
        if self.settled is None:
            return None
        if self.comparison_rows.opponent is None:
            return ()
        first = self._numbers(self.comparison_rows.observation[self.settled]).tolist()
        second = map(self.given.opponent_name, self.comparison_rows.opponent[self.settled].tolist())
        return tuple(zip(first, second, strict=True))

    # What to do

    def _dropping(self) -> Drop | str:
        """What to leave out, or why nothing is proposed."""
        found: Drop | str = self._remembered("drop", lambda: propose(self, Clock(self.time_limit)))
        return found

    def drop(self) -> Drop | None:
        """Columns and observations whose removal leaves a finite estimate: proposed, not applied.

        `.verdict` is that of the rest, with its proof. None where only deleting everything would
        do, or where no set of observations leaves exactly what decides the estimate: `str` of
        this verdict says which.
        """
        found = self._dropping()
        return None if isinstance(found, str) else found

    @property
    def why_no_drop(self) -> str | None:
        """The sentence for where `drop()` is None."""
        found = self._dropping()
        return found if isinstance(found, str) else None

    def limit(self) -> Limit:
        """The model at the supremum of its likelihood, whether its estimate is finite or not.

        Every coefficient as a number with its standard error, as an infinity, or as not determined;
        contrasts, tests and intervals that stay true. InputError where the verdict is undecided, or
        the likelihood is none that is computed here. `time_limit` holds for each exact question.
        """
        from novikoff.regression.limit import Limit

        found: Limit = self._remembered("limit", lambda: Limit.of(self))
        return found

    def compare(self, other: RegressionVerdict) -> LikelihoodRatio:
        """The likelihood-ratio test of two nested models of the same outcomes, by their suprema.

        Which of the two is the smaller is found out; InputError where neither is.
        """
        from novikoff.regression.limit import compare

        return compare(self, other)

    def refit_data(self) -> RefitData:
        """The data of the limiting model, which a fit of another library accepts.

        Without the observations that are predicted perfectly, and without columns that are then
        collinear: what such a fit gives are the finite coefficients of `limit()`. InputError where
        nothing would be left.
        """
        from novikoff.regression.limit import refit_data

        return refit_data(self)

    # Words and JSON

    def to_dict(self) -> dict[str, Any]:
        """The answer as numbers, lists and texts that JSON can hold, without the proof.

        `infinite` and `collinear` are None where they would take long and were not asked for.
        """
        infinite, collinear = self._infinite_if_known(), self.collinear_if_quick()
        separated, pairs = self.separated, self.comparisons
        return {
            "status": self.status,
            "model": self.model,
            "n_rows": self.n_rows,
            "n_comparisons": self.comparison_rows.table.n_rows,
            "coefficients": list(self.coefficients),
            "infinite": None if infinite is None else dict(infinite),
            "collinear": None if collinear is None else collinear.to_dict(),
            "separated": None if separated is None else separated.tolist(),
            "separated_names": None if separated is None else [*map(str, self.names_of(separated))],
            "comparisons": None
            if pairs is None
            else [[i, k if isinstance(k, (int, float)) else str(k)] for i, k in pairs],
            "stages": dict(self.stages),
            **self._common(),
        }

    def _infinite_if_known(self) -> Mapping[str, str] | None:
        return self.infinite if self.known("infinite") else None

    def sentence(self) -> str:
        """What is true, who is to blame, what others print, and what can be done."""
        n_coefficients, n = len(self.coefficients), 0 if self._places is None else len(self._places)
        size = f"{count(self.n_rows, 'observation')}, {count(n_coefficients, 'coefficient')}"
        what = f"the {self.model} model ({size})"
        if self.status == "undecided":
            return (
                f"Whether {what} has a finite maximum-likelihood estimate is undecided: "
                f"{self.why_undecided}. Nothing is claimed."
            )
        if self.status == "finite":
            unique = ", but not a unique one" if self.collinear_if_quick() else ""
            return (
                f"The maximum-likelihood estimate of {what} is finite{unique}: no direction of its "
                f"coefficients raises the likelihood without end ({self.exact_for})."
            )
        first = "leave out what the verdict's `drop()` proposes in Python, "
        if self.known("drop"):
            first = "leave out what is said at 'drop' below, " * (self.drop() is not None)
        cause = "no observation is predicted perfectly, but some comparisons are"
        if n:
            who = f"{count(n, 'observation')} of {self.n_rows} {plural(n, 'is', 'are')}"
            who = "every observation is" if n == self.n_rows else who
            cause = f"{who} predicted perfectly: {self.given.kind.certain}"
        return (
            f"{what[0].upper()}{what[1:]} has no finite maximum-likelihood estimate "
            f"({self.exact_for}): {_listed_signs(self._infinite_if_known())}. Along that direction "
            f"{cause}. Other software watches the fit: {self.given.kind.elsewhere}{PRINTED} You "
            f"can {first}{CHOICES}"
        )

    def _own_facts(self) -> Facts:
        facts: Facts = []
        if infinite := self._infinite_if_known():
            signed, free = _infinite_and_free(infinite)
            facts += [("infinite", listed(signed))] * bool(signed)
            facts += [("free", f"{listed(free)}: not determined, may be anything")] * bool(free)
        if self.separated is not None and len(self.separated):
            separated = self.separated.tolist()
            facts.append(("separated", f"{runs_of(separated)}, counted from 0"))
            if self.has_index:
                facts.append(("index", f"{listed(self.names_of(separated))}, the same by name"))
        if self.comparisons:
            pairs = [f"{i} against {k}" for i, k in self.comparisons[:MOST_LISTED]]
            facts.append(("strict", listed(pairs, total=len(self.comparisons))))
        if collinear := self.collinear_if_quick():
            facts.append(("collinear", collinear_text(collinear)))
        if self.status == "infinite" and self.known("drop"):
            facts.append(("drop", str(self._dropping())))
        return facts

    @property
    def _proof(self) -> str:
        return f"Claim about {count(self.comparison_rows.table.n_rows, 'comparison', ',')}"

    def __repr__(self) -> str:
        return f"<RegressionVerdict {self.status}: {self.model}, {self.n_rows} observations>"


def _listed_signs(infinite: Mapping[str, str] | None) -> str:
    """'the coefficient of NV (+∞) is infinite', for all of them, shortened where they are many."""
    if infinite is None:
        return "some coefficients are infinite; the verdict's `infinite` finds out which"
    words = zip(_infinite_and_free(infinite), ("infinite", FREE), strict=True)
    return ", and ".join(
        f"the {plural(len(names), 'coefficient')} of {listed(names, MOST_IN_A_SENTENCE)} "
        f"{plural(len(names), 'is', 'are')} {what}"
        for names, what in words
        if names
    )


def _infinite_and_free(infinite: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """What goes to one infinity, with its sign, and what may go to both, and so to any number."""
    signed = signed_names({name: sign for name, sign in infinite.items() if sign != "either"})
    return signed, [name for name, sign in infinite.items() if sign == "either"]
