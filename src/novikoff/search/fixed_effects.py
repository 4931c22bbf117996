"""Equalities of very many sparse columns: fixed effects, whose levels are joined by a graph.

Every direction that is zero on the equalities is N·v, with few columns in N where levels hang
together: with two factors one for each component of the graph whose edges are the equalities. The
other rows are asked as z·N, each different one once. What balances there is carried back by the
steps that found N, in reverse: each of them takes out one column with one equality.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers, exact_product, largest_integer, with_ones
from novikoff.inputs import Table
from novikoff.search.clock import Clock
from novikoff.search.engine import Balanced, Left
from novikoff.search.signed_rows import SignedRows, filled_columns
from novikoff.search.sparse_relations import SparseNull, exact_null_space, zero_rows

MOST_FREE_DIRECTIONS = 1000  # beyond, the rows that are left have too many columns
Decide = Callable[[SignedRows, list[int]], Any]


@dataclass(frozen=True)
class Moved:
    """Of the rows that some direction moves: those settled, along what, and what holds the rest."""

    settled: np.ndarray
    direction: np.ndarray  # integers, of every column and the offset
    balanced: Balanced | None  # of the rest; None where there is none


def settle_sparsely(
    z: SignedRows, left: np.ndarray, held: np.ndarray, clock: Clock, decide: Decide
) -> Moved | None:
    """The most of the rows `left` that can be settled while `held` are zero; None if too hard.

    `decide` answers the same question for rows of few columns, and no equalities.
    """
    matrix, offset = z.table.matrix, z.fit_intercept
    equalities, rows = matrix[held], matrix[left]
    null = exact_null_space(equalities, offset)
    if null is None:
        return None
    # Free, whatever the equalities say.
    others = np.setdiff1d(filled_columns(rows), filled_columns(equalities))
    if null.shape[1] + len(others) > MOST_FREE_DIRECTIONS:
        return None
    null = np.hstack([null, np.zeros((len(null), len(others)))])
    null[others, np.arange(null.shape[1] - len(others), null.shape[1])] = 1.0
    still = zero_rows(rows, offset, null)
    direction = np.zeros(matrix.shape[1] + 1, dtype=object)
    places = left[~still]
    if not len(places):
        balanced = _carried(z, held, left, {}, clock)
        return None if balanced is None else Moved(left[:0], direction, balanced)
    part = with_ones(matrix[places]) if offset else matrix[places].astype(np.float64)
    whole = exact_product(part, null[: part.shape[1]].astype(np.int64))[0]
    if largest_integer(whole) > 2**53:
        return None
    seen = whole.astype(np.float64) * z.signs[places][:, None]
    different, first, group = np.unique(seen, axis=0, return_index=True, return_inverse=True)
    ones = np.ones(len(different), dtype=np.int8)
    sizes = np.bincount(group.reshape(-1), minlength=len(different)).tolist()
    rounds = decide(SignedRows(Table(different, None, "binary64"), ones, False), sizes)
    total = rounds.total()
    for place, weight in enumerate(() if total is None else as_integers(total)[:-1].tolist()):
        if weight:
            used = np.flatnonzero(null[:, place])
            direction[used] += null[used, place].astype(int).astype(object) * weight
    if not offset:
        direction[-1] = 0
    settled = places[~np.isin(group.reshape(-1), rounds.left)]
    core = np.setdiff1d(left, settled)
    if not len(core):
        return Moved(settled, direction, None)
    beyond = {} if rounds.balanced is None else rounds.balanced.beyond()
    found = {int(places[first[row]]): value for row, value in beyond.items()}
    balanced = _carried(z, held, core, found, clock)
    return None if balanced is None else Moved(settled, direction, balanced)


def _carried(
    z: SignedRows, held: np.ndarray, core: np.ndarray, beyond: dict[int, Fraction], clock: Clock
) -> Balanced | None:
    """The balance of the core with these ν of rows, and the equalities that carry the rest."""
    from flint import fmpq, fmpq_mat

    equalities = SparseNull(z.table.matrix[held], z.fit_intercept)
    steps, _ = equalities.plan
    left = Left(z, core, held, clock)
    numbers, over = left.total
    total = {j: Fraction(-int(numbers[j]), over) for j in np.flatnonzero(numbers).tolist()}
    for row, value in beyond.items():
        _add(total, _exact_row(z, row), -value * int(z.signs[row]))

    def taken_out(numbers: dict[int, Fraction]) -> dict[int, Fraction]:
        """Equalities, with their factors, that make of the numbers some of parameters alone."""
        factors: dict[int, Fraction] = {}
        for i, j in reversed(steps):
            if j in numbers:
                row = _exact_row(z, int(held[i]))
                _add(factors, {int(held[i]): Fraction(1)}, numbers[j] / row[j])
                _add(numbers, row, -numbers[j] / row[j])
        return factors

    factors = taken_out(total)
    if total:
        further = [(int(held[i]), _exact_row(z, int(held[i]))) for i in equalities.free[1]]
        taken = [taken_out(rest) for _, rest in further]
        columns = sorted({j for _, rest in further for j in rest} | total.keys())
        known, none = [*(rest for _, rest in further), total], Fraction(0)
        system = fmpq_mat(
            [[fmpq(*rest.get(j, none).as_integer_ratio()) for rest in known] for j in columns]
        )
        reduced, rank = system.rref()
        for line in range(rank):
            pivot = next(k for k in range(len(known)) if reduced[line, k] != 0)
            if pivot == len(further):
                return None  # the total is not in the span
            last = reduced[line, len(further)]
            share = Fraction(int(last.p), int(last.q))
            _add(factors, {further[pivot][0]: Fraction(1)}, share)
            _add(factors, taken[pivot], -share)
    every = {**beyond, **factors}
    common = math.lcm(*(value.denominator for value in every.values()))
    return left.balance_of({row: int(value * common) for row, value in every.items()}, common)


def _exact_row(z: SignedRows, row: int) -> dict[int, Fraction]:
    matrix = z.table.matrix
    held = slice(matrix.indptr[row], matrix.indptr[row + 1])
    pairs = zip(matrix.indices[held].tolist(), matrix.data[held].tolist(), strict=True)
    numbers = {j: Fraction(value) for j, value in pairs if value}
    if z.fit_intercept:
        numbers[z.table.n_columns] = Fraction(1)
    return numbers


def _add(total: dict[int, Fraction], row: dict[int, Fraction], factor: Fraction) -> None:
    for j, value in row.items():
        new = total.get(j, Fraction(0)) + factor * value
        if new:
            total[j] = new
        else:
            total.pop(j, None)
