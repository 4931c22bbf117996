"""Models as plain values: what a trained perceptron is, without scikit-learn.

    predicting, base     what all kinds share: a model that has learnt, and how a model learns
    perceptron, averaged, voted, pocket, rescaled, kernel/      one kind each
    data, labels, orders         the rows, labels and order that a pass reads
    lines, stopping              the weights in training, and the rule that ends the passes
    scoring, tape                predictions with exact signs, and the tape that votes come from
    on_device                    scores and predictions where a tensor lives
    files, rounds                model files; models of a cluster

A new kind of perceptron is a file here, a name in `novikoff/kinds.py`, and its face, a file of the
same stem, in `estimators`. Static tools see it once `novikoff/__init__.py` imports it for them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from novikoff.errors import one_of
from novikoff.kinds import KINDS as NAMES
from novikoff.kinds import stem
from novikoff.model_format import Stored
from novikoff.models.base import Model, passes
from novikoff.models.files import read_model, write_model

__all__ = ["KINDS", "Model", "go_on", "passes", "read", "train", "write"]


class Kinds(Mapping[str, type[Model]]):
    """A model of each kind, by its name: a fit of one kind does not pay for the others."""

    def __len__(self) -> int:
        return len(NAMES)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __contains__(self, name: object) -> bool:
        return name in NAMES

    def __getitem__(self, name: str) -> type[Model]:
        if name not in NAMES:
            raise KeyError(name)
        home = import_module(f"{__name__}.{stem(name)}")
        model: type[Model] = getattr(home, f"{name}Model")
        return model


KINDS = Kinds()


def train(kind: str, X: Any, y: Any = None, sample_weight: Any = None, **options: Any) -> Model:
    """A model of this kind, learnt from all rows: arrays, CSR, or what `read` or `scan` give."""
    one_of("kind", kind, tuple(KINDS))
    model = KINDS[kind](**options)
    model._learn(X, y, sample_weight, None, False, whole=True)
    return model


def go_on(
    model: Model, X: Any, y: Any = None, *, classes: Any = None, sample_weight: Any = None
) -> Model:
    """The same model after one pass more, over these rows; a new one learns its first."""
    model._check_goes_on()
    model._learn(X, y, sample_weight, classes, model.is_fitted, whole=False)
    return model


def read(
    path: str | os.PathLike[str], others: Mapping[str, Callable[[Stored], Any]] | None = None
) -> Any:
    """The model in a file. Nothing in the file is ever run; `others` make what is none of KINDS."""
    return read_model(path, KINDS, others or {})


def write(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a safetensors file: whole, or not at all."""
    write_model(model, path)
