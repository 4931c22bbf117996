"""Labels of a text table: numbers where every label is a numeral, else text.

Numbers that are equal are one class however they are written: 1, 1.0, +1 and 1e0. A number that
begins with a zero, such as 02134, is a name, and a column that has one is text, as is a column with
two numbers that no int64 or float64 tells apart. Texts that differ are different classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import FileError, InputError
from novikoff.io.fields import (
    USUAL,
    WHOLE,
    FieldError,
    Numerals,
    as_fraction,
    is_number,
    shown,
)
from novikoff.wording import keyword

DIGITS = 25  # more than any int64 has, and few enough to convert
MOST_REMEMBERED = 1 << 16  # numbers; more of them are measurements, and no classes
MOST_LISTED_CLASSES = 20  # numbers of which it is said that they are written in several ways
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
NO_NUMBER = "no number"  # in place of a label that is none in the notation of its table
_ZERO_FIRST = re.compile(r"[+-]?0\d")


MISSING_CODE = -1


class Coded(NamedTuple):
    """Words with few distinct values: word i is levels[codes[i]], MISSING_CODE where there is none.

    Level k first stands in row firsts[k], where that is known.
    """

    codes: np.ndarray
    levels: list[str]
    firsts: Sequence[int] = ()

    def of_rows(self, keep: np.ndarray) -> Coded:
        """The words of some rows; their levels first stand in the rows that they had before."""
        used, firsts, codes = np.unique(self.codes[keep], return_index=True, return_inverse=True)
        n_missing = int(len(used) > 0 and used[0] == MISSING_CODE)
        levels = [self.levels[k] for k in used[n_missing:].tolist()]
        rows = np.flatnonzero(keep)[firsts[n_missing:]]
        return Coded((codes - n_missing).astype(np.int32), levels, rows.tolist())


class LabelKind:
    """What labels are that come a few at a time, of a table that writes numbers as `numerals`."""

    def __init__(self, numerals: Numerals = USUAL) -> None:
        self.numerals = numerals
        self.is_text = False
        self.is_whole = True
        self.largest = 0
        self._values: dict[float, Fraction] = {}
        self._spelling: dict[Fraction, str] = {}
        self.twins: dict[str, list[str]] = {}  # for a first spelling of a number, all others

    def add(self, levels: Iterable[str]) -> None:
        for written in () if self.is_text else levels:
            level = self._usual(written)
            if not is_numeral(level):
                self.is_text = True
                return
            if not WHOLE.fullmatch(level):
                self.is_whole = False
            else:
                size = abs(int(level)) if len(level) < DIGITS else 2**63
                self.largest = max(self.largest, size)
            if len(self._values) < MOST_REMEMBERED:
                self._remember(level, written)

    def take(self, coded: Coded, labels: str, source: str = "") -> np.ndarray:
        """The labels as `read` takes them by its option `labels`, in the usual notation."""
        kind = "text" if labels == "text" else self.name
        if kind != "text" and not self.numerals.is_usual:
            coded = Coded(coded.codes, [self._usual(level) for level in coded.levels])
        if labels == "as written":
            return spelled(coded, kind, bool(self.twins))
        return labels_of(coded, kind, source)

    def _usual(self, level: str) -> str:
        if self.numerals.is_usual or WHOLE.fullmatch(level):
            return level
        return self.numerals.usual(level) or NO_NUMBER

    def _remember(self, level: str, written: str) -> None:
        """Keep the value of a label; two values that are one float64 are told apart as text."""
        try:
            value = as_fraction(level)
        except FieldError:
            self.is_text = True
            return
        near = int(level) if self.is_whole and len(level) < DIGITS else float(level)
        self.is_text = self._values.setdefault(near, value) != value
        spelling = self._spelling.setdefault(value, written)
        if spelling != written and written not in self.twins.setdefault(spelling, []):
            self.twins[spelling].append(written)

    @property
    def name(self) -> str:
        """'whole' where every label is written as a whole number, else 'number', else 'text'."""
        most = 2**63 - 1 if self.is_whole else 2**53
        if self.is_text or self.largest > most:
            return "text"
        return "whole" if self.is_whole else "number"

    @property
    def notes(self) -> list[str]:
        """That numbers which are written in several ways are one class each."""
        if self.name == "text" or not self.twins or len(self._spelling) > MOST_LISTED_CLASSES:
            return []
        groups = [[first, *others] for first, others in self.twins.items()]
        listed = "; ".join(", ".join(map(shown, group[:5])) for group in groups[:4])
        more = "; …" * (len(groups) > 4)
        apart = f" ({keyword('labels', 'text')} keeps them apart)"
        return [f"labels that are one number are one class: {listed}{more}{apart}"]


def is_numeral(label: str) -> bool:
    """Whether a label may be a number: a numeral that does not begin with a needless zero."""
    return is_number(label) and _ZERO_FIRST.match(label) is None


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
        if not is_numeral(level):
            raise FileError(
                f"{source}: the label {shown(level)} is text, and the labels before it are "
                f"numbers; say {keyword('labels', 'text')}."
            )
    if kind == "whole" and kind_of(coded.levels) == "whole":
        whole = np.array([int(level) for level in coded.levels], dtype=np.int64)
        return np.asarray(whole[coded.codes])
    return np.asarray(np.array([float(level) + 0.0 for level in coded.levels])[coded.codes])


def spelled(coded: Coded, kind: str, has_twins: bool) -> np.ndarray:
    """The labels as they are written; where numbers are written in several ways, in one of them:
    as Python writes an int or a float, or, where no float is it, a decimal."""

    def usual(level: str) -> str:
        if kind == "whole":
            return str(int(level))
        value, near = as_fraction(level), repr(float(level) + 0.0)
        return near if Fraction(near) == value else str(Decimal(level).normalize(_EXACT))

    levels = list(map(usual, coded.levels)) if kind != "text" and has_twins else coded.levels
    return np.asarray(np.array(levels, dtype=np.str_)[coded.codes])


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
            raise InputError(f"classes has {name!r}, but no row of {source} has that "
                             "label.")  # fmt: skip
