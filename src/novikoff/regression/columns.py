"""Columns that people give: by value or by name, with values that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.wording import first_few, keyword

COLUMNS = ("y", "trials", "groups", "time", "event", "entry", "strata", "winner", "loser",
           "weights", "offset")  # fmt: skip


def names_in(options: Mapping[str, Any], columns: Iterable[str], n_rows: int) -> dict[str, Any]:
    """The options that are names of columns; strata may be a list of them."""
    found = {key: options[key] for key in COLUMNS if isinstance(options.get(key), str)}
    strata: Any = options.get("strata")
    are_texts = isinstance(strata, (list, tuple)) and all(isinstance(s, str) for s in strata)
    if are_texts and len(strata) and (set(strata) <= set(columns) or len(strata) != n_rows):
        found["strata"] = strata  # the names of several, and not the stratum of each row
    return found


def column_of(name: str, option: str, columns: Mapping[str, Any], where: str) -> Any:
    """The column of this name; InputError where there is none."""
    if name in columns:
        return columns[name]
    there = first_few(columns)
    raise InputError(f"{where} has no column {name!r} for {option}; it has {there}.")


def with_columns(
    options: Mapping[str, Any], columns: Mapping[str, Any], n_rows: int, where: str
) -> tuple[dict[str, Any], list[str]]:
    """The options with columns in the place of names, and the names of these columns."""
    found, used = dict(options), []
    for option, given in names_in(options, columns, n_rows).items():
        names = [given] if isinstance(given, str) else list(given)
        parts = [column_of(name, option, columns, where) for name in names]
        found[option] = parts[0] if len(parts) == 1 else joined(parts)
        used += names
    return found, used


def joined(columns: Sequence[Any]) -> list[Any]:
    """One label for every different row of these columns; None where one of them lacks a value."""
    found: list[Any] = []
    for row in zip(*(np.asarray(column).tolist() for column in columns), strict=True):
        lacks = any(value is None or value != value for value in row)
        found.append(None if lacks else " / ".join(map(repr, row)))
    return found


def check_one_type(name: str, values: np.ndarray, where: str) -> None:
    """Raise where a column has texts beside other values, which would be levels side by side."""
    if values.dtype != object:
        return
    kinds = sorted({type(value).__name__ for value in values[~missing_in(values)].tolist()})
    if "str" in kinds and len(kinds) > 1:
        raise InputError(
            f"column {name!r} of {where} mixes values of types {' and '.join(kinds)}; give them "
            "one."
        )


def missing_in(values: Any) -> np.ndarray:
    """For each entry of a column, or each row of a matrix, whether something is missing."""
    if hasattr(values, "tocsr"):
        matrix = values.tocoo()
        found = np.zeros(matrix.shape[0], dtype=bool)
        found[matrix.row[np.isnan(np.asarray(matrix.data, dtype=np.float64))]] = True
        return found
    array = values if isinstance(values, np.ndarray) else np.asarray(values)
    bad = np.zeros(array.shape, dtype=bool)
    if array.dtype.kind in "mM":
        bad = np.isnat(array)
    elif array.dtype.kind in "fc":
        bad = np.isnan(array)
    elif array.dtype.kind == "O":
        bad = np.frompyfunc(_is_nothing, 1, 1)(array).astype(bool)
    return np.asarray(bad.any(axis=1) if bad.ndim == 2 else bad)


def _is_nothing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas' NA, which is neither equal to itself nor not
        return True


def kept_rows(columns: dict[str, np.ndarray], missing: str, n_rows: int) -> np.ndarray:
    """The places of rows that lack nothing; `columns` say by name which rows lack it there."""
    bad = np.logical_or.reduce([np.zeros(n_rows, dtype=bool), *columns.values()])
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
    if isinstance(column, (list, tuple)):
        return [column[i] for i in kept.tolist()]
    return column.iloc[kept] if hasattr(column, "iloc") else column[kept]
