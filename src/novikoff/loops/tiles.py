"""Several rows under several lines at once: where many lines learn, most scores are surely right.

A score by itself loads two numbers for each product. A tile of four rows and five lines loads
nine for twenty, and its twenty sums stay in registers. It is scored with the weights as they
are before its first row; what it finds surely right is right as long as a line has not moved, so
a line is taken past its first rows that are, and visits the rest of the tile one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from novikoff.loops.bounds import score_error_bound
from novikoff.loops.compiled import compiled
from novikoff.loops.rows import Dense, Rows

ROWS_A_TILE, LINES_A_TILE = 4, 5  # of a tile
LINES_WORTH_A_TILE = 4  # fewer are scored one by one
COLUMNS_WORTH_A_TILE = 192  # a tile ends in twenty sums of what a register holds
VISITS_PER_MISTAKE = 20  # fewer visits of a row by a line for each mistake are not worth a tile


class Tile(NamedTuple):
    """Room to work in."""

    sums: np.ndarray  # (LINES_A_TILE, ROWS_A_TILE): scores
    starts: np.ndarray  # where each line starts in the rows of its turn


def tile_for(rows: Rows, lines: np.ndarray) -> Tile | None:
    """Room for tiles where they can pay: for dense rows that are not short, and several lines."""
    if not isinstance(rows, Dense) or len(lines) < LINES_WORTH_A_TILE:
        return None
    if rows.values.shape[1] < COLUMNS_WORTH_A_TILE:
        return None
    return Tile(np.empty((LINES_A_TILE, ROWS_A_TILE)), np.empty(len(lines), dtype=np.int64))


@compiled(fastmath={"reassoc", "contract"})
def tile_sums(x0, x1, x2, x3, w0, w1, w2, w3, w4, sums):
    """sums[b, a] = row a · line b, summed in any order; lines may be longer than the rows.

    Written out, so that all twenty sums stay in registers.
    """
    a0 = a1 = a2 = a3 = a4 = b0 = b1 = b2 = b3 = b4 = 0.0
    c0 = c1 = c2 = c3 = c4 = d0 = d1 = d2 = d3 = d4 = 0.0
    for j in range(x0.shape[0]):
        a, b, c, d = float(x0[j]), float(x1[j]), float(x2[j]), float(x3[j])
        v0, v1, v2, v3, v4 = (
            float(w0[j]), float(w1[j]), float(w2[j]), float(w3[j]), float(w4[j]),
        )  # fmt: skip
        a0 += a * v0
        a1 += a * v1
        a2 += a * v2
        a3 += a * v3
        a4 += a * v4
        b0 += b * v0
        b1 += b * v1
        b2 += b * v2
        b3 += b * v3
        b4 += b * v4
        c0 += c * v0
        c1 += c * v1
        c2 += c * v2
        c3 += c * v3
        c4 += c * v4
        d0 += d * v0
        d1 += d * v1
        d2 += d * v2
        d3 += d * v3
        d4 += d * v4
    sums[0, 0], sums[1, 0], sums[2, 0], sums[3, 0], sums[4, 0] = a0, a1, a2, a3, a4
    sums[0, 1], sums[1, 1], sums[2, 1], sums[3, 1], sums[4, 1] = b0, b1, b2, b3, b4
    sums[0, 2], sums[1, 2], sums[2, 2], sums[3, 2], sums[4, 2] = c0, c1, c2, c3, c4
    sums[0, 3], sums[1, 3], sums[2, 3], sums[3, 3], sums[4, 3] = d0, d1, d2, d3, d4


@compiled
def score_tile(rows, order, first, last, W, lines, k, sums):
    """sums[b, a] = the score of row order[first + a] under line lines[k + b].

    Where there are no more rows up to `last`, or no more lines, the last one is taken again.
    """
    X, final = rows.values, lines.shape[0] - 1
    tile_sums(
        X[order[first]], X[order[min(first + 1, last)]], X[order[min(first + 2, last)]],
        X[order[min(first + 3, last)]], W[lines[k]], W[lines[min(k + 1, final)]],
        W[lines[min(k + 2, final)]], W[lines[min(k + 3, final)]], W[lines[min(k + 4, final)]],
        sums,
    )  # fmt: skip
    for b in range(LINES_A_TILE):
        offset = rows.constant * float(W[lines[min(k + b, final)], X.shape[1]])
        for a in range(ROWS_A_TILE):
            sums[b, a] += offset


@compiled
def pass_over(
    rows, targets, order, first, end, lines, positives, W, norm_bounds, radius, tile
):  # fmt: skip
    """tile.starts[k] = the first place from `first` on whose row is not surely right under line
    lines[k], or `end`; the last lines, if they are few, keep what stands there.

    norm_bounds[c] >= ‖W[c]‖, and radius >= ‖row‖ of the tile's rows.
    """
    for k in range(0, lines.shape[0] + 1 - LINES_WORTH_A_TILE, LINES_A_TILE):
        score_tile(rows, order, first, end - 1, W, lines, k, tile.sums)
        for b in range(min(LINES_A_TILE, lines.shape[0] - k)):
            c = lines[k + b]
            error_bound = score_error_bound(radius, norm_bounds[c], W.shape[1])
            place = first
            while place < end:
                score = tile.sums[b, place - first]
                if not (score if targets[order[place]] == positives[c] else -score) > error_bound:
                    break
                place += 1
            tile.starts[k + b] = place
