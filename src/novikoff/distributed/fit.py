"""`fit`: a perceptron learnt from shards, in rounds of one pass on each and a mixing of all."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from novikoff.conventions import MULTICLASS, TIES, true_or_false, whole_number
from novikoff.distributed.checkpoint import fingerprint, resume
from novikoff.distributed.cluster import client_or_default
from novikoff.distributed.mixing import KINDS, MIXINGS, Learner, Part, add, visit
from novikoff.distributed.planning import SHARD_ROWS, plan
from novikoff.distributed.progress import Reporter, Round
from novikoff.distributed.shards import BlockShard
from novikoff.distributed.survey import Survey, survey
from novikoff.distributed.tasks import Tasks
from novikoff.errors import InputError, one_of
from novikoff.estimators.labels import shown
from novikoff.estimators.lines import n_lines
from novikoff.estimators.model_file import save_model

if TYPE_CHECKING:
    from distributed import Client

    from novikoff.conventions import Multiclass, Tie
    from novikoff.estimators import AveragedPerceptron, Perceptron


def fit(
    data: Any,
    client: Client | None = None,
    *,
    kind: Literal["perceptron", "averaged"] = "perceptron",
    rounds: int = 100,
    mixing: Literal["uniform", "mistakes"] = "uniform",
    checkpoint: str | os.PathLike[str] | None = None,
    fit_intercept: bool = True,
    tie: Tie = "mistake",
    order: Literal["cyclic", "shuffled"] = "cyclic",
    multiclass: Multiclass = "rest",
    random_state: int = 0,
    retries: int = 2,
    shard_rows: int = SHARD_ROWS,
    verbose: bool = False,
    progress: Callable[[Round], Any] | None = None,
    **reading: Any,
) -> Perceptron | AveragedPerceptron:
    """Learn from shards on a Dask cluster; a fitted Perceptron or AveragedPerceptron.

    A round sends w to all shards, makes one pass over each, and mixes what they learnt. It ends
    when a round makes no mistake on any shard: then no shard has changed w, and every row has
    been found on its side of it. The same shards and parameters give the same bits, whatever the
    workers, their number and their order.

    Parameters
    ----------
    data : a path or pattern of files, a list of paths, a pair (X, y) of Dask arrays, a Dask
        DataFrame, or a list of delayed pairs
    client : a dask.distributed Client; by default the one that is open
    kind : 'perceptron' or 'averaged'
    rounds : the most rounds
    mixing : 'uniform' weighs all shards equally, 'mistakes' by their mistakes in the round
    checkpoint : a file that is written after each round, and gone on from if it is there
    fit_intercept, tie, multiclass : as in novikoff.Perceptron
    order : 'cyclic', or 'shuffled' for a new order of each shard's rows in each round
    random_state : the seed of 'shuffled'
    retries : how often a task that raised an error is tried again
    shard_rows : Parquet row groups are put together up to so many rows
    verbose : whether to say on standard error how it goes
    progress : is called with a Round after each
    reading : for files, what novikoff.read takes; for a DataFrame `label`, its label column
    """
    one_of("kind", kind, tuple(KINDS))
    one_of("mixing", mixing, MIXINGS)
    one_of("tie", tie, TIES)
    one_of("order", order, ("cyclic", "shuffled"))
    one_of("multiclass", multiclass, MULTICLASS)
    whole_number("rounds", rounds)
    whole_number("shard_rows", shard_rows)
    _not_negative("retries", retries)
    _not_negative("random_state", random_state)
    fit_intercept = true_or_false("fit_intercept", fit_intercept)
    tasks = Tasks(client_or_default(client), retries)
    reporter = Reporter(verbose, progress)
    shards = plan(data, shard_rows, **reading)
    reporter.begin(tasks.client, len(shards))
    found = survey(tasks, shards, fit_intercept)
    if len(found.classes) < 2:
        raise InputError(f"y has 1 class ({shown(found.classes)}); a classifier needs at least 2.")
    learner = Learner(
        kind, mixing, found.classes, found.dtype, fit_intercept, tie, order, multiclass,
        int(random_state),
    )  # fmt: skip
    question = fingerprint(learner, found)
    state = _State(learner, found, question)
    state.go_on_from(resume(checkpoint, learner, question))
    while not state.is_clean and len(state.mistakes) < rounds:
        started = time.perf_counter()
        number = len(state.mistakes)
        part = _round(tasks, found, learner, state.W, number)
        state.mix(part)
        if checkpoint is not None:
            save_model(state.model(rounds), checkpoint)
        seconds = time.perf_counter() - started
        reporter.end_of(Round(number + 1, part.mistakes, part.n_visits, seconds))
    model = state.model(rounds)
    if not model.converged_:
        warnings.warn(_why_not(state, rounds), ConvergenceWarning, stacklevel=2)
    return model


def _round(tasks: Tasks, found: Survey, learner: Learner, W: np.ndarray, number: int) -> Part:
    def ask() -> list[Any]:
        parts = tasks.each(visit, found.shards, W, learner, number)
        return [tasks.tree(add, parts)]

    part: Part = tasks.results(ask)[0]
    return part


class _State:
    """The weights after some rounds, and what the mistakes of all rounds were."""

    def __init__(self, learner: Learner, found: Survey, question: str) -> None:
        self.learner = learner
        self.found = found
        self.question = question
        shape = n_lines(len(found.classes)), found.n_columns + 1
        self.W = np.zeros(shape, dtype=found.dtype)
        self.means = np.zeros(shape)  # Σ over rounds of the mean over the visits of a round
        self.n_visits = 0  # that the mean is over
        self.mistakes: list[tuple[int, ...]] = []

    @property
    def is_clean(self) -> bool:
        return bool(self.mistakes) and not any(self.mistakes[-1])

    def mix(self, part: Part) -> None:
        """w <- Σ μ_i·w_i; where no shard made a mistake, no w_i differs from w."""
        self.mistakes.append(part.mistakes)
        if part.means is not None:
            self.means += part.means / part.n_visits
            self.n_visits += part.n_visits
        if any(part.mistakes):
            mixed = (part.weights / part.share).astype(self.W.dtype)
            self.W = mixed + mixed.dtype.type(0)  # no negative zeros
        if not (np.isfinite(self.W).all() and np.isfinite(self.means).all()):
            raise InputError(
                f"the weights have grown beyond what {self.W.dtype} can hold; divide X by a power "
                "of ten."
            )

    def go_on_from(self, model: Any) -> None:
        if model is None:
            return
        self.W = model._last_weights()
        self.mistakes = [tuple(row) for row in model.round_mistakes_.tolist()]
        if self.learner.kind == "averaged":
            self.means, self.n_visits = model._means, model.n_visits_

    def model(self, rounds: int) -> Perceptron | AveragedPerceptron:
        """The estimator that these rounds have learnt."""
        found, n_rounds, W = self.found, len(self.mistakes), self.W
        model: Any = self.learner.member(max_iter=rounds)
        model.classes_ = found.classes
        model.n_features_in_ = found.n_columns
        if found.names is not None and isinstance(found.shards[0], BlockShard):  # of a DataFrame
            model.feature_names_in_ = np.array(found.names, dtype=object)
        if found.reading:
            model.reading_, model.label_ = found.reading, found.label
        model.coef_, model.intercept_ = W[:, :-1].copy(), W[:, -1].copy()
        if self.learner.kind == "averaged":
            model.last_coef_, model.last_intercept_ = model.coef_, model.intercept_
            model.n_visits_ = self.n_visits
            mean = self.means / n_rounds
            model._sums = model.n_visits_ * (W.astype(np.float64) - mean)
            model._means = self.means
            mean = mean.astype(W.dtype)
            model.coef_, model.intercept_ = mean[:, :-1].copy(), mean[:, -1].copy()
        model.n_iter_ = n_rounds
        model.round_mistakes_ = np.array(self.mistakes, dtype=np.int64)
        model.n_mistakes_ = int(model.round_mistakes_.sum())
        model.converged_ = self.is_clean
        model.stop_reason_ = "clean pass" if self.is_clean else "rounds"
        model.mixing_ = self.learner.mixing
        model.radius_ = found.radius
        model.question_ = self.question
        model.last_mistakes_ = sum(self.mistakes[-1])
        model._random = np.random.RandomState(self.learner.seed)
        fitted: Perceptron | AveragedPerceptron = model
        return fitted


def _why_not(state: _State, rounds: int) -> str:
    k = sum(state.mistakes[-1])
    ask = " Raise rounds, or ask novikoff.distributed.certify whether a separator exists at all."
    return (
        f"stopped after {rounds} round{'s' * (rounds != 1)}, and the last one still made {k} "
        f"mistake{'s' * (k != 1)}.{ask}"
    )


def _not_negative(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise InputError(f"{name} is {value!r}; it must be a whole number of at least 0.")
