"""The multi-class perceptron: one line of weights per class, learnt together.

A row belongs to the class whose line scores it highest. On a mistake only two lines move: that
of the true class towards the row, and that of its rival, the best wrong class, away from it.

Scores are summed in whatever order is fastest. Two that rounding could have swapped are
compared exactly, so mistakes and rivals are those of scores that are right to the last bit.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.exact.bounds import NORM_UNDERFLOW
from novikoff.loops.bounds import norm_above, norm_bound_after, norm_bound_of, score_error_bound
from novikoff.loops.compiled import compiled
from novikoff.loops.exact_sign import exact_comparison
from novikoff.loops.perceptron import NOT_FINITE, is_finite, radius_with
from novikoff.loops.rows import FIRST, add_row, rows_a_block
from novikoff.loops.scores import score_row

ROOT_TWO = 1.4143  # a little more


@compiled
def rival_of(rows, i, W, scores, target, ties_last, error_bound):
    """The wrong class with the highest score, the first or, where `ties_last`, the last of
    several; and the sign of the true score minus its score. Each score is off by less than
    error_bound / 2.
    """
    rival = 0 if target != 0 else 1
    for c in range(rival + 1, W.shape[0]):
        if c != target:
            gap = scores[c] - scores[rival]
            if not abs(gap) > error_bound:
                gap = float(exact_comparison(rows, i, W[c], W[rival]))
            if gap > 0.0 or (gap == 0.0 and ties_last):
                rival = c
    gap = scores[target] - scores[rival]
    if not abs(gap) > error_bound:
        gap = float(exact_comparison(rows, i, W[target], W[rival]))
    return rival, gap


@compiled
def next_joint_mistake(rows, targets, order, place, end, W, ties_last, norm_bound, radius, scores):
    """The first place from `place` on, before `end`, whose row W gets wrong, or `end`; with the
    rival of its class.

    A row is a mistake when a wrong class has a higher score than its own, or an equal one; where
    `ties_last`, an equal one only if it comes after its own. norm_bound >= ‖W[c]‖ for every c and
    radius >= ‖row‖.
    """
    error_bound = 2.0 * score_error_bound(radius, norm_bound, W.shape[1])
    while place < end:
        i = order[place]
        score_row(rows, i, W, scores, FIRST)
        target = targets[i]
        clear = True
        bar = scores[target] - error_bound
        for c in range(W.shape[0]):
            clear = clear and (scores[c] < bar or c == target)
        if not clear:
            rival, gap = rival_of(rows, i, W, scores, target, ties_last, error_bound)
            if gap < 0.0 or (gap == 0.0 and not (ties_last and rival < target)):
                return place, rival
        place += 1
    return end, 0


@compiled
def norm_bound_of_all(W):
    """A number that is at least ‖W‖, the root of the sum of all squares."""
    square = 0.0
    for c in range(W.shape[0]):
        norm_bound = norm_bound_of(W[c])
        square += norm_bound * norm_bound
    return norm_above(square)


@compiled(forceinline=True)
def size_of(i, target, sizes, gains):
    """The size of the update for row i: its own, times that of its class."""
    return (sizes[0] if sizes.shape[0] == 1 else sizes[i]) * gains[target, 0]


@compiled
def learn_joint_row(rows, i, target, rival, size, W, norm_bound, radius):
    """Move the two lines by ±size·row; a number that is at least ‖W‖, or NaN if a weight is not
    finite.

    A mistake raises ‖W‖² by at most 2·(size·radius)², for the true score is not above its
    rival's.
    """
    add_row(rows, i, size, W[target])
    add_row(rows, i, -size, W[rival])
    norm_bound = norm_bound_after(norm_bound, ROOT_TWO * float(size), radius)
    if is_finite(norm_bound, W[target]) and is_finite(norm_bound, W[rival]):
        return norm_bound
    return math.nan


@compiled
def joint_pass(
    rows, targets, order, W, sizes, gains, ties_last, restarts, radii, measure, mistakes,
    first_visit, sums, tape,
):  # fmt: skip
    """Visit rows in `order` and move two lines at each mistake; stop at the first if `restarts`.

    Where `sums` has lines, it gets visit·step·row, the first row being visited at `first_visit`
    (see loops/perceptron.py); where `tape` has room, it gets (place in `order`, rival) of every
    mistake. Adds to mistakes[true class]. radii[0] >= ‖row‖ for every row; where `measure`, it is
    raised to that, block by block. Invariant: norm_bound >= ‖W‖.
    Returns the mistakes, or NOT_FINITE as soon as a row or a weight is not finite.
    """
    scores = np.empty(W.shape[0])
    n_mistakes, place, end = 0, FIRST, FIRST
    norm_bound, radius = norm_bound_of_all(W), max(NORM_UNDERFLOW, radii[0])
    block = rows_a_block(rows, targets.shape[0])
    while place < order.shape[0]:
        if place >= end:
            end = order.shape[0] if restarts else min(place + block, order.shape[0])
            if measure:
                radius = radius_with(rows, order, place, end, radius)
                if radius != radius:
                    return NOT_FINITE
        place, rival = next_joint_mistake(
            rows, targets, order, place, end, W, ties_last, norm_bound, radius, scores
        )
        if place >= end:
            continue
        i = order[place]
        target = targets[i]
        size = size_of(i, target, sizes, gains)
        if size != 0.0:
            norm_bound = learn_joint_row(rows, i, target, rival, size, W, norm_bound, radius)
            if norm_bound != norm_bound:
                return NOT_FINITE
            if sums.shape[0] > 0:
                moment = np.float64(first_visit + place) * np.float64(size)
                add_row(rows, i, moment, sums[target])
                add_row(rows, i, -moment, sums[rival])
            if tape.shape[0] > 0:
                tape[n_mistakes, 0] = place
                tape[n_mistakes, 1] = rival
            mistakes[target] += 1
            n_mistakes += 1
            if restarts:
                break
        place += 1
    radii[0] = radius
    return n_mistakes


@compiled
def exact_winners(rows, W, winners):
    """winners[i, c]: whether class c has the highest exact score of row i, alone or with others."""
    for i in range(winners.shape[0]):
        best = 0
        winners[i, 0] = True
        for c in range(1, W.shape[0]):
            gap = exact_comparison(rows, i, W[c], W[best])
            if gap > 0:
                best = c
                for before in range(c):
                    winners[i, before] = False
            winners[i, c] = gap >= 0
