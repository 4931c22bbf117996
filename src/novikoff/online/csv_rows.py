"""CSV and TSV: features by the names in the header; words become features name=word of 1."""

from __future__ import annotations

import csv
import io
from typing import Any

from novikoff.io.csv_records import csv_complaint, find_delimiter
from novikoff.io.fields import BLANKS, is_missing, is_number, shown
from novikoff.online.rows import (
    Row,
    RowError,
    is_word,
    label_of_number,
    number_of,
    repeated,
    text_of,
)

LONGEST_RECORD = 1 << 20  # bytes of a record of several lines: then a quote was never closed


class CsvRows:
    """Rows of delimited text. Without a header, columns are called 1, 2, …"""

    def __init__(self, label: str | None, header: bool | None, delimiter: str | None) -> None:
        self.label = label
        self.header = header
        self.delimiter = delimiter
        self.names: list[Any] | None = None
        self.label_place = -1
        self.labels_are_words: bool | None = None
        self.begun: list[bytes] = []  # lines of a record that goes on in the next one
        self.n_begun = 0  # their bytes

    def state(self) -> dict[str, Any]:
        return {
            "delimiter": self.delimiter,
            "names": self.names,
            "label_place": self.label_place,
            "labels_are_words": self.labels_are_words,
            "begun": b"".join(self.begun).decode("latin-1"),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.delimiter, self.names = state["delimiter"], state["names"]
        self.label_place = state["label_place"]
        self.labels_are_words = state["labels_are_words"]
        begun = state["begun"].encode("latin-1")
        self.begun, self.n_begun = [begun] if begun else [], len(begun)

    def end(self) -> None:
        if self.begun:
            raise RowError("the data ends within quotes; is a quote missing?")

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
        if not text or text.isspace():
            return None
        if self.delimiter is None:
            self.delimiter = find_delimiter(line)
        fields = self._fields(text)
        if self.names is None and self._begin(fields):
            return None
        names = self.names or []
        if len(fields) != len(names) + (self.label_place >= 0):
            raise RowError(
                f"{len(fields)} fields, and the first line has "
                f"{len(names) + (self.label_place >= 0)}; is a delimiter or a quote missing?"
            )
        label = self._label(fields.pop(self.label_place)) if self.label_place >= 0 else None
        letters = "".join(fields)
        if letters.isascii() and not ("_" in letters or "n" in letters or "N" in letters):
            try:  # float takes more than we do, but only with such letters
                return Row(dict(zip(names, map(float, fields), strict=True)), label)
            except ValueError:
                pass
        return Row(self._features(names, fields), label)

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
        is_header = self.header
        if is_header is None:
            is_header = not any(map(is_number, first)) and not any(map(is_missing, first))
        names: list[Any] = list(first) if is_header else list(range(1, len(first) + 1))
        if "" in names:
            raise RowError("a column has no name; give it one, or say --no-header.")
        if twice := repeated(names):
            raise RowError(f"two columns are called {shown(twice)}; rename one.")
        self.label_place = self._place_of_label(names)
        names.pop(self.label_place)
        self.names = names
        return is_header

    def _place_of_label(self, names: list[Any]) -> int:
        if self.label is None:
            return len(names) - 1
        if self.label in names:
            return names.index(self.label)
        if self.label.isdecimal() and 1 <= int(self.label) <= len(names):
            return int(self.label) - 1
        few = ", ".join(str(name) for name in names[:8]) + (", …" if len(names) > 8 else "")
        raise RowError(f"no column is called {shown(self.label)}; there are {few}.")

    def _label(self, field: str) -> Any:
        if is_missing(field):
            return None
        if self.labels_are_words is None:
            self.labels_are_words = not is_number(field)
        if self.labels_are_words:
            return field
        if not is_number(field):
            raise RowError(
                f"the label is {shown(field)}, and the labels above are numbers; is it the wrong "
                "column (--label)?"
            )
        return label_of_number(number_of(field, "the label"))

    def _features(self, names: list[Any], fields: list[str]) -> dict[Any, float]:
        row: dict[Any, float] = {}
        for name, field in zip(names, fields, strict=True):
            if is_word(field):
                name, value = f"{name}={field}", 1.0
            else:
                value = number_of(field, f"the value of {shown(str(name))}")
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
