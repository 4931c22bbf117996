"""`novikoff predict`: the labels or scores that a model gives to the rows of a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from novikoff.cli import shared_options as shared
from novikoff.cli.dask import cluster
from novikoff.cli.data import built_in, is_file, is_typed_in, reading_of, tell
from novikoff.cli.messages import has_option
from novikoff.cli.option import Command, option
from novikoff.cli.outputs import OUTPUT, check_files
from novikoff.cli.progress import waiting
from novikoff.cli.streams import end_with_the_reader
from novikoff.cli.terminal import say
from novikoff.errors import FileError, InputError, ParameterError
from novikoff.files import descriptor_of
from novikoff.wording import count

KNOWN_BY_THE_MODEL = ("missing", "keep", "categorical", "classes")
SUFFIXES = (".csv", ".tsv", ".parquet", ".arrow", ".feather", ".npy")


@click.command(cls=Command)
@click.argument("model", type=click.Path(dir_okay=False))
@shared.DATA
@shared.reading_options(but=KNOWN_BY_THE_MODEL)
@click.option("--output", "-o", type=OUTPUT, metavar="FILE",
              help=f"A table ({' '.join(SUFFIXES)}) instead of lines on stdout.")  # fmt: skip
@option(
    "--scores",
    is_flag=True,
    without=("dask",),
    help="Scores instead of labels, a column for each line.",
)
@option("--unseen", type=click.Choice(["error", "zeros"]), default="error", of_files=True,
        show_default=True, help="A text that the model has not seen.")  # fmt: skip
@shared.DASK
@shared.QUIET
@shared.as_json("A JSON object for each row on stdout.")
def predict(model: str, data: str, output: str | None, scores: bool, unseen: str,
            dask: str | None, quiet: bool, as_json: bool, **options: Any) -> None:  # fmt: skip
    """Predict a label for each row of DATA, in its order.

    MODEL knows the columns that it was fitted on: of a table with a header they are taken by
    their names, whatever their order, and all others, such as the label's, are left out; where
    names are lacking, columns are taken by their places, and that is said. Rows go through block
    by block, so DATA may be larger than memory.

    \b
    Examples:
      novikoff predict spam.safetensors new.csv
      novikoff predict spam.safetensors new.csv --scores -o scores.parquet
      zcat rows.svm.gz | novikoff predict model.safetensors - --format svmlight > labels.txt
      ssh host cat model.safetensors | novikoff predict - new.csv
    """
    check_files({"MODEL": model, "DATA": data}, {"--output": output})
    from novikoff import models
    from novikoff.model_format import begins_as_model
    from novikoff.online import OnlinePerceptron

    if as_json and output:
        raise click.UsageError("--json prints to stdout; leave --output out.")
    if Path(model).is_file() and descriptor_of(model) is None and not begins_as_model(model):
        raise FileError(
            f"{model} is no model file, and MODEL, the first argument, is one that `novikoff fit "
            "-o` has saved."
        )
    fitted = models.read(model, {"OnlinePerceptron": OnlinePerceptron.from_stored})
    if isinstance(fitted, OnlinePerceptron):
        raise InputError(
            f"{model} holds a {type(fitted).__name__}; `novikoff stream --model {model}` predicts "
            "with it."
        )
    options |= dict.fromkeys(KNOWN_BY_THE_MODEL)
    reading = {**reading_of(options, "auto"), "unseen": unseen}
    if unseen != "error" and not _has_texts(fitted):
        raise click.UsageError(f"--unseen is for models of text columns; {model} has none.")
    if dask is None:
        blocks = _answers(fitted, data, reading, scores, quiet)
    else:
        blocks = _answers_on(dask, fitted, data, reading, quiet)
    columns = _columns(fitted) if scores else ["label"]
    if output:
        from novikoff.io.writing import write_table

        with waiting(f"reading {data}", quiet or is_typed_in(data)):
            written = write_table(output, columns, blocks)
        say(f"wrote {count(written.rows, 'row', ',')} to {output}.", quiet)
        if written.guarded:
            say(
                f"{written.guarded:,} of its cells would be formulas in a spreadsheet, and have an "
                "apostrophe before them."
            )
    else:
        end_with_the_reader()
        is_seen = sys.stdout.isatty()  # the answers themselves are signs of life
        with waiting(f"reading {data}", quiet or is_seen or is_typed_in(data)):
            _print(blocks, columns, scores, as_json)


def scan_for(model: Any, data: str, reading: dict[str, Any], labels: bool) -> Iterator[Any]:
    """Blocks of DATA with the columns that the model was fitted on."""
    reading = reading_for(model, reading, labels)
    known = _known_columns(model)
    if "columns" not in reading and _has_names(known) and not _is_sparse(data, reading):
        reading["columns"] = known
    for block in _blocks(data, reading):
        if block.n_columns != model.n_features_in_:
            raise FileError(
                f"{data} has {block.n_columns} columns of numbers; the model was fitted on "
                f"{model.n_features_in_}."
            )
        yield block


def reading_for(model: Any, reading: dict[str, Any], labels: bool) -> dict[str, Any]:
    """How to read a file for this model, with labels or without."""
    like = dict(getattr(model, "reading_", {}))
    label = getattr(model, "label_", None)
    given = dict(reading)
    reading = {**like, **reading}
    if not _has_texts(model):
        reading.pop("unseen", None)
    if labels:
        if label is not None:
            reading.setdefault("label", label)
        if model.classes_.dtype.kind == "U":  # though those of this file may all be numbers
            reading["labels"] = "as written"
    else:
        reading["label"] = False
        if "label" in given:  # a column that is there, and is not asked
            reading["drop"] = (*reading.get("drop", ()), given["label"])
    return reading


def _by_position(model: Any, block: Any) -> tuple[str, ...]:
    """What to say where columns have names, in the file or in the model, and are not taken by them.

    Then nobody can see whether they are in another order.
    """
    known = _known_columns(model) or []
    found = block.reading.get("columns", None if block.names is None else list(block.names))
    if known == found or not (_has_names(known) or _has_names(found)):
        return ()
    if not _has_names(known):
        few = ", ".join(map(repr, found[:5])) + ", …" * (len(found) > 5)
        return (
            f"the model knows its columns by their places alone: those of {block.source} ({few}) "
            "are taken in their order, whatever they are called",
        )
    few = ", ".join(map(repr, known[:5])) + ", …" * (len(known) > 5)
    return (f"the columns of {block.source} are taken by their places as {few}",)


def _known_columns(model: Any) -> list[str] | None:
    """The columns that the model learnt from, by name or by number; None where it knows neither."""
    known: list[str] | None = getattr(model, "reading_", {}).get("columns")
    names = getattr(model, "feature_names_in_", None)  # of a DataFrame
    return known if known is not None or names is None else [str(name) for name in names]


def _is_sparse(data: str, reading: dict[str, Any]) -> bool:
    """Whether DATA is of a format whose columns have no names."""
    from novikoff.io.formats import format_of_file

    return (reading.get("format") or format_of_file(data)) in ("svmlight", "vw")


def _has_names(columns: list[str] | None) -> bool:
    return not all(name.isdecimal() for name in columns or ())


def _has_texts(model: Any) -> bool:
    like = getattr(model, "reading_", {})
    return "encoding" in like and "bits" not in like


def _blocks(data: str, reading: dict[str, Any]) -> Iterator[Any]:
    from novikoff.io import scan

    if not is_file(data):
        yield built_in(data).data
        return
    named = "standard input" if data == "-" else data
    try:
        yield from scan(data, **reading)
    except FileError:
        raise
    except ParameterError as error:
        if error.parameter == "drop":  # as which --label is taken, too
            raise click.UsageError(
                f"{data} is no table with columns to leave out; leave --label and --drop out."
            ) from None
        if has_option(error.parameter or ""):
            raise
        raise FileError(
            f"{named} is not like the rows that the model learnt: it is another kind of file; give "
            "one of the same columns."
        ) from None
    except InputError as error:
        raise InputError(f"{named} is not like the rows that the model learnt: {error}") from None


def _answers(
    model: Any, data: str, reading: dict[str, Any], scores: bool, quiet: bool
) -> Iterator[Any]:
    for n, block in enumerate(scan_for(model, data, reading, labels=False)):
        if not n:
            tell(_by_position(model, block), quiet)
        yield model.decision_function(block) if scores else model.predict(block)


def _answers_on(
    dask: str, model: Any, data: str, reading: dict[str, Any], quiet: bool
) -> Iterator[Any]:
    with cluster(dask, quiet) as distributed:
        yield distributed.predict(model, data, **reading_for(model, reading, False)).compute()


def _columns(model: Any) -> list[str]:
    """What the columns of scores are called: the class that each is positive on."""
    labels = model.classes_[1:] if len(model.classes_) == 2 else model.classes_
    return [str(plain(label)) for label in labels.tolist()]


def plain(label: Any) -> Any:
    """A label as people write it: 1.0 is 1."""
    return int(label) if isinstance(label, float) and label.is_integer() else label


def _print(blocks: Iterator[Any], columns: list[str], scores: bool, as_json: bool) -> None:
    from novikoff.io.cells import quoted

    if scores and not as_json:
        sys.stdout.write(",".join(map(quoted, columns)) + "\n")
    for block in blocks:
        rows = block.reshape(len(block), -1).tolist()
        if as_json:
            key = "scores" if scores else "label"
            printed = [
                json.dumps({key: dict(zip(columns, row, strict=True)) if scores else plain(row[0])})
                for row in rows
            ]
        else:
            printed = [",".join(quoted(str(plain(value))) if not scores else repr(value)
                              for value in row) for row in rows]  # fmt: skip
        sys.stdout.write("".join(f"{one}\n" for one in printed))  # click would cut escapes out
