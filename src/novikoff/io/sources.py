"""Where bytes come from: files by path or pattern, standard input, compressed or not.

What is no regular file, such as a pipe or standard input, is opened and read once. Of its first
bytes so many are kept that the format can be found out and the reading begun again.
"""

from __future__ import annotations

import bz2
import codecs
import glob
import gzip
import io
import lzma
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from novikoff.errors import FileError, no_file
from novikoff.files import descriptor_of
from novikoff.memory import in_words
from novikoff.wording import keyword

FLOAT_BYTES = 8  # bytes of a float64
HEAD_BYTES = 1 << 16
MOST_KEPT_BYTES = 1 << 26  # of what can be read only once, until it is clear what it holds
_GZIP, _ZSTD, _BZIP2, _XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\x00"
_LINE_END = re.compile(rb"\r\n|\n|\r")
COMPRESSED = (_GZIP, _ZSTD, _BZIP2, _XZ)
MOST_XZ_MEMORY = 1 << 28  # bytes of an xz dictionary: four times what xz -9 takes


@dataclass(frozen=True)
class Limit:
    """The most of everything that `taker` takes; n_bytes are those of the unpacked content."""

    taker: str
    n_bytes: int
    n_rows: int
    n_columns: int
    n_numbers: int

    def check_rows(self, name: str, n_rows: int) -> None:
        """Raise if rows, of which more may come, are too many."""
        if n_rows > self.n_rows:
            raise FileError(
                f"{name} has more than {self.n_rows:,} rows; {self.taker} takes {self.n_rows:,}."
            )

    def check_shape(self, name: str, n_rows: int, n_columns: int) -> None:
        """Raise if a table of this shape is too large."""
        self.check_rows(name, n_rows)
        if n_columns > self.n_columns or n_rows * n_columns > self.n_numbers:
            raise FileError(
                f"{name} has {n_rows:,} rows and {n_columns:,} columns; {self.taker} takes "
                f"{self.n_columns:,} columns and {self.n_numbers:,} numbers in all."
            )


