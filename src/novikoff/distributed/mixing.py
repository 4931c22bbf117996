"""One pass on every shard from the same weights, and the sum of what they learnt.

Iterative parameter mixing (McDonald, Hall & Mann 2010): after a round w <- Σ μ_i·w_i, where w_i
is what a pass over shard i makes of w, and μ >= 0 sums to 1. Here μ_i = c_i/Σ c with c_i = 1
(uniform) or c_i = k_i, the mistakes of the shard, so parts can be added up in any fixed tree and
are divided once. If a hyperplane of margin γ separates rows of radius R, Σ_rounds Σ_i μ_i·k_i
is at most (R/γ)².
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from novikoff.distributed.shards import Rows
from novikoff.models import go_on
from novikoff.models.rounds import KINDS
from novikoff.wording import count, first_few, plural

if TYPE_CHECKING:
    from novikoff.conventions import Multiclass, Tie

MIXINGS = ("uniform", "mistakes")


@dataclass(frozen=True, eq=False)
class Learner:
    """How every shard learns: the same on all of them, and in all rounds."""

    kind: str
    mixing: str
    classes: np.ndarray
    dtype: Any
    fit_intercept: bool
    tie: Tie
    order: str
    multiclass: Multiclass
    seed: int

    def parameters(self, **more: Any) -> dict[str, Any]:
        """What a model with these conventions is made with."""
        same = ("fit_intercept", "tie", "multiclass")
        return {name: getattr(self, name) for name in same} | more


class Part(NamedTuple):
    """What one shard learnt in a round, or several together."""

    share: int  # Σ c_i
    weights: np.ndarray  # Σ c_i·w_i, in float64
    means: np.ndarray | None  # Σ n_i·(mean of the weights over the n_i visits of shard i)
    n_visits: int  # Σ n_i
    mistakes: tuple[int, ...]  # of each shard


def visit(rows: Rows, index: int, W: np.ndarray, learner: Learner, number: int) -> Part:
    """One pass over the shard from W, in round `number`."""
    X = rows.table.matrix.astype(learner.dtype, copy=False)
    n_rows = X.shape[0]
    order: Any = "cyclic"
    if learner.order == "shuffled":
        order = np.random.default_rng([learner.seed, number, index]).permutation(n_rows)
    start = W if learner.fit_intercept else W[:, :-1]
    model: Any = KINDS[learner.kind](**learner.parameters(start=start, order=order))
    go_on(model, X, rows.y, classes=learner.classes)
    k = int(model.n_mistakes_)
    share = 1 if learner.mixing == "uniform" else k
    last = model.last_weights().astype(np.float64)
    means = None
    if learner.kind == "averaged":
        means = n_rows * np.column_stack([model.coef_, model.intercept_]).astype(np.float64)
    return Part(share, share * last, means, n_rows, (k,))


def add(parts: list[Part]) -> Part:
    """The parts together, added up from left to right."""
    weights = parts[0].weights.copy()
    means = None if parts[0].means is None else parts[0].means.copy()
    for part in parts[1:]:
        weights += part.weights
        if means is not None:
            means += part.means
    share, n_visits = (sum(getattr(part, name) for part in parts) for name in ("share", "n_visits"))
    return Part(share, weights, means, n_visits, tuple(k for part in parts for k in part.mistakes))


@dataclass(frozen=True)
class Round:
    """A round that has ended."""

    number: int  # from 1
    mistakes: tuple[int, ...]  # of each shard
    n_rows: int  # that were visited
    seconds: float

    @property
    def n_mistakes(self) -> int:
        return sum(self.mistakes)

    @property
    def rows_a_second(self) -> float:
        return self.n_rows / max(self.seconds, 1e-9)

    def __str__(self) -> str:
        return (
            f"round {self.number}: {count(self.n_mistakes, 'mistake', ',')} on "
            f"{len(self.mistakes)} {plural(len(self.mistakes), 'shard')} "
            f"({first_few(self.mistakes)}), {self.seconds:.2f} s, "
            f"{self.rows_a_second:,.0f} rows a second"
        )
