"""The real tables that come with scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.datasets.dataset import Dataset
from novikoff.errors import InputError


def iris(negative: Any = None, positive: Any = None) -> Dataset:
    """150 flowers, 4 measures: 'setosa', 'versicolor', 'virginica'; or two of these."""
    return _shipped("iris", "150 iris flowers of three kinds, four measures.", negative, positive)


def digits(negative: Any = None, positive: Any = None) -> Dataset:
    """1797 handwritten digits 0 … 9 as 8×8 pixels; or two of the digits."""
    about = "1797 handwritten digits as 8×8 pixels."
    return _shipped("digits", about, negative, positive)


def breast_cancer(negative: Any = None, positive: Any = None) -> Dataset:
    """569 tumours, 30 measures: 'benign', 'malignant'."""
    about = "569 tumours, benign or malignant, thirty measures."
    return _shipped("breast_cancer", about, negative, positive)


def wine(negative: Any = None, positive: Any = None) -> Dataset:
    """178 wines, 13 measures: 'class_0', 'class_1', 'class_2'; or two of these."""
    return _shipped("wine", "178 wines of three growers, thirteen measures.", negative, positive)


def _shipped(name: str, description: str, negative: Any, positive: Any) -> Dataset:
    """All rows with their class names; or those of two classes, the second one positive."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")()
    X = np.asarray(bunch.data, dtype=np.float64)
    y = np.asarray(bunch.target_names)[bunch.target]
    columns = tuple(str(column) for column in bunch.feature_names)
    conventions: dict[str, Any] = {"fit_intercept": True}
    if negative is None and positive is None:
        return Dataset(name, X, y, description, conventions, columns)
    if negative is None or positive is None:
        given = positive if negative is None else negative
        raise InputError(
            f"{name} was asked for one class, {given!r}; give none or two, the negative one first."
        )
    chosen = [_class_of(y, name, given) for given in (negative, positive)]
    if chosen[0] == chosen[1]:
        raise InputError(f"{name} was asked for {chosen[0]!r} twice; give two different classes.")
    kept = np.isin(y, chosen)
    conventions["positive"] = chosen[1]
    full_name = f"{name}:{chosen[0]},{chosen[1]}"
    about = f"{description} Only {chosen[0]} (negative) and {chosen[1]} (positive)."
    return Dataset(full_name, X[kept], y[kept], about, conventions, columns)


def _class_of(y: np.ndarray, name: str, given: Any) -> Any:
    """The label that `given` is or spells."""
    classes = [label.item() for label in np.unique(y)]
    for label in classes:
        if str(label) == str(given):
            return label
    raise InputError(
        f"{name} has no class {given!r}; its classes are {', '.join(map(repr, classes))}."
    )
