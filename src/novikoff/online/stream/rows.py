"""What one line of a stream is: a row by name, its label if it has one, and its weight."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Protocol


class Row(NamedTuple):
    """One row; `x` is None where it was dropped, the label is None where there is none."""

    x: dict[Any, Any] | None
    label: Any = None
    weight: float = 1.0


DROPPED = Row(None)


class RowReader(Protocol):
    """Makes rows of lines; what it has learnt of the stream it can tell, as plain JSON."""

    def row(self, line: bytes) -> Row | None:
        """The row that ends with this line, if one does; TextError where it cannot be used."""

    def end(self) -> None:
        """TextError if the stream must not end here."""

    def state(self) -> dict[str, Any]: ...

    def restore(self, state: dict[str, Any]) -> None: ...


def label_of_number(value: float) -> float | int:
    """The label as an int where it is whole, so that 1, +1 and 1.0 are one class."""
    return int(value) if value.is_integer() else value


def text_of_label(label: Any) -> bytes:
    """A prediction as a line: nothing where there is none, JSON where a word has line ends."""
    if label is None:
        return b"\n"
    if isinstance(label, bool):
        return b"true\n" if label else b"false\n"
    text = str(label)
    if text.splitlines() != [text]:
        text = json.dumps(text)
    return text.encode("utf-8", "surrogatepass") + b"\n"
