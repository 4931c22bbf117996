"""The run of a voted perceptron on new rows, replayed from its tape, in bounded memory.

The scores of all rows are carried along the tape, one stretch of it at a time. A stretch needs
the products of the rows with those rows that are on it: one matrix product per tile of rows.
A row on which rounding could have turned a vote is scored by the weights themselves, made again,
and the exact signs of its scores count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from novikoff.exact.bounds import OVERFLOW_LIMIT, SLACK, SPARE, UNIT, norms_above
from novikoff.inputs import Table
from novikoff.loops.rows import as_rows
from novikoff.loops.voted import add_votes, replay
from novikoff.models.kernel.values import dense
from novikoff.models.scoring import rows_at, settled_scores
from novikoff.models.tape import DualTape

ROWS_A_TILE = 512  # rows whose products are at hand at a time
ENTRIES_A_STRETCH = 1 << 14  # entries of the tape whose rows may all differ
LINES_MADE = 256  # lines of weights that are made again at a time

Sweep = Callable[[np.ndarray, slice], None]  # takes the products of a tile of rows


class Ballot(NamedTuple):
    """What is counted for each row and line, and the rows where floats may have miscounted."""

    scores: np.ndarray
    votes: np.ndarray
    unsure: np.ndarray


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
        too_large = ~(self.norms * self.norm_bounds.max() < OVERFLOW_LIMIT)
        ballot = Ballot(scores, np.zeros_like(scores), too_large.copy())
        loop = add_votes.for_work(self._work())

        def sweep(entries: DualTape, survival: np.ndarray, error_bounds: np.ndarray) -> Sweep:
            return lambda values, tile: loop(
                values, *entries[:3], survival, self.joint, self.ties_positive, self.norms[tile],
                error_bounds, *(part[tile] for part in ballot),
            )  # fmt: skip

        n = len(survival_of_start)  # entries that change nothing let the start vote
        first = DualTape(np.zeros(n, np.int64), np.arange(n), np.zeros(n), np.zeros(n, np.int64))
        at_start = np.full(n, self.error_bounds[0])
        with np.errstate(over="ignore", invalid="ignore"):
            sweep(first, survival_of_start, at_start)(np.zeros((len(scores), 1)), slice(None))
            if not self.start.any():  # zero does not round
                ballot.unsure[:] = too_large
            self._along_the_tape(
                lambda entries, part: sweep(entries, survival[part], self.error_bounds[1:][part])
            )
        few = np.flatnonzero(ballot.unsure)
        if len(few):
            X = rows_at(self.X, few)
            ballot.votes[few] = self._settled_votes(X, survival, survival_of_start)
        return ballot.votes

    def _settled_votes(self, X: Any, survival: np.ndarray, of_start: np.ndarray) -> np.ndarray:
        """The votes on a few rows, by exact signs."""
        votes = np.zeros((X.shape[0], len(self.start)))
        for lines, W, visits in self._stages(survival, of_start):
            scores = settled_scores(X, W[:, :-1], W[:, -1], joint=self.joint)
            if self.joint:
                best = scores == scores.max(axis=1, keepdims=True)
                which = np.flatnonzero(self.ties_positive | (best.sum(axis=1) == 1))
                last = best.shape[1] - 1 - best[which, ::-1].argmax(axis=1)
                votes[which, last] += visits
            else:
                signs = np.where(scores == 0.0, float(self.ties_positive), np.sign(scores))
                np.add.at(votes.T, lines, (signs * visits).T)
        return votes

    def _stages(
        self, survival: np.ndarray, of_start: np.ndarray
    ) -> Iterator[tuple[np.ndarray, np.ndarray, Any]]:
        """Weights in the order in which they were made: their lines, and their visits.

        Single lines of weights, some of them at a time; or, where `joint`, a matrix of all.
        """
        everyone, W = np.arange(len(self.start)), self.start.astype(np.float64)
        yield everyone, W, of_start
        for first in range(0, len(survival), LINES_MADE):
            now = W.copy()
            lines, made = self._made(W, first, min(first + LINES_MADE, len(survival)))
            visits = survival[first : first + len(lines)]
            if not self.joint:
                yield lines, made, visits
                continue
            for line, weights, n in zip(lines, made, visits, strict=True):
                now[line] = weights
                if n:
                    yield everyone, now, n

    def _made(self, W: np.ndarray, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """The entries from `first` up to `end`: their lines, and the weights that each made, from
        W before them; W becomes the weights after them.
        """
        part = slice(first, end)
        members, lines, steps = (column[part] for column in self.tape[:3])
        made = np.empty((end - first, W.shape[1]))
        rows = as_rows(self.vectors.astype(np.float64), bool(self.constant))
        loop = replay.for_work(made.size)
        with np.errstate(over="ignore", invalid="ignore"):
            loop(rows, members, lines, steps, W, made)
        return lines, made

    def scores_after(self, visits: np.ndarray) -> np.ndarray:
        """(rows, lines): the scores of row i by the weights after the visit numbered visits[i]."""
        scores = np.empty((self.X.shape[0], len(self.start)))
        W, n_made = self.start.astype(np.float64), 0
        counts = np.searchsorted(self.tape.visits, visits, side="right")
        for k in np.unique(counts):
            for first in range(n_made, k, LINES_MADE):
                self._made(W, first, min(first + LINES_MADE, k))
            n_made, rows = k, np.flatnonzero(counts == k)
            scores[rows] = settled_scores(rows_at(self.X, rows), W[:, :-1], W[:, -1])
        return scores

    @cached_property
    def norm_bounds(self) -> np.ndarray:
        """At least ‖w‖ of every line: of the start, and after each entry of the tape."""
        vectors, steps = norms_above(_squares(self.vectors) + self.constant), self.tape.steps
        first = float(norms_above(np.square(self.start.astype(np.float64)).sum()))
        with np.errstate(over="ignore"):
            added = np.abs(steps) * vectors[self.tape.members] if len(steps) else steps
            return np.asarray(first + np.cumsum(np.append(0.0, added)))

    @cached_property
    def error_bounds(self) -> np.ndarray:
        """For each of `norm_bounds`, how far a score can be off, for a row of norm 1.

        A product x·row is a sum of d + 1 terms, and a score one of as many products as there were
        entries: see exact/bounds.py. The weights themselves, sums in float64, are off the exact
        ones by two roundings an entry, of no more than the norm. Underflow is covered, for norms
        are not below NORM_UNDERFLOW.
        """
        width = 3.0 * np.arange(len(self.norm_bounds)) + self.start.shape[1] + 1 + SPARE
        return np.asarray(width * SLACK * UNIT * self.norm_bounds)

    @cached_property
    def norms(self) -> np.ndarray:
        """At least ‖(row, constant)‖ of every row of X; -1 where no score of it can round.

        That is where all terms are multiples of one power of two, and their sums below 2^53 of it.
        """
        norms = norms_above(_squares(self.X) + self.constant)
        numbers = (self.X, self.vectors, self.tape.steps.reshape(1, -1), self.start)
        grids = [Table(part, None, "binary64").float_grid for part in numbers]
        if all(grids):
            x, v, step, start = (grid[1] for grid in grids if grid)
            unit = min(x, 1.0) * min(min(v, 1.0) * step, start)
            norms[norms * self.norm_bounds.max() < 2.0**53 * unit] = -1.0
        return norms

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
        length = n_entries if n_vectors <= ENTRIES_A_STRETCH else ENTRIES_A_STRETCH
        for begin in range(0, n_entries, max(1, length)):
            part = slice(begin, begin + length)
            entries, vectors = DualTape(*(column[part] for column in self.tape)), self.vectors
            if length < n_entries:
                needed, members = np.unique(entries.members, return_inverse=True)
                entries, vectors = entries._replace(members=members), vectors[needed]
            visit, vectors = sweep(entries, part), vectors.astype(np.float64)
            for first in range(0, self.X.shape[0], ROWS_A_TILE):
                tile = slice(first, first + ROWS_A_TILE)
                values = dense(self.X[tile].astype(np.float64) @ vectors.T)
                values += self.constant
                visit(np.ascontiguousarray(values), tile)


def _squares(X: Any) -> np.ndarray:
    """‖row‖² of every row, in floats."""
    wide = X.astype(np.float64)
    with np.errstate(over="ignore"):
        if isinstance(wide, np.ndarray):
            return np.asarray(np.einsum("ij,ij->i", wide, wide))
        return np.asarray(wide.multiply(wide).sum(axis=1)).ravel()
