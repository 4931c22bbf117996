"""Scores of many rows at once, with the norms that tell how far off they can be."""

from __future__ import annotations

import math

from novikoff.loops.bounds import norm_above
from novikoff.loops.compiled import compiled
from novikoff.loops.rows import dot_and_square_row, dot_four, dot_row, row_is_finite


@compiled
def score_rows(rows, W, scores, norms, leads):
    """scores[i, c] = the score of row i under line c, norms[i] = a number that is at least ‖row‖,
    leads[i] = the highest score less the next; infinite where there is only one line.

    Returns whether all rows are finite; ends at the first that is not.
    """
    n_lines = W.shape[0]
    for i in range(scores.shape[0]):
        scores[i, 0], square = dot_and_square_row(rows, i, W[0])
        if not square < math.inf and not row_is_finite(rows, i):
            return False
        norms[i] = norm_above(square)
        c = 1
        while c + 4 <= n_lines:
            one, two, three, four = dot_four(rows, i, W, c)
            scores[i, c] = one
            scores[i, c + 1] = two
            scores[i, c + 2] = three
            scores[i, c + 3] = four
            c += 4
        while c < n_lines:
            scores[i, c] = dot_row(rows, i, W[c])
            c += 1
        best, second = scores[i, 0], -math.inf
        for c in range(1, n_lines):
            second = max(second, min(best, scores[i, c]))
            best = max(best, scores[i, c])
        leads[i] = best - second
    return True
