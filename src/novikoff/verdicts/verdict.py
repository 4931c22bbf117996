"""Verdict: the answer of `certify`, on one machine or on a cluster, its proof, and what follows.

Nothing is searched for by printing a verdict or by `to_dict`: they say what is known. `margin`,
`mistake_bound`, `columns` and `infinite_columns` ask further, once, and the verdict remembers.
The margin and the radius are found of rows that floats hold (search/signed_rows.py), and carried
back to the rows as given.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import numpy as np

from novikoff.certificates import Claim, Obstruction, Reading
from novikoff.conventions import seconds as read_seconds
from novikoff.errors import InputError
from novikoff.hooks import hook
from novikoff.inputs import Labels, row_numbers
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.collinear import Dependent, collinear_columns, collinear_if_quick
from novikoff.search.decide import Findings
from novikoff.search.infinite import InfiniteCoefficients
from novikoff.search.margins import margin_above, margin_below, radius
from novikoff.search.signed_rows import RangeScaled, SignedRows, range_scaled
from novikoff.search.strict import FoundObstruction, decide_strict
from novikoff.search.threads import one_thread
from novikoff.search.widest import Widest
from novikoff.verdicts import words
from novikoff.verdicts.answer import CONSTANT, Answer, Facts, unlike_others
from novikoff.verdicts.arguments import column_warnings
from novikoff.verdicts.collinear import Collinear, collinear_in_time
from novikoff.verdicts.nearly import rounding_notes
from novikoff.verdicts.numerals import at_least

if TYPE_CHECKING:
    from novikoff.display import BoundaryDisplay

MOST_SEPARATED = 1000  # rows predicted perfectly that are listed in JSON
MARGIN_ROUNDS = 2  # of the search for the largest margin, whose bracket is only to be useful
MARGIN_RTOL = 0.1
MARGIN_SECONDS = 2.0
MARGIN_ROWS = 1000  # rows whose mean bounds the margin from above before any search
MOST_ELIMINATED = 2_000_000_000  # products of one elimination, which no clock can interrupt

Status: TypeAlias = Literal["separable", "quasi-separable", "overlapping", "undecided"]
Bracket: TypeAlias = tuple[float, float]  # around the margin, both ends proven


@dataclass(frozen=True)
class Measured:
    """What the workers of a cluster measured on their rows; nothing more can be asked.

    rows : those that alone rule out a strict separator, by number
    margin, radius : a bracket around γ, and R rounded up
    settled : for each shard its number of rows, and as bits which of them are predicted perfectly
    """

    rows: np.ndarray
    margin: Bracket
    radius: float
    settled: tuple[tuple[int, np.ndarray], ...] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(Answer):
    """What is true of the rows, exactly, and the proof.

    Attributes
    ----------
    status : 'separable', 'quasi-separable', 'overlapping' or 'undecided'
    certificate : the `Claim` that proves the status; None where undecided
    reading : how the rows came out of a file, where they did: `.notes` says what was encoded,
        left out or rounded, `.options` is what `read` must be told to do it again
    how : the methods that found the proof, in the order in which they were needed
    stages : seconds spent in each stage of the search, the exact check included
    seconds : seconds in all
    classes : the label of sign -1, and that of sign +1
    n_rows, n_columns : of X
    fit_intercept : whether hyperplanes have an offset
    numbers : which numbers the verdict speaks of: 'binary64', 'decimal' or 'rational'
    evidence : the rows, or what a cluster measured of them
    findings : what the search found of the rows
    n_shards : of a cluster; one machine has one
    time_limit : of `certify`, in seconds; the same holds for each question that follows
    why_undecided : what ended the search, in words; None where it is decided
    """

    status: Status
    certificate: Claim | None
    how: tuple[str, ...]
    stages: dict[str, float]
    seconds: float
    classes: tuple[Any, Any]
    n_rows: int
    n_columns: int
    fit_intercept: bool
    numbers: str
    evidence: SignedRows | Measured
    findings: Findings = field(default_factory=Findings)
    n_shards: int = 1
    reading: Reading | None = None
    time_limit: float | None = None
    why_undecided: str | None = None
    _asked: dict[str, Any] = field(default_factory=dict)
    _lock: Any = field(default_factory=RLock)  # a solver does not bear two threads
    ask_instead = "verdict.status == 'separable'"

    @classmethod
    def of(
        cls, z: SignedRows, classes: tuple[Any, Any], certificate: Claim | None, findings: Findings,
        **others: Any,
    ) -> Verdict:  # fmt: skip
        """The verdict on rows of one machine."""
        return cls(
            status=cast("Status", "undecided" if certificate is None else certificate.status),
            certificate=certificate,
            how=tuple(findings.how),
            classes=classes,
            n_rows=z.table.n_rows,
            n_columns=z.table.n_columns,
            fit_intercept=z.fit_intercept,
            numbers=z.table.numbers,
            evidence=z,
            findings=findings,
            **others,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=RLock())

    def _at_hand(self, what: str) -> SignedRows:
        """The rows; InputError where they are on a cluster, and `what` is asked of them."""
        if isinstance(self.evidence, SignedRows):
            return self.evidence
        raise InputError(
            f"the rows are on a cluster, and the verdict has none of them: {what} is not known "
            "there. novikoff.certify finds it for rows on one machine."
        )

    def _unchanged(self, what: str) -> SignedRows:
        """The rows; InputError where X was changed in place, too."""
        z = self._at_hand(what)
        z.table.unchanged()
        return z

    def check_rows(self, what: str) -> None:
        self._unchanged(what)

    @property
    def is_local(self) -> bool:
        """Whether the rows are at hand: False for a verdict of a cluster."""
        return isinstance(self.evidence, SignedRows)

    @property
    def signed_rows(self) -> SignedRows:
        return self._at_hand("what the rows are")

    @property
    def labels(self) -> Labels:
        return Labels(self._at_hand("the label of each row").signs, self.classes)

    @property
    def has_changed(self) -> bool:
        return self.is_local and self.signed_rows.table.has_changed

    @property
    def has_index(self) -> bool:
        return self.is_local and self.signed_rows.table.index is not None

    @property
    def weights(self) -> Any:
        """The weights of the separator, strict or weak, the offset last; None where none is."""
        if self.certificate is None or self.status == "overlapping":
            return None
        return self.certificate.weights

    # Rows

    @property
    def rows(self) -> np.ndarray:
        """The few rows (at most d + 2) that alone rule out a strict separator: an array of their
        numbers in X, counted from 0, or in the file that X was read from, where rows that were left
        out have numbers too; empty for separable data. `row_names` has what a DataFrame's index
        calls them.

        Those of wide tables are searched for when they are asked for, which takes longer than the
        verdict; printing does not ask.
        """
        if self.is_local:
            self._find_obstruction()
        return self.known_rows

    @property
    def known_rows(self) -> np.ndarray:
        """`rows`, as far as they are known without a search."""
        if isinstance(self.evidence, Measured):
            return self.evidence.rows
        return row_numbers(map(self.number, self.places.tolist()))

    @property
    def places(self) -> np.ndarray:
        """Where `known_rows` stand in X."""
        self._at_hand("where they stand")
        found = self.findings.obstruction
        return row_numbers(() if found is None else sorted(found[0].tolist()))

    @property
    def row_names(self) -> list[Any]:
        """`rows` as the DataFrame's index names them; their numbers where X has no index."""
        return self._names_of(self.rows)

    @property
    def known_names(self) -> list[Any]:
        """`known_rows` as the DataFrame's index names them."""
        return self._names_of(self.known_rows)

    def _names_of(self, rows: np.ndarray) -> list[Any]:
        return self.signed_rows.table.row_names(rows) if self.is_local else rows.tolist()

    def _find_obstruction(self) -> None:
        """Find few rows of the core that balance, where the search has not found them on its way;
        none where time ends it.
        """
        if self.certificate is None or self.status == "separable" or self.findings.obstruction:
            return
        z = self._unchanged("an obstruction")
        core = np.setdiff1d(z.rows, self.certificate.settled(z.table, z.signs))
        with self._lock, one_thread(z.dim), suppress(OutOfTimeError):
            rest = SignedRows(z.table, z.signs, z.fit_intercept, core)
            found = decide_strict(rest, Clock(self.time_limit))
            if isinstance(found, FoundObstruction):
                self.findings.obstruction = found.rows, found.multipliers

    @property
    def obstruction(self) -> Obstruction | None:
        """`rows` with the multipliers under which they balance, as a certificate of its own."""
        self._find_obstruction()
        found = self.findings.obstruction
        if self.certificate is None or self.status == "separable" or found is None:
            return None
        return Obstruction(found[0], found[1], self.certificate.stamp)

    @cached_property
    def point(self) -> tuple[Fraction, ...] | None:
        """The point that the hulls of the two classes share, exactly; None where they share none.

        Without an offset it is a direction that the cones of both classes share.
        """
        if self.certificate is None or not len(self.places):
            return None
        table, shown = self._unchanged("`point`").table, self.obstruction
        return None if shown is None else shown.point(table)

    @cached_property
    def separated(self) -> np.ndarray | None:
        """The rows that are predicted perfectly, ascending, by number as in `rows`.

        One direction has all of them, and no row on the wrong side, and none has more: all rows of
        separable data, none of overlapping data. On the others alone the maximum-likelihood
        estimate is finite. None where a time limit left it open.
        """
        found = self._separated_places()
        if found is None:
            return None
        return row_numbers(found if self.reading is None else self.reading.numbers(found))

    def _separated_places(self) -> np.ndarray | None:
        if self.certificate is None:
            return None
        if self.status != "quasi-separable":
            return np.arange(self.certificate.n_settled)
        if isinstance(self.evidence, SignedRows):
            z = self._unchanged("`separated`")
            return self.certificate.settled(z.table, z.signs)
        if self.evidence.settled is None:
            return None
        shards = [np.unpackbits(bits, count=n_rows) for n_rows, bits in self.evidence.settled]
        return np.flatnonzero(np.concatenate(shards))

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
        with collinear_in_time(self.n_columns, self.time_limit) as clock:
            return Collinear(self._dependent(clock), self._column_name)

    def _dependent(self, clock: Clock) -> Dependent:
        z = self._at_hand("`collinear`")
        if self._asked.get("dependent") is None:  # or has been too much to be looked at in passing
            z.table.unchanged()
            self._asked["dependent"] = collinear_columns(z, clock)
        found: Dependent = self._asked["dependent"]
        return found

    def collinear_if_quick(self) -> Collinear | None:
        """`collinear` if it is known already, or a matter of a second; else None."""
        if self._asked.get("dependent") is None and self.is_local and not self.has_changed:
            self._asked["dependent"] = collinear_if_quick(self.signed_rows)
        found = self._asked.get("dependent")
        return None if found is None else Collinear(found, self._column_name)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was encoded or left out in a file, columns of a DataFrame that a person would ask
        about, and what rounding has made of columns."""
        read = () if self.reading is None else tuple(self.reading.notes)
        if not self.is_local:
            return read
        z = self.signed_rows
        if self.reading is None:
            read = column_warnings(z.table, z.signs)
        if self.has_changed:
            return read
        known = self.collinear_if_quick()
        places = [] if known is None else known.places
        return (*read, *rounding_notes(z, places, self._column_name))

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
        return self.infinite_columns(self.time_limit)

    def infinite_columns(self, time_limit: float | None = None) -> dict[str, str] | None:
        """`columns`, as far as they are found in so many seconds.

        A column that the time did not suffice for is 'infinite' where only its sign is not known,
        and 'unknown' where it may also be finite; a column that is not there is finite, or
        collinear. Nothing is lost: asked again, the search goes on where it stopped.
        """
        clock = Clock(read_seconds(time_limit))
        if self.certificate is None or self.status == "overlapping":
            return self.known_columns
        with self._lock:
            z = self._unchanged("`columns`")
            with suppress(OutOfTimeError):
                if "infinite" not in self._asked:
                    dependent = self._dependent(clock).columns
                    settled = self.certificate.settled(z.table, z.signs)
                    weights = self._scaled.inward(self.findings.weights)
                    self._asked["infinite"] = InfiniteCoefficients(
                        self._scaled.rows, settled, dependent, clock, weights
                    )
                self._asked["infinite"].work(clock)
            known = self.known_columns
        if known is None:
            return {self._column_name(j): "unknown" for j in z.column_ids.tolist()}
        return known

    def columns_if_quick(self, time_limit: float) -> dict[str, str] | None:
        """`infinite_columns`, but None for data so large that one step may exceed the limit."""
        short, long = sorted((self.n_rows, self.n_columns + self.fit_intercept))
        if self.is_local and short * short * long <= MOST_ELIMINATED:
            return self.infinite_columns(time_limit)
        return self.known_columns

    @property
    def known_columns(self) -> dict[str, str] | None:
        """`columns` as far as they have been asked for; None where that was not done yet."""
        if self.status == "overlapping":
            return {}
        found: InfiniteCoefficients | None = self._asked.get("infinite")
        if found is None:
            return None
        return {self._column_name(j): word for j, word in found.words().items()}

    @property
    def offset_name(self) -> str:
        """What the offset is called in `columns` and `collinear`: no column has this name."""
        return unlike_others(CONSTANT, self.signed_rows.table.names or ())

    def _column_name(self, j: int) -> str:
        return self.offset_name if j == self.n_columns else self.signed_rows.table.column_name(j)

    # Margin, radius, bound

    @property
    def margin(self) -> Bracket:
        """(lower, upper) around the margin γ of the rows with their 1; both hold after rounding.

        (0, 0) where no strict separator exists. Computed when first asked for, in two seconds at
        most; `max_margin` closes the bracket. A cluster gives what its workers have proven.
        """
        return self._bracket(narrowed=True)

    @property
    def known_margin(self) -> Bracket:
        """A bracket that needs no search: `margin` where it was asked for, else a wider one."""
        return self._bracket(narrowed=False)

    @property
    def radius(self) -> float:
        """R, the largest norm of a row with its 1, about the origin; rounded up."""
        if isinstance(self.evidence, Measured):
            return self.evidence.radius
        return self._scaled.above(self._scaled_radius)

    @property
    def mistake_bound(self) -> int | None:
        """(R/γ)² for the proven lower γ: no run of the perceptron from zeros makes more mistakes.

        None where no margin is proven.
        """
        return self._bound(narrowed=True)

    @property
    def known_bound(self) -> int | None:
        """The same for the lower end of `known_margin`."""
        return self._bound(narrowed=False)

    @property
    def has_margin(self) -> bool:
        """Whether the search for a narrow bracket has been made, or there is none to make."""
        return self.status != "separable" or not self.is_local or "_narrowed" in self.__dict__

    def _bracket(self, narrowed: bool) -> Bracket:
        if isinstance(self.evidence, Measured):
            return self.evidence.margin
        lower, upper = self._scaled_bracket(narrowed)
        return self._scaled.below(lower), self._scaled.above(upper)

    def _bound(self, narrowed: bool) -> int | None:
        if isinstance(self.evidence, Measured):
            longest, lower = self.evidence.radius, self.evidence.margin[0]
        else:
            longest, lower = self._scaled_radius, self._scaled_bracket(narrowed)[0]
        if lower == 0.0 or not math.isfinite(longest):
            return None
        return math.floor(Fraction(longest) ** 2 / Fraction(lower) ** 2)

    @cached_property
    def _scaled(self) -> RangeScaled:
        return range_scaled(self.signed_rows)

    @cached_property
    def _scaled_radius(self) -> float:
        self._unchanged("`radius`")
        return radius(self._scaled.rows)

    def _scaled_bracket(self, narrowed: bool) -> Bracket:
        search = self.status == "separable" and (narrowed or self.has_margin)
        return self._narrowed if search else self._first_bracket

    @cached_property
    def _first_bracket(self) -> Bracket:
        """Around the margin, by the separator found and a balance of rows: one look at the rows."""
        if self.status in ("quasi-separable", "overlapping"):
            return 0.0, 0.0
        self._unchanged("`margin`")
        z, lower = self._scaled.rows, 0.0
        some = z.rows[:: max(1, z.table.n_rows // MARGIN_ROWS)]
        upper = min(margin_above(z, some, np.ones(len(some))), self._scaled_radius)
        if self.status == "separable":
            lower = margin_below(z, self._scaled.inward(self.findings.separator))
        return lower, upper

    @cached_property
    def _narrowed(self) -> Bracket:
        """The same, narrowed by a search of MARGIN_SECONDS at most."""
        lower, upper = self._first_bracket
        self._unchanged("`margin`")
        z = self._scaled.rows
        widest = Widest(z, False, Clock(MARGIN_SECONDS))
        with one_thread(z.dim), suppress(OutOfTimeError):
            widest.start(self._scaled.inward(self.findings.separator))
            widest.close(MARGIN_RTOL, MARGIN_ROUNDS)
        return max(lower, widest.lower), min(upper, widest.upper)

    # Words, pictures, JSON

    def plot(self, ax: Any = None) -> BoundaryDisplay:
        """Draw the separator, or the hulls and what they share (needs matplotlib)."""
        self.check_rows("a picture of them")
        display: BoundaryDisplay = hook("verdict.plot")(self, ax=ax)
        return display

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
