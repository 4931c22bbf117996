"""The mistake bound and its proof, checked along a run.

Block and Novikoff (1962): let v be a unit vector with sign·(row·v) >= γ on every row, let R
be the largest norm of a row, and let w start at w0. After k mistakes

    w0·v + k·γ  <=  w·v  <=  ‖w‖  <=  √(‖w0‖² + k·R²)

and so, from w0 = 0, the potential w·v/‖w‖ rises at least as √k·γ/R, never above 1, and
k <= (R/γ)². Each inequality is computed in floats at every k; where
rounding leaves one in doubt, it is decided in exact rationals.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.exact.weights import ExactWeights
from novikoff.inputs import Table
from novikoff.runs.replay import Replay, as_float, dot, fractions, near, root

TINY = 2.0**-500  # more than underflow can take from a norm, as a share of the radius
SEARCH_SECONDS = 10.0  # for a separator, where none is given
POTENTIAL = "√k·γ/R <= w·v/‖w‖"


@dataclass(frozen=True)
class Check:
    """One inequality along the run.

    `holds` is None where it could not be checked, and `note` says why. `slack` is right side
    minus left side where that is smallest over k >= 1 (infinite without a mistake), and
    `first_failure` the first k at which it is violated.
    """

    name: str
    formula: str
    holds: bool | None
    slack: float | None = None
    first_failure: int | None = None
    note: str = ""


@dataclass(frozen=True, eq=False)
class Audit:
    """What the theorem promises and what the run did, at every k = 0 … n_mistakes."""

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

    @property
    def holds(self) -> bool:
        """True if no inequality that could be checked is violated."""
        return all(check.holds is not False for check in self.checks)

    @property
    def potential(self) -> np.ndarray | None:
        """w·v / ‖w‖, the cosine between the weights and the separator; 0 where w = 0."""
        if self.progress is None:
            return None
        cosine = np.zeros_like(self.norm)
        np.divide(self.progress, self.norm, out=cosine, where=self.norm > 0)
        return cosine

    def __str__(self) -> str:
        facts = [f"radius R = {self.radius:.6g}"]
        if self.margin is not None:
            facts.append(f"margin γ = {self.margin:.6g} ({self.margin_source})")
        if self.bound is not None:
            facts.append(f"bound (R/γ)² = {self.bound:.6g}")
        facts.append(f"{self.n_mistakes} mistake{'s' * (self.n_mistakes != 1)}")
        width = max(len(check.formula) for check in self.checks)
        lines = [self._line(check, width) for check in self.checks]
        return "\n".join(["Audit: " + ", ".join(facts), *lines])

    @staticmethod
    def _line(check: Check, width: int) -> str:
        word = {True: "holds", False: "FAILS", None: "not checked"}[check.holds]
        text = f"  {check.formula.ljust(width)}  {word}"
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
    margin: float | None = None,
    separator: Any = None,
    last_weights: list[Fraction] | None = None,
    search: bool = True,
) -> Audit:
    """Check the theorem along the run whose mistakes are `tape`."""
    if margin is not None and not (
        isinstance(margin, numbers.Real) and math.isfinite(margin) and margin > 0
    ):
        raise InputError(f"margin is {margin!r}; it must be a positive number.")
    replay = Replay(table, signs, fit_intercept, start, tape)
    source = "given" if margin is not None else "of the given separator"
    v: list[Fraction] | None = None
    if separator is not None:
        v = read_separator(separator, table.n_columns, fit_intercept)
    elif margin is None and search:
        v, source = _widest(table, signs, fit_intercept, last_weights)
    elif margin is None:
        v, source = last_weights, "of the run's own last weights"
    return _Auditor(replay, v, margin, source).audit()


def _widest(
    table: Table, signs: np.ndarray, fit_intercept: bool, last_weights: list[Fraction] | None
) -> tuple[list[Fraction] | None, str]:
    """The separator of largest margin where there is one, else a converged run's own weights."""
    from novikoff.verdicts.max_margin import max_margin

    try:
        found = max_margin(table, signs, fit_intercept=fit_intercept, time_limit=SEARCH_SECONDS)
    except InputError:
        return last_weights, "of the run's own last weights"
    return fractions(found.separator.weights), "the largest, to six figures"


