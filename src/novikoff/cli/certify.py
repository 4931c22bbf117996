"""`novikoff certify`: is there a separating hyperplane, and the proof of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import click

from novikoff.cli import options as shared
from novikoff.cli.labellings import LABELLING_OPTIONS, certify_labellings
from novikoff.cli.options import Command, option
from novikoff.cli.question import Question, rows_of
from novikoff.cli.regression import MODEL_OPTIONS, certify_model, regression_of, write_model_rows
from novikoff.cli.streams import say, waiting

if TYPE_CHECKING:
    from novikoff.regression.verdict import RegressionVerdict
    from novikoff.verdicts.verdict import Verdict

FOLLOW_UP = 10.0  # seconds for what follows from a verdict, unless --time-limit says otherwise
OF_MODELS = ("finite", "infinite", "undecided")
STATUSES = ("separable", "quasi-separable", "overlapping", *OF_MODELS)
CANNOT_REBUILD = (
    "the formula has more than columns, their levels, products and powers, so novikoff verify "
    "cannot rebuild its design from the proof; write its rows too, with --rows, for checker.py."
)


@click.command(cls=Command)
@shared.exact_data
@shared.CACHE
@shared.INTERCEPT
@shared.PROOF
@shared.ROWS
@shared.REPORT
@shared.written("--rocq", help="Write the claim as a theorem here, with its proof, for coqc.")
@option("--require", type=click.Choice(STATUSES), help="Exit with 3 on another status.")
@shared.decorated(*MODEL_OPTIONS)
@shared.TIME_LIMIT()
@option("--signs", is_flag=True, needs=("model",), of_files=True,
        help="Name every infinite coefficient, with its sign, however many there are.")  # fmt: skip
@option("--limit", is_flag=True, needs=("model",), of_files=True,
        help="Print the model at the supremum of its likelihood: estimates, tests and "
        "intervals.")  # fmt: skip
@shared.AGAINST(without=("require", "positive", "model"))
@shared.SEED(help="Seed of the search; no answer depends on it.")
@shared.decorated(*LABELLING_OPTIONS)
@shared.QUIET
@shared.AS_JSON()
def certify(
    data: str, model: str | None, signs: bool, limit: bool, require: str | None,
    against: Literal["rest", "each"] | None, table: str | None, proofs: str | None,
    jobs: int | None, **options: Any,
) -> None:  # fmt: skip
    """Decide whether a hyperplane separates the two classes of DATA, and prove it.

    The answer is exact for the numbers as written (or, with --numbers binary64, for their
    nearest floats): separable, quasi-separable, overlapping, or, at a time limit, undecided.
    With --proof the certificate is saved; `novikoff verify` checks it against the data, and so
    does the checker.py that is shipped with the package and needs nothing but Python: against a
    CSV file of numbers as it is, else against the --rows that are written here. With --report
    the answer, pictures, tables and the proof go into one HTML file that needs no network. With
    --rocq data, claim and proof go into a file that the proof assistant Rocq (Coq) accepts.

    Of a text column every level but the first, the reference, gets a column of 0s and 1s, as in
    any regression; with --no-intercept every level does.

    With --model the question is whether a regression has a finite maximum-likelihood estimate:
    finite, infinite or undecided, with the coefficients and the rows that cause it. The columns
    that are no part of its response are its X.

    With --labels FILE, or --label more than once, every column of FILE, or every column that is
    named, is a labelling of the same rows. All are decided together, and the answer is a table.

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
      novikoff certify endometrial.csv --model logit --label HG --limit
      novikoff certify study.csv --model cox --time days --event died --proof proof.json
      novikoff certify activations.npy --labels concepts.csv --table verdicts.csv
    """
    if model is None and require in ("finite", "infinite"):
        raise click.UsageError(f"--require {require} goes with --model.")
    if model is not None and require not in (None, *OF_MODELS):
        raise click.UsageError(
            f"--require {require} does not go with --model; {', '.join(OF_MODELS)} do."
        )
    if options["labels"] is not None or isinstance(options["label"], tuple):
        single = {"against": against, "model": model, "require": require}
        return certify_labellings(data, {**options, **single}, table, proofs, jobs)
    for name, value in (("table", table), ("proofs", proofs), ("jobs", jobs)):
        if value is not None:
            raise click.UsageError(f"--{name} goes with --labels, or with --label more than once.")
    question = Question.of(data, options)
    question.check_outputs()
    if against is not None:
        from novikoff.verdicts.certify import certify_classes

        read, _, arguments = question.read()
        with waiting(f"certifying the classes of {read.source}", question.quiet):
            verdicts = certify_classes(read, against=against, **arguments)
        return question.show(verdicts, is_table=True)
    if model is None:
        what, status = "data", _certify(question)
    else:
        fit = certify_model(regression_of(model, question, options), options["formula"], question)
        what, status = "estimate", fit.status
        _show_model(fit, question, signs, limit)
    if require not in (None, status):
        say(f"the {what} is {status}; {require} was required.")
        sys.exit(3)
    return None


def _certify(question: Question) -> str:
    """Is there a hyperplane between two classes? The status."""
    from novikoff.inputs import read_table
    from novikoff.verdicts.certify import certify as decide

    read, positive, arguments = question.read()
    with waiting(f"certifying {read.source}", question.quiet):
        verdict: Verdict = decide(read, positive=positive, **arguments)
        # The margin and the infinite columns; what time does not suffice for is said so.
        if verdict.status in ("separable", "quasi-separable"):
            verdict.columns_if_quick(question.time_limit or FOLLOW_UP)
        if verdict.status == "separable":
            _ = verdict.margin
        str(verdict)  # which may be work, too
    question.show(verdict)
    write_rows = rows_of(read, verdict.certificate)
    question.write(verdict, write_rows, lambda: read_table(read.X), read.y)
    return verdict.status


def _show_model(fit: RegressionVerdict, question: Question, signs: bool, limit: bool) -> None:
    """Has a regression a finite estimate? And what else was asked for."""
    if signs:
        with waiting("finding the signs of what is infinite", question.quiet):
            fit.infinite_signs(question.time_limit)
    supremum = None
    if limit:
        with waiting("finding the supremum", question.quiet):
            supremum = fit.limit()
            str(supremum)  # the tests and the intervals are the work
    question.show(fit, limit=supremum)
    derivation = fit.given.derivation
    if question.proof and not question.rows and derivation and derivation.design is None:
        say(CANNOT_REBUILD, question.quiet)
    question.write(fit, lambda path: write_model_rows(path, fit.given), fit.given.whole)
