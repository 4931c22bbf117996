"""Scores whose signs are the exact ones, so that predictions agree with training.

A sum may leave a score on the wrong side of zero when the true one is within rounding error of
it. Those few that the norms of row and weights leave in doubt are computed again in float64,
and if need be exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.estimators.data import check_finite
from novikoff.loops.compiled import INTERPRETED_WORK
from novikoff.loops.joint import exact_winners
from novikoff.loops.perceptron import exact_signs
from novikoff.loops.rows import as_rows
from novikoff.loops.scores import measure_rows, score_rows


def settled_scores(
    X: Any, coef: np.ndarray, intercept: np.ndarray, *, joint: bool = False
) -> np.ndarray:
    """X @ coefᵀ + intercept, (rows, lines); raises if X is not finite.

    Every sign and every tie is that of the exact score. Of `joint` lines not the signs count but
    which is the highest: that, and a tie of the highest, is the exact one.
    """
    W = np.column_stack([coef, intercept]).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        reaches = 1.001 * np.sqrt(np.einsum("ij,ij->i", W, W)) + 2.0**-500
        if len(W) == 1 and _is_much(X):
            return _scores_of_one_line(X, W[0], reaches[0], np.result_type(X.dtype, coef.dtype))
        scores: np.ndarray = np.asarray(X @ coef.T) + intercept
        norms = _norms(X)
        if joint:
            _settle_winners(X, W, scores, reaches.max(), norms)
            return scores
        for c in np.flatnonzero(W.any(axis=1)):
            doubts = _doubt(X, scores.dtype, reaches[c], norms)
            _settle_signs(X, W[c], scores[:, c], reaches[c], ~(np.abs(scores[:, c]) > doubts))
    return scores


def _is_much(X: Any) -> bool:
    """Whether a compiled loop pays."""
    return bool((X.size if isinstance(X, np.ndarray) else X.nnz) > INTERPRETED_WORK)


def _scores_of_one_line(X: Any, w: np.ndarray, reach: float, dtype: Any) -> np.ndarray:
    scores = np.empty((X.shape[0], 1), dtype=dtype)
    in_doubt = np.empty(X.shape[0], dtype=np.bool_)
    found = score_rows.fast(as_rows(X, True), w, reach, scores[:, 0], in_doubt)
    if found < 0:
        check_finite(X)
    if found:
        _settle_signs(X, w, scores[:, 0], reach, in_doubt)
    return scores


def _norms(X: Any) -> np.ndarray:
    """A number for each row that is at least ‖(row, 1)‖; raises if X is not finite."""
    if _is_much(X):
        norms = np.empty(X.shape[0])
        if not measure_rows.fast(as_rows(X, True), norms):
            check_finite(X)
        return norms
    norms = _norms_of_few(X.astype(np.float64, copy=False))
    if not np.isfinite(norms).all():
        check_finite(X)
    return norms


def _norms_of_few(X: Any) -> np.ndarray:
    values = X if isinstance(X, np.ndarray) else X.data
    squares = values * values
    if not isinstance(X, np.ndarray):
        squares = type(X)((squares, X.indices, X.indptr), shape=X.shape)
    return np.asarray(1.001 * np.sqrt(np.asarray(squares.sum(axis=1)).ravel() + 1.0) + 2.0**-500)


def _doubt(X: Any, dtype: Any, reach: float, norms: np.ndarray) -> np.ndarray:
    """How far from zero a score in this precision must be for its sign to be certain."""
    kind = np.finfo(dtype)
    longest = X.shape[1] if isinstance(X, np.ndarray) else int(np.diff(X.indptr).max(initial=0))
    terms = longest + 5
    return norms * (1.01 * terms * float(kind.eps) * reach) + terms * float(kind.smallest_subnormal)


def _again(X: Any, W: np.ndarray, reach: float) -> tuple[Any, np.ndarray, np.ndarray]:
    """These few rows, their scores in float64, and how far from zero is far enough."""
    few = np.ascontiguousarray(X) if isinstance(X, np.ndarray) else X
    wide = few.astype(np.float64, copy=False)
    scores = wide @ W[..., :-1].T + W[..., -1]
    return few, np.asarray(scores), _doubt(few, np.float64, reach, _norms_of_few(wide))


def _settle_signs(
    X: Any, w: np.ndarray, scores: np.ndarray, reach: float, in_doubt: np.ndarray
) -> None:
    """Put the scores in doubt right. Most of those that float64 leaves in doubt are ties."""
    places = np.flatnonzero(in_doubt)
    if not len(places):
        return
    few, again, doubts = _again(X[places], w, reach)
    scores[places] = again
    open_still = ~(np.abs(again) > doubts) | (scores[places] == 0.0)
    places, few = places[open_still], few[open_still]
    if not len(places):
        return
    signs = np.empty(len(places), dtype=np.int8)
    exact_signs.for_work(20.0 * len(signs) * len(w))(as_rows(few, True), w, signs)
    scores[places] = 0.0
    least = float(np.finfo(scores.dtype).smallest_subnormal)
    for k in np.flatnonzero(signs):
        row = few[k] if isinstance(few, np.ndarray) else few[[k]].toarray()[0]
        exact = _exact_score(row, w)
        scores[places[k]] = exact if abs(exact) > least else signs[k] * least


def _exact_score(row: np.ndarray, w: np.ndarray) -> float:
    """The score, rounded once."""
    terms = (Fraction(float(row[j])) * Fraction(w[j]) for j in np.flatnonzero(row))
    score = sum(terms, Fraction(w[-1]))
    try:
        return score.numerator / score.denominator
    except OverflowError:
        return np.inf if score > 0 else -np.inf


def _settle_winners(
    X: Any, W: np.ndarray, scores: np.ndarray, reach: float, norms: np.ndarray
) -> None:
    """Where the best class is in doubt, give the best ones the highest score, others less."""
    second, best = np.partition(scores, -2, axis=1)[:, -2:].T
    places = np.flatnonzero(~(best - second > 2.0 * _doubt(X, scores.dtype, reach, norms)))
    if not len(places):
        return
    few, again, doubts = _again(X[places], W, reach)
    second, highest = np.partition(again, -2, axis=1)[:, -2:].T
    winners = again == highest[:, None]
    open_still = ~(highest - second > 2.0 * doubts)
    if open_still.any():
        rows = few[open_still]
        exact = np.empty((rows.shape[0], len(W)), dtype=np.bool_)
        exact_winners.for_work(40.0 * exact.size * W.shape[1])(as_rows(rows, True), W, exact)
        winners[open_still] = exact
    again = np.nan_to_num(again).astype(scores.dtype)
    highest = again.max(axis=1, keepdims=True)
    below = np.nextafter(highest, scores.dtype.type(-np.inf))
    scores[places] = np.where(winners, highest, np.minimum(again, below))
