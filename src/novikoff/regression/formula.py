"""Formulas, such as "y ~ x1 + C(firm)", through formulaic: its columns, by its names.

What is left of ~ is the response: the name of a column, taken as it is, or an expression that is
one number a row. A formula has its own constant, so none is added; where a model has none, such as
a Cox model, the formula's is taken out, and text columns keep their reference level. What stands
right of | are fixed effects, as fixest writes them: a column of 0s and 1s for each level but one.
A design that the grammar of proofs has (terms.py) is built by it; others are formulaic's, and a
proof has none.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certificates.derivation import Design, Levels
from novikoff.certificates.model import WITH_CONSTANT
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.inputs.frames import as_frame, index_of
from novikoff.regression.columns import (
    FrameColumns,
    check_one_type,
    column_of,
    joined,
    with_columns,
)
from novikoff.regression.terms import design_of, level_text, table_of
from novikoff.wording import was_given

CONSTANT = "Intercept"
DENSE_FROM = 4
NAME = r"`([^`]+)`|([^\W\d][\w.]*)"
EFFECT = re.compile(rf"(?:{NAME})(?:\s*\^\s*(?:{NAME}))*")  # g, or g^h for their combinations
WORD = rf"{NAME}\b(?!\s*(?:\(|=[^=]))|'([^']+)'|\"([^\"]+)\""  # no function, no keyword
REST = re.compile(r"(?<![\w.)\]`])\.(?![\w.`])")  # R's dot: every other column


class FormulaColumns(FrameColumns):
    """What is right of ~, ready to be a design table of some rows of the data.

    spec : formulaic's; None where the design is given
    constant : whether the formula's constant stays
    response : the column left of ~, "" where nothing is; None where a proof cannot name it
    """

    def __init__(self, data: Any, index: Any, constant: bool) -> None:
        super().__init__(as_frame(data))
        self.formula, self.spec, self.index, self.constant = "", None, index, constant
        self.notes: list[str] = []
        self.response: str | None = ""

    def set_frame(self, frame: Any) -> None:
        super().set_frame(as_frame(_pandas(frame)))

    @property
    def described(self) -> tuple[str, Design] | None:
        """The response and the design, where the grammar of proofs has both."""
        if self.design is None or self.response is None:
            return None
        return self.response, self.design

    def table(self, kept: np.ndarray, _full: bool = False) -> tuple[Table | None, list[Levels]]:
        """The design table of some rows, and the texts in it that nobody calls a factor.

        Levels that none of the rows has make no column. The table is built by the grammar of
        proofs, unless formulaic makes another than that.
        """
        part = self.frame.to_native().iloc[kept]
        levels = [name for name in part.columns if hasattr(part[name].dtype, "categories")]
        if self.design is None and levels:
            part = part.assign(**{k: part[k].cat.remove_unused_categories() for k in levels})
        columns = {str(name): part[name] for name in part.columns}
        if self.design is not None:
            return table_of(self.design, columns, len(part)), []
        made, factors, self.spec = _matrix(self.spec, part, self.formula)
        design, names = design_of(self.spec, columns), list(getattr(made, "names", None) or ())
        if made is not None and not self.constant:
            if CONSTANT in names:
                left = [j for j, name in enumerate(names) if name != CONSTANT]
                made = made.take_columns(left) if left else None
            if design is not None and made is not None:
                design = Design(tuple(term for term in design.terms if term))
        if design is None or made is None:
            self.design = design
            return made, factors
        with suppress(InputError):
            built = table_of(design, columns, made.n_rows)
            if built is not None and built.n_columns == made.n_columns:
                rounding = abs(built.matrix - made.matrix) - 1e-9 * abs(built.matrix)
                if rounding.max() <= 0:  # of powers, which decides nothing
                    self.design = design
                    return replace(built, names=made.names), factors
        return made, factors


def read_formula(
    formula: str | Design, data: Any, name: str, options: dict[str, Any]
) -> tuple[FormulaColumns, dict[str, Any]]:
    """The design table to be made, and the options with the columns that they name."""
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
    left, right, effects = ("", "", []) if isinstance(formula, Design) else parts_of(formula)
    if left and options.get("y") is not None:
        raise InputError("the formula has a response, and y= is given too; give one of them.")
    table = _pandas(frame)
    columns = {str(column): table[column] for column in table.columns}
    found, named = with_columns(options, columns, len(table), "data")
    constant = name in WITH_CONSTANT
    found["fit_intercept"] = False if constant else None
    made = FormulaColumns(table, index_of(data), constant)
    if isinstance(formula, Design):
        made.design, made.names = formula, sorted(formula.columns)
        for part in made.names:
            column_of(part, "formula", columns, "data")
        return made, found
    response = left.strip("`")
    made.response = response if response in columns or not left else None
    taken = {*named, *words_of(left)}
    right = _without_dot(right, [column for column in columns if column not in taken])
    used = words_of(right) | {g for effect in effects for g in effect}
    made.names = sorted(used & columns.keys())
    for effect in effects:
        several = [column_of(part, "formula", columns, "data") for part in effect]
        both = "^".join(effect)
        if len(effect) > 1:
            table = table.assign(**{both: joined(several)})
            made.set_frame(as_frame(table))
            made.response = None
        right += f" + C({both})" if both.isidentifier() else f" + C(`{both}`)"
    for part in made.names:
        check_one_type(part, columns[part].to_numpy(), "data")
    made.formula, made.spec = formula, _spec(right)
    if effects:
        listed = ", ".join(repr("^".join(effect)) for effect in effects)
        made.notes.append(f"columns of 0s and 1s are made of the fixed effects after |: {listed}")
    if left:
        found["y"] = columns[response] if response in columns else _expression(left, table)
    return made, found


def parts_of(formula: str) -> tuple[str, str, list[list[str]]]:
    """What is left of ~, what is right of it, and the fixed effects after |: each a list of one
    column, or of several whose combinations are its levels."""
    left, _, right = formula.rpartition("~")
    if "~" in left:
        raise InputError(
            f"the formula {formula!r} has more than one ~; instruments are not asked about here: "
            "leave them out."
        )
    if re.search(r"(?<![\w.])\([^()]*\|", right):
        raise InputError(
            f"the formula {formula!r} has a random effect; leave it out, since for any given "
            "variance of it the answer is that of the model without it, or write it after | as a "
            "fixed effect: y ~ x | g."
        )
    right, *more = re.split(r"\|(?![^()]*\))", right)
    effects = []
    for term in "+".join(more).split("+") if more else ():
        if term.strip() in ("", "0", "1"):
            continue
        if EFFECT.fullmatch(term.strip()) is None:
            raise InputError(
                f"the formula {formula!r} has {term.strip()!r} after |; a fixed effect is a column "
                "such as g, or g^h for the combinations of two."
            )
        effects.append([a or b for a, b in re.findall(NAME, term)])
    return left.strip(), right, effects


def words_of(text: str) -> set[str]:
    """The words of a formula that may be columns: names, also in backquotes or quotes."""
    words = re.findall(WORD, text)
    return {word for several in words for word in several if word}


def _without_dot(right: str, others: list[str]) -> str:
    """The formula with R's dot written out: every column that has no other part."""
    if not REST.search(right):
        return right
    if not others:
        raise InputError(f"the formula {right.strip()!r} has a dot, and no column is left for it.")
    return REST.sub("(" + " + ".join(f"`{name}`" for name in others) + ")", right)


