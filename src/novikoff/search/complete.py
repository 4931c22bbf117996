"""The largest set of rows that one direction settles, and the rows that none can settle.

Rows of sign 0 are equalities: both sides hold them. Of the others, a weak separator settles those
on which it is strict; they are set aside, and what is left is asked again, at most once for each
column. Then the directions are added, from the last to the first, each with a factor so large
that the rows which it settled stay settled. What is left in the end, the core, has an
obstruction that spans it.

equalities.py says which few equalities stand for all. Each takes part as two rows, +e and -e, so
that no direction may leave it and an obstruction may take it with either sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from novikoff.certificates.arithmetic import as_integers, score_signs
from novikoff.search.clock import Clock
from novikoff.search.decide import Findings, search
from novikoff.search.equalities import independent_equalities
from novikoff.search.peel import peel
from novikoff.search.shrunk import shrunk
from novikoff.search.signed_rows import SignedRows, Weights


@dataclass(frozen=True)
class Pair:
    """The parts of a complete certificate, not yet checked; rows by their place in the table."""

    weights: list[int | Fraction]  # of every column, the offset last
    rows: list[int]
    multipliers: list[int]
    equalities: list[int]
    factors: list[int]
    settled: np.ndarray  # places, ascending
    core: np.ndarray  # of sign ±1, ascending


@dataclass(frozen=True)
class _Step:
    """A direction that no row left opposes, and the rows, by place, on which it is strict."""

    direction: np.ndarray  # integers, of every column and the offset
    rows: np.ndarray


def complete(
    z: SignedRows, clock: Clock, random: np.random.Generator, weak: Weights | None = None
) -> Pair:
    """Settle all that can be settled of rows with signs -1, 0 and +1. Raises OutOfTimeError.

    `weak` is a weak separator, if one is known already.
    """
    small = shrunk(z)
    first = None if weak is None else as_integers(small.inward(weak))
    pair = _complete(small.rows, clock, random, first)
    return Pair(**{**vars(pair), "weights": list(small.outward(pair.weights))})


def _complete(
    z: SignedRows, clock: Clock, random: np.random.Generator, weak: np.ndarray | None
) -> Pair:
    signs = z.signs[z.rows]
    free, held = z.rows[signs != 0], z.rows[signs == 0]
    nothing = np.zeros(z.table.n_columns + 1, dtype=object)
    with clock.stage("equalities"):
        basis = independent_equalities(z, held)
    while True:
        if len(basis) == z.dim:
            return Pair(nothing.tolist(), [], [], [], [], free[:0], free)
        rounds = _Rounds(z, free, basis, clock, random)
        rounds.run(weak)
        with clock.stage("adding directions"):
            total = rounds.total()
            broken = held[_sides(z, held, np.ones(len(held), dtype=np.int8), total) != 0]
        if not len(broken):
            return rounds.pair(total)
        basis = np.concatenate([basis, np.setdiff1d(broken, basis)[: 2 * z.dim]])


class _Rounds:
    """The rows that are left, and how the others were settled, round by round."""

    def __init__(
        self, z: SignedRows, free: np.ndarray, held: np.ndarray, clock: Clock,
        random: np.random.Generator,
    ) -> None:  # fmt: skip
        self.z, self.free, self.held = z, free, held
        self.clock, self.random = clock, random
        self.left = free
        self.steps: list[_Step] = []
        self.obstruction: dict[int, int] = {}  # signed multipliers, by place

    def run(self, weak: np.ndarray | None) -> None:
        if weak is not None:
            self._settle(weak)
        while len(self.left):
            self.clock.check()
            if not (self._peel() or self._decide()):
                break

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
            settled = np.concatenate([step.rows for step in self.steps])
            self.left = np.setdiff1d(self.left, settled)
        return bool(peeled.rounds)

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
        for row, multiplier in zip(rows.tolist(), multipliers, strict=True):
            place = int(places[row])
            is_reversed = row >= len(places) - len(self.held)
            signed = -multiplier if is_reversed else multiplier
            self.obstruction[place] = self.obstruction.get(place, 0) + signed
        return False

    def _settle(self, direction: np.ndarray) -> None:
        """Set aside the rows on which the direction is strict."""
        strict = _sides(self.z, self.left, self.z.signs[self.left], direction) > 0
        self.steps.append(_Step(direction, self.left[strict]))
        self.left = self.left[~strict]

    def total(self) -> np.ndarray:
        """One direction that settles the rows of all steps."""
        total = np.zeros(self.z.table.n_columns + 1, dtype=object)
        for step in reversed(self.steps):
            total = total + _outweighing(self.z, step, total) * step.direction
        common = math.gcd(*total.tolist()) or 1
        return np.asarray(total // common)

    def pair(self, total: np.ndarray) -> Pair:
        used = {place: factor for place, factor in sorted(self.obstruction.items()) if factor}
        signs = self.z.signs
        rows = [place for place in used if signs[place]]
        equalities = [place for place in used if not signs[place]]
        return Pair(
            total.tolist(),
            rows,
            [used[place] for place in rows],
            equalities,
            [used[place] for place in equalities],
            np.setdiff1d(self.free, self.left),
            np.sort(self.left),
        )


def _sides(z: SignedRows, rows: np.ndarray, signs: np.ndarray, w: np.ndarray) -> np.ndarray:
    """sign·score of some rows: its exact sign."""
    if not len(rows):
        return np.zeros(0, dtype=np.int8)
    parts = [part for _, part in score_signs(z.table.take(rows), w)]
    return np.asarray(np.concatenate(parts) * signs)


def _outweighing(z: SignedRows, step: _Step, total: np.ndarray) -> int:
    """A positive factor with z·(total + factor·direction) > 0 on the rows of the step.

    Floats propose it; rows for which it is too small, if any, are asked for it exactly.
    """
    if not any(total):
        return 1
    factor = 1
    rows = step.rows
    gain, score = (z.float_scores(list(w), rows) for w in (step.direction, total))
    sizes = [max(map(abs, w.tolist())) for w in (step.direction, total)]
    with np.errstate(all="ignore"):
        needed = float(np.nanmax(-score / gain, initial=0.0))
    if math.isfinite(needed):
        factor = max(1, math.ceil(Fraction(needed) * Fraction(9, 8) * sizes[1] / sizes[0]))
    short = rows[_sides(z, rows, z.signs[rows], total + factor * step.direction) <= 0]
    for gained, scored in _exact_scores(z, short, step.direction, total):
        factor = max(factor, -scored // gained + 1)
    return factor


def _exact_scores(
    z: SignedRows, rows: np.ndarray, direction: np.ndarray, total: np.ndarray
) -> Iterator[tuple[int, int]]:
    """z·direction and z·total for each row, times one positive number."""
    for start in range(0, len(rows), 64):
        whole, places, _ = z.integers(rows[start : start + 64])
        homes = z.homes[places]
        yield from zip(
            (whole @ direction[homes]).tolist(), (whole @ total[homes]).tolist(), strict=True
        )
