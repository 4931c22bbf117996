"""Formulas, such as "y ~ x1 + C(firm)", through formulaic: its columns, by its names.

What is left of ~ is the response: the name of a column, taken as it is, or an expression that is
one number a row. A formula has its own constant, so none is added; where a model has none, such as
a Cox model, the formula's is taken out, and text columns keep their reference level.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.certificates.model import WITH_CONSTANT
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.inputs.frames import as_frame, index_of
from novikoff.regression.missing import kept_rows, missing_in
from novikoff.wording import argument, was_given

CONSTANT = "Intercept"
FEWER = 4


class Formulated(NamedTuple):
    """The design table of a formula, and which rows of the data it has."""

    matrix: Table | None
    names: list[str] | None
    index: Any
    notes: list[str]
    numbers: np.ndarray


def read_formula(
    formula: str, data: Any, name: str, options: dict[str, Any], missing: str
) -> tuple[Formulated, dict[str, Any]]:
    """The design table, and the options with the columns that they name, of the rows kept."""
    if data is None:
        raise InputError(f"the formula {formula!r} needs data=, a DataFrame with its columns.")
    if options.get("fit_intercept") is not None:
        raise InputError(
            "a formula says whether it has a constant (+ 0 for none); leave "
            f"{was_given('fit_intercept', options['fit_intercept'])} out."
        )
    frame = as_frame(data, "data")
    if frame is None:
        raise InputError(f"data is of type {type(data).__name__}; it must be a DataFrame.")
    left, _, right = formula.rpartition("~")
    left = left.strip()
    if left and options.get("y") is not None:
        raise InputError("the formula has a response, and y= is given too; give one of them.")
    table = _pandas(frame)
    columns = {str(column): table[column] for column in table.columns}
    found = dict(options)
    for key in ("y", "trials", "groups", "time", "event", "entry", "strata", "winner", "loser",
                "weights", "offset"):  # fmt: skip
        value = options.get(key)
        if isinstance(value, str):
            if value not in columns:
                raise InputError(f"data has no column {value!r} for {argument(key)}.")
            found[key] = columns[value]
    spec = _spec(right)
    used = sorted(str(part) for part in spec.required_variables if str(part) in columns)
    lacks = {part: missing_in(columns[part].to_numpy()) for part in used}
    if left:
        found["y"] = columns[left] if left in columns else _expression(left, table)
        lacks[left] = missing_in(np.asarray(found["y"]))
    for key in ("trials", "groups", "time", "event", "entry", "strata", "winner", "loser",
                "weights", "offset"):  # fmt: skip
        if found.get(key) is not None:
            lacks[key] = missing_in(np.asarray(found[key]))
    kept = kept_rows(lacks, missing) if lacks else np.arange(len(table))
    notes = []
    if len(kept) < len(table):
        notes.append(f"{len(table) - len(kept)} of {len(table)} rows lack a value and are left out")
        found = {key: _rows(value, kept, len(table)) for key, value in found.items()}
    matrix = _matrix(spec, table.iloc[kept], formula)
    if matrix is not None and name not in WITH_CONSTANT:
        matrix = _without_constant(matrix)
    found["fit_intercept"] = False if name in WITH_CONSTANT else None
    names = None if matrix is None else [matrix.column_name(j) for j in range(matrix.n_columns)]
    return Formulated(matrix, names, index_of(data), notes, kept), found


def _formulaic() -> Any:
    try:
        import formulaic
    except ImportError:
        raise InputError(
            "formulas need formulaic: pip install 'novikoff[formula]', or give X and y."
        ) from None
    return formulaic


def _spec(right: str) -> Any:
    formulaic = _formulaic()
    try:
        return formulaic.Formula(right.strip() or "1")
    except Exception as error:
        raise InputError(f"the formula {right.strip()!r} cannot be read: {_first(error)}") from None


def _expression(left: str, table: Any) -> Any:
    """A response that is computed: one number a row."""
    matrix = _matrix(_spec(f"0 + {left}"), table, left)
    if matrix is None or matrix.n_columns != 1:
        raise InputError(
            f"the response {left!r} of the formula is not one number a row; name a column instead."
        )
    return matrix.dense_rows(slice(None))[:, 0]


def _matrix(spec: Any, table: Any, formula: str) -> Table | None:
    try:
        made = spec.get_model_matrix(table, output="sparse", na_action="ignore")
    except Exception as error:
        raise InputError(f"the formula {formula!r} cannot be evaluated: {_first(error)}") from None
    names = list(made.model_spec.column_names)
    if not names:
        return None
    found = read_table(made, "the formula")
    matrix = found.matrix
    if matrix.nnz * FEWER > matrix.shape[0] * matrix.shape[1]:
        matrix = np.ascontiguousarray(matrix.toarray(), dtype=np.float64)
    return Table(matrix, tuple(map(str, names)), "binary64")


def _without_constant(table: Table) -> Table | None:
    names = list(table.names or ())
    if CONSTANT not in names:
        return table
    left = [j for j, name in enumerate(names) if name != CONSTANT]
    if not left:
        return None
    matrix = table.matrix[:, left]
    if isinstance(matrix, np.ndarray):
        matrix = np.ascontiguousarray(matrix)
    return Table(matrix, tuple(names[j] for j in left), table.numbers)


def _pandas(frame: Any) -> Any:
    return frame.to_pandas().reset_index(drop=True)


def _rows(value: Any, kept: np.ndarray, n_rows: int) -> Any:
    if value is None or isinstance(value, (str, bool)) or np.ndim(value) == 0:
        return value
    if hasattr(value, "iloc"):
        return value.iloc[kept]
    array = np.asarray(value)
    return array[kept] if len(array) == n_rows else value


def _first(error: Exception) -> str:
    text_lines = str(error).strip().splitlines()
    return text_lines[0] if text_lines else type(error).__name__
