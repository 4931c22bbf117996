"""What every command that takes DATA shares: its options, and how DATA becomes X and y."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from novikoff.errors import FileError


@dataclass(frozen=True, eq=False)
class Data:
    """X and y, where they come from, and the conventions a built-in set asks for."""

    X: Any
    y: Any
    source: str
    label: str | None = None
    conventions: dict[str, Any] = field(default_factory=dict)


def data_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """DATA and the options that say how to read it."""
    for decorate in reversed(
        [
            click.argument("data"),
            click.option("--label", metavar="COL", help="Label column: name or number, else last."),
            click.option("--positive", metavar="CLASS", help="Label of sign +; else the larger."),
            click.option(
                "--numbers",
                type=click.Choice(["decimal", "binary64"]),
                default="decimal",
                show_default=True,
                help="Take numbers as written, or as the nearest float64.",
            ),
        ]
    ):
        command = decorate(command)
    return command


def load_data(data: str, label: str | None, numbers: str) -> Data:
    """A built-in set by name, or a CSV file."""
    if data != "-" and not Path(data).exists():
        from novikoff import datasets
        from novikoff.errors import InputError

        looks_like_file = "/" in data or Path(data).suffix[1:].isalpha()
        try:
            found = datasets.load(data)
        except InputError as error:
            if looks_like_file:
                raise FileError(f"{data} does not exist.") from None
            raise FileError(f"{data!r} is neither a file nor a built-in set. {error}") from None
        return Data(found.X, found.y, data, conventions=dict(found.conventions))
    from novikoff.io import read_csv

    read = read_csv(data, label, numbers)
    return Data(read.table, read.y, read.source, read.label)
