"""What could be left out for a finite estimate: proposed, with the proof that the rest has one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from novikoff.certificates.comparisons import NOTHING
from novikoff.errors import InputError
from novikoff.inputs import row_numbers
from novikoff.regression.model_data import ModelData
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.verdicts.answer import listed
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.regression.verdict import RegressionVerdict

NO_SET = "No set of observations leaves exactly the comparisons that decide the estimate"
ALL = "Only leaving out every {} would do: nothing would be left to fit."
INSTEAD = "Collapse classes or levels, or penalise."


@dataclass(frozen=True, eq=False)
class Drop:
    """Without these columns and observations the estimate is finite.

    columns : by name; on the observations left they depend on others, or are zero
    observations : an array of their numbers, from 0, in what was given
    verdict : of the rest, 'finite', with its proof
    """

    columns: tuple[str, ...]
    observations: np.ndarray
    verdict: RegressionVerdict

    def __str__(self) -> str:
        parts = [count(len(self.observations), "observation")]
        if self.columns:
            parts.append(f"{count(len(self.columns), 'column')} ({listed(self.columns)})")
        return f"without {' and '.join(parts)} the estimate is finite"


def propose(verdict: RegressionVerdict, clock: Clock) -> Drop | str:
    """Leave out the observations that are settled, and the columns that nothing then tells of;
    a text where nothing is proposed, and says why."""
    verdict.given.check_unchanged()
    if verdict.settled is None:
        return "The model is undecided, so nothing can be said of what to leave out."
    if verdict.status == "finite":
        return "The estimate is finite as it is; nothing need be left out."
    rows, takes_part = verdict.comparison_rows, [verdict.comparison_rows.observation]
    if verdict.given.kind.within and rows.opponent is not None:
        takes_part.append(rows.opponent)
    in_settled = np.concatenate([part[verdict.settled] for part in takes_part])
    in_core = np.concatenate([np.delete(part, verdict.settled) for part in takes_part])
    places = np.setdiff1d(in_settled, in_core)
    if len(places) == 0:
        return f"{NO_SET}: some make comparisons of both kinds. {INSTEAD}"
    if len(places) == verdict.n_rows:
        return ALL.format("observation")
    try:
        return _without(verdict, places, clock)
    except OutOfTimeError:
        return "The time limit ended the search for what to leave out."
    except InputError as error:
        if str(error).startswith(NOTHING):
            return ALL.format("observation")
        return f"Without the observations that are predicted perfectly {error}"


def _without(verdict: RegressionVerdict, places: np.ndarray, clock: Clock) -> Drop | str:
    def decided(some: ModelData) -> RegressionVerdict:
        """The verdict of the rest, in the time that is left."""
        clock.check()
        left = None if clock.time_limit is None else clock.left()
        return type(verdict).of(some, left, verdict.seed)

    given = verdict.given
    rest = given.take(np.setdiff1d(np.arange(verdict.n_rows), places))
    found = decided(rest)
    idle = found.dependent(clock).columns
    if len(idle) == len(found.coefficients):
        return ALL.format("column")
    before = given.design_columns(verdict.dependent(clock).columns)
    left_out = sorted(rest.design_columns(idle) - before)
    if left_out and given.table is not None and len(left_out) < given.table.n_columns:
        others = [j for j in range(given.table.n_columns) if j not in left_out]
        found = decided(replace(rest, table=rest.design().take_columns(others)))
    if found.status != "finite":
        return (
            f"{NO_SET}: without those that are predicted perfectly it is {found.status}. {INSTEAD}"
        )
    columns = tuple(given.design_names[j] for j in left_out)
    return Drop(columns, row_numbers(given.numbers[places]), found)
