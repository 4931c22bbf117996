"""The arguments of `certify_regression`, in any of their forms, as a model with its data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certificates.derivation import Design
from novikoff.certificates.model import RESPONSES, WITH_CLASSES, WITH_CONSTANT, Model
from novikoff.conventions import true_or_false
from novikoff.errors import InputError, one_of
from novikoff.inputs import Table, as_decimals, reads_decimals, with_gaps
from novikoff.inputs.frames import as_frame, check_same_rows
from novikoff.regression.codes import code_outcomes
from novikoff.regression.design import Columns, Factor
from novikoff.regression.foreign import read_fitter, read_foreign
from novikoff.regression.formula import Formulated, read_formula
from novikoff.regression.missing import kept_rows, missing_in, taken
from novikoff.regression.model_data import ModelData, constant_columns
from novikoff.regression.models import (
    FREE_DISPERSION,
    a_model,
    check_options,
    link_of,
    proven_as,
    read_model,
    usual,
)
from novikoff.regression.response import (
    Response,
    counted_rows,
    ignored_rows,
    likelihood_data,
    read_response,
)
from novikoff.regression.strata import are_names, joined
from novikoff.verdicts.answer import listed
from novikoff.verdicts.arguments import column_warnings
from novikoff.wording import count, keyword, plural

COLUMNS = ("y", "trials", "groups", "time", "event", "entry", "strata", "winner", "loser",
           "weights", "offset")  # fmt: skip
MOST_NAMES = 8


def read_arguments(
    X: Any, model: Any, data: Any, options: dict[str, Any], missing: str, numbers: Any = None
) -> ModelData:
    """The model and its data; InputError where they do not belong together."""
    one_of("missing", missing, ("error", "drop"))
    X = with_gaps(X, "X")
    options |= {key: with_gaps(options.get(key), key) for key in COLUMNS}
    decimal = reads_decimals(numbers)
    foreign = read_foreign(X)
    if foreign is not None:
        _refuse_others(X, model, data, options)
        return read_model_data(foreign.X, foreign.model, foreign.options, "error", foreign.called,
                          foreign.names, foreign.index, foreign.notes, foreign.numbers,
                          decimal=decimal, link=foreign.link,
                          dispersion=foreign.dispersion)  # fmt: skip
    if model is None:
        raise InputError(
            f"model is missing: say {keyword('model', 'logistic')}, poisson, cox or another."
        )
    called: str | None = None
    notes: list[str] = []
    ignored: tuple[Any, ...] = ()
    if not isinstance(model, str):
        model, called, notes, ignored = read_fitter(model, options, X, data)
    name = read_model(model)
    is_formula = isinstance(X, (str, Design))
    check_options(name, options, model, all_there=not is_formula)
    given = {"data" if is_formula else "X": data if is_formula else X}
    check_same_rows({**given, **{key: options.get(key) for key in COLUMNS}})
    more: dict[str, Any] = {"notes": notes, "decimal": decimal, "ignored": ignored}
    if is_formula:
        X, options = read_formula(X, data, proven_as(name), options)
        check_options(name, options, model)
    elif data is not None:
        raise InputError("data= goes with a formula; X is the data here, so leave data= out.")
    return read_model_data(X, name, options, missing, called or model, **more)


def _refuse_others(X: Any, model: Any, data: Any, options: dict[str, Any]) -> None:
    """A model of another library says all there is to say."""
    said = [name for name, value in options.items() if value is not None]
    said += ["model"] * (model is not None) + ["data"] * (data is not None)
    if said:
        raise InputError(
            f"X is a model of statsmodels ({type(X).__name__}), which says all there is; leave "
            f"{', '.join(f'{name}=' for name in said)} out."
        )


def read_model_data(
    X: Any,
    name: str,
    options: dict[str, Any],
    missing: str,
    called: str,
    names: list[str] | None = None,
    index: Any = None,
    notes: list[str] | None = None,
    numbers: np.ndarray | None = None,
    *,
    decimal: bool = False,
    ignored: tuple[Any, ...] = (),
    link: str | None = None,
    dispersion: float | None = 0.0,
) -> ModelData:
    """A model of known name from its columns; `names`, `index` and `numbers` of rows if known.

    decimal : whether floats are read as the decimals that print them
    ignored : classes whose rows do not count
    link, dispersion : of the likelihood, where `called` does not say it
    """
    notes = list(notes or []) + [FREE_DISPERSION] * (usual(called) == "negative-binomial")
    columns: Columns | Formulated | None
    if isinstance(X, Formulated):
        columns = X
        notes += X.notes
    else:
        options, taken = _named_columns(X, options)
        columns = None if X is None else Columns(X, taken)
        if columns is not None and columns.frame is not None and not columns.names:
            columns = None
    n_rows = len(_first(options)) if columns is None else columns.n_rows
    lacks = {} if columns is None else columns.missing()
    for option in COLUMNS:
        if options.get(option) is not None:
            column = missing_in(_values(options[option], option))
            if len(column) != n_rows:
                raise InputError(
                    f"{option} has {count(len(column), 'row')}, and {_first_name(X)} has {n_rows}."
                )
            lacks[_shown(option, options)] = column
    kept = kept_rows(lacks, missing) if lacks else np.arange(n_rows)
    if len(kept) < n_rows:
        n = n_rows - len(kept)
        what = plural(n, "lacks a value and is", "lack a value and are")
        notes.append(f"{n} of {n_rows} rows {what} left out")
    idle = ignored_rows(options.get("y"), ignored)
    options, said = code_outcomes(name, options, n_rows)  # while every code is there
    counted, deleted = counted_rows(options.get("weights"), idle, kept)
    notes += said + deleted
    kept = kept[counted]
    if len(kept) < n_rows:
        options = _part(options, kept)
    response = read_response(name, options, len(kept), decimal)
    likelihood = likelihood_data(response, link or link_of(called), options, len(kept))
    if dispersion is None or usual(called) == "negative-binomial":
        likelihood = replace(likelihood, dispersion=None)
    elif dispersion:
        likelihood = replace(likelihood, dispersion=dispersion)
    rows = kept[response.kept]
    constant = _constant(proven_as(name), options)
    table = None
    if columns is not None:
        full = proven_as(name) in WITH_CONSTANT and not constant
        table, factors = columns.table(rows, full)
        notes += _coded(factors) + _naming_rows(factors, len(rows))
        if names is not None and table is not None:
            table = replace(table, names=tuple(names))
    if table is None and name != "bradley-terry":
        raise InputError(f"X is missing: {a_model(name)} needs columns.")
    if decimal and table is not None:
        table = as_decimals(table)
        notes += ["floats are read as the decimals that print them"] * table.is_rounded
    notes += response.notes + _said(proven_as(name), table, constant)
    if table is not None and getattr(columns, "frame", None) is not None:
        outcome = next(iter(response.columns.values()))
        codes = {value: code for code, value in enumerate(dict.fromkeys(outcome))}
        notes += column_warnings(table, np.array([codes[value] for value in outcome]))
    places = rows if numbers is None else numbers[rows]
    found = index if index is not None else (None if columns is None else columns.index)
    return ModelData(
        table=table,
        response=response.columns,
        model=_model(proven_as(name), response, constant),
        labels=response.labels,
        numbers=np.asarray(places),
        index=found,
        notes=notes,
        called=called,
        failures=response.failures,
        described=columns.described if isinstance(columns, Formulated) else None,
        likelihood=likelihood,
        columns=columns,
    )


def _model(name: str, response: Response, constant: bool) -> Model:
    more = [column for column in response.columns if column not in RESPONSES[name]]
    return Model(
        name,
        (*RESPONSES[name], *more),
        constant,
        len(response.labels) if name in WITH_CLASSES else 0,
        response.reference,
        response.ties,
    )


def _constant(name: str, options: dict[str, Any]) -> bool:
    said = options.get("fit_intercept")
    if name not in WITH_CONSTANT:
        return False
    return True if said is None else true_or_false("fit_intercept", said)


def _said(name: str, table: Any, constant: bool) -> list[str]:
    """What there is to say about constant columns."""
    found = constant_columns(table)
    if not found or name not in WITH_CONSTANT:
        return []
    named = listed(list(map(repr, found)), MOST_NAMES)
    many = len(found) > 1
    if constant:
        return [
            f"column{'s' * many} {named} {'are' if many else 'is'} constant beside the model's own "
            f"constant; say {keyword('fit_intercept', False)} if it is meant to be the constant"
        ]
    return [f"column {found[0]!r} is the constant"]


def _coded(factors: list[Factor]) -> list[str]:
    if not factors:
        return []
    shown = []
    for factor in factors[:MOST_NAMES]:
        reference = f"; the reference is {factor.levels[0]!r}" if factor.first else ""
        shown.append(f"{factor.name!r} ({count(len(factor.levels), 'level')}{reference})")
    more = f", … ({len(factors)} columns)" * (len(factors) > MOST_NAMES)
    return [f"text made columns of 0s and 1s: {', '.join(shown)}{more}"]


def _naming_rows(factors: list[Factor], n_rows: int) -> list[str]:
    """That texts of which nearly every row has its own predict whatever is asked."""
    if not factors:
        return []
    from novikoff.io.text.columns import too_many_levels

    return [
        f"column {factor.name!r} has {len(factor.levels):,} different texts in {n_rows:,} rows, "
        "which name the rows rather than describe them"
        for factor in factors
        if too_many_levels(len(factor.levels), n_rows)
    ]


def _named_columns(X: Any, options: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Options that name a column of X, replaced by it; and the columns that were taken."""
    named: dict[str, Any] = {
        key: value for key, value in options.items() if key in COLUMNS and isinstance(value, str)
    }
    strata = options.get("strata")
    if isinstance(strata, (list, tuple)) and are_names(strata, *_shape(X)):
        named["strata"] = strata
    if not named:
        return options, ()
    frame = None if isinstance(X, (list, tuple, np.ndarray)) or hasattr(X, "tocsr") else as_frame(X)
    if frame is None:
        key, value = next(iter(named.items()))
        raise InputError(f"{key} is {value!r}, the name of a column, and X is not a DataFrame.")
    columns = {str(column): column for column in frame.columns}
    found, taken = dict(options), []
    for key, value in named.items():
        parts = [value] if isinstance(value, str) else list(value)
        for part in parts:
            if part not in columns:
                few = ", ".join(map(repr, list(columns)[:MOST_NAMES]))
                more = ", …" * (len(columns) > MOST_NAMES)
                raise InputError(f"X has no column {part!r} for {key}; it has {few}{more}.")
        taken += parts
        series = [frame.get_column(columns[part]) for part in parts]
        found[key] = (
            series[0].to_native() if len(series) == 1 else joined([one.to_list() for one in series])
        )
    return found, tuple(taken)


