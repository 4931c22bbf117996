"""A stream: every row is predicted before it is learnt, and the run can be broken off and go on.

Invariant: after k rows, the model, the predictions and the counters are functions of these k
rows and the options alone, whatever pieces the input came in and however often it was resumed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from novikoff.errors import FileError, InputError
from novikoff.io.chunks import TextError, without_mark
from novikoff.io.labels import WantedLabels
from novikoff.io.options import Options
from novikoff.online.perceptron import OnlinePerceptron
from novikoff.online.stream.checkpoint import Progress, save_checkpoint
from novikoff.online.stream.feed import Feed
from novikoff.online.stream.rows import (
    DROPPED,
    Row,
    RowReader,
    format_of_stream,
    row_reader,
    text_of_label,
)
from novikoff.wording import keyword

ROWS_ALL_DIFFERENT = 30  # of which each may have a class of its own
MOST_CLASSES = 1000  # a label column with more is taken for a mistake
Report = Callable[[Progress, Any, Any], None]


@dataclass
class Stream:
    """A model that learns from a feed and writes its predictions, one a line, to `out`."""

    feed: Feed
    model: OnlinePerceptron
    out: BinaryIO
    format: str | None = None
    given: Options = field(default_factory=Options)  # how to read the rows
    checkpoint: str | os.PathLike[str] | None = None
    every: int = 10_000  # rows
    options: dict[str, Any] = field(default_factory=dict)  # that a checkpoint must agree with
    report: Report | None = None  # called at 1, 2, 4, … rows with a label and a prediction
    progress: Progress = field(default_factory=Progress)
    reader: RowReader | None = None
    is_stopped: bool = False  # set by others: the run ends after the row at hand

    def __post_init__(self) -> None:
        classes = self.given.classes
        self._wanted = None if classes is None else WantedLabels(classes)
        self._answers: list[bytes] = []  # that were not yet written

    def run(self) -> None:
        """Learn until the input ends or the stream is stopped.

        FileError names the line of a row that cannot be used; what came before it is kept.
        """
        progress, feed = self.progress, self.feed
        feed.has_digest = self.checkpoint is not None
        if progress.format:
            self.reader = self._restored(progress)
        if progress.n_bytes:
            feed.skip(progress.n_bytes, progress.digest)
        for block in feed.blocks():
            for line in block.splitlines(keepends=True):
                self._take_line(line)
                if self.is_stopped:
                    break
            self._write()
            self.out.flush()
            if self.is_stopped:
                return
        if not progress.rows:
            raise FileError(f"{feed.name} is empty: a stream needs at least one row.")
        if self.checkpoint is not None:
            self.save()

    def save(self) -> None:
        """Write the checkpoint, after the predictions that it counts.

        Before all was passed over that the last one has seen, that one stays as it is.
        """
        if self.checkpoint is None or self.feed.n_bytes < self.progress.n_bytes:
            return
        self._write()
        self.out.flush()
        _sync(self.out)
        progress = self.progress
        progress.n_bytes, progress.digest = self.feed.n_bytes, self.feed.digest
        if self.reader is not None:
            progress.reader = self.reader.state()
        save_checkpoint(self.checkpoint, self.model, progress, self.options)

    def _take_line(self, raw: bytes) -> None:
        """Answer the row that ends with this line, if one does."""
        progress = self.progress
        self.feed.consumed(raw)
        progress.lines += 1
        line = raw.rstrip(b"\r\n")
        if progress.lines == 1:
            line = without_mark(line, self.feed.name)
        if self.reader is None:
            if not line.strip():
                return
            progress.format = self.format or format_of_stream(line, self.feed.name)
            self.reader = self._reader(progress.format)
        try:
            row = self._row(self.reader, line)
            if row is None:
                return
            guess = self._answer(row)
        except (TextError, InputError) as error:
            self._write()
            if isinstance(error, FileError):
                raise
            message = error.message if isinstance(error, TextError) else f": {error}".rstrip(".")
            end = "" if message.endswith("?") else "."
            where = f"{self.feed.name}, line {progress.lines}"
            raise FileError(f"{where}{message}{end}") from None
        progress.rows += 1
        self._answers.append(text_of_label(guess))
        if progress.rows == progress.next_report:
            self._tell(row.label, guess)
        if self.checkpoint is not None and progress.rows % self.every == 0:
            self.save()

    def _row(self, reader: RowReader, line: bytes) -> Row | None:
        row = reader.row(line)
        if row is None or row.label is None or self._wanted is None:
            return row
        return row if self._wanted[text_of_label(row.label).decode().strip()] else DROPPED

    def _answer(self, row: Row) -> Any:
        """The prediction for a row, from which the model has learnt thereafter."""
        progress = self.progress
        if row.x is None:
            progress.dropped += 1
            return None
        if row.label is None:
            return self.model.predict_one(row.x)
        guess = self.model.learn_one(row.x, row.label, row.weight)
        progress.labelled += 1
        if guess is not None and guess == row.label:
            return guess
        progress.wrong += 1
        n = len(self.model.classes_)
        if n > MOST_CLASSES or n == progress.labelled == self.model.n_rows_ == ROWS_ALL_DIFFERENT:
            raise TextError(
                f": {n:,} classes in {progress.labelled:,} rows, here {row.label!r:.80}; is this "
                f"the label ({keyword('label')})?"
            )
        return guess

    def _tell(self, label: Any, guess: Any) -> None:
        progress = self.progress
        if self.report is not None:
            self.report(progress, label, guess)
        progress.next_report *= 2
        progress.labelled_then, progress.wrong_then = progress.labelled, progress.wrong

    def _write(self) -> None:
        content = b"".join(self._answers)
        self.out.write(content)
        self.progress.predictions += len(content)
        self._answers.clear()

    def _reader(self, format: str) -> RowReader:
        reader = row_reader(format, self.given, self.feed.name)
        if self.model.classes_ and hasattr(reader, "labels_are_words"):  # of a table
            reader.labels_are_words = isinstance(self.model.classes_[0], str)
        return reader

    def _restored(self, progress: Progress) -> RowReader:
        reader = self._reader(progress.format)
        try:
            reader.restore(progress.reader)
        except (LookupError, TypeError, ValueError, AttributeError, TextError) as error:
            raise FileError(
                f"{self.checkpoint} is a checkpoint that does not fit together ({error!r:.80})."
            ) from None
        return reader


def _sync(out: BinaryIO) -> None:
    """Make what was written last, where it went to a file."""
    try:
        handle = out.fileno()
    except (OSError, ValueError):
        return
    if stat.S_ISREG(os.fstat(handle).st_mode):
        os.fsync(handle)
