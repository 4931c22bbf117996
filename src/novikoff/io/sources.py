"""Where bytes come from: files by path or pattern, standard input, compressed or not.

What is no regular file, such as a pipe or standard input, is opened and read once. Of its first
bytes so many are kept that the format can be found out and the reading begun again.
"""

from __future__ import annotations

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
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from novikoff.errors import FileError, no_file
from novikoff.files import descriptor_of
from novikoff.io.compressed import without_bzip2, without_xz
from novikoff.io.limits import Limit
from novikoff.wording import keyword

FLOAT_BYTES = 8  # bytes of a float64
HEAD_BYTES = 1 << 16
MOST_KEPT_BYTES = 1 << 26  # of what can be read only once, until it is clear what it holds
_GZIP, _ZSTD, _BZIP2, _XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\x00"
_LINE_END = re.compile(rb"\r\n|\n|\r")
COMPRESSED = (_GZIP, _ZSTD, _BZIP2, _XZ)


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
            plain = _decompressed(raw, self.name)
            if self.limit is not None:
                plain = io.BufferedReader(_Limited(plain, self.name, self.limit), HEAD_BYTES)
            yield as_text(plain, self.name, self.text_encoding, self.skip_rows)

    def _raw(self, last: bool) -> Any:
        if self.path is None:
            return self._once.again(last)
        raw = self.path.open("rb")
        seen = os.fstat(raw.fileno())
        mark = seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns
        if self.__dict__.setdefault("_mark", mark) != mark:  # of when it was opened first
            raw.close()
            raise FileError(f"{self.name} changed while it was read; read it again.")
        return raw

    @cached_property
    def _once(self) -> _Once:
        if self.opens is None:
            return _Once(_Shielded(standard_input()), self.name)
        return _Once(self.opens(), self.name)

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
            return _read_fully(stream, HEAD_BYTES)

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
        if self.limit is not None:
            self.limit.check_rows(self.name, n_rows)
            self.limit.check_numbers(self.name, n_numbers)


class _Once(io.RawIOBase):
    """A stream that can be begun again as long as little of it was read."""

    def __init__(self, stream: Any, name: str) -> None:
        self.stream = stream
        self.name = name
        self.kept: bytearray | None = bytearray()
        self.keeps_all = False
        self.is_last = False
        self.place = 0

    def again(self, last: bool) -> Any:
        if self.kept is None:
            raise FileError(
                f"{self.name} can be read only once, and this needs a second pass; save it to a "
                "file first."
            )
        self.place, self.is_last = 0, last
        return io.BufferedReader(_Shielded(self), HEAD_BYTES)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.kept is not None and self.place < len(self.kept):
            piece = bytes(self.kept[self.place : self.place + len(buffer)])
        else:
            piece = self._next(len(buffer))
            while not self.place and _may_be_compressed(piece):
                if not (more := self._next(len(buffer) - len(piece))):
                    break
                piece += more
            keeps = self.keeps_all or (self.kept is not None and len(self.kept) <= MOST_KEPT_BYTES)
            if self.kept is not None and keeps and not self.is_last:
                self.kept += piece
            else:
                self.kept = None
        self.place += len(piece)
        buffer[: len(piece)] = piece
        return len(piece)

    def _next(self, size: int) -> bytes:
        """What there is, without waiting for more; b"" at the end, which is asked for once."""
        if self.stream.closed:
            return b""
        piece: bytes = self.stream.read(size)
        if not piece:
            self.stream.close()
        return piece

    def close(self) -> None:
        self.stream.close()
        super().close()


class _Shielded(io.RawIOBase):
    """The stream beneath, which stays open when this is closed."""

    def __init__(self, beneath: Any) -> None:
        self.read_into = getattr(beneath, "readinto1", beneath.readinto)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self.read_into(buffer) or 0


class _Limited(_Shielded):
    """The content of a source up to its limit, past which it is refused."""

    def __init__(self, beneath: Any, name: str, limit: Limit) -> None:
        super().__init__(beneath)
        self.name, self.limit, self.left = name, limit, limit.n_bytes

    def readinto(self, buffer: Any) -> int:
        n_bytes = super().readinto(buffer)
        self.left -= n_bytes
        if self.left < 0:
            raise self.limit.too_long(self.name)
        return n_bytes


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
        if kind == stat.S_IFIFO or (kind == stat.S_IFCHR and _has_an_end(path)):
            return Source(text, None, lambda: path.open("rb", buffering=0))
    what = "socket" if kind == stat.S_IFSOCK else "device"
    raise FileError(f"{text} is a {what}, and no file; send its rows through a pipe.")


