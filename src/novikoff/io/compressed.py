"""Compressed bytes as what they were, to their very end.

Python's own readers of bzip2 and xz take whatever follows a part that ended for nothing: of two
files that were put together, one damaged in its first bytes would be left out in silence.
"""

from __future__ import annotations

import bz2
import io
import lzma
from collections.abc import Callable
from functools import partial
from typing import Any

PIECE_BYTES = 1 << 16
MOST_XZ_MEMORY = 1 << 28  # bytes of an xz dictionary: four times what xz -9 takes


class Parts(io.RawIOBase):
    """The content of one compressed part after the other; EOFError where that is not all."""

    def __init__(self, raw: Any, begin: Callable[[], Any]) -> None:
        self.raw = raw
        self.begin = begin
        self.part = begin()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            given = b""
            if self.part.eof:
                given = self._after_the_end(self.part.unused_data)
                if not given:
                    return 0
                self.part = self.begin()
            elif self.part.needs_input and not (given := self.raw.read(PIECE_BYTES)):
                raise EOFError("it ends in the middle")
            try:
                piece = self.part.decompress(given, len(buffer))
            except (OSError, ValueError, lzma.LZMAError) as error:
                raise EOFError(str(error) or "it cannot be decompressed") from None
            if piece:
                buffer[: len(piece)] = piece
                return len(piece)

    def _after_the_end(self, rest: bytes) -> bytes:
        """What follows a part, without the zeros that fill up a block."""
        while not rest.strip(b"\0"):
            rest = self.raw.read(PIECE_BYTES)
            if not rest:
                return b""
        return rest.lstrip(b"\0")


def without_bzip2(raw: Any) -> io.BufferedReader:
    return io.BufferedReader(Parts(raw, bz2.BZ2Decompressor), PIECE_BYTES)


def without_xz(raw: Any) -> io.BufferedReader:
    begin = partial(lzma.LZMADecompressor, memlimit=MOST_XZ_MEMORY)
    return io.BufferedReader(Parts(raw, begin), PIECE_BYTES)
