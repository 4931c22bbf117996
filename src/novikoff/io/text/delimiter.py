"""Which character separates the cells of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from novikoff.io.text.notation import notation_of
from novikoff.wording import keyword

MARKS = ",;\t"
OTHERS = "|~^:!&@/"  # that are taken where they are said
_STATED = re.compile(rb'"?sep=([,;\t|:!~^&@%$*/])"?[ ;,\t]*(?:\r\n|\n|\r|\Z)', re.IGNORECASE)
_QUOTED = re.compile(rb'"[^"]*"')
_LINE_END = re.compile(rb"\r\n|\n|\r")
_DECIMAL = re.compile(rb"(?<=\d),(?=\d)")


def find_delimiter(text: bytes) -> str:
    """The one of comma, semicolon and tab that the first line has most of, outside quotes.

    Where semicolons or tabs are there too, and every cell between them that has commas is a
    number, as in `5,1;3,5;yes`, the commas belong to the numbers.
    """
    first = _QUOTED.sub(b"", _LINE_END.split(text.lstrip(b"\r\n"), maxsplit=1)[0])
    counts = {mark: first.count(mark.encode()) for mark in MARKS}
    other = max(";\t", key=counts.__getitem__)
    if counts[other] and counts[","] == len(_DECIMAL.findall(first)) > 0:
        cells = first.decode("utf-8", "replace").split(other)
        found = [notation_of(cell) for cell in cells if "," in cell]
        if all(notation is not None for notation in found):
            return other
    return max(MARKS, key=counts.__getitem__)


def stated_delimiter(text: bytes) -> str | None:
    """The delimiter that a first line such as sep=; states, as spreadsheets write it."""
    found = _STATED.match(text)
    return None if found is None else found[1].decode()


def other_delimiter(text_lines: Sequence[str]) -> str:
    """What to do about lines without comma, semicolon and tab: the end of a sentence.

    A mark that stands in each of them as often as in the first is what separates their cells.
    """
    for mark in OTHERS if not any(len(line.split()) > 1 for line in text_lines) else "|":
        n = text_lines[0].count(mark) if text_lines else 0
        if n and all(line.count(mark) == n for line in text_lines):
            return f": say {keyword('delimiter', mark)}"
    blanks = {len(line.split()) for line in text_lines}
    if len(blanks) == 1 and blanks != {1}:
        return "; cells that blanks separate are not told apart: put commas there"
    return ""
