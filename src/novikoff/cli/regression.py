"""`novikoff certify --model`: the columns of a file as the response and the X of a regression.

The file is read once, with its label; the other columns of the response are taken out of X.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.data import decorated, load_data
from novikoff.cli.formula import (
    CHOICES,
    LABELS,
    ROLES,
    as_labels,
    formula_given,
    reading_of_formula,
    response_of,
)
from novikoff.cli.option import Listed, option
from novikoff.cli.progress import waiting
from novikoff.errors import InputError

if TYPE_CHECKING:
    from novikoff.io.data import Data
    from novikoff.regression.given import Given
    from novikoff.regression.verdict import RegressionVerdict

MODELS = ("logistic", "logit", "probit", "cloglog", "cauchit", "binomial", "poisson", "ppml",
          "negative-binomial", "log-binomial", "multinomial", "ordinal", "conditional", "cox",
          "bradley-terry")  # fmt: skip
OWN_LABEL = {"cox": "time", "bradley-terry": "winner"}  # the column that is read as the label


def _of(models: tuple[str, ...], name: str, what: str) -> Any:
    return option(f"--{name}", metavar="COL", only={"model": models}, help=what, of_files=True)


MODEL_OPTIONS = [
    option("--model", type=click.Choice(MODELS), without=("dask",), of_files=True,
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
    option("--order", type=Listed("CLASSES"), only={"model": ("ordinal",)}, of_files=True,
           help="The classes of the label, lowest first: low,medium,high."),
    option("--weights", metavar="COL", needs=("model",), of_files=True,
           help="A weight of 0 deletes a row; others change nothing."),
]  # fmt: skip


def model_options(command: Any) -> Any:
    """The options of a regression."""
    return decorated(MODEL_OPTIONS)(command)


def model_of(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of a regression out of a command's."""
    names = (*ROLES, "formula", "ties", "reference", "order")
    return {name: options.pop(name) for name in names}


def certify_model(
    data: str,
    model: str,
    intercept: bool | None,
    asked: dict[str, Any],
    reading: dict[str, Any],
    numbers: str | None,
    cache: str | None,
    time_limit: float | None,
    seed: int | None,
    quiet: bool,
) -> RegressionVerdict:
    """Read the file, and decide."""
    from novikoff.conventions import read_seed, seconds
    from novikoff.regression.models import OPTIONS, read_model
    from novikoff.regression.verdict import RegressionVerdict

    said = {name: value for name, value in asked.items() if value is not None}
    if "positive" in said and "positive" not in OPTIONS[read_model(model)]:
        raise click.UsageError(f"--positive does not go with --model {model}.")
    said |= {"model": model, "intercept": intercept is not False}
    if "formula" in said:
        if numbers == "decimal":
            said["numbers"] = numbers
        told = reading_of_formula(said, reading)
        read = load_data(data, told, "binary64", None, quiet=quiet, response=response_of(said)).data
        given = formula_given(read, said["formula"], said)
    else:
        given = file_given(data, said, reading, numbers, cache, quiet)
    with waiting(f"certifying {data}", quiet):
        return RegressionVerdict.of(given, seconds(time_limit), read_seed(seed))


def file_given(
    data: str,
    said: dict[str, Any],
    reading: dict[str, Any],
    numbers: str | None,
    cache: str | None,
    quiet: bool,
) -> Given:
    """The model of what was `said`, from the columns of a file."""
    from novikoff.regression.models import NEEDED, OPTIONS, read_model

    name = read_model(said["model"])
    roles = {role: said[role] for role in ROLES if role in said}
    for role in NEEDED[name]:
        if role != "y" and role not in roles:
            raise click.UsageError(f"--model {said['model']} needs --{role}.")
    if not said["intercept"] and "fit_intercept" not in OPTIONS[name]:
        raise click.UsageError(f"--no-intercept does not go with --model {said['model']}.")
    label_role = OWN_LABEL.get(name)
    if label_role is not None:
        if "classes" in reading:
            raise click.UsageError(f"--classes does not go with --model {said['model']}.")
        if reading.get("label") is not None and name == "cox":
            raise click.UsageError("--label does not go with --model cox; --time is its response.")
        drawn = reading.get("label")
        reading = {**reading, "label": roles.pop(label_role)}
        if drawn is not None:
            roles["y"] = drawn
    kept = [*reading.get("keep", ()), *roles.values()]
    levels = [*reading.get("categorical", ())]
    levels += [column for role, column in roles.items() if role in LABELS and column not in levels]
    told = {**reading, "keep": tuple(kept), "categorical": tuple(levels)}
    told = {key: value for key, value in told.items() if value not in ((), None)}
    read = load_data(data, told, numbers, cache, quiet=quiet, response=roles.values()).data
    return given_of(read, said, roles, label_role)


