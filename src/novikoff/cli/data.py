"""DATA, the argument that most commands have, as X and y or as a model reads it.

And what is read and written: no output is also an input, nor another output. Files are compared by
what they are, not by what they are called: a link is the file it leads to.
"""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.messages import has_option, in_options
from novikoff.cli.options import NEXT_TO_IT, READING_OPTIONS, refuse_of_files
from novikoff.cli.streams import say, waiting
from novikoff.errors import FileError, InputError, ParameterError, no_file
from novikoff.files import descriptor_of
from novikoff.wording import first_few, unsteering

if TYPE_CHECKING:
    from novikoff.io import Data

STDOUT = "standard output"
KINDS = {stat.S_IFREG: "file", stat.S_IFBLK: "file", stat.S_IFIFO: "pipe"}


def check_files(inputs: Mapping[str, str | None], outputs: Mapping[str, str | None]) -> None:
    """Refuse an output that is also an input or another output; both by the names of options.

    An input may be a pattern, - or a built-in set. Devices such as /dev/null take anything.
    """
    read: dict[Any, str] = {}
    for option, given in inputs.items():
        paths: list[str | None] = [given]
        if given is not None and given != "-" and not Path(given).exists() and has_magic(given):
            paths = [*glob.glob(given, recursive=True)]  # noqa: PTH207 - a path's glob is relative
        for path in paths:
            for mark in _marks(path):
                if mark[0] == "pipe" and mark in read:
                    raise click.UsageError(
                        f"{path} is given for {read[mark]} and for {option}, but a pipe can be "
                        "read only once; save it to a file first."
                    )
                if mark[0] != "new":  # what is not there is a built-in set
                    read.setdefault(mark, option)
    written: dict[Any, str] = {}
    for option, output in {**outputs, STDOUT: STDOUT}.items():
        for mark in _marks(output):
            if mark in read and option == STDOUT:
                raise click.UsageError(
                    f"standard output goes into the file that {read[mark]} is read from; send it "
                    "to another."
                )
            if mark in read:
                raise click.UsageError(
                    f"{output} is the file that {read[mark]} is read from, and {option} would "
                    "overwrite it; name another file."
                )
            if mark in written:
                raise click.UsageError(
                    f"{written[mark]} and {option} are one file; give each its own."
                )
            written[mark] = option


def _marks(path: str | None) -> list[tuple[Any, ...]]:
    """What a file is; nothing where that takes or gives anything, as a device does."""
    if path is None:
        return []
    if path in ("-", STDOUT):
        try:
            descriptor = (sys.stdin if path == "-" else sys.stdout).fileno()
        except (AttributeError, OSError, ValueError):
            descriptor = None
        own = [("pipe", 0)] if path == "-" else []
        if descriptor is None:
            return own
    else:
        descriptor = descriptor_of(path)
        own = [("pipe", descriptor)] if descriptor in (0, 1) else []
    try:
        found = Path(path).stat() if descriptor is None else os.fstat(descriptor)
    except FileNotFoundError:
        return [("new", os.path.realpath(path))]
    except OSError:
        return own
    kind = KINDS.get(stat.S_IFMT(found.st_mode))
    if kind is None or ("pipe", 1) in own:  # standard output is marked where it is looked at
        return own
    return [*own, (kind, found.st_dev, found.st_ino)]


def reading_of(options: dict[str, Any], labels: str = "as written") -> dict[str, Any]:
    """Take the reading options out of a command's, as `read` wants them.

    Labels are taken as they are written, since that is how a proof names them.
    """
    taken = {name: options.pop(name) for name in READING_OPTIONS}
    return {**{name: v for name, v in taken.items() if v not in (None, ())}, "labels": labels}


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
    if cache is None:
        reading = {"numbers": numbers or "as written", **reading}
    elif numbers == "decimal":
        raise click.UsageError("--cache keeps binary64 numbers; leave --numbers decimal out.")
    else:
        reading = {name: value for name, value in reading.items() if name != "numbers"}
        reading["cache"] = True if cache == NEXT_TO_IT else cache
    with waiting(f"reading {data}", quiet or is_typed_in(data)):
        found = read(data, **reading) if cache is None else scan(data, **reading).cached()
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
    is_there = data == "-" or Path(data).exists() or Path(data).is_symlink()  # maybe to itself
    return is_there or has_magic(data)


