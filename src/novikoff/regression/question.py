"""A regression as it is asked for, and how its data is made: columns, rows, response, table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.certificates.derivation import Levels
from novikoff.certificates.model import WITH_CLASSES, WITH_CONSTANT, Model
from novikoff.conventions import true_or_false
from novikoff.errors import InputError
from novikoff.inputs import Table, as_decimals
from novikoff.inputs.frames import as_frame
from novikoff.regression.codes import code_outcomes
from novikoff.regression.columns import (
    COLUMNS,
    ArrayColumns,
    FrameColumns,
    kept_rows,
    missing_in,
    names_in,
    taken,
    with_columns,
)
from novikoff.regression.formula import FormulaColumns
from novikoff.regression.model_data import ModelData
from novikoff.regression.models import (
    FREE_DISPERSION,
    MODELS,
    a_model,
    check_options,
    proven_as,
    usual,
)
from novikoff.regression.response import counted_rows, numbers_of, read_response
from novikoff.verdicts.arguments import column_warnings
from novikoff.wording import MOST_NAMED, count, plural


@dataclass
class RegressionQuestion:
    """A regression as it is asked for: `data` makes the model with its data of it.

    X : the columns, in any form; or what a formula has made of them; None where there are none
    model : its name in models.py; `called` is the name by which it was asked for
    options : the response, and all that belongs to it, by the names of certify_regression
    missing : "error", or "drop" for rows that lack a value
    notes : what is said of the data already
    names, numbers, index : of columns, of rows, and what rows are called, where X does not say it
    decimal : whether floats are read as the decimals that print them
    ignored : classes whose rows do not count
    link, dispersion : of the likelihood, where `called` does not say it
    """

    X: Any
    model: str
    called: str
    options: dict[str, Any]
    missing: str = "error"
    notes: Sequence[str] = ()
    names: Sequence[str] | None = None
    numbers: np.ndarray | None = None
    index: Any = None
    decimal: bool = False
    ignored: tuple[Any, ...] = ()
    link: str | None = None
    dispersion: float | None = 0.0
    columns: ArrayColumns | FrameColumns | None = field(default=None, init=False)

    def data(self) -> ModelData:
        """The model with its data; InputError where they do not belong together."""
        check_options(self.model, self.options, self.called)
        notes, called, kind = list(self.notes), usual(self.called), MODELS[self.model]
        if called == "negative-binomial":
            notes.append(FREE_DISPERSION)
            self.dispersion = None
        self._read_columns(notes)
        rows, options = self._read_rows(notes)
        response = read_response(self.model, options, len(rows), self.decimal)
        weights, offset = (
            np.full(len(rows), unless)
            if options.get(key) is None
            else np.array(numbers_of(options[key], key, len(rows)), dtype=np.float64)
            for key, unless in (("weights", 1.0), ("offset", 0.0))
        )
        rows = rows[response.kept]
        name, given = proven_as(self.model), options.get("fit_intercept")
        constant = name in WITH_CONSTANT and (
            given is None or true_or_false("fit_intercept", given)
        )
        table = self._table(rows, name in WITH_CONSTANT and not constant, notes)
        notes += response.notes
        if table is not None and type(self.columns) is FrameColumns:
            outcome = next(iter(response.columns.values()))
            codes = {value: code for code, value in enumerate(dict.fromkeys(outcome))}
            notes += column_warnings(table, np.array([codes[value] for value in outcome]))
        return ModelData(
            table=table,
            response=response.columns,
            model=Model(
                name, tuple(response.columns), constant,
                len(response.labels) if name in WITH_CLASSES else 0, response.reference,
                "exact" if response.ties == "exact" else "breslow",
            ),
            labels=response.labels,
            numbers=np.asarray(rows if self.numbers is None else self.numbers[rows]),
            index=getattr(self.columns, "index", None) if self.index is None else self.index,
            notes=notes,
            called=self.called,
            failures=response.failures,
            described=getattr(self.columns, "described", None),
            columns=self.columns,
            link=self.link or kind.other_names.get(called, kind.link),
            ties=response.ties,
            weights=weights[response.kept],
            offset=offset[response.kept],
            dispersion=self.dispersion,
        )  # fmt: skip

    def _read_columns(self, notes: list[str]) -> None:
        """X, ready to be a design table, without the columns that options name."""
        X = self.X
        if isinstance(X, FormulaColumns):
            self.columns = X
            notes += X.notes
            return
        is_other = X is None or isinstance(X, (Table, np.ndarray, list, tuple))
        frame = None if is_other or hasattr(X, "tocsr") else as_frame(X)
        if frame is not None:
            columns = FrameColumns(frame)
            native = {name: columns.series(name).to_native() for name in columns.places}
            self.options, used = with_columns(self.options, native, len(frame), "X")
            columns.names = [name for name in columns.names if name not in used]
            self.columns = columns if columns.names else None
            return
        self.columns = None if X is None else ArrayColumns(X)
        n_rows = 0 if self.columns is None else self.columns.n_rows
        for key, value in names_in(self.options, (), n_rows).items():
            raise InputError(f"{key} is {value!r}, the name of a column, and X is not a DataFrame.")

    def _read_rows(self, notes: list[str]) -> tuple[np.ndarray, dict[str, Any]]:
        """The rows that lack nothing and count, by place, and the options with these rows only."""
        options, columns = self.options, self.columns
        if columns is None and self.model != "bradley-terry":
            raise self._no_columns()
        first = "winner" if columns is None else "X"
        n_rows = len(_column(options["winner"], "winner")) if columns is None else columns.n_rows
        lacks = {} if columns is None else columns.missing()
        given = {key: options[key] for key in COLUMNS if options.get(key) is not None}
        for option, value in given.items():
            column = missing_in(_column(value, option))
            if len(column) != n_rows:
                raise InputError(
                    f"{option} has {count(len(column), 'row')}, and {first} has {n_rows}."
                )
            name = getattr(value, "name", None)
            lacks[name if isinstance(name, str) else option] = column
        kept = kept_rows(lacks, self.missing, n_rows)
        if len(kept) < n_rows:
            n = n_rows - len(kept)
            what = plural(n, "lacks a value and is", "lack a value and are")
            notes.append(f"{n} of {n_rows} rows {what} left out")
        y, coded = options.get("y"), code_outcomes(self.model, options, n_rows)
        options = coded[0]  # coded while every code is there
        counted, deleted = counted_rows(options.get("weights"), y, self.ignored, kept)
        notes += coded[1] + deleted
        kept = kept[counted]
        if len(kept) < n_rows:
            options = options | {key: taken(options[key], kept) for key in given}
        return kept, options

    def _table(self, rows: np.ndarray, full: bool, notes: list[str]) -> Table | None:
        """The design table of some rows; `full` gives the first text a column for each level."""
        table = None
        if self.columns is not None:
            table, factors = self.columns.table(rows, full)
            notes += _notes_on_factors(factors, len(rows))
        if table is None:
            if self.model != "bradley-terry":
                raise self._no_columns()
            return None
        if self.names is not None:
            table = replace(table, names=tuple(self.names))
        if self.decimal:
            table = as_decimals(table)
            notes += ["floats are read as the decimals that print them"] * table.is_rounded
        return table

    def _no_columns(self) -> InputError:
        return InputError(f"X is missing: {a_model(self.model)} needs columns.")


def _column(given: Any, option: str) -> Any:
    """A column as an array; InputError where it is none."""
    if hasattr(given, "tocsr"):
        return given
    try:
        values = np.asarray(given)
    except ValueError:
        values = np.asarray(None)
    if values.ndim not in (1, 2):
        raise InputError(
            f"{option} is of type {type(given).__name__}; it must be a column: a list, an array or "
            "a Series with one value for each row."
        )
    return values


def _notes_on_factors(factors: list[Levels], n_rows: int) -> list[str]:
    """Which texts were made columns, and which of them have a text of their own on nearly every
    row: such a column predicts whatever is asked."""
    if not factors:
        return []
    from novikoff.io.layout import too_many_levels

    shown = []
    for factor in factors[:MOST_NAMED]:
        reference = "" if factor.without is None else f"; the reference is {factor.without!r}"
        shown.append(f"{factor.column!r} ({count(len(factor.levels), 'level')}{reference})")
    more = f", … ({len(factors)} columns)" * (len(factors) > MOST_NAMED)
    naming = [
        f"column {factor.column!r} has {len(factor.levels):,} different texts in {n_rows:,} rows, "
        "which name the rows rather than describe them"
        for factor in factors
        if too_many_levels(len(factor.levels), n_rows)
    ]
    return [f"text made columns of 0s and 1s: {', '.join(shown)}{more}", *naming]
