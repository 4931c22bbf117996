"""`certify`: is there a hyperplane that separates two classes? Decided exactly, with proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from novikoff.certificates import Claim, Reading, Stamp, Witness
from novikoff.certificates.obstruction import check_balance
from novikoff.conventions import read_seed, seconds, true_or_false
from novikoff.errors import CertificateError, InputError, one_of
from novikoff.inputs import Labels, Table, as_decimals, read_labels, reads_decimals, row_numbers
from novikoff.search.clock import TIME_ENDED, Clock, OutOfTimeError
from novikoff.search.decide import Findings, search
from novikoff.search.engine import Balanced
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread
from novikoff.verdicts.against import pairings
from novikoff.verdicts.arguments import Arguments, read_arguments
from novikoff.verdicts.classes import ClassVerdicts
from novikoff.verdicts.evidence import LocalEvidence
from novikoff.verdicts.verdict import Status, Verdict
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.inputs.type_aliases import LabelsLike, RowsLike
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan

__all__ = ["ClassVerdicts", "Verdict", "certify", "certify_classes"]


def certify(
    X: RowsLike | Data | Scan,
    y: LabelsLike | None = None,
    fit_intercept: bool = True,
    time_limit: float | None = None,
    random_state: Any = None,
    positive: Any = None,
    label: str | None = None,
    numbers: Literal["decimal"] | None = None,
) -> Verdict:
    """Decide whether a hyperplane separates the two classes of y, and prove the answer.

    Parameters
    ----------
    X : array, CSR matrix or DataFrame of numbers; Decimal and Fraction are taken exactly, and
        floats as the binary numbers that they are. Or what `read` or `scan` gives, without y: a
        scan is mapped from its cache, so that it may be larger than memory
    y : two labels of any one type; left out where X is a DataFrame and `label` names its column
    fit_intercept : False for hyperplanes through the origin only
    time_limit : seconds after which the search gives up and the status is 'undecided'
    random_state : seeds the order in which the search visits rows; the status does not depend
        on it, the certificate may. None is the same as 0
    positive : the label of sign +1; by default the larger of the two: in sort order, as
        numbers where both are numbers written as text, or in the order of an ordered categorical
    label : the name of the label column: of X, where y is left out; else for the proof file, and
        by default the name of y, if any
    numbers : "decimal" reads floats as the shortest decimals that print them, so that shares 0.4,
        0.2 and 0.4 add up to 1
    """
    table, y, name, reading = _read(X, y, label, numbers)
    return _certify(
        table,
        read_labels(y, table.n_rows, positive),
        true_or_false("fit_intercept", fit_intercept),
        seconds(time_limit),
        read_seed(random_state),
        name,
        reading,
    )


def certify_classes(
    X: RowsLike | Data | Scan,
    y: LabelsLike | None = None,
    against: Literal["rest", "each"] = "rest",
    fit_intercept: bool = True,
    time_limit: float | None = None,
    random_state: Any = None,
    label: str | None = None,
    numbers: Literal["decimal"] | None = None,
) -> ClassVerdicts:
    """One verdict for each class against the rest, or for each pair of classes.

    against : 'rest' asks, for each class, whether it can be separated from all others; 'each'
        asks for every pair, on the rows of the two classes only
    time_limit : seconds for each verdict

    The other parameters are those of `certify`.
    """
    one_of("against", against, ("rest", "each"))
    table, y, name, reading = _read(X, y, label, numbers)
    options = (
        true_or_false("fit_intercept", fit_intercept),
        seconds(time_limit),
        read_seed(random_state),
        name,
    )
    verdicts: dict[Any, Verdict] = {}
    selected: dict[Any, np.ndarray] = {}
    for one in pairings(table, y, against):
        verdicts[one.key] = _certify(one.table, one.labels, *options)
        selected[one.key] = one.rows
    return ClassVerdicts(against, verdicts, selected, reading)


def _read(X: Any, y: Any, label: str | None, numbers: Any) -> Arguments:
    given = read_arguments(X, y, label)
    if not reads_decimals(numbers):
        return given
    if given.reading is not None:
        raise InputError(
            f"numbers is for arrays here; read the file with "
            f"{keyword('numbers', 'decimal')}, which takes its numbers as they are written."
        )
    return given._replace(table=as_decimals(given.table))


def _certify(
    table: Table,
    labels: Labels,
    fit_intercept: bool,
    time_limit: float | None,
    seed: int,
    label: str | None,
    reading: Reading | None = None,
) -> Verdict:
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
    places = _checked_places(findings, table, labels.signs, fit_intercept)
    status = cast("Status", "undecided" if certificate is None else certificate.status)
    return Verdict(
        status=status,
        certificate=certificate,
        known_rows=row_numbers(places if reading is None else map(reading.number, places)),
        how=tuple(findings.how),
        stages=clock.seconds,
        seconds=clock.spent(),
        classes=labels.classes,
        n_rows=table.n_rows,
        n_columns=table.n_columns,
        fit_intercept=fit_intercept,
        numbers=table.numbers,
        evidence=LocalEvidence(status, labels, rows, findings, time_limit),
        n_shards=1,
        rounds=0,
        fetched=table.n_rows,
        reading=reading,
        why_undecided=why,
    )


def _checked_places(findings: Findings, table: Table, signs: np.ndarray, offset: bool) -> list[int]:
    """The rows of the obstruction that was found on the way; it is forgotten if it is none."""
    if findings.obstruction is None:
        return []
    rows, multipliers = findings.obstruction
    try:
        check_balance(table, signs, rows, multipliers, offset)
    except CertificateError:
        findings.obstruction = None
        return []
    return sorted(rows.tolist())


def claim_of(findings: Findings, stamp: Stamp, table: Table, signs: np.ndarray) -> Claim:
    """The claim that the findings amount to, checked; CertificateError where it is false."""
    found = findings.balanced or Balanced()
    witness = Witness(
        [*found.rows, *found.equalities], [*found.multipliers, *found.factors], found.denominator,
        found.is_exact, found.relations,
    )  # fmt: skip
    weights = [0] * (table.n_columns + 1) if findings.weights is None else findings.weights
    return Claim.checked(weights, witness, stamp, table, signs)
