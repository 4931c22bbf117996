"""`fit`: a perceptron learnt from shards, in rounds of one pass on each and a mixing of all.

A checkpoint is the model after so many rounds, as a model file that novikoff.load can read. It is
written whole or not at all. A run that goes on from it does what the first would have done, to the
last bit; one on other shards or with other settings is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from novikoff import estimators
from novikoff.conventions import MULTICLASS, TIES, true_or_false, whole_number
from novikoff.distributed.cluster import client_or_default, reporter
from novikoff.distributed.mixing import MIXINGS, Learner, Part, Round, add, visit
from novikoff.distributed.shards import SHARD_ROWS, BlockShard, plan
from novikoff.distributed.survey import Survey, survey
from novikoff.distributed.tasks import Tasks
from novikoff.errors import InputError, one_of
from novikoff.models import Model, read, write
from novikoff.models.labels import shown
from novikoff.models.lines import n_lines
from novikoff.models.rounds import KINDS, Rounds, model_of_rounds, rounds_of
from novikoff.wording import count, plural, unsteering

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
    shards = plan(data, shard_rows, **reading)
    tasks = Tasks(client_or_default(client), retries, shards)
    say = reporter(verbose, tasks.client, len(shards))
    found = survey(tasks, shards, fit_intercept)
    if found.origin is not None and found.origin.notes:
        say(f"novikoff: {unsteering('; '.join(found.origin.notes))}.")
    if len(found.classes) < 2:
        raise InputError(f"y has 1 class ({shown(found.classes)}); a classifier needs at least 2.")
    learner = Learner(
        kind, mixing, found.classes, found.dtype, fit_intercept, tie, order, multiclass,
        int(random_state),
    )  # fmt: skip
    settings = {**vars(learner), "classes": learner.classes.tolist(), "dtype": str(learner.dtype)}
    sizes = [[shard.name, rows] for shard, rows in zip(found.shards, found.digests, strict=True)]
    text = json.dumps(
        [settings, sizes, found.n_columns, found.radius.hex()], sort_keys=True, default=str
    )
    question = hashlib.sha256(text.encode()).hexdigest()  # all that the weights depend on
    shape = n_lines(len(found.classes)), found.n_columns + 1
    learnt = _resumed(checkpoint, learner, question) or Rounds(
        np.zeros(shape, dtype=found.dtype), means=np.zeros(shape)
    )

    def ask() -> list[Any]:
        parts = tasks.each(visit, found.shards, learnt.W, learner, len(learnt.mistakes))
        return [tasks.tree(add, parts)]

    while not learnt.is_clean and len(learnt.mistakes) < rounds:
        started = time.perf_counter()
        (part,) = tasks.results(ask)
        _mix(learnt, part)
        if checkpoint is not None:
            write(_model(learner, found, question, learnt, rounds), checkpoint)
        seconds = time.perf_counter() - started
        ended = Round(len(learnt.mistakes), part.mistakes, part.n_visits, seconds)
        say(ended)
        if progress is not None:
            progress(ended)
    model = _model(learner, found, question, learnt, rounds)
    if not model.converged_:
        k = model.last_mistakes_
        warnings.warn(
            f"stopped after {count(rounds, 'round')}, and the last one still made {k} "
            f"{plural(k, 'mistake')}. Raise rounds, or ask novikoff.distributed.certify whether a "
            "separator exists at all.",
            ConvergenceWarning,
            stacklevel=2,
        )
    fitted: Perceptron | AveragedPerceptron = estimators.of(model)
    return fitted


def _mix(learnt: Rounds, part: Part) -> None:
    """w <- Σ μ_i·w_i; where no shard made a mistake, no w_i differs from w."""
    learnt.mistakes.append(part.mistakes)
    if part.means is not None and learnt.means is not None:
        learnt.means = learnt.means + part.means / part.n_visits
        learnt.n_visits += part.n_visits
    if any(part.mistakes):
        mixed = (part.weights / part.share).astype(learnt.W.dtype)
        learnt.W = mixed + mixed.dtype.type(0)  # no negative zeros
    for array in (learnt.W, learnt.means):
        if array is not None and not np.isfinite(array).all():
            raise InputError(
                f"the weights have grown beyond what {learnt.W.dtype} can hold; divide X by a "
                "power of ten."
            )


def _model(
    learner: Learner, found: Survey, question: str, learnt: Rounds, most_rounds: int
) -> Model:
    """What these rounds have learnt."""
    origin: dict[str, Any] = {}
    if found.names is not None and isinstance(found.shards[0], BlockShard):  # of a DataFrame
        origin["feature_names_in_"] = np.array(found.names, dtype=object)
    if found.reading:
        origin |= {"reading_": found.reading, "label_": found.label}
    return model_of_rounds(
        learner.kind, learner.parameters(max_iter=most_rounds), learnt, found.classes,
        learner.seed, mixing_=learner.mixing, radius_=found.radius, question_=question, **origin,
    )  # fmt: skip


def _resumed(path: Any, learner: Learner, question: str) -> Rounds | None:
    """The rounds in the checkpoint; None where there is no such file yet."""
    if path is None or not Path(path).exists():
        return None
    model = read(path)
    if getattr(model, "question_", None) != question or type(model) is not KINDS[learner.kind]:
        raise InputError(
            f"{path} is the checkpoint of another run, with other shards, rows or settings; remove "
            "it, or name another file."
        )
    return rounds_of(model)
