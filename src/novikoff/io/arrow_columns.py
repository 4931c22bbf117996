"""Columns of Arrow as numpy arrays and words, by their buffers: Arrow's own conversions to numpy
import pandas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from novikoff.io.labels import MISSING_CODE, Coded


def values_of(column: Any, dtype: Any) -> np.ndarray:
    """The values of an array, whatever stands where one is null."""
    if not len(column):
        return np.empty(0, dtype=dtype)
    values = np.frombuffer(column.buffers()[1], dtype=dtype)
    return values[column.offset : column.offset + len(column)]


def is_null(column: Any) -> np.ndarray:
    """Which values of an array are null."""
    return values_of(column.is_null().cast("uint8"), np.uint8).astype(bool)


def dictionary_words(column: Any, read: Callable[[str], str | None] = str) -> Coded:
    """A dictionary-encoded array as words; `read` makes None of a word that stands for nothing."""
    indices = column.indices.cast("int64")
    places = np.where(is_null(indices), MISSING_CODE, values_of(indices, np.int64))
    listed = [word if word is None else read(word) for word in column.dictionary.to_pylist()]
    firsts = np.full(len(listed) + 1, len(places))  # the last for no word
    firsts[places[::-1]] = np.arange(len(places))[::-1]
    levels: dict[str, int] = {}
    rows: list[int] = []
    ranks = np.full(len(listed) + 1, MISSING_CODE, dtype=np.int32)
    for place, (word, row) in enumerate(zip(listed, firsts.tolist(), strict=False)):
        if word is None or row == len(places):
            continue
        if word not in levels:
            levels[word] = len(levels)
            rows.append(row)
        ranks[place] = levels[word]
    return Coded(ranks[places], list(levels), rows)
