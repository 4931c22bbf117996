"""`novikoff stream`: learn from rows as they arrive, predicting each before it is learnt."""

from __future__ import annotations

import hashlib
import io
import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click

from novikoff.cli import options as shared
from novikoff.cli.data import check_files
from novikoff.cli.messages import in_options
from novikoff.cli.options import INPUT, OUTPUT, Command, option
from novikoff.cli.streams import Answers, ShownBytes, end_with_the_reader, is_closed, say
from novikoff.errors import FileError, InputError
from novikoff.files import is_replaced, open_into, output_errors
from novikoff.wording import count, keyword

TABLE = "{:>11} {:>11} {:>11} {:>11}   {:<15} {:<15}"
READING = ("label", "header", "missing", "na", "classes", "skip_rows", "text_encoding", "drop",
           "keep", "categorical", "delimiter", "decimal", "thousands")  # fmt: skip


@click.command(cls=Command)
@click.argument("data", default="-")
@option("--format", type=click.Choice(["jsonl", "csv", "tsv", "svmlight", "vw"]),
              help="Else by the name, or the first line where that leaves no doubt.")  # fmt: skip
@shared.reading_options(*READING)
@shared.TIE
@shared.INTERCEPT
@option("--model", type=INPUT, metavar="IN", help="Start from this model.")
@option("-o", "--output", type=OUTPUT, metavar="OUT", help="Save the model here at the end.")
@option("--predictions", type=OUTPUT, metavar="FILE", help="Write them here, not to stdout.")
@option("--checkpoint", type=OUTPUT, metavar="FILE", help="Save here, to go on by --resume.")
@option("--every", type=click.IntRange(1), default=10_000, show_default=True,
        needs=("checkpoint",), help="Rows between checkpoints.")  # fmt: skip
@option("--resume", is_flag=True, needs=("checkpoint",),
        help="Go on from the checkpoint, if there is one.")  # fmt: skip
@option("--quiet", "-q", is_flag=True, help="No table of the accuracy on stderr.")
@shared.AS_JSON(help="A summary as one JSON object on stderr.")
def stream(data: str, **options: Any) -> None:
    """Learn from the rows of DATA (- for standard input) as they arrive.

    Every row is predicted before it is learnt: predictions go to stdout, one a line, and the
    accuracy so far to stderr after 1, 2, 4, … rows. A row without a label is only predicted.
    With --checkpoint a run that was killed goes on by --resume and the same input, and ends with
    the same model and the same --predictions file, bit for bit, as if nothing had happened.
    When the reader of the predictions leaves, as `head` does, the run ends, unless a model or a
    checkpoint is to be written: then it goes on in silence.

    \b
    Formats:
      jsonl     one object a line; numbers are features, a word is a feature name=word
      csv, tsv  features by the names in the header; the label is the last column, or --label
      svmlight  label index:value …
      vw        label importance 'tag|space name:value …, with importances as row weights

    \b
    Examples:
      tail -f clicks.jsonl | novikoff stream --label clicked
      novikoff stream day1.csv --label fraud -o fraud.safetensors > predictions.txt
      novikoff stream day2.csv --label fraud --model fraud.safetensors -o fraud.safetensors
      novikoff stream big.svm --checkpoint big.ckpt --every 100000 --predictions p.txt --resume
    """
    import numpy as np

    model, output, checkpoint = options["model"], options["output"], options["checkpoint"]
    others = {"--predictions": options["predictions"], "--checkpoint": checkpoint}
    check_files({"DATA": data}, {"--output": output, **others})
    check_files({"--model": model}, others)  # a model may take the place of the one it began as
    if checkpoint is not None and not is_replaced(checkpoint):
        raise click.UsageError(f"--checkpoint {checkpoint} is no regular file; name one.")
    np.seterr(over="ignore", invalid="ignore")  # such scores are decided exactly
    saved = []
    with _prepared(data, options) as (job, resumed):
        is_stopped = _is_stopped(job)
        if output and job.model.classes_:
            job.model.save(output)
            saved.append(f"the model to {output}")
        elif output and not is_stopped:
            raise InputError(
                f"no row of {job.feed.name} had a label, so there is no model to save."
            )
        if checkpoint:
            if is_stopped:
                job.save()
            saved.append(f"a checkpoint to {checkpoint}" + " (go on by --resume)" * is_stopped)
    label, note = getattr(job.reader, "label", None), getattr(job.reader, "note", None)
    notes = [] if note is None else [in_options(note)]  # what was left out without being asked to
    if is_stopped:
        what = f"saved {' and '.join(saved)}" if saved else "nothing was saved"
        say(f"stopped after {count(job.progress.rows, 'row', ',')}; {what}.")
    elif not options["quiet"]:
        _tell(job, label, notes, saved)
    if options["as_json"]:
        progress, learnt = job.progress, job.model
        labelled, wrong = progress.labelled, progress.wrong
        facts = {
            "rows": progress.rows, "labelled": labelled, "dropped": progress.dropped,
            "mistakes": wrong, "accuracy": (labelled - wrong) / labelled if labelled else None,
            "updates": learnt.n_mistakes_, "classes": learnt.classes_, "label": label,
            "features": len(learnt.names_), "notes": notes, "format": progress.format,
            "resumed_from": resumed or None, "stopped": is_stopped,
            "model": output if learnt.classes_ else None, "checkpoint": checkpoint,
            "predictions": options["predictions"],
        }  # fmt: skip
        print(json.dumps(facts), file=sys.stderr)
    if is_stopped:
        sys.exit(130)


