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

from novikoff.certificates.arithmetic import Sum, as_integers, score_signs
from novikoff.inputs import Table
from novikoff.search import wide
from novikoff.search.clock import Clock
from novikoff.search.collinear import independent_rows, spanning_equalities
from novikoff.search.engine import Balanced, Left, Moved
from novikoff.search.fixed_effects import settle_sparsely
from novikoff.search.levels import Factor, Levels, find_factor
from novikoff.search.one_signed_columns import one_signed_columns
from novikoff.search.question import Question, SeparatingDirection
from novikoff.search.signed_rows import SignedRows, Weights, filled_columns
from novikoff.search.sparse_relations import SPARSE_COLUMNS
from novikoff.search.strict import (
    DIGIT_COLUMNS,
    Inseparable,
    Separated,
    obstruction_in,
    separate,
)
from novikoff.search.threads import one_thread

GROWN_BITS = 32  # of a factor that is too small: one more look at the rows for each


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
    with one_thread(z.dim):
        is_held = z.signs[z.rows] == 0
        if is_held.any():
            _search_held(z, z.rows[~is_held], z.rows[is_held], clock, findings)
            return
        rounds = Rounds(z, z.rows, z.rows[:0], clock, findings, random=random)
        try:
            rounds.run()
        finally:
            findings.weights = rounds.total()
        findings.balanced, findings.is_done = rounds.balanced, True


