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
from novikoff.search.conflicts import conflicting_pairs
from novikoff.search.crossover import crossover
from novikoff.search.farkas import SeparatingDirection, combine
from novikoff.search.hinge import SMALL_RIDGE, minimise_pulled, minimise_with_ridge
from novikoff.search.question import Question
from novikoff.search.signed_rows import SignedRows, Weights

MOST_FIRST_ROWS = 5000  # of the first working set; all of a table that has no more
LARGE_RIDGE = 1e-2  # ε: most separators are found with it, in a few steps
FRAMED_COLUMNS = 200  # beyond, orthonormal coordinates take longer than steps with a ridge
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

    active, slacks : places of rows of it that balance with these multipliers, where floats know
    vectors : the active rows, in coordinates that floats see
    """

    rows: np.ndarray
    active: np.ndarray | None = None
    slacks: np.ndarray | None = None
    vectors: np.ndarray | None = None

    @property
    def balanced_rows(self) -> np.ndarray | None:
        return None if self.active is None else self.rows[self.active]


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

    random : draws the first working set of a large table
    """
    chosen = _first_rows(z, random or np.random.default_rng(0))
    w: np.ndarray | None = None
    while True:
        with clock.stage("squared hinge"):
            proposed = _propose(z, chosen, w, clock)
        if isinstance(proposed, Inseparable):
            return proposed
        w = proposed
        with clock.stage("scan of all rows"):
            weights, opposed = _scan(z, w)
        if weights is not None:
            return Separated(weights)
        new = np.setdiff1d(opposed, chosen)
        if len(new) == 0:
            return Inseparable(chosen)
        chosen = np.concatenate([chosen, new])


def _first_rows(z: SignedRows, random: np.random.Generator) -> np.ndarray:
    """The first working set: all rows of a small table, else some, drawn at random.

    Every k-th row would do, but for tables whose labels alternate: all of these have one label.
    """
    size = min(4 * z.dim, MOST_FIRST_ROWS)
    if z.n_rows <= max(1.5 * size, MOST_FIRST_ROWS):
        return z.rows
    return z.rows[np.unique(random.integers(0, z.n_rows, size))]


def _propose(
    z: SignedRows, chosen: np.ndarray, w: np.ndarray | None, clock: Clock
) -> np.ndarray | Inseparable:
    """Weights of the view that separate the working set."""
    rows = z.float_view.unit_rows(chosen)
    is_array = isinstance(rows, np.ndarray)
    if is_array and not np.isfinite(rows).all():
        return Inseparable(chosen)
    if not is_array or rows.shape[0] < rows.shape[1] or rows.shape[1] > FRAMED_COLUMNS:
        found = np.zeros(rows.shape[1]) if w is None else w
        for ridge in (LARGE_RIDGE, SMALL_RIDGE):
            found, scores = minimise_with_ridge(rows, found, ridge, clock, until_separated=True)
            if scores.min() > 0.0:
                return found
        if not is_array:
            return Inseparable(chosen)
        if rows.shape[0] < rows.shape[1]:
            slacks = np.maximum(0.0, 1.0 - scores)  # which balance the rows but for ε·w
            active = np.flatnonzero(slacks)
            return Inseparable(chosen, active, slacks[active], rows[active])
        # Where few rows conflict, w is so long that ε·w is no rounding: the balance needs a frame.
    frame, _ = orthonormal_frame(rows)
    seen = rows @ frame
    none = np.zeros((0, seen.shape[1]))
    hinge = minimise_pulled(seen, none, np.zeros(seen.shape[1]), clock)
    if hinge.scores.min(initial=np.inf) > 0.0:
        return np.asarray(frame @ hinge.v)
    if hinge.end != "balanced":
        return Inseparable(chosen)
    active = np.flatnonzero(hinge.slacks)
    return Inseparable(chosen, active, hinge.slacks[active], seen[active])


def orthonormal_frame(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates in which the columns of these rows are orthonormal, and what rows do not see."""
    triangle = np.linalg.qr(rows, mode="r")
    _, sizes, right = np.linalg.svd(triangle)
    rank = int((sizes > SEEN_SINGULAR_VALUE * sizes[0]).sum()) if len(sizes) and sizes[0] > 0 else 0
    return right[:rank].T / sizes[:rank], right[rank:].T


def _scan(z: SignedRows, proposed: np.ndarray) -> tuple[Weights | None, np.ndarray]:
    """Weights if they are exactly strict on all rows; else the rows that oppose them most."""
    scores = z.float_view.scores(proposed)
    if not scores.min() > 0.0:
        size = min(3 * z.dim + 50, len(scores) - 1)
        return None, z.rows[np.argpartition(scores, size)[:size]] if size > 0 else z.rows
    weights, opposed = strict_weights(z, proposed)
    return weights, opposed[: 4 * z.dim]


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
    rows = found.rows[found.active[few]]
    whole = z.integers(rows)[0]
    lifted = np.hstack([whole, np.ones((len(whole), 1), dtype=object)])
    exact = combine(lifted, [0] * whole.shape[1] + [1], clock)
    return None if exact is None else FoundObstruction(rows[exact.rows], exact.multipliers)


def _exactly(z: SignedRows, chosen: np.ndarray, clock: Clock) -> Separated | FoundObstruction:
    """The answer of the exact simplex about the rows (z, 1)."""
    places = np.flatnonzero(np.isin(z.rows, chosen))
    target = [0] * len(z.columns) + [1] + [0] * z.fit_intercept
    answer = Question(_lifted(z), places, clock).ask(target)
    if isinstance(answer, SeparatingDirection):
        return Separated([*answer.weights[: z.table.n_columns], answer.weights[-1]])
    return FoundObstruction(z.rows[answer.rows], answer.multipliers)


def _lifted(z: SignedRows) -> SignedRows:
    """Rows sign·(x, sign, 1), which are (z, 1) in another order; without an offset, (z, 1)."""
    table, signs = z.table.take(z.rows), z.signs[z.rows]
    last: Any = signs[:, None]
    if table.is_sparse:
        from scipy import sparse

        matrix = sparse.hstack([table.matrix, last.astype(np.float64)], format="csr")
    else:
        matrix = np.hstack([table.matrix, last])
    exact = None if table.exact is None else np.hstack([table.exact, last.astype(object)])
    lifted = Table(matrix, None, table.numbers, exact)
    return SignedRows(lifted, signs, z.fit_intercept, None, np.append(z.columns, table.n_columns))
