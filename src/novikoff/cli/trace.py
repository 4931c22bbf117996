"""`novikoff trace`: run the perceptron and print every update."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli import options as shared
from novikoff.cli.data import check_files, load_data, reading_of
from novikoff.cli.options import Command, arguments, option
from novikoff.cli.streams import visible

if TYPE_CHECKING:
    from novikoff.runs.audit import Audit
    from novikoff.runs.run import Run


class Numbers(click.ParamType):
    """Numbers between commas, or one of a few words."""

    name = "numbers"

    def __init__(self, kind: Callable[[str], Any], *words: str) -> None:
        self.kind, self.words = kind, words

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if value in self.words:
            return value
        try:
            return [self.kind(part) for part in value.split(",")]
        except ValueError:
            words = ", ".join(self.words)
            self.fail(f"{value!r} is neither {words} nor numbers such as 3,1,2.", param, ctx)


@click.command(cls=Command)
@shared.exact_data
@shared.TIE
@option("--order", type=Numbers(int, "cyclic", "restart", "shuffled"), metavar="ORDER",
              help="cyclic, restart, shuffled, or row numbers 3,1,2.")  # fmt: skip
@option("--start", type=Numbers(float, "random"), metavar="WEIGHTS",
              help="Numbers 1,-0.8 (the offset last), or random.")  # fmt: skip
@shared.INTERCEPT
@option("--max-iter", type=click.IntRange(1), default=1000, show_default=True, help="Most passes.")
@option("--max-mistakes", type=click.IntRange(1), help="Most mistakes.")
@shared.SEED(help="For shuffled orders and random starts.")
@shared.QUIET
@shared.AS_JSON(help="Print one JSON object instead of the table.")
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
    chosen = arguments({**options, "positive": positive})
    read, conventions = load_data(data, reading, numbers, quiet=quiet, first=1)
    if isinstance(order := chosen.get("order"), list):
        chosen["order"] = _row_indices(order, read.row_numbers.tolist())
    from novikoff.runs.run import trace as run_trace

    labels: Any = read.y  # which these readings always have
    run = run_trace(read.X, labels, **{**conventions, **chosen}, random_state=seed)
    if read.n_dropped:
        run = replace(run, numbers=read.row_numbers)
    audit = run.audit()
    if as_json:
        print(json.dumps({**_as_json(run, audit), "label": read.label}))
    else:
        of = "" if read.label is None else f", label {read.label!r}"
        print(visible(f"{read.source}{of}: {run}\n\n{audit}"))


def _row_indices(order: list[int], numbers: list[int]) -> list[int]:
    """The indices in X of rows that are given by their numbers in the file, which count from 1."""
    index_of = {number + 1: index for index, number in enumerate(numbers)}
    if sorted(order) != list(index_of):
        shown = ",".join(map(str, order[:10])) + ",…" * (len(order) > 10)
        last, n_rows = max(index_of), len(numbers)
        raise click.BadParameter(
            f"{shown} is not an order of the {n_rows} rows: each number from 1 to {last}"
            f"{' that is not left out' * (last > n_rows)} must be in it once.",
            param_hint="--order",
        )
    return [index_of[number] for number in order]


def _as_json(run: Run, audit: Audit) -> dict[str, Any]:
    named = ("tie", "fit_intercept", "intercept", "n_mistakes", "n_passes", "converged",
             "stop_reason")  # fmt: skip
    checked = ("formula", "holds", "first_failure", "note")
    return {
        "rows": run.table.n_rows,
        "columns": run.table.n_columns,
        "negative": str(run.classes[0]),
        "positive": str(run.classes[1]),
        "order": run.order if isinstance(run.order, str) else run.order.tolist(),
        "start": run.weights_at(0).tolist(),
        "tape": {
            "rows": [run.number(row) for row in run.tape.rows.tolist()],
            "visits": run.tape.visits.tolist(),
        },
        "coef": run.coef.tolist(),
        **{name: getattr(run, name) for name in named},
        "audit": {
            "radius": audit.radius,
            "margin": audit.margin,
            "bound": audit.bound,
            "checks": [{name: getattr(check, name) for name in checked} for check in audit.checks],
        },
    }
