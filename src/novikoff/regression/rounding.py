"""Columns of a model that are combinations of others but for rounding.

Of models that compare rows with each other the differences are looked at, beside the size of the
numbers that they are differences of.
"""

from __future__ import annotations

from collections.abc import Collection
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
    within = MODELS[given.model.name].within
    compares = within is not None or given.model.name == "bradley-terry"  # other rows than X's
    if compares:
        names, ones = given.coefficients(), rows.table.n_columns
        scale = rows.scale or (1,) * ones
        sizes = np.append(np.ones(ones - table.n_columns), column_sizes(table))  # of players, 1
        sizes = sizes * np.array([float(share) for share in scale])
        found = [
            Nearly(j, {k: f * scale[k] / scale[j] for k, f in relation.items()})
            for j, relation in nearly_collinear(rows.table, False, sizes, known, clock)
        ]
    else:
        names, ones = [*given.design_names, given.constant_name], table.n_columns
        constant = given.model.constant or given.model.name == "ordinal"
        found = nearly_collinear(table, constant, None, given.design_columns(known), clock)
    if not found:
        return []
    exactly: Collection[int] | None = ()  # where floats are decimals; None: too many to tell
    if table.numbers == "binary64":
        exactly = None
        if table.n_rows * table.n_columns <= MOST_DECIMALS:
            other = replace(given, table=as_decimals(table))
            exactly = dependent_of(other, rows_of(other), clock).columns
            exactly = exactly if compares else given.design_columns(exactly)
    where = "" if within is None else f"{within[0]}, "
    return in_words(found, names.__getitem__, ones, exactly, where)
