"""`novikoff certify --model`: the columns of a file as the response and the X of a regression.

The file is read once, with its label; the other columns of the response are taken out of X.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import click

from novikoff.cli.data import load_data
from novikoff.cli.formula import (
    CHOICES,
    ROLES,
    data_of_formula,
    factors_of,
    levels_as_labels,
    reading_of_formula,
    response_of,
)
from novikoff.cli.option import Listed, option
from novikoff.cli.question import Question
from novikoff.cli.streams import waiting
from novikoff.errors import InputError
from novikoff.regression.models import ModelName
from novikoff.wording import first_few

if TYPE_CHECKING:
    from novikoff.certificates.derivation import Derivation
    from novikoff.io.data import Data
    from novikoff.regression.model_data import ModelData
    from novikoff.regression.verdict import RegressionVerdict


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

    if formula is None:
        made, reading = _as_columns(made, asked.reading)
        numbers = asked.numbers
    else:
        reading = reading_of_formula(made, formula, asked.reading)
        numbers = "binary64"  # in which formulas compute
    response = response_of(made, formula)
    read, _ = load_data(
        asked.data, reading, numbers, asked.cache, quiet=asked.quiet, response=response
    )
    if formula is None:
        given = data_of_columns(read, made)
    else:
        given = data_of_formula(read, made, formula, asked.numbers == "decimal")
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
    label = kind.label
    if label != "y":
        if "classes" in reading:
            raise click.UsageError(f"--classes does not go with --model {model}.")
        drawn = reading.get("label")
        if drawn is not None and not kind.has("y"):
            raise click.UsageError("--label does not go with --model cox; --time is its response.")
        reading = {**reading, "label": columns.pop(label)}
        if drawn is not None:
            columns["y"] = drawn
        made = replace(made, columns=columns, label=label)
    levels = (*reading.get("categorical", ()), *factors_of(made, None))
    more = {
        "keep": (*reading.get("keep", ()), *columns.values()),
        "categorical": tuple(dict.fromkeys(levels)),
    }
    return made, {**reading, **{key: value for key, value in more.items() if value}}


def data_of_columns(read: Data, made: Derivation) -> ModelData:
    """The model of the columns that were read."""
    from novikoff.inputs import read_table
    from novikoff.regression.models import MODELS, check_options, read_model
    from novikoff.regression.question import RegressionQuestion

    name = read_model(made.model)
    table = read_table(read.X)
    names = list(read.names or [table.column_name(j) for j in range(table.n_columns)])
    options: dict[str, Any] = {made.label or "y": read.y}
    taken: set[int] = set()
    for role, column in made.columns.items():
        options[role], indices = _column(table, names, read.encoding.get(column), column, role)
        taken |= indices
    left = [j for j in range(len(names)) if j not in taken]
    options |= made.choices
    if MODELS[name].has("fit_intercept"):
        options["fit_intercept"] = made.intercept
    check_options(name, options, made.model)
    X = table.named(tuple(names)).take_columns(left) if left else None
    given = RegressionQuestion(
        X, name, made.model, options, notes=list(read.remarks),
        names=[names[j] for j in left] or None, numbers=read.row_numbers,
    ).data()  # fmt: skip
    return replace(given, reading=read.origin, derivation=made)


def _column(
    table: Any, names: list[str], levels: Sequence[str] | None, column: str, role: str
) -> tuple[Any, set[int]]:
    """A column of the response out of X, and the indices that it had there."""
    import numpy as np

    if levels is not None:
        codes = np.zeros(table.n_rows, dtype=np.int64)
        indices = set()
        for k, level in enumerate(levels):
            if f"{column}={level}" in names:
                j = names.index(f"{column}={level}")
                indices.add(j)
                codes[_numbers(table, j) != 0] = k
        return levels_as_labels(codes, levels), indices
    if column not in names:
        there = first_few(names)
        raise InputError(f"--{role} {column}: there is no such column; there are {there}.")
    j = names.index(column)
    if table.exact is not None:
        return table.exact[:, j], {j}
    return _numbers(table, j), {j}


def _numbers(table: Any, j: int) -> Any:
    part = table.matrix[:, [j]]
    return (part.toarray() if table.is_sparse else part).ravel()


def data_of_proof(certificate: Any, data: str, reading: dict[str, Any], cache: str | None,
                quiet: bool) -> ModelData:  # fmt: skip
    """The model of a proof, derived from its file as the proof says it was."""
    from novikoff.errors import CertificateError

    made = certificate.stamp.derivation
    if made is None or made.design is None:
        why = (
            "the proof does not say how its table was made from a file"
            if made is None
            else "the proof is of a formula whose design cannot be rebuilt"
        )
        raise CertificateError(
            f"{why}; check its rows, which novikoff certify … --rows ROWS writes, with "
            "python checker.py PROOF ROWS, or with certificate.verify(table)."
        )
    response = made.columns.values()
    read, _ = load_data(data, reading, None, cache, quiet=quiet, response=response)
    if isinstance(made.design, str):
        given = data_of_columns(read, made)
    else:
        is_decimal = certificate.stamp.numbers == "decimal"
        given = data_of_formula(read, made, made.design, is_decimal)
    if given.model != certificate.model:
        raise CertificateError(
            f"the proof speaks of another {certificate.model.name} model than its derivation makes."
        )
    return given


def response_columns(given: ModelData) -> dict[str, str]:
    """The columns of the file that have a role in the response, by their role."""
    made = given.derivation
    if made is None:
        return {}
    label = None if given.reading is None else given.reading.options.get("label")
    own = {} if label is None else {made.label or "y": str(label)}
    return own | dict(made.columns)


def write_model_rows(path: str, given: ModelData) -> int:
    """Write the design table with its response columns, as a proof is about it."""
    from novikoff.io.writing import write_exact_table

    names = [*given.design_names, *given.response]
    return write_exact_table(path, given.called, given.whole(), names)
