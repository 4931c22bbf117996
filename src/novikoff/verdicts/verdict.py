"""Verdict: the answer of `certify`, on one machine or on a cluster, its proof, and what follows.

Nothing is searched for by printing a verdict or by `to_dict`: they say what is known. `margin`,
`mistake_bound`, `columns` and `infinite_columns` ask further, once, and the verdict remembers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from novikoff.certificates import Claim, Obstruction, Reading
from novikoff.conventions import seconds as read_seconds
from novikoff.hooks import hook
from novikoff.inputs import Labels, row_numbers
from novikoff.search.decide import Findings
from novikoff.search.signed_rows import SignedRows
from novikoff.verdicts import words
from novikoff.verdicts.answer import CONSTANT, Answer, Facts, unlike_others
from novikoff.verdicts.arguments import column_warnings
from novikoff.verdicts.collinear import Collinear, collinear_in_time
from novikoff.verdicts.evidence import ClusterEvidence, LocalEvidence
from novikoff.verdicts.nearly import rounding_notes
from novikoff.verdicts.numerals import at_least

if TYPE_CHECKING:
    from novikoff.display import BoundaryDisplay

MOST_SEPARATED = 1000  # rows predicted perfectly that are listed in JSON
Status: TypeAlias = Literal["separable", "quasi-separable", "overlapping", "undecided"]


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(Answer):
    """What is true of the rows, exactly, and the proof.

    Attributes
    ----------
    status : 'separable', 'quasi-separable', 'overlapping' or 'undecided'
    certificate : the `Claim` that proves the status; None where undecided
    known_rows : `rows`, as far as they are known without a search
    reading : how the rows came out of a file, where they did: `.notes` says what was encoded,
        left out or rounded, `.options` is what `read` must be told to do it again
    how : the methods that found the proof, in the order in which they were needed
    stages : seconds spent in each stage of the search, the exact check included
    seconds : seconds in all
    classes : the label of sign -1, and that of sign +1
    n_rows, n_columns : of X
    fit_intercept : whether hyperplanes have an offset
    numbers : which numbers the verdict speaks of: 'binary64', 'decimal' or 'rational'
    evidence : the rows and what was found, or what a cluster measured
    n_shards : of a cluster; one machine has one
    why_undecided : what ended the search, in words; None where it is decided
    """

    status: Status
    certificate: Claim | None
    known_rows: np.ndarray
    how: tuple[str, ...]
    stages: dict[str, float]
    seconds: float
    classes: tuple[Any, Any]
    n_rows: int
    n_columns: int
    fit_intercept: bool
    numbers: str
    evidence: LocalEvidence | ClusterEvidence
    n_shards: int
    reading: Reading | None = None
    why_undecided: str | None = None
    ask_instead = "verdict.status == 'separable'"

    @property
    def rows(self) -> np.ndarray:
        """The few rows (at most d + 2) that alone rule out a strict separator: an array of their
        numbers in X, counted from 0, or in the file that X was read from, where rows that were left
        out have numbers too; empty for separable data. `row_names` has what a DataFrame's index
        calls them.

        Those of wide tables are searched for when they are asked for, which takes longer than the
        verdict; printing does not ask.
        """
        if not self.is_local or self.obstruction is None:
            return self.known_rows
        return row_numbers(map(self.number, self.places.tolist()))

    @property
    def places(self) -> np.ndarray:
        """Where `known_rows` stand in X."""
        found = self.findings.obstruction
        return row_numbers(() if found is None else sorted(found[0].tolist()))

    @property
    def obstruction(self) -> Obstruction | None:
        """`rows` with the multipliers under which they balance, as a certificate of its own."""
        if self.certificate is None or self.status == "separable":
            return None
        found = self.evidence.local("an obstruction").find_obstruction(self.certificate)
        return None if found is None else Obstruction(found[0], found[1], self.certificate.stamp)

    @property
    def is_local(self) -> bool:
        """Whether the rows are at hand: False for a verdict of a cluster."""
        return isinstance(self.evidence, LocalEvidence)

    @property
    def has_changed(self) -> bool:
        return self.evidence.has_changed

    @property
    def labels(self) -> Labels:
        return self.evidence.local("the label of each row").labels

    @property
    def signed_rows(self) -> SignedRows:
        return self.evidence.local("what the rows are").signed_rows

    @property
    def findings(self) -> Findings:
        return self.evidence.local("what the search found").findings

    @property
    def weights(self) -> Any:
        """The weights of the separator, strict or weak, the offset last; None where none is."""
        if self.certificate is None or self.status == "overlapping":
            return None
        return self.certificate.weights

    @property
    def has_index(self) -> bool:
        return self.is_local and self.signed_rows.table.index is not None

    @property
    def row_names(self) -> list[Any]:
        """`rows` as the DataFrame's index names them; their numbers where X has no index."""
        return self._names_of(self.rows)

    def _names_of(self, rows: np.ndarray) -> list[Any]:
        return self.signed_rows.table.row_names(rows) if self.is_local else list(map(int, rows))

    @property
    def known_names(self) -> list[Any]:
        """`known_rows` as the DataFrame's index names them."""
        return self._names_of(self.known_rows)

    @cached_property
    def separated(self) -> np.ndarray | None:
        """The rows that are predicted perfectly, ascending, by number as in `rows`.

        One direction has all of them, and no row on the wrong side, and none has more: all rows of
        separable data, none of overlapping data. On the others alone the maximum-likelihood
        estimate is finite. None where a time limit left it open.
        """
        found = self.separated_places()
        if found is None:
            return None
        return row_numbers(found if self.reading is None else self.reading.numbers(found))

    def separated_places(self) -> np.ndarray | None:
        """Where `separated` stand in X."""
        return None if self.certificate is None else self.evidence.settled_places(self.certificate)

    @property
    def n_separated(self) -> int | None:
        """How many rows `separated` has."""
        return None if self.certificate is None else self.certificate.n_settled

    # Columns

    @property
    def collinear(self) -> Collinear:
        """The columns that depend on earlier ones on all rows, each with its dependence.

        The offset comes first, then the columns in their order. The coefficients of these columns
        are neither finite nor infinite: they are not determined. Exact, whatever the status, and
        computed when first asked for; InputError where the time limit ends the search.
        """
        evidence = self.evidence.local("`collinear`")
        with collinear_in_time(self.n_columns, evidence.time_limit) as clock:
            return Collinear(evidence.find_dependent(clock), self._column_name)

    def collinear_if_quick(self) -> Collinear | None:
        """`collinear` if it is known already, or a matter of a second; else None."""
        found = self.evidence.dependent_if_quick()
        return None if found is None else Collinear(found, self._column_name)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was encoded or left out in a file, columns of a DataFrame that a person would ask
        about, and what rounding has made of columns."""
        if self.reading is not None:
            read = tuple(self.reading.notes)
        elif self.is_local:
            read = column_warnings(self.signed_rows.table, self.signed_rows.signs)
        else:
            read = ()
        if not self.is_local or self.has_changed:
            return read
        known = self.evidence.dependent_if_quick()
        columns = [] if known is None else known.columns
        return (*read, *rounding_notes(self.signed_rows, columns, self._column_name))

    @property
    def columns(self) -> dict[str, str] | None:
        """The columns whose maximum-likelihood coefficient is infinite, by name, with its sign.

        '+' or '-' where every direction in which the likelihood of a logistic regression keeps
        rising agrees, else 'either'. Columns that are `collinear` are left out of the model
        before it is asked. Computed when first asked for, exactly: two questions a column. Empty
        for overlapping data; None where undecided. The offset is called '(intercept)', or
        `offset_name` where a column of X has that name.

        The time limit of `certify` holds here too; see `infinite_columns` for what comes of it.
        """
        limit = self.evidence.time_limit if isinstance(self.evidence, LocalEvidence) else None
        return self.infinite_columns(limit)

    def infinite_columns(self, time_limit: float | None = None) -> dict[str, str] | None:
        """`columns`, as far as they are found in so many seconds.

        A column that the time did not suffice for is 'infinite' where only its sign is not known,
        and 'unknown' where it may also be finite; a column that is not there is finite, or
        collinear. Nothing is lost: asked again, the search goes on where it stopped.
        """
        limit = read_seconds(time_limit)
        if self.certificate is None:
            return None
        if self.status == "overlapping":
            return {}
        found = self.evidence.local("`columns`").find_infinite(self.certificate, limit)
        return self._by_name(found)

    def _by_name(self, found: dict[int, str]) -> dict[str, str]:
        return {self._column_name(j): word for j, word in found.items()}

    def columns_if_quick(self, time_limit: float) -> dict[str, str] | None:
        """`infinite_columns`, but None for data so large that one step may exceed the limit."""
        if isinstance(self.evidence, LocalEvidence) and self.evidence.is_small:
            return self.infinite_columns(time_limit)
        return self.known_columns

    @property
    def known_columns(self) -> dict[str, str] | None:
        """`columns` as far as they have been asked for; None where that was not done yet."""
        if self.status == "overlapping":
            return {}
        found = self.evidence.known_infinite
        return None if found is None else self._by_name(found)

    @property
    def offset_name(self) -> str:
        """What the offset is called in `columns` and `collinear`: no column has this name."""
        return unlike_others(CONSTANT, self.signed_rows.table.names or ())

    def _column_name(self, j: int) -> str:
        return self.offset_name if j == self.n_columns else self.signed_rows.table.column_name(j)

    # Margin, radius, bound

    @property
    def margin(self) -> tuple[float, float]:
        """(lower, upper) around the margin γ of the rows with their 1; both hold after rounding.

        (0, 0) where no strict separator exists. Computed when first asked for, in two seconds at
        most; `max_margin` closes the bracket. A cluster gives what its workers have proven.
        """
        return self.evidence.bracket(narrowed=True)

    @property
    def known_margin(self) -> tuple[float, float]:
        """A bracket that needs no search: `margin` where it was asked for, else a wider one."""
        return self.evidence.bracket(narrowed=False)

    @property
    def radius(self) -> float:
        """R, the largest norm of a row with its 1, about the origin; rounded up."""
        return self.evidence.radius

    @property
    def mistake_bound(self) -> int | None:
        """(R/γ)² for the proven lower γ: no run of the perceptron from zeros makes more mistakes.

        None where no margin is proven.
        """
        return self.evidence.bound(narrowed=True)

    @property
    def known_bound(self) -> int | None:
        """The same for the lower end of `known_margin`."""
        return self.evidence.bound(narrowed=False)

    # Pictures and JSON

    @cached_property
    def point(self) -> tuple[Fraction, ...] | None:
        """The point that the hulls of the two classes share, exactly; None where they share none.

        Without an offset it is a direction that the cones of both classes share.
        """
        if self.certificate is None or not len(self.places):
            return None
        self.evidence.local("`point`").unchanged()
        shown = self.obstruction
        return None if shown is None else shown.point(self.signed_rows.table)

    def plot(self, ax: Any = None) -> BoundaryDisplay:
        """Draw the separator, or the hulls and what they share (needs matplotlib)."""
        self.check_rows("a picture of them")
        display: BoundaryDisplay = hook("verdict.plot")(self, ax=ax)
        return display

    def check_rows(self, what: str) -> None:
        self.evidence.local(what).unchanged()

    def to_dict(self) -> dict[str, Any]:
        """What is known, as numbers, lists and texts that JSON can hold, without the proof.

        `columns` is None where not asked for, `collinear` where that would take long, `separated`
        where it is very long, and a margin, radius or bound that is beyond every float.
        """
        collinear = self.collinear_if_quick()
        n_separated = self.n_separated
        is_long = n_separated is None or n_separated > MOST_SEPARATED
        separated = None if is_long else self.separated
        return {
            "status": self.status,
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "n_shards": self.n_shards,
            "negative": str(self.classes[0]),
            "positive": str(self.classes[1]),
            "offset": self.fit_intercept,
            "rows": self.known_rows.tolist(),
            "row_names": [str(name) for name in self.known_names],
            "n_separated": n_separated,
            "separated": None if separated is None else separated.tolist(),
            "left_out": 0 if self.reading is None else self.reading.n_left_out,
            "columns": self.known_columns,
            "collinear": None if collinear is None else collinear.to_dict(),
            "margin": [at_least(value) for value in self.known_margin],
            "radius": at_least(self.radius),
            "mistake_bound": at_least(self.known_bound),
            "stages": dict(self.stages),
            **self._common(),
        }

    def sentence(self) -> str:
        return words.sentence(self)

    def _own_facts(self) -> Facts:
        return words.facts_of(self)

    @property
    def _proof(self) -> str:
        return type(self.certificate).__name__

    def __repr__(self) -> str:
        return f"<Verdict {self.status}: {self.n_rows} × {self.n_columns}>"
