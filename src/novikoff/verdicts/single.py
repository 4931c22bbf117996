"""One question about two classes: a search, then a claim, then its check."""

from __future__ import annotations

from typing import cast

import numpy as np

from novikoff.certificates import Claim, Reading, Stamp, Witness
from novikoff.certificates.obstruction import check_balance
from novikoff.errors import CertificateError
from novikoff.inputs import Labels, Table, row_numbers
from novikoff.search.clock import TIME_ENDED, Clock, OutOfTimeError
from novikoff.search.decide import Findings, search
from novikoff.search.engine import Balanced
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread
from novikoff.verdicts.evidence import LocalEvidence
from novikoff.verdicts.verdict import Status, Verdict


def certify_one(
    table: Table,
    labels: Labels,
    fit_intercept: bool,
    time_limit: float | None,
    seed: int,
    label: str | None,
    reading: Reading | None = None,
) -> Verdict:
    """The verdict of a search of so many seconds; its proof is checked, however long that takes."""
    clock = Clock(time_limit)
    rows = SignedRows(table, labels.signs, fit_intercept)
    findings = Findings()
    certificate: Claim | None = None
    why: str | None = None
    random = np.random.default_rng(seed)
    try:
        search(rows, clock, random, findings)
        stamp = Stamp.of(table, labels, fit_intercept, label, reading)
        clock.time_limit = None  # what is found is checked, however long that takes
        with clock.stage("exact check"), one_thread(rows.dim):
            certificate = claim_of(findings, stamp, table, labels.signs)
    except OutOfTimeError:
        why = f"{TIME_ENDED} after {clock.spent():.3g} s"
    except CertificateError as error:  # never a guess
        why = f"the proof that the search found does not pass its check: {error}".rstrip(".")
    table.watch()
    _forget_false_rows(findings, table, labels.signs, fit_intercept)
    times = clock.seconds, clock.spent()
    return verdict_of(certificate, labels, rows, findings, times, time_limit, reading, why)


def verdict_of(
    certificate: Claim | None,
    labels: Labels,
    rows: SignedRows,
    findings: Findings,
    times: tuple[dict[str, float], float],
    time_limit: float | None,
    reading: Reading | None,
    why: str | None,
) -> Verdict:
    """The verdict of what was found; `times` are those of stages, and seconds in all."""
    table, fit_intercept = rows.table, rows.fit_intercept
    places = [] if findings.obstruction is None else sorted(findings.obstruction[0].tolist())
    status = cast("Status", "undecided" if certificate is None else certificate.status)
    return Verdict(
        status=status,
        certificate=certificate,
        known_rows=row_numbers(
            places if reading is None else reading.numbers(np.array(places, dtype=np.int64))
        ),
        how=tuple(findings.how),
        stages=times[0],
        seconds=times[1],
        classes=labels.classes,
        n_rows=table.n_rows,
        n_columns=table.n_columns,
        fit_intercept=fit_intercept,
        numbers=table.numbers,
        evidence=LocalEvidence(status, labels, rows, findings, time_limit),
        n_shards=1,
        reading=reading,
        why_undecided=why,
    )


def _forget_false_rows(findings: Findings, table: Table, signs: np.ndarray, offset: bool) -> None:
    """Check the obstruction that was found on the way, and forget it if it is none."""
    if findings.obstruction is None:
        return
    rows, multipliers = findings.obstruction
    try:
        check_balance(table, signs, rows, multipliers, offset)
    except CertificateError:
        findings.obstruction = None


def claim_of(findings: Findings, stamp: Stamp, table: Table, signs: np.ndarray) -> Claim:
    """The claim that the findings amount to, checked; CertificateError where it is false."""
    found = findings.balanced or Balanced()
    witness = Witness(
        [*found.rows, *found.equalities], [*found.multipliers, *found.factors], found.denominator,
        None if found.is_exact else found.relations,
    )  # fmt: skip
    weights = [0] * (table.n_columns + 1) if findings.weights is None else findings.weights
    return Claim.checked(weights, witness, stamp, table, signs)
