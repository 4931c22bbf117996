"""Points that may separate thousands: 1.500 and 30.000 in a table whose cells semicolons separate.

Where such a table has a number with any other point, such as 0.5 or 1.25, points are decimal marks.
Where it has none, nobody can tell, and the two readings differ by a factor of 1000.
"""

from __future__ import annotations

import re

from novikoff.io.options import Options
from novikoff.wording import keyword

_NUMBER = rb"[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?"
_CELL = re.compile(rb'(?:^|(?<=[;\r\n]))[ \t]*"?(' + _NUMBER + rb')"?[ \t]*(?=[;\r\n]|\Z)')
_GROUPED = re.compile(rb"[+-]?[1-9]\d{0,2}\.\d{3}")


class Points:
    """Looks at the text of a table until a number shows that its points are decimal marks."""

    def __init__(self) -> None:
        self.grouped: str | None = None  # the first number that may have thousands
        self.are_decimal = False

    def look(self, text: bytes) -> None:
        if self.are_decimal or b"." not in text:
            return
        for cell in _CELL.finditer(text):
            if not _GROUPED.fullmatch(cell[1]):
                self.are_decimal = True
                return
            self.grouped = self.grouped or cell[1].decode()

    @property
    def question(self) -> str | None:
        """What to ask, where all that was looked at leaves it open."""
        if self.are_decimal or self.grouped is None:
            return None
        return (
            f"every number with a point, such as {self.grouped}, has three digits after it, so "
            f"that its point may be a decimal mark or separate thousands; say "
            f"{keyword('decimal', '.')}, or {keyword('thousands', '.')} with "
            f"{keyword('decimal', ',')}."
        )


def points_of(options: Options, delimiter: str | None) -> Points | None:
    """What looks at the points of a table; None where they are decimal marks."""
    is_said = options.decimal is not None or options.thousands is not None
    return None if is_said or delimiter != ";" else Points()
