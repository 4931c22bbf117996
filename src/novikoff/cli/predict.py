"""`novikoff predict`: the labels or scores that a model gives to the rows of a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from novikoff.cli import options as shared
from novikoff.cli.data import (
    by_position,
    check_files,
    has_texts,
    is_typed_in,
    reading_of,
    scan_for,
    tell,
)
from novikoff.cli.options import INPUT, OUTPUT, Command, option
from novikoff.cli.streams import end_with_the_reader, say, waiting
from novikoff.errors import InputError
from novikoff.wording import count

KNOWN_BY_THE_MODEL = ("missing", "keep", "categorical", "classes")
SUFFIXES = (".csv", ".tsv", ".parquet", ".npy")


@click.command(cls=Command)
@click.argument("model", type=INPUT)
@shared.DATA
@shared.reading_options(but=KNOWN_BY_THE_MODEL)
@option("--output", "-o", type=OUTPUT, metavar="FILE",
              help=f"A table ({' '.join(SUFFIXES)}) instead of lines on stdout.")  # fmt: skip
@option("--scores", is_flag=True, help="Scores instead of labels, a column for each line.")
@option("--unseen", type=click.Choice(["error", "zeros"]), default="error", of_files=True,
        show_default=True, help="A text that the model has not seen.")  # fmt: skip
@shared.QUIET
@shared.AS_JSON(help="A JSON object for each row on stdout.")
def predict(model: str, data: str, output: str | None, scores: bool, unseen: str,
            quiet: bool, as_json: bool, **options: Any) -> None:  # fmt: skip
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
    from novikoff.online import OnlinePerceptron

    if as_json and output:
        raise click.UsageError("--json prints to stdout; leave --output out.")
    fitted = models.read(model, {"OnlinePerceptron": OnlinePerceptron.from_stored})
    if isinstance(fitted, OnlinePerceptron):
        raise InputError(
            f"{model} holds a {type(fitted).__name__}; `novikoff stream --model {model}` predicts "
            "with it."
        )
    options |= dict.fromkeys(KNOWN_BY_THE_MODEL)
    reading = {**reading_of(options, "auto"), "unseen": unseen}
    if unseen != "error" and not has_texts(fitted):
        raise click.UsageError(f"--unseen is for models of text columns; {model} has none.")
    classes = fitted.classes_.tolist()
    named = classes[1:] if len(classes) == 2 else classes  # the class that a score is positive on
    columns = [str(plain(label)) for label in named] if scores else ["label"]

    def answers() -> Iterator[Any]:
        for n, block in enumerate(scan_for(fitted, data, reading, labels=False)):
            if not n:
                tell(by_position(fitted, block), quiet)
            yield fitted.decision_function(block) if scores else fitted.predict(block)

    if output:
        from novikoff.io.writing import write_table

        with waiting(f"reading {data}", quiet or is_typed_in(data)):
            written = write_table(output, columns, answers())
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
            _print(answers(), columns, scores, as_json)


def plain(label: Any) -> Any:
    """A label as people write it: 1.0 is 1."""
    return int(label) if isinstance(label, float) and label.is_integer() else label


def _print(blocks: Iterator[Any], columns: list[str], scores: bool, as_json: bool) -> None:
    from novikoff.io.writing import quoted

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
            written = repr if scores else lambda label: quoted(str(plain(label)))
            printed = [",".join(map(written, row)) for row in rows]
        sys.stdout.write("".join(f"{one}\n" for one in printed))
