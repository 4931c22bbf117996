"""The real tables that come with scikit-learn, read from its files without its import: that alone
takes a second.
"""

from __future__ import annotations

import gzip
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.datasets.dataset import Dataset
from novikoff.errors import InputError

FILES = {
    "iris": "iris.csv", "wine": "wine_data.csv", "digits": "digits.csv.gz",
    "breast_cancer": "breast_cancer.csv",
}  # fmt: skip
_OF_A_TUMOUR = ("radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity",
                "concave points", "symmetry", "fractal dimension")  # fmt: skip
COLUMNS = {
    "iris": tuple(f"{part} (cm)" for part in
                  ("sepal length", "sepal width", "petal length", "petal width")),
    "wine": ("alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols",
             "flavanoids", "nonflavanoid_phenols", "proanthocyanins", "color_intensity", "hue",
             "od280/od315_of_diluted_wines", "proline"),
    "digits": tuple(f"pixel_{row}_{column}" for row, column in product(range(8), range(8))),
    "breast_cancer": (
        *(f"mean {measure}" for measure in _OF_A_TUMOUR),
        *(f"{measure} error" for measure in _OF_A_TUMOUR),
        *(f"worst {measure}" for measure in _OF_A_TUMOUR),
    ),
}  # fmt: skip


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
    X, y = _table(name)
    columns = COLUMNS[name]
    conventions: dict[str, Any] = {"fit_intercept": True}
    if negative is None and positive is None:
        return Dataset(name, X, y, description, conventions, columns)
    if negative is None or positive is None:
        given = positive if negative is None else negative
        raise InputError(
            f"{name} was asked for one class, {given!r}; give none or two, the negative one first."
        )
    classes = [label.item() for label in np.unique(y)]
    chosen = []
    for given in (negative, positive):
        found = [label for label in classes if str(label) == str(given)]
        if not found:
            listed = ", ".join(map(repr, classes))
            raise InputError(f"{name} has no class {given!r}; its classes are {listed}.")
        chosen += found
    if chosen[0] == chosen[1]:
        raise InputError(f"{name} was asked for {chosen[0]!r} twice; give two different classes.")
    kept = np.isin(y, chosen)
    conventions["positive"] = chosen[1]
    full_name = f"{name}:{chosen[0]},{chosen[1]}"
    about = f"{description} Only {chosen[0]} (negative) and {chosen[1]} (positive)."
    return Dataset(full_name, X[kept], y[kept], about, conventions, columns)


def _table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows and their class names."""
    spec = find_spec("sklearn")
    folder = Path(spec.origin or "").parent / "datasets" / "data" if spec else Path()
    try:
        return _from_file(name, folder / FILES[name])
    except (OSError, ValueError, IndexError):  # its files are elsewhere, or of another form
        from sklearn import datasets

        bunch = getattr(datasets, f"load_{name}")()
        X = np.asarray(bunch.data, dtype=np.float64)
        return X, np.asarray(bunch.target_names)[bunch.target]


def _from_file(name: str, path: Path) -> tuple[np.ndarray, np.ndarray]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        text = file.read().split()
    # The first line, but of the digits: rows, columns and the names of the classes.
    classes = np.arange(10) if name == "digits" else np.array(text.pop(0).split(",")[2:])
    if not text:
        raise ValueError("no rows")
    table = np.array([cell for line in text for cell in line.split(",")], dtype=np.float64)
    table = table.reshape(len(text), len(COLUMNS[name]) + 1)
    return table[:, :-1].copy(), classes[table[:, -1].astype(np.int64)]
