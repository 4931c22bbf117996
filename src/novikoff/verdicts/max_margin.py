"""`max_margin`: the widest separator, with bounds on its margin that hold after rounding."""

from __future__ import annotations

import html
import numbers
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.certificates import Claim, Stamp, Witness
from novikoff.conventions import true_or_false
from novikoff.errors import InputError, NoTruthValue
from novikoff.exact.roots import root_up
from novikoff.inputs import Table, read_labels, row_numbers
from novikoff.search.clock import TIME_ENDED, Clock, OutOfTimeError
from novikoff.search.decide import Findings, search
from novikoff.search.margins import margin_below
from novikoff.search.signed_rows import SignedRows, range_scaled
from novikoff.search.threads import one_thread
from novikoff.search.widest import Widest
from novikoff.search.widest_exact import ExactWidest
from novikoff.verdicts.answer import listed
from novikoff.verdicts.arguments import read_arguments
from novikoff.verdicts.hyperplane import Hyperplane
from novikoff.verdicts.numerals import above, below
from novikoff.verdicts.verdict import Verdict
from novikoff.wording import keyword, table_html

if TYPE_CHECKING:
    from novikoff.inputs.type_aliases import LabelsLike, RowsLike
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan


MOST_LINES = 20  # of a table in a notebook
EXACT_DIM = 200  # columns up to which a support is solved for in exact arithmetic


@dataclass(frozen=True, eq=False)
class MaxMargin(NoTruthValue):
    """The widest separator that was found, and what is proven of the largest margin γ.

    Attributes
    ----------
    separator : the Claim of a separator whose margin is at least `lower`
    lower, upper : lower <= γ <= upper, both true after rounding
    support : the rows whose convex combination proves `upper`: an array of numbers in X, from 0
    geometric : False if γ is the margin of the rows with their constant 1, as in the mistake
        bound; True if it is the distance to the hyperplane, with a free offset
    within_rtol : whether upper <= (1 + rtol)·lower was reached
    table : the rows, for the names of columns and rows
    time_ended : whether the time limit ended the search
    """

    separator: Claim
    lower: float
    upper: float
    support: np.ndarray
    geometric: bool
    within_rtol: bool
    table: Table = field(repr=False)
    time_ended: bool = False
    ask_instead = "whether widest.lower, the proven margin, is large enough"

    @property
    def coef(self) -> np.ndarray:
        """w, as floats; weights that are exact integers or fractions are over the largest."""
        return self._weights[:-1]

    @property
    def intercept(self) -> float:
        """b, as a float; 0 without an offset."""
        return float(self._weights[-1])

    @property
    def _weights(self) -> np.ndarray:
        weights = self.separator.weights
        return weights if isinstance(weights, np.ndarray) else Hyperplane(weights).floats

    def __str__(self) -> str:
        which = "distance to the hyperplane" if self.geometric else "rows with their constant 1"
        if not self.separator.stamp.offset:
            which = "distance to the hyperplane through the origin"
        few = " (the bracket is as narrow as this method gets it)"
        if self.within_rtol or self.time_ended:
            few = f" ({TIME_ENDED})" * (not self.within_rtol)
        return (
            f"largest margin between {below(self.lower, 10)} and {above(self.upper, 10)} "
            f"({which}), held by {len(self.support)} rows{few}"
        )

    @property
    def support_names(self) -> list[Any]:
        """`support` as the DataFrame's index names its rows; their numbers where there is none."""
        return self.table.row_names(self.support)

    def _repr_html_(self) -> str:
        d, few = len(self._weights) - 1, self._weights[:MOST_LINES].tolist()
        n_weights = d + self.separator.stamp.offset
        entries = [
            ["offset" if j == d else self.table.column_name(j), f"{weight:.6g}"]
            for j, weight in enumerate(few[:n_weights])
        ]
        if n_weights > MOST_LINES:
            entries.append(["…", f"({n_weights} weights in all)"])
        text = html.escape(f"{self}: {listed(self.support_names, MOST_LINES)}.")
        return f"<p>{text}</p>{table_html(['column', 'weight'], entries)}"


