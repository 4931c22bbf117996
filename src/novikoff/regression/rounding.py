"""Columns of a model that are combinations of others but for rounding.

Of models that compare rows with each other the differences are looked at, beside the size of the
numbers that they are differences of.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from novikoff.certificates.comparisons import Comparisons
from novikoff.inputs import as_decimals, is_whole
from novikoff.regression.collinear import dependent_of
from novikoff.regression.decide import rows_of
from novikoff.regression.model_data import ModelData
from novikoff.regression.models import MODELS
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.verdicts.nearly import MOST_DECIMALS, Nearly, column_sizes, in_words, nearly_collinear


def rounding_notes(
    given: ModelData, rows: Comparisons, known: list[int], clock: Clock
) -> list[str]:
    """The notes about columns that depend on earlier ones but for rounding.

    known : coefficients, by place, that depend exactly
    """
    try:
        return _notes(given, rows, known, clock)
    except OutOfTimeError:
        return ["no time was left to look for columns that are combinations but for rounding"]


def _notes(given: ModelData, rows: Comparisons, known: list[int], clock: Clock) -> list[str]:
    table = given.table
    if table is None or table.has_changed or is_whole(table):
        return []
    if _compares_rows(given):
        names, offset = given.coefficients(), rows.table.n_columns
        found = nearly_collinear(rows.table, False, _sizes(given, rows), known, clock)
        found = [_unscaled(one, rows) for one in found]
    else:
        names, offset = [*given.design_names, given.constant_name], table.n_columns
        constant = given.model.constant or given.model.name == "ordinal"
        exactly = given.design_columns(known)
        found = nearly_collinear(table, constant, None, exactly, clock)
    if not found:
        return []
    within = MODELS[given.model.name].within
    where = "" if within is None else f"{within[0]}, "
    return in_words(found, names.__getitem__, offset, _decimally(given, clock), where)


def _compares_rows(given: ModelData) -> bool:
    """Whether the comparisons are other rows than those of X."""
    name = given.model.name
    return MODELS[name].within is not None or name == "bradley-terry"


def _sizes(given: ModelData, rows: Comparisons) -> np.ndarray:
    """How large the numbers are whose differences the columns hold."""
    largest = np.empty(0) if given.table is None else column_sizes(given.table)
    sizes = np.concatenate([np.ones(rows.table.n_columns - len(largest)), largest])  # of players, 1
    return sizes if rows.scale is None else sizes * np.array([float(s) for s in rows.scale])


def _unscaled(one: Nearly, rows: Comparisons) -> Nearly:
    """A relation of the model's columns instead of the table's."""
    if rows.scale is None:
        return one
    own = rows.scale[one.place]
    return Nearly(one.place, {k: f * rows.scale[k] / own for k, f in one.relation.items()})


def _decimally(given: ModelData, clock: Clock) -> set[int] | None:
    """The columns that depend exactly where floats are decimals; None where there are too many."""
    table = given.table
    if table is None or table.numbers != "binary64":
        return set()
    if table.n_rows * table.n_columns > MOST_DECIMALS:
        return None
    other = replace(given, table=as_decimals(table))
    dependent = dependent_of(other, rows_of(other), clock).columns
    if _compares_rows(given):
        return set(dependent)
    return given.design_columns(dependent)
