"""Scores of many rows at once, each with a word on whether its sign is certain."""

from __future__ import annotations

import math

from novikoff.loops.compiled import compiled
from novikoff.loops.perceptron import NOT_FINITE, doubt_of, norm_above
from novikoff.loops.rows import dot_and_square_row, row_is_finite, square_row


@compiled
def score_rows(rows, w, reach, scores, in_doubt):
    """scores[i] = the score of row i under w, from one reading of the row.

    in_doubt[i] says that rounding could have changed its sign; reach >= ‖w‖. Returns how many
    are in doubt, or NOT_FINITE if a row is not finite.
    """
    doubtful = 0
    for i in range(scores.shape[0]):
        score, square = dot_and_square_row(rows, i, w)
        if not square < math.inf and not row_is_finite(rows, i):
            return NOT_FINITE
        scores[i] = score
        doubt = doubt_of(reach, norm_above(square), w.shape[0])
        in_doubt[i] = not abs(score) > doubt or scores[i] == 0.0
        doubtful += 1 if in_doubt[i] else 0
    return doubtful


@compiled
def measure_rows(rows, norms):
    """norms[i] = a number that is at least ‖row‖; False if a row is not finite."""
    for i in range(norms.shape[0]):
        square = square_row(rows, i)
        if not square < math.inf and not row_is_finite(rows, i):
            return False
        norms[i] = norm_above(square)
    return True
