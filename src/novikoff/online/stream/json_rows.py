"""JSON Lines: one object a line, whose values are cells under the names of their keys."""

from __future__ import annotations

from typing import Any

from novikoff.io.chunks import TextError
from novikoff.io.csv_records import checked
from novikoff.io.json_lines import DEFAULT_LABEL, JsonLineError, nested, object_of
from novikoff.io.options import Options
from novikoff.online.stream.columns import Columns
from novikoff.online.stream.rows import DROPPED, Row
from novikoff.wording import keyword

_NUMBERS = {int, float}


class JsonRows:
    """Rows of JSON Lines; a key that a row lacks is 0 there."""

    def __init__(self, options: Options) -> None:
        self.label = None if options.label is None else str(options.label)
        self.dropped = {str(name) for name in options.drop}
        self.columns = Columns(options)

    def state(self) -> dict[str, Any]:
        return {"label": self.label, "columns": self.columns.state()}

    def restore(self, state: dict[str, Any]) -> None:
        self.label = state["label"]
        self.columns.restore(state["columns"])

    def end(self) -> None:
        """Every line is a row of its own."""

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
        label, columns = self.columns.label_of(label), self.columns
        if not (columns.are_plain and _NUMBERS.issuperset(map(type, x.values()))):
            features = columns.features(x)
            if features is None:
                return DROPPED
            x = features
        elif not columns.numbers.issuperset(x):
            columns.take_numbers(x)
        columns.end_row()
        return Row(x, label)
