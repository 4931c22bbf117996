"""CSV and TSV: cells under the names in the header, a record at a time."""

from __future__ import annotations

import csv
import io
from typing import Any

from novikoff.io.csv_records import csv_complaint
from novikoff.io.fields import BLANKS, is_number, shown
from novikoff.io.layout import other_label, which_label
from novikoff.io.options import Options
from novikoff.io.text.columns import has_no_name, tells_rows_apart
from novikoff.io.text.delimiter import find_delimiter, stated_delimiter
from novikoff.io.text.header import HeaderDoubtError, find_header
from novikoff.io.text.points import Points, points_of
from novikoff.online.stream.columns import Columns
from novikoff.online.stream.rows import Row, RowError, is_word, text_of
from novikoff.wording import keyword

LONGEST_RECORD = 1 << 20  # bytes of a record of several lines: then a quote was never closed
INDEX = ""  # the name of a first column that has none: it numbers the rows


class CsvRows:
    """Rows of delimited text. Without a header, columns are called 1, 2, …"""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.label = None if options.label is None else str(options.label)
        self.delimiter = options.delimiter
        self.columns = Columns(options, has_marks=True)
        self.names: list[Any] = []  # of all columns, once they are known
        self.label_index = -1
        self.left_out: list[int] = []  # the indices of columns left out, the last one first
        self.header: list[str] | None = None  # until a row shows that it is one
        self.asks_of_points = True  # until a row shows what points are
        self.begun: list[bytes] = []  # lines of a record that goes on in the next one
        self.n_begun = 0  # their bytes

    @property
    def note(self) -> str | None:
        """What was left out without being asked to."""
        if not self.names or self.names[0] != INDEX:
            return None
        return f"column 1, which has no name, is left out ({keyword('keep', '1')} keeps it)"

    def state(self) -> dict[str, Any]:
        return {
            "delimiter": self.delimiter,
            "names": self.names,
            "label_index": self.label_index,
            "label": self.label,
            "left_out": self.left_out,
            "header": self.header,
            "asks_of_points": self.asks_of_points,
            "columns": self.columns.state(),
            "begun": b"".join(self.begun).decode("latin-1"),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.delimiter, self.names = state["delimiter"], list(state["names"])
        self.label_index, self.label = state["label_index"], state["label"]
        self.left_out, self.header = list(state["left_out"]), state["header"]
        self.asks_of_points = state["asks_of_points"]
        self.columns.restore(state["columns"])
        begun = state["begun"].encode("latin-1")
        self.begun, self.n_begun = begun.splitlines(keepends=True), len(begun)
        if self.names:
            self._set_features()

    def end(self) -> None:
        if self.begun:
            raise RowError("the data ends within quotes; is a quote missing?")

    def row(self, line: bytes) -> Row | None:
        if self.begun or b'"' in line:
            if is_within_quotes(line, self.delimiter, bool(self.begun)):
                self._keep(line)
                return None
            line = b"".join([*self.begun, line])
            self.begun, self.n_begun = [], 0
        text = text_of(line)
        if not text or (self.delimiter is None and text.isspace()):
            return None
        if not self.names and (stated := stated_delimiter(line)):
            self.delimiter = self.delimiter or stated
            return None
        if self.delimiter is None:
            self.delimiter = find_delimiter(line)
        cells = self._cells(text)
        if len(cells) == 1 and not cells[0].strip(BLANKS):
            return None  # a blank line; tabs alone are the empty cells of a TSV row
        if not self.names and self._begin([cell.strip(BLANKS) for cell in cells]):
            return None
        if len(cells) != len(self.names):
            raise RowError(
                f"{len(cells)} fields, and the first line has {len(self.names)}; is a delimiter or "
                "a quote missing?"
            )
        if self.header is not None:
            self._look_again([cell.strip(BLANKS) for cell in cells])
        if self.asks_of_points:
            self._look_at_points(line)
        label = self.columns.label_of(cells[self.label_index])
        if self.names[0] == INDEX and not tells_rows_apart([cells[0].strip(BLANKS)]):
            raise RowError(
                f"the first column has no name and holds {shown(cells[0])}; give it a name, or "
                f"say {keyword('keep', '1')} or {keyword('drop', '1')}."
            )
        for index in self.left_out:
            del cells[index]
        row = self._features(cells)
        self.columns.end_row()
        return Row(row, label)

    def _features(self, cells: list[str]) -> dict[Any, float]:
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

    def _keep(self, line: bytes) -> None:
        """Keep a line of a record that goes on in the next one."""
        self.begun.append(line + b"\n")
        self.n_begun += len(line) + 1
        if self.n_begun > LONGEST_RECORD:
            raise RowError(
                f"a quote that was opened {len(self.begun) - 1:,} lines above is never closed."
            )

    def _look_at_points(self, line: bytes) -> None:
        """Look at numbers until one has a point; RowError where that may part thousands."""
        points: Points | None = points_of(self.options, self.delimiter)
        if points is not None:
            points.look(line)
            if points.question:
                raise RowError(points.question)
        self.asks_of_points = points is not None and not points.are_decimal

    def _cells(self, text: str) -> list[str]:
        mark = self.delimiter or ","
        if '"' not in text and "\r" not in text:
            return text.split(mark)
        reader = csv.reader(
            io.StringIO(text, newline=""), delimiter=mark, strict=True, skipinitialspace=True
        )
        try:
            return next(reader)
        except csv.Error as error:
            raise RowError(f"{csv_complaint(error)}.") from None

    def _begin(self, first: list[str]) -> bool:
        """Settle the columns; whether the first record is a header."""
        if len(first) < 2:
            raise RowError(
                f"1 column ({shown(first[0])}); a label and at least one column are needed, "
                f"separated by commas, semicolons or tabs: say {keyword('delimiter')} for "
                "another mark."
            )
        is_header = self.options.header
        if is_header is None:
            is_header = self._is_header(first)
            self.header = list(first) if is_header else None
        names: list[Any] = list(first) if is_header else list(range(1, len(first) + 1))
        if is_header and has_no_name(first[0]):
            names[0] = INDEX
        if "" in names[1:]:
            raise RowError(f"a column has no name; give it one, or say {keyword('header', False)}.")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise RowError(f"two columns are called {shown(twice)}; rename one.")
        dropped = {_index_of(str(name), names) for name in self.options.drop}
        kept = {_index_of(str(name), names) for name in self.options.keep}
        self.label_index = len(names) - 1
        if self.label is not None:
            self.label_index = _index_of(self.label, names)
        elif is_header and (other := other_label(first, self.label_index, dropped)) is not None:
            raise RowError(which_label(first[other], first[-1]))
        if self.label_index in dropped:
            raise RowError("the label cannot be dropped as well.")
        if names[0] == INDEX and 0 in kept:
            names[0] = "x1"
        self.label = str(names[self.label_index])
        dropped |= {self.label_index} | ({0} if names[0] == INDEX else set())
        if len(dropped) == len(names):
            raise RowError("no column is left beside the label; at least one is needed.")
        self.names, self.left_out = names, sorted(dropped, reverse=True)
        self._set_features()
        return is_header

    def _set_features(self) -> None:
        """The columns that features are made of."""
        self.features = [
            name for index, name in enumerate(self.names) if index not in self.left_out
        ]

    def _is_header(self, first: list[str]) -> bool:
        """Words make a header, as 0, 1, 2, … do; the rows below are looked at as they come."""
        body = first[1:] if has_no_name(first[0]) else first
        if self.label in first and not is_number(str(self.label)):
            return True
        if all(map(is_word, body)):
            return True
        if any(map(is_word, first[:-1])):
            return False
        return self._found_header(first, [])

    def _look_again(self, cells: list[str]) -> None:
        """Look at the first row below what was taken as a header; RowError if it may be none."""
        above, self.header = self.header or [], None
        if not self._found_header(above, [cells]):
            raise RowError(
                "the line above was taken as the names of the columns, and this one looks like it; "
                f"say {keyword('header', True)} or {keyword('header', False)}."
            )

    def _found_header(self, first: list[str], rest: list[list[str]]) -> bool:
        try:
            return find_header(first, rest, self.options.label, self.columns.numerals).is_there
        except HeaderDoubtError as error:
            raise RowError(str(error)) from None


def _index_of(wanted: str, names: list[Any]) -> int:
    """The index of the column of this name, or of this number, from 1."""
    if wanted in names:
        return names.index(wanted)
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    few = ", ".join(str(name) for name in names[:8]) + (", …" if len(names) > 8 else "")
    raise RowError(f"no column is called {shown(wanted)}; there are {few}.")


def is_within_quotes(line: bytes, delimiter: str | None, within: bool) -> bool:
    """Whether a record goes on after this line, by the csv module's grammar, in one look.

    A quote opens a field only where the field begins, after blanks; two are one within quotes.
    Before the delimiter is known every quote opens or closes.
    """
    if delimiter is None:
        return (line.count(b'"') % 2 == 1) != within
    mark, at = delimiter.encode(), 0
    while True:
        if within:
            at = line.find(b'"', at)
            if at < 0:
                return True
            within = line[at + 1 : at + 2] == b'"'
            at += 1 + within
            if within:
                continue
        else:
            while line[at : at + 1] == b" ":
                at += 1
            if line[at : at + 1] == b'"':
                within, at = True, at + 1
                continue
        at = line.find(mark, at) + 1
        if not at:
            return False