def _shape(X: Any) -> tuple[list[str], int]:
    """The names of a frame's columns, and its rows; no names where it is no frame."""
    if X is None or isinstance(X, Table):
        return [], 0 if X is None else X.n_rows
    plain = isinstance(X, (list, tuple, np.ndarray)) or hasattr(X, "tocsr")
    frame = None if plain else as_frame(X)
    if frame is None:
        return [], X.shape[0] if hasattr(X, "shape") else len(X)
    return [str(column) for column in frame.columns], len(frame)


def _values(column: Any, name: str) -> Any:
    if hasattr(column, "tocsr"):
        return column
    try:
        values = np.asarray(column)
    except ValueError:
        values = np.asarray(None)
    if values.ndim not in (1, 2):
        raise InputError(
            f"{name} is of type {type(column).__name__}; it must be a column: a list, an array or "
            "a Series with one value for each row."
        )
    return values


def _first(options: dict[str, Any]) -> Any:
    return _values(options["winner"], "winner")


def _first_name(X: Any) -> str:
    return "winner" if X is None else "X"


def _part(options: dict[str, Any], kept: np.ndarray) -> dict[str, Any]:
    """The options with some rows of what is a column."""
    return {
        key: taken(value, kept) if key in COLUMNS and value is not None else value
        for key, value in options.items()
    }


def _shown(option: str, options: dict[str, Any]) -> str:
    name = getattr(options[option], "name", None)
    return name if isinstance(name, str) else option
