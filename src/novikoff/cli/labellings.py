"""`novikoff certify` for many labellings of the same rows: a file of labels, or several columns."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from novikoff.cli.data import check_files
from novikoff.cli.options import INPUT, OUTPUT, option
from novikoff.cli.question import Question
from novikoff.cli.streams import say, waiting
from novikoff.errors import FileError, InputError
from novikoff.files import write_whole
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.io import Data

SINGLE = ("against", "model", "proof", "rows", "report", "require", "cache", "rocq")

LABELLING_OPTIONS = (
    option("--labels", type=INPUT, metavar="FILE", without=("label", *SINGLE),
           help="A labelling of the rows in each column: npy, or CSV or TSV with a header."),
    option("--table", type=OUTPUT, help="Write the table of labellings: FILE.csv or FILE.json."),
    option("--proofs", type=click.Path(file_okay=False), metavar="DIR",
           help="Write the proof of each labelling into this folder."),
    option("--jobs", type=int, argument="n_jobs",
           help="Threads for labellings that are not decided together; -1 for all cores."),
)  # fmt: skip


def certify_labellings(
    data: str, options: dict[str, Any], table: str | None, proofs: str | None, jobs: int | None
) -> None:
    """Decide all labellings, print the table, and write what is wanted."""
    from novikoff.io.writing import harmless
    from novikoff.verdicts.certify import certify

    labels = options["labels"]
    for name in SINGLE:
        if options.get(name) is not None:
            raise click.UsageError(f"--{name} is for one labelling; leave it out.")
    if table is not None and not table.endswith((".csv", ".json")):
        raise click.UsageError(f"--table is {table}; the name must end in .csv or .json.")
    check_files({"DATA": data, "--labels": labels}, {"--table": table})
    names = () if labels is not None else options["label"]
    Y: Any = _columns(data, names, options)
    question = Question.of(data, {**options, "label": None, "drop": (*options["drop"], *names)})
    question.reading["label"] = False
    read, positive, arguments = question.read()
    if labels is not None:
        read = replace(read, y=None, label=None)  # a built-in set has labels of its own
        Y = _labels_of_rows(read, labels)
    with waiting(f"certifying {count(len(Y), 'labelling')}", question.quiet):
        found = certify(read, Y, positive=positive, n_jobs=jobs, progress=False, **arguments)
    question.show(found, is_table=True)
    if table is not None:
        text = io.StringIO()
        if table.endswith(".json"):
            print(json.dumps(found.to_dict(), indent=1), file=text)
        else:  # a name that a spreadsheet would compute gets an apostrophe
            lines = found.lines()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(lines[0])
            writer.writerows([harmless(cell) for cell in line.values()] for line in lines)
        write_whole(table, text.getvalue().encode())
        say(f"wrote the table to {table}.", question.quiet)
    if proofs is not None:
        paths = found.save(proofs)
        say(f"wrote {count(len(paths), 'proof')} to {proofs}.", question.quiet)


def with_labels(read: Data, path: str, name: str | None) -> Data:
    """The rows that have a label in one column of a file of labels, with these labels."""
    import numpy as np

    from novikoff.inputs import read_table
    from novikoff.inputs.labels import without_missing

    columns = _labels_of_rows(read, path)
    if name not in columns:
        raise FileError(f"{path} has no labelling {name!r}, which the proof is about.")
    if len(columns[name]) != read.n_rows:
        raise InputError(
            f"{read.source} has {read.n_rows} rows, and labelling {name!r} of {path} has "
            f"{len(columns[name])} labels."
        )
    rows, labels = without_missing(columns[name])
    X = read.X if rows is None else read_table(read.X).take(rows)
    return replace(read, X=X, y=np.asarray(labels), label=name)


def _labels_of_rows(read: Data, path: str) -> dict[str, Any]:
    """The columns of a file of labels, without the rows that were left out of DATA."""
    columns = _read_labels(Path(path), read.options.get("na", ()))
    if not read.n_dropped:
        return columns
    n_rows, kept = read.n_rows + read.n_dropped, read.row_numbers
    for name, column in columns.items():
        if len(column) != n_rows:
            raise InputError(
                f"{read.source} has {n_rows} rows, those left out included, and labelling {name!r} "
                f"of {path} has {len(column)} labels; one is needed for each row of the file."
            )
    return {
        name: [column[k] for k in kept] if isinstance(column, list) else column.take(kept)
        for name, column in columns.items()
    }


def _columns(data: str, names: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The columns that are named as labels: the file is read for each."""
    if names and (data == "-" or not Path(data).is_file()):
        raise click.UsageError("several --label need a file, which is read once for each of them.")
    if names and options["missing"] != "error":
        raise click.UsageError("several --label do not go with --missing drop; use --labels.")
    if len(set(names)) < len(names):
        raise click.UsageError("a column is named twice with --label.")
    columns: dict[str, Any] = {}
    for name in names:
        others = (other for other in names if other != name)
        own = {**options, "label": name, "drop": (*options["drop"], *others), "quiet": True}
        found = Question.of(data, own).read()[0]
        columns[found.label or name] = found.y  # a column may be named by its number
    return columns


def _read_labels(path: Path, na: Any) -> dict[str, Any]:
    """The columns of a file of labels, by name; `na` are further words for a missing label.

    A table of text has a line of names above it. A blank line is a missing label where there is
    one labelling, and nothing where there are more.
    """
    import numpy as np

    from novikoff.io.fields import is_missing

    if not path.is_file():
        raise FileError(f"{path} is no file; --labels needs one with a labelling in each column.")
    if path.suffix not in (".npy", ".csv", ".tsv"):
        raise FileError(
            f"{path} does not end in .csv, .tsv or .npy; labels are read from such files."
        )
    if path.suffix == ".npy":
        try:
            array = np.load(path, allow_pickle=False)
        except (ValueError, OSError, EOFError):
            raise FileError(
                f"{path} cannot be read as an array of labels: it is damaged, or holds objects."
            ) from None
        if not isinstance(array, np.ndarray) or array.ndim != 2:
            raise FileError(f"{path} holds no array of rows and columns; --labels needs one.")
        return {str(k): array[:, k] for k in range(array.shape[1])}
    try:
        text = io.StringIO(path.read_text(encoding="utf-8-sig").rstrip("\r\n"), newline="")
        reader = csv.reader(text, delimiter="\t" if path.suffix == ".tsv" else ",")
        lines = list(dropwhile(lambda one: not one[1], ((reader.line_num, row) for row in reader)))
    except (UnicodeDecodeError, csv.Error, ValueError) as error:
        raise FileError(f"{path} cannot be read as a table of text: {error}.") from None
    if not lines:
        raise FileError(f"{path} is empty; --labels needs one with a labelling in each column.")
    names, width = lines[0][1], len(lines[0][1])
    if len(set(names)) < width:
        raise FileError(f"{path} has two columns of one name; rename one of them.")
    rows = [(number, line or [""]) for number, line in lines[1:] if line or width == 1]
    for number, row in rows:
        if len(row) != width:
            raise FileError(
                f"{path} has {len(row)} fields in its line {number}, and {width} names in the "
                "first; every line needs a label, or nothing between commas, for each name."
            )
    return {
        name: [None if is_missing(row[k]) or row[k] in na else row[k] for _, row in rows]
        for k, name in enumerate(names)
    }
