"""Rosenblatt's perceptron as a value."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, Literal

from novikoff.models.base import Model

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from novikoff.conventions import Multiclass, Order, Tie
    from novikoff.inputs.type_aliases import ClassWeight, Seed


@dataclass(eq=False, repr=False, kw_only=True)
class PerceptronModel(Model):
    """Rosenblatt's perceptron: one update per mistake, until a pass makes none."""

    kind = "Perceptron"

    fit_intercept: bool = True
    max_iter: int = 1000
    tol: float | None = None
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 5
    tie: Tie = "mistake"
    order: Order = "cyclic"
    if TYPE_CHECKING:  # the estimators take it for `order`
        shuffle: InitVar[bool | None] = None
    start: ArrayLike | Literal["random"] | None = None
    random_state: Seed = None
    class_weight: ClassWeight = None
    multiclass: Multiclass = "rest"
    warm_start: bool = False
    n_jobs: int | None = None
    verbose: int = 0
