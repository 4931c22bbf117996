"""What all perceptrons share: reading data, passes until a clean one, predictions.

A member names its parameters and says what a visit of some rows does (`_visit_rows`); one that
keeps more than a line of weights per class also says what it keeps (`_begin`), what it shows at
the end (`_publish`) and what it goes on from (`_last_weights`).
"""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Never, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from novikoff.conventions import MULTICLASS, ORDERS, TIES, true_or_false, whole_number
from novikoff.errors import InputError, one_of
from novikoff.estimators.ahead import Helpers, threads_of
from novikoff.estimators.data import Batch, check_finite, make_batch, read_matrix
from novikoff.estimators.foreign import refuse_foreign, refuse_in_fit
from novikoff.estimators.from_files import by_blocks, learnt_rows
from novikoff.estimators.joint import last_of_the_best
from novikoff.estimators.labels import encode, recode, shown, union, with_announced
from novikoff.estimators.lines import Lines, regrow, start_lines
from novikoff.estimators.orders import Orders, Piece, mixing_advice, together
from novikoff.estimators.scores import settled_scores
from novikoff.estimators.stopping import HeldOut, check_stopping, stopping_of
from novikoff.estimators.training import train, visit_in_pieces
from novikoff.estimators.undo import undone_on_error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from onnx import ModelProto

    from novikoff.inputs.given import LabelsLike, RowsLike
    from novikoff.io.data import Data
    from novikoff.io.scanning import Scan


