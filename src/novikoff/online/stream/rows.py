"""What one line of a stream is: a row by name, its label if it has one, and its weight."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Protocol

from novikoff.io.csv_records import not_utf8
from novikoff.io.fields import FieldError, as_float, is_infinite, is_number, leaving_out, shown
from novikoff.io.text.notation import notation_of
from novikoff.io.text.numerals import USUAL, Numerals
from novikoff.wording import keyword


class RowError(Exception):
    """Why a line cannot be used: what follows the words 'file, line 7: '."""


class MissingError(Exception):
    """A value that is missing: what to say of it where that is an error."""


class Row(NamedTuple):
    """One row; `x` is None where it was dropped, the label is None where there is none."""

    x: dict[Any, Any] | None
    label: Any = None
    weight: float = 1.0


DROPPED = Row(None)


class RowReader(Protocol):
    """Makes rows of lines; what it has learnt of the stream it can tell, as plain JSON."""

    def row(self, line: bytes) -> Row | None:
        """The row that ends with this line, if one does; RowError, or MissingError."""

    def end(self) -> None:
        """RowError if the stream must not end here."""

    def state(self) -> dict[str, Any]: ...

    def restore(self, state: dict[str, Any]) -> None: ...


def text_of(line: bytes) -> str:
    if b"\0" in line:
        raise RowError(f"binary data at byte {line.index(0) + 1} of the line; text is needed.")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise RowError(f"{not_utf8(f' at byte {error.start + 1} of the line')}.") from None


def number_of(word: str, what: str, numerals: Numerals | None = None) -> float:
    """The number that `what` must be, in a table with these numerals or else in sparse text;
    MissingError where it is a missing value."""
    if (numerals or USUAL).is_missing(word):
        raise MissingError(
            f"{what} is missing ({shown(word)}); a value is needed: fill it in, or say "
            f"{keyword('missing', 'drop')} to pass over such rows."
        )
    try:
        return as_float(word)
    except FieldError:
        odd = notation_of(word)
        how = f", {odd.name}" if odd is not None else ""
        cure = "" if how or numerals is None else leaving_out(word)
        raise RowError(f"{what} is {shown(word)}{how}; a finite number is needed{cure}.") from None


def label_of_number(value: float) -> float | int:
    """The label as an int where it is whole, so that 1, +1 and 1.0 are one class."""
    return int(value) if value.is_integer() else value


def is_word(value: str, numerals: Numerals = USUAL) -> bool:
    """Whether a value is a word: neither a number, nor missing, nor meant as a number."""
    return not (is_number(value) or numerals.is_missing(value) or is_infinite(value))


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
