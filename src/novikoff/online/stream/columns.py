"""The cells of a stream's columns as features: numbers, or words as features name=word of 1.

A stream cannot look ahead. What `read` finds out of a whole file is found out here as rows come:
a column holds numbers or words, not both, and its words do not name the rows. The first row that
shows otherwise ends the stream, with the option that decides it in the sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from novikoff.io.fields import BLANKS, WHOLE, is_number, shown
from novikoff.io.labels import DIGITS, is_numeral
from novikoff.io.options import Options
from novikoff.io.text.columns import too_many_levels
from novikoff.io.text.notation import notation_of
from novikoff.online.stream.rows import MissingError, RowError, is_word, label_of_number, number_of
from novikoff.wording import keyword

ROWS_BEFORE_FIRST_LOOK = 100  # rows, then twice as many, and so on
MOST_LABELS_REMEMBERED = 1000  # whose reading is remembered


class Columns:
    """What was learnt so far of the columns, by name, and of the labels; all of it plain JSON."""

    def __init__(self, options: Options, has_marks: bool) -> None:
        self.numerals = options.numerals
        self.has_marks = has_marks  # whether options can say how numbers are written
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

    def features(self, cells: Mapping[Any, Any]) -> dict[Any, Any]:
        """The features of a row: its cells, texts or numbers, by the names of their columns."""
        row: dict[Any, Any] = {}
        for column, cell in cells.items():
            name, value = self._feature(column, cell)
            if name in row:
                raise RowError(f"two features are called {shown(name)}; rename a column.")
            row[name] = value
        return row

    def _feature(self, column: Any, cell: Any) -> tuple[Any, Any]:
        numerals, what = self.numerals, f"the value of {shown(str(column))}"
        if not isinstance(cell, str):
            written = json.dumps(cell)
            if str(column) not in self.categorical and written not in numerals.na:
                self.take_numbers((column,))
                return column, float(cell) if isinstance(cell, bool) else cell
            cell = written
        cell = cell.strip(BLANKS)
        usual = numerals.usual(cell)
        is_categorical = str(column) in self.categorical and not numerals.is_missing(cell)
        if is_categorical or (usual is None and is_word(cell, numerals)):
            self._take_word(str(column), cell)
            return f"{column}={cell}", 1.0
        if usual is None and is_number(cell) and not numerals.is_missing(cell):
            raise RowError(
                f"{what} is {shown(cell)}, which is no number with the marks that "
                f"{keyword('decimal')} and {keyword('thousands')} say."
            )
        number = number_of(usual or cell, what, numerals)
        self.take_numbers((column,))
        return column, number

    def _take_word(self, column: str, word: str) -> None:
        """A word of this column; RowError if it cannot be one."""
        if word in self.words.get(column, ()):
            return
        if column not in self.categorical:
            odd = notation_of(word)
            if odd is not None:
                cures = f"{odd.cure}, " if odd.cures and self.has_marks else ""
                raise RowError(
                    f"the value of {shown(column)} is {shown(word)}, {odd.name}; say {cures}"
                    f"{keyword('categorical', column)} to take it as a word, or "
                    f"{keyword('drop', column)}."
                )
            if column in self.numbers:
                raise RowError(
                    f"the value of {shown(column)} is {shown(word)}, and above it is a number; a "
                    f"finite number is needed ({keyword('categorical', column)} takes all of "
                    "them as words)."
                )
        self.words.setdefault(column, set()).add(word)

    def take_numbers(self, names: Iterable[Any]) -> None:
        """Numbers of these columns; RowError where one held words."""
        found = set(map(str, names))
        for column in found & self.words.keys():
            raise RowError(
                f"the value of {shown(column)} is a number, and above it is a word; say "
                f"{keyword('categorical', column)} to take all of them as words, or "
                f"{keyword('drop', column)}."
            )
        self.numbers |= found

    def end_row(self) -> None:
        """Count a row; RowError where a column of words turns out to name the rows."""
        self.n_rows += 1
        if self.n_rows < self.next_look:
            return
        self.next_look *= 2
        for column, levels in self.words.items():
            if column not in self.categorical and too_many_levels(len(levels), self.n_rows):
                raise RowError(
                    f"{shown(column)} had {len(levels):,} different words in {self.n_rows:,} rows; "
                    f"they name the rows rather than describe them: say "
                    f"{keyword('drop', column)}, or {keyword('categorical', column)} to take them "
                    "all the same."
                )

    def label_of(self, cell: Any) -> Any:
        """The label in a cell, text or number; None where it is missing, RowError if it is none."""
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
            begins = ", which begins with 0 as a name does" * is_number(cell)
            raise RowError(
                f"the label is {shown(cell)}{begins}, and the labels above are numbers; is it the "
                f"wrong column ({keyword('label')})?"
            )
        if WHOLE.fullmatch(cell) and len(cell) < DIGITS:
            return int(cell)  # a float64 would round it
        return label_of_number(number_of(usual, "the label"))


def missing(name: str) -> MissingError:
    """That a value is null."""
    return MissingError(
        f"the value of {shown(name)} is null; leave the key out if it means 0, or say "
        f"{keyword('missing', 'drop')} to pass over such rows."
    )
