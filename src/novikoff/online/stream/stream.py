"""A stream: every row is predicted before it is learnt, and the run can be broken off and go on.

Invariant: after k rows, the model, the predictions and the counters are functions of these k
rows and the options alone, whatever pieces the input came in and however often it was resumed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from novikoff.errors import FileError, InputError
from novikoff.io.chunks import count, without_mark
from novikoff.io.labels import WantedLabels
from novikoff.io.options import Options
from novikoff.online.perceptron import OnlinePerceptron
from novikoff.online.stream.checkpoint import Progress, save_checkpoint
from novikoff.online.stream.columns import LONG_LOOK
from novikoff.online.stream.csv_rows import CsvRows
from novikoff.online.stream.feed import Feed
from novikoff.online.stream.first_rows import FirstRows
from novikoff.online.stream.formats import format_by_look, format_by_name, row_reader
from novikoff.online.stream.json_rows import JsonRows
from novikoff.online.stream.many_rows import ManyRows
from novikoff.online.stream.rows import (
    DROPPED,
    MOST_CLASSES,
    MissingError,
    Row,
    RowError,
    RowReader,
    text_of_label,
)
from novikoff.wording import keyword

if TYPE_CHECKING:
    from novikoff.online.block import Learnt

Report = Callable[[Progress, Any, Any], None]


@dataclass
class Stream:
    """A model that learns from a feed and writes its predictions, one a line, to `out`."""

    feed: Feed
    model: OnlinePerceptron
    out: BinaryIO
    format: str | None = None
    given: Options = field(default_factory=Options)  # how to read the rows
    drops_missing: bool = False
    checkpoint: str | os.PathLike[str] | None = None
    every: int = 10_000  # rows
    options: dict[str, Any] = field(default_factory=dict)  # that a checkpoint must agree with
    report: Report | None = None  # called at 1, 2, 4, … rows with a label and a prediction
    note: Callable[[tuple[str, ...]], None] | None = None  # of columns a person would ask about
    progress: Progress = field(default_factory=Progress)
    reader: RowReader | None = None
    is_stopped: bool = False  # set by others: the run ends after the row, or rows, at hand

    def __post_init__(self) -> None:
        self._many = ManyRows(self)
        classes = self.given.classes
        self._wanted = None if classes is None else WantedLabels(classes)
        self.first_rows = FirstRows(self.progress.rows == 0)
        self._block, self._n_done = b"", 0  # the block at hand, and how much of it is consumed
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
            if not self.is_stopped:
                self._learn_block(block)
            if self.is_stopped:
                return
        if self.reader is not None:
            try:
                self.reader.end()
            except RowError as error:
                raise self._error(error) from None
        self._look_at_first_rows()
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
        self.out.flush()
        _sync(self.out)
        progress = self.progress
        progress.n_bytes, progress.digest = self.feed.n_bytes, self.feed.digest
        if self.reader is not None:
            progress.reader = self.reader.state()
        save_checkpoint(self.checkpoint, self.model, progress, self.options)

    def _learn_block(self, block: bytes) -> None:
        """Answer all rows of a block; they are consumed."""
        self._block, self._n_done = block, 0
        self._many.expect(len(block), self.feed.n_left)
        at = 0
        while at < len(block) and not self.is_stopped:
            at = self._many.take(block, at)
            at = self.take_lines(at, self._many.lines_end(block, at))
        self._write()
        self.out.flush()
        self._consume(at)

    def take_lines(self, at: int, stop: int) -> int:
        """Answer the rows in these lines of the block, one by one; where that ended."""
        progress = self.progress
        for raw in self._block[at:stop].splitlines(keepends=True):
            if self.is_stopped:
                break
            at += len(raw)
            progress.lines += 1
            line = raw.rstrip(b"\r\n")
            if progress.lines == 1:
                line = without_mark(line, self.feed.name)
            if self.reader is None:
                if not line.strip():
                    continue
                self.reader = self._first_reader(line)
            try:
                row = self._row(self.reader, line)
                if row is None:
                    continue
                guess = self._answer(row)
            except (RowError, InputError) as error:
                self._write()
                raise self._error(error) from None
            progress.rows += 1
            self._answers.append(text_of_label(guess))
            self.after_row(at, row.label, guess)
            if not self.first_rows.is_done and self.first_rows.add(row):
                self._look_at_first_rows()
        return at

    def took_rows(self, learnt: Learnt, answers: list[bytes], at: int, stop: int) -> None:
        """Count rows that were learnt together, from `at` to `stop` of the block."""
        progress = self.progress
        text = self._block[at:stop]
        progress.lines += count(text)[0] + (not text.endswith((b"\n", b"\r")))
        progress.rows += len(answers)
        progress.labelled += learnt.labelled
        progress.wrong += learnt.wrong
        self._answers += answers

    def after_row(self, at: int, label: Any, guess: Any) -> None:
        """Report, and save, where it is time to; the row ended at this place of the block."""
        progress = self.progress
        if progress.rows == progress.next_report:
            self._tell(label, guess)
        if self.checkpoint is not None and progress.rows % self.every == 0:
            self._write()
            self._consume(at)
            self.save()

    def rows_to_go(self) -> int:
        """How many rows until `after_row` has something to do."""
        progress = self.progress
        to_go = progress.next_report - progress.rows
        if self.checkpoint is None:
            return to_go
        return min(to_go, self.every - progress.rows % self.every)

    def _consume(self, at: int) -> None:
        """Be done with the block up to this place."""
        self.feed.consumed(self._block[self._n_done : at])
        self._n_done = at

    def _row(self, reader: RowReader, line: bytes) -> Row | None:
        try:
            row = reader.row(line)
        except MissingError as error:
            if self.drops_missing:
                return DROPPED
            raise RowError(str(error)) from None
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
        n_classes = len(self.model.classes_)
        if progress.labelled == self.model.n_rows_ == n_classes == LONG_LOOK:
            raise RowError(
                f"each of {LONG_LOOK} rows has a class of its own, this one {row.label!r:.80}; is "
                f"this the label ({keyword('label')})?"
            )
        if n_classes > MOST_CLASSES:
            raise RowError(
                f"the {MOST_CLASSES + 1}th class is {row.label!r:.80}; is this the label "
                f"({keyword('label')})?"
            )
        return guess

    def _look_at_first_rows(self) -> None:
        """Say what the first rows show of the columns, once."""
        if self.first_rows.is_done:
            return
        notes = self.first_rows.notes(self.feed.name, self.progress.format, self.given)
        if notes and self.note is not None:
            self.note(notes)

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

    def _first_reader(self, line: bytes) -> RowReader:
        name = self.feed.name
        found = self.format or format_by_name(name) or format_by_look(line, name)
        self.progress.format = found
        return self._reader(found)

    def _reader(self, format: str) -> RowReader:
        reader = row_reader(format, self.given)
        if isinstance(reader, (CsvRows, JsonRows)) and self.model.classes_:
            reader.labels.are_words = isinstance(self.model.classes_[0], str)
        return reader

    def _restored(self, progress: Progress) -> RowReader:
        reader = self._reader(progress.format)
        try:
            reader.restore(progress.reader)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FileError(
                f"{self.checkpoint} is a checkpoint that does not fit together ({error!r:.80})."
            ) from None
        return reader

    def _error(self, error: Exception) -> FileError:
        return FileError(f"{self.feed.name}, line {self.progress.lines}: {error}")


def _sync(out: BinaryIO) -> None:
    """Make what was written last, where it went to a file."""
    try:
        handle = out.fileno()
    except (OSError, ValueError):
        return
    if stat.S_ISREG(os.fstat(handle).st_mode):
        os.fsync(handle)