def _spec(right: str) -> Any:
    try:
        import formulaic
    except ImportError:
        raise InputError(
            "formulas need formulaic: pip install 'novikoff[formula]', or give X and y."
        ) from None
    try:
        return formulaic.Formula(right.strip() or "1")
    except Exception as error:
        raise InputError(_cannot(right.strip(), "read", error)) from None


def _expression(left: str, table: Any) -> Any:
    """A response that is computed: one number a row."""
    matrix, *_ = _matrix(_spec(f"0 + {left}"), table, left)
    if matrix is None or matrix.n_columns != 1:
        raise InputError(
            f"the response {left!r} of the formula is not one number a row; name a column instead."
        )
    return matrix.dense_rows(slice(None))[:, 0]


def _matrix(spec: Any, table: Any, formula: str) -> tuple[Table | None, list[Levels], Any]:
    """The design matrix that formulaic makes, None where it has no columns, and how it did."""
    try:
        with np.errstate(all="ignore"):  # an infinity is told below, with its row
            made = spec.get_model_matrix(table, output="sparse", na_action="ignore")
    except Exception as error:
        raise InputError(_cannot(formula, "evaluated", error)) from None
    names = list(made.model_spec.column_names)
    if not names:
        return None, [], made.model_spec
    factors = []
    for name, (kind, state) in made.model_spec.encoder_state.items():
        if name in table.columns and kind.value == "categorical":
            is_reduced = any(column.startswith(f"{name}[T.") for column in names)
            levels = tuple(map(level_text, state["categories"]))
            factors.append(Levels(name, levels, levels[0] if is_reduced else None))
    found = read_table(made, "the formula")
    matrix = found.matrix
    if matrix.nnz * DENSE_FROM > matrix.shape[0] * matrix.shape[1]:
        matrix = np.ascontiguousarray(matrix.toarray(), dtype=np.float64)
    return Table(matrix, tuple(map(str, names)), "binary64"), factors, made.model_spec


def _pandas(frame: Any) -> Any:
    return frame.to_pandas().reset_index(drop=True)


def _cannot(formula: str, what: str, error: Exception) -> str:
    why = next(iter(str(error).strip().splitlines()), type(error).__name__)
    return f"the formula {formula!r} cannot be {what}: {why}"
