"""Columns that people give, by value or by name, with what is missing; and X as a design table.

A text or categorical column has one column of 0s and 1s for each of its levels but the first, the
reference, named as formulas name it: 'color[T.red]'. Levels stand in the order of the
categorical, or sorted; those that nobody has are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certificates.derivation import Design, Levels, Power, Term
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.inputs.frames import as_frame, index_of, unlike
from novikoff.regression.terms import level_text, table_of
from novikoff.wording import first_few, keyword

COLUMNS = ("y", "trials", "groups", "time", "event", "entry", "strata", "winner", "loser",
           "weights", "offset")  # fmt: skip


# Columns by name


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


# What is missing


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


# X


class ArrayColumns:
    """X as an array, a sparse matrix, or a table: of some of its rows, the design table."""

    def __init__(self, X: Any) -> None:
        self.X = X if hasattr(X, "tocsr") or isinstance(X, Table) else _array(X)
        self.n_rows = X.n_rows if isinstance(X, Table) else int(np.shape(self.X)[0])
        self.index = X.index if isinstance(X, Table) else None

    def missing(self) -> dict[str, np.ndarray]:
        """For X as a whole, which rows lack a value."""
        return {} if isinstance(self.X, Table) else {"X": missing_in(self.X)}

    def table(self, kept: np.ndarray, _full: bool = False) -> tuple[Table, list[Levels]]:
        """The design table of some rows; it has no text columns."""
        part = self.X
        if len(kept) < self.n_rows:
            part = part.tocsr() if hasattr(part, "tocsr") else part
            part = part.take(kept) if isinstance(part, Table) else taken(part, kept)
        return part if isinstance(part, Table) else read_table(part), []

    def of_new(self, X: Any) -> Table:
        """The design table of new rows."""
        if as_frame(X) is not None:
            raise InputError("new rows must be given as X was: as an array, and not a DataFrame.")
        made = ArrayColumns(X)
        return made.table(kept_rows(made.missing(), "error", made.n_rows))[0]


def _array(X: Any) -> np.ndarray:
    try:
        array = np.asarray(X)
    except ValueError:
        raise InputError(
            "the rows of X differ in length; every row needs the same number of values."
        ) from None
    if array.ndim > 2:
        raise InputError(f"X has {array.ndim} dimensions; it must have 2: rows and columns.")
    if array.ndim == 0:
        raise InputError(
            f"X is of type {type(X).__name__}; it must be an array, a list of rows, a sparse "
            "matrix, a DataFrame, a formula with data=, or a model of statsmodels."
        )
    return array


class FrameColumns:
    """Columns of a DataFrame: what is missing where, and, of some rows, the design table.

    names : of the columns that the design table is made of
    design : known once the table is made
    """

    design: Design | None = None

    def __init__(self, frame: Any) -> None:
        self.set_frame(frame)
        self.names = list(self.places)
        self.index = index_of(frame.to_native())

    def set_frame(self, frame: Any) -> None:
        self.frame, self.n_rows = frame, len(frame)
        self.places = {name: j for j, name in enumerate(unlike(frame.columns, "X"))}

    def series(self, name: str) -> Any:
        return self.frame.get_column(self.frame.columns[self.places[name]])

    def values(self, name: str) -> np.ndarray:
        return np.asarray(self.series(name).to_numpy())

    def missing(self) -> dict[str, np.ndarray]:
        """For each column that is used, which rows lack a value."""
        return {name: missing_in(self.values(name)) for name in self.names}

    def table(self, kept: np.ndarray, full: bool = False) -> tuple[Table | None, list[Levels]]:
        """The design table of some rows, and its text columns.

        full : whether the first of them has a column for each level
        """
        if self.design is None:
            self.design = self._design(kept, full)
        texts = self.design.factors
        numeric = [name for name in self.names if name not in texts]
        columns: dict[str, Any] = {name: self.values(name)[kept] for name in texts}
        said = "binary64"
        if numeric:
            part = self.frame[:, [self.places[name] for name in numeric]]
            part = part[kept.tolist()] if len(kept) < self.n_rows else part
            numbers = read_table(part.to_native())
            if not texts:
                return replace(numbers, names=tuple(numeric), index=None), []
            exact = numbers.matrix if numbers.exact is None else numbers.exact
            columns |= {name: exact[:, j] for j, name in enumerate(numeric)}
            said = numbers.numbers
        found = table_of(self.design, columns, len(kept))
        if found is None:
            raise InputError("X has no column that tells rows apart: each text has one level.")
        names = unlike(list(self.design.names()), "X")
        factors = [one for (one,) in self.design.terms if isinstance(one, Levels)]
        return replace(found, names=names, numbers=said), factors

    def _design(self, kept: np.ndarray, full: bool) -> Design:
        """Each column of numbers as it is, and each text by its levels in some rows."""
        terms: list[Term] = []
        for name in self.names:
            series, values = self.series(name), self.values(name)
            is_categorical = str(series.dtype).startswith(("Categorical", "Enum"))
            if not (is_categorical or _is_text(values)):
                terms.append((Power(name),))
                continue
            there = set(values[kept].tolist())
            if not is_categorical:
                check_one_type(name, values[kept], "X")
            known: Any = getattr(getattr(series.to_native(), "dtype", None), "categories", None)
            order = list(known) if hasattr(known, "__len__") else []
            levels = [level for level in order if level in there]
            levels = levels if len(levels) == len(there) else sorted(there)
            texts = tuple(map(level_text, levels))
            terms.append((Levels(name, texts, None if full else texts[0]),))
            full = False
        return Design(tuple(terms))

    def of_new(self, X: Any) -> Table:
        """The design table of new rows, with the levels that these columns had."""
        frame = as_frame(X, "the new rows")
        if frame is None:
            raise InputError("new rows must be given as X was: as a DataFrame.")
        new = copy(self)
        new.set_frame(frame)
        lacking = [name for name in self.names if name not in new.places]
        if lacking:
            raise InputError(f"the new rows have no column {lacking[0]!r}.")
        table, _ = new.table(kept_rows(new.missing(), "error", new.n_rows))
        if table is None:
            raise InputError("the formula has no columns.")
        return table


def _is_text(values: np.ndarray) -> bool:
    """Whether a column holds labels rather than numbers."""
    if values.dtype.kind in "biuf":
        return False
    return values.dtype.kind in "US" or any(isinstance(value, str) for value in values.tolist())
