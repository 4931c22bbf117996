"""Blocks of delimited text, by the compiled loop: the rows that `CsvRows` would make of them.

Only when the columns are settled. What the loop cannot read in the very same way is set aside.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.io.chunks import count
from novikoff.io.text.columns import tells_rows_apart
from novikoff.io.word_codes import coded_words, words_at
from novikoff.loops import csv as loops
from novikoff.loops.numerals import powers_of_ten
from novikoff.loops.online_rows import NO_LABEL, SET_ASIDE
from novikoff.loops.text import TAB
from novikoff.online.block import Codes, RowBlock, fastest
from novikoff.online.stream.csv_rows import INDEX, CsvRows
from novikoff.online.stream.row_blocks import TextBlock, grown_list, is_text, readable
from novikoff.online.stream.rows import MissingError, RowError

DELIMITERS = (",", ";", "\t", "|")


class CsvBlocks:
    """Makes blocks of text while `rows`, which takes all other rows, knows the columns."""

    def __init__(self, rows: CsvRows) -> None:
        self.rows = rows
        self.names = Codes()

    def most_rows(self) -> int:
        """How many rows may be taken until one must be looked at by itself."""
        if self.rows.begun:
            return 0
        return self.rows.columns.next_look - self.rows.columns.n_rows - 1

    def took(self, n_rows: int) -> None:
        self.rows.columns.n_rows += n_rows

    def block(self, text: bytes) -> TextBlock | None:
        """The rows at the start of the text, which ends in a line end; None if there is no way."""
        if not self._is_settled() or not is_text(text):
            return None
        rows = self.rows
        names: list[Any] = list(rows.names or [])
        places = [place for place in range(len(names)) if place not in rows.passed]
        kept = [names[place] for place in places]
        is_word = [str(name) in rows.columns.words or str(name) in rows.columns.named
                   for name in kept]  # fmt: skip
        width, label = len(names) + 1, rows.label_place
        columns = [place + (place >= label) for place in places]  # of the file
        kinds = np.full(width, loops.SKIPPED, dtype=np.int8)
        slots = np.zeros(width, dtype=np.int64)
        texts = [c for c, word in zip(columns, is_word, strict=True) if word]
        if names[0] == INDEX:
            texts.append(int(label == 0))
        texts.append(label)
        kinds[columns], slots[columns] = loops.AS_NUMBER, np.arange(len(columns))
        kinds[texts], slots[texts] = loops.AS_TEXT, np.arange(len(texts))
        read = _Read(text, ord(rows.delimiter or ","), kinds, slots, len(columns), len(texts))
        n = read.n
        if not n or not read.has_a_row_a_line():
            return None
        which, labels = self._labels(text, read.words[-1, :n])
        which[read.set_aside] = SET_ASIDE
        if names[0] == INDEX:
            cells = words_at(text, read.words[-2, :n])
            which[[not tells_rows_apart([cell]) for cell in cells]] = SET_ASIDE
        codes = np.empty((n, len(kept)), dtype=np.int32)
        values, k = read.values[:n], 0
        for j, name in enumerate(kept):
            if not is_word[j]:
                codes[:, j] = self.names.code_of(name)
                continue
            codes[:, j] = self._levels(text, read.words[k, :n], name)
            which[codes[:, j] < 0] = SET_ASIDE
            values[:, j] = 1.0
            k += 1
        block = RowBlock(
            np.arange(n + 1) * len(kept), np.maximum(codes, 0).ravel(), values.ravel(), self.names,
            labels, which, np.ones(n), may_repeat=any(is_word),
        )  # fmt: skip
        return TextBlock(block, read.places)

    def _is_settled(self) -> bool:
        """Whether all is known of the columns that rows alone can tell."""
        rows = self.rows
        known = rows.columns
        if (
            rows.names is None
            or rows.header is not None
            or rows.watched
            or rows.begun
            or rows.points
        ):
            return False
        if rows.labels.are_words is None or not rows.given.numerals.is_usual:
            return False
        told = known.numbers | known.words.keys() | known.named
        left = [name for place, name in enumerate(rows.names) if place not in rows.passed]
        return rows.delimiter in DELIMITERS and told.issuperset(map(str, left))

    def _labels(self, text: bytes, words: np.ndarray) -> tuple[np.ndarray, list[Any]]:
        """Which of the different labels each row has, and these."""
        codes, different = distinct_words(text, words)
        labels: list[Any] = []
        table = np.empty(len(different), dtype=np.int64)
        for code, word in enumerate(different):
            try:
                label = self.rows.labels.label_of(word)
            except (RowError, MissingError):
                table[code] = SET_ASIDE
                continue
            table[code] = NO_LABEL if label is None else len(labels)
            labels += [] if label is None else [label]
        return table[codes], labels

    def _levels(self, text: bytes, words: np.ndarray, name: Any) -> np.ndarray:
        """The code of each word of a column; a word that is new to the column has -1."""
        codes, different = distinct_words(text, words)
        known = self.rows.columns.words.get(str(name), ())
        table = [
            self.names.code_of(f"{name}={word}") if word in known else -1 for word in different
        ]
        found: np.ndarray = np.array(table, dtype=np.int32)[codes]
        return found


class _Read:
    """What the loop made of a text: `n` rows, some of them set aside; NaN for a missing number."""

    def __init__(
        self, text: bytes, delimiter: int, kinds: np.ndarray, slots: np.ndarray, n_columns: int,
        n_texts: int,
    ) -> None:  # fmt: skip
        self.text, self.delimiter = text, delimiter
        width = len(kinds)
        room = count(text)[0] + 1
        self.values = np.empty((room, n_columns))
        self.words = np.empty((n_texts, room, 3), dtype=np.int64)
        places = np.empty(room, dtype=np.int64)
        doubtful = np.empty((64, 3), dtype=np.int64)
        while True:
            code, at, n, _, _, n_doubtful = fastest(loops.csv_rows)(
                readable(text), delimiter, kinds, slots, powers_of_ten(), self.values, self.words,
                places, doubtful,
            )  # fmt: skip
            if n_doubtful <= len(doubtful):
                break
            doubtful = grown_list(n_doubtful)
        self.n = int(n)
        end = int(at) if code == loops.DONE else int(places[n])
        self.places = np.append(places[:n], end)
        self.set_aside = np.zeros(self.n, dtype=bool)
        odd = doubtful[:n_doubtful, 0] // width
        self.set_aside[odd[odd < n]] = True

    def has_a_row_a_line(self) -> bool:
        """Whether no record is longer than a line, and none of these is but a pair of quotes."""
        if b'"' not in self.text:
            return True
        there = self.text[: self.places[-1]].splitlines()
        blanks = b" " if self.delimiter == TAB else b" \t"
        return sum(1 for line in there if line.strip(blanks)) == self.n


def distinct_words(text: bytes, words: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """The code of each word, and the words by code; doubled quotes in them are one."""
    codes, firsts = coded_words(text, words, np.ascontiguousarray(words[:, 2]))
    found = words_at(text, words[firsts])
    doubled = words[firsts, 2].tolist()
    return codes, [
        word.replace('""', '"') if twice else word
        for word, twice in zip(found, doubled, strict=True)
    ]
