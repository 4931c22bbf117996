"""The averaged perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from novikoff.estimators.ahead import Helpers
from novikoff.estimators.base import BasePerceptron
from novikoff.estimators.joint import visit_jointly
from novikoff.estimators.lines import regrow
from novikoff.estimators.orders import Piece
from novikoff.loops.averaged import averaged_pass

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


class AveragedPerceptron(BasePerceptron):
    """The perceptron whose weights are the mean over all visits, not the last (Freund & Schapire).

    It makes the perceptron's mistakes and updates; `coef_` is the mean of the weights after each
    visit of a row, over all rows and passes. Visits are averaged, not mistakes: weights count as
    often as they survive. The start counts only if it survives the first visit. A line that has
    had its clean pass stays, and counts, as it is while others go on. The cost is that of the
    mistakes: a visit without one costs nothing more than in Perceptron, for sparse rows too.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn an offset.
    max_iter : int, default=100
        The most passes.
    tol, early_stopping, validation_fraction, n_iter_no_change : as in Perceptron
        Held-out rows are judged by the mean, `tol` alone by the mistakes of the passes.
    tie : {'mistake', 'positive', 'zero'}, default='mistake'
        What a score of exactly 0 means, as in Perceptron.
    order : {'cyclic', 'shuffled'} or array of int, default='cyclic'
        'shuffled' draws a new permutation each pass; an array is that of every pass.
    start : None, 'random' or array, default=None
        The first weights, as in Perceptron.
    random_state : int, RandomState or None, default=None
        Seeds order='shuffled', start='random' and the rows that early_stopping holds out.
    class_weight : dict, 'balanced' or None, default=None
        Scales the update of a row by the weight of its class, as in Perceptron.
    multiclass : {'rest', 'joint'}, default='rest'
        How more than two classes are told apart, as in Perceptron.
    warm_start : bool, default=False
        Whether fit goes on from the last weights and their mean: two fits are one longer fit.
    n_jobs : int or None, default=None
        Threads; -1 for all cores. The weights do not depend on it.
    verbose : int, default=0
        Whether to print the mistakes of each pass.

    Attributes
    ----------
    coef_, intercept_ : the mean, of shape (1, d) and (1,) for two classes, else one line a class
    last_coef_, last_intercept_ : the last weights, from which partial_fit and warm_start go on
    n_visits_ : visits of a row that the mean is over
    classes_, n_iter_, n_mistakes_, n_features_in_ : as in Perceptron
    converged_, stop_reason_ : as in Perceptron, of the last weights; their mean may still be
        wrong on some row

    Examples
    --------
    >>> import novikoff as nk
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["off", "off", "off", "on"]
    >>> clf = nk.AveragedPerceptron().fit(X, y)
    >>> clf.last_coef_, clf.last_intercept_, clf.n_visits_
    (array([[3., 2.]]), array([-4.]), 36)
    >>> clf.coef_ * 36, clf.intercept_ * 36
    (array([[75., 48.]]), array([-92.]))
    """

    _orders = ("cyclic", "shuffled")
    last_coef_: np.ndarray
    last_intercept_: np.ndarray
    n_visits_: int

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        max_iter: int = 100,
        tol: float | None = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        tie: Tie = "mistake",
        order: WholePasses = "cyclic",
        start: ArrayLike | Literal["random"] | None = None,
        random_state: Seed = None,
        class_weight: ClassWeight = None,
        multiclass: Multiclass = "rest",
        warm_start: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tie = tie
        self.order = order
        self.start = start
        self.random_state = random_state
        self.class_weight = class_weight
        self.multiclass = multiclass
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _begin(self, lines: Any) -> None:
        lines.kept = Moments(np.zeros(lines.W.shape), 0)
        if lines.goes_on:
            lines.kept = Moments(
                regrow(self._sums, self.classes_, lines.classes), past_visits=self.n_visits_
            )

    def _visit_rows(self, lines: Any, which: np.ndarray, piece: Piece) -> int:
        batch, moments, ties_positive = lines.batch, lines.kept, self.tie == "positive"
        visit = moments.past_visits + lines.visit_of(piece)
        if lines.joint:
            return visit_jointly(
                lines, piece.order, ties_positive, first_visit=visit, sums=moments.sums
            )
        found: int = averaged_pass.for_work(lines.work)(
            batch.rows, batch.targets, piece.order, which, lines.positives, lines.W, moments.sums,
            batch.sizes, batch.gains, ties_positive, visit, lines.reaches, lines.mistakes,
        )  # fmt: skip
        return found

    def _visit(self, lines: Any, which: np.ndarray, helpers: Helpers) -> bool:
        finite = super()._visit(lines, which, helpers)
        return finite and bool(np.isfinite(lines.kept.sums[which]).all())

    def _judged(self, lines: Any) -> np.ndarray:
        visits = lines.kept.past_visits + lines.n_visits
        return np.asarray(lines.kept.mean(lines.W, visits))

    def _publish(self, lines: Any) -> None:
        self.last_coef_, self.last_intercept_ = lines.W[:, :-1].copy(), lines.W[:, -1].copy()
        self.n_visits_ = lines.kept.past_visits + lines.n_visits
        self._sums = lines.kept.sums
        mean = lines.kept.mean(lines.W, self.n_visits_)
        self.coef_, self.intercept_ = mean[:, :-1].copy(), mean[:, -1].copy()

    def _last_weights(self) -> np.ndarray:
        return np.column_stack([self.last_coef_, self.last_intercept_])
