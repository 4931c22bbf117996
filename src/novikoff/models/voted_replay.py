"""The run of a voted perceptron on new rows, replayed from its tape, in bounded memory.

The scores of all rows are carried along the tape, one stretch of it at a time. A stretch needs
the products of the rows with those rows that are on it: one matrix product per tile of rows.
A row on which rounding could have turned a vote is done again, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from novikoff.exact.bounds import OVERFLOW_LIMIT, SLACK, SPARE, UNIT, norms_above
from novikoff.exact.scores import nearest_float
from novikoff.inputs import Table, integers_of_floats
from novikoff.loops.voted import add_until, add_votes
from novikoff.models.kernel.values import dense
from novikoff.models.tape import DualTape

ROWS_A_TILE = 512  # rows whose products are at hand at a time
ENTRIES_A_STRETCH = 1 << 14  # entries of the tape whose rows may all differ

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
        for i in np.flatnonzero(ballot.unsure).tolist():
            ballot.votes[i] = exact_votes(self, i, survival, survival_of_start)
        return ballot.votes

    def scores_after(self, visits: np.ndarray) -> np.ndarray:
        """(rows, lines): the scores of row i by the weights after the visit numbered visits[i].

        Rounded once from the exact ones where rounding could turn a sign or an order.
        """
        scores, loop = self._start_scores(), add_until.for_work(self._work())

        def sweep(entries: DualTape, _: slice) -> Sweep:
            return lambda values, tile: loop(values, *entries, visits[tile], scores[tile])

        with np.errstate(over="ignore", invalid="ignore"):
            self._along_the_tape(sweep)
            error_bounds = self.norms[:, None] * self.error_bounds[-1]
            unsure = ~(np.abs(scores) > error_bounds).all(axis=1)
            if scores.shape[1] > 1:
                second, best = np.partition(scores, -2, axis=1)[:, -2:].T
                unsure |= ~(best - second > 2.0 * error_bounds[:, 0])
            unsure &= ~(self.norms < 0.0)
            unsure |= ~(self.norms * self.norm_bounds.max() < OVERFLOW_LIMIT)
        for i in np.flatnonzero(unsure).tolist():
            made = self.tape.visits <= visits[i]
            until = replace(self, tape=DualTape(*(column[made] for column in self.tape)))
            *_, (_, exact) = scores_along(until, i)
            scores[i] = [nearest_float(score) for score in exact]
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
        entries: see exact/bounds.py. Underflow is covered, for norms are not below NORM_UNDERFLOW.
        """
        width = np.arange(len(self.norm_bounds)) + self.start.shape[1] + 1 + SPARE
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


# The votes on a few rows in exact arithmetic, for those where floats could not tell. The weights
# after k mistakes are the start plus step·(vector, constant) over the first k entries of the tape.
# All of these are floats, so every score is an integer over one power of two.


def exact_votes(
    replay: Replay, row: int, survival: np.ndarray, survival_of_start: np.ndarray
) -> np.ndarray:
    """The votes on one row, line by line."""
    votes = np.zeros(len(replay.start))
    steps = scores_along(replay, row)
    scores = next(steps)[1]
    if replay.joint:
        _vote_for_best(scores, int(survival_of_start[0]), replay.ties_positive, votes)
    else:
        for c, score in enumerate(scores):
            votes[c] += _sign(score, replay.ties_positive) * survival_of_start[c]
    for k, (line, scores) in enumerate(steps):
        if replay.joint:
            _vote_for_best(scores, int(survival[k]), replay.ties_positive, votes)
        else:
            votes[line] += _sign(scores[line], replay.ties_positive) * survival[k]
    return votes


def scores_along(replay: Replay, row: int) -> Iterator[tuple[int, list[Fraction]]]:
    """(0, the scores of the start), then after each entry its line and all scores: one list,
    changed as it goes.
    """
    x, columns = _stored(replay.X, row)
    vectors = replay.vectors[:, columns] if replay.vectors.shape[0] else np.zeros((0, len(columns)))
    vectors = vectors if isinstance(vectors, np.ndarray) else vectors.toarray()
    whole_x, scale_x = integers_of_floats(x)
    products = _products(vectors, whole_x, scale_x, replay.constant)
    starts = replay.start.astype(np.float64)
    scores = _products(starts[:, columns], whole_x, scale_x, starts[:, -1])
    yield 0, scores
    members, lines, steps, _ = replay.tape
    for member, line, step in zip(members.tolist(), lines.tolist(), steps.tolist(), strict=True):
        scores[line] += Fraction(step) * products[member]
        yield line, scores


def _stored(X: Any, row: int) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of a row that are not zero, and their columns."""
    dense = X[row] if isinstance(X, np.ndarray) else X[[row]].toarray()[0]
    columns = np.flatnonzero(dense)
    return dense[columns].astype(np.float64), columns


def _products(vectors: Any, whole: np.ndarray, scale: int, last: Any) -> list[Fraction]:
    """vector·x + last for each vector."""
    block, own = integers_of_floats(np.asarray(vectors, dtype=np.float64))
    sums = (block @ whole).tolist() if len(whole) else [0] * len(block)
    added = np.broadcast_to(np.asarray(last, dtype=np.float64), len(sums)).tolist()
    return [Fraction(s, scale * own) + Fraction(a) for s, a in zip(sums, added, strict=True)]


def _sign(score: Fraction, ties_positive: bool) -> int:
    return (score > 0) - (score < 0) or int(ties_positive)


def _vote_for_best(scores: list[Fraction], votes: int, ties_last: bool, out: np.ndarray) -> None:
    best = max(scores)
    tied = [c for c, score in enumerate(scores) if score == best]
    if len(tied) == 1 or ties_last:
        out[tied[-1]] += votes
