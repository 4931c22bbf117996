"""X as a design table: arrays, and frames whose text columns become indicators.

A text or categorical column has one column of 0s and 1s for each of its levels but the first, the
reference, named as formulas name it: 'color[T.red]'. Levels stand in the order of the
categorical, or sorted; those that nobody has are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff.certificates.entries import Entries, entries_of, table_of_entries
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.inputs.csr import csr_over
from novikoff.inputs.frames import as_frame, index_of, unlike
from novikoff.regression.missing import kept_rows, missing_in


@dataclass(frozen=True)
class Factor:
    """A text column: its name, and its levels, of which those from `first` on have a column."""

    name: str
    levels: list[Any]
    first: int

    @property
    def names(self) -> list[str]:
        mark = "T." if self.first else ""
        return [f"{self.name}[{mark}{level}]" for level in self.levels[self.first :]]


class Columns:
    """X as it was given: what is missing where, and, of some of its rows, the design table."""

    def __init__(self, X: Any, taken: tuple[str, ...] = ()) -> None:
        self.frame = _frame_of(X)
        self.index = None
        self.factors: dict[str, Factor] | None = None  # once the table is made
        if self.frame is None:
            self.X = X if hasattr(X, "tocsr") or isinstance(X, Table) else _array(X)
            self.n_rows = X.n_rows if isinstance(X, Table) else int(np.shape(self.X)[0])
            self.index = X.index if isinstance(X, Table) else None
        else:
            self._places = {str(name): j for j, name in enumerate(self.frame.columns)}
            self.names = [name for name in unlike(self.frame.columns, "X") if name not in taken]
            self.index = index_of(self.frame.to_native())
            self.n_rows = len(self.frame)
            self.values = {name: self._column(name) for name in self.names}

    def _column(self, name: str) -> np.ndarray:
        return np.asarray(self._series(name).to_numpy())

    def _series(self, name: str) -> Any:
        return self.frame.get_column(self.frame.columns[self._places[name]])

    def _numbers(self, names: list[str], kept: np.ndarray) -> Table:
        """Some columns, by place: a name need not be a text."""
        part = self.frame[:, [self._places[name] for name in names]]
        if len(kept) < self.n_rows:
            part = part[kept.tolist()]
        return replace(read_table(part.to_native()), names=tuple(names), index=None)

    def missing(self) -> dict[str, np.ndarray]:
        """For each column, or for X as a whole, which rows lack a value."""
        if self.frame is not None:
            return {name: missing_in(values) for name, values in self.values.items()}
        if isinstance(self.X, Table):
            return {}
        return {"X": missing_in(self.X)}

    def table(self, kept: np.ndarray, full: bool) -> tuple[Table, list[Factor]]:
        """The design table of some rows; `full` gives the first factor a column for each level."""
        if self.frame is None:
            whole = len(kept) == self.n_rows
            if isinstance(self.X, Table):
                return (self.X if whole else self.X.take(kept)), []
            return read_table(self.X if whole else self._rows(kept)), []
        texts = [name for name in self.names if self._is_factor(name)]
        if not texts:
            self.factors = {}
            return self._numbers(self.names, kept), []
        table, factors = self._coded(kept, texts, full)
        self.factors = {factor.name: factor for factor in factors}
        return table, factors

    def of_new(self, X: Any) -> Table:
        """The design table of new rows, with the levels that these columns had."""
        made = Columns(X)
        if (made.frame is None) != (self.frame is None):
            raise InputError("new rows must be given as X was: as a DataFrame, or as an array.")
        kept_rows(made.missing(), "error")
        if self.frame is not None:
            lacking = [name for name in self.names if name not in made.names]
            if lacking:
                raise InputError(f"the new rows have no column {lacking[0]!r}.")
            made.names, made.factors = self.names, self.factors
        return made.table(np.arange(made.n_rows), False)[0]

    def _is_factor(self, name: str) -> bool:
        if self.factors is not None:
            return name in self.factors
        return _is_categorical(self._series(name)) or _is_text(self.values[name])

    def _rows(self, kept: np.ndarray) -> Any:
        return self.X.tocsr()[kept] if hasattr(self.X, "tocsr") else self.X[kept]

    def _coded(self, kept: np.ndarray, texts: list[str], full: bool) -> tuple[Table, list[Factor]]:
        """Numbers and indicators in the order of the frame."""
        numeric = [name for name in self.names if name not in texts]
        numbers = self._numbers(numeric, kept) if numeric else None
        parts: list[Entries] = []
        names: list[str] = []
        factors: list[Factor] = []
        for name in self.names:
            if name in texts:
                factor, codes = self._factor(name, kept, full and not factors)
                rows = np.flatnonzero(codes >= factor.first)
                places = len(names) + codes[rows] - factor.first
                parts.append(Entries(rows, places, np.ones(len(rows))))
                names += factor.names
                factors.append(factor)
            else:
                rows, _, found = entries_of(_column_of(numbers, numeric.index(name)))
                parts.append(Entries(rows, np.full(len(rows), len(names)), found))
                names.append(name)
        if not names:
            raise InputError("X has no column that tells rows apart: each text has one level.")
        if numbers is not None and numbers.exact is not None:
            parts = [Entries(r, c, v.astype(object)) for r, c, v in parts]
        table = table_of_entries(parts, len(kept), len(names), csr_over)
        said = "binary64" if numbers is None else numbers.numbers
        return replace(table, names=unlike(names, "X"), numbers=said), factors

    def _factor(self, name: str, kept: np.ndarray, full: bool) -> tuple[Factor, np.ndarray]:
        values = self.values[name][kept]
        there = set(values.tolist())
        if self.factors is not None:
            known = self.factors[name]
            place = {level: k for k, level in enumerate(known.levels)}
            for level in there:
                if level not in place:
                    raise InputError(f"column {name!r} of the new rows has {level!r}, and the "
                                     "model has no such level.")  # fmt: skip
            return known, np.array([place[value] for value in values.tolist()], dtype=np.int64)
        series = self._series(name)
        order = [level for level in _categories(series) if level in there]
        kinds = sorted({type(level).__name__ for level in there})
        if not _is_categorical(series) and len(kinds) > 1:
            raise InputError(
                f"column {name!r} of X mixes values of types {' and '.join(kinds)}; give them one."
            )
        levels = order if len(order) == len(there) else sorted(there)
        place = {level: k for k, level in enumerate(levels)}
        codes = np.array([place[value] for value in values.tolist()], dtype=np.int64)
        return Factor(name, levels, 0 if full else 1), codes


def _column_of(table: Table | None, j: int) -> np.ndarray:
    if table is None:
        raise InputError("X has no columns of numbers.")
    return np.asarray((table.matrix if table.exact is None else table.exact)[:, [j]])


def _is_categorical(series: Any) -> bool:
    return str(series.dtype).startswith(("Categorical", "Enum"))


def _categories(series: Any) -> list[Any]:
    """The levels of a categorical in its own order; none where it has no such order."""
    found = getattr(getattr(series.to_native(), "dtype", None), "categories", None)
    return list(found) if found is not None and hasattr(found, "__len__") else []


def _frame_of(X: Any) -> Any:
    if isinstance(X, (Table, np.ndarray, list, tuple)) or hasattr(X, "tocsr"):
        return None
    return as_frame(X)


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


def _is_text(values: np.ndarray) -> bool:
    """Whether a column holds labels rather than numbers."""
    if values.dtype.kind in "biuf":
        return False
    return values.dtype.kind in "US" or any(isinstance(value, str) for value in values.tolist())
