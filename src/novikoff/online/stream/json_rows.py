"""JSON Lines: one object a line; numbers are features, words become features name=word of 1."""

from __future__ import annotations

import json
from typing import Any

from novikoff.io.fields import BLANKS, shown
from novikoff.io.json_lines import DEFAULT_LABEL, JsonLineError, nested, object_of
from novikoff.io.options import Options
from novikoff.online.stream.columns import Columns
from novikoff.online.stream.rows import (
    Labels,
    MissingError,
    Row,
    RowError,
    is_word,
    label_of_number,
    number_of,
    text_of,
)
from novikoff.wording import keyword

_NUMBERS = {int, float}


class JsonRows:
    """Rows of JSON Lines; a key that a row lacks is 0 there."""

    def __init__(self, given: Options) -> None:
        self.label = None if given.label is None else str(given.label)
        self.dropped = {str(name) for name in given.drop}
        self.numerals = given.numerals
        self.labels = Labels(given)
        self.columns = Columns(given, has_marks=False)

    def state(self) -> dict[str, Any]:
        return {
            "label": self.label,
            "labels_are_words": self.labels.are_words,
            "columns": self.columns.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.label = state["label"]
        self.labels.are_words = state["labels_are_words"]
        self.columns.restore(state["columns"])

    def end(self) -> None:
        """Every line is a row of its own."""

    def row(self, line: bytes) -> Row | None:
        text = text_of(line)
        if not text or text.isspace():
            return None
        try:
            x: dict[Any, Any] = object_of(text, as_written=False)
            if self.label is None:
                if DEFAULT_LABEL not in x:
                    raise RowError(
                        f"which key holds the label? It is not {DEFAULT_LABEL!r}: say "
                        f"which by {keyword('label')}."
                    )
                self.label = DEFAULT_LABEL
            label = self._label(x.pop(self.label, None))
            for name in self.dropped:
                x.pop(name, None)
            columns = self.columns
            if not _NUMBERS.issuperset(map(type, x.values())) or columns.named or self.numerals.na:
                x = self._flat(x)
            elif not columns.numbers.issuperset(x):
                columns.take_numbers(x)
        except JsonLineError as error:
            raise RowError(f"{error}.") from None
        columns.end_row()
        return Row(x, label)

    def _label(self, label: Any) -> Any:
        if isinstance(label, list):
            raise RowError(f"the label {shown(self.label or '')} is nested; a word or number is "
                           "needed.")  # fmt: skip
        if label is None or isinstance(label, bool):
            return label
        if isinstance(label, str):
            return self.labels.label_of(label.strip(BLANKS))
        if self.labels.are_words or str(label) in self.numerals.na:
            return self.labels.label_of(json.dumps(label))
        self.labels.are_words = False
        return label_of_number(label) if isinstance(label, float) else label

    def _flat(self, x: dict[str, Any]) -> dict[str, Any]:
        """Words, truth values and missing values made numbers."""
        row: dict[str, Any] = {}
        columns, numerals = self.columns, self.numerals
        for name, value in x.items():
            if isinstance(value, list):
                raise nested(name, value)
            if value is None:
                raise MissingError(
                    f"the value of {shown(name)} is null; leave the key out if it means 0, or say "
                    f"{keyword('missing', 'drop')} to pass over such rows."
                )
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                written = json.dumps(value)
                if name in columns.named or written in numerals.na:
                    value = written
            if isinstance(value, str):
                value = value.strip(BLANKS)
                if is_word(value, numerals) or (
                    name in columns.named and not numerals.is_missing(value)
                ):
                    columns.take_word(name, value)
                    name, value = f"{name}={value}", 1.0
                else:
                    value = number_of(value, f"the value of {shown(name)}", numerals)
                    columns.take_numbers((name,))
            else:
                columns.take_numbers((name,))
            if name in row:
                raise RowError(f"two features are called {shown(name)}; rename a key.")
            row[name] = float(value) if isinstance(value, bool) else value
        return row
