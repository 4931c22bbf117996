"""The perceptron family as scikit-learn classifiers over the compiled loops."""

from __future__ import annotations

import os
from typing import Any

from novikoff.estimators.averaged import AveragedPerceptron
from novikoff.estimators.base import BasePerceptron
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.estimators.model_file import load_model
from novikoff.estimators.perceptron import Perceptron
from novikoff.estimators.pocket import PocketPerceptron
from novikoff.estimators.rescaled import RescaledPerceptron
from novikoff.estimators.voted import VotedPerceptron
from novikoff.online import OnlinePerceptron

__all__ = [
    "AveragedPerceptron",
    "KernelPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "RescaledPerceptron",
    "VotedPerceptron",
    "load",
]

MEMBERS: tuple[type, ...] = (
    Perceptron,
    AveragedPerceptron,
    VotedPerceptron,
    PocketPerceptron,
    KernelPerceptron,
    RescaledPerceptron,
)


def load(path: str | os.PathLike[str]) -> BasePerceptron | Any:
    """The model in a file that `save` wrote. Nothing in the file is ever run."""
    return load_model(path, {kind.__name__: kind for kind in (*MEMBERS, OnlinePerceptron)})
