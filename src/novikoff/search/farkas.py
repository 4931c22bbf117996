"""Farkas's alternative over the integers: a combination of rows, or a direction. Always one.

    Combination:           Σ weight_i·row_i = scale·target, all weights and the scale positive
    SeparatingDirection:   row_i·δ >= 0 for every row, and target·δ < 0

It is the first phase of the simplex method in exact arithmetic. It starts from any basis that
floats propose: a basic weight that comes out negative belongs to a reversed row, which costs 1,
and so does the target itself where the proposed rows do not span it. With a good proposal no
pivot is made, and one exact solve settles the question.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.integers import independent, products, solve

TARGET = -1  # stands for the target as a column of the basis


@dataclass(frozen=True)
class Combination:
    """Σ multipliers[k]·row[rows[k]] = scale·target, everything positive."""

    rows: list[int]
    multipliers: list[int]
    scale: int


@dataclass(frozen=True)
class SeparatingDirection:
    """Integers with row·weights >= 0 for every row, and target·weights < 0."""

    weights: list[int]


def combine(rows: np.ndarray, target: Sequence[int], clock: Clock) -> Combination | None:
    """The target from independent ones among these rows, the earliest first, if that works."""
    goal = _object_row(target)
    places, columns = independent(rows, clock=clock)
    if not places:
        return None
    weights, scale = solve(rows[np.ix_(places, columns)].T, goal[columns], clock)
    if min(weights) < 0:
        return None
    found = _combination(places, weights, scale)
    if len(columns) == rows.shape[1]:
        return found
    total = np.array(found.multipliers, dtype=object) @ rows[found.rows]
    return found if (total == found.scale * goal).all() else None


def settle(
    rows: np.ndarray, target: Sequence[int], hint: Sequence[int], clock: Clock
) -> Combination | SeparatingDirection:
    """Answer for integer `rows` (m × D), starting from the rows at the places in `hint`."""
    divisors = [math.gcd(*column) or 1 for column in zip(*rows.tolist(), target, strict=True)]
    divide = np.array(divisors, dtype=object)
    answer = _simplex(rows // divide, _object_row(target) // divide, list(hint), clock)
    if isinstance(answer, Combination):
        return answer
    common = math.lcm(*divisors)
    return primitive([d * (common // g) for d, g in zip(answer.weights, divisors, strict=True)])


def _simplex(
    rows: np.ndarray, goal: np.ndarray, hint: list[int], clock: Clock
) -> Combination | SeparatingDirection:
    matrix, aim, basis, columns = _first_basis(rows, goal, hint, clock)
    if not any(aim):
        return Combination([], [], 1)
    weights, scale = solve(_square(matrix, aim, basis, set()), aim, clock)
    reversed_rows = {basis[k] for k, weight in enumerate(weights) if weight < 0}
    last: tuple[int, int] | None = None
    while True:
        clock.check()
        square = _square(matrix, aim, basis, reversed_rows)
        costs = [int(label == TARGET or label in reversed_rows) for label in basis]
        weights, scale = solve(square, aim, clock)
        cost = sum(w for w, c in zip(weights, costs, strict=True) if c)
        if cost == 0:
            return _combination(basis, weights, scale)
        prices, _ = solve(square.T, costs, clock)
        value = products(matrix, prices)
        candidates = [j for j, v in enumerate(value) if v > 0]
        if not candidates:
            delta = [0] * len(goal)
            for column, price in zip(columns, prices, strict=True):
                delta[column] = -price
            return SeparatingDirection(delta)
        # The largest price falls fastest; Bland's rule, when nothing falls, cannot cycle.
        is_stuck = last is not None and cost * last[1] == last[0] * scale
        entering = candidates[0] if is_stuck else max(candidates, key=value.__getitem__)
        last = (cost, scale)
        change, _ = solve(square, matrix[entering], clock)
        leaving = _ratio_test(weights, change, basis)
        reversed_rows.discard(basis[leaving])
        basis[leaving] = entering


def _first_basis(
    rows: np.ndarray, goal: np.ndarray, hint: list[int], clock: Clock
) -> tuple[np.ndarray, np.ndarray, list[int], list[int]]:
    """Independent rows, those of the hint first, then the target, then others.

    Returns rows and target in independent columns, the basis by place, and those columns.
    """
    others = sorted(set(range(len(rows))) - set(hint))
    every = np.vstack([rows[hint], goal[None, :], rows[others]])
    chosen, columns = independent(every, clock=clock)
    labels = [*hint, TARGET, *others]
    return rows[:, columns], goal[columns], [labels[place] for place in chosen], columns


def _ratio_test(weights: list[int], change: list[int], basis: list[int]) -> int:
    """The basic row whose weight reaches zero first; among equals the smallest label."""
    best = -1
    for k, fall in enumerate(change):
        if fall <= 0:
            continue
        if best < 0:
            best = k
            continue
        left, right = weights[k] * change[best], weights[best] * fall
        if left < right or (left == right and basis[k] < basis[best]):
            best = k
    return best


def _square(
    matrix: np.ndarray, aim: np.ndarray, basis: list[int], reversed_rows: set[int]
) -> np.ndarray:
    """The basic vectors as columns, some of them reversed."""
    vectors = [aim if label == TARGET else matrix[label] for label in basis]
    signed = [-v if k in reversed_rows else v for k, v in zip(basis, vectors, strict=True)]
    return np.stack(signed, axis=1)


def _combination(places: Sequence[int], weights: Sequence[int], scale: int) -> Combination:
    kept = [(p, w) for p, w in zip(places, weights, strict=True) if w > 0]
    common = math.gcd(scale, *(w for _, w in kept))
    return Combination([p for p, _ in kept], [w // common for _, w in kept], scale // common)


def primitive(delta: Sequence[int]) -> SeparatingDirection:
    """The direction in the smallest integers."""
    common = math.gcd(*delta) or 1
    return SeparatingDirection([d // common for d in delta])


def _object_row(values: Sequence[int]) -> np.ndarray:
    row = np.empty(len(values), dtype=object)
    row[:] = [int(value) for value in values]
    return row
