"""Models that many shards have learnt together, in rounds: made of what the rounds came to.

Such a model is an ordinary one that also holds the mistakes of each shard in each round, so that
the rounds can go on from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.models.averaged import AveragedPerceptronModel
from novikoff.models.base import Model
from novikoff.models.perceptron import PerceptronModel

KINDS: dict[str, type[Model]] = {"perceptron": PerceptronModel, "averaged": AveragedPerceptronModel}


@dataclass(eq=False)
class Rounds:
    """The weights after some rounds, and how they came about."""

    W: np.ndarray  # (lines, d + 1), the offsets last
    mistakes: list[tuple[int, ...]] = field(default_factory=list)  # of each shard, round by round
    means: np.ndarray | None = None  # Σ over rounds of the mean over the visits of a round
    n_visits: int = 0  # that the mean is over

    @property
    def is_clean(self) -> bool:
        """Whether the last round made no mistake on any shard."""
        return bool(self.mistakes) and not any(self.mistakes[-1])


def model_of_rounds(
    kind: str,
    parameters: dict[str, Any],
    rounds: Rounds,
    classes: np.ndarray,
    seed: int,
    **more: Any,
) -> Model:
    """The model that the rounds have learnt; `more` are attributes that say where from.

    What it draws, should it go on alone, it draws from the `seed`.
    """
    W, n_rounds = rounds.W, len(rounds.mistakes)
    model = KINDS[kind](**parameters)
    model.classes_, model.n_features_in_ = classes, W.shape[1] - 1
    model.coef_, model.intercept_ = W[:, :-1].copy(), W[:, -1].copy()
    if isinstance(model, AveragedPerceptronModel) and rounds.means is not None:
        model.last_coef_, model.last_intercept_ = model.coef_, model.intercept_
        model.n_visits_ = rounds.n_visits
        mean = rounds.means / n_rounds
        model._sums = model.n_visits_ * (W.astype(np.float64) - mean)
        more["_means"] = rounds.means
        mean = mean.astype(W.dtype)
        model.coef_, model.intercept_ = mean[:, :-1].copy(), mean[:, -1].copy()
    table = np.array(rounds.mistakes, dtype=np.int64)
    model.n_iter_, model.n_mistakes_ = n_rounds, int(table.sum())
    model.last_mistakes_ = int(table[-1].sum())
    model.converged_ = rounds.is_clean
    model.stop_reason_ = "clean pass" if rounds.is_clean else "rounds"
    model._random = np.random.RandomState(seed)
    vars(model).update(more, round_mistakes_=table)
    return model


def rounds_of(model: Model) -> Rounds:
    """The rounds that a model was made of, to go on with."""
    learnt = model.learnt()
    mistakes = [tuple(row) for row in learnt["round_mistakes_"].tolist()]
    means = learnt.get("_means")
    return Rounds(model.last_weights(), mistakes, means, learnt.get("n_visits_", 0))
