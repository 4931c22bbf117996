"""One row at a time: decide on it, and learn from it, where rounding leaves no doubt."""

from __future__ import annotations

from novikoff.exact.bounds import SQUARE_FAR, SQUARE_LEAST, SQUARE_TINY
from novikoff.loops.compiled import compiled
from novikoff.loops.doubt import square_reach_after

IN_DOUBT, LOW, HIGH = 0, 1, 2


@compiled(fastmath={"reassoc", "contract"})
def row_step(row, w, reaches, factor, side):
    """Visit one row of sign `side`, or, where that is 0, only look at it.

    Returns HIGH or LOW by the sign of row·w where that is `side` (or the row has none); minus
    that after a mistake, when side·row was added to w; IN_DOUBT, with nothing done, where the
    sign of the sum need not be that of the exact score: see `square_factor` in exact/bounds.py.
    Invariant: reaches[0] >= ‖w‖².
    """
    score = 0.0
    square = SQUARE_TINY
    for j in range(row.shape[0]):
        score += row[j] * w[j]
        square += row[j] * row[j]
    if not score * score > factor * reaches[0] * square + SQUARE_LEAST:
        return IN_DOUBT
    answer = HIGH if score > 0.0 else LOW
    if score * side >= 0.0:
        return answer
    reach = square_reach_after(reaches[0], 1.0, square)
    if not reach < SQUARE_FAR:
        return IN_DOUBT
    for j in range(row.shape[0]):
        w[j] += side * row[j]
    reaches[0] = reach
    return -answer