@contextmanager
def _prepared(data: str, options: dict[str, Any]) -> Iterator[tuple[Any, int]]:
    """The stream, ready to run, and the rows it has behind it."""
    from novikoff.io.options import options as read_options
    from novikoff.online.stream.checkpoint import Progress, load_checkpoint
    from novikoff.online.stream.feed import Feed
    from novikoff.online.stream.stream import Stream

    model = _first_model(options)
    path, checkpoint = options["model"], options["checkpoint"]
    table = {name: options[name] for name in READING if options[name] not in (None, ())}
    fixed = {
        **{name: list(v) if isinstance(v, tuple) else v for name, v in table.items()},
        "format": options["format"],
        "tie": model.tie,
        "intercept": model.fit_intercept,
        "model": hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16] if path else None,
        "predictions": "FILE" if options["predictions"] else None,
    }
    progress = Progress()
    if options["resume"] and Path(checkpoint).exists():
        output = options["output"]
        is_own = bool(path and output) and Path(output).exists() and Path(path).samefile(output)
        model, progress = load_checkpoint(checkpoint, fixed, is_own)
    feed = Feed(data, options["text_encoding"], options["skip_rows"] or 0)
    goes_on = bool(options["output"] or checkpoint)  # when nobody reads the predictions any more
    with feed.open(), _predictions(options["predictions"], progress.predictions, goes_on) as out:
        job = Stream(
            feed,
            model,
            out,
            format=options["format"],
            given=read_options(**table),
            checkpoint=checkpoint,
            every=options["every"],
            options=fixed,
            report=None if options["quiet"] else _report,
            progress=progress,
        )
        yield job, progress.rows


def _first_model(options: dict[str, Any]) -> Any:
    from novikoff.model_format import read_stored
    from novikoff.online import OnlinePerceptron
    from novikoff.online.stream.checkpoint import model_in

    tie, intercept, path = options["tie"], options["intercept"], options["model"]
    if path is None:
        return OnlinePerceptron(
            tie=tie or "mistake", fit_intercept=True if intercept is None else intercept
        )
    model = model_in(read_stored(path), path)
    if tie not in (None, model.tie) or intercept not in (None, model.fit_intercept):
        raise click.UsageError(
            f"{path} was learnt with {keyword('tie', model.tie)} and "
            f"{keyword('fit_intercept', model.fit_intercept)}; leave these options out."
        )
    return model


@contextmanager
def _predictions(path: str | None, length: int, goes_on: bool) -> Iterator[BinaryIO]:
    """Where predictions go; of a file, the first `length` bytes stay."""
    if path is None:
        if is_closed():
            raise FileError("standard output is closed; say where to write, by --predictions.")
        if not goes_on:
            end_with_the_reader()
        yield ShownBytes() if sys.stdout.isatty() else sys.stdout.buffer  # type: ignore[misc]
        return
    if not is_replaced(path):
        with output_errors(path), open_into(path) as device:
            answers = Answers(device)
            answers.ends = not goes_on
            with io.BufferedWriter(answers) as out:
                yield out
            if answers.lost:
                raise FileError(f"cannot write {path}: {answers.lost}.")
        return
    try:
        with Path(path).open("r+b" if length else "wb") as file:
            if length:
                if file.seek(0, 2) < length:
                    raise FileError(
                        f"{path} is shorter than the checkpoint says; give the file of the run "
                        "that is resumed, or leave --resume out to start anew."
                    )
                file.truncate(length)
                file.seek(length)
            yield file
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}.") from None


def _is_stopped(job: Any) -> bool:
    """Run to the end, or to Ctrl-C."""

    def stop(_signal: int, _frame: Any) -> None:
        job.is_stopped = True
        if job.feed.is_waiting:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        job.run()
    except KeyboardInterrupt:
        return True
    except BrokenPipeError:  # the reader of our predictions left, and nothing else is wanted
        raise click.exceptions.Exit(0) from None
    finally:
        signal.signal(signal.SIGINT, before)
    return bool(job.is_stopped)


def _report(progress: Any, label: Any, guess: Any) -> None:
    """One line of the table, and before the first its head."""
    if progress.next_report == 1:
        for head in (
            ("rows", "mistakes", "accuracy", "accuracy", "last", "last"),
            ("", "since last", "since last", "so far", "label", "prediction"),
        ):
            print(TABLE.format(*head).rstrip(), file=sys.stderr)
    rows = progress.labelled - progress.labelled_then
    wrong = progress.wrong - progress.wrong_then
    line = TABLE.format(
        f"{progress.rows:,}",
        f"{wrong:,}",
        _share(rows - wrong, rows),
        _share(progress.labelled - progress.wrong, progress.labelled),
        _short(label),
        _short(guess),
    )
    print(line.rstrip(), file=sys.stderr)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.4f}" if whole else "-"


def _short(label: Any) -> str:
    text = "-" if label is None else str(label)
    return text if len(text) <= 15 else f"{text[:14]}…"


def _tell(job: Any, label: Any, notes: list[str], saved: list[str]) -> None:
    """What came of it all, in a sentence."""
    progress = job.progress
    right = progress.labelled - progress.wrong
    idle = progress.rows - progress.labelled - progress.dropped
    text = f"{count(progress.rows, 'row', ',')}, {count(progress.wrong, 'mistake', ',')}"
    text += f", accuracy {_share(right, progress.labelled)}" if progress.labelled else ""
    text += f", {progress.dropped:,} dropped" if progress.dropped else ""
    text += f", {idle:,} not learnt, for want of a label or of weight" if idle else ""
    text += f"; {count(len(job.model.classes_), 'class')}"
    text += "" if label is None else f" of {label!r}"
    text += f", {count(len(job.model.names_), 'feature', ',')}"
    parts = [text, *notes, *[f"saved {' and '.join(saved)}"] * bool(saved)]
    print(f"{'; '.join(parts)}.", file=sys.stderr)
