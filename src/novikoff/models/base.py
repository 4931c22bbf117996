"""What all models share in learning: rows and labels read, passes until a clean one.

`_learn` is a fit: `_open` reads the rows, each pass is `_pass`, which gives lines of weights to
`_visit`, which calls a loop; `_close` sets what was learnt. `passes` is the same fit, pass by pass.
A kind that keeps more than a line of weights per class says what it keeps (`_begin`), what its
pass does (`_visit`), what it shows at the end (`_publish`) and what it goes on from
(`last_weights`). Nothing here warns: how learning ended is `stop_reason_`, and `why_not` says it
in words. What a model is, and how it answers, is predicting.py.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
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
from novikoff.models.orders import Orders, mixing_advice, together
from novikoff.models.predicting import Predictor, flat
from novikoff.models.scoring import settled_scores
from novikoff.models.stopping import HeldOut, check_stopping, hold_out, stopping_of
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
        self._set_weights(lines.W)

    def _set_weights(self, W: np.ndarray, last: str = "") -> None:
        """Set coef_ and intercept_, or what is called so after 'last_'."""
        setattr(self, f"{last}coef_", W[:, :-1].copy())
        setattr(self, f"{last}intercept_", W[:, -1].copy())

    def last_weights(self) -> np.ndarray:
        """The weights to go on from, the offsets last, one line a row."""
        last = "last_" if hasattr(self, "last_coef_") else ""
        return np.column_stack([getattr(self, f"{last}coef_"), getattr(self, f"{last}intercept_")])

    # Where scikit-learn has a word to say

    def _drawing(self) -> np.random.RandomState:
        """Where random numbers come from."""
        return read_random(self.random_state)

    def _split(self, targets: np.ndarray, fraction: float) -> tuple[np.ndarray, np.ndarray]:
        """The places of the rows to learn from, and of the share of every class to hold out."""
        raise InputError(
            f"only an estimator holds out {fraction} of {len(targets)} rows; set "
            "early_stopping=False."
        )

    # Learning

    @undone_on_error
    def _learn(
        self, X: Any, y: Any, sample_weight: Any, classes: Any, go_on: bool, *, whole: bool
    ) -> str:
        """Learn; what to say of an order that spoilt it, after a blank, or nothing.

        `whole`: these are all rows, to be learnt in as many passes as may be; else in one.
        """
        run = self._open(X, y, sample_weight, classes, go_on, whole)
        for _ in self._train(run):
            pass
        self._close(run)
        orders = run.orders
        if (
            not (whole and self.last_mistakes_ and self._advises)
            or orders.shuffled
            or orders.restarts
        ):
            return ""
        code = together(run.batch.targets[orders.order], len(run.classes))
        return "" if code is None else f" {mixing_advice(run.classes.tolist()[code])}"

    def _open(
        self, X: Any, y: Any, sample_weight: Any, classes: Any, go_on: bool, whole: bool,
        *, pass_by_pass: bool = False, same_rows: bool = False,
    ) -> Lines:  # fmt: skip
        """Everything that the first pass needs.

        A fit `pass_by_pass` that goes on draws from where it was; `same_rows`: what it goes on from
        was learnt from these very rows.
        """
        self._check_parameters()
        check_stopping(vars(self), whole)
        X, y, sample_weight = learnt_rows(self, X, y, sample_weight)
        X, y = self._read(X, y, reset=whole or not go_on)
        found, codes = encode(y, X.shape[0])
        classes = with_announced(union(self.classes_ if go_on else None, found), classes)
        batch = make_batch(
            X, recode(codes, found, classes), classes, sample_weight, self.class_weight,
            self.fit_intercept, whole=whole,
        )  # fmt: skip
        if whole:
            _check_two_classes(classes, batch)
        stopping = stopping_of(vars(self), whole)
        if whole and getattr(self, "early_stopping", False):
            batch, stopping.held_out = hold_out(
                batch, vars(self)["validation_fraction"], self._split
            )
        if not go_on or (whole and not pass_by_pass):
            self._random = self._drawing()
        W = self._first_lines(X, classes, go_on)
        orders = Orders(self.order, batch.n_rows, batch.kept, self._random)
        if not orders.sees_all_rows:
            check_finite(X)
        joint = self.multiclass == "joint" and len(W) > 1
        lines = Lines(
            W, classes, batch, orders, joint, self.tie == "positive", go_on, stopping, whole,
            same_rows, pass_by_pass,
        )  # fmt: skip
        self._begin(lines)
        return lines

    def _train(self, run: Lines) -> Iterator[None]:
        """Passes until one is clean, or there may be no more; yields after each."""
        is_over = self._is_used_up(run)
        while not is_over:
            self._pass(run)
            if self.verbose:
                print(self._progress(run))
            is_over = not run.last or self._is_enough(run) or self._is_used_up(run)
            if is_over:
                self._finish(run)
            yield

    def _finish(self, run: Lines) -> None:
        """What is done after the last pass."""

    def _progress(self, run: Lines) -> str:
        return f"pass {run.passes}: {count(run.last, 'mistake')}"

    def _is_used_up(self, run: Lines) -> bool:
        """Whether as many passes are made as are allowed."""
        before = self.n_iter_ if run.same_rows else 0
        return before + run.passes >= (self.max_iter if run.whole else 1)

    def _pass(self, run: Lines) -> None:
        """One pass of all lines that have still to learn, shared out over threads."""
        run.begin_pass()
        jobs = 1 if run.joint else min(threads_of(self.n_jobs), len(run.live))
        if jobs == 1:
            finite = self._visit(run, run.live) >= 0
        else:
            with ThreadPoolExecutor(jobs) as threads:
                groups = np.array_split(run.live, jobs)
                finite = min(threads.map(lambda which: self._visit(run, which), groups)) >= 0
        if not finite:
            check_finite(run.batch.X)
            raise InputError(
                f"the weights have grown beyond what {run.batch.dtype} can hold; divide X, or the "
                "weights of rows and classes, by a power of ten."
            )
        run.last = int(run.mistakes.sum())
        run.n_mistakes += run.last
        if not run.joint:  # a line whose pass was clean stays as it is
            run.live = run.live[run.mistakes[run.live] > 0]

    def _visit(self, lines: Lines, which: np.ndarray) -> int:
        """A pass by the lines `which`; negative if a row or a weight is not finite."""
        return lines.visit(which, lines.orders.order)

    def _close(self, run: Lines) -> None:
        """Set all attributes after the passes that were made."""
        held_out = run.stopping.held_out
        clean = not run.last
        self.converged_ = clean and (not held_out or self._share(run, held_out) == 1.0)
        limit = "max_iter" if run.whole and self._is_used_up(run) else "one pass"
        self.stop_reason_ = "clean pass" if clean else run.stopping.reason or limit
        past = (0, 0)
        if run.goes_on and (run.same_rows or not run.whole):
            past = (self.n_iter_, self.n_mistakes_)
        self.n_iter_, self.n_mistakes_ = past[0] + run.passes, past[1] + run.n_mistakes
        self.last_mistakes_ = run.last
        self._publish(run)
        self.classes_ = run.classes

    def _is_enough(self, lines: Lines) -> bool:
        """Whether passes have stopped to help, by the rule that the parameters ask for."""
        stopping = lines.stopping
        if stopping.tol is None:
            return False
        if stopping.held_out is None:
            worth = -self._badness(lines) / len(lines.orders.rows)
        else:
            worth = self._share(lines, stopping.held_out)
        return bool(stopping.after(worth))

    def _share(self, lines: Lines, held_out: HeldOut) -> float:
        """The share of held-out rows that are put in their class."""
        W = self._judged(lines)
        scores = flat(settled_scores(held_out.X, W[:, :-1], W[:, -1], joint=lines.joint))
        return held_out.share(self._places_of(scores, len(lines.classes)))

    def _first_lines(self, X: Any, classes: np.ndarray, go_on: bool) -> np.ndarray:
        """The weights before the first pass."""
        if not go_on:
            return start_lines(
                self.start, len(classes), X.shape[1], self.fit_intercept, X.dtype, self._random
            )
        W = self.last_weights()
        if W.shape[1] != X.shape[1] + 1:
            raise InputError(
                f"X has {X.shape[1]} columns, but the weights to go on from have "
                f"{W.shape[1] - 1}; set warm_start=False to begin anew."
            )
        return regrow(W, self.classes_, classes).astype(X.dtype)

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


def passes(model: Model, X: Any, y: Any = None, *, same_rows: bool = False) -> Iterator[Model]:
    """A fit of `model` over all the rows there are: the model after each pass.

    Each can be saved, and goes on from a file: on the `same_rows`, which are not checked, to the
    very bits of a fit that was never interrupted; or on others, counting passes and mistakes anew.
    """
    if same_rows and model.is_fitted and model.converged_:
        return
    go_on = model.is_fitted
    if go_on and not same_rows:
        model._check_goes_on()
    begun = copy.copy(model)
    run = begun._open(
        X, y, None, None, go_on, True, pass_by_pass=True, same_rows=go_on and same_rows
    )
    for _ in begun._train(run):
        made = copy.copy(begun)
        made._random = copy.deepcopy(begun._random)
        made._close(run)
        yield made
