"""`novikoff studio`: the perceptron to look at and to touch, in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.option import Command, option, refuse_of_files
from novikoff.errors import FileError, InputError

if TYPE_CHECKING:
    from novikoff.studio.sources import Columns


@click.command(cls=Command, short_help="Drag rows and step through runs in the browser.")
@click.argument("data", required=False)
@option(
    "--label",
    metavar="COL",
    needs=("data",),
    of_files=True,
    help="Label column of a CSV file: its name, else last.",
)
@option(
    "--columns",
    metavar="A,B",
    needs=("data",),
    without=("projection",),
    help="The two columns to show, by name; else the first.",
)
@option(
    "--projection", is_flag=True, needs=("data",), help="Show the first two principal components."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 is any."
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="Another name of this machine.")
@click.option("--browser/--no-browser", default=True, help="Open the browser.", show_default=True)
def studio(
    data: str | None, label: str | None, columns: str | None, projection: bool, **options: Any
) -> None:
    """Open the studio: drag rows, step through the run, see the proof.

    DATA is a CSV file, - for standard input, a built-in set such as lecture:002, or a link that
    a studio has shared.

    \b
    Examples:
      novikoff studio
      novikoff studio lecture:002
      novikoff studio iris.csv --label species --projection
      novikoff studio "http://127.0.0.1:8765/#s1.eNq…"
    """
    try:
        from novikoff.studio.server import serve
    except ImportError as error:
        raise InputError(
            f"the studio needs {error.name}; install it with: pip install 'novikoff[studio]'"
        ) from None
    from novikoff.studio.session import Session
    from novikoff.studio.share import PREFIX, decode
    from novikoff.studio.sources import PROJECTION, load_set, open_columns

    given: Columns | None = None
    if data is None:
        state = open_columns(load_set("lecture:002"))
    elif PREFIX in data and not Path(data).exists():
        for name, value in (("label", label), ("columns", columns), ("projection", projection)):
            if value:
                raise click.UsageError(f"--{name} does not go with a link, which says it itself.")
        state = decode(data, (640.0, 480.0))
    else:
        given = _given(data, label)
        chosen: Any = PROJECTION if projection else _places(columns, given.names)
        state = open_columns(given, chosen)
    serve(
        lambda: Session(state, given),
        host=options["host"],
        port=options["port"],
        open_browser=options["browser"],
        also=options["allow_host"],
    )


def _given(data: str, label: str | None) -> Columns:
    """A file, standard input or a built-in set."""
    from dataclasses import replace

    from novikoff.studio.sources import load_set, read_csv_text

    if data != "-" and not Path(data).exists():
        if "/" in data or Path(data).suffix[1:].isalpha():
            raise FileError(f"{data} does not exist.")
        found = load_set(data)
        refuse_of_files(data)
        return found
    try:
        raw = sys.stdin.buffer.read() if data == "-" else Path(data).read_bytes()
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise FileError(f"{data} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise FileError(f"{data} is not UTF-8 text; save the file as UTF-8.") from None
    name = "standard input" if data == "-" else Path(data).name

    def read(label: str | None) -> Columns:
        table = read_csv_text(text, name, label)
        return replace(table, source={**table.source, "kind": "given"}, reread=read)

    return read(label)


def _places(columns: str | None, names: tuple[str, ...]) -> list[int] | None:
    if columns is None:
        return None
    wanted = [name.strip() for name in columns.split(",")]
    unknown = [name for name in wanted if name not in names]
    if len(wanted) != 2 or unknown:
        raise click.BadParameter(
            f"{columns!r} is not two of {', '.join(names[:12])}.", param_hint="--columns"
        )
    return [names.index(name) for name in wanted]
