"""The largest set of rows that one direction settles, and the rows that none can settle.

Rows of sign 0 are equalities: both sides hold them. Of the others, a weak separator settles those
on which it is strict; they are set aside, and what is left is asked again, at most once for each
column. Then the directions are added, from the last to the first, each with a factor so large
that the rows which it settled stay settled. What is left in the end, the core, has an
obstruction that spans it.

Equalities are taken out first (equalities.py). Where that would be too much work, or make long
numbers, the few that stand for all take part as two rows each, +e and -e: no direction may leave
them, and an obstruction may take them with either sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers
from novikoff.inputs import Table
from novikoff.search.clock import Clock
from novikoff.search.decide import Findings, search
from novikoff.search.equalities import (
    MOST_COLUMNS,
    Equalities,
    carried_by,
    eliminate,
    moved_rows,
    reduce_rows,
)
from novikoff.search.fixed_effects import settle_sparsely
from novikoff.search.multipliers import Unsolved
from novikoff.search.outweighing import outweighing, sides
from novikoff.search.peel import peel
from novikoff.search.shrunk import shrunk
from novikoff.search.signed_rows import SignedRows, Weights, filled_columns
from novikoff.search.span import outside


@dataclass(frozen=True)
class Pair:
    """The parts of a complete certificate, not yet checked; rows by their place in the table."""

    weights: list[int | Fraction]  # of every column, the offset last
    rows: list[int]
    multipliers: Sequence[int]
    equalities: list[int]
    factors: list[int]
    settled: np.ndarray  # places, ascending
    core: np.ndarray  # of sign ±1, ascending

    def parts(self) -> tuple[Any, Any, Any, Any, Any, int, int]:
        """What `certificates.Complete` takes, but for the stamp."""
        return (
            self.weights,
            self.rows,
            None if isinstance(self.multipliers, Unsolved) else self.multipliers,
            self.equalities,
            self.factors,
            len(self.settled),
            len(self.core),
        )


class _Later(Mapping[int, int]):
    """The multipliers of rows, by place, that are solved for only when they are asked for."""

    def __init__(self, places: list[int], multipliers: Unsolved) -> None:
        self.places, self.multipliers = places, multipliers

    def __getitem__(self, place: int) -> int:
        return self.multipliers[self.places.index(place)]

    def __iter__(self) -> Iterator[int]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


Answer = tuple[np.ndarray, np.ndarray, Mapping[int, int]]  # settled rows, direction, obstruction


@dataclass(frozen=True)
class _Step:
    """A direction that no row left opposes, and the rows, by place, on which it is strict."""

    direction: np.ndarray  # integers, of every column and the offset
    rows: np.ndarray


def complete(
    z: SignedRows, clock: Clock, random: np.random.Generator, weak: Weights | None = None,
    obstruction: tuple[np.ndarray, Sequence[int]] | None = None,
) -> Pair:  # fmt: skip
    """Settle all that can be settled of rows with signs -1, 0 and +1. Raises OutOfTimeError.

    `weak` is a weak separator and `obstruction` has rows and multipliers, if known already.
    """
    small = shrunk(z)
    first = None if weak is None else as_integers(small.inward(weak))
    pair = _complete(small.rows, clock, random, first, obstruction)
    return Pair(**{**vars(pair), "weights": list(small.outward(pair.weights))})


def _complete(
    z: SignedRows, clock: Clock, random: np.random.Generator, weak: np.ndarray | None,
    obstruction: tuple[np.ndarray, Sequence[int]] | None,
) -> Pair:  # fmt: skip
    signs = z.signs[z.rows]
    free, held = z.rows[signs != 0], z.rows[signs == 0]
    if weak is not None and obstruction is not None and not len(held):
        return _pair(z, free, _Rounds(z, free, held, clock, random).run(weak, obstruction))
    answer = None
    if len(held) and z.table.is_sparse and z.dim > MOST_COLUMNS:
        answer = _settle_levels(z, free, held, clock, random)
    if answer is not None:
        return _pair(z, free, answer)
    with clock.stage("equalities"):
        known = eliminate(z, held)
    while True:
        answer = _settle_all(z, free, known, clock, random, weak)
        total = answer[1]
        with clock.stage("adding directions"):
            ones = np.ones(len(held), dtype=np.int8)
            broken = held[sides(z, held, ones, total) != 0]
        if not len(broken):
            return _pair(z, free, answer)
        known = eliminate(z, np.concatenate([known.basis, broken]))


def _pair(z: SignedRows, free: np.ndarray, answer: Answer) -> Pair:
    settled, total, obstruction = answer
    if isinstance(obstruction, _Later):
        core = np.setdiff1d(free, settled)
        places, multipliers = obstruction.places, obstruction.multipliers
        return Pair(total.tolist(), places, multipliers, [], [], np.sort(settled), core)
    used = {place: factor for place, factor in sorted(obstruction.items()) if factor}
    rows = [place for place in used if z.signs[place]]
    equalities = [place for place in used if not z.signs[place]]
    return Pair(
        total.tolist(),
        rows,
        [used[place] for place in rows],
        equalities,
        [used[place] for place in equalities],
        np.sort(settled),
        np.setdiff1d(free, settled),
    )


def _settle_levels(
    z: SignedRows, free: np.ndarray, held: np.ndarray, clock: Clock, random: np.random.Generator
) -> Answer | None:
    """The same for very many sparse columns; None where that is too much."""
    rounds = _Rounds(z, free, held, clock, random)
    with clock.stage("one-signed columns"):
        columns = np.setdiff1d(np.arange(z.table.n_columns), filled_columns(z.table.matrix[held]))
        part = Table(z.table.matrix[free][:, columns], None, z.table.numbers)
        peeled = peel(SignedRows(part, z.signs[free], False)) if len(columns) else None
    for step in peeled.rounds if peeled else []:
        direction = np.zeros(z.table.n_columns + 1, dtype=object)
        direction[columns[step.columns]] = step.signs.tolist()
        rounds.steps.append(_Step(direction, np.sort(free[step.rows])))
    left = free[peeled.rest.rows] if peeled else free
    rounds.left = left[:0]
    if not len(left):
        return rounds.run(None)

    def decide(rows: SignedRows) -> tuple[np.ndarray, np.ndarray, dict[int, int]]:
        settled, direction, found = _Rounds(rows, rows.rows, rows.rows[:0], clock, random).run(None)
        return settled, direction, dict(found)

    with clock.stage("equalities"):
        moved = settle_sparsely(z, left, held, decide)
    if moved is None:
        return None
    if len(moved.settled):
        rounds.steps.append(_Step(moved.direction, np.sort(moved.settled)))
    rounds.obstruction = moved.obstruction
    return rounds.run(None)


def _settle_all(
    z: SignedRows, free: np.ndarray, known: Equalities, clock: Clock,
    random: np.random.Generator, weak: np.ndarray | None,
) -> Answer:  # fmt: skip
    """The most of the rows `free` that can be settled while the equalities are held."""
    nothing = np.zeros(z.table.n_columns + 1, dtype=object)
    if len(known.basis) == z.dim or not len(free):
        return free[:0], nothing, {}
    moved, null, reduced = free, known.null, None
    with clock.stage("equalities"):
        if len(known.basis):
            moved = moved_rows(z, free, known)
        if null is not None and len(moved):
            reduced = reduce_rows(z, moved, null)
    if null is None or reduced is None:
        return _Rounds(z, moved, known.basis, clock, random).run(weak)
    rows = reduced.rows
    settled, inner, found = _Rounds(rows, rows.rows, rows.rows[:0], clock, random).run(None)
    with clock.stage("equalities"):
        total = nothing
        total[z.homes] = null @ inner[:-1]
        sums = {int(reduced.first[row]): m * reduced.scale[row] for row, m in found.items()}
        obstruction = carried_by(z, known.basis, sums) if sums else {}
    return reduced.moved[np.isin(reduced.group, settled)], total, obstruction


class _Rounds:
    """The rows that are left, and how the others were settled, round by round."""

    def __init__(
        self, z: SignedRows, free: np.ndarray, held: np.ndarray, clock: Clock,
        random: np.random.Generator,
    ) -> None:  # fmt: skip
        self.z, self.held = z, held
        self.clock, self.random = clock, random
        self.left = free
        self.steps: list[_Step] = []
        self.obstruction: Mapping[int, int] = {}  # multipliers, of either sign for equalities

    def run(
        self, weak: np.ndarray | None, known: tuple[np.ndarray, Sequence[int]] | None = None
    ) -> Answer:
        """Settle rows until none that is left can be; `weak` is a first direction, if known, and
        `known` an obstruction."""
        if weak is not None:
            self._settle(weak)
        while len(self.left):
            self.clock.check()
            if self._peel():
                continue
            if (known is not None and self._are_spanned(*known)) or not self._decide():
                break
        with self.clock.stage("adding directions"):
            total = self._total()
        settled = [self.left[:0], *(step.rows for step in self.steps)]
        return np.concatenate(settled), total, self.obstruction

    def _question(self) -> tuple[SignedRows, np.ndarray]:
        """The rows left and the equalities, twice, as rows of their own; and where each is from."""
        places = np.concatenate([self.left, self.held, self.held])
        ones = np.ones(len(self.held), dtype=np.int8)
        signs = np.concatenate([self.z.signs[self.left], ones, -ones]).astype(np.int8)
        return SignedRows(self.z.table.take(places), signs, self.z.fit_intercept), places

    def _peel(self) -> bool:
        """Settle what one-signed columns settle, all rounds of it."""
        question, places = self._question()
        with self.clock.stage("one-signed columns"):
            peeled = peel(question)
        for step in peeled.rounds:
            direction = np.zeros(self.z.table.n_columns + 1, dtype=object)
            direction[step.columns] = step.signs.tolist()
            self.steps.append(_Step(direction, np.sort(places[step.rows])))
        if peeled.rounds:
            self.left = places[peeled.rest.rows[peeled.rest.rows < len(self.left)]]
        return bool(peeled.rounds)

    def _are_spanned(self, rows: np.ndarray, multipliers: Sequence[int]) -> bool:
        """Whether an obstruction of a wide table spans what is left, so that nothing settles it."""
        if not isinstance(multipliers, Unsolved) or len(self.held):
            return False
        left = SignedRows(self.z.table, self.z.signs, self.z.fit_intercept, self.left)
        with self.clock.stage("span of the rows"):
            if len(outside(left, rows)):
                return False
        self.obstruction = _Later(rows.tolist(), multipliers)
        return True

    def _decide(self) -> bool:
        """Ask once about what is left; False where nothing of it can be settled."""
        question, places = self._question()
        findings = Findings()
        search(question, self.clock, self.random, findings)
        direction = findings.weak_separator if findings.separator is None else findings.separator
        if direction is not None:
            self._settle(as_integers(direction))
            return True
        rows, multipliers = findings.spanning  # type: ignore[misc]
        if isinstance(multipliers, Unsolved) and not len(self.held):
            self.obstruction = _Later(places[rows].tolist(), multipliers)
            return False
        found: dict[int, int] = {}
        for row, multiplier in zip(rows.tolist(), multipliers, strict=True):
            place = int(places[row])
            is_reversed = row >= len(places) - len(self.held)
            signed = -multiplier if is_reversed else multiplier
            found[place] = found.get(place, 0) + signed
        self.obstruction = found
        return False

    def _settle(self, direction: np.ndarray) -> None:
        """Set aside the rows on which the direction is strict."""
        strict = sides(self.z, self.left, self.z.signs[self.left], direction) > 0
        self.steps.append(_Step(direction, self.left[strict]))
        self.left = self.left[~strict]

    def _total(self) -> np.ndarray:
        """One direction that settles the rows of all steps."""
        total = np.zeros(self.z.table.n_columns + 1, dtype=object)
        for step in reversed(self.steps):
            used = np.flatnonzero(step.direction)
            total[used] += (
                outweighing(self.z, step.rows, step.direction, total) * step.direction[used]
            )
        common = math.gcd(*total.tolist()) or 1
        return total if common == 1 else np.asarray(total // common)
