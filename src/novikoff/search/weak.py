"""Is there a weak separator? One question of Farkas decides it.

Let B be independent rows that span all rows. If -Σ_B z_b is a non-negative combination of rows,
every weak separator is zero on all of B, hence on all rows: there is none, and the rows of B with
those of the combination are the proof. Otherwise a direction δ has z_i·δ >= 0 on every row
and Σ_B z_b·δ > 0: a weak separator that is strict on some row.

Where all directions N that are zero on an obstruction are known, as they are in wide tables, that
is a question in few columns: a weak separator is zero on the obstruction, so it is N·v, and the
rows in terms of v are z·N.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers
from novikoff.certificates.lifted import null_space
from novikoff.certificates.modular import short_integers
from novikoff.search.clock import Clock
from novikoff.search.equalities import Equalities, moved_rows, reduce_rows
from novikoff.search.fuller import spanning_obstruction
from novikoff.search.multipliers import Unsolved
from novikoff.search.proposers import Blocked
from novikoff.search.question import Opposed, Question
from novikoff.search.signed_rows import SignedRows
from novikoff.search.span import spanning_rows
from novikoff.search.strict import Separated, decide_strict
from novikoff.search.unmoved import moves_the_others

FEW_FREE = 32  # directions that are soon asked about, so that they are asked about first
MOST_NEARBY = 4000  # rows of the first working set, beside those of the obstruction


@dataclass(frozen=True)
class Spanned:
    """Rows that span all rows, and positive integers with Σ multiplier·z = 0."""

    rows: np.ndarray
    multipliers: Sequence[int]


def decide_weak(z: SignedRows, blocked: Blocked, clock: Clock) -> Opposed | Spanned:
    """Find a weak separator of the rows of z, or rows that rule one out."""
    if len(blocked.rows) == z.dim + 1:  # independent but for one relation: of full rank
        return Spanned(blocked.rows, blocked.multipliers)
    null = None
    if isinstance(blocked.multipliers, Unsolved):
        null = blocked.multipliers.null
        with clock.stage("span of the rows"):
            moved = moved_rows(z, z.rows, Equalities(blocked.rows, null))
        if not len(moved):
            return Spanned(blocked.rows, blocked.multipliers)
        if null is None and len(blocked.rows) == z.dim:  # one direction: it may have long numbers
            with clock.stage("span of the rows"):
                null = null_space(short_integers(z.exact_block(blocked.rows)))
    if null is not None:
        if null.shape[1] == 1 and (along := _along(z, null, clock)):
            return along
        if null.shape[1] <= FEW_FREE and (beside := _decide_beside(z, moved, null, clock)):
            return beside
    with clock.stage("spanning obstruction"):
        fuller = spanning_obstruction(z, blocked.nearby, clock)
    if fuller is not None:
        return Spanned(*fuller)
    if null is not None and null.shape[1] > FEW_FREE:
        beside = _decide_beside(z, moved, null, clock)
        if beside is not None:
            return beside
    if (others_moved := moves_the_others(z, blocked, clock)) is not None:
        return others_moved
    with clock.stage("span of the rows"):
        others = np.setdiff1d(blocked.nearby, blocked.rows)
        chosen = np.concatenate([blocked.rows, others[: min(4 * z.dim, MOST_NEARBY)]])
        basis = spanning_rows(z, chosen)
    if np.isin(basis, blocked.rows).all():
        return Spanned(blocked.rows, blocked.multipliers)
    question = Question(z, np.concatenate([chosen, np.setdiff1d(basis, chosen)]), clock)
    whole, places, scale = z.integers(basis)
    target = [Fraction(0)] * z.dim
    for place, total in zip(places.tolist(), whole.sum(axis=0).tolist(), strict=True):
        target[place] = Fraction(-total, scale)
    answer = question.ask(target)
    if isinstance(answer, Opposed):
        return answer
    sums = dict.fromkeys(basis.tolist(), answer.scale)
    for row, multiplier in zip(answer.rows.tolist(), answer.multipliers, strict=True):
        sums[row] = sums.get(row, 0) + multiplier
    return Spanned(np.array(list(sums)), list(sums.values()))


def _along(z: SignedRows, null: np.ndarray, clock: Clock) -> Opposed | None:
    """The only direction that is zero on the obstruction, or its reverse, if no row opposes it."""
    for direction in (null[:, 0], -null[:, 0]):
        weights = z.place(direction.tolist())
        with clock.stage("scan of all rows"):
            if len(z.opposed(weights, strict=False)) == 0:
                return Opposed(weights)
    return None


def _decide_beside(
    z: SignedRows, moved: np.ndarray, null: np.ndarray, clock: Clock
) -> Opposed | None:
    """The same where the directions `null` are all that are zero on the obstruction, and `moved`
    are the rows that are not zero on all of these.

    None where they have long numbers, or no direction settles a row.
    """
    with clock.stage("span of the rows"):
        reduced = reduce_rows(z, moved, null)
    if reduced is None:
        return None
    inner = decide_strict(reduced.rows, clock)
    weights: Any
    if isinstance(inner, Separated):
        weights = inner.weights
    else:
        weaker = decide_weak(reduced.rows, inner, clock)
        if isinstance(weaker, Spanned):
            return None
        weights = weaker.weights
    return Opposed(z.place((null @ as_integers(weights)[:-1]).tolist()))