def given_of(read: Data, said: dict[str, Any], roles: dict[str, str], label_role: Any) -> Given:
    """The model of the columns that were read."""
    from novikoff.certificates.derivation import Derivation
    from novikoff.inputs import read_table
    from novikoff.regression.asked import read_given
    from novikoff.regression.models import OPTIONS, check_options, read_model

    name = read_model(said["model"])
    table = read_table(read.X)
    names = list(read.names or [table.column_name(j) for j in range(table.n_columns)])
    options: dict[str, Any] = {label_role or "y": read.y}
    taken: set[int] = set()
    for role, column in roles.items():
        options[role], places = _column(table, names, read.encoding.get(column), column, role)
        taken |= places
    left = [j for j in range(len(names)) if j not in taken]
    options |= _choices(said)
    if "fit_intercept" in OPTIONS[name]:
        options["fit_intercept"] = said["intercept"]
    check_options(name, options, said["model"])
    X = _columns(table, left, names) if left else None
    given = read_given(
        X, name, options, "error", said["model"], [names[j] for j in left] or None,
        notes=list(read.remarks), numbers=read.row_numbers,
    )  # fmt: skip
    derivation = Derivation(
        said["model"], roles, label_role, said["intercept"], choices=_choices(said)
    )
    return replace(given, reading=read.origin, derivation=derivation)


def _choices(said: dict[str, Any]) -> dict[str, Any]:
    return {key: said[key] for key in CHOICES if said.get(key) is not None}


def _column(
    table: Any, names: list[str], levels: Sequence[str] | None, column: str, role: str
) -> tuple[Any, set[int]]:
    """A column of the response out of X, and the places that it had there."""
    import numpy as np

    if levels is not None:
        codes = np.zeros(table.n_rows, dtype=np.int64)
        places = set()
        for k, level in enumerate(levels):
            if f"{column}={level}" in names:
                j = names.index(f"{column}={level}")
                places.add(j)
                codes[_numbers(table, j) != 0] = k
        return as_labels(codes, levels), places
    if column not in names:
        few = ", ".join(map(repr, names[:8])) + ", …" * (len(names) > 8)
        raise InputError(f"--{role} {column}: there is no such column; there are {few}.")
    j = names.index(column)
    if table.exact is not None:
        return table.exact[:, j], {j}
    return _numbers(table, j), {j}


def _numbers(table: Any, j: int) -> Any:
    part = table.matrix[:, [j]]
    return (part.toarray() if table.is_sparse else part).ravel()


def _columns(table: Any, left: list[int], names: list[str]) -> Any:
    """Some columns of a table."""
    import numpy as np

    from novikoff.inputs import Table

    matrix = table.matrix[:, left]
    exact = None if table.exact is None else table.exact[:, left]
    if isinstance(matrix, np.ndarray):
        matrix = np.ascontiguousarray(matrix)
        if exact is not None and (exact == matrix.astype(object)).all():
            exact = None
    return Table(matrix, tuple(names[j] for j in left), table.numbers, exact)


def given_again(certificate: Any, data: str, reading: dict[str, Any], cache: str | None,
                quiet: bool) -> Given:  # fmt: skip
    """The model of a proof, derived from its file as the proof says it was."""
    from novikoff.certificates.derivation import AS_READ
    from novikoff.errors import CertificateError

    made = certificate.derivation
    if made is None or made.design is None:
        why = (
            "the proof does not say how its table was made from a file"
            if made is None
            else "the proof is of a formula whose design cannot be rebuilt"
        )
        raise CertificateError(
            f"{why}; check its rows, which novikoff certify … --rows ROWS writes, with "
            "python checker.py PROOF --rows ROWS, or with certificate.verify(table)."
        )
    said = {"model": made.model, "intercept": made.intercept, "missing": made.missing,
            **made.choices}  # fmt: skip
    if made.design == AS_READ:
        columns = dict(made.columns)
        read = load_data(data, reading, None, cache, quiet=quiet, response=columns.values()).data
        given = given_of(read, said, columns, made.label)
    else:
        if certificate.stamp.numbers == "decimal":
            said["numbers"] = "decimal"
        columns = dict(made.columns)
        read = load_data(data, reading, None, cache, quiet=quiet, response=columns.values()).data
        given = formula_given(read, made.design, said | columns)
    if given.model != certificate.model:
        raise CertificateError(
            f"the proof speaks of another {certificate.model.name} model than its derivation makes."
        )
    return given


def response_columns(given: Given) -> dict[str, str]:
    """The columns of the file that have a role in the response, by their role."""
    made = given.derivation
    if made is None:
        return {}
    label = None if given.reading is None else given.reading.options.get("label")
    own = {} if label is None else {made.label or "y": str(label)}
    return own | dict(made.columns)


def write_model_rows(path: str, given: Given) -> int:
    """Write the design table with its response columns, as a proof is about it."""
    from novikoff.io.writing import write_exact_table

    names = [*given.design_names, *given.response]
    return write_exact_table(path, given.called, given.whole(), names)
