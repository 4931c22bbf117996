"""`certify`: is there a hyperplane that separates two classes? Decided exactly, with proof."""

from __future__ import annotations

import numbers
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certificates import (
    Certificate,
    Obstruction,
    QuasiSeparator,
    Reading,
    Separator,
    Stamp,
)
from novikoff.conventions import seconds, true_or_false
from novikoff.errors import CertificateError, InputError, one_of
from novikoff.inputs import Labels, Table, read_classes, read_labels, read_table
from novikoff.io.data import Data
from novikoff.io.scanning import Scan
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.decide import Findings, search
from novikoff.search.signed_rows import SignedRows
from novikoff.verdicts.classes import ClassVerdicts
from novikoff.verdicts.verdict import Verdict

__all__ = ["ClassVerdicts", "Verdict", "certify", "certify_classes"]


def certify(
    X: Any,
    y: Any = None,
    fit_intercept: bool = True,
    time_limit: float | None = None,
    random_state: Any = None,
    positive: Any = None,
    label: str | None = None,
) -> Verdict:
    """Decide whether a hyperplane separates the two classes of y, and prove the answer.

    Parameters
    ----------
    X : array, CSR matrix or DataFrame of numbers; Decimal and Fraction are taken exactly, and
        floats as the binary numbers that they are. Or what `read` or `scan` gives, without y: a
        scan is mapped from its cache, so that it may be larger than memory
    y : two labels of any one type
    fit_intercept : False for hyperplanes through the origin only
    time_limit : seconds after which the search gives up and the status is 'undecided'
    random_state : seeds the order in which the search visits rows; the status does not depend
        on it, the certificate may. None is the same as 0
    positive : the label of sign +1; by default the larger of the two in sort order
    label : the name of the label column, for the proof file; by default the name of y, if any
    """
    X, y, label, reading = _from_files(X, y, label)
    table = read_table(X)
    labels = read_labels(y, table.n_rows, positive)
    name = label if label is not None else getattr(y, "name", None)
    return _certify(
        table,
        labels,
        true_or_false("fit_intercept", fit_intercept),
        seconds(time_limit),
        _seed(random_state),
        name if isinstance(name, str) else None,
        reading,
    )


def certify_classes(
    X: Any,
    y: Any = None,
    against: str = "rest",
    fit_intercept: bool = True,
    time_limit: float | None = None,
    random_state: Any = None,
) -> ClassVerdicts:
    """One verdict for each class against the rest, or for each pair of classes.

    against : 'rest' asks, for each class, whether it can be separated from all others; 'each'
        asks for every pair, on the rows of the two classes only
    time_limit : seconds for each verdict

    The other parameters are those of `certify`.
    """
    one_of("against", against, ("rest", "each"))
    X, y, _, reading = _from_files(X, y, None)
    table = read_table(X)
    found, codes = read_classes(y, table.n_rows)
    if len(found) < 2:
        raise InputError(f"y has 1 class ({_plain(found[0])!r}); at least 2 are needed.")
    options = (
        true_or_false("fit_intercept", fit_intercept),
        seconds(time_limit),
        _seed(random_state),
        None,
    )
    verdicts: dict[Any, Verdict] = {}
    selected: dict[Any, np.ndarray] = {}
    classes = [_plain(label) for label in found]
    if against == "rest":
        for k, label in enumerate(classes):
            signs = np.where(codes == k, 1, -1).astype(np.int8)
            rest = "rest" if str(label) != "rest" else "all others"
            verdicts[label] = _certify(table, Labels(signs, (rest, label)), *options)
            selected[label] = np.arange(table.n_rows)
        return ClassVerdicts(against, verdicts, selected, reading)
    for k, label in enumerate(classes):
        for m in range(k + 1, len(classes)):
            rows = np.flatnonzero((codes == k) | (codes == m))
            signs = np.where(codes[rows] == m, 1, -1).astype(np.int8)
            part = Table(
                table.matrix[rows],
                table.names,
                table.numbers,
                None if table.exact is None else table.exact[rows],
            )
            pair = label, classes[m]
            verdicts[pair] = _certify(part, Labels(signs, pair), *options)
            selected[pair] = rows
    return ClassVerdicts(against, verdicts, selected, reading)


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
    certificate: Certificate | None = None
    try:
        search(rows, clock, np.random.default_rng(seed), findings)
        clock.time_limit = None  # what is found is checked, however long that takes
        proposed = _proof(findings, Stamp.of(table, labels, fit_intercept, label, reading))
        with clock.stage("exact check"):
            proposed.check(table, labels.signs)
        certificate = proposed
    except (OutOfTimeError, CertificateError):  # never a guess
        pass
    places = [] if findings.obstruction is None else sorted(findings.obstruction[0].tolist())
    return Verdict(
        status="undecided" if certificate is None else certificate.status,
        certificate=certificate,
        rows=tuple(places if reading is None else map(reading.number, places)),
        how=tuple(findings.how),
        stages=clock.seconds,
        seconds=clock.spent(),
        labels=labels,
        signed_rows=rows,
        findings=findings,
        reading=reading,
    )


def _from_files(X: Any, y: Any, label: str | None) -> tuple[Any, Any, str | None, Reading | None]:
    """X, y, the label's name and how they were read, where X is what `read` or `scan` gives."""
    if not isinstance(X, (Data, Scan)):
        return X, y, label, None
    data = X.cached() if isinstance(X, Scan) else X
    if y is not None:
        raise InputError("X is a file, which has its labels; leave y out.")
    if data.y is None:
        raise InputError(f"{data.source} was read without labels; read it with them.")
    X = read_table(data.X)
    if X.names is None and data.names is not None:
        X = replace(X, names=data.names)
    return X, data.y, data.label if label is None else label, data.origin


def _proof(findings: Findings, stamp: Stamp) -> Certificate:
    """The certificate that the findings amount to; nothing is true before it is checked."""
    if findings.separator is not None:
        return Separator(findings.separator, stamp)
    if findings.spanning is not None:
        rows, multipliers = findings.spanning
        return Obstruction(tuple(rows.tolist()), tuple(multipliers), True, stamp)
    rows, multipliers = findings.obstruction  # type: ignore[misc]
    return QuasiSeparator(
        tuple(findings.weak_separator or ()), tuple(rows.tolist()), tuple(multipliers), stamp
    )


def _seed(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        draw = value.randint if isinstance(value, np.random.RandomState) else value.integers
        return int(draw(2**31))
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 0:
        raise InputError(
            f"random_state is {value!r}; it must be a non-negative integer, a numpy generator "
            "or None."
        )
    return int(value)


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
