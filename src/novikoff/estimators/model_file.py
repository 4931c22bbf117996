"""Model files of the estimators: see model_format.py for what they are made of.

Reading makes only the classes of this package, and checks that everything fits together.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.estimators.kernel_tape import DualTape
from novikoff.estimators.kernel_values import Kernel
from novikoff.files import write_whole
from novikoff.model_format import Stored, decode, model_bytes, read_stored

RECORDS: dict[str, Any] = {"DualTape": DualTape, "Kernel": Kernel}


def save_model(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator: whole, or not at all."""
    parameters = estimator.get_params(deep=False)
    fitted = {name: value for name, value in vars(estimator).items() if name not in parameters}
    write_whole(path, model_bytes(type(estimator).__name__, parameters, fitted, RECORDS))


def load_model(path: str | os.PathLike[str], classes: dict[str, Any]) -> Any:
    """The model in a file; FileError says what is wrong with the file."""
    stored = read_stored(path)
    kind = stored.head.get("class")
    if not isinstance(kind, str) or kind not in classes:
        raise FileError(f"{path} holds a {kind!r}; known are {', '.join(sorted(classes))}.")
    read = getattr(classes[kind], "from_stored", None)
    try:
        return read(stored) if read else _estimator(stored, classes[kind])
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise FileError(f"{path} holds a {kind} that does not fit together ({error}).") from None


def _estimator(stored: Stored, member: type) -> Any:
    head, tensors = stored
    parameters = {n: decode(v, tensors, RECORDS) for n, v in head["parameters"].items()}
    estimator = member(**parameters)
    for name, value in head["fitted"].items():
        if not (isinstance(name, str) and name.isidentifier() and not name.startswith("__")):
            raise ValueError(f"{name!r} is no attribute")
        setattr(estimator, name, decode(value, tensors, RECORDS))
    _check_shapes(estimator)
    return estimator


def _check_shapes(estimator: Any) -> None:
    """Raise ValueError unless everything fits together: compiled loops do not look."""
    classes, columns = len(estimator.classes_), estimator.n_features_in_
    lines = (1, classes) if classes == 2 else (max(classes, 1),)
    for weights, offsets in (("coef_", "intercept_"), ("last_coef_", "last_intercept_")):
        if hasattr(estimator, weights):
            coef, intercept = getattr(estimator, weights), getattr(estimator, offsets)
            _expect(coef.ndim == 2 and coef.shape[1] == columns, f"{weights} of {coef.shape}")
            _expect(len(coef) in lines, f"{len(coef)} lines for {classes} classes")
            _expect(intercept.shape == (len(coef),), f"{offsets} of {intercept.shape}")
            _expect(bool(np.isfinite(coef).all() and np.isfinite(intercept).all()), "not finite")
    if hasattr(estimator, "tape_"):
        tape, support = estimator.tape_, estimator.support_
        sizes = {len(part) for part in tape}
        _expect(sizes == {len(estimator.survival_)} or estimator.survival_.size == 0, "the tape")
        _expect(_within(tape.members, len(support)), "a member of the tape")
        _expect(_within(tape.lines, max(lines)), "a line of the tape")
        vectors = estimator.support_vectors_
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
