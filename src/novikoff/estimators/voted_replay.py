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
from novikoff.loops.kernel import add_votes
from novikoff.loops.voted import add_joint_votes, add_until

TILE = 512  # rows whose products are at hand at a time
STRETCH = 1 << 14  # entries of the tape whose rows may all differ

Sweep = Callable[[np.ndarray, np.ndarray, slice, slice], None]


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
        loop = (add_joint_votes if self.joint else add_votes).for_work(self._work())
        n = len(survival_of_start)
        loop(
            np.zeros((len(scores), 1)), np.zeros(n, np.int64), np.arange(n), np.zeros(n),
            survival_of_start, self.ties_positive, scores, votes,
        )  # fmt: skip

        def sweep(values: np.ndarray, members: np.ndarray, part: slice, tile: slice) -> None:
            loop(
                values, members, self.tape.lines[part], self.tape.steps[part], survival[part],
                self.ties_positive, scores[tile], votes[tile],
            )  # fmt: skip

        self._along_the_tape(sweep)
        return votes

    def scores_after(self, visits: np.ndarray) -> np.ndarray:
        """(rows, lines): the scores of row i by the weights after the visit numbered visits[i]."""
        scores = self._start_scores()
        loop = add_until.for_work(self._work())

        def sweep(values: np.ndarray, members: np.ndarray, part: slice, tile: slice) -> None:
            loop(
                values, members, self.tape.lines[part], self.tape.steps[part],
                self.tape.visits[part], visits[tile], scores[tile],
            )  # fmt: skip

        self._along_the_tape(sweep)
        return scores

    def _work(self) -> float:
        return float(self.X.shape[0]) * len(self.tape.members)

    def _start_scores(self) -> np.ndarray:
        if not self.start.any():
            return np.zeros((self.X.shape[0], len(self.start)))
        coef, offsets = self.start[:, :-1].astype(np.float64), self.start[:, -1]
        return np.asarray(self.X @ coef.T + offsets, dtype=np.float64)

    def _along_the_tape(self, sweep: Sweep) -> None:
        """Call sweep(products, places of their columns, entries, rows), entries in order."""
        n_entries, n_vectors = len(self.tape.members), self.vectors.shape[0]
        length = n_entries if n_vectors <= STRETCH else STRETCH
        for begin in range(0, n_entries, max(1, length)):
            part = slice(begin, begin + length)
            members, vectors = self.tape.members[part], self.vectors
            if length < n_entries:
                needed, members = np.unique(members, return_inverse=True)
                vectors = vectors[needed]
            for first in range(0, self.X.shape[0], TILE):
                tile = slice(first, first + TILE)
                values = dense(self.X[tile] @ vectors.T)
                values += values.dtype.type(self.constant)
                sweep(np.ascontiguousarray(values), members, part, tile)
