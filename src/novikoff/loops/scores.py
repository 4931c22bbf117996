"""Scores of many rows at once, with the norms that tell how far off they can be."""

from __future__ import annotations

import math

from novikoff.loops.bounds import norm_above
from novikoff.loops.compiled import compiled
from novikoff.loops.rows import dot_and_square_row, dot_four, dot_row, row_is_finite


@compiled(forceinline=True)
def score_row(rows, i, W, scores, c):
    """scores[c] = the score of row i under line c, from this line on."""
    while c + 4 <= W.shape[0]:
        scores[c], scores[c + 1], scores[c + 2], scores[c + 3] = dot_four(rows, i, W, c)
        c += 4
    while c < W.shape[0]:
        scores[c] = dot_row(rows, i, W[c])
        c += 1


@compiled
def score_rows(rows, W, scores, norms):
    """scores[i, c] = the score of row i under line c, norms[i] = a number that is at least ‖row‖.

    Returns whether all rows are finite; ends at the first that is not.
    """
    for i in range(scores.shape[0]):
        scores[i, 0], square = dot_and_square_row(rows, i, W[0])
        if not square < math.inf and not row_is_finite(rows, i):
            return False
        norms[i] = norm_above(square)
        score_row(rows, i, W, scores[i], 1)
    return True
