"""Farkas's question over all rows, through a working set: floats point, integers answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.farkas import Combination, SeparatingDirection, combine, primitive, settle
from novikoff.search.integers import near_but_zero_on
from novikoff.search.lp import LinearProgram, Proposal
from novikoff.search.signed_rows import SignedRows, Weights

INWARD_SHARE = 2.0**-10  # how far a direction is moved towards one that is strict on every row


Maker = Callable[[list[int]], Combination | SeparatingDirection | None]


class Question:
    """Targets asked about one after the other; rows once needed stay in the working set.

    `inside` are weights that are strict on every row, where such are known: a direction moved a
    little towards them can be rounded freely, and need not be solved for. (The signs of 200
    separable columns take 8 s with it, and 26 s without.)
    """

    def __init__(
        self, z: SignedRows, chosen: np.ndarray, clock: Clock, inside: Weights | None = None
    ) -> None:
        self.z = z
        self.inside = None if inside is None else self._of_unit_size(inside)
        self.chosen = chosen
        self.clock = clock
        self.program: LinearProgram | None = None
        self.whole, self.scale = self._read(chosen)
        self.unit_rows = self.z.float_view.unit_rows(chosen)

    def _read(self, rows: np.ndarray) -> tuple[np.ndarray, int]:
        """The rows as integers, and the scale that makes them so."""
        values, places, scale = self.z.integers(rows)
        whole = np.zeros((len(rows), self.z.dim), dtype=object)
        whole[:, places] = values
        return whole, scale

    def ask(self, target: Sequence[int | Fraction]) -> Combination | SeparatingDirection:
        """Is the target a combination of rows, or does a direction separate it from them?

        target : a vector over the columns and the offset; rows of the answer are those of the table
        """
        denominator = math.lcm(*(Fraction(value).denominator for value in target))
        aim = [int(value * denominator) for value in target]
        self._aim(aim)
        while True:
            for answer in self._answers(aim):
                if isinstance(answer, Combination):
                    multipliers = [weight * self.scale for weight in answer.multipliers]
                    rows = self.chosen[answer.rows].tolist()
                    return Combination(rows, multipliers, answer.scale * denominator)
                weights = self.z.place(answer.weights)
                with self.clock.stage("scan of all rows"):
                    wrong = self.z.opposed(weights, strict=False)
                if len(wrong) == 0:
                    return SeparatingDirection(weights)
                if self._join(wrong, weights):
                    break

    def _answers(self, aim: list[int]) -> Iterator[Combination | SeparatingDirection]:
        """For the working set: what floats propose, made exact; then what is surely true."""
        with self.clock.stage("linear program"):
            proposal = self.program.solve(self.clock) if self.program else None
        if proposal is not None:
            for make in self._makers(proposal):
                with self.clock.stage("exact answer"):
                    made = make(aim)
                if made is not None:
                    yield made
        with self.clock.stage("exact simplex"):
            hint = [] if proposal is None else proposal.tight.tolist()
            settled = settle(self.whole, aim, hint, self.clock)
        yield settled

    def _aim(self, aim: Sequence[int]) -> None:
        seen = self.z.float_view.unit_target(aim)
        with self.clock.stage("linear program"):
            if self.program is None:
                self.program = LinearProgram(seen)
                self.program.add(self.unit_rows)
            else:
                self.program.aim(seen)

    def _makers(self, proposal: Proposal) -> Iterator[Maker]:
        """Ways to make a float answer exact, the cheapest first; none is sure to make it true."""
        delta, tight = proposal.delta, proposal.tight
        if delta is None:
            if len(tight):
                yield lambda aim: self._combined(tight, aim)
            return
        floats = self.z.float_view.weights(delta)
        if floats is None:
            return
        part = self._of_unit_size(floats)
        if self.inside is not None:
            inward = part + INWARD_SHARE * self.inside
            yield lambda aim: self._rounded(inward, tight[:0], aim)
        yield lambda aim: self._rounded(part, tight, aim)

    def _of_unit_size(self, weights: Weights) -> np.ndarray:
        """Weights of every column as floats at the places of z, the largest 1."""
        if isinstance(weights, np.ndarray):
            part = weights[self.z.column_ids]
            return np.asarray(part / (float(np.abs(part).max()) or 1.0))
        exact = [Fraction(weights[j]) for j in self.z.column_ids.tolist()]
        largest = max(map(abs, exact)) or Fraction(1)
        return np.array([float(value / largest) for value in exact])

    def _combined(self, tight: np.ndarray, aim: list[int]) -> Combination | None:
        """The target from rows at these places, in one solve."""
        found = combine(self.whole[tight], aim, self.clock)
        if found is None:
            return None
        return Combination(tight[found.rows].tolist(), found.multipliers, found.scale)

    def _rounded(
        self, part: np.ndarray, tight: np.ndarray, aim: list[int]
    ) -> SeparatingDirection | None:
        """The direction in few bits, but exactly zero on the rows at the places `tight`."""
        exact = near_but_zero_on(part, self.whole[tight], self.clock)
        opposes = sum(t * v for t, v in zip(aim, exact, strict=True)) < 0
        return primitive(exact) if opposes else None

    def _join(self, wrong: np.ndarray, weights: list[int]) -> bool:
        """Add the rows that are most on the wrong side; False if all of them are known."""
        new = np.setdiff1d(wrong, self.chosen, assume_unique=True)  # else numpy.ma is imported
        if len(new) == 0:
            return False
        scores = self.z.float_scores(weights, new)
        new = new[np.argsort(scores)[: 2 * self.z.dim]]
        unit_rows = self.z.float_view.unit_rows(new)
        if self.program is not None:
            self.program.add(unit_rows)
        whole, scale = self._read(new)
        common = math.lcm(self.scale, scale)
        known = self.whole if common == self.scale else self.whole * (common // self.scale)
        self.whole = np.vstack([known, whole if common == scale else whole * (common // scale)])
        self.scale = common
        if self.z.is_wide:
            from scipy import sparse

            self.unit_rows = sparse.vstack([self.unit_rows, unit_rows], format="csr")
        else:
            self.unit_rows = np.vstack([self.unit_rows, unit_rows])
        self.chosen = np.concatenate([self.chosen, new])
        return True
