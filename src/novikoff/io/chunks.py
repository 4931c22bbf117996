"""Text in pieces that end where a line ends, parsed by threads, answered in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from itertools import chain, islice
from typing import NamedTuple, TypeVar

from novikoff.errors import FileError
from novikoff.io.sources import Source
from novikoff.wording import keyword

CHUNK_BYTES = 1 << 21
LIMITED_CHUNK_BYTES = 1 << 17
ARROW_FROM = 1 << 20  # bytes of a chunk; to import pyarrow takes as long as to read less by Python
LONGEST_LINE = 1 << 31
BOM = b"\xef\xbb\xbf"
LETTER_SAMPLE_BYTES = 64  # in which letters of two or four bytes show
_WIDE_MARKS = {b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32", b"\xff\xfe": "utf-16",
               b"\xfe\xff": "utf-16"}  # fmt: skip
Item = TypeVar("Item")
Result = TypeVar("Result")


class Chunk(NamedTuple):
    """Some whole lines of a source."""

    source: Source
    text: bytes  # ends in a line end
    is_first: bool  # of its source


class TextError(Exception):
    """Something wrong in a text: `message` follows the words 'file, line 7'.

    Where is told by the place `at` of the text, or by the `line` of it, from 1.
    """

    def __init__(self, message: str, at: int = 0, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.line = line

    def in_file(self, source: Source, text: bytes, lines_above: int = 0) -> FileError:
        line = lines_before(text, self.at) + 1 if self.line is None else self.line
        return FileError(f"{source.name}, line {lines_above + line}{self.message}.")


def chunks_of(
    sources: Iterable[Source], find_end: Callable[[bytes], int] | None = None
) -> Iterator[Chunk]:
    """Every source in chunks; `find_end` says where the last whole record of a text ends."""
    find = find_end or last_line_end
    for source in sources:
        with source.open() as stream:
            piece_size = LIMITED_CHUNK_BYTES if source.limit else CHUNK_BYTES  # to be stopped early
            left, size, is_first = b"", piece_size, True
            while piece := stream.read(size):
                text = left + piece if left else piece
                if is_first and not left:
                    text = without_mark(text, source.name)
                end = find(text)
                if end:
                    yield Chunk(source, text[:end], is_first)
                    is_first = False
                elif len(text) > LONGEST_LINE:
                    raise FileError(f"{source.name} has a line of more than 2 GB; is it text?")
                left = text[end:]
                size = max(piece_size, len(left))  # a long line is not searched again and again
            if left:
                ends = left.endswith((b"\n", b"\r"))
                yield Chunk(source, left if ends else left + b"\n", is_first)
            elif is_first:
                yield Chunk(source, b"", True)


def last_line_end(text: bytes) -> int:
    """Past the last line end of which nothing can follow in what is read next."""
    return text.rfind(b"\n") + 1 or text.rfind(b"\r", 0, len(text) - 1) + 1


def without_mark(text: bytes, name: str) -> bytes:
    """The start of a text without its byte-order mark."""
    if encoding := _wide_encoding(text):
        raise FileError(
            f"{name}, line 1: not UTF-8 text but {encoding.upper()}; say "
            f"{keyword('text_encoding', encoding)}."
        )
    return text.removeprefix(BOM)


def _wide_encoding(text: bytes) -> str | None:
    """UTF-16 or UTF-32, where every other byte is 0, or three of four are; None for others."""
    for mark, encoding in _WIDE_MARKS.items():
        if text.startswith(mark):
            return encoding
    start = text[:LETTER_SAMPLE_BYTES]
    for first, order in ((1, "le"), (0, "be")):
        zeros, letters = start[first::2], start[1 - first :: 2]
        if len(letters) > 2 and not zeros.strip(b"\0") and letters.strip(b"\0"):
            is_narrow = letters[first::2].strip(b"\0")
            return f"utf-{16 if is_narrow else 32}-{order}"
    return None


def parsed(
    chunks: Iterator[Chunk], parse: Callable[[Chunk], tuple[int, Result]]
) -> Iterator[Result]:
    """What `parse` makes of every chunk, in order, by a thread for each processor.

    It returns the lines of the chunk and its result, or raises a TextError, which becomes a
    FileError that names the file and the line.
    """

    def attempt(chunk: Chunk) -> tuple[int, Result] | TextError:
        try:
            return parse(chunk)
        except TextError as error:
            return error

    n_above = 0
    for chunk, outcome in in_order(chunks, attempt):
        n_above = 0 if chunk.is_first else n_above
        if isinstance(outcome, TextError):
            raise outcome.in_file(chunk.source, chunk.text, n_above)
        n_above += outcome[0]
        yield outcome[1]


def in_order(
    items: Iterator[Item], function: Callable[[Item], Result]
) -> Iterator[tuple[Item, Result]]:
    """(item, function(item)) for every item, a few ahead by threads, in the caller's context."""
    first = list(islice(items, 2))
    if len(first) < 2:
        for item in first:
            yield item, function(item)
        return
    workers = min(os.cpu_count() or 1, 4)
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[tuple[Item, Future[Result]]] = deque()
        try:
            for item in chain(first, items):
                waiting.append((item, pool.submit(copy_context().run, function, item)))
                if len(waiting) > workers + 1:
                    done, future = waiting.popleft()
                    yield done, future.result()
            while waiting:
                done, future = waiting.popleft()
                yield done, future.result()
        finally:
            for _, future in waiting:
                future.cancel()


def count_lines(text: bytes) -> int:
    """The line ends of the text."""
    return lines_before(text, len(text))


def lines_before(text: bytes, at: int) -> int:
    """How many lines end before the place `at`."""
    before = text[:at]
    return before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
