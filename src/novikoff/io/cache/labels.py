"""Labels as they are written, so that one cache serves whatever takes them.

Labels of text tables are words, kept as codes of them; all others are the numbers or texts that
the file holds. What is asked for (numbers where all are, text, signs) is made of them on loading.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from novikoff.io.labels import REMEMBERED, Coded, LabelKind, labels_of, spelled
from novikoff.io.text.numerals import Numerals


class WordsSoFar:
    """The words of all labels that were written, numbered as they came."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.kind = LabelKind()
        self.n = 0

    def add(self, labels: Coded) -> tuple[np.ndarray, np.ndarray]:
        """The labels as codes among all words, and the words that are new."""
        new: list[str] = []
        ranks = np.empty(len(labels.levels), dtype=np.int64)
        for code, word in enumerate(labels.levels):
            place = self.places.get(word)
            if place is None:
                place = self.n + len(new)
                new.append(word)
                if len(self.places) < REMEMBERED:
                    self.places[word] = place
            ranks[code] = place
        self.n += len(new)
        self.kind.add(new)
        whole = np.int32 if self.n < 2**31 else np.int64
        return ranks.astype(whole)[labels.codes], np.array(new, dtype=np.str_)


class WrittenWords(NamedTuple):
    """Labels in words: that of row i is words[codes[i]]; `kind` says what all of them are."""

    codes: np.ndarray
    words: np.ndarray
    kind: str

    def check(self) -> None:
        """Raise ValueError where a code is that of no word."""
        if self.codes.dtype.kind != "i" or self.words.dtype.kind != "U":
            raise ValueError("codes and words are needed")
        if len(self.codes) and not 0 <= self.codes.min() <= self.codes.max() < len(self.words):
            raise ValueError("a code is out of bounds")
        if self.kind not in ("whole", "number", "text"):
            raise ValueError("labels are numbers or text")

    def taken(self, labels: str, numerals: Numerals) -> np.ndarray:
        """Labels as `read` takes them by the same word."""
        coded, kind = Coded(self.codes, self.words.tolist()), self.kind
        if labels == "text":
            return labels_of(coded, "text", "")
        if labels != "as written" and numerals.is_usual:
            return labels_of(coded, kind, "")
        seen = self.seen(numerals)
        coded, kind = seen.usual(coded), seen.name
        return (
            labels_of(coded, kind, "")
            if labels == "auto"
            else spelled(coded, kind, bool(seen.twins))
        )

    def seen(self, numerals: Numerals) -> LabelKind:
        """What there is to say of the words of a table that writes numbers so."""
        seen = LabelKind(numerals)
        seen.add(self.words.tolist())
        return seen
