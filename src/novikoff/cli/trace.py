"""`novikoff trace`: run the perceptron and print every update."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli import shared_options as shared
from novikoff.cli.data import load_data, reading_of
from novikoff.cli.option import Command, arguments
from novikoff.cli.outputs import check_files
from novikoff.cli.streams import visible

if TYPE_CHECKING:
    from novikoff.runs.audit import Audit
    from novikoff.runs.run import Run


@click.command(cls=Command)
@shared.exact_data
@shared.TIE
@click.option("--order", metavar="ORDER", help="cyclic, restart, shuffled, or row numbers 3,1,2.")
@click.option("--start", metavar="WEIGHTS", help="Numbers 1,-0.8 (the offset last), or random.")
@shared.INTERCEPT
@click.option(
    "--max-iter", type=click.IntRange(1), default=1000, show_default=True, help="Most passes."
)
@click.option("--max-mistakes", type=click.IntRange(1), help="Most mistakes.")
@shared.seed("For shuffled orders and random starts.")
@shared.QUIET
@shared.as_json("Print one JSON object instead of the table.")
def trace(
    data: str, positive: str | None, numbers: str | None, quiet: bool, **options: Any
) -> None:
    """Run the perceptron on DATA and print every update, then the audit of the mistake bound.

    Built-in sets bring the conventions of their lecture; an option overrides them.

    \b
    Examples:
      novikoff trace lecture:002
      novikoff trace lecture:002 --order restart
      novikoff trace points.csv --label class --positive spam --tie positive
    """
    check_files({"DATA": data}, {})
    reading = reading_of(options)
    as_json, seed = options.pop("as_json"), options.pop("seed")
    if seed is not None and options["order"] != "shuffled" and options["start"] != "random":
        raise click.UsageError("--seed is for --order shuffled and --start random.")
    chosen = arguments(options)
    if "order" in chosen:
        chosen["order"] = _order(chosen["order"])
    if "start" in chosen:
        chosen["start"] = _start(chosen["start"])
    read, conventions = load_data(data, reading, numbers, quiet=quiet, first=1)
    named = read.row_numbers
    if isinstance(order := chosen.get("order"), list):
        chosen["order"] = _row_indices(order, named.tolist())
    from novikoff.runs.run import trace as run_trace

    labels: Any = read.y  # which these readings always have
    if positive is not None:
        chosen["positive"] = positive
    run = run_trace(read.X, labels, **{**conventions, **chosen}, random_state=seed)
    if read.n_dropped:
        run = replace(run, numbers=named)
    audit = run.audit()
    if as_json:
        print(json.dumps({**_as_json(run, audit), "label": read.label}))
    else:
        of = "" if read.label is None else f", label {read.label!r}"
        print(visible(f"{read.source}{of}: {run}\n\n{audit}"))


def _order(text: str) -> Any:
    if text in ("cyclic", "restart", "shuffled"):
        return text
    try:
        return [int(part) - 1 for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not cyclic, restart, shuffled or row numbers such as 3,1,2.",
            param_hint="--order",
        ) from None


def _row_indices(order: list[int], numbers: list[int]) -> list[int]:
    """The indices in X of rows that are given by their numbers in the file."""
    n_rows = len(numbers)
    if sorted(order) != numbers:
        shown = ",".join(str(row + 1) for row in order[:10]) + ",…" * (len(order) > 10)
        raise click.BadParameter(
            f"{shown} is not an order of the {n_rows} rows: each number from 1 to "
            f"{numbers[-1] + 1}{' that is not left out' * (numbers[-1] >= n_rows)} must be in it "
            "once.",
            param_hint="--order",
        )
    index_of = {number: index for index, number in enumerate(numbers)}
    return [index_of[number] for number in order]


def _start(text: str) -> Any:
    if text == "random":
        return text
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not random or numbers such as 1,-0.8.", param_hint="--start"
        ) from None


def _as_json(run: Run, audit: Audit) -> dict[str, Any]:
    return {
        "rows": run.table.n_rows,
        "columns": run.table.n_columns,
        "negative": str(run.classes[0]),
        "positive": str(run.classes[1]),
        "tie": run.tie,
        "order": run.order if isinstance(run.order, str) else run.order.tolist(),
        "start": run.weights_at(0).tolist(),
        "fit_intercept": run.fit_intercept,
        "tape": {
            "rows": [run.number(row) for row in run.tape.rows.tolist()],
            "visits": run.tape.visits.tolist(),
        },
        "coef": run.coef.tolist(),
        "intercept": run.intercept,
        "n_mistakes": run.n_mistakes,
        "n_passes": run.n_passes,
        "converged": run.converged,
        "stop_reason": run.stop_reason,
        "audit": {
            "radius": audit.radius,
            "margin": audit.margin,
            "bound": audit.bound,
            "checks": [
                {
                    "formula": check.formula,
                    "holds": check.holds,
                    "first_failure": check.first_failure,
                    "note": check.note,
                }
                for check in audit.checks
            ],
        },
    }
