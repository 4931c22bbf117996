"""Where bytes come from: files by path or pattern, standard input, compressed or not."""

from __future__ import annotations

import bz2
import glob
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from novikoff.errors import FileError

HEAD = 1 << 16
KEPT = 1 << 26  # of standard input, until it is clear what it holds
_GZIP, _ZSTD, _BZIP2, _XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\x00"
COMPRESSED = (_GZIP, _ZSTD, _BZIP2, _XZ)


@dataclass(frozen=True)
class Source:
    """A file, or standard input where `path` is None; its bytes come out decompressed."""

    name: str
    path: Path | None

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """A stream over the content, from its start."""
        with translated(self.name), self._raw() as raw:
            yield _decompressed(raw, self.name)

    def _raw(self) -> Any:
        if self.path is None:
            return self._standard_input.again()
        return self.path.open("rb")

    @cached_property
    def _standard_input(self) -> _Once:
        return _Once(standard_input())

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
            return _read_fully(stream, HEAD)

    def content(self) -> bytes:
        """All of it."""
        with self.open() as stream:
            return stream.read()


class _Once(io.RawIOBase):
    """Standard input that can be begun again as long as little of it was read."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.kept: bytearray | None = bytearray()
        self.place = 0

    def again(self) -> Any:
        if self.kept is None:
            raise FileError(
                "standard input can be read only once, and this needs a second pass; "
                "save it to a file first."
            )
        self.place = 0
        return io.BufferedReader(_Shielded(self), HEAD)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.kept is not None and self.place < len(self.kept):
            piece = bytes(self.kept[self.place : self.place + len(buffer)])
        else:
            piece = self.stream.read(len(buffer))
            if self.kept is not None and len(self.kept) <= KEPT:
                self.kept += piece
            else:
                self.kept = None
        self.place += len(piece)
        buffer[: len(piece)] = piece
        return len(piece)


class _Shielded(io.RawIOBase):
    """The stream beneath, which stays open when this is closed."""

    def __init__(self, beneath: io.RawIOBase) -> None:
        self.beneath = beneath

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self.beneath.readinto(buffer) or 0


def standard_input() -> BinaryIO:
    """The bytes of standard input, which a caller may have closed."""
    if sys.stdin is None:
        raise FileError("standard input is closed; send rows through a pipe, or name a file.")
    return sys.stdin.buffer


def find_sources(path_or_pattern: Any) -> list[Source]:
    """The files meant, in sorted order; '-' is standard input."""
    text = str(path_or_pattern)
    if text == "-":
        return [Source("standard input", None)]
    with translated(text):
        if Path(text).is_dir():
            raise FileError(f"{text} is a folder; give a file, or a pattern such as {text}/*.csv.")
        if Path(text).exists() or not glob.has_magic(text):
            return [Source(text, Path(text))]
        matches = glob.glob(text, recursive=True)  # noqa: PTH207 - a path's glob is relative
        found = sorted(name for name in matches if Path(name).is_file())
    if not found:
        raise FileError(f"no file matches {text}.")
    return [Source(name, Path(name)) for name in found]


@contextmanager
def translated(name: str) -> Iterator[None]:
    """What the system says of a file, as a FileError that names it."""
    try:
        yield
    except FileNotFoundError:
        raise FileError(f"{name} does not exist.") from None
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
        return bz2.BZ2File(raw)
    if start.startswith(_XZ):
        return lzma.LZMAFile(raw)
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


def _read_fully(stream: Any, size: int) -> bytes:
    pieces, left = [], size
    while left > 0 and (piece := stream.read(left)):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
