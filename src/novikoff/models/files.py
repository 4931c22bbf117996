"""Model files: a model written, and read. See model_format.py for what they are made of.

Reading makes only the kinds of this package, and checks that everything fits together.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.files import write_whole
from novikoff.model_format import Stored, decode, model_bytes, read_stored
from novikoff.models.base import Model


def write_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model that has learnt: whole, or not at all."""
    content = model_bytes(model.kind, model.parameters(), model.learnt(), model._records)
    write_whole(path, content)


def read_model(
    path: str | os.PathLike[str],
    kinds: Mapping[str, type[Model]],
    others: Mapping[str, Callable[[Stored], Any]],
) -> Any:
    """The model in a file; FileError says what is wrong with the file."""
    stored = read_stored(path)
    kind = stored.head.get("class")
    if not isinstance(kind, str) or not (kind in kinds or kind in others):
        known = ", ".join(sorted({*kinds, *others}))
        raise FileError(f"{path} holds a {kind!r}; known are {known}.")
    try:
        return others[kind](stored) if kind in others else _model(stored, kinds[kind])
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError,
            ValueError) as error:  # fmt: skip
        raise FileError(f"{path} holds a {kind} that does not fit together ({error}).") from None


def _model(stored: Stored, kind: type[Model]) -> Model:
    head, tensors = stored
    parameters = {n: decode(v, tensors, kind._records) for n, v in head["parameters"].items()}
    model = kind(**parameters)
    for name, value in head["fitted"].items():
        if not (isinstance(name, str) and name.isidentifier() and not name.startswith("__")):
            raise ValueError(f"{name!r} is no attribute")
        if name in parameters:
            raise ValueError(f"{name!r} is a parameter")
        setattr(model, name, decode(value, tensors, kind._records))
    _check_shapes(model)
    return model


def _check_shapes(model: Any) -> None:
    """Raise ValueError unless everything fits together: compiled loops do not look."""
    classes, columns = len(model.classes_), model.n_features_in_
    counts = (1, classes) if classes == 2 else (max(classes, 1),)
    for weights, offsets in (("coef_", "intercept_"), ("last_coef_", "last_intercept_")):
        if hasattr(model, weights):
            coef, intercept = getattr(model, weights), getattr(model, offsets)
            _expect(coef.ndim == 2 and coef.shape[1] == columns, f"{weights} of {coef.shape}")
            _expect(len(coef) in counts, f"{len(coef)} lines for {classes} classes")
            _expect(intercept.shape == (len(coef),), f"{offsets} of {intercept.shape}")
            _expect(bool(np.isfinite(coef).all() and np.isfinite(intercept).all()), "not finite")
    if hasattr(model, "tape_"):
        tape, support = model.tape_, model.support_
        sizes = {len(part) for part in tape}
        _expect(sizes == {len(model.survival_)} or model.survival_.size == 0, "the tape")
        _expect(_within(tape.members, len(support)), "a member of the tape")
        _expect(_within(tape.lines, max(counts)), "a line of the tape")
        vectors = model.support_vectors_
        if vectors.shape[0]:
            _expect(vectors.shape == (len(support), columns), f"support of {vectors.shape}")
        elif len(support):
            _expect(_within(support, columns), "a row of the support")


def _within(numbers: np.ndarray, end: int) -> bool:
    whole = numbers.dtype.kind in "iu"
    return whole and (not numbers.size or bool(numbers.min() >= 0 and numbers.max() < end))


def _expect(true: bool, what: str) -> None:
    if not true:
        raise ValueError(f"{what} does not fit")
