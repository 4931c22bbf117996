"""Training in the dual: passes over blocks of rows, every change of a coefficient on a tape.

A row's score is never computed anew, only brought up to date: at a visit, what changed since
its last visit is added, for a block of rows at a time. So a pass costs (rows) × (members of the
support that changed in the pass before), not (rows) × (the support), and its mistakes are those
of the plain loop that takes one row after the other, up to the rounding of sums.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.loops.kernel import visit_block
from novikoff.models.kernel.budget import Budget
from novikoff.models.kernel.columns import KernelColumns
from novikoff.models.kernel.values import Kernel, check_sums
from novikoff.models.tape import DualTape

ROWS_A_BLOCK = 512  # rows scored by one product


class Past(NamedTuple):
    """What earlier calls of partial_fit have learned."""

    kernel: Kernel
    support: np.ndarray
    vectors: Any
    tape: DualTape
    n_seen: int  # rows given so far
    n_visits: int
    n_iter: int
    n_mistakes: int
    n_forgotten: int

    @classmethod
    def none(cls, kernel: Kernel, X: Any) -> Past:
        return cls(kernel, np.empty(0, dtype=np.int64), X[:0], DualTape.blank(0), 0, 0, 0, 0, 0)


class DualTraining:
    """The state of a run: scores of all rows, the support, and every change of a coefficient.

    With a `budget`, a row that joins a full support pushes out the lightest member. That one is
    forgotten: its coefficients become 0, and what it wrote on the tape no longer counts.
    """

    def __init__(
        self,
        columns: KernelColumns,
        steps: np.ndarray,
        ties_positive: bool,
        budget: Budget | None,
        n_visits: int = 0,
    ) -> None:
        """steps[i, c]: what a mistake of line c on row i adds to the row's coefficient."""
        n, self.n_lines = steps.shape
        self.columns, self.steps, self.ties_positive = columns, steps, ties_positive
        self.budget, self.n_visits = budget, n_visits
        self.scores = np.zeros(steps.shape)
        self.kept = np.zeros(n, dtype=bool)  # whether a row is in the support
        self.counts_from = np.zeros(n, dtype=np.int64)  # changes of a row before this are void
        self.changes = DualTape.blank(1024)
        self.n_changes = self.n_mistakes = self.n_forgotten = self.work = 0
        self.order = np.empty(0, dtype=np.int64)
        self.up_to_date = np.empty(0, dtype=np.int64)  # for each block, as of how many changes

    def go_on_from(self, tape: DualTape) -> None:
        """Begin with the mistakes of an earlier run, whose members are the first rows."""
        self._write(*tape)
        self.kept[tape.members] = True
        if self.budget is not None:
            members = np.arange(1 + tape.members.max(initial=-1))
            squares = [self.columns.fresh(one, one)[0, 0] for one in members[:, None]]
            self.budget.note(*tape[:3], np.array(squares)[tape.members])

    def one_pass(self, order: np.ndarray) -> int:
        """Visit the rows in `order`; returns the mistakes."""
        if order is not self.order:
            self._settle(order)
        before = self.n_mistakes
        for b, rows in enumerate(_blocks(order)):
            with np.errstate(over="ignore", invalid="ignore"):
                self._catch_up(rows, b)
                self._visit(rows)
            check_sums(self.scores[rows])
            self.n_visits += len(rows)
            self.up_to_date[b] = self.n_changes
        return self.n_mistakes - before

    def state(self) -> tuple[Any, ...]:
        """All that the passes to come depend on, as plain arrays; see `restore`."""
        changes = tuple(part[: self.n_changes].copy() for part in self.changes)
        counts = (self.n_visits, self.n_mistakes, self.n_forgotten)
        arrays = (self.scores, self.kept, self.counts_from, self.order, self.up_to_date)
        budget = None if self.budget is None else self.budget.state()
        return changes, counts, tuple(array.copy() for array in arrays), budget

    def restore(self, state: tuple[Any, ...]) -> None:
        """Be as the run was when `state` was taken."""
        changes, counts, arrays, budget = state
        self.n_changes = 0
        self._write(*changes)
        self.n_visits, self.n_mistakes, self.n_forgotten = counts
        self.scores, self.kept, self.counts_from, self.order, self.up_to_date = (
            array.copy() for array in arrays
        )
        if self.budget is not None:
            self.budget.restore(budget)

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

    def _visit(self, rows: np.ndarray) -> None:
        scores, steps = self.scores[rows], self.steps[rows]
        signed = np.sign(steps) * scores
        wrong = (signed < 0.0) | ((scores == 0.0) & ~((steps > 0.0) & self.ties_positive))
        wrong &= steps != 0.0
        self.work += scores.size
        if not wrong.any():
            return
        place = int(np.argmax(wrong.any(axis=1)))
        values = self.columns.fresh(rows, rows[place:])
        gram = np.zeros((len(rows), len(rows)), values.dtype)
        gram[place:] = values.T
        kept = self.kept[rows]
        places = np.empty(scores.size, dtype=np.int64)
        lines = np.empty(scores.size, dtype=np.int64)
        while place < len(rows):
            room = len(rows) if self.budget is None else self.budget.room
            found, place = visit_block.for_work(self.work)(
                gram, scores, steps, self.ties_positive, kept, room, place, places, lines
            )
            at, on = places[:found], lines[:found]
            self._write(rows[at], on, steps[at, on], self.n_visits + at)
            self.n_mistakes += int(found)
            self.work += int(found) * len(rows)
            if self.budget is not None:
                self.budget.note(rows[at], on, steps[at, on], gram[at, at])
                if self.budget.room < 0:
                    lightest, coef = self._forget(self.budget, self.n_visits + place - 1)
                    kept[rows == lightest] = False
                    scores -= self.columns.fresh(rows, np.array([lightest])) * coef
        self.kept[rows] = kept
        self.scores[rows] = scores

    def _forget(self, budget: Budget, visit: int) -> tuple[int, np.ndarray]:
        """Take the lightest member out of the support; returns it with its coefficients."""
        row, coef = budget.drop_lightest()
        lines = np.flatnonzero(coef)
        self._write(np.full(len(lines), row), lines, -coef[lines], np.full(len(lines), visit))
        self.counts_from[row] = self.n_changes
        self.kept[row] = False
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
