"""Columns of numbers that count the rows: 0, 1, 2, …, or 9, 8, 7, …

In tables of text io/layout.py looks at them by name and in more ways; here are arrays, whose
columns have no names, and sparse rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from novikoff.io.fields import shown
from novikoff.io.text.columns import ENOUGH

LOOK = 1000  # rows that show whether a column may rise with all of them
ENTRIES = 1 << 18  # of a sparse matrix that are counted at once: their copy stays in the cache


class Rising(NamedTuple):
    """A column of whole numbers that rise, or fall, from each row to the next."""

    place: int  # in X, from 0
    counts: bool  # in steps of one
    few: str  # its first numbers


class Numbered(Sequence[str]):
    """The names '1', '2', … of columns, but for one that is taken; none is made before its time."""

    def __init__(self, n_columns: int, taken: int | None) -> None:
        self.n_columns, self.taken = n_columns, taken

    def __len__(self) -> int:
        return self.n_columns

    def __getitem__(self, place: Any) -> Any:
        if not 0 <= place < self.n_columns:
            raise IndexError(place)
        return str(place + 1 + (self.taken is not None and self.taken <= place + 1))

    def __contains__(self, name: object) -> bool:
        last = self.n_columns + (self.taken is not None)
        number = int(name) if isinstance(name, str) and name.isdecimal() else 0
        return 1 <= number <= last and number != self.taken and str(number) == name


@np.errstate(all="ignore")  # steps between huge numbers are infinite, and rise or fall as such
def rising_columns(X: Any) -> list[Rising]:
    """Those of an array or a CSR matrix that stand beside others which do not rise."""
    if X.ndim != 2 or X.shape[0] < ENOUGH or X.shape[1] < 2:
        return []
    found = []
    for place in _candidates(X).tolist():
        column = columns_of(X, np.array([place]))[:, 0]
        steps = np.diff(column.astype(np.float64))
        if (steps > 0).all() or (steps < 0).all():
            few = ", ".join(str(int(value)) for value in column[:3].tolist())
            found.append(Rising(place, bool((np.abs(steps) == 1).all()), f"{few}, …"))
    return found if len(found) < X.shape[1] else []


def rising_notes(X: Any, names: tuple[str, ...] | None) -> tuple[str, ...]:
    """What to say of features that rise with the rows, as a number of rows does."""
    found = rising_columns(X)
    listed = [names[one.place] if names else str(one.place + 1) for one in found[:5]]
    return tuple(
        f"column {shown(name) if names else name} {'counts' if one.counts else 'rises with'} the "
        f"rows ({one.few}) and is kept"
        for name, one in zip(listed, found, strict=False)
    )


def _candidates(X: Any) -> np.ndarray:
    """The columns that rise or fall in the first rows; sparse ones lack at most one number."""
    full = full_columns(X)
    few = columns_of(X, full, LOOK)
    steps = np.diff(few.astype(np.float64), axis=0)
    rise = (steps > 0).all(axis=0) | (steps < 0).all(axis=0)
    places = np.flatnonzero(rise & (few == np.floor(few)).all(axis=0))
    return full[places]


def full_columns(X: Any) -> np.ndarray:
    """All columns of an array; of a CSR matrix those that lack at most one number.

    The work is that of what is stored, however many columns a matrix is said to have.
    """
    if isinstance(X, np.ndarray):
        return np.arange(X.shape[1])
    places, times = times_stored(X)
    full: np.ndarray = places[times >= X.shape[0] - 1]
    return full


def times_stored(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """The columns of a CSR matrix that any row has, in rising order, and how many have each."""
    if X.shape[1] > 1_000_000 + X.nnz:
        return np.unique(X.indices, return_counts=True)
    times = np.zeros(X.shape[1], dtype=np.int64)
    for start in range(0, X.nnz, ENTRIES):  # bincount makes a copy of what it counts
        part = np.bincount(X.indices[start : start + ENTRIES])
        times[: len(part)] += part
    places = np.flatnonzero(times)
    return places, times[places]


def columns_of(X: Any, places: np.ndarray, n_rows: int | None = None) -> np.ndarray:
    """Some columns, by their places in rising order, of the first rows or of all, as an array."""
    n = X.shape[0] if n_rows is None else min(n_rows, X.shape[0])
    if isinstance(X, np.ndarray):
        some: np.ndarray = X[:n] if len(places) == X.shape[1] else X[:n, places]
        return some
    found = np.zeros((n, len(places)))
    if not len(places):
        return found
    end = int(X.indptr[n])
    at = np.minimum(np.searchsorted(places, X.indices[:end]), len(places) - 1)
    wanted = places[at] == X.indices[:end]
    rows = np.repeat(np.arange(n), np.diff(X.indptr[: n + 1]))
    np.add.at(found, (rows[wanted], at[wanted]), X.data[:end][wanted])
    return found
