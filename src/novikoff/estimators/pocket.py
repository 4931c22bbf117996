"""The pocket perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Never, Self

import numpy as np

from novikoff.estimators.ahead import Helpers
from novikoff.estimators.base import BasePerceptron
from novikoff.estimators.data import check_finite
from novikoff.estimators.foreign import refuse_in_fit
from novikoff.estimators.lines import Lines, regrow
from novikoff.loops.pocket import (
    COUNT,
    HELD,
    IN_POCKET,
    UNSEEN,
    joint_mistakes,
    joint_pocket_pass,
    mistakes_of_line,
    pocket_pass,
    radius_of,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from novikoff.conventions import Multiclass, Tie, WholePasses
    from novikoff.inputs.given import ClassWeight, LabelsLike, RowsLike, Seed
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan


@dataclass(eq=False)
class Pockets:
    """A pocket for each line, or one, the first, for lines that are learnt jointly."""

    W: np.ndarray  # the best weights so far, like those of the lines
    everyone: np.ndarray  # the rows that they are judged on
    radius: float  # at least ‖row‖
    states: np.ndarray  # (lines, 4): see loops/pocket.py
    weights: np.ndarray  # of the mistakes of each


class PocketPerceptron(BasePerceptron):
    """The perceptron for rows that no line separates: the weights with the fewest mistakes seen.

    Gallant's pocket algorithm with ratchet. The perceptron runs as ever, and in the pocket lie
    its best weights: those that make the fewest mistakes on all training rows. Weights that have
    survived more visits in a row than those in the pocket are counted out on all rows, and take
    their place only if they make fewer. With sample or class weights, fewest means of the least
    total weight. A tie counts as a mistake where the tie rule says so.

    Each line of more than two classes has a pocket of its own; classes learnt jointly share one,
    judged by the rows that it puts in a wrong class.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn an offset.
    max_iter : int, default=100
        The most passes. Rows that cannot be separated take them all: that is no cause for a
        warning here.
    tol, early_stopping, validation_fraction, n_iter_no_change : as in Perceptron
        What is judged is the pocket: held-out rows by its classes, `tol` alone by its mistakes.
    tie : {'mistake', 'positive', 'zero'}, default='mistake'
        What a score of exactly 0 means, as in Perceptron.
    order : {'cyclic', 'shuffled'} or array of int, default='shuffled'
        'shuffled' draws a new permutation each pass; an array is that of every pass.
    start : None, 'random' or array, default=None
        The first weights, as in Perceptron, which are also the first in the pocket.
    random_state : int, RandomState or None, default=None
        Seeds order='shuffled', start='random' and the rows that early_stopping holds out.
    class_weight : dict, 'balanced' or None, default=None
        Scales the update of a row, and its mistake, by the weight of its class, as in Perceptron.
    multiclass : {'rest', 'joint'}, default='rest'
        How more than two classes are told apart, as in Perceptron.
    warm_start : bool, default=False
        Whether fit goes on from the last weights and the pocket, judged anew on its rows.
    n_jobs : int or None, default=None
        Threads; -1 for all cores: the lines of more than two classes are split over them. The
        weights do not depend on it.
    verbose : int, default=0
        Whether to print the mistakes of each pass.

    Attributes
    ----------
    coef_, intercept_ : the pocket, of shape (1, d) and (1,) for two classes, else one line a class
    n_training_errors_ : the mistakes that the pocket makes on the rows of the last call, of all
        lines together
    training_error_weight_ : their weight; the same number where no weights are given
    last_coef_, last_intercept_ : the last weights, from which partial_fit and warm_start go on
    converged_, stop_reason_, n_iter_, n_mistakes_, classes_, n_features_in_ : as in Perceptron

    Examples
    --------
    >>> import novikoff as nk
    >>> X, y = [[0], [1], [2], [3], [4], [5]], ["low", "low", "high", "low", "high", "high"]
    >>> clf = nk.PocketPerceptron(random_state=0).fit(X, y)
    >>> clf.n_training_errors_, clf.stop_reason_
    (1, 'max_iter')
    """

    _orders = ("cyclic", "shuffled")
    n_training_errors_: int
    training_error_weight_: float
    last_coef_: np.ndarray
    last_intercept_: np.ndarray

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
        order: WholePasses = "shuffled",
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

    def fit(
        self,
        X: RowsLike | Data | Scan,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        **others: Never,
    ) -> Self:
        """Pass over the rows until a pass makes no mistake, at most `max_iter` times.

        `sample_weight` scales each row's update and its mistake; a row of weight 0 is left out.
        """
        refuse_in_fit(self, others)
        go_on = self.warm_start and hasattr(self, "classes_")
        self._learn(X, y, sample_weight, None, go_on, whole=True)
        return self

    def _begin(self, lines: Any) -> None:
        batch, best = lines.batch, lines.W.copy()
        if lines.goes_on:
            known = np.column_stack([self.coef_, self.intercept_])
            best = regrow(known, self.classes_, lines.classes).astype(best.dtype)
        everyone = np.arange(batch.n_rows) if batch.kept is None else batch.kept
        everyone = everyone.astype(lines.orders.dtype)
        radius = radius_of.for_work(batch.n_numbers)(batch.rows, everyone)
        if not radius >= 0.0:
            check_finite(batch.X)
        states, weights = np.zeros((len(best), 4), dtype=np.int64), np.full(len(best), np.inf)
        same = (best == lines.W).all(axis=1)
        states[:, HELD] = np.where(same.all() if lines.joint else same, IN_POCKET, UNSEEN)
        lines.kept = Pockets(best, everyone, radius, states, weights)

    def _visit(self, lines: Any, which: np.ndarray, helpers: Helpers) -> bool:  # noqa: ARG002
        pockets, order = lines.kept, lines.orders.whole()
        for c in which[:1] if lines.joint else which:
            if lines.passes == 1:
                self._judge(lines, c)
            with np.errstate(over="ignore", invalid="ignore"):
                lines.mistakes[c] = self._visit_one(lines, c, order)
            if lines.mistakes[c] < 0:
                return False
            if lines.mistakes[c] == 0:  # nothing is better than a clean pass
                these = slice(None) if lines.joint else c
                pockets.W[these] = lines.W[these]
                pockets.weights[c], pockets.states[c, COUNT] = 0.0, 0
        return True

    def _judge(self, lines: Lines, c: int) -> None:
        """Count the mistakes of the weights that are in the pocket before the first visit."""
        batch, pockets = lines.batch, lines.kept
        ties_positive, limit = self.tie == "positive", np.inf
        if lines.joint:
            found = joint_mistakes.for_work(lines.work)(
                batch.rows, batch.targets, pockets.everyone, pockets.W, batch.sizes, batch.gains,
                ties_positive, pockets.radius, limit, np.empty(len(lines)),
            )  # fmt: skip
        else:
            found = mistakes_of_line.for_work(lines.work)(
                batch.rows, batch.targets, pockets.everyone, lines.positives[c], pockets.W[c],
                batch.sizes, batch.gains[c], ties_positive, pockets.radius, limit,
            )  # fmt: skip
        pockets.states[c, COUNT], pockets.weights[c] = found

    def _visit_one(self, lines: Lines, c: int, order: np.ndarray) -> int:
        """One pass of line c, or of all lines that are learnt jointly; its mistakes."""
        batch, pockets, ties_positive = lines.batch, lines.kept, self.tie == "positive"
        if lines.joint:
            found, weight = joint_pocket_pass.for_work(lines.work)(
                batch.rows, batch.targets, order, pockets.everyone, lines.W, batch.sizes,
                batch.gains, ties_positive, pockets.radius, pockets.W, pockets.weights[c],
                pockets.states[c],
            )  # fmt: skip
        else:
            found, weight = pocket_pass.for_work(lines.work)(
                batch.rows, batch.targets, order, pockets.everyone, lines.positives[c], lines.W[c],
                batch.sizes, batch.gains[c], ties_positive, pockets.radius, pockets.W[c],
                pockets.weights[c], pockets.states[c],
            )  # fmt: skip
        pockets.weights[c] = weight
        return int(found)

    def _judged(self, lines: Any) -> np.ndarray:
        return np.asarray(lines.kept.W)

    def _badness(self, lines: Any, last: int) -> float:  # noqa: ARG002
        """Of the pocket: it never gets worse, so that passes without a better one are counted."""
        return float(lines.kept.weights[: 1 if lines.joint else len(lines)].sum())

    def _publish(self, lines: Any) -> None:
        pockets, judged = lines.kept, 1 if lines.joint else len(lines)
        self.coef_, self.intercept_ = pockets.W[:, :-1].copy(), pockets.W[:, -1].copy()
        self.last_coef_, self.last_intercept_ = lines.W[:, :-1].copy(), lines.W[:, -1].copy()
        self.n_training_errors_ = int(pockets.states[:judged, COUNT].sum())
        self.training_error_weight_ = float(pockets.weights[:judged].sum())

    def _last_weights(self) -> np.ndarray:
        return np.column_stack([self.last_coef_, self.last_intercept_])
