"""Obstructions that are true, the program of the rows that must hit them all, and its packing.

    minimise  Σ cost_i·x_i    subject to    Σ x_i >= 1 over the rows of each obstruction,  x >= 0

A branch has x_i = 1 for rows given up and x_i = 0 for rows kept. The program's dual is a packing:
u_C >= 0 for each obstruction C, at most cost_i in sum over those that hold row i, so that at least
Σ u_C must be given up. Rows given up take their obstructions out and add their cost; rows kept and
trusted rows have no limit.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.integers import independent, solve
from novikoff.search.lp import run, simplex_solver
from novikoff.search.mistakes.costs import Costs
from novikoff.search.signed_rows import SignedRows

DENOMINATOR = 1 << 24  # of the shares of a packing
ROUNDED_COST = 1 << 20  # a cost of so many units is not met by rounding: the dual is solved exactly
ROUNDED_DUAL = 1e-9  # a dual of the program below it is rounding

Packing = dict[int, Fraction]  # by obstruction


class Hit(NamedTuple):
    """The program's answer: x for every row of the table, its value in units, and its dual.

    The value is inf where it is beyond floats. `basis` are the obstructions and the rows of the
    program's basis: the dual is zero on all other obstructions, and loads these rows with their
    cost.
    """

    x: np.ndarray
    value: float
    dual: Packing
    basis: tuple[list[int], list[int]]


class Pool:
    """A growing list of obstructions (rows, multipliers), each verified in integers."""

    def __init__(self, z: SignedRows, costs: Costs) -> None:
        self.z, self.costs = z, costs
        self.rows: list[tuple[int, ...]] = []
        self.multipliers: list[tuple[int, ...]] = []
        self.known: dict[tuple[int, ...], bool] = {}  # by rows: whether it is an obstruction
        self._begin_program()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "solver"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A solver cannot be pickled: the program is built again from the obstructions."""
        vars(self).update(state)
        self._begin_program()

    def __len__(self) -> int:
        return len(self.rows)

    # What is an obstruction

    def offer(self, support: Iterable[int]) -> bool:
        """Add the obstruction that floats believe to rest on these rows; False if it is none.

        Only a circuit is taken: rows with one relation among them, all of its signs the same.
        """
        rows = tuple(sorted(support))
        if rows in self.known:
            return False
        multipliers = self._relation(rows)
        self.known[rows] = False
        return multipliers is not None and self.take(np.array(rows), multipliers)

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

    def blocked(self, kept: Collection[int]) -> int | None:
        """An obstruction of kept and trusted rows alone, where there is one: nothing hits it."""
        stay = {*kept, *np.flatnonzero(self.costs.trusted).tolist()}
        held = (k for k, rows in enumerate(self.rows) if stay and stay.issuperset(rows))
        return next(held, None)

    # The program, in HiGHS: columns come with the first obstruction that has their row

    def _begin_program(self) -> None:
        self.solver, self.infinity = simplex_solver()
        self.places: dict[int, int] = {}  # of rows among the columns
        self.n_posed = 0  # obstructions in the program

    def _pose(self, removed: Collection[int], kept: Collection[int]) -> None:
        """Add what the program lacks; x = 1 on rows given up, 0 on rows kept and trusted rows."""
        new = self.rows[self.n_posed :]
        flat = [row for rows in new for row in rows]
        none = np.array([], np.int32), np.array([])
        for row in dict.fromkeys(flat):
            if row not in self.places:
                self.places[row] = len(self.places)
                cost = 0.0 if self.costs.trusted[row] else self.costs.floats(np.array([row]))[0]
                self.solver.addCol(cost, 0.0, self.infinity, 0, *none)
        columns = np.array([self.places[row] for row in flat], np.int32)
        starts = np.cumsum([0, *map(len, new)])[:-1].astype(np.int32)
        ones, endless = np.ones(len(flat)), np.full(len(new), self.infinity)
        self.solver.addRows(len(new), ones[: len(new)], endless, len(flat), starts, columns, ones)
        self.n_posed = len(self.rows)
        rows = np.array(list(self.places), np.intp)
        low = np.isin(rows, list(removed)).astype(float)
        stay = self.costs.trusted[rows] | np.isin(rows, list(kept))
        top = np.where(low > 0.0, 1.0, np.where(stay, 0.0, self.infinity))
        self.solver.changeColsBounds(len(rows), np.arange(len(rows), dtype=np.int32), low, top)

    def hit(self, removed: Collection[int], kept: Collection[int], clock: Clock) -> Hit | None:
        """The cheapest way to hit them all in a branch; None if the solver fails."""
        from highspy import HighsBasisStatus, HighsModelStatus

        x = np.zeros(len(self.costs.whole))
        if not self.rows:
            return Hit(x, 0.0, {}, ([], []))
        self._pose(removed, kept)
        for is_last in (False, True):
            run(self.solver, clock)
            if self.solver.getModelStatus() == HighsModelStatus.kOptimal:
                break
            clock.check()
            if is_last:
                return None
            self.solver.clearSolver()
        solution = self.solver.getSolution()
        x[list(self.places)] = solution.col_value
        x[list(removed)] = 1.0
        duals, unit = np.array(solution.row_dual), self.costs.largest
        dual = {
            int(k): unit * Fraction(float(duals[k])) for k in np.flatnonzero(duals > ROUNDED_DUAL)
        }
        try:
            value = float(unit * Fraction(self.solver.getInfo().objective_function_value))
        except OverflowError:
            value = math.inf
        if unit < ROUNDED_COST:
            return Hit(x, value, dual, ([], []))
        basic, basis = HighsBasisStatus.kBasic, self.solver.getBasis()
        tight = [k for k, status in enumerate(basis.row_status) if status != basic]
        in_basis = zip(self.places, basis.col_status, strict=True)
        return Hit(x, value, dual, (tight, [row for row, status in in_basis if status == basic]))

    # What its dual proves

    def packing(self, hit: Hit, removed: Collection[int], kept: Collection[int]) -> Packing:
        """The dual as a packing: exact where costs are long, else rounded; made to fit."""
        out = set(removed)
        shares = self._exact_dual(hit, out) if self.costs.largest >= ROUNDED_COST else None
        if shares is None:
            shares = {
                k: Fraction(round(share * DENOMINATOR), DENOMINATOR)
                for k, share in hit.dual.items()
                if out.isdisjoint(self.rows[k])
            }
        loads: dict[int, Fraction] = defaultdict(Fraction)
        for k, share in shares.items():
            for row in self.rows[k]:
                if row not in kept and not self.costs.trusted[row]:
                    loads[row] += share
        over = max((load / self.costs.whole[row] for row, load in loads.items()), default=0)
        if over > 1:
            fitted = {k: math.floor(share / over * DENOMINATOR) for k, share in shares.items()}
            shares = {k: Fraction(share, DENOMINATOR) for k, share in fitted.items()}
        return {k: share for k, share in shares.items() if share > 0}

    def _exact_dual(self, hit: Hit, out: set[int]) -> Packing | None:
        """The vertex of the dual, solved for over its basis; None if it is no packing."""
        tight = [k for k in hit.basis[0] if out.isdisjoint(self.rows[k])]
        rows = [row for row in hit.basis[1] if row not in out]
        if not tight or len(tight) != len(rows):
            return None
        matrix = np.array([[int(row in self.rows[k]) for k in tight] for row in rows], dtype=object)
        if len(independent(matrix)[0]) < len(tight):
            return None
        solved, scale = solve(matrix, [self.costs.whole[row] for row in rows])
        if min(solved) < 0:
            return None
        return {k: Fraction(value, scale) for k, value in zip(tight, solved, strict=True)}

    def worth(self, packing: Packing, removed: Collection[int]) -> int:
        """What must be given up at least, in whole units, in a branch with this packing."""
        out = set(removed)
        total = sum((u for k, u in packing.items() if out.isdisjoint(self.rows[k])), Fraction(0))
        return sum(self.costs.whole[row] for row in out) + math.ceil(total)
