"""The design of a formula in the closed grammar of certificates/derivation.py: found, and built.

Of formulaic's terms those are in the grammar whose factors are a column (`x`), its power or a
product (`I(x ** 2)`, `I(x * z)`), or its levels with treatment coding (`g`, `C(k)`, with or without
levels and a base). The table of such terms is built here, both for the question and for the check
of a proof, and nothing of them is evaluated. Of all other formulas formulaic's table is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from numbers import Rational
from typing import Any

import numpy as np

from novikoff.certificates.derivation import MOST_POWER, Design, Factor, Levels, Power, Term
from novikoff.certificates.entries import Entries, table_of_entries
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.inputs.csr import csr_over
from novikoff.wording import written

NAME = r"(?:`[^`]+`|[^\W\d]\w*)"
PART = rf"({NAME})\s*(?:\*\*\s*(\d{{1,3}}))?"
CODED = re.compile(rf"C\(\s*({NAME})\s*[,)].*", re.DOTALL)


def design_of(spec: Any, columns: Mapping[str, Any]) -> Design | None:
    """The terms of a formula that formulaic has made a matrix of; None: the grammar has them not.

    spec : formulaic's ModelSpec of the matrix; columns : of the data, by name
    """
    terms: list[Term] = []
    for scoped in (one for structure in spec.structure for one in structure.scoped_terms):
        factors: list[Factor] = []
        for part in scoped.factors:
            factor = part.factor.factor
            kind, state = spec.encoder_state.get(factor.expr, (None, {}))
            found = _factors(factor, kind, state, bool(part.reduced), columns)
            if found is None:
                return None
            factors += found
        if scoped.scale != 1:
            return None
        terms.append(tuple(factors))
    return Design(tuple(terms))


def _factors(
    factor: Any, kind: Any, state: Mapping[str, Any], reduced: bool, columns: Mapping[str, Any]
) -> list[Factor] | None:
    is_column = factor.eval_method.value == "lookup"
    if kind is not None and kind.value == "numerical" and not state:
        if is_column:
            return [Power(factor.expr)] if factor.expr in columns else None
        return _product(factor.expr, columns)
    name: str | None = factor.expr if is_column else None
    if not is_column and (coded := CODED.fullmatch(factor.expr)):
        name = coded[1].strip("`")
    contrasts: Any = getattr(state.get("contrasts"), "contrasts", None)
    if name not in columns or type(contrasts).__name__ != "TreatmentContrasts":
        return None
    values = list(state["categories"])
    levels = tuple(level_text(value) for value in values)
    base = contrasts.base if contrasts.base in values else values[0] if values else None
    if len(set(levels)) < len(levels) or not levels:
        return None
    return [Levels(str(name), levels, level_text(base) if reduced else None)]


def _product(text: str, columns: Mapping[str, Any]) -> list[Factor] | None:
    """The factors of `I(x ** 2)`, `x * z` and the like."""
    inner = text[2:-1] if text.startswith("I(") and text.endswith(")") else text
    if not re.fullmatch(rf"\s*{PART}(?:\s*\*(?!\*)\s*{PART})*\s*", inner):
        return None
    found = [Power(name.strip("`"), int(power or 1)) for name, power in re.findall(PART, inner)]
    known = all(part.column in columns and 1 <= part.power <= MOST_POWER for part in found)
    return list(found) if known else None


def level_text(value: Any) -> str:
    """A level as a proof has it: a text as it is, a number as its shortest text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def table_of(design: Design, columns: Mapping[str, Any], n_rows: int) -> Table | None:
    """The design table of these columns; None where it has no columns.

    InputError where a column is missing, or a row has what the design has no place for.
    """
    for name in design.columns:
        if name not in columns:
            raise InputError(f"the data has no column {name!r}, which the design needs.")
    if design.n_columns == 0:
        return None
    codes: dict[Levels, np.ndarray] = {}
    numbers: dict[str, np.ndarray] = {}
    parts, width = [], 0
    for term in design.terms:
        if not all(factor.width for factor in term):
            continue
        place, values = np.zeros(n_rows, dtype=np.int64), np.ones(n_rows, dtype=np.int64)
        kept, step = np.ones(n_rows, dtype=bool), 1
        for factor in term:
            if isinstance(factor, Power):
                if factor.column not in numbers:
                    numbers[factor.column] = _numbers(columns[factor.column], factor.column)
                with np.errstate(all="ignore"):  # an infinity is told below, with its row
                    for _ in range(factor.power):
                        values = values * numbers[factor.column]
            else:
                if factor not in codes:
                    codes[factor] = _codes(columns[factor.column], factor)
                kept &= codes[factor] >= 0
                place += step * codes[factor]
                step *= factor.width
        rows = np.flatnonzero(kept & (values != 0))
        values = values if values.dtype == object else values.astype(np.float64)
        parts.append(Entries(rows, width + place[rows], values[rows]))
        width += step
    if any(part.values.dtype == object for part in parts):
        parts = [Entries(r, c, v.astype(object)) for r, c, v in parts]
    table = table_of_entries(parts, n_rows, width, csr_over)
    if table.exact is None:
        table = read_table(table.matrix, "the formula")
    return replace(table, names=tuple(design.names()))


def _numbers(column: Any, name: str) -> np.ndarray:
    values = np.asarray(column)
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    listed = values.tolist()
    if all(isinstance(value, Rational) for value in listed):
        return values.astype(object)
    odd = next(value for value in listed if not isinstance(value, Rational))
    raise InputError(f"column {name!r} has {written(odd)} where the design needs numbers.")


def _codes(column: Any, factor: Levels) -> np.ndarray:
    """For each row the place of its level among those that have a column; -1 of the one without."""
    shown = (level for level in factor.levels if level != factor.without)
    place = {level: k for k, level in enumerate(shown)}
    if factor.without is not None:
        place[factor.without] = -1
    listed = np.asarray(column).tolist()
    of_value: dict[Any, int] = {}
    for row, value in enumerate(listed):
        if value not in of_value:
            text = level_text(value)
            if text not in place:
                raise InputError(
                    f"column {factor.column!r} has {text!r} in row {row}, and the design has no "
                    "such level."
                )
            of_value[value] = place[text]
    return np.array([of_value[value] for value in listed], dtype=np.int64)
