"""`fit`: a perceptron learnt from shards, in rounds of one pass on each and a mixing of all."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from novikoff import estimators
from novikoff.conventions import MULTICLASS, TIES, true_or_false, whole_number
from novikoff.distributed.checkpoint import fingerprint, resume
from novikoff.distributed.cluster import client_or_default
from novikoff.distributed.mixing import MIXINGS, Learner, Part, add, visit
from novikoff.distributed.planning import SHARD_ROWS, plan
from novikoff.distributed.progress import Reporter, Round
from novikoff.distributed.shards import BlockShard
from novikoff.distributed.survey import Survey, survey
from novikoff.distributed.tasks import Tasks
from novikoff.errors import InputError, one_of
from novikoff.models import Model, write
from novikoff.models.labels import shown
from novikoff.models.lines import n_lines
from novikoff.models.rounds import KINDS, Rounds, model_of_rounds, rounds_of
from novikoff.wording import count, plural

if TYPE_CHECKING:
    from distributed import Client

    from novikoff.conventions import Multiclass, Tie
    from novikoff.estimators.averaged import AveragedPerceptron
    from novikoff.estimators.perceptron import Perceptron


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
    whole_number("retries", retries, 0)
    whole_number("random_state", random_state, 0)
    fit_intercept = true_or_false("fit_intercept", fit_intercept)
    tasks = Tasks(client_or_default(client), retries)
    reporter = Reporter(verbose, progress)
    shards = plan(data, shard_rows, **reading)
    reporter.begin(tasks.client, len(shards))
    found = survey(tasks, shards, fit_intercept)
    reporter.remark(() if found.origin is None else found.origin.notes)
    if len(found.classes) < 2:
        raise InputError(f"y has 1 class ({shown(found.classes)}); a classifier needs at least 2.")
    learner = Learner(
        kind, mixing, found.classes, found.dtype, fit_intercept, tie, order, multiclass,
        int(random_state),
    )  # fmt: skip
    question = fingerprint(learner, found)
    state = _State(learner, found, question, resume(checkpoint, learner, question))
    while not state.rounds.is_clean and len(state.rounds.mistakes) < rounds:
        started = time.perf_counter()
        number = len(state.rounds.mistakes)
        part = _round(tasks, found, learner, state.rounds.W, number)
        state.mix(part)
        if checkpoint is not None:
            write(state.model(rounds), checkpoint)
        seconds = time.perf_counter() - started
        reporter.end_of(Round(number + 1, part.mistakes, part.n_visits, seconds))
    model = state.model(rounds)
    if not model.converged_:
        why = _why_not(model.last_mistakes_, rounds)
        warnings.warn(why, ConvergenceWarning, stacklevel=2)
    fitted: Perceptron | AveragedPerceptron = estimators.of(model)
    return fitted


def _round(tasks: Tasks, found: Survey, learner: Learner, W: np.ndarray, number: int) -> Part:
    def ask() -> list[Any]:
        parts = tasks.each(visit, found.shards, W, learner, number)
        return [tasks.tree(add, parts)]

    part: Part = tasks.results(ask)[0]
    return part


class _State:
    """The rounds so far."""

    def __init__(self, learner: Learner, found: Survey, question: str, begun: Model | None) -> None:
        self.learner = learner
        self.found = found
        self.question = question
        shape = n_lines(len(found.classes)), found.n_columns + 1
        self.rounds = Rounds(np.zeros(shape, dtype=found.dtype), means=np.zeros(shape))
        if begun is not None:
            self.rounds = rounds_of(begun)

    def mix(self, part: Part) -> None:
        """w <- Σ μ_i·w_i; where no shard made a mistake, no w_i differs from w."""
        rounds = self.rounds
        rounds.mistakes.append(part.mistakes)
        if part.means is not None and rounds.means is not None:
            rounds.means = rounds.means + part.means / part.n_visits
            rounds.n_visits += part.n_visits
        if any(part.mistakes):
            mixed = (part.weights / part.share).astype(rounds.W.dtype)
            rounds.W = mixed + mixed.dtype.type(0)  # no negative zeros
        for array in (rounds.W, rounds.means):
            if array is not None and not np.isfinite(array).all():
                raise InputError(
                    f"the weights have grown beyond what {rounds.W.dtype} can hold; divide X by a "
                    "power of ten."
                )

    def model(self, rounds: int) -> Model:
        """What these rounds have learnt."""
        found, learner = self.found, self.learner
        origin: dict[str, Any] = {}
        if found.names is not None and isinstance(found.shards[0], BlockShard):  # of a DataFrame
            origin["feature_names_in_"] = np.array(found.names, dtype=object)
        if found.reading:
            origin |= {"reading_": found.reading, "label_": found.label}
        return model_of_rounds(
            learner.kind, learner.parameters(max_iter=rounds), self.rounds, found.classes,
            learner.seed, mixing_=learner.mixing, radius_=found.radius, question_=self.question,
            **origin,
        )  # fmt: skip


def _why_not(k: int, rounds: int) -> str:
    ask = " Raise rounds, or ask novikoff.distributed.certify whether a separator exists at all."
    return (
        f"stopped after {count(rounds, 'round')}, and the last one still made {k} "
        f"{plural(k, 'mistake')}.{ask}"
    )