def built_in(data: str) -> tuple[Data, dict[str, Any]]:
    from novikoff import datasets
    from novikoff.io import Data

    try:
        found = datasets.load(data)
    except InputError as error:
        stem = data.partition(":")[0]
        if any(name.partition(":")[0] == stem for name in datasets.names()):
            raise
        if "/" in data or Path(data).suffix[1:].isalpha():
            raise no_file(data) from None
        raise FileError(f"{data!r} is neither a file nor a built-in set: {error}") from None
    refuse_of_files(f"is about files, and {data} is a built-in set; leave it out.")
    made = Data(X=found.X, y=found.y, source=data, format="built-in")
    return made, dict(found.conventions)


def scan_for(model: Any, data: str, reading: dict[str, Any], labels: bool) -> Iterator[Any]:
    """Blocks of DATA with the columns that the model was fitted on, by name where these have names.

    labels : whether they are read too
    """
    from novikoff.io.formats import format_of_file

    reading, known = reading_for(model, reading, labels), _known_columns(model)
    is_sparse = (reading.get("format") or format_of_file(data)) in ("svmlight", "vw")
    if "columns" not in reading and _has_names(known) and not is_sparse:
        reading["columns"] = known
    for block in _blocks(data, reading):
        if block.n_columns != model.n_features_in_:
            raise FileError(
                f"{data} has {block.n_columns} columns of numbers; the model was fitted on "
                f"{model.n_features_in_}."
            )
        yield block


def reading_for(model: Any, given: dict[str, Any], labels: bool) -> dict[str, Any]:
    """How to read a file for this model, with labels or without."""
    reading = {**getattr(model, "reading_", {}), **given}
    label = getattr(model, "label_", None)
    if not has_texts(model):
        reading.pop("unseen", None)
    if labels:
        if label is not None:
            reading.setdefault("label", label)
        if model.classes_.dtype.kind == "U":  # though those of this file may all be numbers
            reading["labels"] = "as written"
        return reading
    if "label" in given:  # a column that is there, and is not asked
        reading["drop"] = (*reading.get("drop", ()), given["label"])
    return {**reading, "label": False}


def by_position(model: Any, block: Any) -> tuple[str, ...]:
    """What to say where columns have names, in the file or in the model, and are not taken by them.

    Then nobody can see whether they are in another order.
    """
    known = _known_columns(model) or []
    found = block.reading.get("columns", None if block.names is None else list(block.names))
    if known == found or not (_has_names(known) or _has_names(found)):
        return ()
    if not _has_names(known):
        return (
            f"the model knows its columns by their places alone: those of {block.source} "
            f"({first_few(found)}) are taken in their order, whatever they are called",
        )
    return (f"the columns of {block.source} are taken by their places as {first_few(known)}",)


def _known_columns(model: Any) -> list[str] | None:
    """The columns that the model learnt from, by name or by number; None where it knows neither."""
    known: list[str] | None = getattr(model, "reading_", {}).get("columns")
    names = getattr(model, "feature_names_in_", None)  # of a DataFrame
    return known if known is not None or names is None else [str(name) for name in names]


def _has_names(columns: list[str] | None) -> bool:
    return not all(name.isdecimal() for name in columns or ())


def has_texts(model: Any) -> bool:
    like = getattr(model, "reading_", {})
    return "encoding" in like and "bits" not in like


def _blocks(data: str, reading: dict[str, Any]) -> Iterator[Any]:
    """The blocks; an error says that they are unlike the rows that the model learnt."""
    from novikoff.io import scan

    if not is_file(data):
        yield built_in(data)[0]
        return
    unlike = f"{'standard input' if data == '-' else data} is not like the rows that the model"
    try:
        yield from scan(data, **reading)
    except FileError:
        raise
    except ParameterError as error:
        if has_option(error.parameter or ""):
            raise
        raise FileError(
            f"{unlike} learnt: it is another kind of file; give one of the same columns."
        ) from None
    except InputError as error:
        raise InputError(f"{unlike} learnt: {error}") from None