class BasePerceptron(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of one line of weights for two classes, else one line per class."""

    _orders: tuple[str, ...] = ORDERS  # the words that `order` may be

    coef_: np.ndarray
    intercept_: np.ndarray
    classes_: np.ndarray
    n_iter_: int
    n_mistakes_: int
    last_mistakes_: int
    converged_: bool
    stop_reason_: str

    if not TYPE_CHECKING:  # where `__init__` alone says what is taken

        def __new__(cls, *args, **parameters):  # noqa: ARG004
            """Say what to use instead of a parameter of scikit-learn's that is none of ours."""
            refuse_foreign(cls, parameters, cls._get_param_names())
            return super().__new__(cls)

        def set_params(self, **parameters):
            refuse_foreign(type(self), parameters, self._get_param_names())
            return super().set_params(**parameters)

    if TYPE_CHECKING:  # what scikit-learn's classes add

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **parameters: Any) -> Self: ...
        def score(
            self, X: RowsLike | Data | Scan, y: LabelsLike, sample_weight: ArrayLike | None = None
        ) -> float: ...

    def _visit_rows(self, lines: Any, which: np.ndarray, piece: Piece) -> int:
        """Visit the rows of the piece with the lines `which`: the mistakes, also added to
        lines.mistakes; negative if a row or a weight is not finite.
        """
        raise NotImplementedError

    def _visit(self, lines: Any, which: np.ndarray, helpers: Helpers) -> bool:
        """One pass of the lines `which`; False if a row or a weight is not finite.

        `helpers` has threads to spare where this is the only call of its pass.
        """
        return visit_in_pieces(lines, which, helpers, self._visit_rows, self.tie == "positive")

    def _train(self, lines: Any, whole: bool) -> tuple[int, int, int]:
        """Learn; the number of passes, all mistakes, and those of the last pass.

        `whole`: these are all rows, to be learnt in as many passes as may be; else one.
        """
        most = self.max_iter if whole else 1
        jobs = threads_of(self.n_jobs)
        return train(self._visit, lines, most, jobs, self.verbose, self._is_enough)

    def _is_enough(self, lines: Any, last: int) -> bool:
        """Whether to stop after a pass that made `last` mistakes."""
        stopping = lines.stopping
        if stopping.tol is None:
            return False
        if stopping.held_out is None:
            worth = -self._badness(lines, last) / lines.orders.n_visits
        else:
            worth = self._share(lines, stopping.held_out)
        return bool(stopping.after(worth))

    def _badness(self, lines: Any, last: int) -> float:  # noqa: ARG002
        """How bad a pass of `last` mistakes was, counted in mistakes."""
        return last

    def _judged(self, lines: Any) -> np.ndarray:
        """The weights that would be published now."""
        return np.asarray(lines.W)

    def _share(self, lines: Any, held_out: HeldOut) -> float:
        """The share of held-out rows that are put in their class."""
        W = self._judged(lines)
        scores = settled_scores(held_out.X, W[:, :-1], W[:, -1], joint=lines.joint)
        scores = scores[:, 0] if scores.shape[1] == 1 else scores
        return held_out.share(self._places_of(scores, len(lines.classes)))

    def _begin(self, lines: Any) -> None:
        """Set lines.kept to what this member keeps beyond the weights, before the first pass."""

    def _publish(self, lines: Any) -> None:
        """Set the attributes that hold what was learnt; classes_ still holds what was known."""
        self.coef_, self.intercept_ = lines.W[:, :-1].copy(), lines.W[:, -1].copy()

    def _last_weights(self) -> np.ndarray:
        """The weights to go on from, the offsets last."""
        return np.column_stack([self.coef_, self.intercept_])

    def fit(
        self,
        X: RowsLike | Data | Scan,
        y: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
        **others: Never,
    ) -> Self:
        """Pass over the rows until a pass makes no mistake, at most `max_iter` times.

        X may be what `read` or `scan` gives, in place of X and y; a scan is mapped from its cache.
        `sample_weight` scales each row's update; a row of weight 0 is left out.
        """
        refuse_in_fit(self, others)
        go_on = self.warm_start and hasattr(self, "classes_")
        advice = self._learn(X, y, sample_weight, None, go_on, whole=True)
        if self.stop_reason_ == "max_iter":
            warnings.warn(self._why_not_converged() + advice, ConvergenceWarning, stacklevel=2)
        elif advice:
            warnings.warn(advice.lstrip(), UserWarning, stacklevel=2)
        return self

    def partial_fit(
        self,
        X: RowsLike | Data | Scan,
        y: LabelsLike | None = None,
        classes: LabelsLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """One pass over these rows, from the weights as they are.

        `classes` may name classes to come. One that appears unannounced is accepted.
        """
        self._learn(X, y, sample_weight, classes, hasattr(self, "classes_"), whole=False)
        return self

    @by_blocks
    def decision_function(self, X: RowsLike | Data | Scan) -> np.ndarray:
        """The scores: one per row for two classes, else one per row and class.

        Their signs are those of the exact scores, and a tie is exactly 0. Of classes learnt
        jointly not the signs but the highest score, and a tie of the highest, are exact.
        """
        check_is_fitted(self)
        matrix = read_matrix(self, X, reset=False)
        joint = self.multiclass == "joint" and len(self.coef_) > 1
        scores = settled_scores(matrix, self.coef_, self.intercept_, joint=joint)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    @by_blocks
    def predict(self, X: RowsLike | Data | Scan) -> np.ndarray:
        """The class of each row. A tie goes to the larger class where the tie rule is 'positive'
        and the classes are two or learnt jointly, else to the smaller.
        """
        return self._classes_of(self.decision_function(X))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a safetensors file, which `novikoff.load` reads."""
        from novikoff.estimators.model_file import save_model

        check_is_fitted(self)
        save_model(self, path)

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> ModelProto:
        """The fitted model as an ONNX graph, written to `path` where given; linear members only."""
        from novikoff.estimators.onnx_export import to_onnx

        check_is_fitted(self)
        return to_onnx(self, path)

    def _classes_of(self, scores: np.ndarray) -> np.ndarray:
        return np.asarray(self.classes_[self._places_of(scores, len(self.classes_))])

    def _places_of(self, scores: np.ndarray, n_classes: int) -> np.ndarray:
        """The class, as a number, that each row is put in."""
        if n_classes == 1:
            places = np.zeros(len(scores), dtype=np.intp)
        elif scores.ndim == 1:
            places = (scores >= 0 if self.tie == "positive" else scores > 0).astype(np.intp)
        elif self.tie == "positive" and getattr(self, "multiclass", "rest") == "joint":
            places = last_of_the_best(scores)
        else:
            places = scores.argmax(axis=1)
        return np.asarray(places)

    @undone_on_error
    def _learn(
        self, X: Any, y: Any, sample_weight: Any, classes: Any, go_on: bool, *, whole: bool
    ) -> str:
        """Learn; what to say of an order that spoilt it, after a blank, or nothing."""
        self._check_parameters()
        parameters = vars(self)  # what `__init__` has set, and more
        check_stopping(parameters, whole)
        X, y, sample_weight = learnt_rows(self, X, y, sample_weight)
        X, y = read_matrix(self, X, y, reset=whole or not go_on)
        found, codes = encode(y)
        known = self.classes_ if go_on else None
        all_classes = with_announced(union(known, found), classes)
        codes = recode(codes, found, all_classes)
        batch = make_batch(
            X, codes, all_classes, sample_weight, self.class_weight, self.fit_intercept,
            whole=whole,
        )  # fmt: skip
        if whole:
            _check_two_classes(all_classes, batch)
        stopping, batch = stopping_of(parameters, batch, whole)
        if not go_on or whole:
            self._random = check_random_state(self.random_state)
        if go_on:
            W = regrow(self._known_lines(X), self.classes_, all_classes).astype(X.dtype)
        else:
            W = start_lines(
                self.start, len(all_classes), X.shape[1], self.fit_intercept, X.dtype, self._random
            )
        orders = Orders(self.order, batch.n_rows, batch.kept, self._random)
        if not orders.sees_all_rows:
            check_finite(X)
        joint = self.multiclass == "joint" and len(W) > 1
        lines = Lines(W, all_classes, batch, orders, joint, go_on, stopping)
        self._begin(lines)
        passes, mistakes, last = self._train(lines, whole)

        past = (self.n_iter_, self.n_mistakes_) if go_on and not whole else (0, 0)
        self.n_iter_, self.n_mistakes_ = past[0] + passes, past[1] + mistakes
        held_out = stopping.held_out
        self.converged_ = not last and (not held_out or self._share(lines, held_out) == 1.0)
        unclean = stopping.reason or ("max_iter" if whole else "one pass")
        self.stop_reason_ = unclean if last else "clean pass"
        self.last_mistakes_ = last
        self._publish(lines)
        self.classes_ = all_classes
        return "" if not (whole and last) else advice_on(batch, orders, all_classes)

    def _known_lines(self, X: Any) -> np.ndarray:
        W = self._last_weights()
        if W.shape[1] != X.shape[1] + 1:
            raise InputError(
                f"X has {X.shape[1]} columns, but the weights to go on from have "
                f"{W.shape[1] - 1}; set warm_start=False to begin anew."
            )
        return W

    def _why_not_converged(self) -> str:
        n, k = self.n_iter_, self.last_mistakes_
        ask = "certify" if len(self.classes_) == 2 else "certify_classes"
        return (
            f"{type(self).__name__} stopped after max_iter = {n} pass{'es' * (n != 1)}, and the "
            f"last one still made {k} mistake{'s' * (k != 1)}. Raise max_iter, or ask "
            f"novikoff.{ask}(X, y) whether a separator exists at all."
        )

    def _check_parameters(self) -> None:
        one_of("tie", self.tie, TIES)
        one_of("multiclass", self.multiclass, MULTICLASS)
        if isinstance(self.order, str):
            one_of("order", self.order, self._orders)
        whole_number("max_iter", self.max_iter)
        for name in ("fit_intercept", "warm_start"):
            true_or_false(name, getattr(self, name))
        threads_of(self.n_jobs)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _check_two_classes(classes: np.ndarray, batch: Batch) -> None:
    present = classes
    with_weight = ""
    if len(classes) > 1 and batch.kept is not None:
        present = classes[np.unique(batch.targets[batch.kept])]
        with_weight = " of positive weight"
    if len(present) < 2:
        raise InputError(
            f"y has 1 class{with_weight} ({shown(present)}); a classifier needs at least 2."
        )


def advice_on(batch: Batch, orders: Orders, classes: np.ndarray) -> str:
    """What to say, after a blank, of rows that every pass sees sorted by class; else nothing."""
    if orders.shuffled or orders.restarts:
        return ""
    codes = (batch.targets[piece.order] for piece in orders.pieces(1 << 14))
    code = together(codes, len(classes))
    return "" if code is None else f" {mixing_advice(classes.tolist()[code])}"
