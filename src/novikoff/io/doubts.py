"""Columns that a person would ask about, in rows of any format.

They are kept, for each may be meant: a verdict is of the columns as they stand. But a file whose
rows are sorted, a shuffled number of rows, the label in other words or a 9999 for what is missing
decide a verdict by themselves, and so they are said.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.inputs import Table
from novikoff.io.counters import LOOK, Numbered, columns_of, full_columns, times_stored
from novikoff.io.data import Data
from novikoff.io.fields import shown
from novikoff.io.options import TEXT_TABLES, Options
from novikoff.io.text.columns import ENOUGH, which_row
from novikoff.wording import count, keyword

SAMPLE = 100  # rows by which a file is asked about a column
NO_LABEL = "None"
CELLS = 500_000  # numbers that are looked at first
WIDE = 500  # columns; of more, those of sparse rows are looked at that every row has
LARGEST = 3.4e38  # what stands for nothing in many files of float32
MOST_CLASSES = 100  # that a column can be the label of in other words
MOST_SAID = 8  # columns of one kind


@np.errstate(all="ignore")  # spans and steps of huge numbers are infinite, and compare as such
def doubts(data: Data, options: Options) -> tuple[str, ...]:
    """What to say of the columns of rows that something is to be learnt or proved from."""
    X = data.X.matrix if isinstance(data.X, Table) else data.X
    is_settled = options.columns is not None or options.label is False
    named = _none_as_label(data)
    if data.y is None or is_settled or X.ndim != 2 or X.shape[0] < ENOUGH or not X.shape[1]:
        return named
    kept = set(map(str, options.keep))
    looked = np.arange(X.shape[1]) if X.shape[1] <= WIDE else full_columns(X)
    if not len(looked):
        return (*named, *_of_one_row(X))
    most = min(LOOK, max(CELLS // len(looked), ENOUGH))
    few = columns_of(X, looked, most).astype(np.float64)
    steps = np.diff(few, axis=0)
    goes_on = (steps >= 0).all(axis=0) | (steps <= 0).all(axis=0)
    ranked = np.sort(few, axis=0)
    n_levels = 1 + (np.diff(ranked, axis=0) > 0).sum(axis=0)
    is_whole = (few == np.floor(few)).all(axis=0)
    span = ranked[-1] - ranked[0] + 1
    may_copy = n_levels <= MOST_CLASSES
    if may_copy.any() or goes_on.any():
        labels, classes = np.unique(data.y, return_inverse=True)
    else:
        labels = classes = data.y[:0]
    copies = may_copy & (n_levels <= len(labels))
    sorted_ones = goes_on & (n_levels > len(labels))
    # k different numbers out of a span s are chance only where s is not far below k²
    apart = is_whole & ~goes_on & (n_levels == len(few)) & (10 * span < float(len(few)) ** 2)
    copies[copies] = [_may_be_one_to_one(few[:, k], classes) for k in np.flatnonzero(copies)]
    found: dict[str, list[str]] = {}
    for k in np.flatnonzero(copies | sorted_ones | apart).tolist():
        name = _name(data, int(looked[k]))
        if name in kept:
            continue
        column = columns_of(X, looked[k : k + 1])[:, 0].astype(np.float64)
        if copies[k] and _is_one_to_one(column, classes, len(labels)):
            what = "has one value for each class, as the label has,"
        elif sorted_ones[k] and _goes_on(column):
            what = "only rises or only falls from row to row"
        elif apart[k] and len(np.unique(column)) == len(column):
            what = "has another whole number in each row, as a number of rows has,"
        else:
            continue
        first = ", ".join(f"{value:.12g}" for value in column[:3].tolist())
        found.setdefault(what, []).append(
            f"column {_said(data, name)} {what} and is kept ({first}, …{_leaving_out(data, name)})"
        )
    listed = [note for notes in found.values() if _is_telling(notes, X) for note in notes]
    more = _stand_ins(X, data, kept)[:MOST_SAID]
    return (*named, *listed[:MOST_SAID], *more, *_of_one_row(X))


def _none_as_label(data: Data) -> tuple[str, ...]:
    """That a class is called None, as Python writes a label that is missing."""
    if data.y is None or data.y.dtype.kind != "U" or not (data.y == NO_LABEL).any():
        return ()
    cure = f"; {keyword('na', NO_LABEL)} takes it as missing" * (data.format in TEXT_TABLES)
    return (f"the label {NO_LABEL!r} is taken as a class{cure}",)


def frame_doubts(table: Table, y: np.ndarray) -> tuple[str, ...]:
    """The same of a DataFrame, and of its columns that a file is asked about: all are kept."""
    if table.names is None or table.n_rows < ENOUGH:
        return ()
    X, notes, kept = table.matrix, [], []
    looked = full_columns(X) if table.is_sparse or X.shape[1] > WIDE else np.arange(X.shape[1])
    few = columns_of(X, looked, SAMPLE)
    if table.exact is not None and not table.is_beyond_floats:
        few = table.exact[:SAMPLE, looked]
    for place, column in zip(looked.tolist(), few.T.tolist(), strict=True):
        cells = [str(int(value) if value == value // 1 else value) for value in column]
        if why := which_row(table.names[place], cells, len(looked) > 1):
            kept.append(table.names[place])
            notes.append(
                f"column {shown(kept[-1])} {why}, and is kept; leave it out unless it is meant"
            )
    data = Data(X=X, y=y, source="X", format="DataFrame", names=table.names)
    more = doubts(data, Options(keep=tuple(kept)))
    return (*notes[:MOST_SAID], *more) if len(notes) < table.n_columns else more


def _is_telling(notes: list[str], X: Any) -> bool:
    """Whether these columns stand beside others: rows that are sorted by all say nothing."""
    return len(notes) < X.shape[1] or "one value for each class" in notes[0]


def _goes_on(column: np.ndarray) -> bool:
    """Whether it never falls, or never rises; what also counts rows is said by others."""
    steps = np.diff(column)
    is_strict = (steps > 0).all() or (steps < 0).all()
    is_said = is_strict and (column == np.floor(column)).all()
    return bool((steps >= 0).all() or (steps <= 0).all()) and not is_said


def _is_one_to_one(column: np.ndarray, classes: np.ndarray, n_classes: int) -> bool:
    levels, codes = np.unique(column, return_inverse=True)
    pairs = np.unique(codes.astype(np.int64) * n_classes + classes)
    return len(levels) == len(pairs) == n_classes


def _may_be_one_to_one(first: np.ndarray, classes: np.ndarray) -> bool:
    """Whether the first rows say nothing against it."""
    own = classes[: len(first)]
    pairs = {*zip(first.tolist(), own.tolist(), strict=True)}
    return len(pairs) == len(np.unique(first)) == len(np.unique(own))


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
            what = f"{value:.0f}" if abs(value) < LARGEST else "a number beyond 3.4e38"
            notes.append(
                f"column {_said(data, name)} has {what} in {n}, far from its other "
                f"numbers ({low:.6g} to {high:.6g}); it is taken as a number: where it stands for "
                "a missing value, leave the cell empty"
            )
    return notes


def _of_one_row(X: Any) -> tuple[str, ...]:
    """That half of the rows or more have a column of their own.

    A weight on it puts its row on either side and moves no other, so that their labels say nothing.
    """
    if isinstance(X, np.ndarray):
        own = np.flatnonzero((X[:LOOK] != 0).sum(axis=0) <= 1)
        own = own[(X[:, own] != 0).sum(axis=0) == 1]
        rows = np.flatnonzero(X[:, own].any(axis=1))
    else:
        places, times = times_stored(X)
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


def _is_nines(value: float) -> bool:
    """-9, 99, -99, 999, … and not 9, which is a digit; or more than a float32 can be."""
    if abs(value) >= LARGEST:
        return True
    if not 9 <= abs(value) < 1e15 or value != int(value) or value == 9:
        return False
    return set(str(abs(int(value)))) == {"9"}


def _name(data: Data, place: int) -> str:
    """A column of X by its name, or by its number in the file, from 1."""
    if data.names is not None:
        return data.names[place]
    columns = data.reading.get("columns", ())
    if len(columns) == data.n_columns:
        return str(columns[place])
    taken = int(data.label) if data.label is not None and data.label.isdecimal() else None
    return str(Numbered(data.n_columns, taken)[place])


def _said(data: Data, name: str) -> str:
    return shown(name) if data.names is not None else name


def _leaving_out(data: Data, name: str) -> str:
    """Where there is an option that takes the column by this name, that option."""
    can_drop = data.format in ("npy", "npz") or name in data.reading.get("columns", ())
    return f"; {keyword('drop', name)} leaves it out" if can_drop else ""
