"""`novikoff certify --formula`: the columns that a formula names, from the reader of all commands.

Numbers are the nearest floats, in which formulas compute. A column that the formula calls a factor,
C(zip) or one after |, is read as it is written: its levels are numbers where the labels of a table
would be, so that 02134 and 2134 are two.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from novikoff.errors import InputError

if TYPE_CHECKING:
    from novikoff.certificates.derivation import Derivation, Design
    from novikoff.io.data import Data

LABELS = ("groups", "strata", "winner", "loser")  # columns whose numbers are names
ROLES = ("trials", "groups", "time", "event", "entry", "strata", "winner", "loser", "weights")
CHOICES = ("ties", "reference", "positive", "order")  # of a model, beside its columns
PLAIN = re.compile(r"`[^`]+`|[^\W\d][\w.]*")
FACTOR = re.compile(r"\bC\(\s*(?:`([^`]+)`|([^\W\d]\w*))")


def factors_of(made: Derivation, formula: str | Design | None) -> set[str]:
    """The columns that the formula calls factors, and those whose values are names."""
    from novikoff.regression.formula import parts_of

    names = {column for role, column in made.columns.items() if role in LABELS}
    if formula is None:
        return names
    if not isinstance(formula, str):
        return names | formula.factors
    _, right, effects = parts_of(formula)
    called = {a or b for a, b in FACTOR.findall(right)}
    return called | {g for effect in effects for g in effect} | names


def reading_of_formula(made: Derivation, formula: str, reading: dict[str, Any]) -> dict[str, Any]:
    """What to tell the reader, so that it gives the columns of the formula and of the options.

    The response is its label, where it is a column and no part of anything else.
    """
    from novikoff.regression.formula import REST, parts_of, words_of

    left, right, effects = parts_of(formula)
    columns = made.columns.values()
    words = words_of(right) | set(columns) | {g for effect in effects for g in effect}
    is_column = PLAIN.fullmatch(left) is not None and left.strip("`") not in words
    options = {**reading, "levels": "all", "label": False}
    if is_column and (words or REST.search(right)):
        options["label"] = left.strip("`")
    else:
        words |= words_of(left)
    options["categorical"] = tuple({*reading.get("categorical", ()), *factors_of(made, formula)})
    if REST.search(right):
        options["keep"] = (*reading.get("keep", ()), *columns)
    else:
        options["among"] = tuple(sorted(words))
    return {key: value for key, value in options.items() if value not in ((), None)}


def columns_of_formula(
    read: Data, made: Derivation, formula: str | Design
) -> tuple[Any, dict[str, Any]]:
    """What a formula, or the design that a proof has of one, makes of the columns read."""
    from novikoff.regression.formula import read_formula
    from novikoff.regression.models import proven_as, read_model

    try:
        import pandas
    except ImportError:
        raise InputError(
            "--formula needs pandas and formulaic: install novikoff[formula]."
        ) from None
    name = read_model(made.model)
    options: dict[str, Any] = dict.fromkeys((*ROLES, "y", *CHOICES, "fit_intercept", "offset"))
    options |= {**made.columns, **made.choices}
    columns, factors = FileColumns(read), factors_of(made, formula)
    named = [
        column if read.options.get("header", True) else f"x{column}"
        for column in read.reading["columns"]
    ]
    table = {column: columns.column(column, column in factors)[0] for column in named}
    if read.y is not None and read.label is not None:
        table[read.label] = read.y.astype(object) if read.y.dtype.kind == "U" else read.y
    return read_formula(formula, pandas.DataFrame(table), proven_as(name), options)


class FileColumns:
    """The columns of a file by their names, as they were before texts became columns of 0 and 1."""

    def __init__(self, read: Data) -> None:
        from novikoff.inputs import read_table

        self.table = read_table(read.X)
        n_columns = self.table.n_columns
        self.names = list(read.names or [self.table.column_name(j) for j in range(n_columns)])
        self.index = {name: j for j, name in enumerate(self.names)}
        self.encoding = read.encoding

    def column(self, name: str, may_be_numbers: bool = True) -> tuple[Any, list[int]]:
        """A column, and the indices that it has in X; KeyError where there is none.

        Levels are numbers or texts, by the rule for labels.
        """
        import numpy as np

        from novikoff.io.labels import Coded, kind_of, labels_of

        table = self.table
        if name not in self.encoding:
            j = self.index[name]
            if table.exact is not None:
                return table.exact[:, j], [j]
            part = table.matrix[:, [j]]
            return (part.toarray() if table.is_sparse else part).ravel(), [j]
        levels = list(self.encoding[name])
        places = {
            k: self.index[f"{name}={level}"]
            for k, level in enumerate(levels)
            if f"{name}={level}" in self.index
        }
        indices = list(places.values())
        codes = np.ravel(table.matrix[:, indices] @ np.array(list(places), dtype=float))
        kind = kind_of(levels) if may_be_numbers else "text"
        found = labels_of(Coded(codes.astype(np.int64), levels), kind, "")
        return (found.astype(object) if kind == "text" else found), indices
