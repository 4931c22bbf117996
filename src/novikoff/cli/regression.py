"""`novikoff certify --model`: the columns of a file as the response and the X of a regression.

The file is read once, with its label; the other columns of the response are taken out of X.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import click

from novikoff.cli.data import load_data
from novikoff.cli.formula import (
    CHOICES,
    ROLES,
    FileColumns,
    columns_of_formula,
    factors_of,
    reading_of_formula,
)
from novikoff.cli.option import Listed, option
from novikoff.cli.question import Question
from novikoff.cli.streams import waiting
from novikoff.errors import InputError
from novikoff.regression.models import ModelName
from novikoff.wording import first_few

if TYPE_CHECKING:
    from novikoff.certificates.derivation import Derivation, Design
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
        numbers, left = asked.numbers, []
    else:
        reading = reading_of_formula(made, formula, asked.reading)
        numbers = "binary64"  # in which formulas compute
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


def model_data(
    read: Data, made: Derivation, formula: str | Design | None, decimal: bool = False
) -> ModelData:
    """The model of the columns that were read, or of a formula on them.

    decimal : whether floats are read as the decimals that print them
    """
    from novikoff.regression.models import read_model
    from novikoff.regression.question import RegressionQuestion

    names: list[str] = []
    if formula is None:
        X, options, names = _columns(read, made)
        notes = read.remarks
    else:
        X, options = columns_of_formula(read, made, formula)
        notes = read.without_notes_on(read.encoding).remarks  # the model says which are levels
    given = RegressionQuestion(
        X, read_model(made.model), made.model, options, notes=list(notes), names=names or None,
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

    name, columns = read_model(made.model), FileColumns(read)
    options: dict[str, Any] = {made.label or "y": read.y}
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
    options |= made.choices
    if MODELS[name].has("fit_intercept"):
        options["fit_intercept"] = made.intercept
    X = columns.table.named(tuple(columns.names)).take_columns(left) if left else None
    return X, options, [columns.names[j] for j in left]


def data_of_proof(
    certificate: Any, data: str, reading: dict[str, Any], cache: str | None, quiet: bool
) -> ModelData:
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
        given = model_data(read, made, None)
    else:
        given = model_data(read, made, made.design, certificate.stamp.numbers == "decimal")
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
