"""X as a design table: arrays, and frames whose text columns become indicators.

A text or categorical column has one column of 0s and 1s for each of its levels but the first, the
reference, named as formulas name it: 'color[T.red]'. Levels stand in the order of the
categorical, or sorted; those that nobody has are left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certificates.derivation import Design, Levels, Power, Term
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.inputs.frames import as_frame, index_of, unlike
from novikoff.regression.missing import kept_rows, missing_in
from novikoff.regression.terms import level_text, table_of


class Columns:
    """X as it was given: what is missing where, and, of some of its rows, the design table."""

    def __init__(self, X: Any) -> None:
        self.frame = _frame_of(X)
        self.index = None
        self.design: Design | None = None  # of a frame, once the table is made
        if self.frame is None:
            self.X = X if hasattr(X, "tocsr") or isinstance(X, Table) else _array(X)
            self.n_rows = X.n_rows if isinstance(X, Table) else int(np.shape(self.X)[0])
            self.index = X.index if isinstance(X, Table) else None
        else:
            self._places = {str(name): j for j, name in enumerate(self.frame.columns)}
            self.names = list(unlike(self.frame.columns, "X"))
            self.index = index_of(self.frame.to_native())
            self.n_rows = len(self.frame)
            self.values = {name: self._column(name) for name in self.names}

    def native(self) -> dict[str, Any]:
        """The columns of a frame by name, each as its library has it."""
        return {name: self._series(name).to_native() for name in self.names}

    def leave_out(self, names: list[str]) -> None:
        """Columns of a frame that are no part of the design table."""
        self.names = [name for name in self.names if name not in names]
        self.values = {name: self.values[name] for name in self.names}

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

    def table(self, kept: np.ndarray, full: bool) -> tuple[Table, list[Levels]]:
        """The design table of some rows, and its text columns.

        full : whether the first of them has a column for each level
        """
        if self.frame is None:
            whole = len(kept) == self.n_rows
            if isinstance(self.X, Table):
                return (self.X if whole else self.X.take(kept)), []
            return read_table(self.X if whole else self._rows(kept)), []
        if self.design is None:
            self.design = self._design(kept, full)
        texts = self.design.factors
        numeric = [name for name in self.names if name not in texts]
        numbers = self._numbers(numeric, kept) if numeric else None
        if numbers is not None and not texts:
            return numbers, []
        columns = {name: self.values[name][kept] for name in texts}
        if numbers is not None:
            exact = numbers.matrix if numbers.exact is None else numbers.exact
            columns |= {name: exact[:, j] for j, name in enumerate(numeric)}
        found = table_of(self.design, columns, len(kept))
        if found is None:
            raise InputError("X has no column that tells rows apart: each text has one level.")
        names = unlike(list(self.design.names()), "X")
        said = "binary64" if numbers is None else numbers.numbers
        factors = [one for (one,) in self.design.terms if isinstance(one, Levels)]
        return replace(found, names=names, numbers=said), factors

    def _design(self, kept: np.ndarray, full: bool) -> Design:
        """Each column of numbers as it is, and each text by its levels in some rows."""
        terms: list[Term] = []
        for name in self.names:
            if _is_categorical(self._series(name)) or _is_text(self.values[name]):
                is_first = not any(isinstance(one, Levels) for (one,) in terms)
                terms.append((self._levels(name, kept, full and is_first),))
            else:
                terms.append((Power(name),))
        return Design(tuple(terms))

    def _levels(self, name: str, kept: np.ndarray, full: bool) -> Levels:
        there, series = set(self.values[name][kept].tolist()), self._series(name)
        order = [level for level in _categories(series) if level in there]
        kinds = sorted({type(level).__name__ for level in there})
        if not _is_categorical(series) and len(kinds) > 1:
            raise InputError(
                f"column {name!r} of X mixes values of types {' and '.join(kinds)}; give them one."
            )
        levels = order if len(order) == len(there) else sorted(there)
        texts = tuple(level_text(level) for level in levels)
        return Levels(name, texts, None if full else texts[0])

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
            made.names, made.design = self.names, self.design
        return made.table(np.arange(made.n_rows), False)[0]

    def _rows(self, kept: np.ndarray) -> Any:
        return self.X.tocsr()[kept] if hasattr(self.X, "tocsr") else self.X[kept]


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
