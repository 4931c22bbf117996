"""Obstructions that are true, and the linear program of the rows that must hit them all.

    minimise  Σ cost_i·x_i    subject to    Σ x_i >= 1 over the rows of each obstruction,  x >= 0

A branch has x_i = 1 for rows given up and x_i = 0 for rows kept. The program's dual is a
fractional packing: u_C >= 0 for each obstruction, at most cost_i in sum over those with row i.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.integers import independent, solve
from novikoff.search.lp import run, simplex_solver
from novikoff.search.mistakes.costs import Costs
from novikoff.search.signed_rows import SignedRows

Basis = tuple[list[int], list[int]]


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
    vertex: Basis = ([], [])
    blocked: int | None = None


class Pool:
    """A growing list of obstructions (rows, multipliers), each verified in integers."""

    def __init__(self, z: SignedRows, costs: Costs) -> None:
        self.z, self.costs = z, costs
        self.rows: list[tuple[int, ...]] = []
        self.multipliers: list[tuple[int, ...]] = []
        self.known: dict[tuple[int, ...], bool] = {}  # by rows: whether it is an obstruction
        self.program = _Program(costs)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "program"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A solver cannot be pickled: the program is built again from the obstructions."""
        vars(self).update(state, program=_Program(state["costs"]))

    def __len__(self) -> int:
        return len(self.rows)

    def offer(self, support: Iterable[int]) -> bool:
        """Add the obstruction that floats believe to rest on these rows; False if it is none.

        Only a circuit is taken: rows with one relation among them, all of its signs the same.
        """
        rows = tuple(sorted(support))
        if rows in self.known:
            return False
        multipliers = self._relation(rows)
        self.known[rows] = multipliers is not None
        if multipliers is not None:
            self.rows.append(rows)
            self.multipliers.append(multipliers)
        return multipliers is not None

    def take(self, rows: np.ndarray, multipliers: Sequence[int]) -> bool:
        """Add an obstruction that is exact already; False if it is known."""
        order = np.argsort(rows)
        key = tuple(rows[order].tolist())
        if self.known.get(key, False):
            return False
        self.known[key] = True
        self.rows.append(key)
        self.multipliers.append(tuple(int(multipliers[k]) for k in order.tolist()))
        return True

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
        multipliers = np.full(count, scale, dtype=object)
        multipliers[places] = solved
        if min(solved) <= 0 or (multipliers @ whole).any():
            return None
        return tuple(multipliers)

    def hit(self, removed: Collection[int], kept: Collection[int], clock: Clock) -> Hit | None:
        """The cheapest way to hit them all in a branch; None if the solver fails."""
        stay = {*kept, *np.flatnonzero(self.costs.trusted).tolist()}
        for k, rows in enumerate(self.rows) if stay else ():
            if stay.issuperset(rows):
                return Hit(np.zeros(0), np.inf, {}, blocked=k)
        return self.program.solve(self.rows, removed, kept, clock)


class _Program:
    """The linear program in HiGHS; columns come with the first obstruction that has their row."""

    def __init__(self, costs: Costs) -> None:
        self.costs = costs
        self.size = costs.largest  # units that are 1 in the program
        self.solver, self.infinity = simplex_solver()
        self.places: dict[int, int] = {}  # of rows among the columns
        self.n_obstructions = 0

    def _add(self, obstructions: Sequence[tuple[int, ...]]) -> None:
        """The obstructions that are not in the program yet."""
        if not obstructions:
            return
        flat = [row for rows in obstructions for row in rows]
        new = [row for row in dict.fromkeys(flat) if row not in self.places]
        self.places |= {row: len(self.places) + k for k, row in enumerate(new)}
        cost = np.where(self.costs.trusted[new], 0.0, self.costs.floats(np.array(new, np.intp)))
        none = np.array([], np.int32), np.array([])
        n_new, n_rows = len(new), len(obstructions)
        zeros, endless = np.zeros(n_new), np.full(max(n_new, n_rows), self.infinity)
        self.solver.addCols(
            n_new, cost, zeros, endless[:n_new], 0, np.zeros(n_new, np.int32), *none
        )
        columns = np.array([self.places[row] for row in flat], np.int32)
        starts = np.cumsum([0, *(len(rows) for rows in obstructions[:-1])]).astype(np.int32)
        self.solver.addRows(
            n_rows, np.ones(n_rows), endless[:n_rows], len(flat), starts, columns,
            np.ones(len(flat)),
        )  # fmt: skip
        self.n_obstructions += n_rows

    def _fix(self, removed: Collection[int], kept: Collection[int]) -> None:
        """x = 1 on rows given up, 0 on rows kept and on trusted rows."""
        rows = np.array(list(self.places), np.intp)
        low = np.isin(rows, list(removed)).astype(float)
        stay = self.costs.trusted[rows] | np.isin(rows, list(kept))
        top = np.where(low > 0.0, 1.0, np.where(stay, 0.0, self.infinity))
        self.solver.changeColsBounds(len(rows), np.arange(len(rows), dtype=np.int32), low, top)

    def solve(
        self, obstructions: Sequence[tuple[int, ...]], removed: Collection[int],
        kept: Collection[int], clock: Clock,
    ) -> Hit | None:  # fmt: skip
        from highspy import HighsModelStatus

        self._add(obstructions[self.n_obstructions :])
        x = np.zeros(len(self.costs.whole))
        if not self.places:
            return Hit(x, 0.0, {})
        self._fix(removed, kept)
        run(self.solver, clock)
        if self.solver.getModelStatus() != HighsModelStatus.kOptimal:
            clock.check()
            self.solver.clearSolver()
            run(self.solver, clock)
            clock.check()
            if self.solver.getModelStatus() != HighsModelStatus.kOptimal:
                return None
        solution = self.solver.getSolution()
        x[list(self.places)] = solution.col_value
        x[list(removed)] = 1.0
        duals = np.array(solution.row_dual)
        packing = {int(k): self.size * Fraction(float(duals[k]))
                   for k in np.flatnonzero(duals > 1e-9)}  # fmt: skip
        try:
            value = float(self.size * Fraction(self.solver.getInfo().objective_function_value))
        except OverflowError:
            value = math.inf
        return Hit(x, value, packing, self._vertex() if self.size > 1 else ([], []))

    def _vertex(self) -> Basis:
        from highspy import HighsBasisStatus

        basis, basic = self.solver.getBasis(), HighsBasisStatus.kBasic
        cuts = [k for k, status in enumerate(basis.row_status) if status != basic]
        return cuts, [
            row for row, status in zip(self.places, basis.col_status, strict=True)
            if status == basic
        ]  # fmt: skip
