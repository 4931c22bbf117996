"""Obstructions that are true, and the linear program of the rows that must hit them all.

    minimise  Σ cost_i·x_i    subject to    Σ x_i >= 1 over the rows of each obstruction,  x >= 0

A branch has x_i = 1 for rows given up and x_i = 0 for rows kept. The program's dual is a
fractional packing: u_C >= 0 for each obstruction, at most cost_i in sum over those with row i.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.integers import independent, solve
from novikoff.search.lp import run, simplex_solver
from novikoff.search.mistakes.costs import Costs
from novikoff.search.signed_rows import SignedRows


@dataclass(frozen=True)
class Hit:
    """The program's answer: x for every row of the table, its value, and u by obstruction.

    The value is in units, as a float: inf where it is beyond floats.
    `vertex` are the obstructions and the rows of its basis: u is zero on all other obstructions,
    and these rows are loaded with their cost. `blocked` is an obstruction of kept rows alone,
    where there is one: nothing hits it.
    """

    x: np.ndarray
    value: float
    packing: dict[int, Fraction]
    vertex: tuple[list[int], list[int]] = ([], [])
    blocked: int | None = None


class Pool:
    """A growing list of obstructions (rows, multipliers), each verified in integers."""

    def __init__(self, z: SignedRows, costs: Costs) -> None:
        self.z, self.costs = z, costs
        self.rows: list[tuple[int, ...]] = []
        self.multipliers: list[tuple[int, ...]] = []
        self.known: dict[tuple[int, ...], bool] = {}  # by rows: whether it is an obstruction
        self.n_trusted = int(costs.trusted.sum())
        self.program = _Program(costs)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "program"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A solver cannot be pickled: the program is built again from the obstructions."""
        vars(self).update(state, program=_Program(state["costs"]))
        for rows in self.rows:
            self.program.add(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def offer(self, support: Iterable[int]) -> bool:
        """Add the obstruction that floats believe to rest on these rows; False if it is none.

        Only a circuit is taken: rows with one relation among them, all of its signs the same.
        """
        rows = tuple(sorted(support))
        if rows not in self.known:
            multipliers = self._relation(rows)
            self.known[rows] = multipliers is not None
            if multipliers is not None:
                self._add(rows, multipliers)
                return True
        return False

    def take(self, rows: np.ndarray, multipliers: Sequence[int]) -> bool:
        """Add an obstruction that is exact already; False if it is known."""
        order = np.argsort(rows)
        key = tuple(rows[order].tolist())
        if self.known.get(key, False):
            return False
        self.known[key] = True
        self._add(key, tuple(int(multipliers[k]) for k in order.tolist()))
        return True

    def _add(self, rows: tuple[int, ...], multipliers: tuple[int, ...]) -> None:
        self.rows.append(rows)
        self.multipliers.append(multipliers)
        self.program.add(rows)

    def _relation(self, rows: tuple[int, ...]) -> tuple[int, ...] | None:
        """Positive integers with Σ multiplier·z = 0 over these rows, if that is their relation."""
        whole = self.z.integers(np.array(rows))[0]
        if not whole.any(axis=1).all():
            return (1,) if len(rows) == 1 else None
        count = len(rows)
        if count < 2 or count > self.z.dim + 1:
            return None
        places, columns = independent(whole)
        if len(places) != count - 1:
            return None
        last = next(k for k in range(count) if k not in places)
        solved, scale = solve(whole[np.ix_(places, columns)].T, -whole[last, columns])
        if min(solved) <= 0:
            return None
        multipliers = [0] * count
        multipliers[last] = scale
        for place, value in zip(places, solved, strict=True):
            multipliers[place] = value
        total = np.array(multipliers, dtype=object) @ whole
        return tuple(multipliers) if not total.any() else None

    def hit(self, removed: Iterable[int], kept: Iterable[int], clock: Clock) -> Hit | None:
        """The cheapest way to hit them all in a branch; None if the solver fails."""
        stay = set(kept)
        most = len(stay) + self.n_trusted
        for k, rows in enumerate(self.rows) if most else ():
            if len(rows) <= most and all(row in stay or self.costs.trusted[row] for row in rows):
                return Hit(np.zeros(0), np.inf, {}, blocked=k)
        return self.program.solve(set(removed), stay, clock)


class _Program:
    """The linear program in HiGHS; columns come with the first obstruction that has their row."""

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.size = costs.largest  # units that are 1 in the program
        self.solver, self.infinity = simplex_solver()
        self.places: dict[int, int] = {}  # of rows among the columns
        self.row_of_column: list[int] = []
        self.bounds: dict[int, int] = {}  # columns that are fixed
        self.waiting: list[tuple[int, ...]] = []

    def add(self, rows: tuple[int, ...]) -> None:
        self.waiting.append(rows)

    def _flush(self) -> None:
        new = [row for row in dict.fromkeys(r for rows in self.waiting for r in rows)
               if row not in self.places]  # fmt: skip
        if new:
            count = len(new)
            fixed = self.costs.trusted[new]
            cost = self.costs.floats(np.array(new))
            top = np.where(fixed, 0.0, self.infinity)
            self.places |= {row: len(self.row_of_column) + k for k, row in enumerate(new)}
            self.row_of_column += new
            nothing = np.array([], dtype=np.int32)
            self.solver.addCols(count, np.where(fixed, 0.0, cost), np.zeros(count), top, 0,
                                np.zeros(count, np.int32), nothing, np.array([]))  # fmt: skip
        if self.waiting:
            sizes = np.array([len(rows) for rows in self.waiting])
            columns = np.array([self.places[r] for rows in self.waiting for r in rows], np.int32)
            starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int32)
            count = len(sizes)
            self.solver.addRows(count, np.ones(count), np.full(count, self.infinity),
                                len(columns), starts, columns, np.ones(len(columns)))  # fmt: skip
        self.waiting = []

    def _fix(self, removed: set[int], kept: set[int]) -> None:
        wanted = {self.places[row]: 1 for row in removed if row in self.places}
        wanted |= {self.places[row]: 0 for row in kept if row in self.places}
        for column in self.bounds.keys() - wanted.keys():
            top = 0.0 if self.costs.trusted[self.row_of_column[column]] else self.infinity
            self.solver.changeColBounds(column, 0.0, top)
        for column, value in wanted.items():
            if self.bounds.get(column) != value:
                self.solver.changeColBounds(column, float(value), float(value))
        self.bounds = wanted

    def solve(self, removed: set[int], kept: set[int], clock: Clock) -> Hit | None:
        from highspy import HighsModelStatus

        self._flush()
        self._fix(removed, kept)
        x = np.zeros(len(self.costs.whole))
        x[list(removed)] = 1.0
        apart = [row for row in removed if row not in self.places]
        more = self.costs.of_rows(np.array(apart, dtype=np.intp))
        if self.solver.getNumRow() == 0:
            return Hit(x, _float(Fraction(more)), {})
        run(self.solver, clock)
        if self.solver.getModelStatus() != HighsModelStatus.kOptimal:
            clock.check()
            self.solver.clearSolver()
            run(self.solver, clock)
            clock.check()
            if self.solver.getModelStatus() != HighsModelStatus.kOptimal:
                return None
        solution = self.solver.getSolution()
        x[self.row_of_column] = solution.col_value
        x[list(removed)] = 1.0
        duals = np.array(solution.row_dual)
        packing = {int(k): self.size * Fraction(float(duals[k]))
                   for k in np.flatnonzero(duals > 1e-9)}  # fmt: skip
        total = more + self.size * Fraction(self.solver.getInfo().objective_function_value)
        return Hit(x, _float(total), packing, self._vertex() if self.size > 1 else ([], []))

    def _vertex(self) -> tuple[list[int], list[int]]:
        from highspy import HighsBasisStatus

        basis = self.solver.getBasis()
        basic = HighsBasisStatus.kBasic
        cuts = [k for k, status in enumerate(basis.row_status) if status != basic]
        return cuts, [
            self.row_of_column[k] for k, status in enumerate(basis.col_status) if status == basic
        ]


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
