"""An obstruction that spans all rows, made of many rows at once, for wide tables.

A vertex of all obstructions, which crossover.py goes to, may span less than the rows that it comes
from: the last two rows of a level of a factor balance each other, and vanish together. So all rows
that Newton steps have balanced are kept. Rows outside the span join, and are balanced with the
others, until none is left. Then floats prove that there are positive multipliers; where they cannot
tell, weights are rounded to few bits, but for those of a basis, which are solved for exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from novikoff.certificates.modular import (
    PRIMES,
    Echelon,
    echelon,
    residues_of_integers,
    short_integers,
)
from novikoff.search.clock import Clock
from novikoff.search.integers import products, solve
from novikoff.search.multipliers import FROM, unsolved
from novikoff.search.newton import Leaning, lean
from novikoff.search.proposers import few_of
from novikoff.search.signed_rows import SignedRows
from novikoff.search.span import outside_modulo

PRIME = PRIMES[0]
ROUNDS = 4  # in which rows join
BITS = 40  # of a weight that is free to be rounded


def spanning_obstruction(
    z: SignedRows, first: np.ndarray, clock: Clock
) -> tuple[np.ndarray, Sequence[int]] | None:
    """Rows that span all rows of z, and positive multipliers; None where none are found.

    It begins with the rows `first`. The span is looked at modulo a prime: whoever relies on it
    looks again.
    """
    if z.dim < FROM or z.is_wide:
        return None
    chosen, known = first, 0
    for _ in range(ROUNDS):
        leaning = next(lean(z.picture.unit_rows(chosen), np.zeros(z.dim), clock), None)
        if leaning is None or leaning.active is None:
            return None
        active = chosen[leaning.active]
        whole = short_integers(z.exact_block(active))
        found = echelon(residues_of_integers(whole, PRIME), PRIME)
        if found.rank <= known:
            return None
        known = found.rank
        beyond = outside_modulo(z, whole, found)
        if not len(beyond):
            if (multipliers := unsolved(z, active, found)) is not None:
                return active, multipliers
            return _few(z, chosen, leaning, known, clock) or _many(z, active, leaning, found)
        joining = np.setdiff1d(beyond, chosen)
        step = max(1, len(joining) // (2 * z.dim))
        chosen = np.concatenate([chosen, joining[::step]])
    return None


def _few(
    z: SignedRows, chosen: np.ndarray, leaning: Leaning, rank: int, clock: Clock
) -> tuple[np.ndarray, Sequence[int]] | None:
    """A vertex, where it spans as much."""
    few = chosen[leaning.active][few_of(z, z.picture.unit_rows(chosen), leaning, clock)]
    if len(few) != rank + 1 or (multipliers := unsolved(z, few)) is None:
        return None
    return few, multipliers


def _many(
    z: SignedRows, active: np.ndarray, leaning: Leaning, found: Echelon
) -> tuple[np.ndarray, Sequence[int]] | None:
    """All of the balanced rows: the weights of the basis from those of the others."""
    weights = np.asarray(leaning.slacks) / z.picture.lengths(active)
    rounded = np.rint(weights * (2.0**BITS / weights.max())).astype(np.int64)
    others = np.setdiff1d(np.arange(len(active)), found.rows)
    whole, places, _ = z.integers(active)
    at = np.searchsorted(places, found.columns)
    right = products(whole[np.ix_(others, at)].T, (-rounded[others]).tolist())
    solved, scale = solve(whole[np.ix_(found.rows, at)].T, right)
    values = [*solved, *(scale * int(value) for value in rounded[others])]
    if min(values) <= 0:
        return None
    common = math.gcd(*values)
    rows = np.concatenate([active[found.rows], active[others]])
    return rows, [value // common for value in values]
