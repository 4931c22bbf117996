"""Farkas's question over all rows, through a working set: floats point, integers answer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.farkas import Combination, Direction, combine, primitive, settle
from novikoff.search.integers import independent, solve
from novikoff.search.lp import LinearProgram, Proposal
from novikoff.search.signed_rows import SignedRows

TIGHT = 1e-7  # a score under this, for a unit row, is taken for zero before it is made zero
BITS = 24  # of a direction that is free to be rounded


@dataclass(frozen=True)
class Carried:
    """Σ multiplier·z over `rows` is `scale` times the target; all positive."""

    rows: np.ndarray
    multipliers: list[int]
    scale: int


@dataclass(frozen=True)
class Opposed:
    """Integer weights (the offset last) with z·w >= 0 on all rows, and target·w < 0."""

    weights: list[int]


class Question:
    """Targets asked about one after the other; rows once needed stay in the working set."""

    def __init__(self, z: SignedRows, chosen: np.ndarray, clock: Clock) -> None:
        self.z = z
        self.chosen = chosen
        self.clock = clock
        self.program: LinearProgram | None = None
        self._read()

    def _read(self) -> None:
        whole, places, self.scale = self.z.integers(self.chosen)
        self.whole = np.zeros((len(self.chosen), self.z.dim), dtype=object)
        self.whole[:, places] = whole
        self.unit_rows = self.z.picture.unit_rows(self.chosen)

    def ask(self, target: Sequence[int | Fraction]) -> Carried | Opposed:
        """Is the target, a vector over the columns and the offset, carried or opposed?"""
        denominator = math.lcm(*(Fraction(value).denominator for value in target))
        aim = [int(value * denominator) for value in target]
        self._aim(aim)
        while True:
            for answer in self._answers(aim):
                if isinstance(answer, Combination):
                    multipliers = [weight * self.scale for weight in answer.weights]
                    rows = self.chosen[answer.places]
                    return Carried(rows, multipliers, answer.scale * denominator)
                weights = self.z.place(answer.delta)
                with self.clock.stage("scan of all rows"):
                    wrong = self.z.opposed(weights, strict=False)
                if len(wrong) == 0:
                    return Opposed(weights)
                if self._join(wrong, weights):
                    break

    def _answers(self, aim: list[int]) -> Iterator[Combination | Direction]:
        """For the working set: what floats propose, made exact; then what is surely true."""
        with self.clock.stage("linear program"):
            proposal = self.program.solve(self.clock) if self.program else None
        if proposal is not None:
            with self.clock.stage("exact answer"):
                rounded = self._rounded(proposal, aim)
            if rounded is not None:
                yield rounded
        with self.clock.stage("exact simplex"):
            hint = [] if proposal is None else proposal.tight.tolist()
            settled = settle(self.whole, aim, hint, self.clock)
        yield settled

    def _aim(self, aim: Sequence[int]) -> None:
        seen = self.z.picture.unit_target(aim)
        with self.clock.stage("linear program"):
            if self.program is None:
                self.program = LinearProgram(seen)
                self.program.add(self.unit_rows)
            else:
                self.program.aim(seen)

    def _rounded(self, proposal: Proposal, aim: list[int]) -> Combination | Direction | None:
        """The float answer made exact in one solve; None if that does not make it true."""
        if proposal.delta is not None:
            return self._rounded_direction(proposal.delta, aim)
        tight = proposal.tight
        found = combine(self.whole[tight], aim) if len(tight) else None
        if found is None:
            return None
        return Combination(tight[found.places].tolist(), found.weights, found.scale)

    def _rounded_direction(self, delta: np.ndarray, aim: list[int]) -> Direction | None:
        """δ in which rows that float scores leave near zero are exactly at zero."""
        floats = self.z.picture.weights(delta)
        if floats is None:
            return None
        part = floats[self.z.homes] / float(np.abs(floats).max())
        exact = [round(value * 2**BITS) for value in part.tolist()]
        tight = self.whole[np.flatnonzero(np.abs(self.unit_rows @ delta) < TIGHT)]
        rows, columns = independent(tight) if len(tight) else ([], [])
        if rows:
            free = sorted(set(range(self.z.dim)) - set(columns))
            kept = np.array([exact[j] for j in free], dtype=object)
            right = -(tight[np.ix_(rows, free)] @ kept) if free else [0] * len(rows)
            solved, scale = solve(tight[np.ix_(rows, columns)], right)
            exact = [value * scale for value in exact]
            for j, value in zip(columns, solved, strict=True):
                exact[j] = value
        opposes = sum(t * v for t, v in zip(aim, exact, strict=True)) < 0
        return primitive(exact) if opposes else None

    def _join(self, wrong: np.ndarray, weights: list[int]) -> bool:
        """Add the rows that are most on the wrong side; False if all of them are known."""
        new = np.setdiff1d(wrong, self.chosen)
        if len(new) == 0:
            return False
        scores = self.z.float_scores(weights, new)
        new = new[np.argsort(scores)[: 2 * self.z.dim]]
        if self.program is not None:
            self.program.add(self.z.picture.unit_rows(new))
        self.chosen = np.concatenate([self.chosen, new])
        self._read()
        return True
