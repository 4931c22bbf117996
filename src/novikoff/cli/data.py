"""What every command that takes DATA shares: its options, and how DATA becomes X and y."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from novikoff.cli.messages import in_options
from novikoff.cli.option import Listed, option, refuse_of_files
from novikoff.cli.progress import waiting
from novikoff.cli.terminal import say
from novikoff.errors import FileError, no_file
from novikoff.wording import unsteering

if TYPE_CHECKING:
    from novikoff.io import Data

NEXT_TO_IT = "beside"  # what --cache without a folder means
SEED = click.IntRange(0, 2**32 - 1)

MISSING_OPTION = option(
    "--missing",
    type=click.Choice(["error", "drop"]),
    default="error",
    show_default=True,
    of_files=True,
    help="A missing value is an error, or its row is left out.",
)
LABEL_OPTION = option(
    "--label", metavar="COL", of_files=True, help="Label column: name or number, else last."
)
READING = ("label", "format", "header", "missing", "drop", "keep", "categorical", "delimiter",
           "decimal", "thousands", "na", "skip_rows", "text_encoding", "classes", "zero_based",
           "bits")  # fmt: skip
DECIMAL_OPTION = option("--decimal", metavar="CHAR", of_files=True,
                        help="Decimal mark of a CSV file: , or .")  # fmt: skip
THOUSANDS_OPTION = option("--thousands", metavar="CHAR", of_files=True,
                          help="Between thousands in a CSV file: . , ' _ or a blank.")  # fmt: skip
DELIMITER_OPTION = option("--delimiter", metavar="CHAR", of_files=True,
                          help="Of a CSV file; else found out.")  # fmt: skip
DROP_OPTION = option("--drop", metavar="COL", multiple=True, of_files=True,
                     help="Leave a column out. Repeatable.")  # fmt: skip
CATEGORICAL_OPTION = option("--categorical", metavar="COL", multiple=True, of_files=True,
                            help="Take what a column holds as levels. Repeatable.")  # fmt: skip
KEEP_OPTION = option("--keep", metavar="COL", multiple=True, of_files=True,
                     help="Keep a column that numbers the rows. Repeatable.")  # fmt: skip
NA_OPTION = option("--na", type=Listed("VALUES"), of_files=True,
                   help="Texts that stand for a missing value too: -99,unknown.")  # fmt: skip
SKIP_OPTION = option("--skip-rows", type=click.IntRange(0), metavar="N", of_files=True,
                     help="Lines of a text file above its table.")  # fmt: skip
ENCODING_OPTION = option("--encoding", "text_encoding", metavar="NAME", of_files=True,
                         help="Of the letters of a text file: cp1252; else utf-8.")  # fmt: skip
CLASSES_OPTION = option("--classes", type=Listed("A,B"), of_files=True,
                        help="Leave out the rows of all other classes.")  # fmt: skip
READING_OPTIONS = [
    LABEL_OPTION,
    option("--format", metavar="NAME", of_files=True,
           help="csv, svmlight, parquet, …; else found out."),
    option("--header/--no-header", default=None, of_files=True,
           help="Of a CSV file; else found out."),
    MISSING_OPTION,
    NA_OPTION,
    CLASSES_OPTION,
    SKIP_OPTION,
    ENCODING_OPTION,
    DROP_OPTION,
    KEEP_OPTION,
    CATEGORICAL_OPTION,
    DELIMITER_OPTION,
    DECIMAL_OPTION,
    THOUSANDS_OPTION,
    option("--zero-based/--one-based", default=None, of_files=True,
           help="Of svmlight; else found out."),
    option("--bits", type=click.IntRange(1, 30), of_files=True,
           help="Hash features of vw to 2^bits."),
]  # fmt: skip
CACHE_OPTION = option(
    "--cache",
    of_files=True,
    is_flag=False,
    flag_value=NEXT_TO_IT,
    metavar="[DIR]",
    help="Keep the rows in a binary cache, beside the file or in DIR, and map them from there: "
    "for files larger than memory.",
)
INTERCEPT_OPTION = option("--intercept/--no-intercept", default=None, argument="fit_intercept",
                          help="With or without an offset.")  # fmt: skip
QUIET_OPTION = click.option("--quiet", "-q", is_flag=True, help="Nothing on stderr but errors.")


@dataclass(frozen=True)
class Question:
    """What an exact command asks of DATA, as it was typed."""

    data: str
    reading: dict[str, Any]
    numbers: str | None
    cache: str | None
    positive: str | None
    intercept: bool | None
    time_limit: float | None
    seed: int | None
    quiet: bool

    @classmethod
    def of(cls, data: str, options: dict[str, Any]) -> Question:
        """The question of a command's options, which are taken out of `options`."""
        reading = reading_of(options)
        if options["intercept"] is not False:
            reading["levels"] = "reference"  # all levels of a text and the offset are collinear
        names = ("numbers", "cache", "positive", "intercept", "time_limit", "seed")
        own = {name: options.pop(name) for name in names}
        return cls(data, reading, quiet=options["quiet"], **own)

    def read(self) -> tuple[Data, Any, dict[str, Any]]:
        """The rows, the positive class if one is named, and the other arguments of the question.

        What is not typed is as the lecture of a built-in set has it.
        """
        read, conventions = load_data(
            self.data, self.reading, self.numbers, self.cache, quiet=self.quiet
        )
        offset = self.intercept
        if offset is None:
            offset = conventions.get("fit_intercept", True)
        positive = conventions.get("positive") if self.positive is None else self.positive
        arguments = {
            "fit_intercept": offset, "time_limit": self.time_limit, "random_state": self.seed,
        }  # fmt: skip
        return read, positive, arguments


