"""Rows of tables: the cells of a line as features, numbers or words name=word of 1, and its label.

A stream cannot look ahead. What `read` finds out of a whole file is found out here as rows come:
a column holds numbers or words, not both, and its words do not name the rows. The first row that
shows otherwise ends the stream, with the option that decides it in the sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
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
    is_missing,
    missing_value,
    notation_of,
    shown,
)
from novikoff.io.fields import is_number as is_usual
from novikoff.io.json_lines import DEFAULT_LABEL, JsonLineError, nested, object_of
from novikoff.io.labels import DIGITS, is_numeral
from novikoff.io.layout import (
    Layout,
    has_no_name,
    make_layout,
    tells_rows_apart,
    too_many_levels,
)
from novikoff.io.opening import (
    UNEXPECTED_END,
    HeaderDoubtError,
    Points,
    checked,
    column_kinds,
    find_delimiter,
    find_header,
    records,
    stated_delimiter,
)
from novikoff.io.options import Options
from novikoff.online.stream.rows import DROPPED, Row, label_of_number
from novikoff.wording import keyword

ROWS_BEFORE_FIRST_LOOK = 100  # rows, then twice as many, and so on
MOST_LABELS_REMEMBERED = 1000  # whose reading is remembered
_NUMBERS = {int, float}


class TableRows:
    """What was learnt so far of the columns, by name, and of the labels; all of it plain JSON."""

    kept: tuple[str, ...] = (
        "labels_are_words",
        "n_rows",
        "next_look",
    )  # in a checkpoint

    def __init__(self, options: Options) -> None:
        self.options, self.numerals = options, options.numerals
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
            **{name: getattr(self, name) for name in self.kept},
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.numbers = set(state["numbers"])
        self.words = {name: set(levels) for name, levels in state["words"].items()}
        for name in self.kept:
            setattr(self, name, state[name])

    @property
    def are_plain(self) -> bool:
        """Whether every cell is a number in the usual notation, as far as is known."""
        return not self.words and not self.categorical and self.numerals.is_usual

    def taken(self, cells: Iterable[tuple[Any, Any]], label: Any) -> Row:
        """The row of these cells, texts or numbers, each with the name of its column."""
        row: dict[Any, Any] = {}
        for column, cell in cells:
            try:
                name, value = self._feature(column, cell)
            except FieldError as error:
                if self.options.missing == "drop" and isinstance(error, MissingError):
                    return DROPPED
                raise TextError(f", column {shown(str(column))}: {error}") from None
            if name in row:
                raise TextError(f": two features are called {shown(name)}; rename a column")
            row[name] = value
        return self.counted(row, label)

    def counted(self, row: dict[Any, Any], label: Any) -> Row:
        """The row; TextError where a column of words turns out to name the rows."""
        self.n_rows += 1
        if self.n_rows >= self.next_look:
            self.next_look *= 2
            for column, levels in self.words.items():
                if column not in self.categorical and too_many_levels(len(levels), self.n_rows):
                    raise TextError(
                        f", column {shown(column)}: {len(levels):,} different texts in "
                        f"{self.n_rows:,} rows name the rows rather than describe them: say "
                        f"{keyword('drop', column)}, or {keyword('categorical', column)} to take "
                        "them all the same"
                    )
        return Row(row, label)

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
            as_words = keyword("categorical", column)
            if odd := notation_of(word):
                has_marks = odd.cures and self.options.format != "jsonl"
                cures = f"{odd.cure}, " if has_marks else ""
                raise FieldError(
                    f"the value is {shown(word)}, {odd.name}; say {cures}{as_words} to take it as "
                    f"a word, or {keyword('drop', column)}"
                )
            if column in self.numbers:
                raise FieldError(
                    f"{complaint(word)}, and {as_words} takes all cells of the column as words"
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
        try:
            return label_of_number(as_float(usual))
        except FieldError as error:
            raise TextError(f": of the label, {error}") from None


class JsonRows(TableRows):
    """Rows of JSON Lines, whose values are cells; a key that a row lacks is 0 there."""

    kept = (*TableRows.kept, "label")

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self.label = None if options.label is None else str(options.label)
        self.dropped = {str(name) for name in options.drop}

    def row(self, line: bytes) -> Row | None:
        text = checked(line)
        if not text or text.isspace():
            return None
        try:
            x: dict[Any, Any] = object_of(text, as_written=False)
            if self.label is None:
                if DEFAULT_LABEL not in x:
                    raise TextError(
                        f": which key holds the label? It is not {DEFAULT_LABEL!r}: say "
                        f"which by {keyword('label')}"
                    )
                self.label = DEFAULT_LABEL
            label = x.pop(self.label, None)
            for name in self.dropped:
                x.pop(name, None)
            for name, value in {self.label: label, **x}.items():
                if isinstance(value, list):
                    raise nested(name, value)
        except JsonLineError as error:
            raise TextError(f": {error}") from None
        label = self.label_of(label)
        if not (self.are_plain and _NUMBERS.issuperset(map(type, x.values()))):
            return self.taken(x.items(), label)
        if not self.numbers.issuperset(x):
            self.take_numbers(x)
        return self.counted(x, label)


class CsvRows(TableRows):
    """Rows of delimited text, one a line. Without a header, columns are called 1, 2, …"""

    kept = (*TableRows.kept, "delimiter", "header", "first", "asks_of_points")

    def __init__(self, options: Options, name: str) -> None:
        super().__init__(options)
        self.name = name
        self.delimiter = options.delimiter or ("\t" if options.format == "tsv" else None)
        self.header: list[str] | None = None
        self.first: list[str] = []  # the cells of the first row below it
        self.layout: Layout | None = None  # once there is that row
        self.asks_of_points = True  # until a row shows what points are

    @property
    def label(self) -> str | None:
        return None if self.layout is None else self.layout.label_name

    @property
    def note(self) -> str | None:
        """What was left out."""
        return None if self.layout is None else "; ".join(self.layout.notes) or None

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        texts = [self.delimiter or "", *(self.header or []), *self.first]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("a cell is no text")
        if self.first:
            self._settle(self.first)

    def row(self, line: bytes) -> Row | None:
        if self.header is None and self.layout is None:
            if not line.strip():
                return None
            if stated := stated_delimiter(line):
                self.delimiter = self.delimiter or stated
                return None
            self.delimiter = self.delimiter or find_delimiter(line)
        cells = self._cells(line)
        if not cells or (len(cells) == 1 and not cells[0].strip(BLANKS)):
            return None  # a blank line; tabs alone are the empty cells of a TSV row
        if self.layout is None:
            cells = [cell.strip(BLANKS) for cell in cells]
            if self.header is None and self._is_header(cells):
                self.header = cells
                return None
        width = len(self.header or self.first or cells)
        if len(cells) != width:
            raise TextError(
                f": {len(cells)} fields where the first line has {width}; is a delimiter or a "
                "quote missing?"
            )
        if self.layout is None:
            self._settle(cells)
        if self.asks_of_points:
            points = Points(self.options, self.delimiter)
            points.look(line)
            if points.question:
                raise TextError(f": {points.question.rstrip('.')}")
            self.asks_of_points = not points.are_decimal
        label = self.label_of(cells[self.label_index])
        if self.has_index and not tells_rows_apart([cells[0].strip(BLANKS)]):
            raise TextError(
                f": the first column has no name and holds {shown(cells[0])}; give it a name, or "
                f"say {keyword('keep', '1')} or {keyword('drop', '1')}"
            )
        for index in self.left_out:
            del cells[index]
        return self._row_of(cells, label)

    def _cells(self, line: bytes) -> list[str]:
        delimiter = self.delimiter or ","
        if b'"' not in line:
            return checked(line).split(delimiter)
        try:
            return next((cells for _, cells in records(line, delimiter)), [])
        except TextError as error:
            if UNEXPECTED_END not in error.message:
                raise
            message = ": a quote is not closed in this line, and a row of a stream is one line"
            raise TextError(message) from None

    def _row_of(self, cells: list[str], label: Any) -> Row:
        letters = "".join(cells)
        is_plain = self.are_plain and letters.isascii()
        if is_plain and not ("_" in letters or "n" in letters or "N" in letters):
            try:  # float takes more than a numeral, but only with such letters
                row = dict(zip(self.features, map(float, cells), strict=True))
            except ValueError:
                return self.taken(zip(self.features, cells, strict=True), label)
            if len(self.numbers) < len(row):
                self.take_numbers(row)
            return self.counted(row, label)
        return self.taken(zip(self.features, cells, strict=True), label)

    def _settle(self, first: list[str]) -> None:
        """Settle the columns by the cells of the first row."""
        options, header = self.options, self.header
        if len(first) < 2:
            raise TextError(
                f": 1 column ({shown(first[0])}); a label and at least one column are needed, "
                f"separated by commas, semicolons or tabs: say {keyword('delimiter')} for "
                "another mark"
            )
        is_guessed = header is not None and options.header is None
        if is_guessed and not self._found_header(header or [], [first]):
            raise TextError(
                ": the line above was taken as the names of the columns, and this one looks like "
                f"it; say {keyword('header', True)} or {keyword('header', False)}"
            )
        width = len(first)
        kinds = column_kinds([first], width, options.numerals)
        layout = make_layout(header, kinds, options, self.name, lambda c: first[c : c + 1])
        names = layout.names if layout.named else range(1, width + 1)
        self.first, self.layout = list(first), layout
        self.label_index = -1 if layout.label is None else layout.label
        self.features = [names[c] for c in layout.features]
        self.left_out = sorted(set(range(width)) - set(layout.features), reverse=True)
        is_unnamed = header is not None and has_no_name(header[0])
        named = {str(name) for name in (*options.drop, *options.keep, *options.categorical)}
        self.has_index = is_unnamed and self.label_index != 0 and not named & {"1", names[0]}

    def _is_header(self, first: list[str]) -> bool:
        """Words make a header, as 0, 1, 2, … do; the row below is looked at as it comes."""
        if self.options.header is not None or len(first) < 2:
            return bool(self.options.header)
        label = self.options.label
        body = first[1:] if has_no_name(first[0]) else first
        if label in first and not is_usual(str(label)):
            return True
        if all(map(_is_word, body)):
            return True
        return not any(map(_is_word, first[:-1])) and self._found_header(first, [])

    def _found_header(self, first: list[str], rest: list[list[str]]) -> bool:
        try:
            return find_header(first, rest, self.options.label, self.numerals)[0]
        except HeaderDoubtError as error:
            raise TextError(f": {str(error).rstrip('.')}") from None


def _is_word(cell: str) -> bool:
    return not (is_usual(cell) or is_missing(cell) or is_infinite(cell))