def _has_an_end(device: Path) -> bool:
    """Whether a device is a terminal, or the one that is always empty."""
    if device.stat().st_rdev == Path(os.devnull).stat().st_rdev:
        return True
    handle = os.open(device, os.O_RDONLY | getattr(os, "O_NOCTTY", 0))
    try:
        return os.isatty(handle)
    finally:
        os.close(handle)


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


def _may_be_compressed(start: bytes) -> bool:
    """Whether more bytes are needed to tell."""
    return bool(start) and any(
        len(start) < len(magic) and magic.startswith(start) for magic in COMPRESSED
    )


def _decompressed(raw: Any, name: str) -> Any:
    start = raw.peek(6)[:6]
    if start.startswith(_GZIP):
        return gzip.GzipFile(fileobj=raw)
    if start.startswith(_BZIP2):
        return without_bzip2(raw)
    if start.startswith(_XZ):
        return without_xz(raw)
    if start.startswith(_ZSTD):
        pyarrow = import_pyarrow(f"{name} is compressed with zstd")
        return pyarrow.CompressedInputStream(pyarrow.PythonFile(raw, mode="r"), "zstd")
    return raw


def import_pyarrow(reason: str) -> Any:
    """pyarrow, or an error that says why it is needed and how to get it."""
    try:
        import pyarrow
    except ImportError:
        raise FileError(f"{reason}, which needs pyarrow: pip install 'novikoff[io]'.") from None
    return pyarrow


def as_text(stream: Any, name: str, text_encoding: str | None, skip_rows: int) -> Any:
    """The stream in UTF-8, with so many blank lines in place of its first ones."""
    if text_encoding is not None:
        stream = io.BufferedReader(_Transcoded(stream, name, text_encoding), HEAD_BYTES)
    return io.BufferedReader(_Skipping(stream, skip_rows), HEAD_BYTES) if skip_rows else stream


class _Piecewise(io.RawIOBase):
    """A stream that is made of another, piece by piece as they come."""

    def __init__(self, beneath: Any) -> None:
        self.next_piece = getattr(beneath, "read1", beneath.read)
        self.left = b""
        self.is_over = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self.left and not self.is_over:
            piece = self.next_piece(HEAD_BYTES)
            self.is_over = not piece
            self.left = self.made_of(piece)
        given, self.left = self.left[: len(buffer)], self.left[len(buffer) :]
        buffer[: len(given)] = given
        return len(given)

    def made_of(self, piece: bytes) -> bytes:
        """What becomes of the next piece; an empty one is the end."""
        raise NotImplementedError


class _Transcoded(_Piecewise):
    """Text of another encoding, in UTF-8."""

    def __init__(self, beneath: Any, name: str, text_encoding: str) -> None:
        super().__init__(beneath)
        self.name, self.text_encoding = name, text_encoding
        self.decoder = codecs.getincrementaldecoder(text_encoding)()

    def made_of(self, piece: bytes) -> bytes:
        try:
            return self.decoder.decode(piece, final=not piece).encode("utf-8", "surrogatepass")
        except UnicodeError as error:
            raise FileError(
                f"{self.name} is no text in {self.text_encoding} ({error}); "
                f"name another encoding by {keyword('text_encoding')}."
            ) from None


class _Skipping(_Piecewise):
    """Text whose first lines are blank; a line ends in \\n, \\r\\n or \\r."""

    def __init__(self, beneath: Any, n_lines: int) -> None:
        super().__init__(beneath)
        self.n_lines = n_lines
        self.after_return = False

    def made_of(self, piece: bytes) -> bytes:
        ends = [b"\n"] if self.after_return and piece.startswith(b"\n") else []
        piece, self.after_return = piece[len(ends) :], False
        while self.n_lines and (found := _LINE_END.search(piece)):
            self.n_lines -= 1
            ends.append(found.group())
            piece = piece[found.end() :]
            self.after_return = not piece and found.group() == b"\r"
        return b"".join(ends if self.n_lines else [*ends, piece])


def _read_fully(stream: Any, size: int) -> bytes:
    pieces, left = [], size
    while left > 0 and (piece := stream.read(left)):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