class _Pieces(io.RawIOBase):
    """A stream of bytes that come piece by piece."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces
        self.left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.left = self.left or next(filter(None, self.pieces), b"")
        given, self.left = self.left[: len(buffer)], self.left[len(buffer) :]
        buffer[: len(given)] = given
        return len(given)


def stream_of(pieces: Iterator[bytes]) -> io.BufferedReader:
    return io.BufferedReader(_Pieces(pieces), HEAD_BYTES)


def pieces_of(stream: Any) -> Iterator[bytes]:
    """What a stream has, as it comes; its end is asked for once."""
    read = getattr(stream, "read1", stream.read)
    while piece := read(HEAD_BYTES):
        yield piece


@dataclass(frozen=True)
class Source:
    """A regular file, or what can be read only once; its bytes come out decompressed.

    `path` is None for all but regular files; `opens` then gives the stream, and is called once.
    Text is given in UTF-8, whatever its own encoding, and the lines that are skipped as blank
    ones, so that all others keep their numbers.
    """

    name: str
    path: Path | None
    opens: Callable[[], Any] | None = None
    limit: Limit | None = None  # for what comes from strangers
    text_encoding: str | None = None
    skip_rows: int = 0

    @contextmanager
    def open(self, last: bool = False) -> Iterator[BinaryIO]:
        """A stream over the content, from its start; the last one need not be kept."""
        with translated(self.name), self._raw(last) as raw:
            stream = _decompressed(raw, self.name)
            if self.limit is not None:
                stream = stream_of(_limited(pieces_of(stream), self.name, self.limit))
            if self.text_encoding is not None:
                stream = stream_of(_in_utf8(pieces_of(stream), self.name, self.text_encoding))
            if self.skip_rows:
                stream = stream_of(_with_blank_lines(pieces_of(stream), self.skip_rows))
            yield stream

    def _raw(self, last: bool) -> Any:
        if self.path is None:
            return stream_of(self._once.again(last))
        raw = self.path.open("rb")
        seen = os.fstat(raw.fileno())
        mark = seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns
        if self.__dict__.setdefault("_mark", mark) != mark:  # of when it was opened first
            raw.close()
            raise FileError(f"{self.name} changed while it was read; read it again.")
        return raw

    @cached_property
    def _once(self) -> _Once:
        return _Once((self.opens or standard_input)(), self.name, self.opens is not None)

    @cached_property
    def is_plain(self) -> bool:
        """Whether the content is that of a file on disk as it is."""
        if self.path is None:
            return False
        with translated(self.name), self.path.open("rb") as raw:
            return not raw.read(6).startswith(COMPRESSED)

    @cached_property
    def head(self) -> bytes:
        """The first 64 KB of the content."""
        with self.open() as stream:
            return stream.read(HEAD_BYTES)

    def content(self) -> bytes:
        """All of it."""
        if self.path is None:
            self._once.keeps_all = True
        with self.open() as stream:
            return stream.read()

    def size_up_to(self, n_bytes: int) -> int:
        """The bytes of the content, of which no more than `n_bytes` are counted."""
        if self.is_plain and self.path is not None:
            return min(self.path.stat().st_size, n_bytes)
        left = n_bytes
        with self.open() as stream:
            while left and (piece := stream.read(min(left, HEAD_BYTES))):
                left -= len(piece)
        return n_bytes - left

    def check_size(self, n_rows: int, n_numbers: int) -> None:
        """Raise if so much, of which a file says that it holds it, is more than the limit."""
        if self.limit is None:
            return
        self.limit.check_rows(self.name, n_rows)
        if n_numbers > self.limit.n_numbers:
            raise FileError(
                f"{self.name} holds {n_numbers:,} numbers or as much text; {self.limit.taker} "
                f"takes {self.limit.n_numbers:,} numbers."
            )


class _Once:
    """A stream that can be begun again as long as little of it was read."""

    def __init__(self, stream: Any, name: str, is_closed: bool) -> None:
        self.stream, self.name = stream, name
        self.pieces = self._of_stream(is_closed)
        self.kept: bytearray | None = bytearray()
        self.keeps_all = False

    def _of_stream(self, is_closed: bool) -> Iterator[bytes]:
        """All that comes, and at least enough of it at first to know whether it is compressed."""
        pieces, first = pieces_of(self.stream), b""
        for piece in pieces:
            first += piece
            if not any(len(first) < len(magic) and magic.startswith(first) for magic in COMPRESSED):
                break
        yield first
        yield from pieces
        if is_closed:
            self.stream.close()

    def again(self, last: bool) -> Iterator[bytes]:
        if self.kept is None:
            raise FileError(
                f"{self.name} can be read only once, and this needs a second pass; save it to a "
                "file first."
            )
        return self._from_start(self.kept, last)

    def _from_start(self, kept: bytearray, last: bool) -> Iterator[bytes]:
        yield bytes(kept)
        for piece in self.pieces:
            if last or not (self.keeps_all or len(kept) <= MOST_KEPT_BYTES):
                self.kept = None
            if self.kept is not None:
                kept += piece
            yield piece


def _limited(pieces: Iterator[bytes], name: str, limit: Limit) -> Iterator[bytes]:
    """The content of a source up to its limit, past which it is refused."""
    left = limit.n_bytes
    for piece in pieces:
        left -= len(piece)
        if left < 0:
            raise FileError(
                f"{name} is too large: unpacked, it has more than {in_words(limit.n_bytes)}, and "
                f"{limit.taker} takes no more."
            )
        yield piece


def _in_utf8(pieces: Iterator[bytes], name: str, text_encoding: str) -> Iterator[bytes]:
    """Text of another encoding, in UTF-8."""
    decoder = codecs.getincrementaldecoder(text_encoding)()
    try:
        for piece in chain(pieces, [b""]):
            yield decoder.decode(piece, final=not piece).encode("utf-8", "surrogatepass")
    except UnicodeError as error:
        raise FileError(
            f"{name} is no text in {text_encoding} ({error}); name another encoding by "
            f"{keyword('text_encoding')}."
        ) from None


def _with_blank_lines(pieces: Iterator[bytes], n_lines: int) -> Iterator[bytes]:
    """Text whose first lines are blank; a line ends in \\n, \\r\\n or \\r."""
    after_return = False
    for given in pieces:
        ends = [b"\n"] if after_return and given.startswith(b"\n") else []
        piece, after_return = given[len(ends) :], False
        while n_lines and (found := _LINE_END.search(piece)):
            n_lines -= 1
            ends.append(found.group())
            piece = piece[found.end() :]
            after_return = not piece and found.group() == b"\r"
        yield b"".join(ends if n_lines else [*ends, piece])


def standard_input() -> BinaryIO:
    """The bytes of standard input, which a caller may have closed."""
    if sys.stdin is None:
        raise FileError("standard input is closed; send rows through a pipe, or name a file.")
    return _patient(sys.stdin.buffer)


def _patient(stream: Any) -> BinaryIO:
    """The stream, which waits for what is to come: else a pause would be taken for the end."""
    with suppress(OSError, ValueError, AttributeError):
        os.set_blocking(stream.fileno(), True)
    patient: BinaryIO = stream
    return patient


def source_at(text: str) -> Source:
    """The source of this path; FileError where it is nothing that rows can be read from."""
    path = Path(text)
    with translated(text):
        descriptor = descriptor_of(path)
        if descriptor == 0:
            return Source(text, None)
        if descriptor is not None:
            return Source(
                text, None, lambda: _patient(os.fdopen(os.dup(descriptor), "rb", buffering=0))
            )
        kind = stat.S_IFMT(path.stat().st_mode)
        if kind == stat.S_IFREG:
            return Source(text, path)
        if kind == stat.S_IFDIR:
            raise FileError(f"{text} is a folder; give a file, or a pattern such as {text}/*.csv.")
        is_awaited = kind == stat.S_IFIFO
        if kind == stat.S_IFCHR:  # of which a terminal has an end, and the one that is empty
            handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOCTTY", 0))
            is_empty = os.fstat(handle).st_rdev == Path(os.devnull).stat().st_rdev
            is_awaited = is_empty or os.isatty(handle)
            os.close(handle)
        if is_awaited:
            return Source(text, None, lambda: path.open("rb", buffering=0))
    what = "socket" if kind == stat.S_IFSOCK else "device"
    raise FileError(f"{text} is a {what}, and no file; send its rows through a pipe.")


def find_sources(path_or_pattern: Any) -> list[Source]:
    """The files meant, in sorted order; '-' is standard input."""
    text = str(path_or_pattern)
    if text == "-":
        return [Source("standard input", None)]
    with translated(text):
        if Path(text).exists() or not glob.has_magic(text):
            return [source_at(text)]
        matches = glob.glob(text, recursive=True)  # noqa: PTH207 - a path's glob is relative
        found = sorted(name for name in matches if Path(name).is_file())
    if not found:
        raise no_file(text, f"no file matches {text}.")
    return [Source(name, Path(name)) for name in found]


@contextmanager
def translated(name: str) -> Iterator[None]:
    """What the system says of a file, as a FileError that names it."""
    try:
        yield
    except FileNotFoundError:
        raise no_file(name) from None
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError) as error:
        raise FileError(f"{name} is cut short or damaged: {reason_of(error)}.") from None
    except OSError as error:
        raise FileError(f"{name} cannot be read: {reason_of(error)}.") from None


def reason_of(error: Exception) -> str:
    """What another library says of a file, as the end of a sentence."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text).splitlines()[0][:200].rstrip(".")


