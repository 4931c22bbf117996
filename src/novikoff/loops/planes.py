"""Hyperplanes through rows: every one of a pencil after another, in exact integers.

The rows z (n × D) are integers. Chosen rows i_1 < … < i_(D-2) leave two vectors a, b with z·a =
z·b = 0 on all of them; the hyperplane through one more row j is w = (z_j·a)·b - (z_j·b)·a, and
the score of row i is (z_j·a)·(z_i·b) - (z_j·b)·(z_i·a): two products a row. Vectors are kept as
minors of the chosen rows (Bareiss), so the caller can bound every number beforehand.
"""

from __future__ import annotations

import numpy as np

from novikoff.loops.compiled import compiled


@compiled
def narrow(rows, row, level, vectors, pivots):
    """vectors[level] spans what is orthogonal to the chosen rows; vectors[level + 1] to `row` too.

    False if the row depends on those chosen.
    """
    dim = rows.shape[1]
    count = dim - level
    best = -1
    scores = np.zeros(count, dtype=np.int64)
    for k in range(count):
        total = 0
        for j in range(dim):
            total += rows[row, j] * vectors[level, k, j]
        scores[k] = total
        if total != 0 and best < 0:
            best = k
    if best < 0:
        return False
    last = pivots[level]
    place = 0
    for k in range(count):
        if k != best:
            for j in range(dim):
                value = scores[best] * vectors[level, k, j] - scores[k] * vectors[level, best, j]
                vectors[level + 1, place, j] = value // last
            place += 1
    pivots[level + 1] = scores[best]
    return True


@compiled
def pencil(rows, costs, chosen, level, vectors, bound, found, n_found):
    """Count what each hyperplane through the chosen rows and one row after them gets wrong.

    Where the rows strictly on the wrong side cost less than `bound`, for one of both
    orientations, the rows of the hyperplane go to `found`: once for those that share its first
    rows. Returns how many are found, or -1 if there is no more room.
    """
    n, dim = rows.shape
    first = np.zeros(n, dtype=np.float64)
    second = np.zeros(n, dtype=np.float64)
    for i in range(n):
        a, b = 0, 0
        for j in range(dim):
            a += rows[i, j] * vectors[level, 0, j]
            b += rows[i, j] * vectors[level, 1, j]
        first[i] = a
        second[i] = b
    start = chosen[level - 1] + 1 if level > 0 else 0
    for j in range(start, n):
        x, y = first[j], second[j]
        if x == 0.0 and y == 0.0:
            continue
        above, below = 0, 0
        for i in range(n):
            score = x * second[i] - y * first[i]
            above += costs[i] if score > 0.0 else 0
            below += costs[i] if score < 0.0 else 0
        if above < bound or below < bound:
            is_first = True
            for i in range(start, j):
                if x * second[i] - y * first[i] == 0.0 and (first[i] != 0.0 or second[i] != 0.0):
                    is_first = False
                    break
            if is_first:
                if n_found == found.shape[0]:
                    return -1
                for k in range(level):
                    found[n_found, k] = chosen[k]
                found[n_found, level] = j
                n_found += 1
    return n_found


@compiled
def planes_from(rows, costs, first, bound, vectors, pivots, found):
    """All hyperplanes through independent rows of which `first` is the first.

    `vectors` (D, D, D) and `pivots` (D) are room to work in, with the unit vectors and 1 at
    level 0. With two columns a hyperplane has one row, and `first` is not asked for.
    """
    n, dim = rows.shape
    depth = dim - 2
    chosen = np.zeros(dim, dtype=np.int64)
    if depth == 0:
        return pencil(rows, costs, chosen, 0, vectors, bound, found, 0)
    n_found = 0
    level = 0
    chosen[0] = first
    while level >= 0:
        if chosen[level] >= n or (level == 0 and chosen[0] != first):
            level -= 1
            if level >= 0:
                chosen[level] += 1
            continue
        if not narrow(rows, chosen[level], level, vectors, pivots):
            chosen[level] += 1
            continue
        if level + 1 == depth:
            n_found = pencil(rows, costs, chosen, depth, vectors, bound, found, n_found)
            if n_found < 0:
                return -1
            chosen[level] += 1
        else:
            level += 1
            chosen[level] = chosen[level - 1] + 1
    return n_found
