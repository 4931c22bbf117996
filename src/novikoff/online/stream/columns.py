"""The cells of a stream's columns as features: numbers, or words as features name=word of 1.

A stream cannot look ahead. What `read` finds out of a whole file is found out here as rows come:
a column holds numbers or words, not both, and its words do not name the rows. The first row that
shows otherwise ends the stream, with the option that decides it in the sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from novikoff.io.chunks import TextError
from novikoff.io.fields import (
    BLANKS,
    WHOLE,
    FieldError,
    MissingError,
    as_float,
    complaint,
    is_infinite,
    missing_value,
    shown,
)
from novikoff.io.fields import is_number as is_usual
from novikoff.io.labels import DIGITS, is_numeral
from novikoff.io.options import Options
from novikoff.io.text.columns import too_many_levels
from novikoff.io.text.notation import notation_of
from novikoff.online.stream.rows import label_of_number
from novikoff.wording import keyword

ROWS_BEFORE_FIRST_LOOK = 100  # rows, then twice as many, and so on
MOST_LABELS_REMEMBERED = 1000  # whose reading is remembered


class Columns:
    """What was learnt so far of the columns, by name, and of the labels; all of it plain JSON."""

    def __init__(self, options: Options) -> None:
        self.numerals = options.numerals
        self.has_marks = options.format != "jsonl"  # options can say how numbers are written
        self.may_drop = options.missing == "drop"
        self.categorical = {str(name) for name in options.categorical}
        self.numbers: set[str] = set()
        self.words: dict[str, set[str]] = {}  # the levels of each column of words
        self.labels_are_words: bool | None = None
        self._labels: dict[str, Any] = {}  # by their cells, as long as there are few
        self.n_rows = 0
        self.next_look = ROWS_BEFORE_FIRST_LOOK

    def state(self) -> dict[str, Any]:
        return {
            "numbers": sorted(self.numbers),
            "words": {name: sorted(levels) for name, levels in sorted(self.words.items())},
            "labels_are_words": self.labels_are_words,
            "rows": self.n_rows,
            "next": self.next_look,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.numbers = set(state["numbers"])
        self.words = {name: set(levels) for name, levels in state["words"].items()}
        self.labels_are_words = state["labels_are_words"]
        self.n_rows, self.next_look = state["rows"], state["next"]

    @property
    def are_plain(self) -> bool:
        """Whether every cell is a number in the usual notation, as far as is known."""
        return not self.words and not self.categorical and self.numerals.is_usual

    def features(self, cells: Mapping[Any, Any]) -> dict[Any, Any] | None:
        """The features of a row: its cells, texts or numbers, by the names of their columns.

        None where a value is missing and its row is dropped.
        """
        row: dict[Any, Any] = {}
        for column, cell in cells.items():
            try:
                name, value = self._feature(column, cell)
            except FieldError as error:
                if self.may_drop and isinstance(error, MissingError):
                    return None
                raise TextError(f", column {shown(str(column))}: {error}") from None
            if name in row:
                raise TextError(f": two features are called {shown(name)}; rename a column")
            row[name] = value
        return row

    def _feature(self, column: Any, cell: Any) -> tuple[Any, Any]:
        numerals, is_chosen = self.numerals, str(column) in self.categorical
        if not isinstance(cell, str):
            written = "" if cell is None else json.dumps(cell)
            if cell is not None and not is_chosen and written not in numerals.na:
                self.take_numbers((column,))
                return column, float(cell) if isinstance(cell, bool) else cell
            cell = written
        if numerals.is_usual and not is_chosen and is_usual(cell):
            if column not in self.numbers:
                self.take_numbers((column,))
            return column, float(cell)
        cell = cell.strip(BLANKS)
        if numerals.is_missing(cell):
            raise MissingError(missing_value(cell))
        is_number = numerals.is_number(cell) or is_usual(cell) or is_infinite(cell)
        if is_chosen or not is_number:
            self._take_word(str(column), cell)
            return f"{column}={cell}", 1.0
        number = numerals.as_float(cell)
        self.take_numbers((column,))
        return column, number

    def _take_word(self, column: str, word: str) -> None:
        """A word of this column; FieldError if it cannot be one."""
        if word in self.words.get(column, ()):
            return
        if column not in self.categorical:
            odd = notation_of(word)
            if odd is not None:
                cures = f"{odd.cure}, " if odd.cures and self.has_marks else ""
                raise FieldError(
                    f"the value is {shown(word)}, {odd.name}; say {cures}"
                    f"{keyword('categorical', column)} to take it as a word, or "
                    f"{keyword('drop', column)}"
                )
            if column in self.numbers:
                raise FieldError(
                    f"{complaint(word)}, and {keyword('categorical', column)} takes all cells of "
                    "the column as words"
                )
        self.words.setdefault(column, set()).add(word)

    def take_numbers(self, names: Iterable[Any]) -> None:
        """Numbers of these columns; TextError where one held words."""
        found = set(map(str, names))
        for column in found & self.words.keys():
            raise TextError(
                f", column {shown(column)}: the value is a number, and above it is a word; say "
                f"{keyword('categorical', column)} to take all of them as words, or "
                f"{keyword('drop', column)}"
            )
        self.numbers |= found

    def end_row(self) -> None:
        """Count a row; TextError where a column of words turns out to name the rows."""
        self.n_rows += 1
        if self.n_rows < self.next_look:
            return
        self.next_look *= 2
        for column, levels in self.words.items():
            if column not in self.categorical and too_many_levels(len(levels), self.n_rows):
                raise TextError(
                    f", column {shown(column)}: {len(levels):,} different texts in "
                    f"{self.n_rows:,} rows name the rows rather than describe them: say "
                    f"{keyword('drop', column)}, or {keyword('categorical', column)} to take them "
                    "all the same"
                )

    def label_of(self, cell: Any) -> Any:
        """The label in a cell, text or number; None where it is missing."""
        if type(cell) is str and cell in self._labels:
            return self._labels[cell]
        label = self._read_label(cell)
        if type(cell) is str and len(self._labels) < MOST_LABELS_REMEMBERED:
            self._labels[cell] = label
        return label

    def _read_label(self, cell: Any) -> Any:
        if cell is None or isinstance(cell, bool):
            return cell
        if not isinstance(cell, str):
            if not self.labels_are_words and str(cell) not in self.numerals.na:
                self.labels_are_words = False
                return label_of_number(cell) if isinstance(cell, float) else cell
            cell = json.dumps(cell)
        cell = cell.strip(BLANKS)
        if self.numerals.is_missing(cell):
            return None
        usual = cell if WHOLE.fullmatch(cell) else self.numerals.usual(cell) or ""
        if self.labels_are_words is None:
            self.labels_are_words = not is_numeral(usual)
        if self.labels_are_words:
            return cell
        if not is_numeral(usual):
            begins = ", which begins with 0 as a name does" * is_usual(cell)
            raise TextError(
                f": the label is {shown(cell)}{begins}, and the labels above are numbers; is it "
                f"the wrong column ({keyword('label')})?"
            )
        if WHOLE.fullmatch(cell) and len(cell) < DIGITS:
            return int(cell)  # a float64 would round it
        return label_of_number(as_float(usual))
