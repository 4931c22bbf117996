"""The whole search: from rows and signs to the parts of a claim. Proves nothing by itself.

One question is asked of the rows that are left, until the answer is that none can be moved: does a
direction oppose none of them and move some? The rows that it moves are settled and set aside, and
the directions are added up in the end, each so large that what it settled stays settled.

The stages of one question, and why each exists:

    one-signed columns    a column that settles rows by itself costs one pass; chains of them have
                          weights that no float holds
    one large factor      thousands of indicator columns leave a question in few (levels.py)
    steps of one metric   beyond 200 columns digits cost more than all else (wide.py)
    squared hinge         without a pull it always has a minimum: a strict separator, or an
                          obstruction, the few rows that people look at (strict.py)
    pulled hinge          a balance of all rows, or a direction that moves some (engine.py)
    exact simplex         the same over the integers (question.py): it always answers, also where
                          margins and conflicts are below what floats see

Independent equalities take part as rows that must stay at zero, and all are looked at in the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from novikoff.certificates.arithmetic import Sum, as_integers
from novikoff.inputs import Table
from novikoff.search import wide
from novikoff.search.clock import Clock
from novikoff.search.collinear import independent_rows, spanning_equalities
from novikoff.search.engine import DIGIT_COLUMNS, Balanced, Left, Moved, Weight
from novikoff.search.farkas import SeparatingDirection
from novikoff.search.fixed_effects import settle_sparsely
from novikoff.search.levels import Factor, Levels, find_factor
from novikoff.search.lexicographic_sum import lexicographic_factor, sides
from novikoff.search.one_signed_columns import one_signed_columns
from novikoff.search.question import Question
from novikoff.search.range_scaled import range_scaled
from novikoff.search.signed_rows import SignedRows, Weights, filled_columns
from novikoff.search.sparse_relations import SPARSE_COLUMNS
from novikoff.search.strict import Inseparable, Separated, obstruction_in, separate
from novikoff.search.threads import one_thread


@dataclass
class Findings:
    """What the search has found so far: complete when it ends, partial when time runs out.

    weights : a direction that opposes no row, and moves some; None where there is none
    balanced : why nothing moves the rest; None where nothing is left
    is_done : whether these are a proof
    obstruction : few rows, and multipliers with which they balance: they rule out a separator
    """

    weights: Weights | None = None
    balanced: Balanced | None = None
    is_done: bool = False
    obstruction: tuple[np.ndarray, Sequence[int]] | None = None
    how: list[str] = field(default_factory=list)

    @property
    def separator(self) -> Weights | None:
        """The direction, where it moves every row."""
        return self.weights if self.is_done and self.balanced is None else None


def search(z: SignedRows, clock: Clock, random: np.random.Generator, findings: Findings) -> None:
    """Fill in `findings` until they are a proof. Signs are -1, 0 and +1. Raises OutOfTimeError."""
    small = range_scaled(z)
    try:
        with one_thread(z.dim):
            if (small.rows.signs[small.rows.rows] == 0).any():
                _search_held(small.rows, clock, findings)
            else:
                _search_free(small.rows, clock, random, findings)
    finally:
        if findings.weights is not None:
            findings.weights = small.outward(findings.weights)


def _search_free(
    z: SignedRows, clock: Clock, random: np.random.Generator, findings: Findings
) -> None:
    """The search without equalities."""
    rounds = Rounds(z, z.rows, z.rows[:0], clock, findings, random=random)
    try:
        rounds.run()
    finally:
        findings.weights = rounds.total()
    findings.balanced, findings.is_done = rounds.balanced, True


@dataclass(frozen=True)
class _Step:
    """A direction that no row left opposes, and the rows on which it is strict."""

    direction: np.ndarray  # integers of every column and the offset, or floats
    rows: np.ndarray


class Rounds:
    """The rows that are left, and how the others were settled, round by round.

    weights : of rows that stand for several; see `Left`
    given : Σ z_i over all rows, where those at hand are only some of them
    """

    def __init__(
        self, z: SignedRows, free: np.ndarray, held: np.ndarray, clock: Clock, findings: Findings,
        weights: Sequence[Weight] | None = None,
        given: Sum | None = None, random: np.random.Generator | None = None,
    ) -> None:  # fmt: skip
        self.given, self.random = given, random
        self.z, self.left, self.held, self.clock = z, free, held, clock
        self.columns = z.columns  # those that are not zero on all rows left, as far as is known
        self.findings, self.weights = findings, weights
        self.steps: list[_Step] = []
        self.balanced: Balanced | None = None
        self.chosen: np.ndarray | None = None  # the last working set of a wide table

    def run(self) -> None:
        """Settle rows until none that is left can be moved."""
        while len(self.left):
            self.clock.check()
            if self._one_signed_columns():
                continue
            answer = self.ask()
            if isinstance(answer, Balanced):
                self.balanced = answer
                return
            self._settle(answer)

    def _say(self, how: str) -> None:
        if how not in self.findings.how:
            self.findings.how.append(how)

    def _one_signed_columns(self) -> bool:
        """Settle what one-signed columns settle, all rounds of it."""
        question, places = self._with_held()
        with self.clock.stage("one-signed columns"):
            one_signed = one_signed_columns(question)
        for step in one_signed.rounds:
            direction = np.zeros(self.z.table.n_columns + 1, dtype=object)
            direction[step.columns] = step.signs.tolist()
            self.steps.append(_Step(direction, np.sort(places[step.rows])))
        if one_signed.rounds:
            self._say("one-signed columns")
            rest = one_signed.rest.rows
            if len(self.held):
                self.left = places[rest[rest < len(self.left)]]
            else:
                self.left, self.columns = rest, one_signed.rest.columns
        return bool(one_signed.rounds)

    def _with_held(self) -> tuple[SignedRows, np.ndarray]:
        """The rows left, with the equalities twice, as +e and -e; and where each row is from."""
        z = self.z
        if not len(self.held):
            rows = SignedRows(z.table, z.signs, z.fit_intercept, self.left, self.columns)
            return rows, np.arange(z.table.n_rows)
        places = np.concatenate([self.left, self.held, self.held])
        ones = np.ones(len(self.held), dtype=np.int8)
        signs = np.concatenate([z.signs[self.left], ones, -ones]).astype(np.int8)
        return SignedRows(z.table.take(places), signs, z.fit_intercept), places

    @property
    def rows_left(self) -> SignedRows:
        z = self.z
        rows = SignedRows(z.table, z.signs, z.fit_intercept, self.left, self.columns)
        return rows if len(self.held) else rows.filled()  # equalities may have other columns

    def ask(self) -> Balanced | Moved:
        """Whether the rows left can be moved: once."""
        z = self.rows_left
        left = Left(z, self.left, self.held, self.weights, self.given, self.clock)
        if not len(self.held) and self.given is None and self.factor is not None:
            with self.clock.stage("one large factor"):
                found = Levels(z, self.factor, self.left, self.clock).ask(self._ask_about_pairs)
            if found is not None:
                self._say("one large factor")
                return found
        separated: Separated | Inseparable | None = None
        nearby = None
        if not len(self.held):
            if self.weights is None and wide.Wide.takes(z):
                question = wide.Wide(z, left, self.clock, self.given, self.chosen)
                answer = question.ask()
                self.chosen = question.chosen
                if answer is not None:
                    self._say("steps of one metric")
                    return answer
            separated = separate(z, self.clock, self.random)
            self._say("squared hinge")
            if isinstance(separated, Separated):
                return Moved(separated.weights)
            nearby = separated.balanced_rows
            if z.dim <= DIGIT_COLUMNS and self.findings.obstruction is None:
                answer = self._obstructed(left, separated)
                if answer is not None:
                    return answer
        found = left.ask(self.clock, nearby)
        if found is not None:
            self._say("pulled hinge")
            return found
        if isinstance(separated, Inseparable) and self.findings.obstruction is None:
            # So many columns that an exact solve comes last; few rows may still balance all.
            answer = self._obstructed(left, separated)
            if answer is not None:
                return answer
        self._say("exact simplex")
        return self._ask_exactly(left)

    @cached_property
    def factor(self) -> Factor | None:
        """The large factor among the columns, if there is one."""
        return find_factor(self.z)

    def _ask_about_pairs(self, rows: SignedRows, total: Sum) -> Balanced | Moved:
        """Whether rows can be moved, where `total` stands for all of them."""
        places = rows.rows
        return Rounds(rows, places, places[:0], self.clock, Findings(), given=total).ask()

    def _obstructed(self, left: Left, found: Inseparable) -> Balanced | None:
        """Few rows that rule out a separator are kept for people; they may balance all rows too."""
        with self.clock.stage("few rows of many"):
            few = obstruction_in(left.z, found, self.clock)
        if few is None:
            return None
        self.findings.obstruction = few.rows, few.multipliers
        with self.clock.stage("exact answer"):
            return left.balanced_by(few.rows, few.multipliers)

    def _ask_exactly(self, left: Left) -> Balanced | Moved:
        """The same over the integers, through a working set (question.py): always an answer."""
        rows, places = self._with_held()
        total, over = left.total
        target = [Fraction(-int(total[column_id]), over) for column_id in rows.column_ids.tolist()]
        size = 4 * rows.dim + 50
        chosen = rows.rows[:: max(1, rows.n_rows // size)]
        if len(self.held):
            chosen = np.union1d(chosen, np.arange(len(self.left), rows.n_rows))
        answer = Question(rows, chosen, self.clock).ask(target)
        if isinstance(answer, SeparatingDirection):
            return Moved(answer.weights)
        found: dict[int, int] = {}
        for row, multiplier in zip(answer.rows, answer.multipliers, strict=True):
            place = int(places[row])
            is_reversed = len(self.held) and row >= rows.n_rows - len(self.held)
            found[place] = found.get(place, 0) + (-multiplier if is_reversed else multiplier)
        balanced = left.balance_of(found, answer.scale)
        if balanced is None:
            raise RuntimeError("a multiplier of a balance is not positive")
        return balanced

    def _settle(self, answer: Moved) -> None:
        """Set aside the rows on which the direction is strict."""
        direction = answer.weights
        exact = as_integers(direction)
        strict = sides(self.z, self.left, self.z.signs[self.left], exact) > 0
        if not strict.any():
            raise RuntimeError("a direction was found that moves no row")
        is_all = strict.all() and not self.steps and isinstance(direction, np.ndarray)
        self.steps.append(_Step(np.asarray(direction) if is_all else exact, self.left[strict]))
        self.left = self.left[~strict]

    def total(self) -> Weights | None:
        """One direction that settles the rows of all steps; None where there are none."""
        if not self.steps:
            return None
        if len(self.steps) == 1:
            only = self.steps[0].direction
            return only if only.dtype != object else only.tolist()
        total = np.zeros(self.z.table.n_columns + 1, dtype=object)
        for step in reversed(self.steps):
            exact = as_integers(step.direction)
            used = np.flatnonzero(exact)
            total[used] += lexicographic_factor(self.z, step.rows, exact, total) * exact[used]
        common = math.gcd(*total.tolist()) or 1
        return (total if common == 1 else total // common).tolist()


def _search_held(z: SignedRows, clock: Clock, findings: Findings) -> None:
    """The search with equalities: with independent ones, which stand for all of them."""
    signs = z.signs[z.rows]
    free, held = z.rows[signs != 0], z.rows[signs == 0]
    if (
        z.table.is_sparse
        and z.dim > SPARSE_COLUMNS
        and _settle_levels(z, free, held, clock, findings)
    ):
        return
    with clock.stage("equalities"):
        basis = spanning_equalities(z, held, clock)
    while True:
        rounds = Rounds(z, free, basis, clock, findings)
        if len(basis) == z.dim or not len(free):
            findings.balanced = Left(z, free, basis).carried({}, basis)
        else:
            rounds.run()
            findings.balanced = rounds.balanced
        with clock.stage("adding directions"):
            findings.weights, broken = rounds.total(), held[:0]
            if findings.weights is not None:
                ones = np.ones(len(held), dtype=np.int8)
                broken = held[sides(z, held, ones, as_integers(findings.weights)) != 0]
        if not len(broken):
            findings.is_done = True
            return
        few = broken[:: max(1, len(broken) // (2 * z.dim))]
        basis = independent_rows(z, np.concatenate([basis, few]), clock)  # of a higher rank


def _settle_levels(
    z: SignedRows, free: np.ndarray, held: np.ndarray, clock: Clock, findings: Findings
) -> bool:
    """The same for very many sparse columns; False where that is too much."""
    rounds = Rounds(z, free, held, clock, findings)
    with clock.stage("one-signed columns"):
        columns = np.setdiff1d(np.arange(z.table.n_columns), filled_columns(z.table.matrix[held]))
        part = Table(z.table.matrix[free][:, columns], None, z.table.numbers)
        one_signed = (
            one_signed_columns(SignedRows(part, z.signs[free], False)) if len(columns) else None
        )
    for step in one_signed.rounds if one_signed else []:
        direction = np.zeros(z.table.n_columns + 1, dtype=object)
        direction[columns[step.columns]] = step.signs.tolist()
        rounds.steps.append(_Step(direction, np.sort(free[step.rows])))
    left = free[one_signed.rest.rows] if one_signed else free
    if len(left):

        def decide(rows: SignedRows, weights: list[Weight]) -> Rounds:
            inner = Rounds(rows, rows.rows, rows.rows[:0], clock, Findings(), weights)
            inner.run()
            return inner

        with clock.stage("equalities"):
            moved = settle_sparsely(z, left, held, decide)
        if moved is None:
            return False
        if len(moved.settled):
            rounds.steps.append(_Step(moved.direction, np.sort(moved.settled)))
        findings.balanced = moved.balanced
    with clock.stage("adding directions"):
        findings.weights = rounds.total()
    findings.is_done = True
    return True
