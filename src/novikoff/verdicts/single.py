"""One question about two classes: a search, then a claim, then its check."""

from __future__ import annotations

import numpy as np

from novikoff.certificates import Claim, Reading, Stamp, Witness
from novikoff.certificates.obstruction import check_balance
from novikoff.errors import CertificateError
from novikoff.inputs import Labels, Table
from novikoff.search.clock import TIME_ENDED, Clock, OutOfTimeError
from novikoff.search.decide import Findings, search
from novikoff.search.engine import Balanced
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread
from novikoff.verdicts.verdict import Verdict


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
    if findings.obstruction is not None:
        try:
            check_balance(table, labels.signs, *findings.obstruction, fit_intercept)
        except CertificateError:
            findings.obstruction = None
    return Verdict.of(
        rows, labels.classes, certificate, findings, stages=clock.seconds, seconds=clock.spent(),
        reading=reading, time_limit=time_limit, why_undecided=why,
    )  # fmt: skip


def claim_of(findings: Findings, stamp: Stamp, table: Table, signs: np.ndarray) -> Claim:
    """The claim that the findings amount to, checked; CertificateError where it is false."""
    found = findings.balanced or Balanced()
    witness = Witness(
        [*found.rows, *found.equalities], [*found.multipliers, *found.factors], found.denominator,
        None if found.is_exact else found.relations,
    )  # fmt: skip
    weights = [0] * (table.n_columns + 1) if findings.weights is None else findings.weights
    return Claim.checked(weights, witness, stamp, table, signs)
