"""X as a design table: arrays, and frames whose text columns become indicators.

A text or categorical column has one column of 0s and 1s for each of its levels but the first, the
reference, named as formulas name it: 'color[T.red]'. Levels stand in the order of the
categorical, or sorted; those that nobody has are left out.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certificates.derivation import Design, Levels, Power, Term
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.inputs.frames import as_frame, index_of, unlike
from novikoff.regression.columns import check_one_type, kept_rows, missing_in, taken
from novikoff.regression.terms import level_text, table_of


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
            part = part.take(kept) if isinstance(part, Table) else taken(_by_rows(part), kept)
        return part if isinstance(part, Table) else read_table(part), []

    def of_new(self, X: Any) -> Table:
        """The design table of new rows."""
        if as_frame(X) is not None:
            raise InputError("new rows must be given as X was: as an array, and not a DataFrame.")
        made = ArrayColumns(X)
        return made.table(kept_rows(made.missing(), "error", made.n_rows))[0]


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

    def native(self) -> dict[str, Any]:
        """All columns by name, each as its library has it."""
        return {name: self._series(name).to_native() for name in self.places}

    def leave_out(self, names: list[str]) -> None:
        """Columns that are no part of the design table."""
        self.names = [name for name in self.names if name not in names]

    def _series(self, name: str) -> Any:
        return self.frame.get_column(self.frame.columns[self.places[name]])

    def values(self, name: str) -> np.ndarray:
        return np.asarray(self._series(name).to_numpy())

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
            series, values = self._series(name), self.values(name)
            is_categorical = str(series.dtype).startswith(("Categorical", "Enum"))
            if not (is_categorical or _is_text(values)):
                terms.append((Power(name),))
                continue
            there = set(values[kept].tolist())
            if not is_categorical:
                check_one_type(name, values[kept], "X")
            dtype: Any = getattr(series.to_native(), "dtype", None)
            known: Any = getattr(dtype, "categories", None)
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


def _by_rows(X: Any) -> Any:
    return X.tocsr() if hasattr(X, "tocsr") else X


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
