"""`certify` on a cluster: rows from the workers, the search on the client, the check on both.

The client keeps a growing table of few rows and decides it as on one machine. The direction that it
finds is tried on every shard: rows that it opposes join the table. If there are none, each shard
gives the exact sum of its rows that the direction leaves at zero, the core. Either multipliers of
the client's rows balance the sum of all of them, which is the witness, or a further direction has
rows of the core off zero, and some of those join the table. It can only grow finitely often.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from novikoff.certificates import Claim, Stamp, Witness
from novikoff.certificates.arithmetic import Sum
from novikoff.certificates.claim import check_witness
from novikoff.conventions import seconds, true_or_false, whole_number
from novikoff.distributed.cluster import client_or_default, reporter
from novikoff.distributed.proving import (
    Checked,
    Picked,
    check_all,
    first_rows,
    moved,
    sides_of,
    violators,
)
from novikoff.distributed.shards import SHARD_ROWS, plan
from novikoff.distributed.survey import Survey, survey
from novikoff.distributed.tasks import Tasks
from novikoff.errors import InputError
from novikoff.inputs import Table, read_labels, row_numbers
from novikoff.models.data import stacked
from novikoff.search.clock import TIME_ENDED, Clock
from novikoff.search.decide import Findings, Rounds
from novikoff.search.engine import Balanced, Moved
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread
from novikoff.verdicts.certify import certify as certify_here
from novikoff.verdicts.verdict import Measured, Status, Verdict
from novikoff.wording import count, keyword

if TYPE_CHECKING:
    from distributed import Client

A_ROUND = 200  # rows that all workers together send in a round, or four for each column if more


def certify(
    data: Any,
    client: Client | None = None,
    *,
    fit_intercept: bool = True,
    time_limit: float | None = None,
    positive: Any = None,
    retries: int = 2,
    shard_rows: int = SHARD_ROWS,
    verbose: bool = False,
    **reading: Any,
) -> Verdict:
    """Decide whether a hyperplane separates the two classes of all shards, and prove it.

    Parameters
    ----------
    data, client, retries, shard_rows, verbose, reading : as in novikoff.distributed.fit
    fit_intercept, positive : as in novikoff.certify
    time_limit : seconds after which no further round begins, and the status is 'undecided'

    The verdict is the same as from one machine, but for what needs the rows: `columns`,
    `collinear`, `point`, `plot` and `report` say that they are not known on a cluster.
    """
    started = time.perf_counter()
    fit_intercept = true_or_false("fit_intercept", fit_intercept)
    limit = seconds(time_limit)
    whole_number("shard_rows", shard_rows)
    shards = plan(data, shard_rows, **reading)
    tasks = Tasks(client_or_default(client), retries, shards)
    say = reporter(verbose, tasks.client, len(shards))
    found = survey(tasks, shards, fit_intercept)
    if not found.is_exact:
        raise InputError(
            "the shards hold decimals or whole numbers beyond 2^53 that no float64 is equal to; on "
            f"a cluster give binary floats, or say {keyword('numbers', 'binary64')} to take the "
            "nearest."
        )
    named = read_labels(found.classes, len(found.classes), positive)
    search = _Search(tasks, found, named.classes, fit_intercept, say)
    proposal = search.run(started, limit)
    certificate: Claim | None = None
    lower, settled, status = 0.0, None, "undecided"
    if proposal is not None:
        stamp = Stamp(
            found.n_rows, found.n_columns, "binary64", fit_intercept,
            str(named.classes[0]), str(named.classes[1]), found.label,
            proposal.digest, found.origin,
        )  # fmt: skip
        certificate = search.claim(proposal, stamp)
        status = certificate.status
        lower = min(part.margin for part in proposal.parts)
        if status == "quasi-separable":
            settled = tuple((part.n_rows, part.settled) for part in proposal.parts)
    is_open = status in ("separable", "undecided")
    upper = min(search.upper, found.radius) if is_open else 0.0
    few = search.few if found.origin is None else found.origin.numbers(search.few)
    few = row_numbers(np.sort(few))
    return Verdict(
        status=cast("Status", status),
        certificate=certificate,
        how=(
            f"working set of {len(search.numbers)} rows in {count(search.rounds, 'round')}",
            *search.methods,
        ),
        stages=search.stages,
        seconds=time.perf_counter() - started,
        classes=named.classes,
        n_rows=found.n_rows,
        n_columns=found.n_columns,
        fit_intercept=fit_intercept,
        numbers="binary64",
        evidence=Measured(few, (lower, upper), found.radius, settled),
        n_shards=len(found.shards),
        reading=found.origin,
        why_undecided=search.why,
    )


class Proposal(NamedTuple):
    """A direction that no row of any shard opposes, and multipliers of rows at hand."""

    weights: Any
    balanced: Balanced
    parts: list[Checked]
    total: Sum  # over the core of all shards
    digest: str


class _Search:
    """The table of the client, and the rounds in which it grows.

    Invariant: row j of the table is row numbers[j] of all rows, and no row is there twice.
    """

    def __init__(
        self, tasks: Tasks, found: Survey, classes: tuple[Any, Any], offset: bool, say: Any
    ) -> None:
        self.tasks, self.found, self.say = tasks, found, say
        self.classes, self.offset = classes, offset
        self.numbers = np.empty(0, dtype=np.int64)
        self.signs = np.empty(0, dtype=np.int8)
        self.matrix: Any = None
        self.rounds = 0
        self.methods: list[str] = []
        self.stages: dict[str, float] = {}
        self.few = row_numbers(())  # rows that alone rule out a strict separator
        self.why: str | None = None  # it is undecided
        self.upper = math.inf  # of the margin: no more than that of any few of the rows
        wanted = max(A_ROUND, 4 * (found.n_columns + 1))
        self.most = max(2, -(-wanted // len(found.shards)))  # rows of one shard in a round

    def run(self, started: float, limit: float | None) -> Proposal | None:
        """A direction that no row opposes, and a witness for its core; None when time is over."""
        self._grow(first_rows, self.classes, self.offset, self.most)
        while True:
            left = None if limit is None else limit - (time.perf_counter() - started)
            if left is not None and left <= 0:
                self.why = f"{TIME_ENDED} after {time.perf_counter() - started:.3g} s"
                return None
            here = certify_here(
                Table(self.matrix, None, "binary64"), self.signs, self.offset, left, positive=1
            )
            self.methods += [name for name in here.how if name not in self.methods]
            for stage, spent in here.stages.items():
                self.stages[stage] = self.stages.get(stage, 0.0) + spent
            if here.status in ("separable", "undecided"):
                self.upper = min(self.upper, here.known_margin[1])
            if here.certificate is None:
                self.why = here.why_undecided or f"{TIME_ENDED} after {here.seconds:.3g} s"
                return None
            weights = here.certificate.weights
            is_strict = here.status == "separable"
            if here.status != "overlapping" and self._grow(
                violators, self.classes, weights, is_strict, self.most
            ):
                continue
            parts, total, digest = check_all(
                self.tasks, self.found, self.classes, weights, self.offset
            )
            if is_strict:
                self.upper = min(self.upper, here.margin[1])
            balanced = self._balanced(weights, total)
            if isinstance(balanced, Balanced):
                self.few = row_numbers(self.numbers[here.places])
                return Proposal(weights, balanced, parts, total, digest)
            self._grow(moved, self.classes, weights, balanced.weights, self.most)

    def _balanced(self, weights: Any, total: Sum) -> Balanced | Moved:
        """Multipliers of rows at hand that balance the core of all shards; or what moves it."""
        table = Table(self.matrix, None, "binary64")
        core = np.flatnonzero(sides_of(table, self.signs, weights) == 0)
        if not total[0].any():
            return Balanced()
        z = SignedRows(table, self.signs, self.offset, core)
        rounds = Rounds(z, core, core[:0], Clock(), Findings(), given=total)
        with one_thread(z.dim):
            return rounds.ask()

    def claim(self, proposal: Proposal, stamp: Stamp) -> Claim:
        """The claim about all rows, checked: with the sums of all shards, and rows at hand."""
        found, parts = proposal.balanced, proposal.parts
        table = Table(self.matrix, None, "binary64")
        core = sides_of(table, self.signs, proposal.weights) == 0
        here = Witness(
            found.rows, found.multipliers, found.denominator,
            None if found.is_exact else found.relations,
        )  # fmt: skip
        check_witness(table, self.signs, core, self.offset, here, proposal.total)
        n_settled = sum(int(np.unpackbits(part.settled).sum()) for part in parts)
        rows = self.numbers[np.array(found.rows, dtype=np.intp)].tolist()
        witness = replace(here, rows=rows)
        return Claim(proposal.weights, witness, n_settled, stamp.n_rows - n_settled, stamp)

    def _grow(self, function: Any, *args: Any) -> int:
        """Ask every shard for rows; the number of those that are new."""
        began = time.perf_counter()
        sent: list[Picked] = self.tasks.results(
            lambda: self.tasks.each(function, self.found.shards, *args)
        )
        before = len(self.numbers)
        for first, picked in zip(self.found.offsets, sent, strict=True):
            new = ~np.isin(first + picked.places, self.numbers)
            if new.any():
                matrix = picked.matrix[np.flatnonzero(new)]
                self.matrix = matrix if self.matrix is None else stacked(self.matrix, matrix)
                self.signs = np.concatenate([self.signs, picked.signs[new]])
                self.numbers = np.concatenate([self.numbers, first + picked.places[new]])
        self.rounds += 1
        found = sum(len(picked.places) for picked in sent)
        if found and len(self.numbers) == before:
            raise InputError("the shards changed while they were read; run certify again.")
        self.say(
            f"round {self.rounds}: {found} rows sent by {len(sent)} shards, "
            f"{len(self.numbers)} kept, {time.perf_counter() - began:.2f} s"
        )
        return found
