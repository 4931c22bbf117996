"""Lines as they arrive: whatever whole lines one reading of the input brings, at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from novikoff.errors import FileError
from novikoff.io.chunks import LONGEST_LINE, last_line_end
from novikoff.io.sources import Source, source_at, translated
from novikoff.wording import keyword

MOST_BYTES_A_READ = 1 << 18  # at most; what a pipe holds is given at once


class Feed:
    """A file, or standard input where the name is '-', in blocks of whole lines.

    `n_bytes` and `digest` speak of everything that was consumed; a digest that nobody asks for
    is not computed. Text of another encoding comes out in UTF-8, and lines that are skipped are
    blank.
    """

    def __init__(self, name: str, text_encoding: str | None = None, skip_rows: int = 0) -> None:
        self.text = {"text_encoding": text_encoding, "skip_rows": skip_rows}
        self.path, self.name = name, "standard input" if name == "-" else name
        self.n_bytes = 0
        self.is_waiting = False  # for the input: nothing is lost if this is broken off
        self._tail = b"\n"  # the last byte that was consumed
        self.has_digest = True
        self._hasher = hashlib.blake2b(digest_size=16)
        self._left: list[bytes] = []  # what was read beyond the lines that were given

    @contextmanager
    def open(self) -> Iterator[None]:
        source = Source(self.name, None) if self.path == "-" else source_at(self.path)
        opened = replace(source, **self.text).open(last=True)  # type: ignore[arg-type]
        self._stream: Any = opened.__enter__()
        try:
            yield
        finally:  # what goes wrong in between is not told as an error of this file
            opened.__exit__(None, None, None)

    @property
    def digest(self) -> str:
        return self._hasher.hexdigest()

    def consumed(self, text: bytes) -> None:
        """To be told of everything that blocks() gave, when it is done with."""
        self.n_bytes += len(text)
        self._tail = text[-1:] or self._tail
        if self.has_digest:
            self._hasher.update(text)

    def skip(self, n_bytes: int, digest: str) -> None:
        """Pass over what was consumed before; FileError if it is not the same."""
        while self.n_bytes < n_bytes and (piece := self._read()):
            extra = self.n_bytes + len(piece) - n_bytes
            if extra > 0:
                self._left.append(piece[-extra:])
                piece = piece[:-extra]
            self.consumed(piece)
        if (self.n_bytes, self.digest) != (n_bytes, digest):
            raise FileError(
                f"{self.name} does not begin with the data that the checkpoint has seen; give the "
                f"same input again, or leave {keyword('resume')} out to start anew."
            )
        self._end_line()

    def _end_line(self) -> None:
        """Consume what ends the last line that was consumed, which was taken as a whole row.

        FileError if that line goes on.
        """
        if self._tail == b"\n":
            return
        if not self._left and (piece := self._read()):
            self._left.append(piece)
        following = b"".join(self._left)
        end = b"\r\n" if following.startswith(b"\r\n") else following[:1]
        if self._tail == b"\r":
            end = b"\n" if end == b"\n" else b""
        elif end and end[:1] not in b"\r\n":
            raise FileError(
                f"{self.name} goes on in the middle of the last line that the checkpoint has seen, "
                f"which was taken as a whole row; leave {keyword('resume')} out to start anew."
            )
        self.consumed(end)
        self._left = [following[len(end) :]]

    def blocks(self) -> Iterator[bytes]:
        """Blocks of whole lines; the last line may lack its end."""
        left, self._left = self._left, []
        piece = b"".join(left)
        left = []
        size = 0
        while True:
            end = last_line_end(piece) if piece else 0
            if end:
                yield b"".join([*left, piece[:end]])
                left, size = [], 0
            if end < len(piece):
                left.append(piece[end:])
                size += len(piece) - end
            if size > LONGEST_LINE:
                raise FileError(f"{self.name} has a line of more than 2 GB; is it text?")
            piece = self._read()
            if not piece:
                break
            if left and left[-1].endswith(b"\r"):  # its line feed may be in this piece
                piece = left.pop() + piece
        if left:
            yield b"".join(left)

    def _read(self) -> bytes:
        read = getattr(self._stream, "read1", self._stream.read)
        self.is_waiting = True
        try:
            with translated(self.name):
                piece: bytes = read(MOST_BYTES_A_READ)
        finally:
            self.is_waiting = False
        return piece
