"""Labels as they are written, made numbers where all of them are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError, InputError
from novikoff.io.fields import WHOLE, is_number, shown
from novikoff.io.options import Options
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


class WantedLabels(dict[str, bool]):
    """Whether a label, as it is written, is one of some classes: 1 and 1.0 are one class."""

    def __init__(self, classes: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(classes, True))
        self.numbers = {float(name) for name in classes if is_number(name)}

    def __missing__(self, label: str) -> bool:
        self[label] = is_number(label) and float(label) in self.numbers
        return self[label]


def wanted_rows(labels: Coded | np.ndarray, classes: Iterable[str]) -> np.ndarray:
    """Which rows are of these classes; a label that is missing is of none."""
    wanted = WantedLabels(classes)
    if isinstance(labels, np.ndarray):
        known = list(wanted) if labels.dtype.kind == "U" else list(wanted.numbers)
        return np.isin(labels, known)
    is_known = [wanted[level] for level in labels.levels]
    found: np.ndarray = np.array([*is_known, False])[labels.codes]  # -1 is the code of none
    return found


def check_classes(labels: Iterable[Any], classes: Iterable[str] | None, source: str) -> None:
    """Raise where one of the classes that are to be kept is the label of no row."""
    seen = WantedLabels([str(label) for label in labels])
    for name in classes or ():
        if not seen[name]:
            raise InputError(f"{argument('classes')} has {name!r}, but no row of {source} has that "
                             "label.")  # fmt: skip


def check_labels(seen: set[Any], options: Options, source: str) -> None:
    """Raise where a class that was named is the label of no row; `seen` may be signs."""
    check_positive(seen, options.positive, source)
    if options.positive is None:
        check_classes(seen, options.classes, source)
    elif options.classes is not None and -1 not in seen:
        raise InputError(f"every row of {source} that {argument('classes')} keeps has the label "
                         f"{options.positive!r}.")  # fmt: skip


def check_positive(signs_seen: set[int], positive: Any, source: str) -> None:
    """Raise where no label was `positive`."""
    if positive is not None and 1 not in signs_seen:
        raise InputError(
            f"{argument('positive')} is {positive!r}, but no row of {source} has that label."
        )
