"""`certify` on a cluster: rows from the workers, the search on the client, the check on both.

The client keeps a growing table of few rows and decides it as on one machine. What it finds is a
proposal about all rows, and every worker looks for rows of its shards that speak against it:

    separator         rows that are not strictly on their side
    obstruction       rows outside the span of its own rows
    complete          rows that are on the wrong side; rows on the hyperplane, outside that span

Such rows join the table, which can only happen finitely often; if there are none, the proposal
is true of all rows. It is then checked on every shard by the code that checks any proof.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from novikoff.certificates import (
    Certificate,
    Complete,
    Obstruction,
    RowsAlone,
    Separator,
    Stamp,
)
from novikoff.certificates.stamp import LAYOUTS
from novikoff.conventions import seconds, true_or_false, whole_number
from novikoff.distributed.cluster import client_or_default
from novikoff.distributed.planning import SHARD_ROWS, plan
from novikoff.distributed.progress import Reporter
from novikoff.distributed.rows import Picked, first_rows, violators
from novikoff.distributed.span import outside_span
from novikoff.distributed.stamping import Claim, check_all
from novikoff.distributed.survey import Survey, survey
from novikoff.distributed.tasks import Tasks
from novikoff.errors import InputError
from novikoff.inputs import Table, read_labels, row_numbers
from novikoff.models.data import stacked
from novikoff.search.clock import TIME_ENDED
from novikoff.verdicts.certify import certify as certify_here
from novikoff.verdicts.elsewhere import Elsewhere
from novikoff.verdicts.verdict import Status, Verdict
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
    tasks = Tasks(client_or_default(client), retries)
    reporter = Reporter(verbose, None)
    shards = plan(data, shard_rows, **reading)
    reporter.begin(tasks.client, len(shards))
    found = survey(tasks, shards, fit_intercept)
    if not found.is_exact:
        raise InputError(
            "the shards hold decimals or whole numbers beyond 2^53 that no float64 is equal to; on "
            f"a cluster give binary floats, or say {keyword('numbers', 'binary64')} to take the "
            "nearest."
        )
    named = read_labels(found.classes, len(found.classes), positive)
    search = _Search(tasks, found, named.classes, fit_intercept, reporter)
    claim, rows, status = search.run(started, limit)
    certificate: Certificate | None = None
    lower, settled = 0.0, None
    if claim is not None:
        parts, digest = check_all(tasks, found, named.classes, claim, fit_intercept)
        lower = min(part.margin for part in parts)
        n_settled = sum(int(np.unpackbits(part.settled).sum()) for part in parts)
        if claim.kind == "complete":
            settled = tuple((part.n_rows, part.settled) for part in parts)
        stamp = Stamp(
            found.n_rows, found.n_columns, "binary64", fit_intercept,
            str(named.classes[0]), str(named.classes[1]), found.label,
            LAYOUTS[found.is_sparse], digest, found.origin,
        )  # fmt: skip
        certificate = claim.certificate(rows, stamp, n_settled)
        status = certificate.status
    upper = 0.0
    if status in ("separable", "undecided"):
        upper = min(search.upper, found.radius)
    return Verdict(
        status=cast("Status", status),
        certificate=certificate,
        rows=row_numbers(
            np.sort(search.few if found.origin is None else found.origin.numbers(search.few))
        ),
        how=search.how(),
        stages=search.stages,
        seconds=time.perf_counter() - started,
        classes=named.classes,
        n_rows=found.n_rows,
        n_columns=found.n_columns,
        fit_intercept=fit_intercept,
        numbers="binary64",
        evidence=Elsewhere((lower, upper), found.radius, settled),
        n_shards=len(found.shards),
        rounds=search.rounds,
        fetched=len(search.numbers),
        reading=found.origin,
        why_undecided=search.why,
    )


class _Search:
    """The table of the client, and the rounds in which it grows.

    Invariant: row j of the table is row numbers[j] of all rows, and no row is there twice.
    """

    def __init__(
        self, tasks: Tasks, found: Survey, classes: tuple[Any, Any], offset: bool,
        reporter: Reporter,
    ) -> None:  # fmt: skip
        self.tasks = tasks
        self.found = found
        self.classes = classes
        self.offset = offset
        self.reporter = reporter
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

    def how(self) -> tuple[str, ...]:
        rounds = f"{count(self.rounds, 'round')}"
        return f"working set of {len(self.numbers)} rows in {rounds}", *self.methods

    def run(self, started: float, limit: float | None) -> tuple[Claim | None, np.ndarray, str]:
        """A claim against which no row speaks, and the rows that it names; or no claim."""
        self._grow(first_rows, self.classes, self.offset, self.most)
        while True:
            left = None if limit is None else limit - (time.perf_counter() - started)
            if left is not None and left <= 0:
                self.why = f"{TIME_ENDED} after {time.perf_counter() - started:.3g} s"
                return None, row_numbers(()), "undecided"
            here = certify_here(
                Table(self.matrix, None, "binary64"), self.signs, self.offset, left, positive=1
            )
            self.methods += [name for name in here.how if name not in self.methods]
            for stage, spent in here.stages.items():
                self.stages[stage] = self.stages.get(stage, 0.0) + spent
            if here.status in ("separable", "undecided"):
                self.upper = min(self.upper, here.known_margin[1])
            if here.certificate is None or here.certificate.kind == "quasi-separator":
                # Out of time, at the latest while the rows left by a weak separator were asked.
                self.why = here.why_undecided or f"{TIME_ENDED} after {here.seconds:.3g} s"
                return None, row_numbers(()), "undecided"
            claim, places = self._claim(here.certificate)
            if not self._find_against(claim):
                if here.status == "separable":
                    self.upper = min(self.upper, here.margin[1])
                rows = row_numbers(self.numbers[places])
                self.few = rows
                if claim.kind == "complete":  # its rows span the others, which takes more of them
                    self.few = row_numbers(self.numbers[here.places])
                return claim, rows, here.status

    def _claim(self, proof: Certificate) -> tuple[Claim, np.ndarray]:
        """The proposal, and the places in the table of the rows of its obstruction."""
        if isinstance(proof, Separator):
            return Claim(proof.kind, proof.weights, (), None, self.signs[:0]), np.empty(0, np.intp)
        weights: Any = None
        if isinstance(proof, Complete):
            weights = proof.weights
            multipliers = () if proof.multipliers is None else tuple(proof.multipliers)
        elif isinstance(proof, Obstruction):
            multipliers = tuple(proof.weights)
        elif isinstance(proof, RowsAlone):
            multipliers = ()
        else:
            raise TypeError(type(proof).__name__)
        named, signs = self.matrix[proof.rows], self.signs[proof.rows]
        return Claim(proof.kind, weights, multipliers, named, signs), proof.rows

    def _find_against(self, claim: Claim) -> int:
        """How many rows speak against the claim; they join the table."""
        found = 0
        if claim.weights is not None:
            strict = claim.kind == "separator"
            found = self._grow(violators, self.classes, claim.weights, strict, self.most)
        if found or claim.kind == "separator":
            return found
        return self._grow(
            outside_span, self.classes, claim.named, self.offset, self.most, claim.weights
        )

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
        self.reporter.say(
            f"round {self.rounds}: {found} rows sent by {len(sent)} shards, "
            f"{len(self.numbers)} kept, {time.perf_counter() - began:.2f} s"
        )
        return found
