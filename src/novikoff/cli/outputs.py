"""Which files a command reads and writes: no output is also an input, nor another output.

Files are compared by what they are, not by what they are called: a link is the file it leads to.
"""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from novikoff.files import descriptor_of

STDOUT = "standard output"


def check_files(inputs: Mapping[str, str | None], outputs: Mapping[str, str | None]) -> None:
    """Refuse an output that is also an input or another output; both by the names of options.

    An input may be a pattern, - or a built-in set. Devices such as /dev/null take anything.
    """
    read: dict[Any, str] = {}
    for option, given in inputs.items():
        for path in _files(given):
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


def _files(given: str | None) -> Iterator[str]:
    if given is not None and given != "-" and not Path(given).exists() and glob.has_magic(given):
        yield from glob.glob(given, recursive=True)  # noqa: PTH207 - a path's glob is relative
    elif given is not None:
        yield given


def _marks(path: str | None) -> list[tuple[Any, ...]]:
    """What a file is; nothing where that takes or gives anything, as a device does."""
    if path is None:
        return []
    descriptor: int | None
    if path in ("-", STDOUT):
        stream = sys.stdin if path == "-" else sys.stdout
        descriptor = _descriptor(stream)
        own = [("pipe", 0)] if path == "-" else []
    else:
        descriptor = descriptor_of(path)
        own = [("pipe", descriptor)] if descriptor in (0, 1) else []
    if descriptor is None and path in ("-", STDOUT):
        return own
    try:
        found = Path(path).stat() if descriptor is None else os.fstat(descriptor)
    except FileNotFoundError:
        return [("new", os.path.realpath(path))]
    except OSError:
        return own
    kinds = {stat.S_IFREG: "file", stat.S_IFBLK: "file", stat.S_IFIFO: "pipe"}
    kind = kinds.get(stat.S_IFMT(found.st_mode))
    if kind is None or ("pipe", 1) in own:  # standard output is marked where it is looked at
        return own
    return [*own, (kind, found.st_dev, found.st_ino)]


def _descriptor(stream: Any) -> int | None:
    try:
        return None if stream is None else int(stream.fileno())
    except (OSError, ValueError):
        return None
