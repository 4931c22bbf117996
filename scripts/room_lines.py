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
    r"^\| (?P<rooms>.+?) \| (?P<budget>[\d,]+) \| [\d,]+ \| (?P<limit>[\d,]+) \|$", re.MULTILINE
)
TOTAL = re.compile(r"^\| all of it \| (?P<budget>[\d,]+) \| [\d,]+ \| \|$", re.MULTILINE)
TOP = "files outside folders"
SLACK = 100  # lines at least, of a room above its budget: small edits need no new table


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
    """The rooms as the table has them."""
    return [_room(row) for row in ROW.finditer(text)]


def _room(row: re.Match[str]) -> Room:
    names = tuple(name.strip("` ") for name in row["rooms"].split(","))
    budget, limit = (int(row[name].replace(",", "")) for name in ("budget", "limit"))
    return Room(names, budget, limit)


def renewed(text: str) -> str:
    """The page with the lines as they are now, and no limit far above what is needed."""

    def row(found: re.Match[str]) -> str:
        room = _room(found)
        needed = (room.lines // 100 + 1) * 100 + SLACK
        limit = max(room.budget, min(room.limit, needed))
        return f"| {found['rooms']} | {room.budget:,} | {room.lines:,} | {limit:,} |"

    total = sum(room.lines for room in rooms(text))
    text = TOTAL.sub(lambda found: f"| all of it | {found['budget']} | {total:,} | |", text)
    return ROW.sub(row, text)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
