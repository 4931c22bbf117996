"""Rows that workers send to the client: those to begin with, and those that a proposal fails.

Which rows are sent decides how fast a proof is found, never whether it is true. Whether a row
speaks against a proposal is decided by the exact signs of `certificates`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates.arithmetic import as_integers, score_signs
from novikoff.distributed.shards import Rows
from novikoff.inputs import Table
from novikoff.loops.counting import counting_pass
from novikoff.loops.rows import as_rows

PASSES = 6  # of the perceptron that finds the first rows
BLOCK = 64  # rows that it visits together, in the order of memory


class Picked(NamedTuple):
    """Some rows of a shard."""

    places: np.ndarray  # of the rows in their shard, ascending
    matrix: Any
    signs: np.ndarray


def pick(rows: Rows, signs: np.ndarray, places: np.ndarray) -> Picked:
    places = np.unique(places)
    return Picked(places, rows.table.matrix[places], signs[places])


def first_rows(
    rows: Rows, index: int, classes: tuple[Any, Any], fit_intercept: bool, most: int
) -> Picked:
    """The rows that a perceptron mistook most often, and as many others spread over the shard."""
    signs = rows.signs(*classes)
    counts = _mistaken(rows.table, signs, fit_intercept, np.random.default_rng(index))
    worst = np.argsort(-counts, kind="stable")[:most]
    chosen = [worst[counts[worst] > 0]]
    for sign in (-1, 1):
        mine = np.flatnonzero(signs == sign)
        spread = np.linspace(0, len(mine) - 1, min(len(mine), max(1, most // 2)))
        chosen.append(mine[spread.astype(np.intp)])
    return pick(rows, signs, np.concatenate(chosen))


def _mistaken(
    table: Table, signs: np.ndarray, fit_intercept: bool, random: np.random.Generator
) -> np.ndarray:
    """How often a perceptron mistakes each row, in a few passes and not many mistakes."""
    n_rows = table.n_rows
    starts = random.permutation(-(-n_rows // BLOCK)) * BLOCK  # labels are often sorted
    order = (starts[:, None] + np.arange(BLOCK)).ravel()
    order = order[order < n_rows]
    w, counts = np.zeros(table.n_columns + 1), np.zeros(n_rows, dtype=np.int64)
    left = n_rows + 100
    for _ in range(PASSES):
        made = counting_pass.fast(
            as_rows(table.matrix, fit_intercept), signs, order, w, counts, left
        )
        left -= made
        if made == 0 or left <= 0:
            break
    return counts


def violators(
    rows: Rows,
    index: int,  # noqa: ARG001 - every task has it
    classes: tuple[Any, Any],
    weights: Any,
    strict: bool,
    most: int,
) -> Picked:
    """Rows with sign·score <= 0, or < 0 where not `strict`: up to `most`, and none if none is.

    Half of them are the worst by their distance, the others are spread over all that there are.
    """
    table, signs = rows.table, rows.signs(*classes)
    sides = sides_of(table, signs, weights)
    wrong = np.flatnonzero(sides <= 0 if strict else sides < 0)
    if len(wrong) > most:
        by_distance = wrong[np.argsort(_distances(table.matrix[wrong], signs[wrong], weights))]
        half = (most + 1) // 2
        spread = np.linspace(half, len(wrong) - 1, most - half).astype(np.intp)
        wrong = np.concatenate([by_distance[:half], by_distance[spread]])
    return pick(rows, signs, wrong)


def moved(
    rows: Rows,
    index: int,  # noqa: ARG001 - every task has it
    classes: tuple[Any, Any],
    weights: Any,
    further: Any,
    most: int,
) -> Picked:
    """Rows of the core of `weights` that `further` moves: up to `most`, those against it first."""
    table, signs = rows.table, rows.signs(*classes)
    core = np.flatnonzero(sides_of(table, signs, weights) == 0)
    if not len(core):
        return pick(rows, signs, core)
    sides = sides_of(Table(table.matrix[core], None, table.numbers), signs[core], further)
    against, along = core[sides < 0], core[sides > 0]
    return pick(rows, signs, np.concatenate([against, along])[:most])


def sides_of(table: Table, signs: np.ndarray, weights: Any) -> np.ndarray:
    """sign·score of every row: its exact sign."""
    parts = [scores for _, scores in score_signs(table, as_integers(weights))]
    return np.asarray(np.concatenate(parts) * signs)


def _distances(matrix: Any, signs: np.ndarray, weights: Any) -> np.ndarray:
    """About the signed distances, up to a common factor."""
    whole = as_integers(weights)
    top = max(int(w).bit_length() for w in whole)
    w = np.array([int(v) / (1 << top) for v in whole])
    with np.errstate(all="ignore"):
        squares = matrix.multiply(matrix) if not isinstance(matrix, np.ndarray) else matrix**2
        lengths = np.sqrt(1.0 + np.asarray(squares.sum(axis=1)).ravel())
        return np.asarray(np.nan_to_num(signs * (matrix @ w[:-1] + w[-1]) / lengths))
