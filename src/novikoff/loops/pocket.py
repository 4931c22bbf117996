"""Gallant's pocket algorithm with ratchet: the best weights seen, for rows no line separates.

The perceptron runs as ever. In the pocket lie the weights whose mistakes on all rows weighed
least so far. Weights whose run, the visits they have survived in a row, has become longer than
the run of those in the pocket are compared with these on all rows, once, and take their place
only if they are truly better: the pocket never gets worse.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.loops.compiled import compiled
from novikoff.loops.doubt import norm_above, reach_after, reach_of
from novikoff.loops.joint import learn_joint_row, next_joint_mistake, reach_of_all, size_of
from novikoff.loops.perceptron import (
    NOT_FINITE,
    is_finite,
    next_mistake,
    step_of,
)
from novikoff.loops.rows import FIRST, add_row, row_is_finite, square_row

RUN, BAR, HELD, COUNT = 0, 1, 2, 3  # places in `state`
UNSEEN, SEEN, IN_POCKET = 0, 1, 2  # state[HELD]: whether the weights at hand were compared


@compiled
def radius_of(rows, order):
    """A number that is at least ‖row‖ for all rows in `order`; NaN if one is not finite."""
    largest = 0.0
    for i in order:
        square = square_row(rows, i)
        if not square <= largest:
            if not square < math.inf and not row_is_finite(rows, i):
                return math.nan
            largest = square
    return norm_above(largest)


@compiled
def survive(state, visits):
    """The weights at hand were right on so many rows more."""
    state[RUN] += visits
    if state[HELD] == IN_POCKET:
        state[BAR] = max(state[BAR], state[RUN])


@compiled
def is_due(state):
    """Whether the weights at hand must now be compared with those in the pocket."""
    return state[HELD] == UNSEEN and state[RUN] > state[BAR]


@compiled
def next_look(state, place, end):
    """Where the weights at hand will be due if they make no mistake until then, or `end`."""
    if state[HELD] != UNSEEN:
        return end
    return min(end, place + 1 + state[BAR] - state[RUN])


@compiled
def compared(state, better, count):
    """The weights at hand were compared, and are now in the pocket if they are `better`."""
    state[HELD] = SEEN
    if better:
        state[HELD] = IN_POCKET
        state[BAR] = state[RUN]
        state[COUNT] = count


@compiled
def renewed(state):
    """A mistake has made new weights."""
    state[RUN] = 0
    state[HELD] = UNSEEN


@compiled(at_once=lambda w, pocket: np.copyto(pocket, w))
def keep(w, pocket):
    """Put w into the pocket. (An assignment would bring its message, should lengths differ, along:
    two seconds of compiling.)
    """
    for j in range(w.shape[0]):
        pocket[j] = w[j]


@compiled
def mistake_from(rows, targets, order, place, end, positive, w, ties_positive, reach, radius):
    """`next_mistake` on rows whose radius is known."""
    found, _ = next_mistake(
        rows, targets, order, place, end, positive, w, ties_positive, reach, radius, False
    )
    return found


@compiled
def mistakes_of_line(rows, targets, order, positive, w, sizes, gains, ties_positive, radius, limit):
    """The number of mistakes that w makes on the rows in `order`, and their weight.

    Stops as soon as the weight is not below `limit`. radius >= ‖row‖.
    """
    reach, count, weight, place = reach_of(w), 0, 0.0, FIRST
    while weight < limit:
        place = mistake_from(
            rows, targets, order, place, order.shape[0], positive, w, ties_positive, reach, radius
        )
        if place >= order.shape[0]:
            break
        size = abs(float(step_of(targets, order[place], positive, sizes, gains)))
        count += 1 if size > 0.0 else 0
        weight += size
        place += 1
    return count, weight


@compiled
def pocket_pass(
    rows, targets, order, everyone, positive, w, sizes, gains, ties_positive, radius, pocket,
    weight, state,
):  # fmt: skip
    """Visit the rows in `order`; w learns, and `pocket` keeps the best w for `everyone`.

    `everyone` is all rows in one order for all passes, so that equal mistakes weigh the same.

    state[RUN] is the run of w, state[BAR] that of the pocket, state[COUNT] the pocket's mistakes
    and `weight` their weight. The bar rises as long as the weights in the pocket survive. A tie
    is a mistake or not as in `next_mistake`; radius >= ‖row‖.
    Returns the mistakes of this pass, or NOT_FINITE, and the weight of the pocket's.
    """
    reach, n_mistakes, place, end = reach_of(w), 0, FIRST, order.shape[0]
    while True:
        if is_due(state):
            count, total = mistakes_of_line(
                rows, targets, everyone, positive, w, sizes, gains, ties_positive, radius, weight
            )
            compared(state, total < weight, count)
            if total < weight:
                keep(w, pocket)
                weight = total
        if place >= end:
            return n_mistakes, weight
        stop = next_look(state, place, end)
        found = mistake_from(
            rows, targets, order, place, stop, positive, w, ties_positive, reach, radius
        )
        survive(state, found - place)
        place = found
        if place < stop:
            i = order[place]
            place += 1
            step = step_of(targets, i, positive, sizes, gains)
            if step == 0.0:
                survive(state, 1)
                continue
            add_row(rows, i, step, w)
            reach = reach_after(reach, float(step), radius)
            if not is_finite(reach, w):
                return NOT_FINITE, weight
            n_mistakes += 1
            renewed(state)


@compiled
def joint_mistakes(rows, targets, order, W, sizes, gains, ties_last, radius, limit, scores):
    """`mistakes_of_line` for lines that are learnt together."""
    reach, count, weight, place = reach_of_all(W), 0, 0.0, FIRST
    while weight < limit:
        place, _, _ = next_joint_mistake(
            rows, targets, order, place, order.shape[0], W, ties_last, reach, radius, False, scores
        )
        if place >= order.shape[0]:
            break
        i = order[place]
        size = float(size_of(i, targets[i], sizes, gains))
        count += 1 if size > 0.0 else 0
        weight += size
        place += 1
    return count, weight


@compiled
def joint_pocket_pass(
    rows, targets, order, everyone, W, sizes, gains, ties_last, radius, pocket, weight, state
):
    """`pocket_pass` for lines that are learnt together."""
    scores = np.empty(W.shape[0])
    reach, n_mistakes, place, end = reach_of_all(W), 0, FIRST, order.shape[0]
    while True:
        if is_due(state):
            count, total = joint_mistakes(
                rows, targets, everyone, W, sizes, gains, ties_last, radius, weight, scores
            )
            compared(state, total < weight, count)
            if total < weight:
                for c in range(W.shape[0]):
                    keep(W[c], pocket[c])
                weight = total
        if place >= end:
            return n_mistakes, weight
        stop = next_look(state, place, end)
        found, rival, _ = next_joint_mistake(
            rows, targets, order, place, stop, W, ties_last, reach, radius, False, scores
        )
        survive(state, found - place)
        place = found
        if place < stop:
            i = order[place]
            place += 1
            size = size_of(i, targets[i], sizes, gains)
            if size == 0.0:
                survive(state, 1)
                continue
            reach = learn_joint_row(rows, i, targets[i], rival, size, W, reach, radius)
            if reach != reach:
                return NOT_FINITE, weight
            n_mistakes += 1
            renewed(state)
