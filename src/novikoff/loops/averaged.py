"""The averaged perceptron: Rosenblatt's mistakes, and the mean of the weights after every visit.

The mean is never summed up visit by visit. A step made at visit v, counted from 0, is in the
weights after T − v of T visits, so with U = Σ v·step·row over the mistakes the mean is W − U/T.
A mistake costs two updates instead of one, and a visit without one costs nothing.
"""

from __future__ import annotations

import numpy as np

from novikoff.loops.compiled import compiled
from novikoff.loops.doubt import reach_after
from novikoff.loops.perceptron import (
    NOT_FINITE,
    is_finite,
    next_mistake,
    step_of,
)
from novikoff.loops.rows import FIRST, add_row
from novikoff.loops.tiles import begin_turn, keep_radius, radius_of_norms, rows_a_block, start_of


@compiled(borrows=True)
def visit_averaged_line(
    rows, targets, order, place, end, positive, w, sums, sizes, gains, ties_positive, first_visit,
    reach, radius, measure,
):  # fmt: skip
    """At every mistake from `place` to `end` add step·row to w and visit·step·row to `sums`.

    The row at order[p] is visited at first_visit + p. Mistakes and steps are those of
    `visit_line`, with its invariant and what it returns.
    """
    n_mistakes = 0
    while True:
        place, radius = next_mistake(
            rows, targets, order, place, end, positive, w, ties_positive, reach, radius, measure
        )
        if place >= end:
            break
        if radius != radius:
            return NOT_FINITE, reach, radius
        i = order[place]
        step = step_of(targets, i, positive, sizes, gains)
        if step != 0.0:
            add_row(rows, i, step, w)
            add_row(rows, i, np.float64(first_visit + place) * np.float64(step), sums)
            reach = reach_after(reach, float(step), radius)
            if not is_finite(reach, w):
                return NOT_FINITE, reach, radius
            n_mistakes += 1
        place += 1
    return n_mistakes, reach, radius


@compiled(borrows=True)
def averaged_pass(
    rows, targets, order, lines, positives, W, sums, sizes, gains, ties_positive, first_visit,
    reaches, mistakes, tile=None, norms=None,
):  # fmt: skip
    """`perceptron_pass` that also keeps sums[c] = Σ visit·step·row for the `lines` named.

    The first row of `order` is visited at `first_visit`.
    """
    first = n_mistakes = FIRST
    block = rows_a_block(rows, order, lines)
    radius, known = radius_of_norms(norms)
    while first < order.shape[0]:
        end, measure, radius = begin_turn(
            rows, targets, order, first, block, n_mistakes, lines, positives, W, reaches, radius,
            known, tile,
        )  # fmt: skip
        if radius != radius:
            return NOT_FINITE
        for k in range(lines.shape[0]):
            c, place = lines[k], start_of(tile, first, k)
            if place >= end:
                continue
            found, reach, radius = visit_averaged_line(
                rows, targets, order, place, end, positives[c], W[c], sums[c], sizes, gains[c],
                ties_positive, first_visit, reaches[c], radius, k == 0 and measure,
            )  # fmt: skip
            if found < 0:
                return NOT_FINITE
            reaches[c] = reach
            mistakes[c] += found
            n_mistakes += found
        first = end
    keep_radius(norms, lines, radius)
    return n_mistakes
