"""Rosenblatt's perceptron: one pass over the rows, one update per mistake.

One loop serves two classes and many: each line of W is a perceptron of its own that tells
one class from the rest. The lines never look at each other, so they take turns on blocks of
rows small enough to stay in the cache, and the rows come from memory once for all of them.

Scores are summed in whatever order is fastest. One that rounding could have pushed across
zero is decided by the sign of the exact score, so the mistakes, and with them every bit of
W, are those of the textbook loop whose scores are right to the last bit.

The same pass serves the averaged and the voted perceptron, which make the same mistakes. For the
mean of the weights after every visit it keeps moments: a step made at visit v, counted from 0, is
in the weights after T − v of T visits, so with U = Σ v·step·row over the mistakes the mean is
W − U/T. For votes it writes a tape: which row was a mistake on which line.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.exact.bounds import NORM_UNDERFLOW
from novikoff.loops.bounds import norm_above, norm_bound_after, score_error_bound
from novikoff.loops.compiled import compiled
from novikoff.loops.exact_sign import exact_sign
from novikoff.loops.rows import (
    FIRST,
    add_row,
    dot_and_square_row,
    dot_row,
    row_is_finite,
    rows_a_block,
    square_row,
)
from novikoff.loops.tiles import ROWS_A_TILE, VISITS_PER_MISTAKE, pass_over

NOT_FINITE = -1
LARGEST_SINGLE = 3.4e38  # of the floats in float32, rounded down


@compiled
def radius_with(rows, order, first, end, radius):
    """The radius, raised to the norms of rows in `order`; NaN if one of them is not finite."""
    measured = radius * radius
    for place in range(first, end):
        square = square_row(rows, order[place])
        if not square <= measured:
            if not square < math.inf and not row_is_finite(rows, order[place]):
                return math.nan
            measured = square
            radius = norm_above(square)
    return radius


@compiled(forceinline=True)
def next_mistake(
    rows, targets, order, place, end, positive, w, ties_positive, norm_bound, radius, measure
):
    """The first place from `place` on, before `end`, whose row w gets wrong, or `end`; the radius.

    Rows with targets[i] == positive are positive, all others negative. A row is a mistake when
    sign·score < 0; a score of exactly zero is one too, except, where `ties_positive`, on a
    positive row. norm_bound >= ‖w‖ and radius >= ‖row‖; where `measure`, the radius is raised to
    that as rows come by, and a row that is not finite ends the search with a radius of NaN.
    """
    error_bound = score_error_bound(radius, norm_bound, w.shape[0])
    measured = radius * radius
    while place < end:
        i = order[np.uint64(place)]  # unsigned: nothing to count from the end
        if measure:
            score, square = dot_and_square_row(rows, i, w)
            if not square <= measured:
                if not square < math.inf and not row_is_finite(rows, i):
                    return place, math.nan
                measured, radius = square, norm_above(square)
                error_bound = score_error_bound(radius, norm_bound, w.shape[0])
        else:
            score = dot_row(rows, i, w)
        side = 1.0 if targets[np.uint64(i)] == positive else -1.0
        score *= side
        if not score > error_bound:
            if not score < -error_bound:
                score = side * float(exact_sign(rows, i, w))
            if score < 0.0 or (score == 0.0 and not (ties_positive and side > 0.0)):
                break
        place += 1
    return place, radius


@compiled(forceinline=True)
def step_of(targets, i, positive, sizes, gains):
    """What a mistake on row i adds to w, as a multiple of the row: its size, with its sign.

    The size of row i is sizes[i] (or sizes[0], if it is the only one) times gains[0] for a
    positive row, gains[1] for a negative one. A row of size 0 is never a mistake.
    """
    size = sizes[0] if sizes.shape[0] == 1 else sizes[i]
    return size * gains[0] if targets[i] == positive else -(size * gains[1])


@compiled(forceinline=True)
def is_finite(norm_bound, w):
    """Whether all of w is; only looked at where norm_bound >= ‖w‖ leaves it open."""
    finite = True
    if not norm_bound < (LARGEST_SINGLE if w.itemsize == 4 else math.inf):
        for j in range(w.shape[0]):
            finite = finite and abs(w[j]) < math.inf
    return finite


@compiled
def visit_line(
    rows, targets, order, place, end, positive, w, sizes, gains, ties_positive, restarts,
    norm_bound, radius, measure, c, first_visit, moments, tape, written,
):  # fmt: skip
    """Add step·row to w at every mistake on the way from `place` to `end`.

    Where `restarts`, stop after one mistake. `c` is the number of the line, whose moments are
    moments[c]; `written` is the number of entries that the tape holds already: see
    `perceptron_pass`. Invariant: norm_bound >= ‖w‖.
    Returns the mistakes, or NOT_FINITE, then the norm bound and the radius.
    """
    n_mistakes = 0
    while True:
        if measure:  # two loops, for one that also measures is slower even where it need not
            place, radius = next_mistake(
                rows, targets, order, place, end, positive, w, ties_positive, norm_bound, radius,
                True,
            )  # fmt: skip
        else:
            place, _ = next_mistake(
                rows, targets, order, place, end, positive, w, ties_positive, norm_bound, radius,
                False,
            )  # fmt: skip
        if place >= end:
            break
        if radius != radius:
            return NOT_FINITE, norm_bound, radius
        i = order[place]
        step = step_of(targets, i, positive, sizes, gains)
        if step != 0.0:
            add_row(rows, i, step, w)
            norm_bound = norm_bound_after(norm_bound, float(step), radius)
            if not is_finite(norm_bound, w):
                return NOT_FINITE, norm_bound, radius
            if moments.shape[0] > 0:
                add_row(rows, i, np.float64(first_visit + place) * np.float64(step), moments[c])
            if tape.shape[0] > 0:
                tape[written + n_mistakes, 0] = place
                tape[written + n_mistakes, 1] = c
            n_mistakes += 1
            if restarts:
                break
        place += 1
    return n_mistakes, norm_bound, radius


@compiled
def perceptron_pass(
    rows, targets, order, lines, positives, W, sizes, gains, ties_positive, restarts, norm_bounds,
    radii, measure, mistakes, first_visit, moments, tape, tile,
):  # fmt: skip
    """Visit rows in `order`; line c of W learns to tell class positives[c] from the rest.

    Only the `lines` named take part, each by the rules of `next_mistake` and `visit_line`.
    radii[c] >= ‖row‖ for every row; where `measure`, it is raised to that as rows come by, and the
    first line to see a row measures it for all.
    Where `moments` has lines, moments[c] gets visit·step·row of every mistake, the first row of
    `order` being visited at `first_visit`. Where `tape` has room, for len(order)·len(lines)
    entries, it gets (place in `order`, line) of every mistake: those of one line in the order in
    which they happened. `tile`: room for scoring rows and lines together (see loops/tiles.py), or
    None; None if `restarts`.
    Invariant: norm_bounds[c] >= ‖W[c]‖.
    Adds to mistakes[c] and returns the mistakes of all lines, or NOT_FINITE as soon as a row
    or a weight is not finite.
    """
    first = n_mistakes = FIRST
    radius = NORM_UNDERFLOW
    for c in lines:
        radius = max(radius, radii[c])
    block = max(1, order.shape[0])
    if not restarts and lines.shape[0] > 1:
        block = rows_a_block(rows, targets.shape[0])
    while first < order.shape[0]:
        is_tile = tile is not None and n_mistakes * VISITS_PER_MISTAKE < first * lines.shape[0]
        end = min(first + (ROWS_A_TILE if is_tile else block), order.shape[0])
        if measure and is_tile:
            radius = radius_with(rows, order, first, end, radius)
            if radius != radius:
                return NOT_FINITE
        if tile is not None:
            tile.starts[:] = first
            if is_tile:
                pass_over(rows, targets, order, first, end, lines, positives, W, norm_bounds,
                          radius, tile)  # fmt: skip
        for k in range(lines.shape[0]):
            c, place = lines[k], first if tile is None else tile.starts[k]
            if place >= end:
                continue
            found, norm_bound, radius = visit_line(
                rows, targets, order, place, end, positives[c], W[c], sizes, gains[c],
                ties_positive, restarts, norm_bounds[c], radius,
                measure and not is_tile and (restarts or k == 0), c, first_visit, moments, tape,
                n_mistakes,
            )  # fmt: skip
            if found < 0:
                return NOT_FINITE
            norm_bounds[c] = norm_bound
            mistakes[c] += found
            n_mistakes += found
        first = end
    for c in lines:
        radii[c] = radius
    return n_mistakes


@compiled
def exact_signs(rows, w, signs):
    """signs[i] = the sign of the exact score of row i: -1, 0 or 1."""
    for i in range(signs.shape[0]):
        signs[i] = exact_sign(rows, i, w)
