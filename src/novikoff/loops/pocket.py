"""Gallant's pocket algorithm with ratchet: the best weights seen, for rows no line separates.

The perceptron runs as ever. In the pocket lie the weights whose mistakes on all rows weighed
least so far. Weights whose run, the visits they have survived in a row, has become longer than
the run of those in the pocket are compared with these on all rows, once, and take their place
only if they are truly better: the pocket never gets worse.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.exact.bounds import NORM_UNDERFLOW
from novikoff.loops.bounds import norm_bound_after
from novikoff.loops.compiled import compiled
from novikoff.loops.joint import learn_joint_row, next_joint_mistake, norm_bound_of_all, size_of
from novikoff.loops.perceptron import NOT_FINITE, is_finite, next_mistake, radius_with, step_of
from novikoff.loops.rows import FIRST, add_row

RUN, BAR, HELD, COUNT = 0, 1, 2, 3  # places in `state`
UNSEEN, SEEN, IN_POCKET = 0, 1, 2  # state[HELD]: whether the weights at hand were compared


@compiled
def radius_of(rows, order):
    """A number that is at least ‖row‖ for all rows in `order`; NaN if one is not finite."""
    return radius_with(rows, order, FIRST, order.shape[0], NORM_UNDERFLOW)


@compiled
def survive(state, visits):
    """The weights at hand were right on so many rows more."""
    state[RUN] += visits
    if state[HELD] == IN_POCKET:
        state[BAR] = max(state[BAR], state[RUN])


@compiled
def next_wrong(
    rows, targets, order, place, end, joint, positive, W, ties, norm_bound, radius, scores
):
    """`next_mistake` of the only line of W, or `next_joint_mistake` of all lines, on rows whose
    radius is known: the place, and the rival where `joint`.
    """
    if joint:
        return next_joint_mistake(
            rows, targets, order, place, end, W, ties, norm_bound, radius, scores
        )
    found, _ = next_mistake(
        rows, targets, order, place, end, positive, W[0], ties, norm_bound, radius, False
    )
    return found, 0


@compiled
def size_at(targets, i, joint, positive, sizes, gains):
    """The size of the update for row i, without its sign."""
    if joint:
        return size_of(i, targets[i], sizes, gains)
    return abs(step_of(targets, i, positive, sizes, gains[0]))


@compiled
def learn_row(rows, targets, i, joint, positive, rival, size, W, norm_bound, radius):
    """Move the line, or the two joint lines, by ±size·row; a number that is at least ‖W‖, or NaN
    if a weight is not finite.
    """
    if joint:
        return learn_joint_row(rows, i, targets[i], rival, size, W, norm_bound, radius)
    add_row(rows, i, size if targets[i] == positive else -size, W[0])
    norm_bound = norm_bound_after(norm_bound, float(size), radius)
    return norm_bound if is_finite(norm_bound, W[0]) else math.nan


@compiled
def mistakes_of(
    rows, targets, order, joint, positive, W, sizes, gains, ties, radius, limit, scores
):  # fmt: skip
    """The number of mistakes that W makes on the rows in `order`, and their weight.

    Stops as soon as the weight is not below `limit`. radius >= ‖row‖.
    """
    norm_bound, count, weight, place = norm_bound_of_all(W), 0, 0.0, FIRST
    while weight < limit:
        place, _ = next_wrong(
            rows, targets, order, place, order.shape[0], joint, positive, W, ties, norm_bound,
            radius, scores,
        )  # fmt: skip
        if place >= order.shape[0]:
            break
        size = float(size_at(targets, order[place], joint, positive, sizes, gains))
        count += 1 if size > 0.0 else 0
        weight += size
        place += 1
    return count, weight


@compiled
def pocket_pass(
    rows, targets, order, everyone, joint, positive, W, sizes, gains, ties, radius, pocket, weight,
    state,
):  # fmt: skip
    """Visit the rows in `order`; W learns, and `pocket` keeps the best W for `everyone`.

    W is one line, positive on the class `positive`, or all lines where they are learnt `joint`ly.
    `everyone` is all rows in one order for all passes, so that equal mistakes weigh the same.

    state[RUN] is the run of W, state[BAR] that of the pocket, state[COUNT] the pocket's mistakes
    and `weight` their weight. The bar rises as long as the weights in the pocket survive. A tie
    is a mistake or not as in `next_mistake` and `next_joint_mistake`; radius >= ‖row‖.
    Returns the mistakes of this pass, or NOT_FINITE, and the weight of the pocket's.
    """
    scores = np.empty(W.shape[0])
    norm_bound, n_mistakes, place, end = norm_bound_of_all(W), 0, FIRST, order.shape[0]
    while True:
        if state[HELD] == UNSEEN and state[RUN] > state[BAR]:
            count, total = mistakes_of(
                rows, targets, everyone, joint, positive, W, sizes, gains, ties, radius, weight,
                scores,
            )  # fmt: skip
            state[HELD] = SEEN
            if total < weight:
                state[HELD], state[BAR], state[COUNT], weight = IN_POCKET, state[RUN], count, total
                for c in range(W.shape[0]):  # an assignment takes two seconds more of compiling
                    for j in range(W.shape[1]):
                        pocket[c, j] = W[c, j]
        if place >= end:
            return n_mistakes, weight
        stop = end  # or where the weights at hand will be compared, without a mistake until then
        if state[HELD] == UNSEEN:
            stop = min(end, place + 1 + state[BAR] - state[RUN])
        found, rival = next_wrong(
            rows, targets, order, place, stop, joint, positive, W, ties, norm_bound, radius, scores
        )
        survive(state, found - place)
        place = found
        if place < stop:
            i = order[place]
            place += 1
            size = size_at(targets, i, joint, positive, sizes, gains)
            if size == 0.0:
                survive(state, 1)
                continue
            norm_bound = learn_row(
                rows, targets, i, joint, positive, rival, size, W, norm_bound, radius
            )
            if norm_bound != norm_bound:
                return NOT_FINITE, weight
            n_mistakes += 1
            state[RUN], state[HELD] = 0, UNSEEN
