"""New rows, given as X was, in the columns of a model's design."""

from __future__ import annotations

from typing import Any

from novikoff.errors import InputError
from novikoff.inputs import Table, as_decimals
from novikoff.regression.model_data import ModelData


def new_rows(given: ModelData, X: Any) -> Table:
    """InputError where X lacks a column, or has a level or a missing value that is not known."""
    if given.table is None or given.columns is None:
        raise InputError("the model has no columns, so there are no new rows of them.")
    table: Table = given.columns.of_new(X)
    if table.n_columns != given.table.n_columns:
        raise InputError(
            f"the new rows have {table.n_columns} columns; the model has {given.table.n_columns}."
        )
    return as_decimals(table) if given.table.numbers == "decimal" else table
