"""The run of a voted perceptron on new rows, replayed from its tape, in bounded memory.

The scores of all rows are carried along the tape, one stretch of it at a time. A stretch needs
the products of the rows with those rows that are on it: one matrix product per tile of rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.estimators.kernel_tape import DualTape
from novikoff.estimators.kernel_values import dense
from novikoff.loops.voted import add_joint_votes, add_until, add_votes_by_line

TILE = 512  # rows whose products are at hand at a time
STRETCH = 1 << 14  # entries of the tape whose rows may all differ

Sweep = Callable[[np.ndarray, slice], None]  # takes the products of a tile of rows


@dataclass(eq=False)
class Replay:
    """Rows X seen by the weights `start` + Σ step·(vector, constant) along the tape."""

    X: Any
    vectors: Any
    constant: float
    tape: DualTape
    start: np.ndarray  # (lines, d + 1)
    ties_positive: bool
    joint: bool

    def votes(self, survival: np.ndarray, survival_of_start: np.ndarray) -> np.ndarray:
        """(rows, lines): what the weights at every stage say, times the visits they survived."""
        scores = self._start_scores()
        votes = np.zeros_like(scores)

        def sweep(entries: DualTape, survival: np.ndarray) -> Sweep:
            kind = self._joint_sweep if self.joint else self._sweep_by_line
            return kind(entries, survival, scores, votes)

        n = len(survival_of_start)  # entries that change nothing let the start vote
        first = DualTape(np.zeros(n, np.int64), np.arange(n), np.zeros(n), np.zeros(n, np.int64))
        sweep(first, survival_of_start)(np.zeros((len(scores), 1)), slice(None))
        self._along_the_tape(lambda entries, part: sweep(entries, survival[part]))
        return votes

    def scores_after(self, visits: np.ndarray) -> np.ndarray:
        """(rows, lines): the scores of row i by the weights after the visit numbered visits[i]."""
        scores, loop = self._start_scores(), add_until.for_work(self._work())

        def sweep(entries: DualTape, _: slice) -> Sweep:
            return lambda values, tile: loop(values, *entries, visits[tile], scores[tile])

        self._along_the_tape(sweep)
        return scores

    def _sweep_by_line(
        self, entries: DualTape, survival: np.ndarray, scores: np.ndarray, votes: np.ndarray
    ) -> Sweep:
        by_line = np.argsort(entries.lines, kind="stable")
        ends = np.cumsum(np.bincount(entries.lines, minlength=len(self.start)))
        members, steps = entries.members[by_line], entries.steps[by_line]
        survival, loop = survival[by_line], add_votes_by_line.for_work(self._work())
        return lambda values, tile: loop(
            values, members, steps, survival, ends, self.ties_positive, scores[tile], votes[tile]
        )

    def _joint_sweep(
        self, entries: DualTape, survival: np.ndarray, scores: np.ndarray, votes: np.ndarray
    ) -> Sweep:
        loop = add_joint_votes.for_work(self._work())
        return lambda values, tile: loop(
            values, entries.members, entries.lines, entries.steps, survival, self.ties_positive,
            scores[tile], votes[tile],
        )  # fmt: skip

    def _work(self) -> float:
        return float(self.X.shape[0]) * len(self.tape.members)

    def _start_scores(self) -> np.ndarray:
        if not self.start.any():
            return np.zeros((self.X.shape[0], len(self.start)))
        coef, offsets = self.start[:, :-1].astype(np.float64), self.start[:, -1]
        return np.asarray(self.X @ coef.T + offsets, dtype=np.float64)

    def _along_the_tape(self, sweep: Callable[[DualTape, slice], Sweep]) -> None:
        """For each stretch of the tape call sweep(its entries, where they are), and what that
        returns for the products of every tile of rows with the vectors of the stretch.
        """
        n_entries, n_vectors = len(self.tape.members), self.vectors.shape[0]
        length = n_entries if n_vectors <= STRETCH else STRETCH
        for begin in range(0, n_entries, max(1, length)):
            part = slice(begin, begin + length)
            entries, vectors = DualTape(*(column[part] for column in self.tape)), self.vectors
            if length < n_entries:
                needed, members = np.unique(entries.members, return_inverse=True)
                entries, vectors = entries._replace(members=members), vectors[needed]
            visit = sweep(entries, part)
            for first in range(0, self.X.shape[0], TILE):
                tile = slice(first, first + TILE)
                values = dense(self.X[tile] @ vectors.T)
                values += values.dtype.type(self.constant)
                visit(np.ascontiguousarray(values), tile)
