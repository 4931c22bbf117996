"""The averaged perceptron as a value."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from novikoff.loops.averaged import averaged_pass
from novikoff.loops.tiles import tile_for
from novikoff.models.base import Model
from novikoff.models.joint import visit_jointly
from novikoff.models.lines import Lines, regrow
from novikoff.models.lookahead import Helpers
from novikoff.models.orders import Piece

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from novikoff.conventions import Multiclass, Tie, WholePasses
    from novikoff.inputs.given import ClassWeight, Seed


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

    def mark(self) -> np.ndarray:
        """What a pass changes."""
        return self.sums.copy()

    def rewind(self, mark: np.ndarray) -> None:
        self.sums[:] = mark


@dataclass(eq=False, repr=False, kw_only=True)
class AveragedPerceptronModel(Model):
    """The mean of the weights over all visits (Freund & Schapire)."""

    kind = "AveragedPerceptron"
    _orders = ("cyclic", "shuffled")
    last_coef_: np.ndarray = field(init=False)
    last_intercept_: np.ndarray = field(init=False)
    n_visits_: int = field(init=False)
    _sums: np.ndarray = field(init=False)

    fit_intercept: bool = True
    max_iter: int = 100
    tol: float | None = None
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 5
    tie: Tie = "mistake"
    order: WholePasses = "cyclic"
    if TYPE_CHECKING:  # the estimators take it for `order`
        shuffle: InitVar[bool | None] = None
    start: ArrayLike | Literal["random"] | None = None
    random_state: Seed = None
    class_weight: ClassWeight = None
    multiclass: Multiclass = "rest"
    warm_start: bool = False
    n_jobs: int | None = None
    verbose: int = 0

    def _begin(self, lines: Lines) -> None:
        lines.kept = Moments(np.zeros(lines.W.shape), 0)
        if lines.goes_on:
            lines.kept = Moments(
                regrow(self._sums, self.classes_, lines.classes), past_visits=self.n_visits_
            )

    def _visit_rows(self, lines: Lines, which: np.ndarray, piece: Piece) -> int:
        batch, moments, ties_positive = lines.batch, lines.kept, self.tie == "positive"
        visit = moments.past_visits + lines.visit_of(piece)
        if lines.joint:
            return visit_jointly(
                lines, piece.order, ties_positive, first_visit=visit, sums=moments.sums
            )
        found: int = averaged_pass.for_work(lines.work)(
            batch.rows, batch.targets, piece.order, which, lines.positives, lines.W, moments.sums,
            batch.sizes, batch.gains, ties_positive, visit, lines.reaches, lines.mistakes,
            tile_for(batch.rows, which), lines.norms,
        )  # fmt: skip
        return found

    def _visit(self, lines: Lines, which: np.ndarray, helpers: Helpers) -> bool:
        finite = super()._visit(lines, which, helpers)
        return finite and bool(np.isfinite(lines.kept.sums[which]).all())

    def _judged(self, lines: Lines) -> np.ndarray:
        visits = lines.kept.past_visits + lines.n_visits
        return np.asarray(lines.kept.mean(lines.W, visits))

    def _publish(self, lines: Lines) -> None:
        self.last_coef_, self.last_intercept_ = lines.W[:, :-1].copy(), lines.W[:, -1].copy()
        self.n_visits_ = lines.kept.past_visits + lines.n_visits
        self._sums = lines.kept.sums.copy()
        mean = lines.kept.mean(lines.W, self.n_visits_)
        self.coef_, self.intercept_ = mean[:, :-1].copy(), mean[:, -1].copy()

    def last_weights(self) -> np.ndarray:
        return np.column_stack([self.last_coef_, self.last_intercept_])
