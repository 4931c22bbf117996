"""The standard streams of the command, whatever is at their other end.

Standard error never stops the work: what cannot be said there is not said. What cannot be
written to standard output is lost; the work goes on all the same, since files may be asked for
too, and the exit code tells in the end. A reader that leaves, as `head` does, has lost nothing.

Column names, labels and file names are other people's text. A control character in one could
move the cursor, recolour the screen or turn the direction of writing, so on a terminal, and in
messages wherever they go, it is shown as its escape: \\x1b. Data in a pipe stays as it is.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

PATIENCE = 1.0  # seconds before a sign of life is shown
RENEWED = 0.2  # seconds after which new words are shown
# Control characters but tab and line feed, marks of direction, and invisible formatting.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


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


class Shown(io.TextIOWrapper):
    """A text stream whose readers are people: what is written to it is made visible."""

    def write(self, text: str) -> int:
        super().write(visible(text))
        return len(text)


class ShownBytes(io.RawIOBase):
    """Standard output for those who write UTF-8 as bytes, made visible."""

    def write(self, content: Any) -> int:
        sys.stdout.write(bytes(content).decode("utf-8", "backslashreplace"))
        return len(content)

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        sys.stdout.flush()


@contextmanager
def standard_streams() -> Iterator[Answers | None]:
    """Stand before the streams of this process while the block runs.

    None where standard output is text that goes nowhere else, as in a notebook.
    """
    # Descriptors 0, 1 and 2 are taken, so that no other file is opened there. What stands for one
    # that is closed can only be used the wrong way round: an error, no loss.
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if descriptor else os.O_WRONLY)
    kept = sys.stdout, sys.stderr
    answers, notes = (
        None if one is not None and _raw(one) is None else Answers(_raw(one)) for one in kept
    )
    if answers is not None:
        sys.stdout = _text(answers, kept[0], Shown if answers.isatty() else io.TextIOWrapper)
    if notes is not None:
        sys.stderr = _text(notes, kept[1], Shown, line_buffering=True)
    try:
        yield answers
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        sys.stdout, sys.stderr = kept


def end_with_the_reader() -> None:
    """Say that nothing but answers is wanted: with nobody to read them the work may end."""
    if isinstance(answers := _raw(sys.stdout), Answers):
        answers.ends = True


def is_closed() -> bool:
    """Whether there is no standard output at all."""
    raw = _raw(sys.stdout)
    return sys.stdout is None or (isinstance(raw, Answers) and raw.beneath is None)


def visible(text: str) -> str:
    """The text with every character that a terminal would obey shown as its escape."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def say(what: str, quiet: bool = False) -> None:
    """A sentence on standard error, after all answers so far, unless only errors are wanted."""
    if not quiet:
        sys.stdout.flush()
        print(f"novikoff: {what}", file=sys.stderr)


def wrapped(text: str) -> str:
    """The text in lines that fit the terminal, or 100 characters in a pipe.

    A line that is a fact, such as '  rows   1, 2', is broken under its own beginning.
    """
    width = min(shutil.get_terminal_size((100, 24)).columns, 100) if sys.stdout.isatty() else 100
    lines = []
    for line in text.splitlines():
        fact = re.match(r"  \S+ +", line)
        indent = " " * len(fact.group()) if fact else ""
        lines.append(textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False))
    return "\n".join(lines)


@contextmanager
def waiting(what: str, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Show `what` and a spinner on stderr while the block runs, if stderr is a terminal.

    The block is given a function that puts other words in the place of these.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    words, done = [what], threading.Event()

    def spin() -> None:
        if done.wait(PATIENCE):
            return
        from rich.console import Console
        from rich.text import Text

        stream: Any = sys.stderr
        if isinstance(stream, Shown):
            stream = super(Shown, stream)  # to which rich may send what moves the cursor
        with Console(file=stream).status("") as shown:
            is_done = False
            while not is_done:
                shown.update(Text(f"{visible(words[0])} …"))
                is_done = done.wait(RENEWED)

    watcher = threading.Thread(target=spin, daemon=True)
    watcher.start()
    try:
        yield lambda text: words.__setitem__(0, text)
    finally:
        done.set()
        watcher.join()


def _raw(stream: Any) -> Any:
    """What is beneath all buffers."""
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)


def _text(
    raw: Answers, like: Any, kind: type[io.TextIOWrapper], line_buffering: bool = False
) -> io.TextIOWrapper:
    """A text stream over `raw`, in the encoding of `like`, which takes any text."""
    if like is not None:
        with suppress(OSError):
            like.flush()
    return kind(
        io.BufferedWriter(raw),
        encoding=getattr(like, "encoding", "utf-8"),
        errors="backslashreplace",
        line_buffering=line_buffering or raw.isatty(),
    )
