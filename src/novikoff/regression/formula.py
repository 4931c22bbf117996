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
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.certificates.derivation import Design, Levels
from novikoff.certificates.model import WITH_CONSTANT
from novikoff.errors import InputError
from novikoff.inputs import Table, read_table
from novikoff.inputs.frames import as_frame, index_of
from novikoff.regression.missing import kept_rows, missing_in
from novikoff.regression.named import column_of, joined, with_columns
from novikoff.regression.terms import design_of, level_text, table_of
from novikoff.wording import keyword, was_given

CONSTANT = "Intercept"
DENSE_FROM = 4
NAME = r"`([^`]+)`|([^\W\d][\w.]*)"
EFFECT = re.compile(rf"(?:{NAME})(?:\s*\^\s*(?:{NAME}))*")  # g, or g^h for their combinations
WORD = rf"{NAME}\b(?!\s*(?:\(|=[^=]))|'([^']+)'|\"([^\"]+)\""  # no function, no keyword
REST = re.compile(r"(?<![\w.)\]`])\.(?![\w.`])")  # R's dot: every other column
IN_R = {  # what R's users write, and what is written here, with the arguments that it names
    "Surv": ("give {} and {}, and let the formula start with ~", "time", "event"),
    "cbind": ("name the successes, and give {}", "trials"),
    "strata": ("give {}, or {} for a conditional model", "strata", "groups"),
    "cluster": ("leave it out: clusters change standard errors only",),
    "offset": ("give {}", "offset"),
    "factor": ("write C(…)",),
    "as.factor": ("write C(…)",),
}


@dataclass
class Formulated:
    """What is right of ~, ready to be a design table of some rows of the data.

    spec : formulaic's; None where the design is given
    constant : whether the formula's constant stays
    response : the column left of ~, "" where nothing is; None where an expression is
    design : known once the table is made; None where the grammar of proofs has no such design
    """

    formula: str
    spec: Any
    data: Any
    lacks: dict[str, np.ndarray]
    index: Any
    constant: bool  # whether the formula's constant stays
    notes: list[str] = field(default_factory=list)
    response: str | None = ""
    design: Design | None = None
    is_of_the_file: bool = True  # False where columns were made of several, as for g^h
    made: Any = None  # formulaic's, with the levels of the table that it made

    @property
    def described(self) -> tuple[str, Design] | None:
        """The response and the design, where the grammar of proofs has both."""
        if self.design is None or self.response is None or not self.is_of_the_file:
            return None
        return self.response, self.design

    @property
    def n_rows(self) -> int:
        return len(self.data)

    def missing(self) -> dict[str, np.ndarray]:
        """For each column that the formula names, which rows lack a value."""
        return dict(self.lacks)

    def table(self, kept: np.ndarray, _full: bool) -> tuple[Table | None, list[Levels]]:
        """The design table of some rows, and the texts in it that nobody calls a factor.

        Levels that none of the rows has make no column.
        """
        part = self.data.iloc[kept]
        levels = [name for name in part.columns if hasattr(part[name].dtype, "categories")]
        used = {name: part[name].cat.remove_unused_categories() for name in map(str, levels)}
        part = part.assign(**used) if used else part
        columns = {str(name): part[name] for name in part.columns}
        if self.spec is None and self.design is not None:
            return table_of(self.design, columns, len(part)), []
        found, factors, spec = _matrix(self.spec, part, self.formula)
        self.made = spec
        if found is not None and not self.constant:
            found = _without_constant(found)
        self.design, built = _described(spec, columns, found, self.constant)
        return (found if self.design is None else built), factors

    def of_new(self, data: Any) -> Table:
        """The design table of new rows, with the levels that the data had."""
        frame = as_frame(data, "the new rows")
        if frame is None:
            raise InputError(
                f"the new rows are of type {type(data).__name__}; they must be a DataFrame."
            )
        part = _pandas(frame)
        for name in self.lacks:
            if name not in part.columns:
                raise InputError(f"the new rows have no column {name!r}.")
        kept_rows({name: missing_in(part[name].to_numpy()) for name in self.lacks}, "error")
        if self.design is not None:
            table = table_of(self.design, {str(name): part[name] for name in part}, len(part))
        else:
            table, _, _ = _matrix(self.made, part, self.formula)
            table = table if table is None or self.constant else _without_constant(table)
        if table is None:
            raise InputError("the formula has no columns.")
        return table


def _described(
    spec: Any, columns: dict[str, Any], made: Table | None, constant: bool
) -> tuple[Design | None, Table | None]:
    """The design in the grammar of proofs and its table; None where formulaic makes another."""
    design = design_of(spec, columns)
    if design is None or made is None:
        return design, None
    if not constant:
        design = Design(tuple(term for term in design.terms if term))
    try:
        built = table_of(design, columns, made.n_rows)
    except InputError:
        return None, None
    if built is None or built.n_columns != made.n_columns or not _agree(built, made):
        return None, None
    return design, replace(built, names=made.names)


