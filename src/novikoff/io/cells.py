"""Text as a cell of a table that others will open: quoted, and never a formula."""

from __future__ import annotations

import re

from novikoff.io.fields import is_number

_OPENS = tuple("=+-@\t\r＝＋－＠")
_NEEDS_QUOTES = re.compile(r'[",;\t\r\n]|^\s|\s$')


def quoted(text: str) -> str:
    """The text as one field of CSV, in quotes where it has marks, line ends or outer blanks."""
    if not _NEEDS_QUOTES.search(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def begins_a_formula(text: str) -> bool:
    """Whether a spreadsheet would compute the text; a number such as -1 is none, nor a sign."""
    return text.startswith(_OPENS) and len(text) > 1 and not is_number(text)


def harmless(value: object) -> object:
    """The value for a cell: text that would be a formula gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and begins_a_formula(value) else value
