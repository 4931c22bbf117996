"""Every row that a run looks at, in order: not only the mistakes, which alone are on the tape.

And a proof that a run never ends: in a fixed order all that follows from the end of a pass depends
on the weights there. If they are exactly those of an earlier end of a pass, the passes between the
two repeat for ever.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.conventions import read_random
from novikoff.exact.weights import ExactWeights
from novikoff.runs.run import Run
from novikoff.studio.state import Conventions


class Visits:
    """Which row is looked at, visit by visit (from 0), and in which pass."""

    def __init__(self, run: Run, conventions: Conventions) -> None:
        self.total = run.n_visits
        self.n = run.table.n_rows
        self._mistakes: list[int] = run.tape.visits.tolist()
        self._restarts = conventions.order == "restart"
        self._orders: list[np.ndarray] | None = None
        self._fixed = np.arange(self.n)
        if isinstance(conventions.order, tuple):
            self._fixed = np.array(conventions.order)
        if conventions.order == "shuffled":
            random = read_random(conventions.seed)
            if conventions.start == "random":  # its weights are drawn before the first order
                random.standard_normal(run.table.n_columns + run.fit_intercept)
            self._random, self._orders = random, []

    def row(self, visit: int) -> int:
        """The row of a visit."""
        begin = self.pass_begin(visit)
        if self._orders is None:
            return int(self._fixed[visit - begin])
        while len(self._orders) <= visit // self.n:
            self._orders.append(self._random.permutation(self.n))
        return int(self._orders[visit // self.n][visit - begin])

    def pass_begin(self, visit: int) -> int:
        """The first visit of the pass of a visit; under `restart` a mistake ends its pass."""
        if not self._restarts:
            return visit - visit % self.n
        before = bisect_left(self._mistakes, visit)
        return self._mistakes[before - 1] + 1 if before else 0

    def k_before(self, visit: int) -> int:
        """The mistakes made before a visit."""
        return bisect_left(self._mistakes, visit)


MOST_PASSES = 2000  # whose ends are compared


class Cycle(NamedTuple):
    """The weights at the end of pass `last` are those at the end of pass `first` (0: the start)."""

    first: int
    last: int
    mistakes: int  # that come again in each round

    @property
    def sentence(self) -> str:
        since = "at the start" if self.first == 0 else f"after pass {self.first}"
        rounds = self.last - self.first
        passes = "pass repeats" if rounds == 1 else f"{rounds} passes repeat"
        return (
            f"After pass {self.last} the weights are again exactly those {since}: from there on "
            f"the {passes} for ever, so this run never ends."
        )


def find_cycle(run: Run) -> Cycle | None:
    """The first return of the weights; None where there is none to be seen, or no fixed order."""
    fixed = not isinstance(run.order, str) or run.order == "cyclic"
    if run.converged or not fixed:
        return None
    n, visits = run.table.n_rows, run.tape.visits
    whole = min(run.n_visits // n, MOST_PASSES)
    ends = np.searchsorted(visits, n * np.arange(whole + 1))
    weights = ExactWeights(run.table, run.signs, run.fit_intercept, run.start)
    seen: dict[tuple[Fraction, ...], int] = {tuple(weights.fractions()): 0}
    for number in range(1, whole + 1):
        weights.add(run.tape.rows[ends[number - 1] : ends[number]])
        key = tuple(weights.fractions())
        if key in seen:
            first = seen[key]
            return Cycle(first, number, int(ends[number] - ends[first]))
        seen[key] = number
    return None