def max_margin(
    X: RowsLike | Data | Scan | Verdict,
    y: LabelsLike | None = None,
    fit_intercept: bool = True,
    rtol: float = 1e-6,
    geometric: bool = False,
    time_limit: float | None = None,
    positive: Any = None,
    label: str | None = None,
) -> MaxMargin:
    """The hyperplane of largest margin between two separable classes, with a certified bracket.

    Parameters
    ----------
    X, y, fit_intercept, positive, label : as in `certify`; or X alone, a verdict of `certify`: its
        rows, labels and offset are taken, and the search for a separator is not made again
    rtol : the bracket is narrowed until upper <= (1 + rtol)·lower
    geometric : False for the margin of the rows with their constant 1, min sign·(w·x + b) over
        ‖(w, b)‖, which is the γ of the mistake bound; True for the distance to the hyperplane,
        min sign·(w·x + b)/‖w‖, which a support vector machine maximises
    time_limit : seconds after which the bracket reached so far is returned

    Raises InputError if the classes are not separable.
    """
    rtol = _positive("rtol", rtol)
    fit_intercept = true_or_false("fit_intercept", fit_intercept)
    findings = Findings()
    if isinstance(X, Verdict):
        _only_a_verdict(X, fit_intercept, y=y, positive=positive, label=label)
        X.check_rows("the margin")
        rows, labels, name = X.signed_rows, X.labels, None
        if X.certificate is not None:
            findings, name = X.findings, X.certificate.stamp.label
    else:
        table, y, name, _ = read_arguments(X, y, label)
        labels = read_labels(y, table.n_rows, positive)
        rows = SignedRows(table, labels.signs, fit_intercept)
    free = true_or_false("geometric", geometric) and rows.fit_intercept
    clock = Clock(None if time_limit is None else _positive("time_limit", time_limit))
    small = range_scaled(rows, constant=not free)
    widest = Widest(small.rows, free, clock)
    time_ended = False
    try:
        if not findings.is_done:
            search(rows, clock, np.random.default_rng(0), findings)
        if findings.separator is None:
            raise InputError(
                "the classes are not separable, so there is no margin; "
                "certify(X, y) shows which rows rule a separator out."
            )
        with one_thread(rows.dim):
            widest.start(small.inward(findings.separator))
            widest.close(rtol)
            if not widest.is_within(rtol) and rows.dim <= EXACT_DIM:
                _close_exactly(widest, small.rows, clock)
    except OutOfTimeError:
        time_ended = True
        if findings.separator is None:
            raise InputError(
                f"no separator was found in {time_limit} s; allow more time, "
                "or ask certify(X, y) whether there is one."
            ) from None
    stamp = Stamp.of(rows.table, labels, rows.fit_intercept, name)
    if widest.weights is None:  # its margin is positive, and smaller than any float
        widest.weights = small.inward(findings.separator)
    weights = small.outward(widest.weights)
    return MaxMargin(
        Claim.checked(weights, Witness(), stamp, rows.table, labels.signs),
        small.below(widest.lower),
        small.above(widest.upper),
        row_numbers(np.sort(widest.support)),
        free,
        widest.is_within(rtol),
        rows.table,
        time_ended,
    )


def _only_a_verdict(given: Verdict, fit_intercept: bool, **others: Any) -> None:
    """Refuse what would say again, or otherwise, what a verdict in place of X says."""
    for name, value in others.items():
        if value is not None:
            raise InputError(f"X is a verdict, which has its rows and labels; leave {name} out.")
    if given.fit_intercept and not fit_intercept:
        raise InputError(
            "X is a verdict on hyperplanes with an offset, and "
            f"fit_intercept is False; certify the rows with "
            f"{keyword('fit_intercept', False)} first."
        )


def _close_exactly(widest: Widest, rows: SignedRows, clock: Clock) -> None:
    """Solve for the support in exact arithmetic: then both bounds are the margin, rounded."""
    exact = ExactWidest(rows, widest.geometric, clock)
    exact.run(widest.support, 20 * rows.dim + 100)
    if not exact.weights:
        return
    lower = margin_below(rows, exact.weights, widest.geometric)
    if lower > widest.lower or widest.weights is None:
        widest.weights, widest.lower = exact.weights, lower
    upper = root_up(1 / sum(exact.shares, Fraction(0)))
    if upper < widest.upper:
        widest.upper, widest.support = upper, np.array(exact.support)


def _positive(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not float(value) > 0.0:
        raise InputError(f"{name} is {value!r}; it must be a positive number.")
    return float(value)
