"""Is there a strict separator? If not: few rows that alone rule it out.

The squared hinge without a pull (hinge.py) always has a minimum: weights that separate, or slacks
that balance rows. It is asked about a working set, and all rows are scored: those of the lowest
scores join. By Kirchberger's theorem D + 1 rows are enough to rule a separator out: the crossover
finds them among the rows with slack, and one exact solve their multipliers.

Where floats tell neither, the question goes to the exact simplex (question.py), as one of Farkas's:
a combination of rows (z, 1) that equals (0, …, 0, 1) is an obstruction, and a direction that
opposes none of these rows, but opposes (0, …, 0, 1), is a separator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.inputs import Table
from novikoff.search.clock import Clock
from novikoff.search.crossover import crossover
from novikoff.search.hinge import SMALL_RIDGE, minimise_pulled, minimise_with_ridge
from novikoff.search.question import Question, SeparatingDirection, combine
from novikoff.search.signed_rows import SignedRows, Weights

MOST_FIRST_ROWS = 5000  # of the first working set; all of a table that has no more
LARGE_RIDGE = 1e-2  # ε: most separators are found with it, in a few steps
# Beyond, orthonormal coordinates take longer than steps with a ridge, and an exact solve, 0.2 s
# here, longer than the rest of the search.
DIGIT_COLUMNS = 200
SEEN_SINGULAR_VALUE = 1e-10  # of the largest: floats do not see a smaller one


@dataclass(frozen=True)
class Separated:
    """Weights that are strict on every row in question: exactly so."""

    weights: Weights


@dataclass(frozen=True)
class FoundObstruction:
    """Rows and positive integers with Σ multiplier·z = 0."""

    rows: np.ndarray
    multipliers: Sequence[int]


@dataclass(frozen=True)
class Inseparable:
    """Rows of a working set that floats do not separate.

    active : those that balance with these slacks, where floats know
    vectors : the active rows, in coordinates that floats see
    """

    rows: np.ndarray
    active: np.ndarray | None = None
    slacks: np.ndarray | None = None
    vectors: np.ndarray | None = None

    @classmethod
    def of(cls, rows: np.ndarray, vectors: np.ndarray, slacks: np.ndarray) -> Inseparable:
        """From the vectors and slacks of all rows."""
        active = np.flatnonzero(slacks)
        return cls(rows, rows[active], slacks[active], vectors[active])


def decide_strict(z: SignedRows, clock: Clock) -> Separated | FoundObstruction:
    """Find a strict separator of the rows of z, or few rows that rule one out."""
    if z.dim == 0:  # nothing but zero rows, each an obstruction
        return FoundObstruction(z.rows[:1], [1])
    answer = separate(z, clock)
    if isinstance(answer, Separated):
        return answer
    with clock.stage("few rows of many"):
        return obstruction_in(z, answer, clock) or _exactly(z, answer.rows, clock)


def separate(
    z: SignedRows, clock: Clock, random: np.random.Generator | None = None
) -> Separated | Inseparable:
    """A strict separator, if floats find one; else the working set on which they do not.

    random : draws the first working set of a large table. Every k-th row would do, but for tables
        whose labels alternate: all of these have one label
    """
    chosen, size = z.rows, min(4 * z.dim, MOST_FIRST_ROWS)
    if z.n_rows > max(1.5 * size, MOST_FIRST_ROWS):
        random = random or np.random.default_rng(0)
        chosen = z.rows[np.unique(random.integers(0, z.n_rows, size))]
    w: np.ndarray | None = None
    while True:
        with clock.stage("squared hinge"):
            proposed = _propose(z, chosen, w, clock)
        if isinstance(proposed, Inseparable):
            return proposed
        w = proposed
        with clock.stage("scan of all rows"):
            scores = z.float_view.scores(w)
            if scores.min() > 0.0:
                weights, opposed = strict_weights(z, w)
                if weights is not None:
                    return Separated(weights)
                opposed = opposed[: 4 * z.dim]
            else:
                few = min(3 * z.dim + 50, len(scores) - 1)
                opposed = z.rows[np.argpartition(scores, few)[:few]] if few > 0 else z.rows
        new = np.setdiff1d(opposed, chosen)
        if len(new) == 0:
            return Inseparable(chosen)
        chosen = np.concatenate([chosen, new])


def _propose(
    z: SignedRows, chosen: np.ndarray, w: np.ndarray | None, clock: Clock
) -> np.ndarray | Inseparable:
    """Weights of the view that separate the working set."""
    rows = z.float_view.unit_rows(chosen)
    is_array = isinstance(rows, np.ndarray)
    if is_array and not np.isfinite(rows).all():
        return Inseparable(chosen)
    if not is_array or rows.shape[0] < rows.shape[1] or rows.shape[1] > DIGIT_COLUMNS:
        found = np.zeros(rows.shape[1]) if w is None else w
        for ridge in (LARGE_RIDGE, SMALL_RIDGE):
            found, scores = minimise_with_ridge(rows, found, ridge, clock, until_separated=True)
            if scores.min() > 0.0:
                return found
        if not is_array:
            return Inseparable(chosen)
        if rows.shape[0] < rows.shape[1]:  # slacks balance the rows but for ε·w
            return Inseparable.of(chosen, rows, np.maximum(0.0, 1.0 - scores))
        # Where few rows conflict, w is so long that ε·w is no rounding: the balance needs a frame.
    frame, _ = orthonormal_frame(rows)
    seen = rows @ frame
    none = np.zeros((0, seen.shape[1]))
    hinge = minimise_pulled(seen, none, np.zeros(seen.shape[1]), clock)
    if hinge.scores.min(initial=np.inf) > 0.0:
        return np.asarray(frame @ hinge.v)
    is_balanced = hinge.end == "balanced"
    return Inseparable.of(chosen, seen, hinge.slacks) if is_balanced else Inseparable(chosen)


def orthonormal_frame(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates in which the columns of these rows are orthonormal, and what rows do not see."""
    triangle = np.linalg.qr(rows, mode="r")
    _, sizes, right = np.linalg.svd(triangle)
    rank = int((sizes > SEEN_SINGULAR_VALUE * sizes[0]).sum()) if len(sizes) and sizes[0] > 0 else 0
    return right[:rank].T / sizes[:rank], right[rank:].T


