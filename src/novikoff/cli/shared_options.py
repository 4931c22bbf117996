"""Every option that more than one command has, once; a command lists those that it takes.

READING_OPTIONS say how a file is read. They have the names of the arguments of `novikoff.read`, and
`data.reading_of` hands them on: an option that is added here acts in every command that reads DATA.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from novikoff.cli.option import OUTPUT, Finite, Listed, option

Decorator = Callable[[Any], Any]

SEVERAL_LABELS = "certify"  # the command that takes --label more than once
NEXT_TO_IT = "beside"  # what --cache without a folder means


def _reading(*names: str, **settings: Any) -> Decorator:
    return option(*names, of_files=True, **settings)


def _labels(context: click.Context, _option: Any, given: tuple[str, ...]) -> Any:
    """One label column, or several where the command takes them."""
    if len(given) < 2:
        return given[0] if given else None
    if context.command.name != SEVERAL_LABELS:
        raise click.UsageError(f"--label is given {len(given)} times; name one column.")
    return given


READING_OPTIONS = {
    "label": _reading(
        "--label", metavar="COL", multiple=True, callback=_labels,
        help="Label column: name or number, else last.",
    ),
    "format": _reading(
        "--format", metavar="NAME", help="csv, svmlight, parquet, …; else found out."
    ),
    "header": _reading(
        "--header/--no-header", default=None, help="Of a CSV file; else found out."
    ),
    "missing": _reading(
        "--missing", type=click.Choice(["error", "drop"]), default="error", show_default=True,
        help="A missing value is an error, or its row is left out.",
    ),
    "na": _reading(
        "--na", type=Listed(), metavar="VALUES",
        help="Texts that stand for a missing value too: -99,unknown.",
    ),
    "classes": _reading(
        "--classes", type=Listed(), metavar="A,B", help="Leave out the rows of all other classes."
    ),
    "skip_rows": _reading(
        "--skip-rows", type=click.IntRange(0), metavar="N",
        help="Lines of a text file above its table.",
    ),
    "text_encoding": _reading(
        "--encoding", "text_encoding", metavar="NAME",
        help="Of the letters of a text file: cp1252; else utf-8.",
    ),
    "drop": _reading(
        "--drop", metavar="COL", multiple=True, help="Leave a column out. Repeatable."
    ),
    "keep": _reading(
        "--keep", metavar="COL", multiple=True,
        help="Keep a column that numbers the rows. Repeatable.",
    ),
    "categorical": _reading(
        "--categorical", metavar="COL", multiple=True,
        help="Take what a column holds as levels. Repeatable.",
    ),
    "delimiter": _reading("--delimiter", metavar="CHAR", help="Of a CSV file; else found out."),
    "decimal": _reading("--decimal", metavar="CHAR", help="Decimal mark of a CSV file: , or ."),
    "thousands": _reading(
        "--thousands", metavar="CHAR", help="Between thousands in a CSV file: . , ' _ or a blank."
    ),
    "zero_based": _reading(
        "--zero-based/--one-based", default=None, help="Of svmlight; else found out."
    ),
    "bits": _reading("--bits", type=click.IntRange(1, 30), help="Hash features of vw to 2^bits."),
}  # fmt: skip

DATA = click.argument("data")
POSITIVE = click.option("--positive", metavar="CLASS", help="Label of sign +; else the larger.")
NUMBERS = _reading(
    "--numbers",
    type=click.Choice(["decimal", "binary64"]),
    help="Take numbers as they are in the file, or as the nearest float64. By default as they are, "
    "but in text of over 32 MB, unpacked.",
)
CACHE = _reading(
    "--cache",
    is_flag=False,
    flag_value=NEXT_TO_IT,
    metavar="[DIR]",
    help="Keep the rows in a binary cache, beside the file or in DIR, and map them from there: "
    "for files larger than memory.",
)
INTERCEPT = option(
    "--intercept/--no-intercept", default=None, argument="fit_intercept",
    help="With or without an offset.",
)  # fmt: skip
TIE = click.option(
    "--tie", type=click.Choice(["mistake", "positive", "zero"]), help="What a score of 0 is."
)
QUIET = click.option("--quiet", "-q", is_flag=True, help="Nothing on stderr but errors.")


def as_json(what: str = "Print one JSON object instead of text.") -> Decorator:
    """--json."""
    return click.option("--json", "as_json", is_flag=True, help=what)


def seed(what: str) -> Decorator:
    """--seed."""
    return option("--seed", type=click.IntRange(0, 2**32 - 1), argument="random_state", help=what)


def against(*without: str) -> Decorator:
    """--against, with the options that it does not go with."""
    kinds = click.Choice(["rest", "each"])
    return option("--against", type=kinds, without=without, help="For more than two classes.")


def time_limit(default: float | None = None) -> Decorator:
    """--time-limit, in seconds."""
    return click.option(
        "--time-limit", type=Finite(0, min_open=True), default=default,
        show_default=default is not None, help="Seconds to try.",
    )  # fmt: skip


def output_file(name: str, what: str, **settings: Any) -> Decorator:
    """An option that names a file to be written."""
    return option(f"--{name}", type=OUTPUT, metavar="FILE", help=what, **settings)


def decorated(*options: Decorator) -> Decorator:
    """One decorator for several options, in this order in the help."""

    def decorate(command: Any) -> Any:
        for one in reversed(options):
            command = one(command)
        return command

    return decorate


def reading_options(*names: str, but: tuple[str, ...] = ()) -> Decorator:
    """These of READING_OPTIONS, or all `but` some."""
    chosen = names or tuple(name for name in READING_OPTIONS if name not in but)
    return decorated(*(READING_OPTIONS[name] for name in chosen))


PROOF = output_file("proof", "Write the certificate here.", without=("against",))
ROWS = output_file(
    "rows", "Write the very rows of the proof here, as CSV, for checker.py.", without=("against",)
)
REPORT = output_file("report", "Write an HTML page here.", without=("against",))
# DATA and how to read it, for the commands that are exact.
exact_data = decorated(DATA, reading_options(), POSITIVE, NUMBERS)
