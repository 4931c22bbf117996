"""Rows from files in place of X and y: what `read` and `scan` give."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, cast

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import Table
from novikoff.io.data import Data
from novikoff.io.scanning import Scan


def learnt_rows(estimator: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """X, y and weights as arrays: those of a file, where X is one, mapped from its cache.

    The estimator keeps what other files must be told to give the same columns, as `reading_`, and
    what the label column is called, as `label_`. Which rows it has learnt from, `rows_digest_`, is
    true no longer.
    """
    vars(estimator).pop("rows_digest_", None)
    if not isinstance(X, (Data, Scan)):
        for name in ("reading_", "label_"):
            vars(estimator).pop(name, None)
        return X, y, sample_weight
    if y is not None:
        raise InputError("X is a file, which has its labels; leave y out.")
    data = X.cached() if isinstance(X, Scan) else X
    if data.y is None:
        raise InputError(f"{data.source} was read without labels; read it with them to learn.")
    estimator.reading_, estimator.label_ = dict(data.reading), data.label
    return matrix_of(data), data.y, data.weights if sample_weight is None else sample_weight


def matrix_of(data: Data) -> Any:
    """The rows as an array or a CSR matrix; decimals as their nearest floats."""
    return data.X.matrix if isinstance(data.X, Table) else data.X


P = ParamSpec("P")


def by_blocks(method: Callable[P, np.ndarray]) -> Callable[P, np.ndarray]:
    """Let a method that takes X take files too: a scan block by block."""

    one = cast(Callable[[Any, Any], np.ndarray], method)

    @wraps(one)
    def taken(self: Any, X: Any) -> np.ndarray:
        if isinstance(X, Data):
            return one(self, matrix_of(X))
        if isinstance(X, Scan):
            return np.concatenate([one(self, matrix_of(block)) for block in X])
        return one(self, X)

    return cast(Callable[P, np.ndarray], taken)