def _decompressed(raw: Any, name: str) -> Any:
    start = raw.peek(6)[:6]
    if start.startswith(_GZIP):
        return gzip.GzipFile(fileobj=raw)
    if start.startswith(_BZIP2):
        return stream_of(_unpacked(pieces_of(raw), bz2.BZ2Decompressor))
    if start.startswith(_XZ):
        begin = partial(lzma.LZMADecompressor, memlimit=MOST_XZ_MEMORY)
        return stream_of(_unpacked(pieces_of(raw), begin))
    if start.startswith(_ZSTD):
        pyarrow = import_pyarrow(f"{name} is compressed with zstd")
        stream = pyarrow.CompressedInputStream(pyarrow.PythonFile(raw, mode="r"), "zstd")
        return stream_of(iter(partial(stream.read, HEAD_BYTES), b""))
    return raw


def _unpacked(pieces: Iterator[bytes], begin: Callable[[], Any]) -> Iterator[bytes]:
    """The content of one compressed part after the other; EOFError where that is not all.

    Python's own readers of bzip2 and xz take whatever follows a part that ended for nothing: of two
    files that were put together, one damaged in its first bytes would be left out in silence.
    """
    part = begin()
    while True:
        given = b""
        if part.eof:
            given = part.unused_data
            while not given.strip(b"\0"):  # zeros fill up a block
                if not (given := next(pieces, b"")):
                    return
            part, given = begin(), given.lstrip(b"\0")
        elif part.needs_input and not (given := next(pieces, b"")):
            raise EOFError("it ends in the middle")
        try:
            piece = part.decompress(given, HEAD_BYTES)
        except (OSError, ValueError, lzma.LZMAError) as error:
            raise EOFError(str(error) or "it cannot be decompressed") from None
        if piece:
            yield piece


def import_pyarrow(reason: str) -> Any:
    """pyarrow, or an error that says why it is needed and how to get it."""
    try:
        import pyarrow
    except ImportError:
        raise FileError(f"{reason}, which needs pyarrow: pip install 'novikoff[io]'.") from None
    return pyarrow
