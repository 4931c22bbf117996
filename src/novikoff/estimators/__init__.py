"""The perceptron family as scikit-learn classifiers: a face for each kind of `models`.

base, data, foreign      scikit-learn's conventions: fit, what X may be, its keywords
perceptron, averaged, voted, pocket, kernel, rescaled      a member each, and its words
onnx_export              a linear member as an ONNX graph
"""

from __future__ import annotations

from typing import Any

from novikoff import models
from novikoff.estimators.averaged import AveragedPerceptron
from novikoff.estimators.base import Estimator
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.estimators.perceptron import Perceptron
from novikoff.estimators.pocket import PocketPerceptron
from novikoff.estimators.rescaled import RescaledPerceptron
from novikoff.estimators.voted import VotedPerceptron

__all__ = [
    "AveragedPerceptron",
    "KernelPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "RescaledPerceptron",
    "VotedPerceptron",
    "of",
]

MEMBERS: tuple[type[Estimator], ...] = (
    Perceptron,
    AveragedPerceptron,
    VotedPerceptron,
    PocketPerceptron,
    KernelPerceptron,
    RescaledPerceptron,
)


def of(model: models.Model) -> Any:
    """The estimator of a model, which has its parameters and what it has learnt."""
    member = next(member for member in MEMBERS if member.kind == model.kind)
    estimator = member(**model.parameters())
    for name, value in model.learnt().items():
        setattr(estimator, name, value)
    return estimator