@dataclass(eq=False)
class Rounds:
    """The rows that are left, and how the others were settled, round by round.

    counts : of each row, how many it stands for: 1, unless told
    given : Σ z_i over all rows, where those at hand are only some of them
    steps : directions that no row left opposed, with the rows on which they are strict
    """

    z: SignedRows
    left: np.ndarray
    held: np.ndarray
    clock: Clock
    findings: Findings
    counts: Sequence[int] | None = None
    given: Sum | None = None
    random: np.random.Generator | None = None
    steps: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)
    balanced: Balanced | None = None
    chosen: np.ndarray | None = None  # the last working set of a wide table

    def __post_init__(self) -> None:
        self.columns = self.z.columns  # not zero on all rows left, as far as is known

    def run(self) -> None:
        """Settle rows until none that is left can be moved."""
        while len(self.left):
            self.clock.check()
            if self.settle_by_columns():
                continue
            answer = self.ask()
            if isinstance(answer, Balanced):
                self.balanced = answer
                return
            exact = as_integers(answer.weights)
            strict = _sides(self.z, self.left, self.z.signs[self.left], exact) > 0
            if not strict.any():
                raise RuntimeError("a direction was found that moves no row")
            # A direction of floats stays what it is where it is the only one.
            is_all = strict.all() and not self.steps and isinstance(answer.weights, np.ndarray)
            direction = np.asarray(answer.weights) if is_all else exact
            self.steps.append((direction, self.left[strict]))
            self.left = self.left[~strict]

    def _say(self, how: str) -> None:
        if how not in self.findings.how:
            self.findings.how.append(how)

    def settle_by_columns(self) -> bool:
        """Settle what one-signed columns settle, all rounds of it; whether there were any."""
        z = SignedRows(self.z.table, self.z.signs, self.z.fit_intercept, self.left, self.columns)
        with self.clock.stage("one-signed columns"):
            steps, rest = one_signed_columns(z, self.held)
        self.steps += steps
        if steps:
            self._say("one-signed columns")
            self.left = rest.rows
            if not len(self.held):  # equalities may have other columns
                self.columns = rest.columns
        return bool(steps)

    def ask(self) -> Balanced | Moved:
        """Whether the rows left can be moved: once."""
        z = SignedRows(self.z.table, self.z.signs, self.z.fit_intercept, self.left, self.columns)
        z = z if len(self.held) else z.filled()
        left = Left(z, self.left, self.held, self.clock, self.counts, self.given)
        if not len(self.held) and self.given is None and self.factor is not None:
            with self.clock.stage("one large factor"):
                found = Levels(z, self.factor, self.left, self.clock).ask(self._ask_about_pairs)
            if found is not None:
                self._say("one large factor")
                return found
        separated: Separated | Inseparable | None = None
        nearby = None
        if not len(self.held):
            if self.counts is None and wide.Wide.takes(z):
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
            nearby = separated.active
            if z.dim <= DIGIT_COLUMNS and self.findings.obstruction is None:
                answer = self._obstructed(left, separated)
                if answer is not None:
                    return answer
        found = left.ask(nearby)
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
        z, places = self.z, np.arange(self.z.table.n_rows)
        rows = SignedRows(z.table, z.signs, z.fit_intercept, self.left, self.columns)
        if len(self.held):  # each equality twice, as +e and -e
            places = np.concatenate([self.left, self.held, self.held])
            ones = np.ones(len(self.held), dtype=np.int8)
            signs = np.concatenate([z.signs[self.left], ones, -ones]).astype(np.int8)
            rows = SignedRows(z.table.take(places), signs, z.fit_intercept)
        total, over = left.total
        target = [Fraction(-int(total[column_id]), over) for column_id in rows.column_ids.tolist()]
        chosen = rows.rows[:: max(1, rows.n_rows // (4 * rows.dim + 50))]
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

    def total(self) -> Weights | None:
        """One direction that settles the rows of all steps; None where there are none."""
        if not self.steps:
            return None
        if len(self.steps) == 1:
            only = self.steps[0][0]
            return only if only.dtype != object else only.tolist()
        total = np.zeros(self.z.table.n_columns + 1, dtype=object)
        for direction, rows in reversed(self.steps):
            exact = as_integers(direction)
            used = np.flatnonzero(exact)
            total[used] += _lexicographic_factor(self.z, rows, exact, total) * exact[used]
        common = math.gcd(*total.tolist()) or 1
        return (total if common == 1 else total // common).tolist()


def _search_held(
    z: SignedRows, free: np.ndarray, held: np.ndarray, clock: Clock, findings: Findings
) -> None:
    """The search with equalities: with independent ones, which stand for all of them."""
    is_wide = z.table.is_sparse and z.dim > SPARSE_COLUMNS
    if is_wide and _settle_levels(z, free, held, clock, findings):
        return
    with clock.stage("equalities"):
        basis = spanning_equalities(z, held, clock)
    while True:
        rounds = Rounds(z, free, basis, clock, findings)
        if len(basis) == z.dim or not len(free):
            findings.balanced = Left(z, free, basis, clock).balanced_on(basis)
            if findings.balanced is None:
                raise RuntimeError("equalities do not carry what they span")
        else:
            rounds.run()
            findings.balanced = rounds.balanced
        with clock.stage("adding directions"):
            findings.weights, broken = rounds.total(), held[:0]
            if findings.weights is not None:
                ones = np.ones(len(held), dtype=np.int8)
                broken = held[_sides(z, held, ones, as_integers(findings.weights)) != 0]
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
    rounds.settle_by_columns()
    if len(rounds.left):

        def decide(rows: SignedRows, counts: list[int]) -> Rounds:
            inner = Rounds(rows, rows.rows, rows.rows[:0], clock, Findings(), counts)
            inner.run()
            return inner

        with clock.stage("equalities"):
            moved = settle_sparsely(z, rounds.left, held, clock, decide)
        if moved is None:
            return False
        if len(moved.settled):
            rounds.steps.append((moved.direction, np.sort(moved.settled)))
        findings.balanced = moved.balanced
    with clock.stage("adding directions"):
        findings.weights = rounds.total()
    findings.is_done = True
    return True


def _part(z: SignedRows, rows: np.ndarray) -> tuple[SignedRows, np.ndarray]:
    """Some rows alone, CSR ones without their empty columns, and which weights are theirs."""
    table, columns = z.table.take(rows), np.arange(z.table.n_columns)
    if table.is_sparse:
        columns = filled_columns(table.matrix)
        table = Table(table.matrix[:, columns], None, table.numbers)
    return SignedRows(table, z.signs[rows], z.fit_intercept), np.append(columns, z.table.n_columns)


def _sides(z: SignedRows, rows: np.ndarray, signs: np.ndarray, w: np.ndarray) -> np.ndarray:
    """sign·score of some rows: its exact sign."""
    if not len(rows):
        return np.zeros(0, dtype=np.int8)
    if 2 * len(rows) > z.table.n_rows:  # to read all rows takes less than a copy of these
        return np.asarray(score_signs(z.table, w)[rows] * signs)
    part, column_ids = _part(z, rows)
    return np.asarray(score_signs(part.table, w[column_ids]) * signs)


def _lexicographic_factor(
    z: SignedRows, rows: np.ndarray, direction: np.ndarray, total: np.ndarray
) -> int:
    """A positive factor with z·(total + factor·direction) > 0 on these rows.

    Floats propose one that leaves the rows well off zero; it grows until all rows are, exactly.
    """
    part, column_ids = _part(z, rows)
    direction, total = direction[column_ids], total[column_ids]
    if not (len(rows) and total.any()):
        return 1
    factor = 1
    gain, score = (part.float_scores(w.tolist(), part.rows) for w in (direction, total))
    sizes = [max(map(abs, w.tolist())) for w in (direction, total)]
    with np.errstate(all="ignore"):
        needed = float(np.nanmax((1.0 - 2.0 * score) / gain, initial=0.0))
    if math.isfinite(needed):
        factor = max(1, math.ceil(Fraction(needed) * Fraction(9, 8) * sizes[1] / sizes[0]))
    while (_sides(part, part.rows, part.signs, total + factor * direction) <= 0).any():
        factor <<= GROWN_BITS
    return factor
