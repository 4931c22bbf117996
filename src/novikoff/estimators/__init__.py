"""The perceptron family as scikit-learn classifiers: a face for each kind of `models`.

base, data, foreign      scikit-learn's conventions: fit, what X may be, its keywords
perceptron, averaged, voted, pocket, kernel, rescaled      a member each, and its words
onnx_export              a linear member as an ONNX graph
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from novikoff import models
from novikoff.estimators.base import Estimator
from novikoff.kinds import KINDS, stem


def __getattr__(name: str) -> Any:
    """A member by its name, and MEMBERS, which are all; imported when asked for."""
    if name == "MEMBERS":
        return tuple(map(member, KINDS))
    if name in KINDS:
        return member(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def member(kind: str) -> type[Estimator]:
    """The estimator of this kind."""
    found: type[Estimator] = getattr(import_module(f"{__name__}.{stem(kind)}"), kind)
    return found


def of(model: models.Model) -> Any:
    """The estimator of a model, which has its parameters and what it has learnt."""
    estimator = member(model.kind)(**model.parameters())
    for name, value in model.learnt().items():
        setattr(estimator, name, value)
    return estimator
