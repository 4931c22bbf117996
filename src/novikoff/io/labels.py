"""Labels as they are written, made numbers where all of them are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError, InputError
from novikoff.io.fields import WHOLE, is_number, shown
from novikoff.wording import argument, hint, keyword

DIGITS = 25  # more than any int64 has, and few enough to convert


class Coded(NamedTuple):
    """Words with few distinct values: word i is levels[codes[i]]."""

    codes: np.ndarray
    levels: list[str]


class LabelKind:
    """What labels are that come a few at a time.

    Whole numbers of more digits than an int64 has, or, beside others, than a float64, are text:
    as numbers two of them could become one.
    """

    def __init__(self) -> None:
        self.is_text = False
        self.is_whole = True
        self.largest = 0

    def add(self, levels: Iterable[str]) -> None:
        for level in () if self.is_text else levels:
            if not is_number(level):
                self.is_text = True
                return
            if not WHOLE.fullmatch(level):
                self.is_whole = False
            else:
                size = abs(int(level)) if len(level) < DIGITS else 2**63
                self.largest = max(self.largest, size)

    @property
    def name(self) -> str:
        """'whole' where every label is written as a whole number, else 'number', else 'text'."""
        most = 2**63 - 1 if self.is_whole else 2**53
        if self.is_text or self.largest > most:
            return "text"
        return "whole" if self.is_whole else "number"


def kind_of(levels: Iterable[str]) -> str:
    """'whole' where every label is written as a whole number, else 'number', else 'text'."""
    kind = LabelKind()
    kind.add(levels)
    return kind.name


def labels_of(coded: Coded, kind: str, source: str) -> np.ndarray:
    """The labels as int64, float64 or text."""
    if kind == "text":
        return np.asarray(np.array(coded.levels, dtype=np.str_)[coded.codes])
    for level in coded.levels:
        if not is_number(level):
            raise FileError(
                f"{source}: the label {shown(level)} is text, and the labels before it are "
                f"numbers{hint('; say {}', 'labels', 'text')}."
            )
    if kind == "whole" and kind_of(coded.levels) == "whole":
        whole = np.array([int(level) for level in coded.levels], dtype=np.int64)
        return np.asarray(whole[coded.codes])
    return np.asarray(np.array([float(level) for level in coded.levels])[coded.codes])


def signs_of(y: np.ndarray | None, positive: Any) -> np.ndarray | None:
    """+1 where the label is `positive` and -1 elsewhere; y itself where `positive` is None."""
    if positive is None:
        return y
    if y is None:
        raise InputError(
            f"{keyword('positive')} needs labels, and {keyword('label', False)} leaves them out."
        )
    wanted: Any = str(positive)
    if y.dtype.kind != "U":
        wanted = float(positive) if is_number(str(positive)) else np.nan
    return np.where(y == wanted, 1, -1).astype(np.int8)


def check_positive(signs_seen: set[int], positive: Any, source: str) -> None:
    """Raise where no label was `positive`."""
    if positive is not None and 1 not in signs_seen:
        raise InputError(
            f"{argument('positive')} is {positive!r}, but no row of {source} has that label."
        )
