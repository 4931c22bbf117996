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

    from novikoff.certificates.derivation import Design
    from novikoff.io.data import Data
    from novikoff.regression.given import Given

LABELS = ("groups", "strata", "winner", "loser")  # columns whose numbers are names
ROLES = ("trials", "groups", "time", "event", "entry", "strata", "winner", "loser", "weights")
CHOICES = ("ties", "reference", "positive", "order")  # of a model, beside its columns
PLAIN = re.compile(r"`[^`]+`|[^\W\d][\w.]*")
FACTOR = re.compile(r"\bC\(\s*(?:`([^`]+)`|([^\W\d]\w*))")


def response_of(said: dict[str, Any]) -> list[str]:
    """The columns that are no part of the design."""
    return [said["formula"].partition("~")[0].strip(" `"), *roles_of(said).values()]


def roles_of(said: dict[str, Any]) -> dict[str, str]:
    """The columns that options name, by the option."""
    return {role: said[role] for role in ROLES if said.get(role) is not None}


def reading_of_formula(said: dict[str, Any], reading: dict[str, Any]) -> dict[str, Any]:
    """What to tell the reader, so that it gives the columns of the formula and of the options.

    The response is its label, where it is a column and no part of anything else.
    """
    from novikoff.regression.formula import REST, parts_of, words_of

    left, right, effects = parts_of(said["formula"])
    roles = roles_of(said)
    words = words_of(right) | set(roles.values()) | {g for effect in effects for g in effect}
    is_column = PLAIN.fullmatch(left) is not None and left.strip("`") not in words
    told = {**reading, "levels": "all", "label": False}
    if is_column and (words or REST.search(right)):
        told["label"] = left.strip("`")
    else:
        words |= words_of(left)
    told["categorical"] = tuple(
        {*reading.get("categorical", ()), *factors_of(said["formula"], said)}
    )
    if REST.search(right):
        told["keep"] = (*reading.get("keep", ()), *roles.values())
    else:
        told["among"] = tuple(sorted(words))
    return {key: value for key, value in told.items() if value not in ((), None)}


def factors_of(formula: str | Design, said: dict[str, Any]) -> set[str]:
    """The columns that a formula calls factors, and those whose values are names."""
    from novikoff.regression.formula import parts_of

    names = {column for role, column in roles_of(said).items() if role in LABELS}
    if not isinstance(formula, str):
        return names | formula.factors
    _, right, effects = parts_of(formula)
    called = {a or b for a, b in FACTOR.findall(right)} | {g for effect in effects for g in effect}
    return called | names


def formula_given(read: Data, formula: str | Design, said: dict[str, Any]) -> Given:
    """The model of a formula, or of the design that a proof has of one, on the columns read."""
    from novikoff.certificates.derivation import Derivation
    from novikoff.inputs import reads_decimals
    from novikoff.regression.asked import read_given
    from novikoff.regression.formula import read_formula
    from novikoff.regression.models import check_options, proven_as, read_model

    name = read_model(said["model"])
    options = {key: said.get(key) for key in (*ROLES, *CHOICES)}
    options |= {"y": said.get("y"), "fit_intercept": None, "offset": None}
    check_options(name, options, all_there=False)
    frame = frame_of(read, factors_of(formula, said))
    X, options = read_formula(formula, frame, proven_as(name), options)
    check_options(name, options)
    notes = list(read.without_notes_on(read.encoding).remarks)  # the model says which are levels
    given = read_given(
        X, name, options, "error", said["model"], notes=notes, numbers=read.row_numbers,
        decimal=reads_decimals(said.get("numbers")),
    )  # fmt: skip
    left, design = given.described or ("", None)
    own: dict[str, str] = {"y": left or said["y"]} if left or said.get("y") else {}
    derivation = Derivation(
        said["model"], roles_of(said) | own,
        choices={key: said[key] for key in CHOICES if said.get(key) is not None}, design=design,
    )  # fmt: skip
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
        name = column if read.told.get("header", True) else f"x{column}"
        levels = read.encoding.get(name)
        part = matrix[:, at : at + (1 if levels is None else len(levels))]
        at += part.shape[1]
        if levels is None:
            columns[name] = np.ravel(part.toarray() if hasattr(part, "toarray") else part)
            continue
        codes = np.ravel(part @ np.arange(len(levels))).astype(np.int64)
        columns[name] = as_labels(codes, levels, name in factors)
    if read.y is not None and read.label is not None:
        columns[read.label] = read.y.astype(object) if read.y.dtype.kind == "U" else read.y
    return pandas.DataFrame(columns)


def as_labels(codes: np.ndarray, levels: Sequence[str], may_be_numbers: bool = True) -> Any:
    """A column of levels: numbers or texts, by the rule for labels."""
    from novikoff.io.labels import Coded, kind_of, labels_of

    kind = kind_of(levels) if may_be_numbers else "text"
    found = labels_of(Coded(codes, list(levels)), kind, "")
    return found.astype(object) if kind == "text" else found
