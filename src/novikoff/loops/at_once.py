"""Many rows at once, where a loop runs interpreted: numpy passes over those that are right.

A visit of one row costs Python some microseconds for every number in it, and most rows are no
mistakes. So those that rounding leaves no doubt about are passed over together, by one product;
the first that is left is the loop's to decide, as ever.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from novikoff.exact.bounds import norm_above, score_doubt
from novikoff.loops.rows import Rows, dots_and_squares

PRODUCT_ENTRIES = 1 << 14  # in the rows of one product


def past_the_right(
    rows: Rows, targets: Any, order: Any, place: int, end: int, positive: int, w: np.ndarray,
    reach: float, radius: float, measure: bool,
) -> tuple[int, float]:  # fmt: skip
    """The first place from `place` on that is not surely right, and a radius for those before it.

    The arguments are those of `next_mistake`. The bound on a score's rounding holds in any order
    of its terms, so also in that of a matrix product.
    """
    step = max(1, PRODUCT_ENTRIES // len(w))
    while place < end:
        which = order[place : min(end, place + step)]
        with np.errstate(over="ignore", invalid="ignore"):
            found = dots_and_squares(rows, which, w)
        if found is None:
            break
        scores, squares = found
        largest = float(squares.max())
        if measure and not largest < math.inf:
            break
        wide = max(radius, norm_above(largest)) if measure else radius
        score = np.where(targets[which] == positive, scores, -scores)
        right = score > score_doubt(wide, reach, len(w))
        n_right = len(which) if right.all() else int(right.argmin())
        if measure and n_right:
            radius = max(radius, norm_above(float(squares[:n_right].max())))
        place += n_right
        if n_right < len(which):
            break
    return place, radius
