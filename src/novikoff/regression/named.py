"""Options that name a column, of X or of the data of a formula, with that column in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.wording import first_few

COLUMNS = ("y", "trials", "groups", "time", "event", "entry", "strata", "winner", "loser",
           "weights", "offset")  # fmt: skip


def names_in(options: Mapping[str, Any], columns: Iterable[str], n_rows: int) -> dict[str, Any]:
    """The options that are names of columns; strata may be a list of them."""
    known = set(columns)
    return {
        key: options[key]
        for key in COLUMNS
        if isinstance(options.get(key), str)
        or (key == "strata" and _are_names(options.get(key), known, n_rows))
    }


def _are_names(strata: Any, columns: set[str], n_rows: int) -> bool:
    """Whether strata are a list of columns, rather than the stratum of each row."""
    if not isinstance(strata, (list, tuple)) or not all(isinstance(one, str) for one in strata):
        return False
    return bool(strata) and (set(strata) <= columns or len(strata) != n_rows)


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