def strict_weights(z: SignedRows, w: np.ndarray) -> tuple[Weights | None, np.ndarray]:
    """Weights of the view, as floats or exactly, if strict on all rows; and rows that oppose."""
    opposed = z.rows
    for weights in (z.float_view.weights(w), z.float_view.exact_weights(w)):
        opposed = z.rows if weights is None else z.opposed(weights, strict=True)
        if weights is not None and len(opposed) == 0:
            return weights, opposed
    return None, opposed


def obstruction_in(z: SignedRows, found: Inseparable, clock: Clock) -> FoundObstruction | None:
    """The obstruction that floats have found, on few rows, and exactly.

    A row with both labels, where there is one: nothing is easier to look at.
    """
    asked = SignedRows(z.table, z.signs, z.fit_intercept, found.rows, z.columns)
    pairs = conflicting_pairs(asked)
    if pairs:
        return FoundObstruction(np.array(pairs[0]), [1] * len(pairs[0]))
    if found.active is None or found.slacks is None or found.vectors is None:
        return None
    ones = np.ones((len(found.active), 1))
    target = np.append(np.zeros(found.vectors.shape[1]), found.slacks.sum())
    few = crossover(np.hstack([found.vectors, ones]), found.slacks, target, clock)
    rows = found.active[few]
    whole = z.integers(rows)[0]
    lifted = np.hstack([whole, np.ones((len(whole), 1), dtype=object)])
    exact = combine(lifted, [0] * whole.shape[1] + [1], clock)
    return None if exact is None else FoundObstruction(rows[exact.rows], exact.multipliers)


def _exactly(z: SignedRows, chosen: np.ndarray, clock: Clock) -> Separated | FoundObstruction:
    """The answer of the exact simplex about rows sign·(x, sign, 1): (z, 1) in another order."""
    table, signs = z.table.take(z.rows), z.signs[z.rows]
    last: Any = signs[:, None]
    if table.is_sparse:
        from scipy import sparse

        matrix = sparse.hstack([table.matrix, last.astype(np.float64)], format="csr")
    else:
        matrix = np.hstack([table.matrix, last])
    exact = None if table.exact is None else np.hstack([table.exact, last.astype(object)])
    columns = np.append(z.columns, table.n_columns)
    lifted = SignedRows(
        Table(matrix, None, table.numbers, exact), signs, z.fit_intercept, None, columns
    )
    target = [0] * len(z.columns) + [1] + [0] * z.fit_intercept
    answer = Question(lifted, np.flatnonzero(np.isin(z.rows, chosen)), clock).ask(target)
    if isinstance(answer, SeparatingDirection):
        return Separated([*answer.weights[: z.table.n_columns], answer.weights[-1]])
    return FoundObstruction(z.rows[answer.rows], answer.multipliers)


def conflicting_pairs(z: SignedRows) -> list[tuple[int, ...]]:
    """Disjoint pairs of rows that differ in nothing but their sign, and rows that are zero.

    As many as there are. Equal rows have equal products with a random vector, up to rounding: they
    are neighbours when rows are sorted by it, and neighbours are compared number by number.
    """
    direction = np.zeros(z.table.n_columns + 1)
    direction[z.columns] = np.random.default_rng(0).uniform(1.0, 2.0, len(z.columns))
    products = z.float_scores(direction, z.rows) * z.signs[z.rows]
    order = np.argsort(products, kind="stable")
    rows, products = z.rows[order], products[order]
    with np.errstate(over="ignore"):
        is_gap = np.diff(products) > 1e-12 * (np.abs(products[1:]) + np.abs(products[:-1]))
    found: list[tuple[int, ...]] = []
    for group in np.split(rows, np.flatnonzero(is_gap) + 1):
        if len(group) < 2 or not np.ptp(z.signs[group]):
            continue
        waiting: dict[tuple[int, ...], list[int]] = {}
        for row, numbers in zip(group.tolist(), z.integers(group)[0].tolist(), strict=True):
            opposite = waiting.get(tuple(-value for value in numbers))
            if opposite and any(numbers):  # a zero row is an obstruction by itself
                found.append((opposite.pop(), row))
            else:
                waiting.setdefault(tuple(numbers), []).append(row)
    if not z.fit_intercept:
        zero = rows[products == 0.0]
        found += [(int(row),) for row in zero.tolist() if not z.integers(np.array([row]))[0].any()]
    return found
