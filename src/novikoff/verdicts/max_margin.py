"""`max_margin`: the widest separator, with bounds on its margin that hold after rounding."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates import Separator, Stamp
from novikoff.conventions import true_or_false
from novikoff.errors import InputError
from novikoff.exact.roots import root_up
from novikoff.inputs import read_labels, read_table
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.decide import Findings, search
from novikoff.search.margins import margin_below
from novikoff.search.signed_rows import SignedRows
from novikoff.search.threads import one_thread
from novikoff.search.widest import Widest
from novikoff.search.widest_exact import ExactWidest
from novikoff.verdicts.verdict import Verdict

EXACT_DIM = 200  # columns up to which a support is solved for in exact arithmetic


@dataclass(frozen=True, eq=False)
class MaxMargin:
    """The widest separator that was found, and what is proven of the largest margin γ.

    Attributes
    ----------
    separator : a Separator whose margin is at least `lower`
    lower, upper : lower <= γ <= upper, both true after rounding
    support : the rows whose convex combination proves `upper`, by number in X, from 0
    geometric : False if γ is the margin of the rows with their constant 1, as in the mistake
        bound; True if it is the distance to the hyperplane, with a free offset
    within_rtol : whether upper <= (1 + rtol)·lower was reached
    """

    separator: Separator
    lower: float
    upper: float
    support: tuple[int, ...]
    geometric: bool
    within_rtol: bool

    @property
    def coef(self) -> np.ndarray:
        """w, as floats."""
        return self._weights[:-1]

    @property
    def intercept(self) -> float:
        """b, as a float; 0 without an offset."""
        return float(self._weights[-1])

    @property
    def _weights(self) -> np.ndarray:
        weights = self.separator.weights
        if isinstance(weights, np.ndarray):
            return weights
        largest = max(abs(Fraction(value)) for value in weights)
        return np.array([float(Fraction(value) / largest) for value in weights])

    def __str__(self) -> str:
        which = "distance to the hyperplane" if self.geometric else "rows with their constant 1"
        if not self.separator.stamp.offset:
            which = "distance to the hyperplane through the origin"
        few = "" if self.within_rtol else " (the bracket is as narrow as this method gets it)"
        return (
            f"largest margin between {self.lower:.10g} and {self.upper:.10g} ({which}), "
            f"held by {len(self.support)} rows{few}"
        )


def max_margin(
    X: Any,
    y: Any,
    fit_intercept: bool = True,
    rtol: float = 1e-6,
    geometric: bool = False,
    time_limit: float | None = None,
    positive: Any = None,
    label: str | None = None,
    verdict: Verdict | None = None,
) -> MaxMargin:
    """The hyperplane of largest margin between two separable classes, with a certified bracket.

    Parameters
    ----------
    X, y, fit_intercept, positive, label : as in `certify`
    rtol : the bracket is narrowed until upper <= (1 + rtol)·lower
    geometric : False for the margin of the rows with their constant 1, min sign·(w·x + b) over
        ‖(w, b)‖, which is the γ of the mistake bound; True for the distance to the hyperplane,
        min sign·(w·x + b)/‖w‖, which a support vector machine maximises
    time_limit : seconds after which the bracket reached so far is returned
    verdict : what `certify` said of these rows, where it is at hand: the search for a separator
        is not made again. What comes out is checked against X and y all the same

    Raises InputError if the classes are not separable.
    """
    rtol = _positive("rtol", rtol)
    table = read_table(X)
    labels = read_labels(y, table.n_rows, positive)
    fit_intercept = true_or_false("fit_intercept", fit_intercept)
    free = true_or_false("geometric", geometric) and fit_intercept
    clock = Clock(None if time_limit is None else _positive("time_limit", time_limit))
    rows = SignedRows(table, labels.signs, fit_intercept)
    widest = Widest(rows, free, clock)
    known = _known(verdict, rows)
    findings = known or Findings()
    try:
        if known is None:
            search(rows, clock, np.random.default_rng(0), findings)
        if findings.separator is None:
            raise InputError(
                "the classes are not separable, so there is no margin; "
                "certify(X, y) shows which rows rule a separator out."
            )
        with one_thread(rows.dim):
            widest.start(findings.separator)
            widest.close(rtol)
            if not widest.is_within(rtol) and rows.dim <= EXACT_DIM:
                _close_exactly(widest, rows, clock)
    except OutOfTimeError:
        if widest.weights is None:
            raise InputError(
                f"no separator was found in {time_limit} s; allow more time, "
                "or ask certify(X, y) whether there is one."
            ) from None
    name = label if label is not None else getattr(y, "name", None)
    stamp = Stamp.of(table, labels, fit_intercept, name if isinstance(name, str) else None)
    separator = Separator(widest.weights, stamp)
    separator.check(table, labels.signs)
    return MaxMargin(
        separator,
        widest.lower,
        widest.upper,
        tuple(sorted(widest.support.tolist())),
        free,
        widest.is_within(rtol),
    )


def _known(verdict: Verdict | None, rows: SignedRows) -> Findings | None:
    """What a verdict has found, if it has decided; CertificateError if it is about other rows."""
    if verdict is None or verdict.certificate is None:
        return None
    told = verdict.signed_rows
    if told.fit_intercept != rows.fit_intercept:
        raise InputError("verdict and fit_intercept do not agree about the offset.")
    if told.table is not rows.table or not np.array_equal(told.signs, rows.signs):
        verdict.certificate.stamp.check_data(rows.table, rows.signs)
    return verdict.findings


def _close_exactly(widest: Widest, rows: SignedRows, clock: Clock) -> None:
    """Solve for the support in exact arithmetic: then both bounds are the margin, rounded."""
    exact = ExactWidest(rows, widest.geometric, clock)
    exact.run(widest.support, 20 * rows.dim + 100)
    if not exact.weights:
        return
    lower = margin_below(rows, exact.weights, widest.geometric)
    if lower > widest.lower:
        widest.weights, widest.lower = exact.weights, lower
    upper = root_up(1 / sum(exact.shares, Fraction(0)))
    if upper < widest.upper:
        widest.upper, widest.support = upper, np.array(exact.support)


def _positive(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not float(value) > 0.0:
        raise InputError(f"{name} is {value!r}; it must be a positive number.")
    return float(value)