class Loaded(NamedTuple):
    """The rows, and the conventions that a built-in set asks for."""

    data: Data
    conventions: dict[str, Any]


def decorated(options: list[Any]) -> Callable[[Any], Any]:
    """One decorator for several options, in this order in the help."""

    def decorate(command: Any) -> Any:
        for one in reversed(options):
            command = one(command)
        return command

    return decorate


def data_options(command: Any) -> Any:
    """DATA and the options that say how to read it, for commands that are exact."""
    return decorated(
        [
            click.argument("data"),
            *READING_OPTIONS,
            click.option("--positive", metavar="CLASS", help="Label of sign +; else the larger."),
            option(
                "--numbers",
                type=click.Choice(["decimal", "binary64"]),
                of_files=True,
                help="Take numbers as they are in the file, or as the nearest float64. By default "
                "as they are, but in text of over 32 MB, unpacked.",
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
    response: Collection[str] = (),
    first: int = 0,
) -> Loaded:
    """A file, several by a pattern, standard input, or a built-in set by its name.

    `response`: columns that are no features, of which nothing is said that is said of features.

    `first`: the number that the command gives to the first row.

    `numbers`: None takes them as they are written, where the file is not too large for that;
    what `reading` itself says of them comes first.
    """
    from novikoff.io import read, scan

    if not is_file(data):
        return built_in(data)
    if cache is not None:
        if numbers == "decimal":
            raise click.UsageError("--cache keeps binary64 numbers; leave --numbers decimal out.")
        where = True if cache == NEXT_TO_IT else cache
        reading = {name: value for name, value in reading.items() if name != "numbers"}
    elif "numbers" not in reading:
        reading = {**reading, "numbers": numbers or "as written"}
    with waiting(f"reading {data}", quiet or is_typed_in(data)):
        found = (
            read(data, **reading) if cache is None else scan(data, cache=where, **reading).cached()
        )
    found = found.without_notes_on(response)
    tell(found.remarks_from(first), quiet)
    return Loaded(found, {})


def is_typed_in(data: str) -> bool:
    """Whether DATA is what a person types at this terminal, who needs no signs of life."""
    return data == "-" and sys.stdin is not None and sys.stdin.isatty()


def tell(remarks: Sequence[str], quiet: bool) -> None:
    """One line on stderr about what was encoded, left out or rounded, if anything was."""
    if remarks:
        say(f"{unsteering(in_options('; '.join(remarks)))}.", quiet)


def is_file(data: str) -> bool:
    if data == "-" or Path(data).exists() or Path(data).is_symlink():  # maybe to itself
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
        if looks_like_file or Path(data).is_symlink():
            raise no_file(data) from None
        raise FileError(f"{data!r} is neither a file nor a built-in set: {error}") from None
    refuse_of_files(data)
    made = Data(X=found.X, y=found.y, source=data, format="built-in")
    return Loaded(made, dict(found.conventions))
