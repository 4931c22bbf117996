"""The last look at all rows: the direction is checked on every shard, and the rows are hashed.

Each shard says exactly which of its rows the direction settles, and gives the sum of the others,
the core, as integers. The sums of all shards add up to that of the whole core, and with it the
client checks the witness (certificates/claim.py), of whose rows it has a copy.

The digest of the rows is made of blocks of 4096 that know nothing of shards. A shard hashes the
blocks that it holds whole, and keeps the rows of those it shares, for a task that joins them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates.arithmetic import Sum, check_arithmetic, core_sum
from novikoff.certificates.digest import BLOCK, block_digest, combine
from novikoff.distributed.rows import sides_of
from novikoff.distributed.shards import Rows
from novikoff.distributed.survey import Survey
from novikoff.distributed.tasks import Tasks
from novikoff.errors import CertificateError
from novikoff.inputs import Table
from novikoff.models.data import stacked
from novikoff.search.margins import margin_below
from novikoff.search.signed_rows import SignedRows

Piece = tuple[Any, np.ndarray]  # rows and signs


class Checked(NamedTuple):
    """What is left of a shard of which the direction opposes no row."""

    margin: float  # proven; 0 where a row is not settled
    settled: np.ndarray  # a bit for each row of the shard: is it settled?
    total: Sum  # Σ z_i over the others, exactly
    n_rows: int
    digests: dict[int, bytes]  # of the blocks that the shard holds whole
    edges: dict[int, Piece]  # the rows of the others


def check(
    rows: Rows, index: int, classes: tuple[Any, Any], weights: Any, offset: bool,
    offsets: list[int], n_rows: int,
) -> Checked:  # fmt: skip
    """Raise CertificateError if the direction opposes a row of this shard; hash its blocks."""
    check_arithmetic()
    table, signs = rows.table, rows.signs(*classes)
    sides = sides_of(table, signs, weights)
    if (sides < 0).any():
        row = offsets[index] + int(np.argmax(sides < 0))
        raise CertificateError(f"row {row} is on the wrong side of the hyperplane.")
    total = core_sum(table, signs, sides == 0, offset)
    margin = 0.0
    if sides.all():
        margin = margin_below(SignedRows(table, signs, offset), weights)
    digests, edges = _blocks(table, signs, offsets[index], n_rows)
    return Checked(margin, np.packbits(sides > 0), total, table.n_rows, digests, edges)


def sum_of(parts: list[Checked]) -> Sum:
    """Σ z_i over the core of all shards; their sums are over powers of two."""
    over = max(part.total[1] for part in parts)
    sums = [part.total[0] * (over // part.total[1]) for part in parts]
    return np.sum(sums, axis=0), over


def _blocks(
    table: Table, signs: np.ndarray, first: int, n_rows: int
) -> tuple[dict[int, bytes], dict[int, Piece]]:
    """The rows first … of all `n_rows` rows, block by block."""
    digests: dict[int, bytes] = {}
    edges: dict[int, Piece] = {}
    last = first + table.n_rows
    for block in range(first // BLOCK, -(-last // BLOCK)):
        start, stop = block * BLOCK, min((block + 1) * BLOCK, n_rows)
        here = slice(max(start, first) - first, min(stop, last) - first)
        piece = table.matrix[here], signs[here]
        if start >= first and stop <= last:
            digests[block] = _digest(piece)
        else:
            edges[block] = piece
    return digests, edges


def _digest(piece: Piece) -> bytes:
    return block_digest(Table(piece[0], None, "binary64"), piece[1], 0)


def join_block(block: int, parts: list[Checked]) -> bytes:
    """The digest of a block that several shards share, in their order."""
    pieces = [part.edges[block] for part in parts]
    matrix = pieces[0][0]
    for piece in pieces[1:]:
        matrix = stacked(matrix, piece[0])
    signs = np.concatenate([piece[1] for piece in pieces])
    return _digest((matrix, signs))


def without_edges(part: Checked) -> Checked:
    return part._replace(edges={})


def check_all(
    tasks: Tasks, found: Survey, classes: tuple[Any, Any], weights: Any, offset: bool
) -> tuple[list[Checked], str]:
    """Check the direction on every shard; what they say, and the digest of all rows."""
    offsets, n_rows = found.offsets, found.n_rows
    shared = _shared_blocks(offsets, n_rows)

    def ask() -> list[Any]:
        parts = tasks.each(check, found.shards, classes, weights, offset, offsets, n_rows)
        joined = [
            tasks.one(join_block, block, [parts[i] for i in holders], priority=1)
            for block, holders in shared.items()
        ]
        return [*(tasks.one(without_edges, part, priority=1) for part in parts), *joined]

    answers = tasks.results(ask)
    parts: list[Checked] = answers[: len(offsets)]
    digests = dict(zip(shared, answers[len(offsets) :], strict=True))
    for part in parts:
        digests.update(part.digests)
    blocks = [digests[block] for block in range(-(-n_rows // BLOCK))]
    digest = combine(blocks, n_rows, found.n_columns)
    return parts, digest


def _shared_blocks(offsets: list[int], n_rows: int) -> dict[int, list[int]]:
    """The blocks that more than one shard has rows of, and these shards in order."""
    holders: dict[int, list[int]] = {}
    ends = [*offsets[1:], n_rows]
    for i, (first, last) in enumerate(zip(offsets, ends, strict=True)):
        for block in {first // BLOCK, (last - 1) // BLOCK}:
            holders.setdefault(block, []).append(i)
    return {block: shards for block, shards in sorted(holders.items()) if len(shards) > 1}
