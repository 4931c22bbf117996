"""What workers do for a proof: they send rows, and in the end they check the direction on all rows.

Which rows are sent decides how fast a proof is found, never whether it is true. Whether a row
speaks against a proposal is decided by the exact signs of `certificates`.

At the end each shard says exactly which of its rows the direction settles, and gives the sum of the
others, the core, as integers. The sums of all shards add up to that of the whole core, and with it
the client checks the witness (certificates/claim.py), of whose rows it has a copy. The digest of
the rows is made of blocks of 4096 that know nothing of shards. A shard hashes the blocks that it
holds whole, and keeps the rows of those it shares, for a task that joins them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates.arithmetic import (
    Sum,
    as_integers,
    check_arithmetic,
    core_sum,
    score_signs,
)
from novikoff.certificates.digest import BLOCK, block_digest, combine
from novikoff.distributed.shards import Rows
from novikoff.distributed.survey import Survey
from novikoff.distributed.tasks import Tasks
from novikoff.errors import CertificateError
from novikoff.inputs import Table
from novikoff.loops.counting import counting_pass
from novikoff.loops.rows import as_rows
from novikoff.models.data import stacked
from novikoff.search.margins import margin_below
from novikoff.search.signed_rows import SignedRows

PASSES = 6  # of the perceptron that finds the first rows
ROWS_TOGETHER = 64  # that it visits in the order of memory

Classes = tuple[Any, Any]


class Picked(NamedTuple):
    """Some rows of a shard."""

    places: np.ndarray  # of the rows in their shard, ascending
    matrix: Any
    signs: np.ndarray


def pick(rows: Rows, signs: np.ndarray, places: np.ndarray) -> Picked:
    places = np.unique(places)
    return Picked(places, rows.table.matrix[places], signs[places])


def first_rows(rows: Rows, index: int, classes: Classes, fit_intercept: bool, most: int) -> Picked:
    """The rows that a perceptron mistook most often, and as many others spread over the shard."""
    table, signs = rows.table, rows.signs(*classes)
    n_rows = table.n_rows
    groups = np.random.default_rng(index).permutation(-(-n_rows // ROWS_TOGETHER))
    order = (groups[:, None] * ROWS_TOGETHER + np.arange(ROWS_TOGETHER)).ravel()
    order = order[order < n_rows]  # labels are often sorted
    w, counts = np.zeros(table.n_columns + 1), np.zeros(n_rows, dtype=np.int64)
    left = n_rows + 100  # mistakes
    for _ in range(PASSES):
        here = as_rows(table.matrix, fit_intercept)
        made = counting_pass.fast(here, signs, order, w, counts, left)
        left -= made
        if made == 0 or left <= 0:
            break
    worst = np.argsort(-counts, kind="stable")[:most]
    chosen = [worst[counts[worst] > 0]]
    for sign in (-1, 1):
        mine = np.flatnonzero(signs == sign)
        spread = np.linspace(0, len(mine) - 1, min(len(mine), max(1, most // 2)))
        chosen.append(mine[spread.astype(np.intp)])
    return pick(rows, signs, np.concatenate(chosen))


def violators(
    rows: Rows, _index: int, classes: Classes, weights: Any, strict: bool, most: int
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
    rows: Rows, _index: int, classes: Classes, weights: Any, further: Any, most: int
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
    return np.asarray(score_signs(table, weights) * signs)


def _distances(matrix: Any, signs: np.ndarray, weights: Any) -> np.ndarray:
    """About the signed distances, up to a common factor."""
    whole = as_integers(weights)
    top = max(int(w).bit_length() for w in whole)
    w = np.array([int(v) / (1 << top) for v in whole])
    with np.errstate(all="ignore"):
        squares = matrix.multiply(matrix) if not isinstance(matrix, np.ndarray) else matrix**2
        lengths = np.sqrt(1.0 + np.asarray(squares.sum(axis=1)).ravel())
        return np.asarray(np.nan_to_num(signs * (matrix @ w[:-1] + w[-1]) / lengths))


class Checked(NamedTuple):
    """What is left of a shard of which the direction opposes no row."""

    margin: float  # proven; 0 where a row is not settled
    settled: np.ndarray  # a bit for each row of the shard: is it settled?
    total: Sum  # Σ z_i over the others, exactly
    n_rows: int
    digests: dict[int, bytes]  # of the blocks that the shard holds whole
    edges: dict[int, tuple[Any, np.ndarray]]  # the rows and signs of the others


def check(
    rows: Rows, index: int, classes: Classes, weights: Any, offset: bool, offsets: list[int],
    n_rows: int,
) -> Checked:  # fmt: skip
    """Raise CertificateError if the direction opposes a row of this shard; hash its blocks."""
    check_arithmetic()
    table, signs, first = rows.table, rows.signs(*classes), offsets[index]
    sides = sides_of(table, signs, weights)
    if (sides < 0).any():
        row = first + int(np.argmax(sides < 0))
        raise CertificateError(f"row {row} is on the wrong side of the hyperplane.")
    total = core_sum(table, signs, sides == 0, offset)
    margin = margin_below(SignedRows(table, signs, offset), weights) if sides.all() else 0.0
    last, digests, edges = first + table.n_rows, {}, {}
    for block in range(first // BLOCK, -(-last // BLOCK)):
        start, stop = block * BLOCK, min((block + 1) * BLOCK, n_rows)
        here = slice(max(start, first) - first, min(stop, last) - first)
        piece = table.matrix[here], signs[here]
        if start >= first and stop <= last:
            digests[block] = _digest(*piece)
        else:
            edges[block] = piece
    return Checked(margin, np.packbits(sides > 0), total, table.n_rows, digests, edges)


def _digest(matrix: Any, signs: np.ndarray) -> bytes:
    return block_digest(Table(matrix, None, "binary64"), signs, 0)


def join_block(block: int, parts: list[Checked]) -> bytes:
    """The digest of a block that several shards share, in their order."""
    pieces = [part.edges[block] for part in parts]
    matrix = pieces[0][0]
    for piece in pieces[1:]:
        matrix = stacked(matrix, piece[0])
    return _digest(matrix, np.concatenate([piece[1] for piece in pieces]))


def without_edges(part: Checked) -> Checked:
    return part._replace(edges={})


def check_all(
    tasks: Tasks, found: Survey, classes: Classes, weights: Any, offset: bool
) -> tuple[list[Checked], Sum, str]:
    """Check the direction on every shard: what they say, their sum, and the digest of all rows."""
    offsets, n_rows = found.offsets, found.n_rows
    holders: dict[int, list[int]] = {}  # the shards that have rows of a block, in order
    for i, (first, last) in enumerate(zip(offsets, [*offsets[1:], n_rows], strict=True)):
        for block in {first // BLOCK, (last - 1) // BLOCK}:
            holders.setdefault(block, []).append(i)
    shared = {block: some for block, some in sorted(holders.items()) if len(some) > 1}

    def ask() -> list[Any]:
        parts = tasks.each(check, found.shards, classes, weights, offset, offsets, n_rows)
        joined = [
            tasks.one(join_block, block, [parts[i] for i in some], priority=1)
            for block, some in shared.items()
        ]
        return [*(tasks.one(without_edges, part, priority=1) for part in parts), *joined]

    answers = tasks.results(ask)
    parts: list[Checked] = answers[: len(offsets)]
    digests = dict(zip(shared, answers[len(offsets) :], strict=True))
    for part in parts:
        digests.update(part.digests)
    blocks = [digests[block] for block in range(-(-n_rows // BLOCK))]
    over = max(part.total[1] for part in parts)  # sums are over powers of two
    total = np.sum([part.total[0] * (over // part.total[1]) for part in parts], axis=0)
    return parts, (total, over), combine(blocks, n_rows, found.n_columns)
