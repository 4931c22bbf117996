"""What every command that takes DATA shares: its options, and how DATA becomes X and y."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from novikoff.errors import FileError, no_file

if TYPE_CHECKING:
    from novikoff.io import Data

FORMATS = ["csv", "tsv", "svmlight", "vw", "parquet", "arrow", "npy", "npz"]
MOST_DECIMAL = 32 << 20  # bytes of a file whose numbers are taken as written unasked
NEXT_TO_IT = "beside"  # what --cache without a folder means

MISSING_OPTION = click.option(
    "--missing",
    type=click.Choice(["error", "drop"]),
    default="error",
    show_default=True,
    help="A missing value is an error, or its row is left out.",
)
READING = ("label", "format", "header", "missing", "drop", "categorical", "delimiter",
           "zero_based", "bits")  # fmt: skip
READING_OPTIONS = [
    click.option("--label", metavar="COL", help="Label column: name or number, else last."),
    click.option("--format", type=click.Choice(FORMATS), help="Of the file; else found out."),
    click.option("--header/--no-header", default=None, help="Of a CSV file; else found out."),
    MISSING_OPTION,
    click.option("--drop", metavar="COL", multiple=True, help="Leave a column out. Repeatable."),
    click.option("--categorical", metavar="COL", multiple=True, help="Take numbers as levels."),
    click.option("--delimiter", metavar="CHAR", help="Of a CSV file; else found out."),
    click.option("--zero-based/--one-based", default=None, help="Of svmlight; else found out."),
    click.option("--bits", type=click.IntRange(1, 30), help="Hash features of vw to 2^bits."),
]
CACHE_OPTION = click.option(
    "--cache",
    is_flag=False,
    flag_value=NEXT_TO_IT,
    metavar="[DIR]",
    help="Keep the rows in a binary cache, beside the file or in DIR, and map them from there: "
    "for files larger than memory.",
)
QUIET_OPTION = click.option("--quiet", "-q", is_flag=True, help="Nothing on stderr but errors.")


class Output(click.Path):
    """A file to be written, in a folder that is there before any work is done."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        folder = Path(value).parent
        if not folder.is_dir():
            raise FileError(f"cannot write {value}: there is no folder {folder}; make it first.")
        return super().convert(value, param, ctx)


OUTPUT = Output()


class Loaded(NamedTuple):
    """The rows, and the conventions that a built-in set asks for."""

    data: Data
    conventions: dict[str, Any]


def decorated(options: list[Any]) -> Callable[[Any], Any]:
    """One decorator for several options, in this order in the help."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def data_options(command: Any) -> Any:
    """DATA and the options that say how to read it, for commands that are exact."""
    return decorated(
        [
            click.argument("data"),
            *READING_OPTIONS,
            click.option("--positive", metavar="CLASS", help="Label of sign +; else the larger."),
            click.option(
                "--numbers",
                type=click.Choice(["decimal", "binary64"]),
                help="Take numbers as written, or as the nearest float64. By default as written "
                "in CSV files of up to 32 MB.",
            ),
        ]
    )(command)


def reading_of(options: dict[str, Any], labels: str = "as written") -> dict[str, Any]:
    """Take the reading options out of a command's, as `read` wants them.

    Labels are taken as they are written, since that is how a proof names them.
    """
    taken = {name: options.pop(name) for name in READING}
    given = {name: value for name, value in taken.items() if value not in (None, ())}
    return {**given, "labels": labels}


def load_data(
    data: str,
    reading: dict[str, Any],
    numbers: str | None,
    cache: str | None = None,
    *,
    quiet: bool = False,
) -> Loaded:
    """A file, several by a pattern, standard input, or a built-in set by its name.

    `numbers`: None takes them as they are written, where the file is not too large for that.
    """
    from novikoff.io import read, scan

    if not is_file(data):
        return built_in(data)
    if cache is not None:
        if numbers == "decimal":
            raise click.UsageError("--cache keeps binary64 numbers; leave --numbers decimal out.")
        where = True if cache == NEXT_TO_IT else cache
        found = scan(data, cache=where, **reading).cached()
    else:
        found = read(data, numbers=numbers or _numbers_of(data, quiet), **reading)
    if found.n_dropped and not quiet:
        n = found.n_dropped
        what = "row lacks a value and is" if n == 1 else "rows lack a value and are"
        click.echo(f"novikoff: {n:,} {what} left out of {found.source}.", err=True)
    return Loaded(found, {})


def is_file(data: str) -> bool:
    if data == "-" or Path(data).exists():
        return True
    from glob import has_magic

    return has_magic(data)


def built_in(data: str) -> Loaded:
    from novikoff import datasets
    from novikoff.errors import InputError
    from novikoff.io import Data

    looks_like_file = "/" in data or Path(data).suffix[1:].isalpha()
    try:
        found = datasets.load(data)
    except InputError as error:
        stem = data.partition(":")[0]
        if any(name.partition(":")[0] == stem for name in datasets.names()):
            raise
        if looks_like_file:
            raise no_file(data) from None
        raise FileError(f"{data!r} is neither a file nor a built-in set: {error}") from None
    made = Data(X=found.X, y=found.y, source=data, format="built-in")
    return Loaded(made, dict(found.conventions))


def _numbers_of(data: str, quiet: bool) -> str:
    """As written where that is what a text file means and costs little; else, aloud, floats."""
    if data == "-" or not Path(data).exists() or Path(data).stat().st_size <= MOST_DECIMAL:
        return "as written"
    size = Path(data).stat().st_size / 2**20
    if not quiet:
        click.echo(
            f"novikoff: {data} has {size:.0f} MB, so its numbers are taken as the nearest "
            "float64; --numbers decimal takes them as written.",
            err=True,
        )
    return "binary64"
