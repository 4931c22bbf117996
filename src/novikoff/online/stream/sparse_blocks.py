"""Blocks of svmlight and Vowpal Wabbit text, by the compiled loops."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from novikoff.io.chunks import count
from novikoff.io.vw import Features, full_name
from novikoff.loops import svmlight, vw
from novikoff.loops.numerals import powers_of_ten
from novikoff.loops.online_rows import NO_LABEL, SET_ASIDE
from novikoff.online.block import Codes, NumberCodes, RowBlock, fastest
from novikoff.online.stream.row_blocks import TextBlock, grown_list, is_text, readable
from novikoff.online.stream.rows import label_of_number
from novikoff.online.stream.sparse_rows import is_name_with_word

MOST_CODES = 1 << 22  # names that no model need know are forgotten now and then


class _SparseBlocks:
    """Rows of a line each, of which nothing is learnt as they come."""

    def most_rows(self) -> int:
        return sys.maxsize

    def took(self, n_rows: int) -> None:
        """Nothing is counted."""


class SvmlightBlocks(_SparseBlocks):
    """The rows that `SvmlightRows` would make."""

    def __init__(self) -> None:
        self.names = NumberCodes()

    def block(self, text: bytes) -> TextBlock | None:
        if has_other_blanks(text):
            return None
        n_lines, n_colons, _ = count(text, b":")
        labels, starts = np.empty(n_lines), np.zeros(n_lines + 1, dtype=np.int64)
        queries, places = np.empty((2, n_lines), dtype=np.int64)
        columns, values = np.empty(n_colons, dtype=np.int32), np.empty(n_colons)
        doubtful = np.empty((64, 3), dtype=np.int64)
        while True:
            code, at, n, n_doubtful, _, _, n_unsorted = fastest(svmlight.svmlight_rows)(
                readable(text), powers_of_ten(), False, 0, svmlight.LARGEST_INDEX,
                labels, queries, starts, columns, values, places, doubtful,
            )  # fmt: skip
            if n_doubtful <= len(doubtful):
                break
            doubtful = grown_list(n_doubtful)
        if not n:
            return None
        if len(self.names) > MOST_CODES:
            self.names = NumberCodes()
        n_entries = int(starts[n])
        which, different = coded_labels(labels[:n])
        which[queries[:n] != svmlight.NO_QUERY] = SET_ASIDE
        set_aside(which, doubtful[:n_doubtful, 0], starts)
        block = RowBlock(
            starts[: n + 1], self.names.codes_of(columns[:n_entries]), values[:n_entries],
            self.names, different, which, np.ones(n), may_repeat=n_unsorted > 0,
        )  # fmt: skip
        return TextBlock(block, ends_of(places[:n], at, code == svmlight.DONE, text))


class VwBlocks(_SparseBlocks):
    """The rows that `VwRows` would make."""

    def __init__(self) -> None:
        self.names = Codes()

    def block(self, text: bytes) -> TextBlock | None:
        if has_other_blanks(text) or not is_text(text):
            return None
        n_lines, n_blanks, n_bars = count(text, b" ", b"|")
        n_blanks += text.count(b"\t")
        labels, weights = np.empty((2, n_lines))
        tags = np.empty((n_lines, 2), dtype=np.int64)
        starts, places = np.zeros((2, n_lines + 1), dtype=np.int64)
        spaces, scales = np.empty((n_bars, 2), dtype=np.int64), np.empty(n_bars)
        names, groups = np.empty((n_blanks, 2), np.int64), np.empty(n_blanks, dtype=np.int64)
        values, scratch = np.empty(n_blanks), np.empty((5, 2), dtype=np.int64)
        doubtful = np.empty((64, 3), dtype=np.int64)
        while True:
            code, at, n, n_spaces, _, n_doubtful = fastest(vw.vw_rows)(
                readable(text), powers_of_ten(), scratch, labels, weights, tags, starts, places,
                spaces, scales, groups, names, values, doubtful,
            )  # fmt: skip
            if n_doubtful <= len(doubtful):
                break
            doubtful = grown_list(n_doubtful)
        if not n:
            return None
        if len(self.names) > MOST_CODES:
            self.names = Codes()
        n_entries = int(starts[n])
        labels[:n][weights[:n] == 0.0] = np.nan  # a row of weight 0 is not learnt
        which, different = coded_labels(labels[:n])
        odd = []
        for entry, start, stop in doubtful[:n_doubtful].tolist():
            if 0 <= entry < n_entries and is_name_with_word(text[start:stop].decode()):
                names[entry, 1], values[entry] = stop, 1.0
            else:
                odd.append(entry)
        set_aside(which, np.array(odd, dtype=np.int64), starts)
        features = Features(text, spaces[:n_spaces], groups[:n_entries], names[:n_entries])
        codes, keys = features.coded(None, False)
        table = np.array([self.names.code_of(full_name(key)) for key in keys], dtype=np.int32)
        block = RowBlock(
            starts[: n + 1], table[codes], values[:n_entries], self.names, different, which,
            weights[:n], may_repeat=True,
        )  # fmt: skip
        return TextBlock(block, ends_of(places[:n], at, code == vw.DONE, text))


def has_other_blanks(text: bytes) -> bool:
    """Whether there are blanks that part words and that the loops do not know."""
    return b"\x0b" in text or b"\x0c" in text


def coded_labels(labels: np.ndarray) -> tuple[np.ndarray, list[Any]]:
    """Which of the different labels each row has, NO_LABEL where it is NaN; and these."""
    different, which = np.unique(labels, return_inverse=True)
    which = which.astype(np.int64)
    which[np.isnan(labels)] = NO_LABEL
    return which, [label_of_number(label) for label in different.tolist() if label == label]


def set_aside(which: np.ndarray, entries: np.ndarray, starts: np.ndarray) -> None:
    """Leave rows with such entries to others; -1 - row stands for the label of a row."""
    n = len(which)
    rows = np.where(
        entries < 0, -1 - entries, np.searchsorted(starts[: n + 1], entries, "right") - 1
    )
    which[rows[rows < n]] = SET_ASIDE


def ends_of(places: np.ndarray, at: int, is_done: bool, text: bytes) -> np.ndarray:
    """Where rows begin; then where the last of them was left, at a line that is for others."""
    end = len(text) if is_done else max(text.rfind(b"\n", 0, at), text.rfind(b"\r", 0, at)) + 1
    return np.append(places, end)
