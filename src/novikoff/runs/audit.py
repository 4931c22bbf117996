"""The mistake bound and its proof, checked along a run.

Block and Novikoff (1962): let v be a unit vector with sign·(row·v) >= γ on every row, let R
be the largest norm of a row, and let w start at w0. After k mistakes

    w0·v + k·γ  <=  w·v  <=  ‖w‖  <=  √(‖w0‖² + k·R²)

and so, from w0 = 0, the potential w·v/‖w‖ rises at least as √k·γ/R, never above 1, and
k <= (R/γ)². Each inequality is computed in floats at every k; where
rounding leaves one in doubt, it is decided in exact rationals (inequalities.py).
"""

from __future__ import annotations

import html
import numbers
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError, NoTruthValue
from novikoff.exact.along import Updates
from novikoff.exact.roots import nearest_root
from novikoff.exact.scores import nearest_float
from novikoff.exact.weights import integers_of_fractions
from novikoff.inputs import Table
from novikoff.runs.inequalities import Check, Inequalities
from novikoff.wording import count, number, table_html

SEARCH_SECONDS = 10.0  # for a separator, where none is given
OUTCOMES = {True: "holds", False: "FAILS", None: "not checked"}


@dataclass(frozen=True, eq=False)
class Audit(NoTruthValue):
    """What the theorem promises and what the run did, at every k = 0 … n_mistakes.

    The numbers are rounded to floats for reading, and infinite beyond them; the checks rest on
    exact ones.
    """

    n_mistakes: int
    radius: float
    margin: float | None
    margin_source: str
    bound: float | None
    checks: tuple[Check, ...]
    k: np.ndarray = field(repr=False)
    lower: np.ndarray | None = field(repr=False)  # w0·v + k·γ
    progress: np.ndarray | None = field(repr=False)  # w·v
    norm: np.ndarray = field(repr=False)  # ‖w‖
    upper: np.ndarray = field(repr=False)  # √(‖w0‖² + k·R²)
    potential: np.ndarray | None = field(repr=False)  # w·v / ‖w‖, a cosine; 0 where w = 0
    ask_instead = "audit.holds"

    @property
    def holds(self) -> bool:
        """True if no inequality that could be checked is violated."""
        return all(check.holds is not False for check in self.checks)

    def __str__(self) -> str:
        facts = [f"radius R = {number(self.radius)}"]
        if self.margin is not None:
            facts.append(f"margin γ = {number(self.margin)} ({self.margin_source})")
        if self.bound is not None:
            facts.append(f"bound (R/γ)² = {number(self.bound)}")
        facts.append(count(self.n_mistakes, "mistake"))
        width = max(len(check.formula) for check in self.checks)
        entries = [self._entry(check, width) for check in self.checks]
        return "\n".join(["Audit: " + ", ".join(facts), *entries])

    def _repr_html_(self) -> str:
        entries = []
        for check in self.checks:
            slack = "" if check.slack is None else f"{check.slack:.3g}"
            first = "" if check.first_failure is None else f"first at k = {check.first_failure}"
            entries.append((check.formula, OUTCOMES[check.holds], slack, first or check.note))
        title = html.escape(str(self).partition("\n")[0])
        headers = ("inequality", "outcome", "smallest slack", "")
        return f"<p>{title}</p>{table_html(headers, entries)}"

    @staticmethod
    def _entry(check: Check, width: int) -> str:
        text = f"  {check.formula.ljust(width)}  {OUTCOMES[check.holds]}"
        if check.slack is not None:
            text += f", smallest slack {check.slack:.3g}"
        if check.first_failure is not None:
            text += f", first at k = {check.first_failure}"
        return text + (f": {check.note}" if check.note else "")


def audit(
    table: Table,
    signs: np.ndarray,
    fit_intercept: bool,
    start: np.ndarray,
    tape: np.ndarray,
    margin: float | Fraction | Decimal | None = None,
    separator: Any = None,
    last_weights: list[Fraction] | None = None,
    search: bool = True,
) -> Audit:
    """Check the theorem along the run whose mistakes are `tape`."""
    claimed = None if margin is None else _read_margin(margin)
    source = "given" if margin is not None else "of the given separator"
    v: list[Fraction] | None = None
    if separator is not None:
        v = read_separator(separator, table.n_columns, fit_intercept)
    elif margin is None and search:
        v, source = _widest(table, signs, fit_intercept, last_weights)
    elif margin is None:
        v, source = last_weights, "of the run's own last weights"
    updates = Updates(table, signs, fit_intercept, start, tape)
    weights = None if v is None else integers_of_fractions(v)
    found = Inequalities(updates, weights, claimed)
    return _as_audit(found, source)


def _read_margin(margin: Any) -> Fraction:
    try:
        is_exact = isinstance(margin, (numbers.Rational, Decimal))
        exact = margin if is_exact else float(margin)
        is_number = isinstance(margin, (numbers.Real, Decimal))
        claimed = Fraction(exact) if is_number else Fraction(0)
    except (TypeError, ValueError, OverflowError):  # among them NaN and infinity
        claimed = Fraction(0)
    if claimed <= 0:
        raise InputError(f"margin is {margin!r}; it must be a positive number.")
    return claimed


def _as_audit(found: Inequalities, source: str) -> Audit:
    square, margin, bound = found.square_margin, None, None
    if found.given_margin is not None:
        margin = nearest_float(found.given_margin)
    elif square is not None:
        margin = nearest_root(square)
    if found.starts_at_zero and square is not None and square > 0:
        bound = nearest_float(found.square_radius / square)
    progress = None if found.progress is None else found.progress.curve.values
    return Audit(
        found.n, nearest_root(found.square_radius), margin, source if margin is not None else "",
        bound, tuple(found.checks()), found.k, found.lower, progress,
        found.norms.values, found.upper, found.cosines,
    )  # fmt: skip


def _widest(
    table: Table, signs: np.ndarray, fit_intercept: bool, last_weights: list[Fraction] | None
) -> tuple[list[Fraction] | None, str]:
    """The separator of largest margin where there is one, else a converged run's own weights."""
    from novikoff.verdicts.max_margin import max_margin

    try:
        found = max_margin(table, signs, fit_intercept=fit_intercept, time_limit=SEARCH_SECONDS)
    except InputError:
        return last_weights, "of the run's own last weights"
    return [Fraction(value) for value in found.separator.weights], "the largest, to six figures"


def read_separator(separator: Any, n_columns: int, fit_intercept: bool) -> list[Fraction]:
    """(w, b), weights with the offset last, or an object with `weights`, as d + 1 fractions."""
    separator = getattr(separator, "separator", separator)  # of what max_margin gives
    given = getattr(separator, "weights", separator)
    if isinstance(given, tuple) and len(given) == 2 and np.ndim(given[0]) == 1:
        given = [*given[0], given[1]]
    try:
        numbers_given = np.asarray(given, dtype=object).ravel().tolist()
        if any(isinstance(value, (str, bytes)) for value in numbers_given):
            raise TypeError
        entries = [Fraction(value) for value in numbers_given]
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"separator is {separator!r}; it must be finite numbers.") from None
    if len(entries) == n_columns and not fit_intercept:
        entries.append(Fraction(0))
    if len(entries) != n_columns + 1 or not any(entries):
        raise InputError(
            f"separator has {len(entries)} entries{'' if any(entries) else ', all zero'}; "
            f"{n_columns + bool(fit_intercept)} are needed"
            f"{' (the offset last)' if fit_intercept else ''}, not all zero."
        )
    if entries[-1] and not fit_intercept:
        raise InputError("separator has an offset, but the run has none; leave it out.")
    return entries
