"""Which character separates the cells of a table."""

from __future__ import annotations

import re

MARKS = ",;\t"
_QUOTED = re.compile(rb'"[^"]*"')
_LINE_END = re.compile(rb"\r\n|\n|\r")
_DECIMAL = re.compile(rb"(?<=\d),(?=\d)")
_JOINED = re.compile(rb"\d[;\t]\d")


def find_delimiter(text: bytes) -> str:
    """The one of comma, semicolon and tab that the first line has most of, outside quotes.

    Where all commas stand between digits and about as many semicolons or tabs are there, as in
    `5,1;3,5;yes`, the commas belong to the numbers.
    """
    first = _QUOTED.sub(b"", _LINE_END.split(text.lstrip(b"\r\n"), maxsplit=1)[0])
    counts = {mark: first.count(mark.encode()) for mark in MARKS}
    other = max(";\t", key=counts.__getitem__)
    decimals = len(_DECIMAL.findall(first))
    if counts[other] and counts[","] == decimals <= counts[other] + 1 and _JOINED.search(first):
        return other
    return max(MARKS, key=counts.__getitem__)