def _agree(one: Table, other: Table) -> bool:
    """Whether two tables are the same but for the rounding of powers, which decides nothing."""
    return bool((abs(one.matrix - other.matrix) - 1e-9 * abs(one.matrix)).max() <= 0)


def read_formula(
    formula: str | Design, data: Any, name: str, options: dict[str, Any]
) -> tuple[Formulated, dict[str, Any]]:
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
    found, _ = with_columns(options, columns, len(table), "data")
    constant = name in WITH_CONSTANT
    found["fit_intercept"] = False if constant else None
    made = Formulated("", None, table, {}, index_of(data), constant)
    if isinstance(formula, Design):
        made.design, used = formula, sorted(formula.columns)
        for part in used:
            column_of(part, "formula", columns, "data")
    else:
        used = _read_right(made, formula, right, effects, columns, _taken(left, options))
    made.lacks = {part: missing_in(columns[part].to_numpy()) for part in used}
    if left:
        named = left.strip("`")
        made.response = named if named in columns else None
        found["y"] = columns[named] if named in columns else _expression(left, made.data)
    return made, found


def _read_right(
    made: Formulated, formula: str, right: str, effects: list[list[str]], columns: dict[str, Any],
    taken: set[str],
) -> list[str]:  # fmt: skip
    """What a formula has right of ~; the columns that it uses."""
    right = _without_dot(right, [name for name in columns if name not in taken])
    used = sorted((words_of(right) | {g for effect in effects for g in effect}) & columns.keys())
    for effect in effects:
        several = [column_of(part, "formula", columns, "data") for part in effect]
        both = "^".join(effect)
        if len(effect) > 1:
            made.data = made.data.assign(**{both: joined(several)})
            made.is_of_the_file = False
        right += f" + C({both})" if both.isidentifier() else f" + C(`{both}`)"
    for part in used:
        _check_one_type(part, columns[part])
    made.formula, made.spec = formula, _spec(right)
    if effects:
        listed = ", ".join(repr("^".join(effect)) for effect in effects)
        made.notes.append(f"columns of 0s and 1s are made of the fixed effects after |: {listed}")
    return used


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


def _check_one_type(name: str, column: Any) -> None:
    """Raise where a column has texts beside other values, which would be levels side by side."""
    if column.dtype != object:
        return
    values = column.to_numpy()
    kinds = sorted({type(value).__name__ for value in values[~missing_in(values)].tolist()})
    if "str" in kinds and len(kinds) > 1:
        raise InputError(
            f"column {name!r} of data mixes values of types {' and '.join(kinds)}; give them one."
        )


def _formulaic() -> Any:
    try:
        import formulaic
    except ImportError:
        raise InputError(
            "formulas need formulaic: pip install 'novikoff[formula]', or give X and y."
        ) from None
    return formulaic


def _taken(left: str, options: dict[str, Any]) -> set[str]:
    """The columns that are the response, or that options name."""
    words = re.findall(r"`([^`]*)`|([A-Za-z_]\w*)", left)
    named = {word for pair in words for word in pair if word}
    for value in options.values():
        several = value if isinstance(value, (list, tuple)) else [value]
        named |= {one for one in several if isinstance(one, str)}
    return named


def _without_dot(right: str, others: list[str]) -> str:
    """The formula with R's dot written out: every column that has no other part."""
    if not REST.search(right):
        return right
    if not others:
        raise InputError(f"the formula {right.strip()!r} has a dot, and no column is left for it.")
    return REST.sub("(" + " + ".join(f"`{name}`" for name in others) + ")", right)


def _spec(right: str) -> Any:
    formulaic = _formulaic()
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


def _without_constant(table: Table) -> Table | None:
    names = list(table.names or ())
    if CONSTANT not in names:
        return table
    left = [j for j, name in enumerate(names) if name != CONSTANT]
    if not left:
        return None
    return table.take_columns(left)


def _pandas(frame: Any) -> Any:
    return frame.to_pandas().reset_index(drop=True)


def _cannot(formula: str, what: str, error: Exception) -> str:
    """Why a formula is refused; for what is a function of R, what to write instead."""
    called = re.findall(r"([A-Za-z_][\w.]*)\(", formula)
    in_r = next((name for name in called if name in IN_R), None)
    if in_r is not None:
        text, *names = IN_R[in_r]
        instead = text.format(*map(keyword, names))
        return f"the formula {formula!r} has {in_r}(), which R knows; here {instead}."
    text_lines = str(error).strip().splitlines()
    why = text_lines[0] if text_lines else type(error).__name__
    return f"the formula {formula!r} cannot be {what}: {why}"
