"""One way to do what a task asks: the lines `example:` of a lesson, as edits of the screen.

    row 2 at 2, 1.9      flip row 3      delete row 1      offset yes      order 4, 3, 2, 1
    start 3, 0.2         features quadratic                tie positive

Several are separated by semicolons. An example is carried out when the lesson is opened, so that a
task which its own words do not solve is found before a class is.
"""

from __future__ import annotations

import re
from typing import Any

from novikoff.errors import InputError

_MOVE = re.compile(r"row ([1-9][0-9]{0,5}) at (-?[0-9.]+), (-?[0-9.]+)")
_ROW = re.compile(r"(flip|delete) row ([1-9][0-9]{0,5})")
_SET = re.compile(r"(offset|order|start|features|tie|seed) (\S.*)")
_FLAGS = {"yes": True, "no": False}


def read_example(text: str) -> tuple[dict[str, Any], ...]:
    """The edits of an example, in order."""
    return tuple(_edit(part.strip()) for part in text.split(";") if part.strip())


def _edit(text: str) -> dict[str, Any]:
    if move := _MOVE.fullmatch(text):
        return {"do": "place", "row": int(move[1]) - 1, "x": move[2], "y": move[3]}
    if row := _ROW.fullmatch(text):
        return {"do": row[1], "row": int(row[2]) - 1}
    if setting := _SET.fullmatch(text):
        key = "map" if setting[1] == "features" else setting[1]
        value: Any = _FLAGS.get(setting[2], setting[2])
        value = int(setting[2]) if key == "seed" and setting[2].isdecimal() else value
        return {"do": "set", "key": key, "value": value}
    raise InputError(
        f"example is {text[:60]!r}; it is written as  row 2 at 2, 1.9  or  flip row 3  or  "
        "offset yes."
    )
