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

from novikoff.exact.bounds import LEAST
from novikoff.loops.compiled import compiled
from novikoff.loops.doubt import norm_above, score_doubt
from novikoff.loops.rows import Dense, Rows, row_is_finite, row_length
from novikoff.loops.tile_sums import measured_tile_sums, tile_sums

ROWS, LINES = 4, 5  # of a tile
ENOUGH = 4  # lines that are worth a tile: fewer are scored one by one
BLOCK = 32768  # numbers in a block of rows: 256 KB, which stays in the cache
WIDE = 192  # columns that are worth a tile: it ends in twenty sums of what a register holds
SELDOM = 20  # visits of a row by a line for each mistake that are worth a tile


class Tile(NamedTuple):
    """Room to work in."""

    sums: np.ndarray  # (LINES + 1, ROWS): scores, and the squares of the rows' norms
    starts: np.ndarray  # where each line starts in the rows of its turn


def tile_for(rows: Rows, lines: np.ndarray) -> Tile | None:
    """Room for tiles where they can pay: for dense rows that are not short, and several lines."""
    if not isinstance(rows, Dense) or rows.values.shape[1] < WIDE or len(lines) < ENOUGH:
        return None
    return Tile(np.empty((LINES + 1, ROWS)), np.empty(len(lines), dtype=np.int64))


class Norms(NamedTuple):
    """What is known of the rows' norms: once measured, they need not be measured again."""

    radius: float  # at least that of every row, or 0 where it is still to be measured
    seen: np.ndarray  # gets at least that of every row that each line visits, where it is


@compiled(borrows=True)
def radius_of_norms(norms):
    """The radius, LEAST if it is still to be measured; and whether it is known."""
    if norms is None:
        return LEAST, False
    return (norms.radius, True) if norms.radius > 0.0 else (LEAST, False)


@compiled(borrows=True)
def keep_radius(norms, lines, radius):
    """Let it be known that these lines saw no row of a larger norm."""
    if norms is not None:
        for c in lines:
            norms.seen[c] = max(norms.seen[c], radius)


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


@compiled(borrows=True)
def score_tile(rows, order, first, last, W, lines, k, measure, sums):
    """sums[b, a] = the score of row order[first + a] under line lines[k + b].

    Where there are no more rows up to `last`, or no more lines, the last one is taken again. Where
    `measure`, sums[LINES, a] = the square of the row's norm. Each tile of lines fetches its share
    of the next tile's rows.
    """
    X = rows.values
    tiled = (
        X[np.uint64(order[first])],
        X[np.uint64(order[min(first + 1, last)])],
        X[np.uint64(order[min(first + 2, last)])],
        X[np.uint64(order[min(first + 3, last)])],
    )
    end, final = lines.shape[0] - 1, order.shape[0] - 1
    under = (
        W[lines[k]],
        W[lines[min(k + 1, end)]],
        W[lines[min(k + 2, end)]],
        W[lines[min(k + 3, end)]],
        W[lines[min(k + 4, end)]],
    )
    n_tiles = max(1, (lines.shape[0] + LINES - ENOUGH) // LINES)
    share = (ROWS + n_tiles - 1) // n_tiles
    begin = first + ROWS + k // LINES * share
    ahead = (
        X[np.uint64(order[min(begin, final)])],
        X[np.uint64(order[min(begin + 1 % share, final)])],
        X[np.uint64(order[min(begin + 2 % share, final)])],
        X[np.uint64(order[min(begin + 3 % share, final)])],
    )
    if measure:
        measured_tile_sums(tiled, under, ahead, sums)
        for a in range(ROWS):
            sums[LINES, a] += rows.constant
    else:
        tile_sums(tiled, under, ahead, sums)
    for b in range(LINES):
        offset = rows.constant * float(under[b][X.shape[1]])
        for a in range(ROWS):
            sums[b, a] += offset


@compiled(borrows=True)
def radius_with(rows, order, first, end, squares, radius):
    """The radius, raised to the norms of rows in `order`; NaN if one of them is not finite."""
    measured = radius * radius
    for place in range(first, end):
        square = squares[place - first]
        if not square <= measured:
            if not square < math.inf and not row_is_finite(rows, order[place]):
                return math.nan
            measured = square
            radius = norm_above(square)
    return radius


@compiled(borrows=True)
def begin_turn(
    rows, targets, order, first, block, n_mistakes, lines, positives, W, reaches, radius, known,
    tile,
):  # fmt: skip
    """The rows from `first` on that the lines visit next: a block of them, or, where there is a
    tile and mistakes are few, a tile.

    tile.starts[k] = where line lines[k] is to start: at `first`; or in a tile at the first place
    whose row is not surely right, or at its end; but at `first` for the last lines, if they are
    few. Invariant: reaches[c] >= ‖W[c]‖.
    Returns where the turn ends, whether the first line is to measure the rows, and the radius,
    raised, if not `known`, to the norms of a tile's rows; NaN if one of them is not finite.
    """
    if tile is None:
        return min(first + block, order.shape[0]), not known, radius
    turn = rows_a_turn(lines, block, first, n_mistakes)
    end = min(first + turn, order.shape[0])
    tile.starts[:] = first
    if turn == block:
        return end, not known, radius
    for k in range(0, lines.shape[0] + 1 - ENOUGH, LINES):
        measure = k == 0 and not known
        score_tile(rows, order, first, end - 1, W, lines, k, measure, tile.sums)
        if measure:
            radius = radius_with(rows, order, first, end, tile.sums[LINES], radius)
            if radius != radius:
                return end, False, radius
        for b in range(min(LINES, lines.shape[0] - k)):
            c = lines[k + b]
            doubt = score_doubt(radius, reaches[c], W.shape[1])
            place = first
            while place < end:
                score = tile.sums[b, place - first]
                if not (score if targets[order[place]] == positives[c] else -score) > doubt:
                    break
                place += 1
            tile.starts[k + b] = place
    return end, False, radius


@compiled(borrows=True)
def start_of(tile, first, k):
    """Where the k-th line starts in a turn that begins with row `first`."""
    return first if tile is None else tile.starts[k]
