"""The kernel perceptron as a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from novikoff.conventions import TIES, whole_number
from novikoff.errors import InputError, one_of
from novikoff.models.base import Model
from novikoff.models.data import check_finite, stacked
from novikoff.models.kernel.training import DualTraining, KernelColumns
from novikoff.models.kernel.values import Kernel, check_sums, dense, read_kernel
from novikoff.models.lines import Lines, n_lines
from novikoff.models.predicting import flat
from novikoff.models.tape import PREDICTIONS, DualTape
from novikoff.wording import count, keyword

if TYPE_CHECKING:
    from novikoff.conventions import Tie, WholePasses
    from novikoff.inputs.type_aliases import ClassWeight, Seed

KERNEL_VALUE_BYTES = 2**25  # of kernel values at a time in a prediction
LEAST_ROWS_A_TILE, MOST_ROWS_A_TILE = 16, 512
CACHED_BYTES = 2**20  # that stay in the processor's cache

_FORGOTTEN = (
    "prediction is {!r} and {}; it needs every row that ever was a mistake: with a budget, set "
    "prediction='last'."
)


class Past(NamedTuple):
    """What was known before the rows at hand."""

    kernel: Kernel
    support: np.ndarray  # the numbers of the members that are not among these rows
    n_seen: int  # rows that were given before them


@dataclass(eq=False, repr=False, kw_only=True)
class KernelPerceptronModel(Model):
    """The perceptron in the space of a kernel, with votes, a mean or the last weights."""

    kind = "KernelPerceptron"
    _records = {"DualTape": DualTape, "Kernel": Kernel}  # noqa: RUF012
    _orders = ("cyclic", "shuffled")
    # No parameters of this one.
    fit_intercept, multiclass, warm_start, start, n_jobs = False, "rest", False, None, None
    tape_: DualTape = field(init=False)
    support_: np.ndarray = field(init=False)
    support_vectors_: Any = field(init=False)
    dual_coef_: np.ndarray = field(init=False)
    survival_: np.ndarray = field(init=False)
    n_visits_: int = field(init=False)
    n_forgotten_: int = field(init=False)
    _kernel: Kernel = field(init=False)
    _n_seen: int = field(init=False)

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

    def _scores(self, X: Any) -> np.ndarray:
        """With prediction='vote', the visits survived by weights that vote for the positive class,
        less those of weights that vote against it; else the score of the mean or last weights.
        """
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
        a_row = 8 * max(1, len(self.tape_.members))
        size = max(1, min(MOST_ROWS_A_TILE, KERNEL_VALUE_BYTES // a_row))
        if self.prediction == "vote":  # which reads every number several times
            size = min(size, max(LEAST_ROWS_A_TILE, CACHED_BYTES // a_row))
        for first in range(0, matrix.shape[0] if len(self.support_) else 0, size):
            tile = slice(first, first + size)
            if self._kernel.name == "precomputed":
                values = dense(matrix[tile][:, self.support_])
            else:
                values = self._kernel.between(matrix[tile], self.support_vectors_)
            if self.prediction == "vote":
                scores[tile] = self.tape_.vote(
                    values, self.survival_, coef.shape, self.n_visits_, self.tie == "positive"
                )
            else:
                scores[tile] = values.astype(np.float64, copy=False) @ coef
        check_sums(scores)
        if self.prediction == "average":
            scores /= self.n_visits_
        return flat(scores)

    def _first_lines(self, _: Any, classes: np.ndarray, go_on: bool) -> np.ndarray:
        """Lines without weights: they are sums over the support."""
        if go_on and self.budget is not None and len(self.support_) > self.budget:
            raise InputError(
                f"budget is {self.budget}, but the support to go on from has "
                f"{len(self.support_)} rows; raise the budget, or begin anew with fit."
            )
        return np.zeros((n_lines(len(classes)), 0))

    def _begin(self, lines: Lines) -> None:
        """A run in the dual: the members of the support that are not among these rows come before
        them, and are not visited.
        """
        batch, X = lines.batch, lines.batch.X
        check_finite(X)
        kernel = read_kernel(self.kernel, self.degree, self.gamma, self.coef0, X)
        if kernel.name == "precomputed" and X.shape[0] != X.shape[1]:
            raise InputError(
                f"X has shape {X.shape}; with {keyword('kernel', 'precomputed')} it must be a "
                "square matrix: the kernel of every row with every row."
            )
        support, vectors = np.empty(0, dtype=np.int64), X[:0]
        tape, visits, seen, forgotten = DualTape.blank(0), 0, 0, 0
        if lines.goes_on:
            kernel, support, vectors = self._kernel, self.support_, self.support_vectors_
            tape, visits = self.tape_.regrown(self.classes_, lines.classes), self.n_visits_
            seen, forgotten = self._n_seen, self.n_forgotten_
            seen -= batch.n_rows if lines.same_rows else 0
        old = support < seen
        known, n_old = support[old], int(old.sum())
        places = np.where(old, np.cumsum(old) - 1, n_old + support - seen)  # of the support's rows
        rows = stacked(vectors[old], X) if n_old else X  # no copy where there is nothing above
        steps = np.zeros((n_old + batch.n_rows, len(lines)))
        positive, gains = batch.targets[:, None] == lines.positives, batch.gains.astype(np.float64)
        steps[n_old:] = np.where(positive, gains[:, 0], -gains[:, 1]) * batch.sizes[:, None]
        dual = DualTraining(
            KernelColumns(kernel, rows, self.cache_size), steps, lines.ties_positive, self.budget,
            visits, tape._replace(members=places[tape.members]),
        )  # fmt: skip
        dual.n_forgotten = forgotten
        lines.kept = Past(kernel, known, seen), dual

    def _visit(self, lines: Lines, which: np.ndarray) -> int:  # noqa: ARG002
        """A pass of all lines. What may be saved after it goes on from the tape alone."""
        past, dual = lines.kept
        if lines.pass_by_pass and lines.passes > 1:
            lines.kept = past, dual = past, dual.afresh()
        order = dual.order
        if not len(order) or lines.orders.shuffled:
            order = len(past.support) + lines.orders.order.astype(np.int64)
        lines.mistakes[0] = dual.one_pass(order)
        return 0

    def _publish(self, lines: Lines) -> None:
        past, dual = lines.kept
        members, self.tape_ = dual.tape()
        numbers = np.append(past.support, past.n_seen + np.arange(lines.batch.n_rows))
        self._kernel, self._n_seen = past.kernel, past.n_seen + lines.batch.n_rows
        self.support_ = numbers[members]
        ready_made = past.kernel.name == "precomputed"
        self.support_vectors_ = np.empty((0, 0)) if ready_made else dual.columns.X[members]
        self.dual_coef_ = self.tape_.last_coef((len(members), dual.n_lines))
        self.n_visits_, self.n_forgotten_ = dual.n_visits, dual.n_forgotten
        self.survival_ = self.tape_.survival(dual.n_visits)

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
        learnt = self._kernel.name if self.is_fitted else ""
        if "precomputed" in (self.kernel if isinstance(self.kernel, str) else "", learnt):
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
