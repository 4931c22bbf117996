"""The few shapes that the page can draw, in coordinates of the plane.

A mark is a JSON object: its `kind` says what to draw, its `role` how it looks (a CSS class).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from novikoff.studio.fields import Mark
from novikoff.studio.plane import short


def path(role: str, strokes: Iterable[Sequence[float]], closed: bool = False, **more: Any) -> Mark:
    """Polylines, each as x, y, x, y, …; together they are one shape."""
    at = [[short(value) for value in stroke] for stroke in strokes]
    return cast(Mark, {"kind": "path", "role": role, "at": at, "closed": closed, **more})


def polygon(role: str, corners: Sequence[tuple[float, float]], **more: Any) -> Mark:
    flat = [coordinate for corner in corners for coordinate in corner]
    return path(role, [flat] if flat else [], closed=True, **more)


def arrow(
    role: str,
    tail: Iterable[float],
    tip: Iterable[float],
    label: str = "",
    label_at: Iterable[float] | None = None,
) -> Mark:
    """From tail to tip; the label stands at the tip, or where it is told to."""
    at = [short(float(value)) for value in (*tail, *tip)]
    mark: Mark = {"kind": "arrow", "role": role, "at": at, "label": label}
    if label_at is not None:
        mark["label_at"] = [short(float(value)) for value in label_at]
    return mark


def dot(role: str, x: float, y: float, label: str = "", **more: Any) -> Mark:
    at = [short(float(x)), short(float(y))]
    return cast(Mark, {"kind": "dot", "role": role, "at": at, "label": label, **more})


def words(role: str, x: float, y: float, text: str, anchor: str = "start", **more: Any) -> Mark:
    at = [short(float(x)), short(float(y))]
    made = {"kind": "text", "role": role, "at": at, "text": text, "anchor": anchor, **more}
    return cast(Mark, made)
