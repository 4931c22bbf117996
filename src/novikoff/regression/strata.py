"""Strata that are named: one column, or several taken together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def are_names(strata: Any, columns: Iterable[str], n_rows: int) -> bool:
    """Whether strata are a list of columns, rather than the stratum of each row."""
    if not isinstance(strata, (list, tuple)) or not all(isinstance(one, str) for one in strata):
        return False
    return bool(strata) and (set(strata) <= set(columns) or len(strata) != n_rows)


def joined(columns: Sequence[Sequence[Any]]) -> list[Any]:
    """One label for every different row of these columns; None where one of them lacks a value."""
    found: list[Any] = []
    for row in zip(*columns, strict=True):
        lacks = any(value is None or value != value for value in row)
        found.append(None if lacks else " / ".join(map(repr, row)))
    return found
