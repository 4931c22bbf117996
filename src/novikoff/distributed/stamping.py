"""The last look at all rows: the certificate is checked on every shard, and the rows are hashed.

A proof is about all rows. On a worker it is checked by `Certificate.check` on the rows that it
names, stacked upon those of the shard: true on each such table, it is true of all rows.

The digest of the rows is made of blocks of 4096 that know nothing of shards. A shard hashes the
blocks that it holds whole, and keeps the rows of those it shares, for a task that joins them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates import (
    Certificate,
    Complete,
    Obstruction,
    RowsAlone,
    Separator,
    Stamp,
)
from novikoff.certificates.arithmetic import as_integers, score_signs
from novikoff.certificates.digest import BLOCK, block_digest, combine
from novikoff.certificates.stamp import LAYOUTS
from novikoff.distributed.shards import Rows
from novikoff.distributed.survey import Survey
from novikoff.distributed.tasks import Tasks
from novikoff.inputs import Table
from novikoff.models.data import stacked
from novikoff.search.margins import margin_below
from novikoff.search.signed_rows import SignedRows

Piece = tuple[Any, np.ndarray]  # rows and signs
NO_DIGEST = "0" * 64


class Claim(NamedTuple):
    """A certificate to be, with the rows that it needs beside those of the shard."""

    kind: str
    weights: Any  # of a separator or a weak one
    multipliers: tuple[int, ...]  # of an obstruction; none where its rows stand alone
    named: Any  # the rows of the obstruction
    signs: np.ndarray

    def certificate(self, rows: Any, stamp: Stamp, n_settled: int) -> Certificate:
        """The claim about the rows of the stamp, of which `rows` are those of the obstruction.

        Of all rows a complete certificate settles `n_settled`.
        """
        if self.kind == "separator":
            return Separator(self.weights, stamp)
        if self.kind == "rows":
            return RowsAlone(rows, stamp)
        if self.kind == "obstruction":
            return Obstruction(rows, self.multipliers, True, stamp)
        n_core = stamp.n_rows - n_settled
        multipliers = self.multipliers or (None if len(rows) else ())
        return Complete(self.weights, rows, multipliers, rows[:0], (), n_settled, n_core, stamp)


class Checked(NamedTuple):
    """What is left of a shard on which the claim is true."""

    margin: float  # proven; 0 where the claim is no separator
    settled: np.ndarray  # a bit for each row of the shard: is it settled? Of a complete claim
    n_rows: int
    digests: dict[int, bytes]  # of the blocks that the shard holds whole
    edges: dict[int, Piece]  # the rows of the others


def check(
    rows: Rows, place: int, classes: tuple[Any, Any], claim: Claim, offset: bool,
    offsets: list[int], n_rows: int,
) -> Checked:  # fmt: skip
    """Raise CertificateError unless the claim is true of this shard; hash its blocks."""
    table, signs = rows.table, rows.signs(*classes)
    matrix, all_signs = table.matrix, signs
    if claim.named is not None:
        matrix = stacked(claim.named, matrix)
        all_signs = np.concatenate([claim.signs, signs])
    whole = Table(matrix, None, "binary64")
    stamp = Stamp(
        whole.n_rows, whole.n_columns, "binary64", offset, "-", "+", None,
        LAYOUTS[whole.is_sparse], NO_DIGEST,
    )  # fmt: skip
    settled = np.zeros(0, dtype=bool)
    if claim.kind == "complete":
        parts = [scores for _, scores in score_signs(table, as_integers(claim.weights))]
        settled = np.concatenate(parts) * signs > 0
    proof = claim.certificate(np.arange(len(claim.signs)), stamp, int(settled.sum()))
    proof.check(whole, all_signs)
    margin = 0.0
    if claim.kind == "separator":
        margin = margin_below(SignedRows(table, signs, offset), claim.weights)
    digests, edges = _blocks(table, signs, offsets[place], n_rows)
    return Checked(margin, np.packbits(settled), table.n_rows, digests, edges)


def _blocks(
    table: Table, signs: np.ndarray, first: int, n_rows: int
) -> tuple[dict[int, bytes], dict[int, Piece]]:
    """The rows first … of all `n_rows` rows, block by block."""
    digests: dict[int, bytes] = {}
    edges: dict[int, Piece] = {}
    layout = LAYOUTS[table.is_sparse]
    last = first + table.n_rows
    for block in range(first // BLOCK, -(-last // BLOCK)):
        start, stop = block * BLOCK, min((block + 1) * BLOCK, n_rows)
        here = slice(max(start, first) - first, min(stop, last) - first)
        piece = table.matrix[here], signs[here]
        if start >= first and stop <= last:
            digests[block] = _digest(piece, layout)
        else:
            edges[block] = piece
    return digests, edges


def _digest(piece: Piece, layout: str) -> bytes:
    return block_digest(Table(piece[0], None, "binary64"), piece[1], layout, 0)


def join_block(block: int, parts: list[Checked]) -> bytes:
    """The digest of a block that several shards share, in their order."""
    pieces = [part.edges[block] for part in parts]
    matrix = pieces[0][0]
    for piece in pieces[1:]:
        matrix = stacked(matrix, piece[0])
    signs = np.concatenate([piece[1] for piece in pieces])
    return _digest((matrix, signs), LAYOUTS[not isinstance(matrix, np.ndarray)])


def without_edges(part: Checked) -> Checked:
    return part._replace(edges={})


def check_all(
    tasks: Tasks, found: Survey, classes: tuple[Any, Any], claim: Claim, offset: bool
) -> tuple[list[Checked], str]:
    """Check the claim on every shard; what they say, and the digest of all rows."""
    offsets, n_rows = found.offsets, found.n_rows
    shared = _shared_blocks(offsets, n_rows)

    def ask() -> list[Any]:
        parts = tasks.each(check, found.shards, classes, claim, offset, offsets, n_rows)
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
    digest = combine(blocks, n_rows, found.n_columns, LAYOUTS[found.is_sparse])
    return parts, digest


def _shared_blocks(offsets: list[int], n_rows: int) -> dict[int, list[int]]:
    """The blocks that more than one shard has rows of, and these shards in order."""
    holders: dict[int, list[int]] = {}
    ends = [*offsets[1:], n_rows]
    for i, (first, last) in enumerate(zip(offsets, ends, strict=True)):
        for block in {first // BLOCK, (last - 1) // BLOCK}:
            holders.setdefault(block, []).append(i)
    return {block: shards for block, shards in sorted(holders.items()) if len(shards) > 1}
