"""The perceptron family as scikit-learn classifiers over the compiled loops."""

from __future__ import annotations

from novikoff.estimators.averaged import AveragedPerceptron
from novikoff.estimators.perceptron import Perceptron
from novikoff.estimators.pocket import PocketPerceptron
from novikoff.estimators.rescaled import RescaledPerceptron
from novikoff.estimators.voted import VotedPerceptron

__all__ = [
    "AveragedPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "RescaledPerceptron",
    "VotedPerceptron",
]
