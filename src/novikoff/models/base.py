"""What all models share in learning: rows and labels read, passes until a clean one.

A fit is `_learn`: `_open` reads the rows, `_train` makes passes, each of which is `_pass`, then
`_visit` by some lines, then `_visit_rows` of some rows, a call of a loop; `_close` sets what was
learnt. A kind that keeps more than a line of weights per class says what a visit of some rows does
(`_visit_rows`), what it keeps (`_begin`), what it shows at the end (`_publish`) and what it goes on
from (`last_weights`). Nothing here warns: how learning ended is `stop_reason_`, and `why_not` says
it in words. What a model is, and how it answers, is predicting.py.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np

from novikoff.conventions import (
    MULTICLASS,
    ORDERS,
    TIES,
    read_random,
    threads_of,
    true_or_false,
    whole_number,
)
from novikoff.errors import InputError, one_of
from novikoff.models.data import Batch, check_finite, learnt_rows, make_batch
from novikoff.models.labels import encode, recode, shown, union, with_announced
from novikoff.models.lines import Lines, regrow, start_lines
from novikoff.models.orders import Orders, Piece, mixing_advice, together
from novikoff.models.predicting import Predictor
from novikoff.models.scoring import settled_scores
from novikoff.models.stopping import HeldOut, check_stopping, stopping_of
from novikoff.wording import count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from novikoff.conventions import Order
    from novikoff.inputs.type_aliases import ClassWeight, Seed


T = TypeVar("T")


def undone_on_error(method: Callable[..., T]) -> Callable[..., T]:
    """Let a method that sets attributes set all of them, or none where it raises.

    Without this, a fit that is refused would leave a learnt model with the new number of columns
    and the old weights. Attributes must be replaced, never changed in place.
    """

    @wraps(method)
    def careful(self: Any, *args: Any, **options: Any) -> T:
        before = dict(vars(self))
        try:
            return method(self, *args, **options)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return careful


class Model(Predictor):
    """A predictor that learns: passes over the rows, and what is kept and shown after them."""

    _orders: ClassVar[tuple[str, ...]] = ORDERS  # the words that `order` may be
    _advises: ClassVar[bool] = True  # whether rows sorted by class are worth a word

    if TYPE_CHECKING:  # the parameters that the code below speaks of; a kind declares its own
        fit_intercept: bool
        max_iter: int
        order: Order
        start: ArrayLike | Literal["random"] | None
        random_state: Seed
        class_weight: ClassWeight
        warm_start: bool
        n_jobs: int | None
        verbose: int

    # What is kept and shown

    def _begin(self, lines: Lines) -> None:
        """Set lines.kept to what this kind keeps beyond the weights, before the first pass."""

    def _judged(self, lines: Lines) -> np.ndarray:
        """The weights that would be published now."""
        return np.asarray(lines.W)

    def _badness(self, lines: Lines) -> float:
        """How bad the last pass was, counted in mistakes."""
        return lines.last

    def _publish(self, lines: Lines) -> None:
        """Set the attributes that hold what was learnt; classes_ still holds what was known."""
        self.coef_, self.intercept_ = lines.W[:, :-1].copy(), lines.W[:, -1].copy()

    def last_weights(self) -> np.ndarray:
        """The weights to go on from, the offsets last, one line a row."""
        return np.column_stack([self.coef_, self.intercept_])

    # Where scikit-learn has a word to say

    def _drawing(self) -> np.random.RandomState:
        """Where random numbers come from."""
        return read_random(self.random_state)

    # Learning

    @undone_on_error
    def _learn(
        self, X: Any, y: Any, sample_weight: Any, classes: Any, go_on: bool, *, whole: bool
    ) -> str:
        """Learn; what to say of an order that spoilt it, after a blank, or nothing.

        `whole`: these are all rows, to be learnt in as many passes as may be; else in one.
        """
        run = self._open(X, y, sample_weight, classes, go_on, whole)
        self._train(run)
        self._close(run)
        if not (whole and self.last_mistakes_ and self._advises):
            return ""
        return _advice_on(run.batch, run.orders, run.classes)

    def _open(
        self, X: Any, y: Any, sample_weight: Any, classes: Any, go_on: bool, whole: bool,
        *, session: bool = False, same_rows: bool = False,
    ) -> Any:  # fmt: skip
        """Everything that the first pass needs.

        A `session` is done pass by pass, and one that goes on draws from where it was;
        `same_rows`: what it goes on from was learnt from these very rows.
        """
        X, classes, batch = self._rows(X, y, sample_weight, classes, go_on, whole)
        stopping, batch = stopping_of(vars(self), batch, whole, self._drawing)
        if not go_on or (whole and not session):
            self._random = self._drawing()
        if go_on:
            W = regrow(self._known_lines(X), self.classes_, classes).astype(X.dtype)
        else:
            W = start_lines(
                self.start, len(classes), X.shape[1], self.fit_intercept, X.dtype, self._random
            )
        orders = Orders(self.order, batch.n_rows, batch.kept, self._random)
        if not orders.sees_all_rows:
            check_finite(X)
        joint = self.multiclass == "joint" and len(W) > 1
        lines = Lines(W, classes, batch, orders, joint, go_on, stopping, whole, same_rows, session)
        self._begin(lines)
        return lines

    def _rows(
        self, X: Any, y: Any, sample_weight: Any, classes: Any, go_on: bool, whole: bool
    ) -> tuple[Any, np.ndarray, Batch]:
        """The matrix, all classes, and the batch."""
        self._check_parameters()
        check_stopping(vars(self), whole)
        X, y, sample_weight = learnt_rows(self, X, y, sample_weight)
        X, y = self._read(X, y, reset=whole or not go_on)
        found, codes = encode(y, X.shape[0])
        known = self.classes_ if go_on else None
        all_classes = with_announced(union(known, found), classes)
        codes = recode(codes, found, all_classes)
        batch = make_batch(
            X, codes, all_classes, sample_weight, self.class_weight, self.fit_intercept,
            whole=whole,
        )  # fmt: skip
        if whole:
            _check_two_classes(all_classes, batch)
        return X, all_classes, batch

    def _train(self, run: Any) -> None:
        """Passes until one is clean, or one pass."""
        for _ in range(self.max_iter if run.whole else 1):
            self._pass(run)
            if self.verbose:
                print(f"pass {run.passes}: {count(run.last, 'mistake')}")
            if not run.last or self._is_enough(run):
                return

    def _pass(self, run: Any) -> None:
        """One pass of all lines that have still to learn, shared out over threads."""
        run.begin_pass()
        jobs = 1 if run.joint else min(threads_of(self.n_jobs), len(run.live))
        if jobs == 1:
            finite = self._visit(run, run.live)
        else:
            with ThreadPoolExecutor(jobs) as threads:
                groups = np.array_split(run.live, jobs)
                finite = all(list(threads.map(lambda which: self._visit(run, which), groups)))
        if not finite:
            check_finite(run.batch.X)
            raise InputError(
                f"the weights have grown beyond what {run.batch.dtype} can hold; divide X, or the "
                "weights of rows and classes, by a power of ten."
            )
        run.end_pass()

    def _visit(self, lines: Lines, which: np.ndarray) -> bool:
        """A pass by the lines `which`; False if a row or a weight is not finite."""
        for piece in lines.orders.pieces():
            left = which
            if lines.orders.restarts:  # a line's pass ends at its first mistake
                left = which[lines.mistakes[which] == 0]
                if lines.joint and len(left) < len(which):
                    break
            with np.errstate(over="ignore", invalid="ignore"):
                if self._visit_rows(lines, left, piece) < 0:
                    return False
        return True

    def _visit_rows(self, lines: Lines, which: np.ndarray, piece: Piece) -> int:
        """Visit the rows of the piece with the lines `which`; see `Lines.visit`."""
        return lines.visit(which, piece.order, self.tie == "positive")

    def _is_over(self, run: Any) -> bool:
        """Whether a session has no more to learn, or may not."""
        passes = (self.n_iter_ if run.same_rows else 0) + run.passes
        clean = not run.last if run.passes else run.same_rows and self.converged_
        return clean or passes >= self.max_iter

    def _close(self, run: Any) -> None:
        """Set all attributes after the passes that were made."""
        past = (0, 0)
        if run.goes_on and (run.same_rows or not run.whole):
            past = (self.n_iter_, self.n_mistakes_)
        self.n_iter_, self.n_mistakes_ = past[0] + run.passes, past[1] + run.n_mistakes
        held_out = run.stopping.held_out
        clean = not run.last
        self.converged_ = clean and (not held_out or self._share(run, held_out) == 1.0)
        unclean = run.stopping.reason or ("max_iter" if run.whole else "one pass")
        self.stop_reason_ = "clean pass" if clean else unclean
        self.last_mistakes_ = run.last
        self._publish(run)
        self.classes_ = run.classes

    def _keep_state(self, run: Any) -> None:
        """Keep, for a session that goes on later, what the attributes set so far do not say."""

    def _is_enough(self, lines: Any) -> bool:
        """Whether to stop after a pass that was not clean."""
        stopping = lines.stopping
        if stopping.tol is None:
            return False
        if stopping.held_out is None:
            worth = -self._badness(lines) / lines.orders.n_visits
        else:
            worth = self._share(lines, stopping.held_out)
        return bool(stopping.after(worth))

    def _share(self, lines: Lines, held_out: HeldOut) -> float:
        """The share of held-out rows that are put in their class."""
        W = self._judged(lines)
        scores = settled_scores(held_out.X, W[:, :-1], W[:, -1], joint=lines.joint)
        scores = scores[:, 0] if scores.shape[1] == 1 else scores
        return held_out.share(self._places_of(scores, len(lines.classes)))

    def _known_lines(self, X: Any) -> np.ndarray:
        W = self.last_weights()
        if W.shape[1] != X.shape[1] + 1:
            raise InputError(
                f"X has {X.shape[1]} columns, but the weights to go on from have "
                f"{W.shape[1] - 1}; set warm_start=False to begin anew."
            )
        return W

    def _check_goes_on(self) -> None:
        """Raise where this kind cannot learn from more rows."""

    def why_not(self) -> str:
        """Why learning ended before a clean pass, and what to do; nothing where that was asked."""
        if self.stop_reason_ != "max_iter":
            return ""
        n, k = self.n_iter_, self.last_mistakes_
        ask = "certify" if len(self.classes_) == 2 else "certify_classes"
        return (
            f"{self.kind} stopped after max_iter = {count(n, 'pass')}, and the "
            f"last one still made {count(k, 'mistake')}. Raise max_iter, or ask "
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


def _check_two_classes(classes: np.ndarray, batch: Batch) -> None:
    present = classes
    with_weight = ""
    if len(classes) > 1 and batch.kept is not None:
        present = classes[np.unique(batch.targets[batch.kept])]
        with_weight = " of positive weight"
    if len(classes) == 2 and not batch.gains.all():  # (1, 2): of the positive class, of the other
        present = classes[batch.gains[0, ::-1] > 0]
        with_weight = " of positive weight"
    if len(present) < 2:
        raise InputError(
            f"y has 1 class{with_weight} ({shown(present)}); a classifier needs at least 2."
        )


def _advice_on(batch: Batch, orders: Orders, classes: np.ndarray) -> str:
    """What to say, after a blank, of rows that every pass sees sorted by class; else nothing."""
    if orders.shuffled or orders.restarts:
        return ""
    codes = (batch.targets[piece.order] for piece in orders.pieces(1 << 14))
    code = together(codes, len(classes))
    return "" if code is None else f" {mixing_advice(classes.tolist()[code])}"
