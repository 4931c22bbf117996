"""`novikoff studio`: the perceptron to look at and to touch, in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli import options as shared
from novikoff.cli.data import check_files, is_file, reading_of
from novikoff.cli.options import Command, option, refuse_of_files
from novikoff.errors import FileError, InputError, no_file
from novikoff.files import check_output, opened_once, write_whole

if TYPE_CHECKING:
    from novikoff.studio.computations import Computations
    from novikoff.studio.files import OpenFile
    from novikoff.studio.lessons.shelf import OwnLesson
    from novikoff.studio.sources import Columns


@click.command(cls=Command)
@click.argument("data", required=False)
@shared.reading_options()
@option("--columns", metavar="A,B", needs=("data",), without=("projection",),
        help="The two columns to show, by name; else the two that differ most between the "
        "classes.")  # fmt: skip
@option("--projection", is_flag=True, needs=("data",),
        help="Show the first two principal components.")  # fmt: skip
@option("--lesson", metavar="NAME", without=("data",),
        help="Open a lesson of the studio's own: tour, or 000 to 004.")  # fmt: skip
@option("--output", "-o", type=click.Path(), metavar="HTML",
              help="Write the lesson or the set as one page that runs without Python, and open no "
              "studio; a folder takes all lessons, with an index.")  # fmt: skip
@option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True,
              help="0 is any.")  # fmt: skip
@option("--allow-host", multiple=True, metavar="NAME", help="Another name of this machine.")
@option("--browser/--no-browser", default=True, help="Open the browser.", show_default=True)
def studio(
    data: str | None, columns: str | None, projection: bool, lesson: str | None,
    output: str | None, **options: Any,
) -> None:  # fmt: skip
    """Open the studio: drag rows, step through the run, see the proof.

    DATA is a file in any format that the other commands read, - for standard input, a built-in
    set such as lecture:002, a link that a studio has shared, or a lesson: a Markdown file, shown
    anew whenever it is saved.

    \b
    Examples:
      novikoff studio
      novikoff studio lecture:002
      novikoff studio iris.csv --label species --projection
      novikoff studio cells.parquet --drop id
      novikoff studio lesson.md
      novikoff studio --lesson 002
      novikoff studio lesson.md --output lesson.html
      novikoff studio lecture:002 --output set.html
      novikoff studio --output site/
      novikoff studio "http://127.0.0.1:8765/#s1.eNq…"
    """
    try:
        from novikoff.studio.guard import kept_token
        from novikoff.studio.server import serve
    except ImportError as error:
        raise InputError(
            f"the studio needs {error.name}; install it with: pip install 'novikoff[studio]'"
        ) from None
    from novikoff.studio.computations import Computations
    from novikoff.studio.export import PREFIX, decode
    from novikoff.studio.lessons.handout import handout, set_page
    from novikoff.studio.session import Session, first_state
    from novikoff.studio.sources import PROJECTION, load_set, open_columns
    from novikoff.studio.state import LessonPlace

    reading = reading_of(options)
    del reading["labels"]
    if reading["missing"] == "error":
        del reading["missing"]  # the studio shows no more than what was asked for
    given: Columns | None = None
    opened: OpenFile | None = None
    own: OwnLesson | None = None
    is_link = data is not None and PREFIX in data and not Path(data).exists()
    is_lesson = data is not None and Path(data).suffix.lower() in (".md", ".markdown")
    if output is not None:
        _check_page(data, lesson, output)
    if data is None or is_link or is_lesson:
        refuse_of_files(f"goes with {'a table' if is_lesson else 'DATA'}.")
        if columns is not None or projection:
            typed = "--columns" if columns else "--projection"
            what = "lesson" if is_lesson else "link"
            raise click.UsageError(f"{typed} does not go with a {what}, which says it itself.")
        state = first_state()
    if data is None:
        if output is not None:
            return _write_lessons(lesson, output)
        if lesson is not None:
            state = Session(state).at_step(LessonPlace(lesson))
    elif is_link:
        state = decode(data, (640.0, 480.0))
    elif is_lesson:
        computations = Computations()
        own = opened_lesson(data, computations)
        if output is not None:
            page = handout(own.lesson, computations, f"novikoff studio {own.path.name}")
            return _write_page(page, output)
    else:
        if is_file(data):
            opened = opened_file(data, reading)
            given = opened.columns(asks=False)
        elif "/" in data or Path(data).suffix[1:].isalpha():
            raise no_file(data)
        else:
            given = load_set(data)
            refuse_of_files(f"is about files, and {data} is a built-in set; leave it out.")
        chosen: Any = PROJECTION if projection else None
        if columns is not None:
            wanted, names = [name.strip() for name in columns.split(",")], given.names
            if len(wanted) != 2 or not set(wanted) <= set(names):
                raise click.BadParameter(
                    f"{columns!r} is not two of {', '.join(names[:12])}.", param_hint="--columns"
                )
            chosen = [names.index(name) for name in wanted]
        state = open_columns(given, chosen)
    if output is not None:
        page = set_page(state, Computations(given, opened), f"novikoff studio {data}")
        return _write_page(page, output)
    port = options["port"]
    serve(
        lambda: Session(state, given, opened, own),
        host=options["host"],
        port=port,
        open_browser=options["browser"],
        also=options["allow_host"],
        token=kept_token(port),
    )


def opened_file(data: str, reading: dict[str, Any]) -> OpenFile:
    """A file by its path; what can be read only once is read here."""
    from novikoff.studio.files import MOST_BYTES, OpenFile

    if Path(data).is_dir():
        raise FileError(f"{data} is a folder; give a file.")
    with opened_once(data) as stream:
        if stream is not None:
            name = "standard input" if data == "-" else Path(data).name
            return OpenFile(name, "given", data, raw=stream.read(MOST_BYTES + 1), reading=reading)
    if not Path(data).exists():
        raise no_file(data)
    return OpenFile(Path(data).name, "given", data, path=Path(data), reading=reading)


def opened_lesson(data: str, computations: Computations) -> OwnLesson:
    """A lesson by its path; a slip anywhere in it is an error now, not in front of a class."""
    from novikoff.studio.lessons.shelf import OwnLesson, tried

    own = OwnLesson.open(Path(data))
    try:
        tried(own.lesson, computations)
    except InputError as error:
        raise InputError(f"{data}: {error}") from None
    return own


def _check_page(data: str | None, lesson: str | None, output: str) -> None:
    """Raise where the page cannot be written, before any work is done."""
    is_folder = output.endswith("/") or Path(output).is_dir()
    if data is None and lesson is None and not is_folder:
        raise click.UsageError(
            f"--output {output} is one page; name a lesson (--lesson 002, or lesson.md) or a set, "
            "or give a folder such as site/ for all lessons."
        )
    if is_folder and (data is not None or lesson is not None):
        raise click.UsageError(f"--output {output} is a folder; name a file such as lesson.html.")
    if not is_folder:
        check_output(output)
        check_files({"DATA": data}, {"--output": output})


def _write_lessons(lesson: str | None, output: str) -> None:
    """Write one lesson of the studio's own, or all of them with an index."""
    from novikoff.studio.lessons.handout import index_page, lesson_page
    from novikoff.studio.lessons.shelf import SHIPPED

    if lesson is not None:
        return _write_page(lesson_page(lesson), output)
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{output} cannot be made: {error.strerror}.") from None
    for name, following in zip(SHIPPED, (*SHIPPED[1:], None), strict=True):
        _write_page(lesson_page(name, following), str(folder / f"{name}.html"))
    return _write_page(index_page(), str(folder / "index.html"))


def _write_page(page: str, output: str) -> None:
    write_whole(output, page.encode())
    print(f"Wrote {output}.", file=sys.stderr)
