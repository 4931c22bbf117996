"""JSON Lines: one object a line; numbers are features, words become features name=word of 1."""

from __future__ import annotations

import json
from typing import Any

from novikoff.io.fields import shown
from novikoff.io.options import Options
from novikoff.online.stream.columns import Columns
from novikoff.online.stream.rows import (
    MissingError,
    Row,
    RowError,
    label_of_number,
    repeated,
    text_of,
)
from novikoff.wording import keyword

DEFAULT_LABEL = "label"
_NUMBERS = {int, float}


class _Pairs(list[tuple[str, Any]]):
    """An object as its pairs, so that a repeated key is seen."""


def _refuse(constant: str) -> float:
    raise RowError(f"{constant} is no JSON; a finite number is needed.")


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, parse_constant=_refuse)


class JsonRows:
    """Rows of JSON Lines."""

    def __init__(self, given: Options) -> None:
        self.label = None if given.label is None else str(given.label)
        self.dropped = {str(name) for name in given.drop}
        self.columns = Columns(given, has_marks=False)

    def state(self) -> dict[str, Any]:
        return {"label": self.label, "columns": self.columns.state()}

    def restore(self, state: dict[str, Any]) -> None:
        self.label = state["label"]
        if "columns" in state:
            self.columns.restore(state["columns"])

    def end(self) -> None:
        """Every line is a row of its own."""

    def row(self, line: bytes) -> Row | None:
        text = text_of(line)
        if not text or text.isspace():
            return None
        try:
            found = _DECODER.decode(text)
        except json.JSONDecodeError as error:
            raise RowError(f"not JSON at column {error.colno}: {error.msg}.") from None
        except ValueError:
            raise RowError("a number has too many digits; write it with an exponent.") from None
        except RecursionError:
            raise RowError("values are nested too deeply; a row is one flat object.") from None
        if not isinstance(found, _Pairs):
            raise RowError(f'a row must be an object such as {{"x": 1.5}}, not {shown(text)}.')
        x: dict[Any, Any] = dict(found)
        if len(x) != len(found):
            twice = repeated([key for key, _ in found])
            raise RowError(f"the key {shown(twice)} stands twice in the object; rename one.")
        if self.label is None:
            if DEFAULT_LABEL not in x:
                raise RowError(
                    f"which key holds the label? It is not {DEFAULT_LABEL!r}: say "
                    f"which by {keyword('label')}."
                )
            self.label = DEFAULT_LABEL
        label = x.pop(self.label, None)
        if isinstance(label, list):
            raise RowError(f"the label {shown(self.label)} is nested; a word or number is needed.")
        if isinstance(label, float):
            label = label_of_number(label)
        for name in self.dropped:
            x.pop(name, None)
        columns = self.columns
        if not _NUMBERS.issuperset(map(type, x.values())) or columns.named:
            x = _flat(x, columns)
        elif not columns.numbers.issuperset(x):
            columns.take_numbers(x)
        columns.end_row()
        return Row(x, label)


def _flat(x: dict[str, Any], columns: Columns) -> dict[str, Any]:
    """Words, truth values and missing values made numbers."""
    row: dict[str, Any] = {}
    for name, value in x.items():
        if name in columns.named and isinstance(value, (int, float)):
            value = json.dumps(value)
        if isinstance(value, str):
            columns.take_word(name, value)
            name, value = f"{name}={value}", 1.0
        elif isinstance(value, (int, float)):
            columns.take_numbers((name,))
        elif value is None:
            raise MissingError(
                f"the value of {shown(name)} is null; leave the key out if it means 0, or say "
                f"{keyword('missing', 'drop')} to pass over such rows."
            )
        elif isinstance(value, list):
            kind = "object" if isinstance(value, _Pairs) else "array"
            raise RowError(
                f"the value of {shown(name)} is an {kind}; only numbers, words and truth values "
                "can be features: give its parts names of their own."
            )
        if name in row:
            raise RowError(f"two features are called {shown(name)}; rename a key.")
        row[name] = float(value) if isinstance(value, bool) else value
    return row