def read_separator(separator: Any, n_columns: int, fit_intercept: bool) -> list[Fraction]:
    """(w, b), weights with the offset last, or an object with `weights`, as d + 1 fractions."""
    given = getattr(separator, "weights", separator)
    if isinstance(given, tuple) and len(given) == 2 and np.ndim(given[0]) == 1:
        given = [*given[0], given[1]]
    try:
        entries = [Fraction(value) for value in np.asarray(given, dtype=object).ravel()]
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


class _Auditor:
    def __init__(
        self, replay: Replay, v: list[Fraction] | None, margin: float | None, source: str
    ) -> None:
        self.replay, self.v, self.source = replay, v, source
        self.n = len(replay.tape)
        self.k = np.arange(self.n + 1)
        exact = replay.exact()
        self.square_radius = replay.largest_square()
        self.radius = root(self.square_radius)
        self.first_square = dot(replay.first, replay.first)
        self.norm = replay.norms(math.ldexp(1.0, min(math.frexp(self.radius)[1], 1023)))
        self.upper = np.hypot(root(self.first_square), np.sqrt(self.k) * self.radius)
        self.noise = 8.0 * (self.n + len(replay.start) + 8) * 2.0**-53
        # What rounding can do to ‖w‖: updates that cancel leave their errors behind.
        added = root(self.first_square) + self.k * self.radius
        self.norm_noise = 8.0 * (self.k + len(replay.start) + 8) * 2.0**-53 * added + TINY * added
        self.given_margin = None if margin is None else Fraction(margin)
        self.margin = margin
        self.lower: np.ndarray | None = None
        self.progress: np.ndarray | None = None
        if v is not None:
            self._measure(v, exact)
        elif margin is not None:
            self.lower = self.k * margin

    def _measure(self, v: list[Fraction], exact: ExactWeights) -> None:
        """The separator's margin on all rows and w·v along the run."""
        self.square_v = dot(v, v)
        length = root(self.square_v)
        floats = np.array([float(value) for value in v])
        scores = self.replay.scores(floats)
        close = near(scores, scores.min(), float(np.abs(scores).max()))
        worst = min(close, key=lambda i: exact.row(i).dot(v) * int(self.replay.signs[i]))
        self.least = exact.row(worst).dot(v) * int(self.replay.signs[worst])
        self.worst_row = worst
        self.first_progress = dot(self.replay.first, v)
        steps = scores[self.replay.tape]
        progress = float(self.first_progress) + np.concatenate([[0.0], np.cumsum(steps)])
        self.progress = progress / length
        self.progress_noise = self.noise * (np.abs(steps).sum() + abs(float(self.first_progress)))
        if self.given_margin is None:
            self.margin = float(self.least) / length
        self.lower = float(self.first_progress) / length + self.k * float(self.margin or 0.0)

    def audit(self) -> Audit:
        checks = [*self._progress_checks(), self._norm_check(), self._bound_check()]
        bound = None
        if self.replay.starts_at_zero and self.margin is not None and self.margin > 0:
            ratio = self.radius / self.margin
            bound = ratio * ratio
        return Audit(
            self.n, self.radius, self.margin, self.source if self.margin is not None else "",
            bound, tuple(checks), self.k, self.lower, self.progress, self.norm, self.upper,
        )  # fmt: skip

    def _progress_checks(self) -> list[Check]:
        zero = self.replay.starts_at_zero
        lower = "k·γ" if zero else "w0·v + k·γ"
        if self.v is None and self.given_margin is None:
            note = "no separator was given, and none was found"
            return [
                Check("progress", f"{lower} <= w·v", None, note=note),
                Check("cosine", "w·v <= ‖w‖", None, note=note),
                Check("potential", POTENTIAL, None, note=note),
            ]
        if self.v is None or self.progress is None:
            if not zero:
                note = "with a start other than zero this needs a separator"
                return [Check("progress", "k·γ <= ‖w‖", None, note=note)]
            return [
                self._along(
                    "progress", "k·γ <= ‖w‖", self.lower, self.norm, self.norm_noise,
                    self._norm_over,
                )
            ]  # fmt: skip
        if self.given_margin is None and self.least <= 0:
            note = (
                f"the separator is on the wrong side of row {self.worst_row + 1} "
                f"(margin {self.margin:.6g}), so it promises no progress"
            )
            first = Check("progress", f"{lower} <= w·v", None, note=note)
        else:
            first = self._along(
                "progress", f"{lower} <= w·v", self.lower, self.progress,
                self.progress_noise / root(self.square_v), self._progress_over,
            )  # fmt: skip
        second = self._along(
            "cosine", "w·v <= ‖w‖", self.progress, self.norm,
            self.progress_noise / root(self.square_v) + self.norm_noise, self._cosine,
        )  # fmt: skip
        if not (zero and first.holds is not None and self.radius):
            note = "it needs a start at zero and a separator"
            return [first, second, Check("potential", POTENTIAL, None, note=note)]
        with np.errstate(invalid="ignore", divide="ignore"):
            cosine = np.where(self.norm > 0, self.progress / self.norm, 0.0)
            noise = (self.progress_noise / root(self.square_v) + self.norm_noise) / self.norm
            least = np.sqrt(self.k) * (self.margin or 0.0) / self.radius
        third = self._along("potential", POTENTIAL, least, cosine, noise, self._potential)
        return [first, second, third]

    def _norm_check(self) -> Check:
        zero = self.replay.starts_at_zero
        formula = "‖w‖ <= √k·R" if zero else "‖w‖ <= √(‖w0‖² + k·R²)"
        return self._along(
            "norm", formula, self.norm, self.upper, self.norm_noise, self._norm_under
        )

    def _bound_check(self) -> Check:
        if not self.replay.starts_at_zero:
            return Check(
                "bound", "k <= (R/γ)²", None, note="it is promised for a start at zero only"
            )
        if self.margin is None or self.margin <= 0:
            return Check("bound", "k <= (R/γ)²", None, note="it needs a separator or a margin")
        if self.given_margin is not None:
            square_margin = self.given_margin**2
        else:
            square_margin = self.least**2 / self.square_v
        slack = self.square_radius / square_margin - self.n
        return Check(
            "bound", "k <= (R/γ)²", slack >= 0, as_float(slack),
            None if slack >= 0 else int(self.square_radius / square_margin) + 1,
        )  # fmt: skip

    def _along(
        self,
        name: str,
        formula: str,
        left: Any,
        right: Any,
        noise: Any,
        exact: Callable[[int, ExactWeights], Fraction],
    ) -> Check:
        """left <= right at every k; `exact` gives a number of the sign of right − left."""
        slack = right - left
        with np.errstate(over="ignore"):
            doubt = self.noise * (np.abs(left) + np.abs(right)) + noise
        holds = slack > 0
        weights, seen = self.replay.exact(), 0
        with np.errstate(invalid="ignore"):
            unsure = np.flatnonzero(~(np.abs(slack) > doubt))
        slack = slack.copy()
        for k in unsure.tolist():
            weights.add(self.replay.tape[seen:k])
            seen = k
            truth = exact(k, weights)
            holds[k] = truth >= 0
            slack[k] = max(slack[k], 0.0) if truth > 0 else min(slack[k], 0.0) if truth < 0 else 0.0
        failures = np.flatnonzero(~holds)
        first = int(failures[0]) if len(failures) else None
        return Check(name, formula, first is None, float(slack[1:].min(initial=np.inf)), first)

    # The inequalities without roots, as exact numbers of the sign of right − left.

    def _progress_over(self, k: int, w: ExactWeights) -> Fraction:
        gained = w.dot(self.v or []) - self.first_progress
        if self.given_margin is None:
            return gained - k * self.least
        promised = (k * self.given_margin) ** 2 * self.square_v
        return gained * abs(gained) - promised

    def _cosine(self, _k: int, w: ExactWeights) -> Fraction:
        progress = w.dot(self.v or [])
        return w.square() * self.square_v - (progress * progress if progress > 0 else 0)

    def _potential(self, k: int, w: ExactWeights) -> Fraction:
        progress = w.dot(self.v or [])
        if self.given_margin is None:
            promised = k * self.least**2 * w.square()
        else:
            promised = k * self.given_margin**2 * self.square_v * w.square()
        return progress * abs(progress) * self.square_radius - promised

    def _norm_over(self, k: int, w: ExactWeights) -> Fraction:
        return w.square() - (k * (self.given_margin or 0)) ** 2

    def _norm_under(self, k: int, w: ExactWeights) -> Fraction:
        return self.first_square + k * self.square_radius - w.square()
