"""What can still be asked of the rows once a verdict is reached: here, or on a cluster.

The margin and the radius are found of rows that floats hold (search/range_scaled.py), and carried
back to the rows as given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from threading import RLock
from typing import Any

import numpy as np

from novikoff.certificates import Claim
from novikoff.errors import InputError
from novikoff.inputs import Labels
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.collinear import Dependent, collinear_columns, collinear_if_quick
from novikoff.search.decide import Findings
from novikoff.search.infinite import InfiniteCoefficients
from novikoff.search.margins import margin_above, margin_below, radius
from novikoff.search.range_scaled import RangeScaled, range_scaled
from novikoff.search.signed_rows import SignedRows
from novikoff.search.strict import FoundObstruction, decide_strict
from novikoff.search.threads import one_thread
from novikoff.search.widest import Widest

MARGIN_ROUNDS = 2  # of the search for the largest margin, whose bracket is only to be useful
MARGIN_RTOL = 0.1
MARGIN_SECONDS = 2.0
MOST_ELIMINATED = 2_000_000_000  # products of one elimination, which no clock can interrupt

Bracket = tuple[float, float]  # around the margin, both ends proven


@dataclass(frozen=True)
class ClusterEvidence:
    """What the workers of a cluster measured on their rows; nothing more can be asked.

    settled : for each shard its number of rows, and as bits which of them are predicted perfectly
    """

    margin: Bracket
    radius: float  # rounded up
    settled: tuple[tuple[int, np.ndarray], ...] | None = None
    has_changed = False
    has_margin = True
    known_infinite = None

    def bracket(self, narrowed: bool) -> Bracket:  # noqa: ARG002
        return self.margin

    def bound(self, narrowed: bool) -> int | None:  # noqa: ARG002
        return _bound(self.radius, self.margin[0])

    def dependent_if_quick(self) -> None:
        """Collinear columns are not known on a cluster."""

    def settled_places(self, claim: Claim) -> np.ndarray | None:
        """The rows predicted perfectly among all rows, where the workers were asked for them."""
        if claim.status != "quasi-separable":
            return np.arange(claim.n_settled)
        if self.settled is None:
            return None
        shards = [np.unpackbits(bits, count=n_rows) for n_rows, bits in self.settled]
        return np.flatnonzero(np.concatenate(shards))

    def local(self, what: str) -> LocalEvidence:
        """InputError: `what` would have to be asked of the rows."""
        raise InputError(
            f"the rows are on a cluster, and the verdict has none of them: {what} is not known "
            "there. novikoff.certify finds it for rows on one machine."
        )


@dataclass(eq=False)
class LocalEvidence:
    """The rows, their labels, and what the search found; the status is what was proven of it.

    time_limit : of `certify`, in seconds; the same holds for each question that follows
    """

    status: str
    labels: Labels
    signed_rows: SignedRows
    findings: Findings
    time_limit: float | None = None
    dependent: Dependent | None = None  # once it is known
    infinite: InfiniteCoefficients | None = None  # as far as it has been asked
    lock: Any = field(default_factory=RLock, repr=False)  # a solver does not bear two threads

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= {**state, "lock": RLock()}

    def local(self, _what: str) -> LocalEvidence:
        return self

    @property
    def has_changed(self) -> bool:
        return self.signed_rows.table.has_changed

    def unchanged(self) -> SignedRows:
        """The rows; InputError where X was changed in place."""
        self.signed_rows.table.unchanged()
        return self.signed_rows

    # Margin, radius, bound

    @cached_property
    def range_scaled(self) -> RangeScaled:
        return range_scaled(self.signed_rows)

    @cached_property
    def _radius(self) -> float:
        """Of the rows that floats hold."""
        self.unchanged()
        return radius(self.range_scaled.rows)

    @property
    def radius(self) -> float:
        return self.range_scaled.above(self._radius)

    @cached_property
    def _first_bracket(self) -> Bracket:
        """Around the margin, by what is at hand: the separator found, and a balance of rows.

        One look at the rows; nothing is searched for.
        """
        if self.status in ("quasi-separable", "overlapping"):
            return 0.0, 0.0
        self.unchanged()
        upper = min(self._above(), self._radius)
        if self.status == "undecided":
            return 0.0, upper
        separator = self.range_scaled.inward(self.findings.separator)
        return margin_below(self.range_scaled.rows, separator), upper

    @cached_property
    def _bracket(self) -> Bracket:
        """The same, narrowed by a search of MARGIN_SECONDS at most."""
        lower, upper = self._first_bracket
        if self.status != "separable":
            return lower, upper
        self.unchanged()
        rows = self.range_scaled.rows
        widest = Widest(rows, False, Clock(MARGIN_SECONDS))
        with one_thread(rows.dim), suppress(OutOfTimeError):
            widest.start(self.range_scaled.inward(self.findings.separator))
            widest.close(MARGIN_RTOL, MARGIN_ROUNDS)
        return max(lower, widest.lower), min(upper, widest.upper)

    @property
    def has_margin(self) -> bool:
        """Whether the search for a narrow bracket has been made, or there is none to make."""
        return "_bracket" in self.__dict__ or self.status != "separable"

    def _of_scaled_rows(self, narrowed: bool) -> Bracket:
        return self._bracket if narrowed or self.has_margin else self._first_bracket

    def bracket(self, narrowed: bool) -> Bracket:
        """Around the margin: narrowed by a search, or as it is known without one."""
        lower, upper = self._of_scaled_rows(narrowed)
        return self.range_scaled.below(lower), self.range_scaled.above(upper)

    def bound(self, narrowed: bool) -> int | None:
        """The mistake bound for the lower end of that bracket; None where no margin is proven."""
        return _bound(self._radius, self._of_scaled_rows(narrowed)[0])

    def _above(self) -> float:
        z = self.range_scaled.rows
        rows = z.rows[:: max(1, z.table.n_rows // 1000)]
        return margin_above(z, rows, np.ones(len(rows)))

    # Columns and rows

    def find_dependent(self, clock: Clock) -> Dependent:
        """The columns that depend on earlier ones; OutOfTimeError where the clock says so."""
        if self.dependent is None:
            self.dependent = collinear_columns(self.unchanged(), clock)
        return self.dependent

    def dependent_if_quick(self) -> Dependent | None:
        """The same if it is known already, or a matter of a second; else None."""
        if self.dependent is None and not self.signed_rows.table.has_changed:
            self.dependent = collinear_if_quick(self.signed_rows)
        return self.dependent

    @property
    def is_small(self) -> bool:
        """Whether each step towards `find_infinite` is a matter of a few seconds."""
        z = self.signed_rows
        short, long = sorted((z.n_rows, z.dim))
        return short * short * long <= MOST_ELIMINATED

    def find_infinite(self, claim: Claim, time_limit: float | None) -> dict[int, str]:
        """Which columns can go to infinity, by place, as far as the time allows.

        Asked again, it goes on where it stopped.
        """
        with self.lock:
            self.unchanged()
            clock = Clock(time_limit)
            with suppress(OutOfTimeError):
                if self.infinite is None:
                    self.infinite = self._infinite(claim, clock)
                self.infinite.work(clock)
            if self.infinite is not None:
                return self.infinite.words()
        homes = self.signed_rows.column_ids.tolist()
        return dict.fromkeys(homes, "unknown")

    @property
    def known_infinite(self) -> dict[int, str] | None:
        """The same as far as it was asked for; None where it was not."""
        return None if self.infinite is None else self.infinite.words()

    def settled_places(self, claim: Claim) -> np.ndarray:
        """The rows predicted perfectly, ascending."""
        if claim.status != "quasi-separable":
            return np.arange(claim.n_settled)
        z = self.unchanged()
        return claim.settled(z.table, z.signs)

    def find_obstruction(self, claim: Claim) -> tuple[np.ndarray, Sequence[int]] | None:
        """Few rows of the core of the claim that balance, and their multipliers.

        Found once, where the search has not found them on its way; None where time ended it.
        """
        if self.findings.obstruction is None:
            z = self.unchanged()
            settled = claim.settled(z.table, z.signs)
            core = SignedRows(
                z.table, z.signs, z.fit_intercept, np.setdiff1d(np.arange(z.table.n_rows), settled)
            )
            with self.lock, one_thread(z.dim), suppress(OutOfTimeError):
                found = decide_strict(core, Clock(self.time_limit))
                if isinstance(found, FoundObstruction):
                    self.findings.obstruction = found.rows, found.multipliers
        return self.findings.obstruction

    def _infinite(self, claim: Claim, clock: Clock) -> InfiniteCoefficients:
        z = self.signed_rows
        dependent = self.find_dependent(clock).columns
        settled = claim.settled(z.table, z.signs)
        weights = self.range_scaled.inward(self.findings.weights)
        return InfiniteCoefficients(self.range_scaled.rows, settled, dependent, clock, weights)


def _bound(radius: float, lower: float) -> int | None:
    """⌊(R/γ)²⌋; None where no margin is proven."""
    if lower == 0.0 or not math.isfinite(radius):
        return None
    return math.floor(Fraction(radius) ** 2 / Fraction(lower) ** 2)
