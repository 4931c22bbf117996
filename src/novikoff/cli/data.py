"""DATA, the argument that most commands have, as X and y."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.messages import in_options
from novikoff.cli.option import refuse_of_files
from novikoff.cli.shared_options import NEXT_TO_IT, READING_OPTIONS
from novikoff.cli.streams import say, waiting
from novikoff.errors import FileError, no_file
from novikoff.wording import unsteering

if TYPE_CHECKING:
    from novikoff.io import Data


def reading_of(options: dict[str, Any], labels: str = "as written") -> dict[str, Any]:
    """Take the reading options out of a command's, as `read` wants them.

    Labels are taken as they are written, since that is how a proof names them.
    """
    taken = {name: options.pop(name) for name in READING_OPTIONS}
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
) -> tuple[Data, dict[str, Any]]:
    """The rows of DATA, and the conventions that a built-in set asks for.

    numbers : None takes them as they are written, where the file is not too large for that;
        what `reading` itself says of them comes first
    response : columns that are no features, of which nothing is said that is said of features
    first : the number that the command gives to the first row
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
    return found, {}


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


def built_in(data: str) -> tuple[Data, dict[str, Any]]:
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
    return made, dict(found.conventions)
