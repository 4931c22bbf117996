"""Predict, then reveal: what would give an answer away is shown once an answer was given.

    table    the lines of the table after the present one
    facts    the figures of the verdict card, and the lines of the bound's proof
    best     the boundary of the largest margin, with its band
    update   the arrows of the update with their coordinates

A question hides what its kind asks for (`Ask.hides`), and what the lesson's file says besides.
"""

from __future__ import annotations

from typing import Any, cast

from novikoff.studio.fields import View
from novikoff.studio.lessons.asking import Ask

_BEST = ("maximum", "band", "best", "gamma")  # roles of marks


def without_answer(view: View, ask: Ask) -> View:
    """The view without what the question asks for."""
    shown: dict[str, Any] = dict(view)
    if "table" in ask.hides and view["table"] is not None:
        k, table = view["controls"]["k"], view["table"]
        entries = table["entries"][: max(0, k + 1 - table["first"])]
        shown["table"] = table | {"entries": entries, "total": k}
    if "facts" in ask.hides:
        shown |= {"proof": None, "live": None, "chart": None, "cursor": None}
        if view["verdict"] is not None:
            shown["verdict"] = view["verdict"] | {"facts": []}
    if "best" in ask.hides:
        scene = view["scene"]
        under = [mark for mark in scene["under"] if mark["role"] not in _BEST]
        shown["scene"] = scene | {"under": under}
    if "update" in ask.hides:
        shown["inset"] = None
    return cast(View, shown)
