"""A fractional packing in integers: what the program's dual becomes when nothing is rounded up.

u_C >= 0 on obstructions, at most cost_i in sum over those that hold row i, proves that at least
Σ u_C must be given up. In a branch, rows given up take their obstructions out and add their
cost; rows kept and trusted rows have no limit.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from fractions import Fraction

import numpy as np

from novikoff.search.integers import independent, solve
from novikoff.search.mistakes.pool import Hit, Pool

DENOMINATOR = 1 << 24  # the denominator of a packing
ROUNDED_COST = 1 << 20  # a cost of so many units is not met by rounding: the dual is solved exactly

Packing = dict[int, Fraction]  # by obstruction


def repaired(pool: Pool, hit: Hit, removed: Collection[int], kept: Collection[int]) -> Packing:
    """The float duals as a packing that is one: rounded down, then fitted row by row."""
    out, free = set(removed), set(kept)
    limits, duals = pool.costs.whole, hit.packing
    used = [k for k in duals if not out.intersection(pool.rows[k])]
    bound = {
        row for k in used for row in pool.rows[k] if row not in free and not pool.costs.trusted[row]
    }
    if bound and max(limits[row] for row in bound) >= ROUNDED_COST:
        exact = _exact(pool, hit, out, free)
        if exact is not None:
            return exact
    shares = {k: math.floor(duals[k] * DENOMINATOR) for k in used}
    loads: dict[int, int] = dict.fromkeys(bound, 0)
    for k in used:
        for row in pool.rows[k]:
            if row in loads:
                loads[row] += shares[k]
    over = {row: Fraction(limits[row] * DENOMINATOR, load) for row, load in loads.items()
            if load > limits[row] * DENOMINATOR}  # fmt: skip
    for k in used if over else ():
        factor = min((over[row] for row in pool.rows[k] if row in over), default=Fraction(1))
        fitted = math.floor(shares[k] * factor)
        for row in pool.rows[k]:
            if row in loads:
                loads[row] -= shares[k] - fitted
        shares[k] = fitted
    for k in used:  # what rounding down has left free
        rows = [row for row in pool.rows[k] if row in loads]
        room = min((limits[row] * DENOMINATOR - loads[row] for row in rows), default=0)
        shares[k] += room
        for row in rows:
            loads[row] += room
    return {k: Fraction(share, DENOMINATOR) for k, share in shares.items() if share > 0}


def _exact(pool: Pool, hit: Hit, out: set[int], free: set[int]) -> Packing | None:
    """The vertex of the program's dual, solved for over its basis; None if it is no packing."""
    cuts = [k for k in hit.vertex[0] if not out.intersection(pool.rows[k])]
    rows = [row for row in hit.vertex[1] if row not in out]
    if not cuts or len(cuts) != len(rows):
        return None
    matrix = np.array([[int(row in pool.rows[k]) for k in cuts] for row in rows], dtype=object)
    if len(independent(matrix)[0]) < len(cuts):
        return None
    solved, scale = solve(matrix, [pool.costs.whole[row] for row in rows])
    if min(solved) < 0:
        return None
    loads: dict[int, int] = {}
    for k, value in zip(cuts, solved, strict=True):
        for row in pool.rows[k]:
            if row not in free and not pool.costs.trusted[row]:
                loads[row] = loads.get(row, 0) + value
    if any(load > scale * pool.costs.whole[row] for row, load in loads.items()):
        return None
    return {k: Fraction(value, scale) for k, value in zip(cuts, solved, strict=True) if value}


def worth(pool: Pool, packing: Packing, removed: Collection[int]) -> int:
    """What must be given up at least, in whole units, in a branch with this packing."""
    out = set(removed)
    total = sum((u for k, u in packing.items() if not out.intersection(pool.rows[k])), Fraction(0))
    return sum(pool.costs.whole[row] for row in out) + math.ceil(total)
