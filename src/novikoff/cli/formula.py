"""`novikoff certify --formula`: the columns that a formula names, from the reader of all commands.

Numbers are the nearest floats, in which formulas compute. A column that the formula calls a factor,
C(zip) or one after |, is read as it is written: its levels are numbers where the labels of a table
would be, so that 02134 and 2134 are two.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from novikoff.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from novikoff.certificates.derivation import Derivation, Design
    from novikoff.io.data import Data
    from novikoff.regression.model_data import ModelData

LABELS = ("groups", "strata", "winner", "loser")  # columns whose numbers are names
ROLES = ("trials", "groups", "time", "event", "entry", "strata", "winner", "loser", "weights")
CHOICES = ("ties", "reference", "positive", "order")  # of a model, beside its columns
PLAIN = re.compile(r"`[^`]+`|[^\W\d][\w.]*")
FACTOR = re.compile(r"\bC\(\s*(?:`([^`]+)`|([^\W\d]\w*))")


def response_of(made: Derivation, formula: str | Design | None) -> list[str]:
    """The columns of the file that are no part of X."""
    left = [formula.partition("~")[0].strip(" `")] if isinstance(formula, str) else []
    return [*left, *made.columns.values()]


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


def data_of_formula(
    read: Data, made: Derivation, formula: str | Design, decimal: bool
) -> ModelData:
    """The model of a formula, or of the design that a proof has of one, on the columns read.

    decimal : whether floats are read as the decimals that print them
    """
    from novikoff.regression.formula import read_formula
    from novikoff.regression.models import check_options, proven_as, read_model
    from novikoff.regression.question import RegressionQuestion

    name = read_model(made.model)
    options: dict[str, Any] = dict.fromkeys((*ROLES, "y", *CHOICES, "fit_intercept", "offset"))
    options |= {**made.columns, **made.choices}
    check_options(name, options, all_there=False)
    frame = frame_of(read, factors_of(made, formula))
    X, options = read_formula(formula, frame, proven_as(name), options)
    check_options(name, options)
    notes = list(read.without_notes_on(read.encoding).remarks)  # the model says which are levels
    given = RegressionQuestion(
        X, name, made.model, options, notes=notes, numbers=read.row_numbers, decimal=decimal
    ).data()
    left, design = given.described or ("", None)
    own = {"y": left} if left else {}
    derivation = replace(made, columns={**made.columns, **own}, design=design)
    return replace(given, reading=read.origin, derivation=derivation)


def frame_of(read: Data, factors: Collection[str]) -> Any:
    """The columns of a file for pandas: numbers, texts, and factors by the rule for labels."""
    try:
        import pandas
    except ImportError:
        raise InputError(
            "--formula needs pandas and formulaic: install novikoff[formula]."
        ) from None
    import numpy as np

    from novikoff.inputs import read_table

    matrix, at = read_table(read.X).matrix, 0
    columns: dict[str, Any] = {}
    for column in read.reading["columns"]:
        name = column if read.options.get("header", True) else f"x{column}"
        levels = read.encoding.get(name)
        part = matrix[:, at : at + (1 if levels is None else len(levels))]
        at += part.shape[1]
        if levels is None:
            columns[name] = np.ravel(part.toarray() if hasattr(part, "toarray") else part)
            continue
        codes = np.ravel(part @ np.arange(len(levels))).astype(np.int64)
        columns[name] = levels_as_labels(codes, levels, name in factors)
    if read.y is not None and read.label is not None:
        columns[read.label] = read.y.astype(object) if read.y.dtype.kind == "U" else read.y
    return pandas.DataFrame(columns)


def levels_as_labels(codes: np.ndarray, levels: Sequence[str], may_be_numbers: bool = True) -> Any:
    """A column of levels: numbers or texts, by the rule for labels."""
    from novikoff.io.labels import Coded, kind_of, labels_of

    kind = kind_of(levels) if may_be_numbers else "text"
    found = labels_of(Coded(codes, list(levels)), kind, "")
    return found.astype(object) if kind == "text" else found
