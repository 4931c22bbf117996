"""Words of a text as codes: equal words, equal codes."""

from __future__ import annotations

import os

import numpy as np

from novikoff.io.chunks import TextError, loop_for
from novikoff.loops.text import FREE, code_words

_SEED = int.from_bytes(os.urandom(4)) >> 1  # codes do not depend on it


def coded_words(
    text: bytes, words: np.ndarray, groups: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The code of each word text[start:stop], and where each code first occurs.

    Words are alike if their bytes and their groups are. Codes count from 0 as they appear.
    """
    n = len(words)
    table = np.full(1 << max(2 * n - 1, 1).bit_length(), FREE, dtype=np.int32)
    codes, firsts = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
    code, given = loop_for(code_words, text)
    if groups is None:
        groups = np.zeros(n, dtype=np.int64)
    n_codes = code(given, groups, words, _SEED, table, codes, firsts)
    return codes, firsts[:n_codes]


def words_at(text: bytes, places: np.ndarray) -> list[str]:
    """The words text[start:stop], one for each row of `places`."""
    pairs = zip(places[:, 0].tolist(), places[:, 1].tolist(), strict=True)
    if text.isascii():
        letters = text.decode("ascii")
        return [letters[start:stop] for start, stop in pairs]
    return [decoded(text, start, stop) for start, stop in pairs]


def decoded(text: bytes, start: int, stop: int) -> str:
    """text[start:stop] as a str; TextError where it is not UTF-8."""
    try:
        return text[start:stop].decode()
    except UnicodeDecodeError:
        raise TextError(": not UTF-8 text; save the file as UTF-8", start) from None
