"""The kernel perceptron as a value."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import InitVar, dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from novikoff.conventions import TIES, whole_number
from novikoff.errors import InputError, one_of
from novikoff.models.base import Model
from novikoff.models.data import Batch, by_blocks, check_finite, stacked
from novikoff.models.kernel.budget import Budget
from novikoff.models.kernel.columns import KernelColumns
from novikoff.models.kernel.training import DualTraining, Past
from novikoff.models.kernel.values import Kernel, check_sums, dense, read_kernel
from novikoff.models.lines import n_lines, positives_of
from novikoff.models.orders import Orders
from novikoff.models.tape import PREDICTIONS, DualTape
from novikoff.wording import count, keyword

if TYPE_CHECKING:
    from novikoff.conventions import Tie, WholePasses
    from novikoff.inputs.type_aliases import ClassWeight, RowsLike, Seed
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan

KERNEL_VALUE_BYTES = 2**25  # of kernel values at a time in a prediction
MOST_ROWS_A_TILE = 512

_FORGOTTEN = (
    "prediction is {!r} and {}; it needs every row that ever was a mistake: with a budget, set "
    "prediction='last'."
)


@dataclass(eq=False)
class Run:
    """A run in the dual over some rows, after what was learnt before them.

    The members of the support so far come before the rows of X, and are not visited.
    """

    past: Past
    X: Any
    batch: Batch
    orders: Orders
    classes: np.ndarray
    dual: DualTraining
    whole: bool  # whether these are all rows, for as many passes as may be
    goes_on: bool
    same_rows: bool  # whether what it goes on from was learnt from these very rows
    one_by_one: bool  # whether passes are asked for one at a time
    passes: int = 0
    last: int = 0  # mistakes of the last pass

    def copy(self) -> Run:
        """The same run, over the same rows: a pass of one of the two does not change the other."""
        dual = self.dual
        shared = (self.past, self.X, self.batch, self.orders.random, dual.columns, dual.steps)
        return deepcopy(self, {id(part): part for part in shared})


@dataclass(eq=False, repr=False, kw_only=True)
class KernelPerceptronModel(Model):
    """The perceptron in the space of a kernel, with votes, a mean or the last weights."""

    kind = "KernelPerceptron"
    _records = {"DualTape": DualTape, "Kernel": Kernel}  # noqa: RUF012
    _orders = ("cyclic", "shuffled")
    fit_intercept, multiclass, warm_start = False, "rest", False  # no parameters of this one
    tape_: DualTape = field(init=False)
    support_: np.ndarray = field(init=False)
    support_vectors_: Any = field(init=False)
    dual_coef_: np.ndarray = field(init=False)
    survival_: np.ndarray = field(init=False)
    n_visits_: int = field(init=False)
    n_forgotten_: int = field(init=False)
    _kernel: Kernel = field(init=False)
    _n_seen: int = field(init=False)
    _begun: tuple[Any, ...] | None = field(init=False)  # of a session: its past, and its state

    kernel: Literal["poly", "linear", "rbf", "precomputed"] | Callable[..., Any] = "poly"
    degree: int = 2
    gamma: float | Literal["scale"] | None = None
    coef0: float = 1.0
    prediction: Literal["vote", "average", "last"] = "vote"
    budget: int | None = None
    max_iter: int = 100
    tie: Tie = "mistake"
    order: WholePasses = "cyclic"
    if TYPE_CHECKING:  # the estimators take it for `order`
        shuffle: InitVar[bool | None] = None
    random_state: Seed = None
    class_weight: ClassWeight = None
    cache_size: float = 200
    verbose: int = 0

    @by_blocks
    def decision_function(self, X: RowsLike | Data | Scan) -> np.ndarray:
        """The scores: one per row for two classes, else one per row and class.

        With prediction='vote', the visits survived by weights that vote for the positive class,
        less those of weights that vote against it; else the score of the mean or last weights.
        """
        self._check_fitted()
        one_of("prediction", self.prediction, PREDICTIONS)
        if self.n_forgotten_ and self.prediction != "last":
            raise InputError(_FORGOTTEN.format(self.prediction, "this model has forgotten rows"))
        matrix = self._read(X, reset=False, labelled=False)
        check_finite(matrix)
        n = n_lines(len(self.classes_))
        coef = self.dual_coef_
        if self.prediction == "average":
            coef = self.tape_.sum_of_coefs(coef.shape, self.n_visits_)
        scores = np.zeros((matrix.shape[0], n))
        size = max(1, min(MOST_ROWS_A_TILE, KERNEL_VALUE_BYTES // (8 * max(1, len(self.support_)))))
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
        return scores[:, 0] if n == 1 else scores

    def _values(self, X: Any) -> np.ndarray:
        """The kernel of rows of X with the rows of the support."""
        if self._kernel.name == "precomputed":
            return dense(X[:, self.support_])
        return self._kernel.between(X, self.support_vectors_)

    def _open(
        self, X: Any, y: Any, sample_weight: Any, classes: Any, go_on: bool, whole: bool,
        *, session: bool = False, same_rows: bool = False,
    ) -> Run:  # fmt: skip
        X, classes, batch = self._rows(X, y, sample_weight, classes, go_on, whole)
        check_finite(X)
        kernel = read_kernel(self.kernel, self.degree, self.gamma, self.coef0, X)
        if kernel.name == "precomputed" and X.shape[0] != X.shape[1]:
            raise InputError(
                f"X has shape {X.shape}; with {keyword('kernel', 'precomputed')} it must be a "
                "square matrix: "
                "the kernel of every row with every row."
            )
        if not go_on or (whole and not session):
            self._random = self._drawing()
        begun = getattr(self, "_begun", None) if same_rows else None
        if begun is not None:
            past = Past(*begun[0])
        else:
            past = self._past(classes) if go_on else Past.none(kernel, X)
            if session:  # counts anew
                past = past._replace(n_iter=0, n_mistakes=0)
        orders = Orders(self.order, batch.n_rows, batch.kept, self._random)
        dual = self._dual(past, X, batch, positives_of(len(classes)))
        if begun is not None:
            dual.restore(begun[1])
        return Run(past, X, batch, orders, classes, dual, whole, go_on, same_rows, session)

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

    def _dual(self, past: Past, X: Any, batch: Batch, positives: np.ndarray) -> DualTraining:
        """The state of a run before its first pass."""
        n_past = len(past.support)
        rows = stacked(past.vectors, X) if n_past else X  # no copy where there is nothing above
        steps = np.zeros((n_past + batch.n_rows, len(positives)))
        steps[n_past:] = _steps(batch, positives)
        columns = KernelColumns(past.kernel, rows, self.cache_size)
        budget = None
        if self.budget is not None:
            budget = Budget(min(self.budget, len(steps)), len(positives))
        dual = DualTraining(columns, steps, self.tie == "positive", budget, past.n_visits)
        dual.go_on_from(past.tape)
        return dual

    def _pass(self, run: Run) -> None:
        """One pass. A session keeps no kernel values from pass to pass: those of another block may
        differ in their last bit, and a session that goes on has none.
        """
        if run.one_by_one:
            run.dual.columns.forget()
        run.orders.next_pass()
        order = run.dual.order
        if not len(order) or run.orders.shuffled:
            order = len(run.past.support) + run.orders.whole().astype(np.int64)
        run.last = run.dual.one_pass(order)
        run.passes += 1

    def _is_enough(self, run: Run) -> bool:  # noqa: ARG002
        return False

    def _close(self, run: Run) -> None:
        past, dual = run.past, run.dual
        members, self.tape_ = dual.tape()
        numbers = np.append(past.support, past.n_seen + np.arange(run.X.shape[0]))
        self._kernel, self._n_seen = past.kernel, past.n_seen + run.X.shape[0]
        self.support_ = numbers[members]
        ready_made = past.kernel.name == "precomputed"
        self.support_vectors_ = np.empty((0, 0)) if ready_made else dual.columns.X[members]
        self.dual_coef_ = self.tape_.last_coef((len(members), dual.n_lines))
        self.n_visits_ = dual.n_visits
        self.n_forgotten_ = past.n_forgotten + dual.n_forgotten
        self.survival_ = self.tape_.survival(dual.n_visits)
        before = self.n_iter_ if run.same_rows else past.n_iter
        self.n_iter_, self.n_mistakes_ = before + run.passes, past.n_mistakes + dual.n_mistakes
        self.classes_, self.converged_, self.last_mistakes_ = run.classes, not run.last, run.last
        unclean = "max_iter" if run.whole else "one pass"
        self.stop_reason_ = unclean if run.last else "clean pass"
        vars(self).pop("_begun", None)

    def _keep_state(self, run: Run) -> None:
        if not self.converged_:
            self._begun = tuple(run.past), run.dual.state()

    def why_not(self) -> str:
        """Why learning ended before a clean pass, and what to do."""
        if self.stop_reason_ != "max_iter":
            return ""
        n, k = self.n_iter_, self.last_mistakes_
        return (
            f"{self.kind} stopped after max_iter = {count(n, 'pass')}, and the "
            f"last one still made {count(k, 'mistake')}. Raise max_iter, or "
            "choose a kernel "
            "that separates more, such as a higher degree or a larger gamma."
        )

    def _check_goes_on(self) -> None:
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            precomputed = keyword("kernel", "precomputed")
            raise InputError(f"with {precomputed} there is no partial_fit: use fit.")

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


def _steps(batch: Batch, positives: np.ndarray) -> np.ndarray:
    """(rows, lines): what a mistake on a row adds to its coefficient, sign and size."""
    positive = batch.targets[:, None] == positives
    gains = batch.gains.astype(np.float64)
    return np.where(positive, gains[:, 0], -gains[:, 1]) * batch.sizes[:, None].astype(np.float64)
