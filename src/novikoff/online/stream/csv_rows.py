"""CSV and TSV: cells under the names in the header, a record at a time."""

from __future__ import annotations

import csv
from typing import Any

from novikoff.io.chunks import TextError
from novikoff.io.csv_records import UNEXPECTED_END, checked, column_kinds, records
from novikoff.io.fields import BLANKS, is_infinite, is_missing, is_number, shown
from novikoff.io.layout import Layout, make_layout
from novikoff.io.options import Options
from novikoff.io.sources import Source
from novikoff.io.text.columns import has_no_name, tells_rows_apart
from novikoff.io.text.delimiter import find_delimiter, stated_delimiter
from novikoff.io.text.header import HeaderDoubtError, find_header
from novikoff.io.text.points import points_of
from novikoff.online.stream.columns import Columns
from novikoff.online.stream.rows import DROPPED, Row
from novikoff.wording import keyword


class CsvRows:
    """Rows of delimited text. Without a header, columns are called 1, 2, …"""

    def __init__(self, options: Options, source: Source) -> None:
        self.options, self.source = options, source.name
        self.delimiter = options.delimiter or ("\t" if options.format == "tsv" else None)
        self.columns = Columns(options)
        self.header: list[str] | None = None
        self.first: list[str] = []  # the cells of the first row below it
        self.layout: Layout | None = None  # once there is that row
        self.asks_of_points = True  # until a row shows what points are
        self.begun: list[bytes] = []  # lines of a record that goes on in the next one
        self.n_begun = 0  # their bytes

    @property
    def label(self) -> str | None:
        return None if self.layout is None else self.layout.label_name

    @property
    def note(self) -> str | None:
        """What was left out."""
        return None if self.layout is None else "; ".join(self.layout.notes) or None

    def state(self) -> dict[str, Any]:
        return {
            "delimiter": self.delimiter,
            "header": self.header,
            "first": self.first,
            "asks_of_points": self.asks_of_points,
            "columns": self.columns.state(),
            "begun": b"\n".join(self.begun).decode("latin-1"),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.delimiter, self.header = state["delimiter"], state["header"]
        self.asks_of_points = state["asks_of_points"]
        self.columns.restore(state["columns"])
        begun = state["begun"].encode("latin-1")
        self.begun, self.n_begun = begun.split(b"\n") if begun else [], len(begun)
        texts = [self.delimiter or "", *(self.header or []), *state["first"]]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("a cell is no text")
        if state["first"]:
            self._settle(state["first"])

    def end(self) -> None:
        if self.begun:
            raise TextError(": the data ends within quotes; is a quote missing?")

    def row(self, line: bytes) -> Row | None:
        if self.header is None and self.layout is None and not self.begun:
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
                f": {len(cells)} fields where the first line has {width}"
                f"{self.options.twice_used}; is a delimiter or a quote missing?"
            )
        if self.layout is None:
            self._settle(cells)
        if self.asks_of_points:
            self._look_at_points(line)
        label = self.columns.label_of(cells[self.label_index])
        if self.has_index and not tells_rows_apart([cells[0].strip(BLANKS)]):
            raise TextError(
                f": the first column has no name and holds {shown(cells[0])}; give it a name, or "
                f"say {keyword('keep', '1')} or {keyword('drop', '1')}"
            )
        for index in self.left_out:
            del cells[index]
        row = self._features(cells)
        if row is None:
            return DROPPED
        self.columns.end_row()
        return Row(row, label)

    def _cells(self, line: bytes) -> list[str]:
        """The cells of the record that ends with this line; none if it goes on in the next one."""
        if not self.begun and b'"' not in line and b"\r" not in line:
            return checked(line).split(self.delimiter or ",")
        self.begun.append(line)
        self.n_begun += len(line) + 1
        if self.n_begun > csv.field_size_limit():
            raise TextError(f": a quote that was opened {len(self.begun) - 1:,} lines above is "
                            "never closed")  # fmt: skip
        if b'"' not in line and b"\r" not in line:  # nothing else closes a field
            return []
        try:
            found = [cells for _, cells in records(b"\n".join(self.begun), self.delimiter or ",")]
        except TextError as error:
            if UNEXPECTED_END in error.message:
                return []
            raise
        self.begun, self.n_begun = [], 0
        return found[0] if found else []

    def _features(self, cells: list[str]) -> dict[Any, float] | None:
        columns = self.columns
        letters = "".join(cells)
        if (
            columns.are_plain
            and letters.isascii()
            and not ("_" in letters or "n" in letters or "N" in letters)
        ):
            try:  # float takes more than a numeral, but only with such letters
                row = dict(zip(self.features, map(float, cells), strict=True))
            except ValueError:
                return columns.features(dict(zip(self.features, cells, strict=True)))
            if len(columns.numbers) < len(row):
                columns.take_numbers(row)
            return row
        return columns.features(dict(zip(self.features, cells, strict=True)))

    def _look_at_points(self, line: bytes) -> None:
        """Look at numbers until one has a point; TextError where that may part thousands."""
        points = points_of(self.options, self.delimiter)
        if points is not None:
            points.look(line)
            if points.question:
                raise TextError(f": {points.question.rstrip('.')}")
        self.asks_of_points = points is not None and not points.are_decimal

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
        layout = make_layout(header, kinds, options, self.source, lambda c: first[c : c + 1])
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
        if label in first and not is_number(str(label)):
            return True
        if all(map(_is_word, body)):
            return True
        return not any(map(_is_word, first[:-1])) and self._found_header(first, [])

    def _found_header(self, first: list[str], rest: list[list[str]]) -> bool:
        try:
            return find_header(first, rest, self.options.label, self.columns.numerals).is_there
        except HeaderDoubtError as error:
            raise TextError(f": {str(error).rstrip('.')}") from None


def _is_word(cell: str) -> bool:
    return not (is_number(cell) or is_missing(cell) or is_infinite(cell))
