"""A fractional packing in integers: what the program's dual becomes when nothing is rounded up.

u_C >= 0 on obstructions, at most cost_i in sum over those that hold row i, proves that at least
Σ u_C must be given up. In a branch, rows given up take their obstructions out and add their
cost; rows kept and trusted rows have no limit.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from fractions import Fraction

import numpy as np

from novikoff.search.integers import independent, solve
from novikoff.search.mistakes.pool import Pool

SCALE = 1 << 24  # the denominator of a packing
LARGE = 1 << 20  # a cost of so many units is not met by rounding: the dual is solved exactly

Packing = dict[int, Fraction]  # by obstruction


def repaired(
    pool: Pool, duals: Mapping[int, float], removed: Collection[int], kept: Collection[int]
) -> Packing:
    """The float duals as a packing that is one: rounded down, then fitted row by row."""
    out, free = set(removed), set(kept)
    limits = pool.costs.whole
    used = [k for k in duals if not out.intersection(pool.rows[k])]
    bound = {
        row for k in used for row in pool.rows[k] if row not in free and not pool.costs.trusted[row]
    }
    if bound and max(limits[row] for row in bound) >= LARGE:
        exact = _exact(pool, {k: duals[k] for k in used}, bound)
        if exact is not None:
            return exact
    shares = {k: math.floor(duals[k] * SCALE) for k in used}
    loads: dict[int, int] = dict.fromkeys(bound, 0)
    for k in used:
        for row in pool.rows[k]:
            if row in loads:
                loads[row] += shares[k]
    over = {row: Fraction(limits[row] * SCALE, load) for row, load in loads.items()
            if load > limits[row] * SCALE}  # fmt: skip
    if over:
        for k in used:
            factor = min((over[row] for row in pool.rows[k] if row in over), default=Fraction(1))
            shares[k] = math.floor(shares[k] * factor)
    return {k: Fraction(share, SCALE) for k, share in shares.items() if share > 0}


def _exact(pool: Pool, duals: Mapping[int, float], bound: set[int]) -> Packing | None:
    """The vertex that the duals are near, solved for over its tight rows; None if it is none."""
    used = [k for k, value in duals.items() if value > 0]
    rows = sorted(bound)
    place = {row: i for i, row in enumerate(rows)}
    matrix = np.zeros((len(rows), len(used)), dtype=object)
    for j, k in enumerate(used):
        for row in pool.rows[k]:
            if row in place:
                matrix[place[row], j] = 1
    limits = [pool.costs.whole[row] for row in rows]
    loads = matrix.astype(float) @ np.array([duals[k] for k in used])
    tight = np.flatnonzero(loads >= np.array([float(v) for v in limits]) * (1 - 1e-9))
    if len(tight) < len(used):
        return None
    places, columns = independent(matrix[tight])
    if len(columns) < len(used):
        return None
    chosen = tight[places]
    solved, scale = solve(matrix[chosen], [limits[i] for i in chosen.tolist()])
    if min(solved) < 0:
        return None
    totals = matrix @ np.array(solved, dtype=object)
    if any(total > scale * limit for total, limit in zip(totals, limits, strict=True)):
        return None
    return {k: Fraction(value, scale) for k, value in zip(used, solved, strict=True) if value}


def worth(pool: Pool, packing: Packing, removed: Collection[int]) -> int:
    """What must be given up at least, in whole units, in a branch with this packing."""
    out = set(removed)
    total = sum((u for k, u in packing.items() if not out.intersection(pool.rows[k])), Fraction(0))
    return sum(pool.costs.whole[row] for row in out) + math.ceil(total)
