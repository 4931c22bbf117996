"""Scores whose signs are the exact ones, so that predictions agree with training.

A sum may leave a score on the wrong side of zero when the true one is within rounding error of
it. Scores are sums in float64, whatever the precision of X; the few that the norms of row and
weights leave in doubt are computed again, exactly.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from novikoff.conventions import threads_of
from novikoff.exact.bounds import norms_above, score_error_bounds
from novikoff.exact.scores import exact_score
from novikoff.loops.compiled import INTERPRETED_WORK
from novikoff.loops.joint import exact_winners
from novikoff.loops.perceptron import exact_signs
from novikoff.loops.rows import Dense, Rows, as_rows, rows_between
from novikoff.loops.scores import score_rows
from novikoff.models.data import check_finite, squares_of

LINES_AT_MEMORY_SPEED = 4
LINES_WORTH_A_PRODUCT = 32  # a product of matrices is then faster than the loop
WORK_OF_A_THREAD = 1 << 21  # multiplications that are worth a thread


def settled_scores(
    X: Any, coef: np.ndarray, intercept: np.ndarray, *, joint: bool = False, apart: bool = False
) -> np.ndarray:
    """X @ coefᵀ + intercept, (rows, lines); raises if X is not finite.

    Every sign and every tie is that of the exact score, and so is which score of a row is the
    highest, and a tie of the highest. Of `joint` lines only the latter counts, of lines that stand
    `apart` only the former.
    """
    W = np.column_stack([coef, intercept]).astype(np.float64)
    scores, bounds = bounded_scores(X, W)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        close = np.empty(0, dtype=np.intp)
        if len(W) > 1 and not apart:
            close = np.flatnonzero(nearly_best(scores, bounds).sum(axis=1) > 1)
        if not joint:
            bounds[:, ~W.any(axis=1)] = -1.0  # the line is zero, and so is every score
            _settle_signs(X, W, scores, ~(np.abs(scores) > bounds))
        _settle_winners(X, W, scores, close)
        return _narrowed(scores, np.result_type(X.dtype, coef.dtype), joint)


def bounded_scores(X: Any, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The scores as float64 sums, (rows, lines), and how far each can be off."""
    scores, norms, norm_bounds = scores_and_norms(X, W)
    return scores, score_error_bounds(norms[:, None], norm_bounds, W.shape[1])


@np.errstate(over="ignore", invalid="ignore", under="ignore")
def scores_and_norms(X: Any, W: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The scores as float64 sums, and what no row's norm is above, and no line's."""
    numbers = X.size if isinstance(X, np.ndarray) else X.nnz
    if numbers * len(W) > INTERPRETED_WORK and len(W) < LINES_WORTH_A_PRODUCT:
        scores, norms = np.empty((X.shape[0], len(W))), np.empty(X.shape[0])
        if not _score_in_parts(as_rows(X, True), numbers * len(W), W, (scores, norms)):
            check_finite(X)
    else:
        wide = X.astype(np.float64, copy=False)
        norms = norms_above(squares_of(wide) + 1.0)
        if not np.isfinite(norms).all():
            check_finite(X)
        scores = np.asarray(wide @ W[:, :-1].T) + W[:, -1]
    return scores, norms, norms_above(np.einsum("ij,ij->i", W, W))


def nearly_best(scores: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Which scores of each row may be its highest."""
    bars = scores.max(axis=1, keepdims=True) - 2.0 * bounds.max(axis=1, keepdims=True)
    return np.asarray(~(scores < bars))


def _score_in_parts(rows: Rows, work: int, W: np.ndarray, out: tuple[np.ndarray, ...]) -> bool:
    """score_rows on all cores, as a matrix product would: a row's score is its own affair.

    On dense rows and few lines one core is as fast as memory.
    """
    parts = min(threads_of(-1), 1 + work // WORK_OF_A_THREAD)
    if isinstance(rows, Dense) and len(W) < LINES_AT_MEMORY_SPEED:
        parts = 1
    if parts == 1:
        return bool(score_rows.fast(rows, W, *out))
    ends = np.linspace(0, len(out[0]), parts + 1).astype(int).tolist()

    def score(start: int, stop: int) -> bool:
        part = rows_between(rows, start, stop)
        return bool(score_rows.fast(part, W, *(array[start:stop] for array in out)))

    with ThreadPoolExecutor(parts) as threads:
        return all(threads.map(score, ends[:-1], ends[1:]))


def rows_at(X: Any, places: np.ndarray) -> Any:
    few = X[places]
    return np.ascontiguousarray(few) if isinstance(few, np.ndarray) else few


def _settle_signs(X: Any, W: np.ndarray, scores: np.ndarray, in_doubt: np.ndarray) -> None:
    """Put the exact scores, rounded once, in the places that are in doubt. Most are ties."""
    if not in_doubt.any():
        return
    for c, w in enumerate(W):
        places = np.flatnonzero(in_doubt[:, c])
        if not len(places):
            continue
        few, signs = rows_at(X, places), np.empty(len(places), dtype=np.int8)
        exact_signs.for_work(20.0 * len(signs) * len(w))(as_rows(few, True), w, signs)
        scores[places, c] = 0.0
        for k in np.flatnonzero(signs):
            row = few[k] if isinstance(few, np.ndarray) else few[[k]].toarray()[0]
            scores[places[k], c] = exact_score(np.append(row.astype(np.float64), 1.0), w)


def _settle_winners(X: Any, W: np.ndarray, scores: np.ndarray, places: np.ndarray) -> None:
    """In rows where it is in doubt which scores are the highest, raise those that are."""
    if not len(places):
        return
    winners = np.empty((len(places), len(W)), dtype=np.bool_)
    loop = exact_winners.for_work(40.0 * winners.size * W.shape[1])
    loop(as_rows(rows_at(X, places), True), W, winners)
    scores[places] = _with_winners(np.nan_to_num(scores[places]), winners)


def _with_winners(scores: np.ndarray, winners: np.ndarray) -> np.ndarray:
    """The scores with the highest of each row for all its winners, and less for all others.

    Where the signs were right they still are: there is room for a positive score below the highest.
    """
    least = np.finfo(scores.dtype).smallest_subnormal
    highest = scores.max(axis=1, keepdims=True)
    highest = np.where(highest == least, least + least, highest)
    below = np.nextafter(highest, scores.dtype.type(-np.inf))
    return np.asarray(np.where(winners, highest, np.minimum(scores, below)))


def _narrowed(scores: np.ndarray, dtype: Any, joint: bool) -> np.ndarray:
    """The scores in the precision of X; no sign, and none that is highest, is lost on the way."""
    if scores.dtype == dtype:
        return scores
    narrow = scores.astype(dtype)
    if not joint:
        lost = (narrow == 0.0) & (scores != 0.0)
        narrow[lost] = np.sign(scores[lost]) * np.finfo(dtype).smallest_subnormal
    if scores.shape[1] > 1:
        return _with_winners(narrow, scores == scores.max(axis=1, keepdims=True))
    return narrow
