"""Rows at hand, and what can still be asked of them once a verdict is reached.

`bracket` and `radius` are those of rows that floats hold (search/shrunk.py); `shrunk` carries them
back to the rows as given.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import Any

import numpy as np

from novikoff.certificates import Claim
from novikoff.inputs import Labels
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.collinear import Dependent, collinear_columns, collinear_if_quick
from novikoff.search.decide import Findings
from novikoff.search.margins import margin_above, margin_below, radius
from novikoff.search.proposers import Blocked
from novikoff.search.recession import Recession
from novikoff.search.shrunk import Shrunk, shrunk
from novikoff.search.signed_rows import SignedRows
from novikoff.search.strict import decide_strict
from novikoff.search.threads import one_thread
from novikoff.search.widest import Widest

MARGIN_ROUNDS = 2  # of the search for the largest margin, whose bracket is only to be useful
MARGIN_RTOL = 0.1
MARGIN_SECONDS = 2.0
SMALL = 2_000_000_000  # products of numbers in one elimination, which no clock can interrupt


@dataclass(eq=False)
class Held:
    """The rows, their labels, and what the search found; the status is what was proven of it.

    time_limit : of `certify`, in seconds; the same holds for each question that follows
    """

    status: str
    labels: Labels
    signed_rows: SignedRows
    findings: Findings
    time_limit: float | None = None
    dependent: Dependent | None = None  # once it is known
    recession: Recession | None = None  # as far as it has been asked
    lock: Any = field(default_factory=RLock, repr=False)  # a solver does not bear two threads

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= {**state, "lock": RLock()}

    def unchanged(self) -> SignedRows:
        """The rows; InputError where X was changed in place."""
        self.signed_rows.table.unchanged()
        return self.signed_rows

    @cached_property
    def shrunk(self) -> Shrunk:
        return shrunk(self.signed_rows)

    @cached_property
    def radius(self) -> float:
        self.unchanged()
        return radius(self.shrunk.rows)

    @cached_property
    def first_bracket(self) -> tuple[float, float]:
        """Around the margin, by what is at hand: the separator found, and a balance of rows.

        One look at the rows; nothing is searched for.
        """
        if self.status in ("quasi-separable", "overlapping"):
            return 0.0, 0.0
        self.unchanged()
        upper = min(self._above(), self.radius)
        if self.status == "undecided":
            return 0.0, upper
        separator = self.shrunk.inward(self.findings.separator)
        return margin_below(self.shrunk.rows, separator), upper

    @cached_property
    def bracket(self) -> tuple[float, float]:
        """The same, narrowed by a search of MARGIN_SECONDS at most."""
        lower, upper = self.first_bracket
        if self.status != "separable":
            return lower, upper
        self.unchanged()
        rows = self.shrunk.rows
        widest = Widest(rows, False, Clock(MARGIN_SECONDS))
        with one_thread(rows.dim), suppress(OutOfTimeError):
            widest.start(self.shrunk.inward(self.findings.separator))
            widest.close(MARGIN_RTOL, MARGIN_ROUNDS)
        return max(lower, widest.lower), min(upper, widest.upper)

    @property
    def known_bracket(self) -> tuple[float, float]:
        """The narrowest bracket that is known without a search."""
        return self.bracket if self.has_bracket else self.first_bracket

    @property
    def has_bracket(self) -> bool:
        """Whether the search for a narrow bracket has been made, or there is none to make."""
        return "bracket" in self.__dict__ or self.status != "separable"

    def _above(self) -> float:
        z = self.shrunk.rows
        if self.findings.balance is not None and len(self.findings.balance[0]):
            rows, weights = self.findings.balance
        else:
            step = max(1, z.table.n_rows // 1000)
            rows = z.rows[::step]
            weights = np.ones(len(rows))
        return margin_above(z, rows, weights)

    def find_dependent(self, clock: Clock | None = None) -> Dependent:
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
        return short * short * long <= SMALL

    def find_infinite(self, time_limit: float | None) -> dict[int, str]:
        """Which columns can go to infinity, by place, as far as the time allows.

        Asked again, it goes on where it stopped.
        """
        with self.lock:
            self.unchanged()
            clock = Clock(time_limit)
            with suppress(OutOfTimeError):
                if self.recession is None:
                    self.recession = self._recession(clock)
                self.recession.work(clock)
            if self.recession is not None:
                return self.recession.words()
        homes = self.signed_rows.homes.tolist()
        return dict.fromkeys(homes, "unknown")

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
                if isinstance(found, Blocked):
                    self.findings.obstruction = found.rows, found.multipliers
        return self.findings.obstruction

    def _recession(self, clock: Clock) -> Recession:
        dependent = self.find_dependent(clock).columns
        is_strict = self.status == "separable"
        weights = self.shrunk.inward(self.findings.weights)
        return Recession(self.shrunk.rows, weights, dependent, is_strict=is_strict)
