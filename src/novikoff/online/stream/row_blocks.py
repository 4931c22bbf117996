"""Blocks of a stream's text as rows that a compiled loop can learn from."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from novikoff.loops.compiled import has_compiler
from novikoff.online.block import RowBlock


class TextBlock(NamedTuple):
    """The rows at the start of a text, and where each begins; then where what was read ends."""

    rows: RowBlock
    places: np.ndarray


class BlockReader(Protocol):
    """Makes blocks of what a reader of lines would make rows of."""

    def block(self, text: bytes) -> TextBlock | None:
        """The rows at the start of the text, which ends in a line end; None if there is no way."""

    def most_rows(self) -> int:
        """How many rows may be taken until one must be looked at by itself."""

    def took(self, n_rows: int) -> None:
        """To be told of rows that were learnt from a block."""


def readable(text: bytes) -> Any:
    """The text as loops take it: an array where they are compiled, else bytes."""
    return np.frombuffer(text, np.uint8) if has_compiler() else text


def grown_list(n_doubtful: int) -> np.ndarray:
    """A list that holds so many doubtful numbers."""
    return np.empty((n_doubtful, 3), dtype=np.int64)


def is_text(text: bytes) -> bool:
    """Whether it is UTF-8 without zero bytes."""
    if b"\0" in text:
        return False
    if not text.isascii():
        try:
            text.decode()
        except UnicodeDecodeError:
            return False
    return True
