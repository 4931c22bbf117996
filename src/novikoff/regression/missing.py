"""Rows with a missing value: an error that names the columns, or rows that are left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.wording import first_few, keyword


def missing_in(values: Any) -> np.ndarray:
    """For each entry of a column, or each row of a matrix, whether something is missing."""
    if hasattr(values, "tocsr"):
        matrix = values.tocsr()
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        found = np.zeros(matrix.shape[0], dtype=bool)
        found[rows[np.isnan(np.asarray(matrix.data, dtype=np.float64))]] = True
        return found
    array = values if isinstance(values, np.ndarray) else np.asarray(values)
    if array.dtype.kind in "mM":
        bad = np.isnat(array)
    elif array.dtype.kind in "fc":
        bad = np.isnan(array)
    elif array.dtype.kind == "O":
        bad = np.frompyfunc(_is_nothing, 1, 1)(array).astype(bool)
    else:
        bad = np.zeros(array.shape, dtype=bool)
    return np.asarray(bad.any(axis=1) if bad.ndim == 2 else bad)


def _is_nothing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas' NA, which is neither equal to itself nor not
        return True


def kept_rows(columns: dict[str, np.ndarray], missing: str) -> np.ndarray:
    """The places of rows that lack nothing; `columns` say by name which rows lack it there."""
    bad = np.logical_or.reduce(list(columns.values()))
    if missing == "error" and bad.any():
        few = first_few([name for name, lacks in columns.items() if lacks.any()])
        row = int(np.argmax(bad))
        raise InputError(
            f"values are missing in {int(bad.sum())} of {len(bad)} rows (row {row} is the first), "
            f"in {few}; fill them, or say {keyword('missing', 'drop')} to leave such rows out."
        )
    if len(bad) == 0:
        raise InputError("there are no rows; a model needs at least one.")
    if bad.all():
        raise InputError("every row has a missing value; nothing is left.")
    return np.flatnonzero(~bad)


def taken(column: Any, kept: np.ndarray) -> Any:
    """Some rows of a column, which stays what it is, so that a categorical keeps its order."""
    if hasattr(column, "iloc"):
        return column.iloc[kept]
    if isinstance(column, np.ndarray):
        return column[kept]
    try:
        return column[kept]
    except (TypeError, IndexError):
        values = list(column)
        return [values[i] for i in kept.tolist()]
