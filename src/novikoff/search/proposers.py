"""Who may propose an answer for a working set: Newton, a linear program, integers.

An answer is a direction that separates the working set (float weights of the picture, or exact
weights of the rows), or a block: rows and positive integers with Σ multiplier·z = 0, which is
exact when it leaves this file. None means: ask the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from novikoff.search.clock import Clock, seconds_to_pivot
from novikoff.search.crossover import crossover
from novikoff.search.farkas import Combination, combine, settle
from novikoff.search.lp import LinearProgram
from novikoff.search.newton import EPSILONS, Leaning, lean
from novikoff.search.signed_rows import SignedRows


@dataclass(frozen=True)
class Blocked:
    """Rows and positive integers with Σ multiplier·z = 0, and other rows that nearly balance."""

    rows: np.ndarray
    multipliers: Sequence[int]
    nearby: np.ndarray
    how: str


class Proposer(Protocol):
    name: str

    def propose(self, chosen: np.ndarray) -> np.ndarray | list[Any] | Blocked | None: ...


def portfolio(z: SignedRows, clock: Clock) -> list[Proposer]:
    """The proposers in the order in which they are asked."""
    hint: list[int] = []
    return [
        ByNewton(z, clock, hint),
        ByProgram(z, clock, hint),
        ByIntegers(z, clock, hint),
    ]


def _lifted(whole: np.ndarray) -> np.ndarray:
    """(z, 1): a combination of these that equals (0, …, 0, 1) is an obstruction."""
    return np.hstack([whole, np.ones((len(whole), 1), dtype=object)])


def _blocked_by(
    z: SignedRows, rows: np.ndarray, nearby: np.ndarray, how: str, clock: Clock
) -> Blocked | None:
    """The obstruction that rests on these rows, if there is one."""
    whole = _lifted(z.integers(rows)[0])
    found = combine(whole, [0] * (whole.shape[1] - 1) + [1], clock)
    return None if found is None else Blocked(rows[found.places], found.weights, nearby, how)


@dataclass
class ByNewton:
    """Newton steps (newton.py); a balance is reduced to few rows, which are solved exactly."""

    z: SignedRows
    clock: Clock
    hint: list[int]  # rows that nearly were an answer: a start for the exact simplex
    name: str = "Newton steps"
    epsilon: float = EPSILONS[0]
    w: np.ndarray | None = None

    def propose(self, chosen: np.ndarray) -> np.ndarray | Blocked | None:
        rows = self.z.picture.unit_rows(chosen)
        w = np.zeros(rows.shape[1]) if self.w is None else self.w
        for leaning in lean(rows, w, self.clock, self.epsilon):
            self.w, self.epsilon = leaning.w, leaning.epsilon
            if leaning.active is None:
                return leaning.w
            if found := self._blocked(chosen, rows, leaning):
                return found
        return None

    def _blocked(self, chosen: np.ndarray, rows: Any, leaning: Leaning) -> Blocked | None:
        active = chosen[leaning.active]
        few = active[few_of(self.z, rows, leaning, self.clock)]
        self.hint[:] = few.tolist()
        return _blocked_by(self.z, few, active, self.name, self.clock)


def few_of(z: SignedRows, rows: Any, leaning: Leaning, clock: Clock) -> np.ndarray:
    """The places, among those that balance, of few rows that do."""
    slacks = np.asarray(leaning.slacks)
    clock.check_call(seconds_to_pivot(len(slacks), rows.shape[1]))
    block = rows[leaning.active]
    if z.is_wide:  # Σ λ_i·u_i = 0 just when Σ λ_i·u_i·u_k = 0 for every k
        block = (block @ block.T).toarray()
    vectors = np.hstack([block, np.ones((len(slacks), 1))])
    target = np.zeros(vectors.shape[1])
    target[-1] = slacks.sum()
    return crossover(vectors, slacks, target, clock)


@dataclass
class ByProgram:
    """The linear program (lp.py) of the lifted rows; it grows with the working set."""

    z: SignedRows
    clock: Clock
    hint: list[int]
    name: str = "linear program"
    program: LinearProgram | None = None
    n_known: int = 0

    def propose(self, chosen: np.ndarray) -> np.ndarray | Blocked | None:
        if self.program is None:
            self.program = LinearProgram(np.append(np.zeros(self.z.picture.dim), 1.0))
        rows = self.z.picture.unit_rows(chosen[self.n_known :])
        ones = np.ones((rows.shape[0], 1))
        if self.z.is_wide:
            from scipy import sparse

            self.program.add(sparse.hstack([rows, ones], format="csr"))
        else:
            self.program.add(np.hstack([rows, ones]))
        self.n_known = len(chosen)
        proposal = self.program.solve(self.clock)
        if proposal is None:
            return None
        self.hint[:] = chosen[proposal.tight].tolist()
        if proposal.delta is not None:
            return proposal.delta[:-1]
        tight = chosen[proposal.tight]
        return _blocked_by(self.z, tight, chosen, self.name, self.clock)


@dataclass
class ByIntegers:
    """The exact simplex (farkas.py), from the best basis that the others left."""

    z: SignedRows
    clock: Clock
    hint: list[int]
    name: str = "exact simplex"

    def propose(self, chosen: np.ndarray) -> list[Any] | Blocked:
        places = {row: place for place, row in enumerate(chosen.tolist())}
        hint = [places[row] for row in self.hint if row in places]
        whole, columns, _ = self.z.integers(chosen)
        found = settle(_lifted(whole), [0] * len(columns) + [1], hint, self.clock)
        if isinstance(found, Combination):
            return Blocked(chosen[found.places], found.weights, chosen, self.name)
        return self.z.place(found.delta[:-1], columns.tolist())
