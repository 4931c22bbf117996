"""Rosenblatt's perceptron: one pass over the rows, one update per mistake.

One loop serves two classes and many: each line of W is a perceptron of its own that tells
one class from the rest, and all of them see a row while it is in the cache.
"""

from __future__ import annotations

import math

from novikoff.loops.compiled import compiled
from novikoff.loops.exact_sign import exact_sign
from novikoff.loops.rows import add_row, dot_row, square_row

ROUNDING = 1.01 * 2.0**-53
TINY = 2.0**-1070
GROWTH = 1.0 + 2.0**-22  # what rounding one update, even in float32, can add to ‖w‖


@compiled
def largest_square(rows, n):
    """max ‖row‖², NaN if any entry is NaN: the radius and the check for finite values in one."""
    largest = 0.0
    for i in range(n):
        square = square_row(rows, i)
        if not square <= largest:
            largest = square
            if square != square:
                return square
    return largest


@compiled
def doubt_of(square_w, radius, n_columns):
    """How far from zero a computed score must be for its sign to be certain."""
    return (n_columns + 4) * (ROUNDING * radius * math.sqrt(square_w) + TINY)


@compiled
def perceptron_pass(rows, targets, order, W, sizes, ties_positive, radius, doubts, mistakes):
    """Visit rows in `order`; on each mistake add ±sizes[i]·row to the line of W that made it.

    Line c of W takes rows with targets[i] == c as positive and all others as negative. A row
    is a mistake when sign·score < 0; a score of exactly zero is one too, except, where
    `ties_positive`, on a positive row. Scores are summed in any order; one that rounding
    could have pushed across zero is decided exactly, so the mistakes, and with them the bits
    of W, are those of the textbook loop with correctly rounded scores.

    Invariant: doubts[c] is at least the rounding error of any score of line c, because a
    mistake raises ‖w‖² by at most (size·radius)².
    Adds to mistakes[c] and returns the mistakes of this pass.
    """
    n_mistakes = 0
    n_columns = W.shape[1] - 1
    for c in range(W.shape[0]):
        square = 0.0
        for j in range(W.shape[1]):
            square += float(W[c, j]) * float(W[c, j])
        doubts[c] = doubt_of(square * 1.001, radius, n_columns)
    for i in order:
        for c in range(W.shape[0]):
            w = W[c]
            score = dot_row(rows, i, w)
            if not abs(score) > doubts[c]:
                score = float(exact_sign(rows, i, w))
            if targets[i] == c:
                wrong = score < 0.0 if ties_positive else score <= 0.0
                step = sizes[i]
            else:
                wrong = score >= 0.0
                step = -sizes[i]
            if wrong:
                add_row(rows, i, step, w)
                grown = (n_columns + 4) * ROUNDING * radius * abs(step) * radius
                doubts[c] = GROWTH * math.sqrt(doubts[c] * doubts[c] + grown * grown)
                mistakes[c] += 1
                n_mistakes += 1
    return n_mistakes
