"""The inequalities of the proof at every k: computed in floats, decided exactly where in doubt.

Both sides are kept in units of 2^exponent, so that neither they nor their squares leave the
floats' range. Squared, each inequality is one between rationals: where the sides are closer than
what rounding can have done, the rationals decide, and give the slack as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.exact.bounds import SLACK, SMALLEST, SPARE, UNIT
from novikoff.exact.norms import largest_square, scaled
from novikoff.exact.progress import Gains, Progress
from novikoff.exact.roots import nearest_root, root_gap
from novikoff.exact.running import Updates, norms_along
from novikoff.exact.scores import nearest_float
from novikoff.runs.check import Check

POTENTIAL = "√k·γ/R <= w·v/‖w‖"


class Inequalities:
    """A run, held against the separator v (integers, the offset last), or a margin, or both."""

    def __init__(self, updates: Updates, v: np.ndarray | None, margin: Fraction | None) -> None:
        self.updates = updates
        self.n = len(updates.tape)
        self.k = np.arange(self.n + 1)
        self.starts_at_zero = not updates.start.any()
        self.square_radius = largest_square(updates.table, updates.fit_intercept)
        start = [Fraction(value) for value in updates.start.tolist()]
        self.first_square = sum((value * value for value in start), Fraction(0))
        self.norms = norms_along(updates, self.square_radius)
        self.unit = Fraction(2) ** self.norms.exponent
        self.progress = None if v is None else Progress(updates, v, self.norms.exponent)
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
        first, unit = nearest_root(self.first_square / self.unit**2), self.unit**2
        self.upper = np.hypot(first, np.sqrt(self.k) * nearest_root(self.square_radius / unit))
        self.lower: np.ndarray | None = None
        self.least_cosine: np.ndarray | None = None
        square = self.square_margin
        if square is None:
            return
        margin = nearest_root(square / unit)
        first = 0.0 if self.progress is None else self.progress.curve.values[0]
        with np.errstate(all="ignore"):  # a claimed margin may be beyond the floats
            self.lower = np.where(self.k, self.k * margin, 0.0) + first
            if self.square_radius:
                ratio = nearest_root(square / self.square_radius)
                self.least_cosine = np.where(self.k, np.sqrt(self.k) * ratio, 0.0)

    def _potential(self) -> np.ndarray | None:
        """w·v/‖w‖, 0 where w = 0."""
        if self.progress is None:
            return None
        norms, curve = self.norms, self.progress.curve
        cosine = np.zeros_like(norms.values)
        np.divide(curve.values, norms.values, out=cosine, where=norms.values > 0.0)
        for k in norms.squares.keys() | curve.squares.keys():
            square = norms.square(k)
            cosine[k] = nearest_root(curve.square(k) / square) if square else 0.0
        return cosine

    def plain_lower(self) -> np.ndarray | None:
        """w0·v + k·γ as floats, infinite beyond them."""
        if self.lower is None:
            return None
        plain = scaled(self.lower, self.norms.exponent)
        if self.progress is not None:
            plain[0] = nearest_root(self.progress.curve.square(0))
        return np.asarray(plain)

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
                    "progress", "k·γ <= ‖w‖", self.lower, norms.values, norms.doubts,
                    lambda k, w: (w.square(k), (k * (self.given_margin or Fraction(0))) ** 2),
                )
            ]  # fmt: skip
        first = self._gain_check(f"{lower} <= w·v", progress)
        second = self._along(
            "cosine", "w·v <= ‖w‖", progress.curve.values, norms.values,
            progress.curve.doubts + norms.doubts,
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

        def gained(k: int, w: _Exactly) -> tuple[Fraction, Fraction]:
            gain = w.product(k) - progress.first
            if self.given_margin is None:  # the difference is rational without a square
                return progress.signed_square(gain - k * progress.least), Fraction(0)
            return progress.signed_square(gain), (k * self.given_margin) ** 2

        return self._along(
            "progress", formula, self.lower, progress.curve.values, progress.curve.doubts, gained
        )

    def _potential_check(self, progress: Progress, cosine: Any) -> Check:
        """With the cosine off by at most (doubt of w·v + |cosine|·doubt of ‖w‖)/‖w‖."""
        norms = self.norms

        def squares(k: int, w: _Exactly) -> tuple[Fraction, Fraction]:
            weights, margin = w.square(k), self.square_margin or Fraction(0)
            right = progress.signed_square(w.product(k)) / weights if weights else Fraction(0)
            return right, k * margin / self.square_radius

        with np.errstate(divide="ignore", invalid="ignore"):
            doubts = (progress.curve.doubts + np.abs(cosine) * norms.doubts) / (
                norms.values - norms.doubts
            )
        doubts = np.where(norms.values > 2.0 * norms.doubts, SLACK * doubts, np.inf)
        return self._along(
            "potential", POTENTIAL, self.least_cosine, cosine, doubts, squares, Fraction(1)
        )

    def _norm_check(self) -> Check:
        formula = "‖w‖ <= √k·R" if self.starts_at_zero else "‖w‖ <= √(‖w0‖² + k·R²)"
        return self._along(
            "norm", formula, self.norms.values, self.upper, self.norms.doubts,
            lambda k, w: (self.first_square + k * self.square_radius, w.square(k)),
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
        doubts: Any,
        squares: Callable[[int, _Exactly], tuple[Fraction, Fraction]],
        unit: Fraction | None = None,
    ) -> Check:
        """left <= right at every k, in units of 2^exponent unless another is given.

        `doubts` are those of what was summed; the curves of `_draw_curves` are off by SPARE·u, and
        by η·n where γ underflows. `squares` gives those of right and left, with their signs.
        """
        unit = self.unit if unit is None else unit
        with np.errstate(all="ignore"):
            slack = np.asarray(right - left)
            sizes = np.abs(left)
            sizes += np.abs(right)
            sizes *= 2.0 * SPARE * UNIT
            sizes += doubts
            sizes *= SLACK
            sizes += (self.n + 1) * SMALLEST
            sure = np.abs(slack) > sizes
        unsure, gaps = np.flatnonzero(~sure), []
        exact = _Exactly(self.updates, self.progress, int(unsure[-1]) if len(unsure) else 0)
        for k in unsure.tolist():
            gap = root_gap(*squares(k, exact))
            slack[k] = (gap > 0) - (gap < 0)
            gaps += [gap] if k else []
        failures = np.flatnonzero(slack < 0.0)
        first = int(failures[0]) if len(failures) else None
        sure[0] = False
        if sure.any():
            gaps.append(Fraction(float(slack[sure].min())) * unit)
        least = nearest_float(min(gaps)) if gaps else math.inf
        return Check(name, formula, first is None, least, first)


class _Exactly:
    """‖w‖² and w·v at one k after another, in rising order, up to `last`."""

    def __init__(self, updates: Updates, progress: Progress | None, last: int) -> None:
        self._updates, self._progress, self._last = updates, progress, last
        self._weights, self._seen = updates.exact(), 0
        self._gains: Gains | None = None

    def square(self, k: int) -> Fraction:
        self._weights.add(self._updates.tape[self._seen : k])
        self._seen = k
        return self._weights.square()

    def product(self, k: int) -> Fraction:
        if self._progress is None:
            return Fraction(0)
        if self._gains is None:
            self._gains = self._progress.gains(self._last)
        return self._progress.first + self._gains.at(k)
