"""Rows that need not be wrong: taken back one batch after another while all others stay right.

With many columns a hyperplane can turn far before the rows that it has right forbid it. So the
rows that are right are separated together with some that are not yet, the least wrong first, by
Newton steps from the weights at hand. Where that succeeds the weights are better; where a single
row fails it stays out. The walk along lines (local.py) cannot find these: it would have to guess
a direction among hundreds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.hinge import SMALL_RIDGE, minimise_with_ridge

MOST_READMITTED = 16  # rows that are taken back at once


def readmitted(
    rows: np.ndarray, costs: np.ndarray, w: np.ndarray, clock: Clock
) -> Iterator[np.ndarray]:
    """Weights that get fewer and fewer of these rows wrong, each as soon as it is found.

    The dearest rows are asked about first.
    """
    score = rows @ w
    right = score > 0.0
    asked = np.flatnonzero(~right)
    queue = asked[np.lexsort((-score[asked], -costs[asked]))].tolist()
    size = MOST_READMITTED // 2
    while queue and right.any():
        batch = queue[:size]
        which = np.concatenate([np.flatnonzero(right), batch])
        try:
            there, now = minimise_with_ridge(
                rows[which], w, SMALL_RIDGE, clock, until_separated=True
            )
        except OutOfTimeError:
            return
        if now.min() > 0.0:
            w, size = there, min(MOST_READMITTED, 2 * size)
            right |= rows @ w > 0.0
            right[which] = True  # as they were seen, though other sums round otherwise
            queue = [row for row in queue if not right[row]]
            yield w
        elif len(batch) > 1:
            size = len(batch) // 2
        else:
            queue = queue[1:]
