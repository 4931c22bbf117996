"""What the columns of a stream hold: numbers or words, not both, and no words that are numbers.

A stream cannot look ahead. What `read` finds out of a whole file is found out here as rows come:
the first row that shows it ends the stream, with the option that decides it in the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from novikoff.io.fields import shown
from novikoff.io.options import Options
from novikoff.io.text.columns import (
    ENOUGH,
    counts,
    is_called_a_number,
    is_called_a_time,
    tells_rows_apart,
    tells_when,
    too_many_levels,
)
from novikoff.io.text.notation import notation_of
from novikoff.online.stream.rows import RowError
from novikoff.wording import keyword

FIRST_LOOK = 100  # rows, then twice as many, and so on
LONG_LOOK = 30  # rows of whole numbers that only rise, whatever the column is called


class Columns:
    """The columns by name, and what was learnt of them so far; all of it is plain JSON."""

    def __init__(self, options: Options, has_marks: bool = True) -> None:
        self.has_marks = has_marks  # whether options can say how numbers are written
        self.named = {str(name) for name in options.categorical}
        self.kept = {str(name) for name in options.keep} | self.named
        self.numbers: set[str] = set()
        self.words: dict[str, set[str]] = {}  # the levels of each column of words
        self.cells: dict[str, list[str]] = {}  # the first cells of columns that may number the rows
        self.n_rows = 0
        self.next_look = FIRST_LOOK

    def state(self) -> dict[str, Any]:
        return {
            "numbers": sorted(self.numbers),
            "words": {name: sorted(levels) for name, levels in sorted(self.words.items())},
            "cells": self.cells,
            "rows": self.n_rows,
            "next": self.next_look,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.numbers = set(state["numbers"])
        self.words = {name: set(levels) for name, levels in state["words"].items()}
        self.cells = {name: list(cells) for name, cells in state["cells"].items()}
        self.n_rows, self.next_look = state["rows"], state["next"]

    def take_word(self, name: Any, word: str) -> None:
        """A word of this column; RowError if it cannot be one."""
        column = str(name)
        if word in self.words.get(column, ()):
            return
        if column not in self.named:
            odd = notation_of(word)
            if odd is not None and odd.is_certain:
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
                    "them as "
                    "words)."
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
            if column not in self.named and too_many_levels(len(levels), self.n_rows):
                raise RowError(
                    f"{shown(column)} had {len(levels):,} different words in {self.n_rows:,} rows; "
                    f"they name the rows rather than describe them: say "
                    f"{keyword('drop', column)}, or {keyword('categorical', column)} to take them "
                    "all the same."
                )

    def watches(self, names: Iterable[Any]) -> list[Any]:
        """The columns that may number or date the rows: all that were not asked for."""
        return [name for name in names if str(name) not in self.kept]

    def watch(self, name: Any, cell: str) -> bool:
        """Look at a cell; whether that was enough. RowError if the column is about the rows.

        A name such as id or date makes it clear after ENOUGH rows, and whole numbers that count
        the rows after LONG_LOOK. Numbers that merely rise may well be what a stream is about.
        """
        column = str(name)
        cells = self.cells.setdefault(column, [])
        cells.append(cell)
        if len(cells) == ENOUGH:
            if is_called_a_number(column) and tells_rows_apart(cells):
                raise self._about_rows(column, "has another whole number in each row", cells)
            if is_called_a_time(column) and tells_when(cells):
                raise self._about_rows(column, "tells when, in numbers", cells)
            if not counts(cells):
                del self.cells[column]
                return True
        if len(cells) < LONG_LOOK:
            return False
        del self.cells[column]
        if counts(cells):
            raise self._about_rows(column, "counts the rows", cells)
        return True

    @staticmethod
    def _about_rows(column: str, what: str, cells: list[str]) -> RowError:
        return RowError(
            f"{shown(column)} {what} ({', '.join(cells[:3])}, …), as a name or a number of rows "
            f"does; say {keyword('drop', column)}, or {keyword('keep', column)}."
        )
