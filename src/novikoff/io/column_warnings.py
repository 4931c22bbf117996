"""Columns that can decide a verdict by themselves, in rows of any format.

Every rule was measured on rows that overlap: with a column that rises with the rows, a copy of the
label, or a column of its own for each row, the verdict becomes "separable"; rows that are separable
become overlapping where 9999 stands for a missing value. A shuffled number of rows separates no
more than random numbers do, so nothing is said of it.

A column of whole numbers that rise or fall from each row to the next is a question where an option
can leave it out; all other columns are kept and named in a note.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import FileError
from novikoff.inputs import Table
from novikoff.io.data import Data
from novikoff.io.fields import shown
from novikoff.io.options import Options
from novikoff.wording import count, keyword

FEWEST_ROWS = 10  # that can show that a column rises with the rows
SAMPLE_ROWS = 1000  # that are looked at before a whole column is
SAMPLE_CELLS = 500_000  # of all columns together
MOST_COLUMNS = 500  # of sparse rows; of more, those are looked at that every row has
FEW_COLUMNS = 2  # of so many, one that rises may well be a curve that was measured
MOST_NOTES = 8  # of one kind
RISES = "rises or falls with the rows"
LARGEST_FLOAT32 = 3.4e38  # what stands for nothing in many files of float32
ENTRIES_AT_ONCE = 1 << 18  # of a sparse matrix that are counted: their copy stays in the cache


@np.errstate(all="ignore")  # steps between huge numbers are infinite, and rise or fall as such
def column_warnings(data: Data, options: Options) -> tuple[str, ...]:
    """Notes on the columns of rows that something is to be learnt or proved from.

    FileError where a column counts the rows and an option can leave it out.
    """
    X = data.X.matrix if isinstance(data.X, Table) else data.X
    is_settled = options.columns is not None or options.label is False
    if data.y is None or is_settled or X.ndim != 2 or X.shape[0] < FEWEST_ROWS or not X.shape[1]:
        return ()
    kept = set(data.options.get("keep", ()))
    notes = [*_copies_and_rising(X, data, kept), *_stand_ins(X, data, kept)]
    return (*notes, *_rows_with_own_column(X))


def frame_warnings(table: Table, y: np.ndarray) -> tuple[str, ...]:
    """The same notes on the columns of a DataFrame, all of which are kept."""
    if table.names is None:
        return ()
    data = Data(X=table.matrix, y=y, source="X", format="DataFrame", names=table.names)
    return column_warnings(data, Options())


def _copies_and_rising(X: Any, data: Data, kept: set[str]) -> list[str]:
    """Columns with one value for each class, and columns that rise or fall with the rows."""
    if isinstance(X, np.ndarray) or X.shape[1] <= MOST_COLUMNS:
        looked = np.arange(X.shape[1])
    else:  # the columns that lack at most one number: the work is that of what is stored
        places, times = _times_stored(X)
        looked = places[times >= X.shape[0] - 1]
    n_rows = min(SAMPLE_ROWS, max(SAMPLE_CELLS // max(len(looked), 1), FEWEST_ROWS))
    sample = columns_of(X, looked, n_rows).astype(np.float64)
    labels: Any = data.y
    first_codes, codes = np.unique(labels[: len(sample)], return_inverse=True)[1], None
    notes, counting, found, n_rising = [], [], set(), 0
    for place, first in zip(looked.tolist(), sample.T, strict=True):
        if not _is_one_to_one(first, first_codes) and not _goes_on(first):
            continue
        column = columns_of(X, np.array([place]))[:, 0].astype(np.float64)
        codes = np.unique(labels, return_inverse=True)[1] if codes is None else codes
        is_copy = column.min() < column.max() and _is_one_to_one(column, codes)
        if not is_copy and not _goes_on(column):
            continue
        n_rising += not is_copy
        name, few = _name(data, place), ", ".join(f"{v:.12g}" for v in column[:3].tolist())
        found.add(name)
        if name in kept:
            continue
        can_be_dropped = data.format in ("npy", "npz") or name in data.reading.get("columns", ())
        is_whole = np.diff(column).all() and (column == np.floor(column)).all()  # and all differ
        if not is_copy and X.shape[1] > FEW_COLUMNS and is_whole and can_be_dropped:
            counting.append((name, few))
        what = "has one value for each class, as the label has," if is_copy else RISES
        cure = f"; {keyword('drop', name)} leaves it out" * can_be_dropped
        notes.append(f"column {_shown(data, name)} {what} and is kept ({few}, …{cure})")
    if data.format in ("npy", "npz") and (idle := kept - found):
        raise FileError(
            f"{data.source}: {keyword('keep')} is for columns that rise with the rows, and column "
            f"{min(idle)} does not; leave it out."
        )
    if n_rising == X.shape[1]:  # rows that are sorted by all of their columns
        return []
    for name, few in counting:
        raise FileError(
            f"{data.source}: column {_shown(data, name)} {RISES} ({few}, …), "
            f"as their numbers do; leave it out with {keyword('drop', name)}, or keep it with "
            f"{keyword('keep', name)}."
        )
    return notes[:MOST_NOTES]


def _goes_on(column: np.ndarray) -> bool:
    """Whether a column of more than two levels never falls, or never rises."""
    steps = np.diff(column)
    goes_on = (steps >= 0).all() or (steps <= 0).all()
    return bool(goes_on and np.count_nonzero(steps) > 1)


def _is_one_to_one(column: np.ndarray, codes: np.ndarray) -> bool:
    """Whether every class has one value, and every value one class."""
    n_classes = int(codes.max()) + 1
    if 2 * n_classes > len(column):
        return False
    ordered = column[np.argsort(codes, kind="stable")]
    ends = np.flatnonzero(np.diff(np.sort(codes)))
    steps = np.flatnonzero(np.diff(ordered))  # one value a class: steps where classes end
    is_one = len(steps) == len(ends) and bool((steps == ends).all())
    return is_one and len(set(ordered[[0, *(ends + 1)]].tolist())) == n_classes


def _stand_ins(X: Any, data: Data, kept: set[str]) -> list[str]:
    """Columns with a number of nines far from all the others, as 9999 for a missing value."""
    if not isinstance(X, np.ndarray):
        return []
    notes = []
    for extreme in data.extremes or (X.min(axis=0), X.max(axis=0)):
        for place in [c for c, value in enumerate(extreme.tolist()) if _is_nines(value)]:
            column, value, name = X[:, place], float(extreme[place]), _name(data, place)
            others = column[column != value]
            if not len(others) or name in kept:
                continue
            low, high = float(others.min()), float(others.max())
            if min(abs(value - low), abs(value - high)) <= max(high - low, abs(low), abs(high)):
                continue
            n = count(len(column) - len(others), "row", ",")
            what = f"{value:.0f}" if abs(value) < LARGEST_FLOAT32 else "a number beyond 3.4e38"
            notes.append(
                f"column {_shown(data, name)} has {what} in {n}, far from its other "
                f"numbers ({low:.6g} to {high:.6g}); it is taken as a number: where it stands for "
                "a missing value, leave the cell empty"
            )
    return notes[:MOST_NOTES]


def _is_nines(value: float) -> bool:
    """-9, 99, -99, 999, … and not 9, which is a digit; or more than a float32 can be."""
    if abs(value) >= LARGEST_FLOAT32:
        return True
    if not 9 <= abs(value) < 1e15 or value != int(value) or value == 9:
        return False
    return set(str(abs(int(value)))) == {"9"}


def _rows_with_own_column(X: Any) -> tuple[str, ...]:
    """That half of the rows or more have a column that no other row has.

    A weight on it puts its row on either side and moves no other, so that their labels say nothing.
    """
    if isinstance(X, np.ndarray):
        own = np.flatnonzero((X[:SAMPLE_ROWS] != 0).sum(axis=0) <= 1)
        own = own[(X[:, own] != 0).sum(axis=0) == 1]
        rows = np.flatnonzero(X[:, own].any(axis=1))
    else:
        places, times = _times_stored(X)
        own = places[times == 1]
        if not len(own):
            return ()
        at = np.minimum(np.searchsorted(own, X.indices), len(own) - 1)
        entries = np.flatnonzero(own[at] == X.indices)
        rows = np.unique(np.searchsorted(X.indptr, entries, side="right"))
    if 2 * len(rows) < X.shape[0]:
        return ()
    return (
        f"{len(rows):,} of {count(X.shape[0], 'row', ',')} have a column that no other row has: a "
        "hyperplane puts those on any side, whatever else they hold",
    )


def _name(data: Data, place: int) -> str:
    """A column of X by its name, or by its number in the file, from 1."""
    if data.names is not None:
        return data.names[place]
    columns = data.reading.get("columns", ())
    return str(columns[place]) if len(columns) == data.n_columns else data.column_number(place)


def _shown(data: Data, name: str) -> str:
    return shown(name) if data.names is not None else name


def _times_stored(X: Any) -> tuple[np.ndarray, np.ndarray]:
    """The columns of a CSR matrix that any row has, in rising order, and how many have each."""
    if X.shape[1] > 1_000_000 + X.nnz:
        return np.unique(X.indices, return_counts=True)
    times = np.zeros(X.shape[1], dtype=np.int64)
    for start in range(0, X.nnz, ENTRIES_AT_ONCE):  # bincount makes a copy of what it counts
        part = np.bincount(X.indices[start : start + ENTRIES_AT_ONCE])
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
