"""The votes on a few rows in exact arithmetic: for those where floats could not tell.

The weights after k mistakes are the start plus step·(vector, constant) over the first k entries of
the tape. All of these are floats, so every score is an integer over one power of two.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.inputs import integers_of_floats

if TYPE_CHECKING:
    from novikoff.models.voted_replay import Replay


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
