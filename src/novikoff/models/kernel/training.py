"""Training in the dual: passes over blocks of rows, every change of a coefficient on a tape.

A row's score is never computed anew, only brought up to date: at a visit, what changed since
its last visit is added, for a block of rows at a time. So a pass costs (rows) × (members of the
support that changed in the pass before), not (rows) × (the support), and its mistakes are those
of the plain loop that takes one row after the other, up to the rounding of sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.loops.kernel import visit_block
from novikoff.models.kernel.values import Kernel, check_sums, dense
from novikoff.models.tape import DualTape

ROWS_A_BLOCK = 512  # rows scored by one product
MEMBERS_A_PRODUCT = 2048  # members in one product, so that its kernel values stay in the cache


class KernelColumns:
    """Sums of kernel values over members of the support, for rows of one training set.

    The first columns that are asked for, as many as `megabytes` have room for, are kept. A column
    holds K(every row, one member); NaN marks what was not asked for yet.
    """

    def __init__(self, kernel: Kernel, X: Any, megabytes: float) -> None:
        self.kernel, self.X, self.megabytes = kernel, X, megabytes
        n = X.shape[0]
        narrow = X.dtype == np.float32 and kernel.name in ("linear", "poly")
        dtype = np.dtype(np.float32 if narrow else np.float64)
        room = 0 if kernel.name == "precomputed" else int(megabytes * 2**20 / (n * dtype.itemsize))
        self.columns = np.empty((min(room, n), n), dtype)  # one column of K a line
        self.slot_of, self.n_kept = np.full(n, -1), 0

    def sums(self, rows: np.ndarray, members: np.ndarray, coef: np.ndarray) -> np.ndarray:
        """K(rows, members) @ coef, summed in float64; each member is named once."""
        new = members[self.slot_of[members] < 0][: len(self.columns) - self.n_kept]
        self.slot_of[new] = slots = self.n_kept + np.arange(len(new))
        self.columns[slots] = np.nan
        self.n_kept += len(new)
        total = np.zeros((len(rows), coef.shape[1]))
        for first in range(0, len(members), MEMBERS_A_PRODUCT):
            tile = slice(first, first + MEMBERS_A_PRODUCT)
            values = self._values(rows, members[tile])
            total += values.astype(np.float64, copy=False) @ coef[tile]
        return total

    def fresh(self, rows: np.ndarray, members: np.ndarray) -> np.ndarray:
        """K(rows, members), computed and not kept."""
        if self.kernel.name == "precomputed":
            return dense(self.X[rows][:, members])
        return self.kernel.between(self.X[rows], self.X[members])

    def _values(self, rows: np.ndarray, members: np.ndarray) -> np.ndarray:
        slots = self.slot_of[members]
        kept = slots >= 0
        if not kept.any():
            return self.fresh(rows, members)
        known = self.columns[np.ix_(slots[kept], rows)]
        lacking = np.isnan(known).any(axis=1)
        if lacking.any():
            known[lacking] = self.fresh(rows, members[kept][lacking]).T
            self.columns[np.ix_(slots[kept][lacking], rows)] = known[lacking]
        if kept.all():
            return np.asarray(known.T)
        values = np.empty((len(rows), len(members)), self.columns.dtype)
        values[:, kept] = known.T
        values[:, ~kept] = self.fresh(rows, members[~kept])
        return values


class DualTraining:
    """The state of a run: scores of all rows, the support, and every change of a coefficient.

    With a `budget`, a row that joins a full support pushes out the lightest member: the one whose
    loss moves the weights least. Losing coefficients c of a row x moves them by ‖c‖·√K(x, x). Of
    several, it is the one whose last mistake lies furthest back; the row that erred last is never
    it. A lost member's coefficients become 0, and what it wrote on the tape no longer counts.
    """

    def __init__(
        self, columns: KernelColumns, steps: np.ndarray, ties_positive: bool, budget: int | None,
        n_visits: int, tape: DualTape,
    ) -> None:  # fmt: skip
        """steps[i, c]: what a mistake of line c on row i adds to the row's coefficient; `tape`: the
        mistakes of an earlier run, whose members are row numbers.
        """
        n, self.n_lines = steps.shape
        self.columns, self.steps, self.ties_positive = columns, steps, ties_positive
        self.budget, self.n_visits = budget, n_visits
        self.scores = np.zeros(steps.shape)
        self.kept = np.zeros(n, dtype=bool)  # whether a row is in the support
        self.counts_from = np.zeros(n, dtype=np.int64)  # changes of a row before this are void
        self.changes = DualTape.blank(1024)
        self.n_changes = self.n_forgotten = self.work = 0
        self.order = np.empty(0, dtype=np.int64)
        self.up_to_date = np.empty(0, dtype=np.int64)  # for each block, as of how many changes
        self.coef = np.zeros((0 if budget is None else n, self.n_lines))
        self.squares = np.zeros(len(self.coef))  # K(x, x) of the members
        self.ages = np.zeros(len(self.coef), dtype=np.int64)  # the number of the last change
        self.kept[tape.members] = True
        if budget is not None:
            for row in np.flatnonzero(self.kept):
                self.squares[row] = columns.fresh(*[np.array([row])] * 2)[0, 0]
        self._learn(*tape)

    def afresh(self) -> DualTraining:
        """What can be made of the tape alone, so that a run that goes on from a file is this one.

        Scores and kernel values of other blocks may differ in their last bit.
        """
        support, tape = self.tape()
        tape = tape._replace(members=support[tape.members])
        columns = KernelColumns(self.columns.kernel, self.columns.X, self.columns.megabytes)
        dual = DualTraining(
            columns, self.steps, self.ties_positive, self.budget, self.n_visits, tape
        )
        dual.n_forgotten = self.n_forgotten
        return dual

    def one_pass(self, order: np.ndarray) -> int:
        """Visit the rows in `order`; returns the mistakes."""
        if order is not self.order:
            self._settle(order)
        n_mistakes = 0
        for b, rows in enumerate(_blocks(order)):
            with np.errstate(over="ignore", invalid="ignore"):
                self._catch_up(rows, b)
                n_mistakes += self._visit(rows)
            check_sums(self.scores[rows])
            self.n_visits += len(rows)
            self.up_to_date[b] = self.n_changes
        return n_mistakes

    def tape(self) -> tuple[np.ndarray, DualTape]:
        """The rows of the support in the order they joined it, and the tape of their mistakes."""
        rows, *rest = (part[: self.n_changes] for part in self.changes)
        counts = np.arange(self.n_changes) >= self.counts_from[rows]
        found, first, places = np.unique(rows[counts], return_index=True, return_inverse=True)
        joined = np.argsort(first)
        members = np.argsort(joined)[places]
        return found[joined], DualTape(members, *(part[counts] for part in rest))

    def _settle(self, order: np.ndarray) -> None:
        """Bring the scores of the last order up to date, so that the next can cut other blocks."""
        for b, rows in enumerate(_blocks(self.order)):
            self._catch_up(rows, b)
        since = self.n_changes if len(self.order) else 0
        self.order = order
        self.up_to_date = np.full(len(_blocks(order)), since)

    def _catch_up(self, rows: np.ndarray, b: int) -> None:
        """Add to the scores of block b what has changed since they were up to date."""
        late = slice(self.up_to_date[b], self.n_changes)
        members, places = np.unique(self.changes.members[late], return_inverse=True)
        coef = np.zeros((len(members), self.n_lines))
        np.add.at(coef, (places, self.changes.lines[late]), self.changes.steps[late])
        moved = coef.any(axis=1)
        if moved.any():
            self.scores[rows] += self.columns.sums(rows, members[moved], coef[moved])

    def _visit(self, rows: np.ndarray) -> int:
        """Visit the rows of a block, whose scores are up to date; returns the mistakes."""
        scores, steps = self.scores[rows], self.steps[rows]
        signed = np.sign(steps) * scores
        wrong = (signed < 0.0) | ((scores == 0.0) & ~((steps > 0.0) & self.ties_positive))
        wrong &= steps != 0.0
        self.work += scores.size
        if not wrong.any():
            return 0
        place, n_mistakes = int(np.argmax(wrong.any(axis=1))), 0
        values = self.columns.fresh(rows, rows[place:])
        gram = np.zeros((len(rows), len(rows)), values.dtype)
        gram[place:] = values.T
        kept = self.kept[rows]
        places, lines = np.empty((2, scores.size), dtype=np.int64)
        while place < len(rows):
            room = len(rows)
            if self.budget is not None:
                room = self.budget - int(np.count_nonzero(self.kept))
            found, place = visit_block.for_work(self.work)(
                gram, scores, steps, self.ties_positive, kept, room, place, places, lines
            )
            at, on = places[:found], lines[:found]
            self.kept[rows] = kept
            if self.budget is not None:
                self.squares[rows[at]] = gram[at, at]
            self._learn(rows[at], on, steps[at, on], self.n_visits + at)
            n_mistakes += int(found)
            self.work += int(found) * len(rows)
            if self.budget is not None and np.count_nonzero(self.kept) > self.budget:
                lightest, coef = self._forget(self.n_visits + place - 1)
                kept[rows == lightest] = False
                scores -= self.columns.fresh(rows, np.array([lightest])) * coef
        self.scores[rows] = scores
        return n_mistakes

    def _learn(self, rows: np.ndarray, lines: np.ndarray, steps: np.ndarray, visits: Any) -> None:
        """Write mistakes on the tape; with a budget, also to the members' coefficients."""
        if self.budget is not None:
            np.add.at(self.coef, (rows, lines), steps)
            self.ages[rows] = np.arange(1, 1 + len(rows)) + self.n_changes
        self._write(rows, lines, steps, visits)

    def _forget(self, visit: int) -> tuple[int, np.ndarray]:
        """Take the lightest member out of the support; returns it with its coefficients."""
        members = np.flatnonzero(self.kept)
        members = members[self.ages[members] < self.ages[members].max()]
        weights = np.square(self.coef[members]).sum(axis=1) * self.squares[members]
        row = int(members[np.lexsort((self.ages[members], weights))[0]])
        coef = self.coef[row].copy()
        lines = np.flatnonzero(coef)
        self._write(np.full(len(lines), row), lines, -coef[lines], np.full(len(lines), visit))
        self.counts_from[row] = self.n_changes
        self.kept[row], self.coef[row] = False, 0.0
        self.n_forgotten += 1
        return row, coef

    def _write(self, *change: np.ndarray) -> None:
        """Append changes: rows, lines, steps and visits."""
        end = self.n_changes + len(change[0])
        if end > len(self.changes.members):
            room = max(end, 2 * len(self.changes.members))
            self.changes = DualTape(*(np.resize(part, room) for part in self.changes))
        for part, values in zip(self.changes, change, strict=True):
            part[self.n_changes : end] = values
        self.n_changes = end


def _blocks(order: np.ndarray) -> list[np.ndarray]:
    return [order[first : first + ROWS_A_BLOCK] for first in range(0, len(order), ROWS_A_BLOCK)]
