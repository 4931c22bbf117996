"""The averaged perceptron as a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from novikoff.models.lines import Lines, regrow
from novikoff.models.perceptron import PerceptronModel

if TYPE_CHECKING:
    from novikoff.conventions import WholePasses


@dataclass(eq=False)
class Moments:
    """What the mean needs beside the last weights."""

    sums: np.ndarray  # Σ visit·step·row over the mistakes of each line, in float64
    past_visits: int  # of earlier calls

    def mean(self, W: np.ndarray, n_visits: int) -> np.ndarray:
        """The mean of the weights after each of so many visits, the last of which are W.

        Where n_visits·W and the sums are exact, it is rounded only once.
        """
        last = W.astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            mean = (n_visits * last - self.sums) / n_visits
            return np.where(np.isfinite(mean), mean, last - self.sums / n_visits).astype(W.dtype)


@dataclass(eq=False, repr=False, kw_only=True)
class AveragedPerceptronModel(PerceptronModel):
    """The mean of the weights over all visits (Freund & Schapire)."""

    kind = "AveragedPerceptron"
    _orders = ("cyclic", "shuffled")
    last_coef_: np.ndarray = field(init=False)
    last_intercept_: np.ndarray = field(init=False)
    n_visits_: int = field(init=False)
    _sums: np.ndarray = field(init=False)

    max_iter: int = 100
    order: WholePasses = "cyclic"

    def _begin(self, lines: Lines) -> None:
        lines.kept = Moments(np.zeros(lines.W.shape), 0)
        if lines.goes_on:
            lines.kept = Moments(
                regrow(self._sums, self.classes_, lines.classes), past_visits=self.n_visits_
            )

    def _visit(self, lines: Lines, which: np.ndarray) -> int:
        order, moments = lines.orders.order, lines.kept
        first_visit = moments.past_visits + lines.n_visits - len(order)
        found = lines.visit(which, order, first_visit, moments.sums)
        return found if np.isfinite(moments.sums[which]).all() else -1

    def _judged(self, lines: Lines) -> np.ndarray:
        visits = lines.kept.past_visits + lines.n_visits
        return np.asarray(lines.kept.mean(lines.W, visits))

    def _publish(self, lines: Lines) -> None:
        self._set_weights(lines.W, "last_")
        self.n_visits_ = lines.kept.past_visits + lines.n_visits
        self._sums = lines.kept.sums.copy()
        self._set_weights(lines.kept.mean(lines.W, self.n_visits_))
