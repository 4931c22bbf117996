"""The inequalities of the proof at every k: computed in floats, decided exactly where in doubt.

Squared, each inequality is one between rationals. Where the two sides in floats are closer than
their error bounds, the rationals decide, and give the slack as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.exact.along import SAFE_SIZE, ExactRun, Progress, Updates, norms_along
from novikoff.exact.bounds import SLACK, SMALLEST, SPARE, UNIT
from novikoff.exact.norms import largest_square
from novikoff.exact.roots import nearest_root, root_gap
from novikoff.exact.scores import nearest_float

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


class Inequalities:
    """A run, held against the separator v (integers, the offset last), or a margin, or both."""

    def __init__(self, updates: Updates, v: np.ndarray | None, margin: Fraction | None) -> None:
        self.n = len(updates.tape)
        self.k = np.arange(self.n + 1)
        self.starts_at_zero = not updates.start.any()
        self.square_radius = largest_square(updates.table, updates.fit_intercept)
        self.exact = ExactRun(updates, v)
        self.norms = norms_along(updates, self.exact)
        self.progress = None if v is None else Progress(updates, v, self.exact)
        self.given_margin = margin
        self.cosines = self._potential()
        self._draw_curves()

    @property
    def square_margin(self) -> Fraction | None:
        """γ², with its sign; None where no margin is given and there is no separator."""
        if self.given_margin is not None:
            return self.given_margin**2
        if self.progress is None:
            return None
        return self.progress.signed_square(self.progress.least)

    def _draw_curves(self) -> None:
        """w0·v + k·γ, √(‖w0‖² + k·R²) and √k·γ/R: each a few roundings from the truth."""
        first = nearest_root(self.exact.first_square)
        self.lower: np.ndarray | None = None
        self.least_cosine: np.ndarray | None = None
        square = self.square_margin
        with np.errstate(all="ignore"):  # each may be beyond the floats
            self.upper = np.hypot(first, np.sqrt(self.k) * nearest_root(self.square_radius))
            if square is None:
                return
            first = 0.0 if self.progress is None else self.progress.curve.values[0]
            self.lower = np.where(self.k, self.k * nearest_root(square), 0.0) + first
            if self.square_radius:
                ratio = nearest_root(square / self.square_radius)
                self.least_cosine = np.where(self.k, np.sqrt(self.k) * ratio, 0.0)

    def _potential(self) -> np.ndarray | None:
        """w·v/‖w‖, 0 where w = 0."""
        if self.progress is None:
            return None
        norms, products = self.norms.values, self.progress.curve.values
        extreme = np.zeros(len(norms), dtype=bool)
        for values in (norms, np.abs(products)):
            extreme |= ~((values > SAFE_SIZE) & (values < 1.0 / SAFE_SIZE)) & (values != 0.0)
        cosine = np.zeros_like(norms)
        np.divide(products, norms, out=cosine, where=(norms > 0.0) & ~extreme)
        for k in np.flatnonzero(extreme).tolist():
            product, square = self.exact.product(k), self.exact.square(k)
            if square:
                cosine[k] = nearest_root(self.progress.signed_square(product) / square)
        return cosine

    def checks(self) -> list[Check]:
        return [*self._progress_checks(), self._norm_check(), self._bound_check()]

    def _progress_checks(self) -> list[Check]:
        lower = "k·γ" if self.starts_at_zero else "w0·v + k·γ"
        progress, norms = self.progress, self.norms
        if progress is None and self.given_margin is None:
            note = "no separator was given, and none was found"
            formulas = {
                "progress": f"{lower} <= w·v",
                "cosine": "w·v <= ‖w‖",
                "potential": POTENTIAL,
            }
            return [Check(name, formula, None, note=note) for name, formula in formulas.items()]
        if progress is None:
            if not self.starts_at_zero:
                note = "with a start other than zero this needs a separator"
                return [Check("progress", "k·γ <= ‖w‖", None, note=note)]
            return [
                self._along(
                    "progress", "k·γ <= ‖w‖", self.lower, norms.values, norms.error_bounds,
                    lambda k, w: (w.square(k), (k * (self.given_margin or Fraction(0))) ** 2),
                )
            ]  # fmt: skip
        first = self._gain_check(f"{lower} <= w·v", progress)
        second = self._along(
            "cosine", "w·v <= ‖w‖", progress.curve.values, norms.values,
            progress.curve.error_bounds + norms.error_bounds,
            lambda k, w: (w.square(k), progress.signed_square(w.product(k))),
        )  # fmt: skip
        if not (self.starts_at_zero and first.holds is not None and self.square_radius):
            note = "it needs a start at zero and a separator"
            return [first, second, Check("potential", POTENTIAL, None, note=note)]
        return [first, second, self._potential_check(progress, self.cosines)]

    def _gain_check(self, formula: str, progress: Progress) -> Check:
        if self.given_margin is None and progress.least <= 0:
            margin = nearest_root(self.square_margin or Fraction(0))
            note = (
                f"the separator is on the wrong side of row {progress.worst_row + 1} "
                f"(margin {margin:.6g}), so it promises no progress"
            )
            return Check("progress", formula, None, note=note)

        def gained(k: int, w: ExactRun) -> tuple[Fraction, Fraction]:
            gain = w.product(k) - w.first_product
            if self.given_margin is None:  # the difference is rational without a square
                return progress.signed_square(gain - k * progress.least), Fraction(0)
            return progress.signed_square(gain), (k * self.given_margin) ** 2

        return self._along(
            "progress",
            formula,
            self.lower,
            progress.curve.values,
            progress.curve.error_bounds,
            gained,
        )

    def _potential_check(self, progress: Progress, cosine: Any) -> Check:
        """With the cosine off by at most (error_bound of w·v + |cosine|·error_bound of ‖w‖)/‖w‖."""
        norms = self.norms

        def squares(k: int, w: ExactRun) -> tuple[Fraction, Fraction]:
            weights, margin = w.square(k), self.square_margin or Fraction(0)
            right = progress.signed_square(w.product(k)) / weights if weights else Fraction(0)
            return right, k * margin / self.square_radius

        with np.errstate(divide="ignore", invalid="ignore"):
            error_bounds = (progress.curve.error_bounds + np.abs(cosine) * norms.error_bounds) / (
                norms.values - norms.error_bounds
            )
        error_bounds = np.where(
            norms.values > 2.0 * norms.error_bounds, SLACK * error_bounds, np.inf
        )
        return self._along("potential", POTENTIAL, self.least_cosine, cosine, error_bounds, squares)

    def _norm_check(self) -> Check:
        formula = "‖w‖ <= √k·R" if self.starts_at_zero else "‖w‖ <= √(‖w0‖² + k·R²)"
        return self._along(
            "norm", formula, self.norms.values, self.upper, self.norms.error_bounds,
            lambda k, w: (self.exact.first_square + k * self.square_radius, w.square(k)),
        )  # fmt: skip

    def _bound_check(self) -> Check:
        formula, square = "k <= (R/γ)²", self.square_margin
        if not self.starts_at_zero:
            return Check("bound", formula, None, note="it is promised for a start at zero only")
        if square is None or square <= 0:
            return Check("bound", formula, None, note="it needs a separator or a margin")
        most = self.square_radius / square
        slack = nearest_float(most - self.n)
        return Check(
            "bound", formula, slack >= 0, slack, None if slack >= 0 else math.floor(most) + 1
        )

    def _along(
        self,
        name: str,
        formula: str,
        left: Any,
        right: Any,
        error_bounds: Any,
        squares: Callable[[int, ExactRun], tuple[Fraction, Fraction]],
    ) -> Check:
        """left <= right at every k.

        `error_bounds` are those of numbers that were summed; the curves of `_draw_curves` are off
        by SPARE·u, and by η·n where γ underflows. `squares` gives those of right and left, with
        their signs.
        """
        with np.errstate(all="ignore"):
            slack = np.asarray(right - left)
            sizes = 2.0 * SPARE * UNIT * (np.abs(left) + np.abs(right))
            sure = np.abs(slack) > SLACK * (sizes + error_bounds) + (self.n + 1) * SMALLEST
        gaps = []
        for k in np.flatnonzero(~sure).tolist():
            gap = root_gap(*squares(k, self.exact))
            slack[k] = (gap > 0) - (gap < 0)
            gaps += [gap] if k else []
        failures = np.flatnonzero(slack < 0.0)
        first = int(failures[0]) if len(failures) else None
        sure[0] = False
        if sure.any():
            gaps.append(Fraction(float(slack[sure].min())))
        least = nearest_float(min(gaps)) if gaps else math.inf
        return Check(name, formula, first is None, least, first)
