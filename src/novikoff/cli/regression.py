"""`novikoff certify --model`: the columns of a file as the response and the X of a regression.

The file is read once, with its label; the other columns of the response are taken out of X. With
--formula the columns that it names come from the same reader, as the nearest floats, in which
formulas compute. A column that the formula calls a factor, C(zip) or one after |, is read as it is
written: its levels are numbers where labels of a table would be, so that 02134 and 2134 are two.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import click

from novikoff.cli.data import load_data
from novikoff.cli.options import Listed, option
from novikoff.cli.question import Question
from novikoff.cli.streams import waiting
from novikoff.errors import CertificateError, InputError
from novikoff.regression.models import ModelName
from novikoff.wording import first_few

if TYPE_CHECKING:
    from novikoff.certificates.derivation import Derivation, Design
    from novikoff.io.data import Data
    from novikoff.regression.model_data import ModelData
    from novikoff.regression.verdict import RegressionVerdict

LABELS = ("groups", "strata", "winner", "loser")  # columns whose numbers are names
ROLES = ("trials", "groups", "time", "event", "entry", "strata", "winner", "loser", "weights")
CHOICES = ("ties", "reference", "positive", "order")  # of a model, beside its columns
PLAIN = re.compile(r"`[^`]+`|[^\W\d][\w.]*")
FACTOR = re.compile(r"\bC\(\s*(?:`([^`]+)`|([^\W\d]\w*))")


def _of(models: tuple[str, ...], name: str, what: str) -> Any:
    return option(f"--{name}", metavar="COL", only={"model": models}, help=what, of_files=True)


MODEL_OPTIONS = [
    option("--model", type=click.Choice(get_args(ModelName)), of_files=True,
           help="Ask whether this regression has a finite estimate."),
    option("--formula", metavar="TEXT", needs=("model",), of_files=True,
           without=("label", "classes", "zero_based", "bits", "cache", "intercept"),
           help='Its columns, such as "y ~ x + C(firm)" (needs formulaic).'),
    _of(("binomial", "log-binomial"), "trials", "Trials, of which the label is the successes."),
    _of(("conditional",), "groups", "The set of a row."),
    _of(("cox",), "time", "When the event was, or the censoring."),
    _of(("cox",), "event", "1 for an event, 0 for censoring, or --positive; else all are events."),
    _of(("cox",), "entry", "After which time a row is at risk."),
    _of(("cox",), "strata", "The stratum of a row."),
    option("--ties", type=click.Choice(["efron", "breslow", "exact"]), only={"model": ("cox",)},
           of_files=True, help="How tied events are compared."),
    _of(("bradley-terry",), "winner", "Who won."),
    _of(("bradley-terry",), "loser", "Who lost."),
    option("--reference", metavar="CLASS", only={"model": ("multinomial", "bradley-terry")},
           of_files=True, help="The class or player of coefficient 0; else the first."),
    option("--order", type=Listed(), metavar="CLASSES", only={"model": ("ordinal",)}, of_files=True,
           help="The classes of the label, lowest first: low,medium,high."),
    option("--weights", metavar="COL", needs=("model",), of_files=True,
           help="A weight of 0 deletes a row; others change only --limit."),
]  # fmt: skip


def regression_of(model: str, asked: Question, options: dict[str, Any]) -> Derivation:
    """The regression that the options of a command describe, as a proof would."""
    from novikoff.certificates.derivation import Derivation
    from novikoff.regression.models import MODELS, read_model

    given = {name: value for name, value in options.items() if value is not None}
    if asked.positive is not None:
        if not MODELS[read_model(model)].has("positive"):
            raise click.UsageError(f"--positive does not go with --model {model}.")
        given["positive"] = asked.positive
    return Derivation(
        model,
        {role: given[role] for role in ROLES if role in given},
        intercept=asked.intercept is not False,
        choices={name: given[name] for name in CHOICES if name in given},
    )


def certify_model(made: Derivation, formula: str | None, asked: Question) -> RegressionVerdict:
    """Read the file, and decide."""
    from novikoff.conventions import read_seed, seconds
    from novikoff.regression.verdict import RegressionVerdict

    numbers, left = asked.numbers, []
    if formula is None:
        made, reading = _as_columns(made, asked.reading)
    else:
        reading, numbers = _reading_of_formula(made, formula, asked.reading), "binary64"
        left = [formula.partition("~")[0].strip(" `")]
    response = [*left, *made.columns.values()]
    read, _ = load_data(
        asked.data, reading, numbers, asked.cache, quiet=asked.quiet, response=response
    )
    given = model_data(read, made, formula, formula is not None and asked.numbers == "decimal")
    with waiting(f"certifying {asked.data}", asked.quiet):
        return RegressionVerdict.of(given, seconds(asked.time_limit), read_seed(asked.seed))


def _as_columns(made: Derivation, reading: dict[str, Any]) -> tuple[Derivation, dict[str, Any]]:
    """The regression, and the reading that gives its columns: one of them may be the label."""
    from novikoff.regression.models import MODELS, read_model

    model, columns = made.model, dict(made.columns)
    kind = MODELS[read_model(model)]
    for role in kind.needed:
        if role != "y" and role not in columns:
            raise click.UsageError(f"--model {model} needs --{role}.")
    if not made.intercept and not kind.has("fit_intercept"):
        raise click.UsageError(f"--no-intercept does not go with --model {model}.")
    if kind.label != "y":
        if "classes" in reading:
            raise click.UsageError(f"--classes does not go with --model {model}.")
        drawn = reading.get("label")
        if drawn is not None and not kind.has("y"):
            raise click.UsageError("--label does not go with --model cox; --time is its response.")
        reading = {**reading, "label": columns.pop(kind.label)}
        if drawn is not None:
            columns["y"] = drawn
        made = replace(made, columns=columns, label=kind.label)
    levels = (*reading.get("categorical", ()), *_factors_of(made, None))
    more = {
        "keep": (*reading.get("keep", ()), *columns.values()),
        "categorical": tuple(dict.fromkeys(levels)),
    }
    return made, {**reading, **{key: value for key, value in more.items() if value}}


def _reading_of_formula(made: Derivation, formula: str, reading: dict[str, Any]) -> dict[str, Any]:
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
    options["categorical"] = tuple({*reading.get("categorical", ()), *_factors_of(made, formula)})
    if REST.search(right):
        options["keep"] = (*reading.get("keep", ()), *columns)
    else:
        options["among"] = tuple(sorted(words))
    return {key: value for key, value in options.items() if value not in ((), None)}


def _factors_of(made: Derivation, formula: str | Design | None) -> set[str]:
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


def model_data(
    read: Data, made: Derivation, formula: str | Design | None, decimal: bool = False
) -> ModelData:
    """The model of the columns that were read, or of a formula (a proof has its design) on them.

    decimal : whether floats are read as the decimals that print them
    """
    from novikoff.regression.models import read_model
    from novikoff.regression.question import RegressionQuestion

    name = read_model(made.model)
    if formula is None:
        X, options, names = _columns(read, made)
        notes = read.remarks
    else:
        X, options = _columns_of_formula(read, made, formula)
        names, notes = [], read.without_notes_on(read.encoding).remarks  # the model names levels
    given = RegressionQuestion(
        X, name, made.model, options, notes=list(notes), names=names or None,
        numbers=read.row_numbers, decimal=decimal,
    ).data()  # fmt: skip
    if formula is not None:
        left, design = given.described or ("", None)
        own = {"y": left} if left else {}
        made = replace(made, columns={**made.columns, **own}, design=design)
    return replace(given, reading=read.origin, derivation=made)


def _columns(read: Data, made: Derivation) -> tuple[Any, dict[str, Any], list[str]]:
    """The X of a regression, its options with their columns, and the names of X."""
    from novikoff.regression.models import MODELS, read_model

    columns = FileColumns(read)
    options: dict[str, Any] = {made.label or "y": read.y, **made.choices}
    if MODELS[read_model(made.model)].has("fit_intercept"):
        options["fit_intercept"] = made.intercept
    taken: set[int] = set()
    for role, column in made.columns.items():
        try:
            options[role], indices = columns.column(column)
        except KeyError:
            there = first_few(columns.names)
            raise InputError(
                f"--{role} {column}: there is no such column; there are {there}."
            ) from None
        taken |= set(indices)
    left = [j for j in range(len(columns.names)) if j not in taken]
    X = columns.table.named(tuple(columns.names)).take_columns(left) if left else None
    return X, options, [columns.names[j] for j in left]


def _columns_of_formula(
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
    options: dict[str, Any] = dict.fromkeys((*ROLES, "y", *CHOICES, "fit_intercept", "offset"))
    options |= {**made.columns, **made.choices}
    columns, factors = FileColumns(read), _factors_of(made, formula)
    is_named = read.options.get("header", True)
    named = [column if is_named else f"x{column}" for column in read.reading["columns"]]
    table = {column: columns.column(column, column in factors)[0] for column in named}
    if read.y is not None and read.label is not None:
        table[read.label] = read.y.astype(object) if read.y.dtype.kind == "U" else read.y
    name = proven_as(read_model(made.model))
    return read_formula(formula, pandas.DataFrame(table), name, options)


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
        own = [f"{name}={level}" for level in levels]
        places = {k: self.index[one] for k, one in enumerate(own) if one in self.index}
        indices = list(places.values())
        codes = np.ravel(table.matrix[:, indices] @ np.array(list(places), dtype=float))
        kind = kind_of(levels) if may_be_numbers else "text"
        found = labels_of(Coded(codes.astype(np.int64), levels), kind, "")
        return (found.astype(object) if kind == "text" else found), indices


def data_of_proof(
    certificate: Any, data: str, reading: dict[str, Any], cache: str | None, quiet: bool
) -> ModelData:
    """The model of a proof, derived from its file as the proof says it was."""
    made = certificate.stamp.derivation
    if made is None or made.design is None:
        why = "the proof is of a formula whose design cannot be rebuilt"
        if made is None:
            why = "the proof does not say how its table was made from a file"
        raise CertificateError(
            f"{why}; check its rows, which novikoff certify … --rows ROWS writes, with "
            "python checker.py PROOF ROWS, or with certificate.verify(table)."
        )
    read, _ = load_data(data, reading, None, cache, quiet=quiet, response=made.columns.values())
    is_formula = not isinstance(made.design, str)
    design = made.design if is_formula else None
    given = model_data(read, made, design, is_formula and certificate.stamp.numbers == "decimal")
    if given.model != certificate.model:
        raise CertificateError(
            f"the proof speaks of another {certificate.model.name} model than its derivation makes."
        )
    return given


def write_model_rows(path: str, given: ModelData) -> int:
    """Write the design table with its response columns, as a proof is about it."""
    from novikoff.io.writing import write_exact_table

    names = [*given.design_names, *given.response]
    return write_exact_table(path, given.called, given.whole(), names)
