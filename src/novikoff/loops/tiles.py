"""Several rows under several lines at once: where many lines learn, most scores are surely right.

A score by itself loads two numbers for each product. A tile of four rows and five lines loads
nine for twenty, and its twenty sums stay in registers. It is scored with the weights as they
are before its first row; what it finds surely right is right as long as a line has not moved, so
a line is taken past its first rows that are, and visits the rest of the tile one by one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from novikoff.loops.compiled import compiled
from novikoff.loops.doubt import norm_above, score_doubt
from novikoff.loops.rows import (
    Dense,
    Rows,
    _sum_in_any_order,
    row_is_finite,
    row_length,
    square_row,
)

ROWS, LINES = 4, 5  # of a tile
ENOUGH = 4  # lines that are worth a tile: fewer are scored one by one
BLOCK = 32768  # numbers in a block of rows: 256 KB, which stays in the cache
WIDE = 192  # columns that are worth a tile: it ends in twenty sums of what a register holds
SELDOM = 20  # visits of a row by a line for each mistake that are worth a tile


class Tile(NamedTuple):
    """Room to work in."""

    scores: np.ndarray  # (LINES, ROWS)
    starts: np.ndarray  # where each line starts in the rows of its turn


def tile_for(rows: Rows, lines: np.ndarray) -> Tile | None:
    """Room for tiles where they can pay: for dense rows that are not short, and several lines."""
    if not isinstance(rows, Dense) or rows.values.shape[1] < WIDE or len(lines) < ENOUGH:
        return None
    return Tile(np.empty((LINES, ROWS)), np.empty(len(lines), dtype=np.int64))


@compiled(borrows=True)
def rows_a_block(rows, order, lines):
    """How many rows the lines visit in turn: as many as stay in the cache, all for one line."""
    if lines.shape[0] == 1:
        return max(1, order.shape[0])
    return max(2 * ROWS, BLOCK // (row_length(rows) + 1))


@compiled(at_once=lambda _lines, block, _visits, _mistakes: block, borrows=True)
def rows_a_turn(lines, block, n_visits, n_mistakes):
    """How many rows the lines visit next: a block, or a tile, where so many visits by each line
    made so few mistakes that most tiles have none. Where Python runs the loop, always a block.
    """
    return ROWS if n_mistakes * SELDOM < n_visits * lines.shape[0] else block


@_sum_in_any_order
def score_tile(rows, order, first, last, W, lines, k, scores):
    """scores[b, a] = the score of row order[first + a] under line lines[k + b].

    Where there are no more rows up to `last`, or no more lines, the last one is taken again.
    """
    x0 = rows.values[np.uint64(order[first])]
    x1 = rows.values[np.uint64(order[min(first + 1, last)])]
    x2 = rows.values[np.uint64(order[min(first + 2, last)])]
    x3 = rows.values[np.uint64(order[min(first + 3, last)])]
    end = lines.shape[0] - 1
    w0, w1 = W[lines[k]], W[lines[min(k + 1, end)]]
    w2, w3, w4 = W[lines[min(k + 2, end)]], W[lines[min(k + 3, end)]], W[lines[min(k + 4, end)]]
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = c0 = c1 = c2 = c3 = 0.0
    d0 = d1 = d2 = d3 = e0 = e1 = e2 = e3 = 0.0
    for j in range(x0.shape[0]):
        v0, v1, v2, v3 = float(x0[j]), float(x1[j]), float(x2[j]), float(x3[j])
        w = float(w0[j])
        a0 += v0 * w
        a1 += v1 * w
        a2 += v2 * w
        a3 += v3 * w
        w = float(w1[j])
        b0 += v0 * w
        b1 += v1 * w
        b2 += v2 * w
        b3 += v3 * w
        w = float(w2[j])
        c0 += v0 * w
        c1 += v1 * w
        c2 += v2 * w
        c3 += v3 * w
        w = float(w3[j])
        d0 += v0 * w
        d1 += v1 * w
        d2 += v2 * w
        d3 += v3 * w
        w = float(w4[j])
        e0 += v0 * w
        e1 += v1 * w
        e2 += v2 * w
        e3 += v3 * w
    last_column, constant = x0.shape[0], rows.constant
    w = constant * float(w0[last_column])
    scores[0, 0], scores[0, 1], scores[0, 2], scores[0, 3] = a0 + w, a1 + w, a2 + w, a3 + w
    w = constant * float(w1[last_column])
    scores[1, 0], scores[1, 1], scores[1, 2], scores[1, 3] = b0 + w, b1 + w, b2 + w, b3 + w
    w = constant * float(w2[last_column])
    scores[2, 0], scores[2, 1], scores[2, 2], scores[2, 3] = c0 + w, c1 + w, c2 + w, c3 + w
    w = constant * float(w3[last_column])
    scores[3, 0], scores[3, 1], scores[3, 2], scores[3, 3] = d0 + w, d1 + w, d2 + w, d3 + w
    w = constant * float(w4[last_column])
    scores[4, 0], scores[4, 1], scores[4, 2], scores[4, 3] = e0 + w, e1 + w, e2 + w, e3 + w


@compiled(borrows=True)
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


@compiled(borrows=True)
def begin_turn(rows, targets, order, first, end, tiled, lines, positives, W, reaches, radius, tile):
    """tile.starts[k] = where line lines[k] is to start in the rows from `first` to `end`.

    That is `first`; or, where the rows are `tiled`, at most a tile of them, the first place whose
    row is not surely right, or `end`; but `first` for the last lines, if they are few.
    Invariant: reaches[c] >= ‖W[c]‖.
    Returns the radius, raised to the norms of a tile's rows; NaN if one of them is not finite.
    """
    tile.starts[:] = first
    if not tiled:
        return radius
    radius = radius_with(rows, order, first, end, radius)
    if radius != radius:
        return radius
    for k in range(0, lines.shape[0] + 1 - ENOUGH, LINES):
        score_tile(rows, order, first, end - 1, W, lines, k, tile.scores)
        for b in range(min(LINES, lines.shape[0] - k)):
            c = lines[k + b]
            doubt = score_doubt(radius, reaches[c], W.shape[1])
            place = first
            while place < end:
                score = tile.scores[b, place - first]
                if not (score if targets[order[place]] == positives[c] else -score) > doubt:
                    break
                place += 1
            tile.starts[k + b] = place
    return radius
