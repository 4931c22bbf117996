"""The branch tree, which proves the lower bound: each of its leaves has a packing.

A packing is u_C >= 0 on obstructions C, at most cost_i in sum over those that hold row i: so at
least Σ u_C must be given up. Each row branched on is given up, or kept. Rows given up take their
obstructions out and add their cost; rows kept and trusted rows have no limit.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from novikoff.search.integers import independent, solve
from novikoff.search.mistakes.pool import Hit, Pool

DENOMINATOR = 1 << 24  # the denominator of a packing
ROUNDED_COST = 1 << 20  # a cost of so many units is not met by rounding: the dual is solved exactly

Packing = dict[int, Fraction]  # by obstruction


@dataclass(eq=False)
class Node:
    """A branch: rows given up and rows kept on the path, its bound and what proves it.

    `blocked` is an obstruction of kept and trusted rows alone: nothing is possible here.
    """

    removed: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    bound: int = 0  # in units; meaningless where blocked
    packing: Packing = field(default_factory=dict)
    blocked: int | None = None
    row: int = -1  # that it branches on
    branches: tuple[Node, Node] | None = None  # `row` is given up, or kept

    def branch(self, row: int, cost_so_far: int) -> tuple[Node, Node]:
        """Two nodes that have this one's packing; `cost_so_far` bounds the first, given up."""
        self.row = row
        self.branches = (
            Node((*self.removed, row), self.kept, cost_so_far, self.packing),
            Node(self.removed, (*self.kept, row), self.bound, self.packing),
        )
        return self.branches

    def nodes(self) -> Iterator[Node]:
        """This node and all below."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.branches or ()


def packing_of(pool: Pool, hit: Hit, removed: Collection[int], kept: Collection[int]) -> Packing:
    """The program's dual as a packing: exact where costs are long, else rounded; made to fit."""
    out, costs = set(removed), pool.costs
    shares = _vertex(pool, hit, out) if costs.largest >= ROUNDED_COST else None
    if shares is None:
        shares = {
            k: Fraction(round(share * DENOMINATOR), DENOMINATOR)
            for k, share in hit.packing.items()
            if out.isdisjoint(pool.rows[k])
        }
    loads: dict[int, Fraction] = defaultdict(Fraction)
    for k, share in shares.items():
        for row in pool.rows[k]:
            if row not in kept and not costs.trusted[row]:
                loads[row] += share
    over = max((load / costs.whole[row] for row, load in loads.items()), default=Fraction(0))
    if over > 1:
        fitted = {k: math.floor(share / over * DENOMINATOR) for k, share in shares.items()}
        shares = {k: Fraction(share, DENOMINATOR) for k, share in fitted.items()}
    return {k: share for k, share in shares.items() if share > 0}


def _vertex(pool: Pool, hit: Hit, out: set[int]) -> Packing | None:
    """The vertex of the program's dual, solved for over its basis; None if it is no packing."""
    cuts = [k for k in hit.vertex[0] if out.isdisjoint(pool.rows[k])]
    rows = [row for row in hit.vertex[1] if row not in out]
    if not cuts or len(cuts) != len(rows):
        return None
    matrix = np.array([[int(row in pool.rows[k]) for k in cuts] for row in rows], dtype=object)
    if len(independent(matrix)[0]) < len(cuts):
        return None
    solved, scale = solve(matrix, [pool.costs.whole[row] for row in rows])
    if min(solved) < 0:
        return None
    return {k: Fraction(value, scale) for k, value in zip(cuts, solved, strict=True)}


def worth(pool: Pool, packing: Packing, removed: Collection[int]) -> int:
    """What must be given up at least, in whole units, in a branch with this packing."""
    out = set(removed)
    total = sum((u for k, u in packing.items() if out.isdisjoint(pool.rows[k])), Fraction(0))
    return sum(pool.costs.whole[row] for row in out) + math.ceil(total)
