"""CSV and TSV: features by the names in the header; words become features name=word of 1."""

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
from novikoff.online.stream.columns import FIRST_LOOK, Columns
from novikoff.online.stream.rows import (
    Labels,
    Row,
    RowError,
    is_word,
    number_of,
    repeated,
    text_of,
)
from novikoff.wording import keyword

LONGEST_RECORD = 1 << 20  # bytes of a record of several lines: then a quote was never closed
INDEX = ""  # the name of a first column that has none: it numbers the rows


class CsvRows:
    """Rows of delimited text. Without a header, columns are called 1, 2, …"""

    def __init__(self, given: Options) -> None:
        self.given = given
        self.label = None if given.label is None else str(given.label)
        self.delimiter = given.delimiter
        self.columns = Columns(given)
        self.names: list[Any] | None = None
        self.label_place = -1
        self.passed: list[int] = []  # the places, among the names, of columns left out
        self.labels = Labels(given)
        self.points: Points | None = None  # until the first rows show what points are
        self.n_looked = 0  # rows whose points were looked at
        self.header: list[str] | None = None  # until a row shows that it is one
        self.watched: list[Any] = []  # columns that may number or date the rows
        self.begun: list[bytes] = []  # lines of a record that goes on in the next one
        self.n_begun = 0  # their bytes

    def state(self) -> dict[str, Any]:
        return {
            "delimiter": self.delimiter,
            "names": self.names,
            "label_place": self.label_place,
            "label": self.label,
            "passed": self.passed,
            "labels_are_words": self.labels.are_words,
            "header": self.header,
            "points": None if self.points is None else [self.points.grouped, self.n_looked],
            "watched": self.watched,
            "columns": self.columns.state(),
            "begun": b"".join(self.begun).decode("latin-1"),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.delimiter, self.names = state["delimiter"], state["names"]
        self.label_place, self.label = state["label_place"], state["label"]
        self.labels.are_words = state["labels_are_words"]
        begun = state["begun"].encode("latin-1")
        self.begun, self.n_begun = begun.splitlines(keepends=True), len(begun)
        if "columns" in state:  # else it was written before columns were looked at
            self.passed, self.header = state["passed"], state["header"]
            self.watched = state["watched"]
            if state["points"] is not None:
                self.points = Points()
                self.points.grouped, self.n_looked = state["points"]
            self.columns.restore(state["columns"])

    def end(self) -> None:
        if self.begun:
            raise RowError("the data ends within quotes; is a quote missing?")
        self._ask_of_points()

    def _look_at_points(self, line: bytes) -> None:
        """Look at the numbers of the first rows; RowError where they leave open what points are."""
        if self.points is None:
            return
        self.points.look(line)
        self.n_looked += 1
        if self.points.are_decimal or self.n_looked == FIRST_LOOK:
            self._ask_of_points()
            self.points = None

    def _ask_of_points(self) -> None:
        if self.points is not None and self.points.question:
            raise RowError(self.points.question)

    def row(self, line: bytes) -> Row | None:
        if self.begun or b'"' in line:
            if is_within_quotes(line, self.delimiter, bool(self.begun)):
                self.begun.append(line + b"\n")
                self.n_begun += len(line) + 1
                if self.n_begun > LONGEST_RECORD:
                    raise RowError(
                        f"a quote that was opened {len(self.begun) - 1:,} lines above is never "
                        "closed."
                    )
                return None
            line = b"".join([*self.begun, line])
            self.begun, self.n_begun = [], 0
        text = text_of(line)
        if not text or (self.delimiter is None and text.isspace()):
            return None
        if self.names is None and (stated := stated_delimiter(line)):
            self.delimiter = self.delimiter or stated
            return None
        if self.delimiter is None:
            self.delimiter = find_delimiter(line)
        fields = self._fields(text)
        if fields == [""]:  # a blank line; tabs alone are the empty cells of a TSV row
            return None
        if self.names is None and self._begin(fields):
            return None
        names = self.names or []
        if len(fields) != len(names) + (self.label_place >= 0):
            raise RowError(
                f"{len(fields)} fields, and the first line has "
                f"{len(names) + (self.label_place >= 0)}; is a delimiter or a quote missing?"
            )
        if self.header is not None:
            self._look_again(fields)
        self._look_at_points(line)
        label = (
            self.labels.label_of(fields.pop(self.label_place)) if self.label_place >= 0 else None
        )
        if self.passed:
            names, fields = self._without_passed(names, fields)
        if self.watched:
            cells = dict(zip(names, fields, strict=True))
            self.watched = [n for n in self.watched if not self.columns.watch(n, cells[n])]
        row = self._row(names, fields)
        self.columns.end_row()
        return Row(row, label)

    def _row(self, names: list[Any], fields: list[str]) -> dict[Any, float]:
        known = self.columns
        letters = "".join(fields)
        plain = letters.isascii() and not ("_" in letters or "n" in letters or "N" in letters)
        if plain and not known.words and not known.named and self.given.numerals.is_usual:
            try:  # float takes more than we do, but only with such letters
                row = dict(zip(names, map(float, fields), strict=True))
            except ValueError:
                return self._features(names, fields)
            if len(known.numbers) < len(names):
                known.take_numbers(names)
            return row
        return self._features(names, fields)

    def _fields(self, text: str) -> list[str]:
        reader = csv.reader(
            io.StringIO(text, newline=""),
            delimiter=self.delimiter or ",",
            strict=True,
            skipinitialspace=True,
        )
        try:
            return [field.strip(BLANKS) for field in next(reader)]
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
        is_header = self.given.header
        if is_header is None:
            is_header = self._is_header(first)
            self.header = list(first) if is_header else None
        names: list[Any] = list(first) if is_header else list(range(1, len(first) + 1))
        if is_header and has_no_name(first[0]):
            names[0] = INDEX
        if "" in names[1:]:
            raise RowError(f"a column has no name; give it one, or say {keyword('header', False)}.")
        if twice := repeated(names):
            raise RowError(f"two columns are called {shown(twice)}; rename one.")
        left_out = {self._place_of(str(name), names) for name in self.given.drop}
        kept = {self._place_of(str(name), names) for name in self.given.keep}
        self.label_place = len(names) - 1
        if self.label is not None:
            self.label_place = self._place_of(self.label, names)
        elif is_header and (other := other_label(first, self.label_place, left_out)) is not None:
            raise RowError(which_label(first[other], first[-1]))
        if self.label_place in left_out:
            raise RowError("the label cannot be dropped as well.")
        if names[0] == INDEX and 0 in kept:
            names[0] = "x1"
        passed = {names[place] for place in left_out} | {INDEX}
        self.label = str(names.pop(self.label_place))
        self.passed = [place for place, name in enumerate(names) if name in passed]
        if len(self.passed) == len(names):
            raise RowError("no column is left beside the label; at least one is needed.")
        self.names = names
        self.points = points_of(self.given, self.delimiter)
        self.watched = self.columns.watches(name for name in names if name not in passed)
        return is_header

    def _is_header(self, first: list[str]) -> bool:
        """Words make a header, as 0, 1, 2, … do; the rows below are looked at as they come."""
        body = first[1:] if has_no_name(first[0]) else first
        if self.label in first and not is_number(str(self.label)):
            return True
        if all(map(is_word, body)):
            return True
        if any(map(is_word, first[:-1])):
            return False
        try:
            return find_header(first, [], self.given.label, self.given.numerals).is_there
        except HeaderDoubtError as doubt:
            raise RowError(str(doubt)) from None

    def _look_again(self, fields: list[str]) -> None:
        """Look at the first row below what was taken as a header; RowError if it may be none."""
        above, self.header = self.header or [], None
        try:
            found = find_header(above, [fields], self.given.label, self.given.numerals)
        except HeaderDoubtError as doubt:
            raise RowError(str(doubt)) from None
        if not found.is_there:
            raise RowError(
                "the line above was taken as the names of the columns, and this one looks like it; "
                f"say {keyword('header', True)} or {keyword('header', False)}."
            )

    def _place_of(self, wanted: str, names: list[Any]) -> int:
        if wanted in names:
            return names.index(wanted)
        if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
            return int(wanted) - 1
        few = ", ".join(str(name) for name in names[:8]) + (", …" if len(names) > 8 else "")
        raise RowError(f"no column is called {shown(wanted)}; there are {few}.")

    def _without_passed(self, names: list[Any], fields: list[str]) -> tuple[list[Any], list[str]]:
        """The columns that are not left out; the first, if it has no name, numbers the rows."""
        if names[0] == INDEX and not tells_rows_apart(fields[:1]):
            raise RowError(
                f"the first column has no name and holds {shown(fields[0])}; give it a name, or "
                f"say {keyword('keep', '1')} or {keyword('drop', '1')}."
            )
        kept = [place for place in range(len(names)) if place not in self.passed]
        return [names[place] for place in kept], [fields[place] for place in kept]

    def _features(self, names: list[Any], fields: list[str]) -> dict[Any, float]:
        row: dict[Any, float] = {}
        numerals, known = self.given.numerals, self.columns
        for name, field in zip(names, fields, strict=True):
            usual = numerals.usual(field)
            is_named = str(name) in known.named and not numerals.is_missing(field)
            if is_named or (usual is None and is_word(field, numerals)):
                known.take_word(name, field)
                name, value = f"{name}={field}", 1.0
            else:
                if usual is None and is_number(field) and not numerals.is_missing(field):
                    raise RowError(
                        f"the value of {shown(str(name))} is {shown(field)}, which is no number "
                        f"with the marks that {keyword('decimal')} and {keyword('thousands')} say."
                    )
                value = number_of(usual or field, f"the value of {shown(str(name))}", numerals)
                known.take_numbers((name,))
            if name in row:
                raise RowError(f"two features are called {shown(name)}; rename a column.")
            row[name] = value
        return row


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
