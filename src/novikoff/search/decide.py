"""The whole search: from rows and signs to the parts of a certificate.

perceptron            large tables: it may end here, and its counts say which rows matter
one-signed columns    rows that a single column settles are set aside
conflicting rows      the same row with both signs
strict separator?     strict.py, on what is left
weak separator?       weak.py, unless a one-signed column is one
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.conflicts import conflicting_rows
from novikoff.search.peel import Peeled, peel
from novikoff.search.perceptron import run_perceptron
from novikoff.search.proposers import Blocked
from novikoff.search.sharpened import sharpened
from novikoff.search.shrunk import shrunk
from novikoff.search.signed_rows import SignedRows, Weights
from novikoff.search.strict import Separated, decide_strict, first_rows
from novikoff.search.threads import one_thread
from novikoff.search.weak import Spanned, decide_weak

LARGE = 1_000_000  # numbers: from here on compiled passes pay


@dataclass
class Findings:
    """What the search has found so far: complete when it ends, partial when time runs out."""

    separator: Weights | None = None
    weak_separator: Sequence[int] | None = None
    obstruction: tuple[np.ndarray, Sequence[int]] | None = None  # few rows, and their multipliers
    spanning: tuple[np.ndarray, Sequence[int]] | None = None  # an obstruction that spans all rows
    balance: tuple[np.ndarray, np.ndarray] | None = None  # rows and weights that nearly balance
    how: list[str] = field(default_factory=list)


def search(z: SignedRows, clock: Clock, random: np.random.Generator, findings: Findings) -> None:
    """Fill in `findings` until they are a proof of one status. Raises OutOfTimeError."""
    small = shrunk(z)
    with clock.stage("columns near others"), one_thread(z.dim):
        sharp = sharpened(small.rows)
    try:
        _search(sharp.rows, clock, random, findings)
    finally:
        if findings.separator is not None:
            findings.separator = small.outward(sharp.outward(findings.separator))
        if findings.weak_separator is not None:
            findings.weak_separator = small.outward(sharp.outward(findings.weak_separator))


def _search(z: SignedRows, clock: Clock, random: np.random.Generator, findings: Findings) -> None:
    with one_thread(z.dim):
        counts = None
        if z.n_rows * z.dim > LARGE:
            counts = _warm_up(z, clock, random, findings)
        if findings.separator is None:
            with clock.stage("one-signed columns"):
                peeled = peel(z)
            _decide(z, peeled, counts, clock, findings)


def _warm_up(
    z: SignedRows, clock: Clock, random: np.random.Generator, findings: Findings
) -> np.ndarray:
    """Run the perceptron; keep what it found, and return its mistakes on each row."""
    with clock.stage("perceptron"):
        warm = run_perceptron(z, random, clock)
        touched = np.flatnonzero(warm.counts)
        findings.balance = touched, warm.counts[touched].astype(np.float64)
        if warm.clean and len(z.opposed(warm.w, strict=True)) == 0:
            findings.separator = warm.w
            findings.how.append("perceptron")
    return warm.counts


def _decide(
    z: SignedRows, peeled: Peeled, counts: np.ndarray | None, clock: Clock, findings: Findings
) -> None:
    if peeled.rounds:
        findings.weak_separator = peeled.weak_separator()
        findings.how.append("one-signed columns")
    answer: Separated | Blocked = Separated(np.zeros(z.table.n_columns + 1), "")
    if peeled.rest.n_rows:
        answer = _strict(peeled.rest, counts, clock)
        findings.how.append(answer.how)
    if isinstance(answer, Blocked):
        findings.obstruction = answer.rows, answer.multipliers
        if findings.weak_separator is None:
            _decide_weak(peeled.rest, answer, clock, findings)
        return
    findings.separator = answer.weights
    if peeled.rounds:
        weights = peeled.extend(answer.weights)
        if weights is None or len(z.opposed(weights, strict=True)):
            findings.separator = peeled.extend_exactly(answer.weights)
        else:
            findings.separator = weights


def _strict(z: SignedRows, counts: np.ndarray | None, clock: Clock) -> Separated | Blocked:
    with clock.stage("conflicting rows"):
        pair = conflicting_rows(z, counts)
    if pair is not None:
        return Blocked(pair, [1] * len(pair), first_rows(z, counts), "conflicting rows")
    return decide_strict(z, clock, counts)


def _decide_weak(z: SignedRows, blocked: Blocked, clock: Clock, findings: Findings) -> None:
    answer = decide_weak(z, blocked, clock)
    if isinstance(answer, Spanned):
        findings.spanning = answer.rows, answer.multipliers
    else:
        findings.weak_separator = answer.weights
