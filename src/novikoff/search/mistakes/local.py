"""Local search: from a hyperplane to a better one, along ways, in floats.

Along w + t·v the wrong rows change only where a row's score passes zero, so the best t is found
by sorting: exactly, for the line. Lines in random directions, along rows and along columns, many
at a time; a step is taken where it costs no more, so the search can walk on level ground.

With many columns a line is too little to go by: there the rows that are wrong are taken back, some
at a time, while Newton steps still separate them and all that are right.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.hinge import SMALL_RIDGE, minimise_with_ridge
from novikoff.search.signed_rows import SignedRows

LEAST_GAP = 1e-9  # of a gap between two crossings that a step may aim at
CROSSING_CELLS = 1 << 19  # numbers in a table of crossings
APPROACHES = 30  # rounds from a first hyperplane of a large table to a better one, at most
MOST_READMITTED = 16  # rows that are taken back at once
WRONG_SHARES = (0.1, 0.03, 0.01, 0.0)  # of the nearest rows' distances: so far a row may be wrong


def best_on_ways(
    rows: np.ndarray, costs: np.ndarray, w: np.ndarray, ways: np.ndarray
) -> tuple[float, np.ndarray]:
    """The least cost on the ways w + t·v, one for each line v, and where it is reached."""
    score, slope = rows @ w, rows @ ways.T
    flat = np.abs(slope) < 1e-13
    with np.errstate(all="ignore"):
        crossing = np.where(flat, np.inf, -score[:, None] / np.where(flat, 1.0, slope))
    order = np.argsort(crossing, axis=0)
    crossing = np.take_along_axis(crossing, order, axis=0)
    change = np.where(flat, 0.0, np.where(slope > 0, -1.0, 1.0) * costs[:, None])
    start = (np.where(flat, (score <= 0)[:, None], slope > 0) * costs[:, None]).sum(axis=0)
    totals = np.vstack([start, start + np.cumsum(np.take_along_axis(change, order, 0), axis=0)])
    with np.errstate(all="ignore"):
        low = np.vstack([crossing[:1] - 2.0, crossing])
        high = np.vstack([crossing, np.full((1, len(ways)), np.inf)])
        high = np.where(np.isfinite(high), high, np.where(np.isfinite(low), low + 2.0, 1.0))
        low = np.where(np.isfinite(low), low, high - 2.0)
        middle = (low + high) / 2.0
        wide = high - low > LEAST_GAP * (1.0 + np.abs(middle))
    totals = np.where(wide, totals, np.inf)
    place, line = np.unravel_index(totals.argmin(), totals.shape)
    found = w + middle[place, line] * ways[line]
    return float(totals[place, line]), found / (float(np.linalg.norm(found)) or 1.0)


def walk(
    rows: np.ndarray, costs: np.ndarray, w: np.ndarray, random: np.random.Generator, clock: Clock,
    patience: int,
) -> np.ndarray:  # fmt: skip
    """Step from line to line until `patience` batches in a row have not made it cheaper."""
    count, dim = rows.shape
    n_ways = max(2, min(24, CROSSING_CELLS // count))
    cost, stale = float(costs[rows @ w <= 0].sum()), 0
    while stale < patience and clock.left() > 0:
        ways = random.standard_normal((n_ways, dim))
        half = n_ways // 2
        ways[:half] = rows[random.integers(0, count, half)]
        ways[random.integers(0, n_ways)] = np.eye(dim)[random.integers(0, dim)]
        found, there = best_on_ways(rows, costs, w, ways)
        stale = 0 if found < cost else stale + 1
        if found <= cost:
            cost, w = found, there
    return w


def trimmed(rows: np.ndarray, w: np.ndarray, clock: Clock, rounds: int = 6) -> np.ndarray:
    """The squared hinge without the rows that it gets wrong, again and again."""
    kept = np.ones(len(rows), dtype=bool)
    best = w, int((rows @ w <= 0).sum())
    for _ in range(rounds):
        try:
            w, _ = minimise_with_ridge(rows[kept], w, 1e-4 * max(1, int(kept.sum())) ** 0.5, clock)
        except OutOfTimeError:
            break
        right = rows @ w > 0
        wrong = int((~right).sum())
        if wrong < best[1]:
            best = w, wrong
        if (right == kept).all() or not right.any():
            break
        kept = right
    return best[0]


def approach(
    z: SignedRows, w: np.ndarray, count: int, clock: Clock
) -> tuple[np.ndarray, np.ndarray]:
    """From w to weights that get fewer rows of a large table wrong, and the scores of them all.

    The squared hinge of the `count` rows nearest to the hyperplane and of rows that were wrong,
    without those that are wrong by more than a share of how near the others are: these are the
    rows to give up. The share is varied where a round makes it no better.
    """
    scores = z.float_view.scores(w)
    work: np.ndarray = np.zeros(0, dtype=np.intp)
    stale = 0
    for _ in range(APPROACHES):
        if stale == len(WRONG_SHARES) or clock.left() <= 0.0:
            break
        size = np.abs(scores)
        near = np.argpartition(size, count - 1)[:count]
        wrong = np.flatnonzero(scores <= 0.0)
        wrong = wrong[np.argsort(size[wrong])[:count]]
        if len(work) > 4 * count:
            work = work[np.argsort(size[work])[: 2 * count]]
        work = np.union1d(work, np.union1d(near, wrong))
        units = z.float_view.unit_rows(z.rows[work])
        right = scores[work] > -WRONG_SHARES[stale] * float(size[near].max())
        there = w
        try:
            for _ in range(8):
                there, _ = minimise_with_ridge(
                    units[right], there, 1e-6, clock, until_separated=True
                )
                now = units @ there > 0.0
                if (now == right).all() or 2 * now.sum() < len(now):
                    break
                right = now
        except OutOfTimeError:
            break
        found = z.float_view.scores(there)
        if (found <= 0.0).sum() < (scores <= 0.0).sum():
            w, scores, stale = there, found, 0
        else:
            stale += 1
    return w, scores


def readmitted(
    rows: np.ndarray, costs: np.ndarray, w: np.ndarray, clock: Clock
) -> Iterator[np.ndarray]:
    """Weights that get fewer and fewer of these rows wrong, each as soon as it is found.

    The dearest rows are asked about first, of those the least wrong; a row that fails alone stays
    out.
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
