"""The rescaled perceptron as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if

from novikoff.conventions import true_or_false, whole_number
from novikoff.errors import one_of
from novikoff.estimators.ahead import threads_of
from novikoff.estimators.base import MULTICLASS, BasePerceptron
from novikoff.estimators.data import check_finite
from novikoff.estimators.lines import Lines
from novikoff.loops.joint import first_joint_mistake
from novikoff.loops.perceptron import first_mistake, reach_of
from novikoff.loops.rescaled import rescaled_perceptron
from novikoff.memory import check_room

BATCH = 200  # mistakes before the first attempt to rescale


@dataclass(eq=False)
class Outcome:
    """Of all lines together."""

    mistakes: int = 0
    rescalings: int = 0
    failures: list[str] = field(default_factory=list)  # why a line does not separate the rows


def _never(estimator: Any) -> bool:
    raise AttributeError(f"{type(estimator).__name__} needs all rows at once: use fit.")


class RescaledPerceptron(BasePerceptron):
    """The perceptron for rows whose margin is so small that the plain one would need years.

    After a batch of mistakes it squeezes space along the directions that they exclude, and starts
    again: about D·log(1/margin) rescalings instead of 1/margin² mistakes. Its weights are those
    of the original columns, and `converged_` is True only after an exact pass over the rows as
    given has found every one strictly on its side. It needs all rows at once, as one dense
    matrix; there is no partial_fit.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to learn an offset.
    max_rescalings : int, default=100
        The most rescalings of one line; where no separator exists it would never end.
    max_mistakes : int, default=1_000_000
        The most mistakes of one line.
    class_weight : dict, 'balanced' or None, default=None
        Scales the update of a row by the weight of its class, as in Perceptron. In rescaled space
        every row has length 1.
    multiclass : {'rest', 'joint'}, default='rest'
        How more than two classes are told apart, as in Perceptron. 'joint' writes out a row of
        all lines' weights for each row and wrong class.
    n_jobs : int or None, default=None
        Threads, which the lines of more than two classes are split over; -1 for all cores. The
        weights do not depend on it.
    verbose : int, default=0
        Whether to print the mistakes and rescalings of each line.

    Attributes
    ----------
    coef_, intercept_ : arrays of shape (1, d) and (1,) for two classes, else one line a class
    n_mistakes_, n_rescalings_ : of all lines together
    n_iter_ : how often the perceptron started: once, and after each rescaling
    converged_ : whether every row is strictly on its side, decided without rounding
    stop_reason_ : 'clean pass' (the exact one), 'max_rescalings', 'max_mistakes', or 'rounding': a
        clean pass over the rescaled rows that the exact one did not confirm
    classes_, n_features_in_ : as in Perceptron

    Examples
    --------
    >>> import novikoff as nk
    >>> data = nk.datasets.badmargin(60)
    >>> clf = nk.RescaledPerceptron().fit(data.X, data.y)
    >>> clf.converged_, clf.score(data.X, data.y)
    (True, 1.0)
    """

    tie, order, start, random_state = "mistake", "cyclic", None, None  # no parameters of this one
    n_rescalings_: int

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        max_rescalings: int = 100,
        max_mistakes: int = 1_000_000,
        class_weight: Any = None,
        multiclass: str = "rest",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.max_rescalings = max_rescalings
        self.max_mistakes = max_mistakes
        self.class_weight = class_weight
        self.multiclass = multiclass
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Rescale until the rows are separated, or the limits are reached.

        `sample_weight` scales each row's update; a row of weight 0 is left out.
        """
        self._learn(X, y, sample_weight, None, False, whole=True)
        if not self.converged_:
            warnings.warn(self._why_not_converged(), ConvergenceWarning, stacklevel=2)
        return self

    @available_if(_never)  # type: ignore[untyped-decorator]
    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Not available."""
        raise NotImplementedError

    def _train(self, lines: Any, whole: bool) -> tuple[int, int, int]:  # noqa: ARG002
        batch, order, outcome = lines.batch, lines.orders.whole(), Outcome()
        check_finite(batch.X)
        n, d = batch.X.shape
        _check_size(n, d, len(lines) if lines.joint else 1)
        rows, targets = _unit_rows(batch.X, order, self.fit_intercept), batch.targets[order]
        which = range(1 if lines.joint else len(lines))
        sizes = [_sizes(lines, c, order) for c in which]

        def run(c: int) -> Any:
            some, steps = sizes[c] > 0.0, sizes[c][sizes[c] > 0.0]
            if lines.joint:
                signed = _pairs(rows[some], targets[some], len(lines))
                steps = np.repeat(steps, len(lines) - 1)
            else:
                sides = np.where(targets == lines.positives[c], 1.0, -1.0)
                signed = (rows * sides[:, None])[some]
            return rescaled_perceptron(  # type: ignore[no-untyped-call]
                signed, BATCH, self.max_rescalings, self.max_mistakes, steps
            )

        with ThreadPoolExecutor(min(threads_of(self.n_jobs), len(which))) as threads:
            runs = list(threads.map(run, which))
        found = np.stack([w for w, *_ in runs]).reshape(len(lines), -1)
        lines.W, lines.kept = np.zeros(lines.W.shape), outcome
        lines.W[:, : found.shape[1]] = found
        for c, (_, clean, mistakes, rescalings) in enumerate(runs):
            outcome.mistakes += mistakes
            outcome.rescalings += rescalings
            if not self._separates(lines, c, order[sizes[c] > 0.0]):
                limit = "max_mistakes" if mistakes >= self.max_mistakes else "max_rescalings"
                outcome.failures.append("rounding" if clean else limit)
            if self.verbose:
                print(f"line {c + 1}: {mistakes} mistakes, {rescalings} rescalings")
        return outcome.rescalings + len(runs), outcome.mistakes, len(outcome.failures)

    def _separates(self, lines: Lines, c: int, order: np.ndarray) -> bool:
        """Whether line c, or the joint lines, are strictly right on every row in `order`: exact."""
        batch = lines.batch
        work = float(batch.n_numbers)
        if lines.joint:
            place = first_joint_mistake.for_work(work * len(lines))(
                batch.rows, batch.targets, order, lines.W, False
            )
        else:
            place = first_mistake.for_work(work)(
                batch.rows, batch.targets, order, lines.positives[c], lines.W[c], False,
                reach_of.for_work(work)(lines.W[c]),
            )  # fmt: skip
        return bool(place == len(order))

    def _publish(self, lines: Any) -> None:
        super()._publish(lines)
        self.n_rescalings_ = lines.kept.rescalings
        if lines.kept.failures:
            self.stop_reason_ = lines.kept.failures[0]

    def _why_not_converged(self) -> str:
        what = {
            "max_rescalings": f"stopped after max_rescalings = {self.max_rescalings}",
            "max_mistakes": f"stopped after max_mistakes = {self.max_mistakes}",
            "rounding": "separated the rescaled rows, but not, without rounding, the rows given",
        }[self.stop_reason_]
        lines = ""
        if len(self.coef_) > 1 and self.multiclass == "rest":
            lines = f" on {self.last_mistakes_} of {len(self.coef_)} lines"
        ask = "certify" if len(self.classes_) == 2 else "certify_classes"
        return (
            f"{type(self).__name__} {what}, and its weights still make mistakes{lines}. Raise the "
            f"limits, or ask novikoff.{ask}(X, y) whether a separator exists at all."
        )

    def _check_parameters(self) -> None:
        one_of("multiclass", self.multiclass, MULTICLASS)
        whole_number("max_rescalings", self.max_rescalings)
        whole_number("max_mistakes", self.max_mistakes)
        true_or_false("fit_intercept", self.fit_intercept)
        threads_of(self.n_jobs)


def _sizes(lines: Lines, c: int, order: np.ndarray) -> np.ndarray:
    """The size of an update of line c, or of the joint lines, on each row in `order`."""
    batch, targets = lines.batch, lines.batch.targets[order]
    own = batch.sizes if len(batch.sizes) == 1 else batch.sizes[order]
    gains = np.where(targets == lines.positives[c], *batch.gains[c])
    return np.asarray(own * (batch.gains[targets, 0] if lines.joint else gains), dtype=np.float64)


def _check_size(n: int, d: int, joined: int) -> None:
    """Raise before rows are made dense that, with the matrix of the rescalings, have no room."""
    dim = joined * (d + 1)
    check_room(
        8 * (2 * n * (d + 1) + n * joined * dim + 2 * dim * dim),
        f"RescaledPerceptron, whose rescalings are a dense matrix, on {n:,} rows and {d:,} columns",
        "choose another member of the family, or fewer columns",
    )


def _unit_rows(X: Any, order: np.ndarray, fit_intercept: bool) -> np.ndarray:
    """The rows in `order`, dense, with their 1, each divided by a power of two near its size.

    A positive factor changes nothing about a row's side.
    """
    rows = X[order]
    rows = (rows if isinstance(rows, np.ndarray) else rows.toarray()).astype(np.float64)
    if fit_intercept:
        rows = np.column_stack([rows, np.ones(len(rows))])
    _, exponents = np.frexp(np.abs(rows).max(axis=1))
    return np.asarray(np.ldexp(rows, -exponents[:, None]))


def _pairs(rows: np.ndarray, targets: np.ndarray, n_classes: int) -> np.ndarray:
    """Kesler's construction: a row per row and wrong class, whose score under all lines laid end
    to end is the true class's minus the wrong one's.
    """
    pairs = np.zeros((len(rows), n_classes, n_classes, rows.shape[1]))
    every, classes = np.arange(len(rows)), np.arange(n_classes)
    pairs[every, :, targets] = rows[:, None]
    pairs[:, classes, classes] -= rows[:, None]
    wrong = classes != targets[:, None]
    return np.asarray(pairs[wrong].reshape(-1, n_classes * rows.shape[1]))
