"""`novikoff certify`: is there a separating hyperplane, and the proof of it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Literal

import click

from novikoff.cli.dask import DASK_OPTION, cluster
from novikoff.cli.data import (
    CACHE_OPTION,
    INTERCEPT_OPTION,
    QUIET_OPTION,
    SEED,
    data_options,
    load_data,
    reading_of,
    tell,
)
from novikoff.cli.option import Command, Finite, option
from novikoff.cli.outputs import OUTPUT, check_files, name_of, write_rows
from novikoff.cli.progress import waiting
from novikoff.cli.regression import certify_model, model_of, model_options, write_model_rows
from novikoff.cli.terminal import visible, wrapped
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.certificates import Certificate
    from novikoff.regression.verdict import RegressionVerdict
    from novikoff.verdicts.verdict import Verdict

FOLLOW_UP = 10.0  # seconds for what follows from a verdict, unless --time-limit says otherwise
STATUSES = ["separable", "quasi-separable", "overlapping", "finite", "infinite", "undecided"]
CANNOT_REBUILD = (
    "the formula has more than columns, their levels, products and powers, so novikoff verify "
    "cannot rebuild its design from the proof; write its rows too, with --rows, for checker.py."
)
OF_MODELS = ("finite", "infinite", "undecided")


@click.command(cls=Command)
@data_options
@CACHE_OPTION
@DASK_OPTION
@INTERCEPT_OPTION
@click.option("--proof", type=OUTPUT, help="Write the certificate here.")
@option(
    "--rows",
    type=OUTPUT,
    without=("dask", "against"),
    metavar="FILE",
    help="Write the very rows of the proof here, as CSV, for checker.py --rows.",
)
@option("--report", type=OUTPUT, without=("dask",), help="Write an HTML page here.")
@click.option("--require", type=click.Choice(STATUSES), help="Exit with 3 on another status.")
@model_options
@click.option("--time-limit", type=Finite(0, min_open=True), help="Seconds to try.")
@option(
    "--signs",
    is_flag=True,
    needs=("model",),
    of_files=True,
    help="Name every infinite coefficient, with its sign, however many there are.",
)
@option(
    "--against",
    type=click.Choice(["rest", "each"]),
    without=("dask", "proof", "report", "require", "positive", "model"),
    help="For more than two classes.",
)
@option(
    "--seed",
    type=SEED,
    argument="random_state",
    without=("dask",),
    help="Seed of the search; no answer depends on it.",
)
@QUIET_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def certify(
    data: str,
    positive: str | None,
    numbers: str | None,
    cache: str | None,
    dask: str | None,
    intercept: bool | None,
    proof: str | None,
    rows: str | None,
    report: str | None,
    require: str | None,
    time_limit: float | None,
    signs: bool,
    against: Literal["rest", "each"] | None,
    seed: int | None,
    quiet: bool,
    as_json: bool,
    model: str | None,
    **reading: Any,
) -> None:
    """Decide whether a hyperplane separates the two classes of DATA, and prove it.

    The answer is exact for the numbers as written (or, with --numbers binary64, for their
    nearest floats): separable, quasi-separable, overlapping, or, at a time limit, undecided.
    With --proof the certificate is saved; `novikoff verify` checks it against the data, and so
    does the checker.py that is shipped with the package and needs nothing but Python: against a
    CSV file of numbers as it is, else against the --rows that are written here. With --report
    the answer, pictures, tables and the proof go into one HTML file that needs no network.

    Of a text column every level but the first, the reference, gets a column of 0s and 1s, as in
    any regression; with --no-intercept every level does.

    With --model the question is whether a regression has a finite maximum-likelihood estimate:
    finite, infinite or undecided, with the coefficients and the rows that cause it. The columns
    that are no part of its response are its X.

    What is encoded, left out or rounded on the way is said on stderr, in the answer, in the
    report and in the proof. Nothing is guessed: a column that numbers the rows, names them, or
    writes numbers in another notation is an error that says which option decides it.

    \b
    Examples:
      novikoff certify endometrial.csv --label HG
      novikoff certify spam.csv --positive spam --proof proof.json
      novikoff certify endometrial.csv --report verdict.html
      novikoff certify iris.csv --against each
      novikoff certify trade.csv --model poisson --label y --categorical firm --require finite
      novikoff certify study.csv --model cox --time days --event died --proof proof.json
    """
    check_files({"DATA": data}, {"--proof": proof, "--report": report, "--rows": rows})
    asked = {**model_of(reading), "positive": positive}
    reading = reading_of(reading)
    if model is None and require in ("finite", "infinite"):
        raise click.UsageError(f"--require {require} goes with --model.")
    if model is not None and require is not None and require not in OF_MODELS:
        raise click.UsageError(
            f"--require {require} does not go with --model; {', '.join(OF_MODELS)} do."
        )
    if intercept is not False:
        reading["levels"] = "reference"  # all levels of a text and the offset are collinear
    if dask is not None:
        if cache or numbers == "decimal":
            raise click.UsageError("--dask takes neither --cache nor --numbers decimal.")
        with cluster(dask, quiet) as distributed:
            found = distributed.certify(
                data, fit_intercept=intercept is not False, time_limit=time_limit,
                positive=positive, verbose=not quiet, numbers=numbers, **reading,
            )  # fmt: skip
        tell(found.reading.notes if found.reading else (), quiet)
        click.echo(json.dumps(found.to_dict()) if as_json else wrapped(visible(str(found))))
        _end(found, found.certificate, proof, require, quiet)
        return
    if model is not None:
        fit = certify_model(
            data, model, intercept, asked, reading, numbers, cache, time_limit, seed, quiet
        )
        if signs:
            with waiting("finding the signs of what is infinite", quiet):
                fit.infinite_signs(time_limit)
        click.echo(json.dumps(fit.to_dict()) if as_json else wrapped(visible(str(fit))))
        if report:
            with waiting(f"writing {report}", quiet):
                fit.report(report, name_of(data), proof, rows)
            _say(f"wrote the report to {report}.", quiet)
        if rows:
            n_rows = write_model_rows(rows, fit.given)
            _say(f"wrote the {count(n_rows, 'row', ',')} of the proof to {rows}.", quiet)
        elif proof and fit.given.derivation is not None and fit.given.derivation.design is None:
            _say(CANNOT_REBUILD, quiet)
        _end(fit, fit.certificate, proof, require, quiet)
        return
    if report:
        from novikoff.report.drawing import require_matplotlib

        require_matplotlib()  # before anything is read or decided
    read, conventions = load_data(data, reading, numbers, cache, quiet=quiet)
    named = positive if positive is not None else conventions.get("positive")
    options: dict[str, Any] = {"time_limit": time_limit, "random_state": seed}
    options["fit_intercept"] = (
        conventions.get("fit_intercept", True) if intercept is None else intercept
    )
    if against is not None:
        from novikoff.verdicts.certify import certify_classes

        with waiting(f"certifying the classes of {read.source}", quiet):
            verdicts = certify_classes(read, against=against, **options)
        click.echo(json.dumps(verdicts.to_dict()) if as_json else visible(str(verdicts)))
        return

    from novikoff.verdicts.certify import certify as decide

    with waiting(f"certifying {read.source}", quiet):
        verdict = decide(read, positive=named, **options)
        _ask_further(verdict, FOLLOW_UP if time_limit is None else time_limit)
        text = json.dumps(verdict.to_dict()) if as_json else str(verdict)
    click.echo(text if as_json else wrapped(visible(text)))
    if report:
        with waiting(f"writing {report}", quiet):
            verdict.report(report, name_of(data), proof, rows)
        _say(f"wrote the report to {report}.", quiet)
    if rows:
        n_rows = write_rows(rows, read, verdict.certificate)
        _say(f"wrote the {count(n_rows, 'row', ',')} of the proof to {rows}.", quiet)
    _end(verdict, verdict.certificate, proof, require, quiet)


def _ask_further(verdict: Verdict, time_limit: float) -> None:
    """Ask for the margin and the infinite columns; what time does not suffice for is said so."""
    if verdict.status in ("separable", "quasi-separable"):
        verdict.columns_if_quick(time_limit)
    if verdict.status == "separable":
        _ = verdict.margin


def _end(
    verdict: Verdict | RegressionVerdict,
    certificate: Certificate | None,
    proof: str | None,
    require: str | None,
    quiet: bool,
) -> None:
    """Write the proof that was asked for, and compare with the status that was required."""
    if proof:
        if certificate is None:
            click.echo("novikoff: undecided, so there is no proof to write.", err=True)
            sys.exit(3)
        certificate.save(proof)
        _say(f"wrote the proof to {proof}.", quiet)
    if require and verdict.status != require:
        what = "data" if certificate is None or certificate.kind != "regression" else "estimate"
        click.echo(f"novikoff: the {what} is {verdict.status}; {require} was required.", err=True)
        sys.exit(3)


def _say(what: str, quiet: bool) -> None:
    if not quiet:
        click.echo(f"novikoff: {what}", err=True)
