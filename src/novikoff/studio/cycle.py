"""A proof that a run never ends: the weights come back.

In a fixed order all that follows from the end of a pass depends on the weights there. If they are
exactly those of an earlier end of a pass, the passes between the two repeat for ever.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.exact.weights import ExactWeights
from novikoff.runs.run import Run

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
