"""The float proposal for Farkas's question: one linear program whose optimum is 0 or -1.

    minimise  target·δ    subject to    row_i·δ >= 0,    target·δ >= -1,    δ free

At -1 the solution is a direction; at 0 the rows that are tight carry the target. There is no
scale to choose and no margin to miss: the box |δ| <= 1 of textbooks would report 0 for every
margin below the solver's tolerance. Rows are added and the program re-optimised from where it
stood, never solved anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.search.clock import Clock, OutOfTimeError

ITERATIONS_A_NUMBER = 100  # of the simplex method, for each row and column; 2 or 3 are usual


@dataclass(frozen=True)
class Proposal:
    """A direction, or the places of rows that may carry the target; heaviest first."""

    delta: np.ndarray | None
    tight: np.ndarray


def simplex_solver() -> tuple[Any, float]:
    """An empty program for HiGHS, silent, by the simplex method; and what it takes for infinity."""
    import highspy

    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("presolve", "off"),
        ("solver", "simplex"),
        ("threads", 1),
        ("primal_feasibility_tolerance", 1e-9),
        ("dual_feasibility_tolerance", 1e-9),
    ):
        solver.setOptionValue(option, value)
    return solver, highspy.kHighsInf


def run(solver: Any, clock: Clock) -> None:
    """Solve from where the program stands; clock and iterations end it, should it go in circles."""
    solver.setOptionValue("time_limit", solver.getRunTime() + max(clock.left(), 0.01))
    spent = max(0, solver.getInfo().simplex_iteration_count)
    size = solver.getNumRow() + solver.getNumCol()
    solver.setOptionValue("simplex_iteration_limit", spent + ITERATIONS_A_NUMBER * size)
    solver.run()


class LinearProgram:
    """The program over a growing set of rows, for one target at a time: 0 before the first."""

    def __init__(self, dim: int) -> None:
        self.solver, self.infinity = simplex_solver()
        self.dim = dim
        free, none = np.full(dim, self.infinity), np.zeros(0, dtype=np.int32)
        starts = np.zeros(dim, dtype=np.int32)
        self.solver.addCols(dim, np.zeros(dim), -free, free, 0, starts, none, np.zeros(0))
        self.solver.addRow(-1.0, self.infinity, 0, none, np.zeros(0))

    def add(self, rows: Any) -> None:
        """Add unit rows, dense or CSR."""
        count = rows.shape[0]
        if isinstance(rows, np.ndarray):
            filled = rows != 0
            n_entries = np.count_nonzero(filled, axis=1)
            starts, places = np.cumsum(n_entries) - n_entries, np.nonzero(filled)[1]
            values = rows[filled]
        else:
            starts, places, values = rows.indptr[:-1], rows.indices, rows.data
        ends = np.zeros(count), np.full(count, self.infinity)
        self.solver.addRows(count, *ends, len(values), starts.astype(np.int32), places, values)

    def aim(self, target: np.ndarray) -> None:
        """Ask about another target; the rows stay."""
        places = np.arange(self.dim, dtype=np.int32)
        self.solver.changeColsCost(self.dim, places, target)
        for j, value in enumerate(target.tolist()):
            self.solver.changeCoeff(0, j, value)

    def solve(self, clock: Clock) -> Proposal | None:
        """The optimum, or None where the solver does not vouch for one."""
        from highspy import HighsBasisStatus, HighsModelStatus

        run(self.solver, clock)
        status = self.solver.getModelStatus()
        if status == HighsModelStatus.kTimeLimit:
            raise OutOfTimeError
        if status != HighsModelStatus.kOptimal:
            return None
        solution = self.solver.getSolution()
        duals = np.array(solution.row_dual)[1:]
        states = self.solver.getBasis().row_status[1:]
        nonbasic = np.flatnonzero([state != HighsBasisStatus.kBasic for state in states])
        tight = nonbasic[np.argsort(-np.abs(duals[nonbasic]), kind="stable")]
        is_direction = self.solver.getInfo().objective_function_value < -0.5
        return Proposal(np.array(solution.col_value) if is_direction else None, tight)
