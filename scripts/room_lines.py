"""Count the lines of every room of src/novikoff, and renew the table of docs/architecture.md.

A room may not grow beyond its limit, which a test asserts. The limit is the budget or, in a room
that is still above its budget, what the room had when the table was last renewed: this script
lowers such a limit as the room shrinks, and never raises one. To let a room grow, edit the table.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "novikoff"
PAGE = ROOT / "docs" / "architecture.md"
ROW = re.compile(
    r"^\| (?P<rooms>.+?) \| (?P<budget>[\d,]+) \| [\d,]+ \| (?P<limit>[\d,]+) \|$", re.M
)
TOP = "files outside folders"
ROUNDED_TO = 100  # lines: small edits need no new table


class Room(NamedTuple):
    """A line of the table: one room, or some that share a budget."""

    names: tuple[str, ...]
    budget: int
    limit: int

    @property
    def lines(self) -> int:
        return sum(lines_of(name) for name in self.names)


def lines_of(name: str) -> int:
    """The lines of Python in a folder, or in the files that are in no folder."""
    files = SOURCE.glob("*.py") if name == TOP else (SOURCE / name).rglob("*.py")
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def rooms(text: str) -> list[Room]:
    """The rooms as the table has them; its last line, the whole of src, is none."""
    found = []
    for row in ROW.finditer(text):
        names = tuple(name.strip("` ") for name in row["rooms"].split(","))
        if names != ("all of it",):
            found.append(Room(names, number(row["budget"]), number(row["limit"])))
    return found


def number(text: str) -> int:
    return int(text.replace(",", ""))


def renewed(text: str) -> str:
    """The page with the lines as they are now, and no limit above what is needed."""
    total = sum(room.lines for room in rooms(text))

    def row(found: re.Match[str]) -> str:
        names = tuple(name.strip("` ") for name in found["rooms"].split(","))
        lines = total if names == ("all of it",) else Room(names, 0, 0).lines
        budget = number(found["budget"])
        needed = -(-lines // ROUNDED_TO) * ROUNDED_TO
        limit = max(budget, min(number(found["limit"]), needed))
        return f"| {found['rooms']} | {budget:,} | {lines:,} | {limit:,} |"

    return ROW.sub(row, text)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
