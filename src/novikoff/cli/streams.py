"""The standard streams of the command, whatever is at their other end.

Standard error never stops the work: what cannot be said there is not said. What cannot be
written to standard output is lost; the work goes on all the same, since files may be asked for
too, and the exit code tells in the end. A reader that leaves, as `head` does, has lost nothing.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any


class Answers(io.RawIOBase):
    """Standard output, or nothing at all where it is closed."""

    def __init__(self, beneath: Any) -> None:
        self.beneath = beneath
        self.is_unread = False  # its reader left
        self.lost: str | None = None  # why answers were lost
        self.ends = False  # with the reader: nothing but answers is wanted

    def write(self, data: Any) -> int | None:
        if self.is_unread or self.lost is not None:
            return len(data)
        try:
            if self.beneath is None:
                raise OSError(0, "standard output is closed")
            written: int | None = self.beneath.write(data)
            if not isinstance(self.beneath, io.RawIOBase):
                self.beneath.flush()
            return written
        except OSError as error:
            self.is_unread = isinstance(error, BrokenPipeError)
            self.lost = None if self.is_unread else str(error.strerror or error)
            if self.ends:
                raise BrokenPipeError from None
        return len(data)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self.beneath is not None and self.beneath.isatty()

    def fileno(self) -> int:
        if self.beneath is None:
            raise io.UnsupportedOperation("standard output is closed")
        return int(self.beneath.fileno())


class Notes(Answers):
    """Standard error: what nobody can read is not missed."""

    def write(self, data: Any) -> int | None:
        with suppress(OSError):
            return super().write(data)
        return len(data)


@contextmanager
def standard_streams() -> Iterator[Answers | None]:
    """Stand before the streams of this process while the block runs.

    None where standard output is no stream of the system, as in a test.
    """
    _occupy()
    kept = sys.stdout, sys.stderr
    answers = _before(kept[0], Answers)
    notes = _before(kept[1], Notes)
    if answers is not None:
        sys.stdout = _text(answers, kept[0], "strict")
    if notes is not None:
        sys.stderr = _text(notes, kept[1], "backslashreplace")
    try:
        yield answers
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        sys.stdout, sys.stderr = kept


def end_with_the_reader() -> None:
    """Say that nothing but answers is wanted: with nobody to read them the work may end."""
    raw = _raw(sys.stdout)
    if isinstance(raw, Answers):
        raw.ends = True


def is_closed() -> bool:
    """Whether there is no standard output at all."""
    raw = _raw(sys.stdout)
    return sys.stdout is None or (isinstance(raw, Answers) and raw.beneath is None)


def _before(stream: Any, kind: type[Answers]) -> Answers | None:
    if stream is None:
        return kind(None)
    raw = _raw(stream)
    return None if raw is None else kind(raw)


def _raw(stream: Any) -> Any:
    """What is beneath all buffers."""
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)


def _text(raw: Answers, like: Any, errors: str) -> io.TextIOWrapper:
    if like is not None:
        with suppress(OSError):
            like.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(like, "encoding", "utf-8"),
        errors=getattr(like, "errors", errors),
        line_buffering=raw.isatty() or isinstance(raw, Notes),
    )


def _occupy() -> None:
    """See that descriptors 0, 1 and 2 are taken, so that no other file is opened there.

    What stands for one that is closed can only be used the wrong way round: an error, no loss.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if descriptor else os.O_WRONLY)
