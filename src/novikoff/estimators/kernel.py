"""The kernel perceptron as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, Never, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from novikoff.conventions import TIES, whole_number
from novikoff.errors import InputError, one_of
from novikoff.estimators.base import BasePerceptron, _check_two_classes, advice_on
from novikoff.estimators.data import Batch, check_finite, make_batch, read_matrix, stacked
from novikoff.estimators.foreign import refuse_in_fit
from novikoff.estimators.from_files import by_blocks, learnt_rows
from novikoff.estimators.kernel_budget import Budget
from novikoff.estimators.kernel_columns import KernelColumns
from novikoff.estimators.kernel_tape import PREDICTIONS
from novikoff.estimators.kernel_training import DualTraining, Past
from novikoff.estimators.kernel_values import check_sums, dense, read_kernel
from novikoff.estimators.labels import encode, recode, union, with_announced
from novikoff.estimators.lines import n_lines, positives_of
from novikoff.estimators.orders import Orders
from novikoff.estimators.undo import undone_on_error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from novikoff.conventions import Tie, WholePasses
    from novikoff.inputs.given import ClassWeight, LabelsLike, RowsLike, Seed
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan

TILE_BYTES = 2**25  # of kernel values at a time in a prediction
TILE_ROWS = 512

_FORGOTTEN = (
    "prediction is {!r} and {}; it needs every row that ever was a mistake: with a budget, set "
    "prediction='last'."
)


def _has_rows(estimator: Any) -> bool:
    """Whether X holds rows, not kernel values, so that they can be compared with later ones."""
    if isinstance(estimator.kernel, str) and estimator.kernel == "precomputed":
        raise AttributeError("with kernel='precomputed' there is no partial_fit: use fit.")
    return True


class KernelPerceptron(BasePerceptron):
    """The perceptron in the space of a kernel, with the votes of Freund & Schapire (1999).

    Its weights are mistakes: w = Σ step·φ(row) over the rows of the support, which are all rows
    that were ever a mistake. There is no offset beyond what the kernel holds (`coef0`). More
    than two classes are told apart one against the rest; they share the support and its kernel
    values. Kernel values are floats of X's precision and their sums float64: a score within
    rounding of zero may fall on either side.

    Parameters
    ----------
    kernel : {'poly', 'linear', 'rbf', 'precomputed'} or callable, default='poly'
        (coef0 + gamma·x·x')^degree, x·x', exp(−gamma·‖x − x'‖²), a matrix of kernel values given
        in place of X, or a function of two matrices that returns all values between their rows.
    degree : int, default=2
        The degree of 'poly'.
    gamma : float, 'scale' or None, default=None
        The factor in 'poly' and 'rbf'. None is 1 for 'poly', and 'scale' for 'rbf':
        1 / (columns × variance of X).
    coef0 : float, default=1.0
        The constant in 'poly'.
    prediction : {'vote', 'average', 'last'}, default='vote'
        Every weight vector votes, with as many votes as visits it survived; or the mean of the
        weights after every visit decides; or the last weights do. May be changed after fit.
    budget : int or None, default=None
        The most rows in the support. A row that joins a full support pushes out the one whose
        loss moves the weights least (the smallest ‖coefficients‖·√K(x, x); of several, the one
        whose last mistake lies furthest back). With a budget, prediction must be 'last': a vote
        needs rows that are forgotten.
    max_iter : int, default=100
        The most passes.
    tie : {'mistake', 'positive', 'zero'}, default='mistake'
        What a score of exactly 0 means, as in Perceptron. A vote at 0 is none, or one for the
        positive class where the tie is 'positive'.
    order : {'cyclic', 'shuffled'} or array of int, default='cyclic'
        'shuffled' draws a new permutation each pass; an array is that of every pass.
    random_state : int, RandomState or None, default=None
        Seeds order='shuffled'.
    class_weight : dict, 'balanced' or None, default=None
        Scales the update of a row by the weight of its class, as in Perceptron.
    cache_size : float, default=200
        Megabytes for kernel columns kept between passes, the least recently used dropped first.
    verbose : int, default=0
        Whether to print the mistakes of each pass.

    Attributes
    ----------
    support_ : numbers of the rows in the support, in the order they joined it
    support_vectors_ : these rows; empty for kernel='precomputed'
    dual_coef_ : array (support, 1) for two classes, else (support, classes): the last weights
    tape_ : the mistakes in order, as arrays `members` (places in the support), `lines`, `steps`
        (sign × size) and `visits`
    survival_ : for each mistake on the tape, the visits that the weights it made survived
    n_visits_ : visits of a row in all passes
    n_forgotten_ : how often a row was pushed out of a full support
    classes_, n_iter_, n_mistakes_, converged_, stop_reason_, n_features_in_ : as in Perceptron

    Examples
    --------
    >>> import novikoff as nk
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["same", "other", "other", "same"]
    >>> clf = nk.KernelPerceptron(prediction="last").fit(X, y)
    >>> clf.predict(X).tolist(), clf.n_iter_, clf.n_mistakes_
    (['same', 'other', 'other', 'same'], 8, 21)
    """

    _orders = ("cyclic", "shuffled")

    def __init__(
        self,
        *,
        kernel: Literal["poly", "linear", "rbf", "precomputed"] | Callable[..., Any] = "poly",
        degree: int = 2,
        gamma: float | Literal["scale"] | None = None,
        coef0: float = 1.0,
        prediction: Literal["vote", "average", "last"] = "vote",
        budget: int | None = None,
        max_iter: int = 100,
        tie: Tie = "mistake",
        order: WholePasses = "cyclic",
        random_state: Seed = None,
        class_weight: ClassWeight = None,
        cache_size: float = 200,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.prediction = prediction
        self.budget = budget
        self.max_iter = max_iter
        self.tie = tie
        self.order = order
        self.random_state = random_state
        self.class_weight = class_weight
        self.cache_size = cache_size
        self.verbose = verbose

    def fit(
        self,
        X: RowsLike | Data | Scan,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        **others: Never,
    ) -> Self:
        """Pass over the rows until a pass makes no mistake, at most `max_iter` times.

        `sample_weight` scales each row's update; a row of weight 0 is left out.
        """
        refuse_in_fit(self, others)
        advice = self._learn(X, y, sample_weight, None, go_on=False, whole=True)
        if not self.converged_:
            warnings.warn(self._why_not_converged() + advice, ConvergenceWarning, stacklevel=2)
        return self

    @available_if(_has_rows)  # type: ignore[untyped-decorator]
    def partial_fit(
        self,
        X: RowsLike | Data | Scan,
        y: LabelsLike | None = None,
        classes: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """One pass over these rows, from the support as it is.

        `support_` counts rows on from call to call. `classes` may name classes to come; one
        that appears unannounced is accepted.
        """
        go_on = hasattr(self, "support_") and self._kernel.name != "precomputed"
        self._learn(X, y, sample_weight, classes, go_on=go_on, whole=False)
        return self

    @by_blocks
    def decision_function(self, X: RowsLike | Data | Scan) -> np.ndarray:
        """The scores: one per row for two classes, else one per row and class.

        With prediction='vote', the visits survived by weights that vote for the positive class,
        less those of weights that vote against it; else the score of the mean or last weights.
        """
        check_is_fitted(self)
        one_of("prediction", self.prediction, PREDICTIONS)
        if self.n_forgotten_ and self.prediction != "last":
            raise InputError(_FORGOTTEN.format(self.prediction, "this model has forgotten rows"))
        matrix = read_matrix(self, X, reset=False)
        check_finite(matrix)
        lines = n_lines(len(self.classes_))
        coef = self.dual_coef_
        if self.prediction == "average":
            coef = self.tape_.sum_of_coefs(coef.shape, self.n_visits_)
        scores = np.zeros((matrix.shape[0], lines))
        size = max(1, min(TILE_ROWS, TILE_BYTES // (8 * max(1, len(self.support_)))))
        for first in range(0, matrix.shape[0] if len(self.support_) else 0, size):
            tile = slice(first, first + size)
            values = self._values(matrix[tile])
            if self.prediction == "vote":
                scores[tile] = self.tape_.vote(
                    values, self.survival_, coef.shape, self.n_visits_, self.tie == "positive"
                )
            else:
                scores[tile] = values.astype(np.float64, copy=False) @ coef
        check_sums(scores)
        if self.prediction == "average":
            scores /= self.n_visits_
        return scores[:, 0] if lines == 1 else scores

    def _values(self, X: Any) -> np.ndarray:
        """The kernel of rows of X with the rows of the support."""
        if self._kernel.name == "precomputed":
            return dense(X[:, self.support_])
        return self._kernel.between(X, self.support_vectors_)

    @undone_on_error
    def _learn(
        self, X: Any, y: Any, sample_weight: Any, classes: Any, go_on: bool, *, whole: bool
    ) -> str:
        self._check_parameters()
        X, y, sample_weight = learnt_rows(self, X, y, sample_weight)
        X, y = read_matrix(self, X, y, reset=not go_on)
        check_finite(X)
        found, codes = encode(y)
        all_classes = with_announced(union(self.classes_ if go_on else None, found), classes)
        codes = recode(codes, found, all_classes)
        batch = make_batch(
            X, codes, all_classes, sample_weight, self.class_weight, False, whole=whole
        )
        if whole:
            _check_two_classes(all_classes, batch)
        kernel = read_kernel(self.kernel, self.degree, self.gamma, self.coef0, X)
        if kernel.name == "precomputed" and X.shape[0] != X.shape[1]:
            raise InputError(
                f"X has shape {X.shape}; with kernel='precomputed' it must be a square matrix: "
                "the kernel of every row with every row."
            )
        if not go_on:
            self._random = check_random_state(self.random_state)
        past = self._past(all_classes) if go_on else Past.none(kernel, X)
        orders = Orders(self.order, batch.n_rows, batch.kept, self._random)
        positives = positives_of(len(all_classes))
        run, passes, last = self._run(past, X, batch, orders, positives, whole)
        self._publish_run(past, run, X)
        self.n_iter_, self.n_mistakes_ = past.n_iter + passes, past.n_mistakes + run.n_mistakes
        self.classes_, self.converged_, self.last_mistakes_ = all_classes, last == 0, last
        self.stop_reason_ = "clean pass" if not last else "max_iter" if whole else "one pass"
        return "" if not (whole and last) else advice_on(batch, orders, all_classes)

    def _past(self, classes: np.ndarray) -> Past:
        """What this model has learned so far, for lines that tell `classes` apart."""
        if self.budget is not None and len(self.support_) > self.budget:
            raise InputError(
                f"budget is {self.budget}, but the support to go on from has "
                f"{len(self.support_)} rows; raise the budget, or begin anew with fit."
            )
        return Past(
            self._kernel, self.support_, self.support_vectors_,
            self.tape_.regrown(self.classes_, classes), self._n_seen, self.n_visits_,
            self.n_iter_, self.n_mistakes_, self.n_forgotten_,
        )  # fmt: skip

    def _run(
        self, past: Past, X: Any, batch: Batch, orders: Orders, positives: np.ndarray, whole: bool
    ) -> tuple[DualTraining, int, int]:
        """Passes until one is clean: the run, its passes, and the mistakes of the last.

        The members of the support so far come before the rows of X, and are not visited.
        """
        n_past = len(past.support)
        rows = stacked(past.vectors, X) if n_past else X  # no copy where there is nothing above
        steps = np.zeros((n_past + batch.n_rows, len(positives)))
        steps[n_past:] = _steps(batch, positives)
        columns = KernelColumns(past.kernel, rows, self.cache_size)
        budget = None
        if self.budget is not None:
            budget = Budget(min(self.budget, len(steps)), len(positives))
        run = DualTraining(columns, steps, self.tie == "positive", budget, past.n_visits)
        run.go_on_from(past.tape)
        order, passes, last = np.empty(0, dtype=np.int64), 0, 0
        for passes in range(1, (self.max_iter if whole else 1) + 1):
            orders.next_pass()
            if passes == 1 or orders.shuffled:
                order = n_past + orders.whole().astype(np.int64)
            last = run.one_pass(order)
            if self.verbose:
                print(f"pass {passes}: {last} mistake{'s' * (last != 1)}")
            if not last:
                break
        return run, passes, last

    def _publish_run(self, past: Past, run: DualTraining, X: Any) -> None:
        members, self.tape_ = run.tape()
        numbers = np.append(past.support, past.n_seen + np.arange(X.shape[0]))
        self._kernel, self._n_seen = past.kernel, past.n_seen + X.shape[0]
        self.support_ = numbers[members]
        ready_made = past.kernel.name == "precomputed"
        self.support_vectors_ = np.empty((0, 0)) if ready_made else run.columns.X[members]
        self.dual_coef_ = self.tape_.last_coef((len(members), run.n_lines))
        self.n_visits_ = run.n_visits
        self.n_forgotten_ = past.n_forgotten + run.n_forgotten
        self.survival_ = self.tape_.survival(run.n_visits)

    def _why_not_converged(self) -> str:
        n, k = self.n_iter_, self.last_mistakes_
        return (
            f"{type(self).__name__} stopped after max_iter = {n} pass{'es' * (n != 1)}, and the "
            f"last one still made {k} mistake{'s' * (k != 1)}. Raise max_iter, or choose a kernel "
            "that separates more, such as a higher degree or a larger gamma."
        )

    def _check_parameters(self) -> None:
        one_of("tie", self.tie, TIES)
        one_of("prediction", self.prediction, PREDICTIONS)
        whole_number("max_iter", self.max_iter)
        if self.budget is not None:
            whole_number("budget", self.budget)
            if self.prediction != "last":
                raise InputError(_FORGOTTEN.format(self.prediction, f"budget is {self.budget}"))
        if isinstance(self.order, str):
            one_of("order", self.order, self._orders)
        size = self.cache_size
        if isinstance(size, bool) or not isinstance(size, Real) or not 0 <= size < np.inf:
            raise InputError(
                f"cache_size is {size!r}; it must be a number of megabytes, at least 0."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags


def _steps(batch: Batch, positives: np.ndarray) -> np.ndarray:
    """(rows, lines): what a mistake on a row adds to its coefficient, sign and size."""
    positive = batch.targets[:, None] == positives
    gains = batch.gains.astype(np.float64)
    return np.where(positive, gains[:, 0], -gains[:, 1]) * batch.sizes[:, None].astype(np.float64)
