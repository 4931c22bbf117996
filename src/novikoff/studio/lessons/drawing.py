"""What the page draws, as SVG text: the same marks and classes as in page/marks.js, without a page.

A text whose place the page would choose by its size in pixels is placed here by an estimate of it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from novikoff.report.markup import Markup, element
from novikoff.studio.assets import page_file
from novikoff.studio.fields import Mark, Plot, Space, Ticks, View
from novikoff.studio.state import State

MOST_NUMBERED = 30  # rows with their number beside them
LETTER, LINE = 6.6, 15.0  # about what a letter takes, in pixels
SIDES = ((1, -0.7), (-1, -0.7), (1, 0.7), (-1, 0.7), (0, -1), (0, 1))
ACROSS, UP, AFAR = -0.6, 0.42, 5.0  # how three dimensions are seen
Box = tuple[float, float, float, float]  # left, top, right, bottom


@cache
def shapes() -> tuple[str, ...]:
    """The outlines of rows by class, as the page has them."""
    listed = re.search(r"SHAPES = \[(.*?)\];", page_file("elements.js").decode(), re.DOTALL)
    return tuple(json.loads(f"[{listed[1].strip().rstrip(',')}]")) if listed else ()


@cache
def radii() -> dict[str, float]:
    """The radii of dots by their role, as the page has them."""
    listed = re.search(r"const radius = \{(.*?)\}", page_file("marks.js").decode())
    pairs = re.findall(r"(\w+): ([\d.]+)", listed[1]) if listed else ()
    return {role: float(value) for role, value in pairs}


class Scale(NamedTuple):
    """The affine map from a window of the plane to a box of pixels."""

    window: Sequence[float]
    left: float
    top: float
    width: float
    height: float

    def x(self, value: float) -> float:
        left, right = self.window[:2]
        return round(self.left + (value - left) * (self.width / (right - left)), 2)

    def y(self, value: float) -> float:
        bottom, top = self.window[2:]
        return round(self.top + (top - value) * (self.height / (top - bottom)), 2)


class _Drawing:
    """The parts of one picture; its texts keep clear of each other."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.parts: list[Markup] = []
        self.taken: list[Box] = []

    def add(self, tag: str, *content: object, **attributes: object) -> None:
        self.parts.append(
            element(tag, *content, **{name: str(one) for name, one in attributes.items()})
        )

    def beside(self, text: str, look: str, x: float, y: float, gap: float) -> None:
        """A text on the freest side of a point."""
        wide = LETTER * len(text)
        boxes = [_beside(x, y, gap, side, wide) for side in SIDES]
        best = min(boxes, key=self._cost)
        self.taken.append(best)
        self.add("text", text, class_=look, x=round(best[0], 1), y=round(best[3] - 3, 1))

    def _cost(self, box: Box) -> float:
        inside = _shared(box, (2, 2, self.width - 2, self.height - 2))
        area = (box[2] - box[0]) * LINE
        return sum(_shared(box, one) for one in self.taken) + 3 * (area - inside)

    def svg(self, says: str, look: str = "") -> Markup:
        box = f"0 0 {self.width:g} {self.height:g}"
        return element("svg", *self.parts, viewBox=box, role="img", aria_label=says, class_=look)


def _beside(x: float, y: float, gap: float, side: tuple[float, float], wide: float) -> Box:
    across, down = side
    left = x + gap if across > 0 else x - gap - wide if across < 0 else x - wide / 2
    middle = y + down * (gap + (LINE * 0.25 if across else LINE / 2))
    return left, middle - LINE / 2, left + wide, middle + LINE / 2


def _shared(one: Box, two: Box) -> float:
    width = min(one[2], two[2]) - max(one[0], two[0])
    height = min(one[3], two[3]) - max(one[1], two[1])
    return width * height if width > 0 and height > 0 else 0.0


def _draw(drawing: _Drawing, mark: Mark, scale: Scale) -> None:
    kind, role, at = mark["kind"], mark["role"], mark["at"]
    code = mark.get("code", mark.get("side"))
    look = f"m {role}" + ("" if code is None else f" c{code}")
    look += f" o{mark['place']}" if "place" in mark else ""
    if kind == "path":
        drawing.add("path", class_=look, d=_outline(mark, scale))
        return
    x, y = scale.x(at[0]), scale.y(at[1])
    if kind == "text" and role == "caption":
        drawing.add("text", mark.get("text", ""), class_=look, x=round(x, 1), y=round(y, 1))
    elif kind == "text":
        drawing.beside(mark.get("text", ""), look, x, y, 12)
    elif kind == "dot" and role in ("ticked", "crossed"):
        shape = "M-16-9l4 4 7-8" if role == "ticked" else "M-16-13l8 8m0-8l-8 8"
        drawing.add("path", class_=look, transform=f"translate({x} {y})", d=shape)
    elif kind == "dot":
        radius = radii().get(role, 4.5)
        drawing.add("circle", class_=look, cx=x, cy=y, r=radius)
        if mark.get("label"):
            drawing.beside(mark["label"], f"label {role}", x, y, radius + 3)
    else:
        _arrow(drawing, mark, look, (x, y, scale.x(at[2]), scale.y(at[3])))


def _arrow(drawing: _Drawing, mark: Mark, look: str, ends: Box) -> None:
    x, y, tx, ty = ends
    length = math.hypot(tx - x, ty - y) or 1.0
    ux, uy, size = (tx - x) / length, (ty - y) / length, min(11.0, length)
    bx, by, wing = tx - ux * size, ty - uy * size, size * 0.42
    corners = ((tx, ty), (bx - uy * wing, by + ux * wing), (bx + uy * wing, by - ux * wing))
    head = "L".join(f"{px:.2f} {py:.2f}" for px, py in corners)
    drawing.add("path", class_=f"{look} arrow", d=f"M{x} {y}L{bx:.2f} {by:.2f}")
    drawing.add("path", class_=f"head {mark['role']}", d=f"M{head}Z")
    if mark.get("label"):
        drawing.beside(mark["label"], f"label {mark['role']}", tx, ty, 8)


def _outline(mark: Mark, scale: Scale) -> str:
    strokes = []
    for stroke in mark["at"]:
        points = zip(stroke[::2], stroke[1::2], strict=True)
        line = "L".join(f"{scale.x(x)} {scale.y(y)}" for x, y in points)
        strokes.append(f"M{line}{'Z' if mark.get('closed') else ''}" if line else "")
    return "".join(strokes)


def _grid(ticks: Ticks, scale: Scale, inside: bool) -> Markup:
    right, bottom = scale.left + scale.width, scale.top + scale.height
    parts = []
    for tick in ticks["x"]:
        x = scale.x(tick["at"])
        look = "zero" if tick["text"] == "0" else "line"
        parts.append(_line(look, x, scale.top, x, bottom))
        if not inside or scale.left + 26 < x < right - 20:
            y = bottom - 7 if inside else bottom + 15
            parts.append(_text(tick["text"], x, y, "middle"))
    for tick in ticks["y"]:
        y = scale.y(tick["at"])
        look = "zero" if tick["text"] == "0" else "line"
        parts.append(_line(look, scale.left + (34 if inside else 0), y, right, y))
        if not inside or scale.top + 18 < y < bottom - 24:
            x = 8 if inside else scale.left - 7
            parts.append(_text(tick["text"], x, y + 4, "start" if inside else "end"))
    return element("g", *parts, class_="grid")


def _line(look: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    return element("line", class_=look, x1=str(x1), y1=str(y1), x2=str(x2), y2=str(y2))


def _text(text: str, x: float, y: float, anchor: str, look: str = "") -> Markup:
    return element("text", text, class_=look, x=str(x), y=str(y), text_anchor=anchor)


def plane_svg(state: State, view: View, says: str, lit: Sequence[int] = ()) -> Markup:
    """The plane with its rows, as it is on the screen."""
    width, height = state.size
    scale = Scale(view["frame"]["window"], 0.0, 0.0, width, height)
    drawing = _Drawing(width, height)
    under = view["scene"]["under"]
    behind = [mark for mark in under if mark["role"] in ("region", "band")]
    for mark in behind:
        _draw(drawing, mark, scale)
    drawing.parts.append(_grid(view["frame"]["ticks"], scale, inside=True))
    across, up = view["frame"]["axes"]
    drawing.parts.append(_text(across, width - 12, height - 26, "end", "axis-name"))
    drawing.parts.append(_text(up, 10, 18, "start", "axis-name"))
    for mark in under:
        if mark not in behind:
            _draw(drawing, mark, scale)
    wrong = set(view["scene"]["wrong"])
    spots = [(scale.x(x), scale.y(y), int(code)) for x, y, code in state.rows_json()]
    for i, (x, y, code) in enumerate(spots):
        look = f"row c{code}{' wrong' if i in wrong else ''}"
        drawing.add("path", class_=look, transform=f"translate({x} {y})", d=shapes()[code])
    drawing.taken += [(x - 6, y - 6, x + 6, y + 6) for x, y, _ in spots[:300]]
    for i in lit:
        if i < len(spots):
            drawing.add("circle", class_="m pointed", cx=spots[i][0], cy=spots[i][1], r=17)
    for mark in view["scene"]["over"]:
        _draw(drawing, mark, scale)
    for i, (x, y, _) in enumerate(spots if len(spots) <= MOST_NUMBERED else ()):
        drawing.beside(str(i + 1), "row-number", x, y, 8)
    return drawing.svg(says, "nk-plane-picture")


def plot_svg(plot: Plot, more: Sequence[Mark], says: str, size: tuple[float, float]) -> Markup:
    """A small plot with its axes outside, and what its curves are."""
    width, height = size
    scale = Scale(plot["window"], 44.0, 8.0, width - 52, height - 34)
    drawing = _Drawing(width, height)
    drawing.parts.append(_grid(plot["ticks"], scale, inside=False))
    if plot.get("x_label"):
        label = _text(plot["x_label"], scale.left + scale.width, height - 3, "end", "axis-name")
        drawing.parts.append(label)
    for mark in (*plot["marks"], *more):
        _draw(drawing, mark, scale)
    return drawing.svg(says)


def space_svg(space: Space, says: str, size: tuple[float, float]) -> Markup:
    """Three dimensions, from where the page first looks at them."""
    width, height = size
    drawing = _Drawing(width, height)
    seen = _eye(width, height)
    for name in ("floor", "plane"):
        corners = space[name]
        if len(corners) > 2:
            line = "L".join("{:.1f} {:.1f}".format(*seen(corner)[:2]) for corner in corners)
            drawing.add("path", class_=f"sheet {name}", d=f"M{line}Z")
    origin = seen(space["origin"])
    for axis in space["axes"]:
        tip = seen(axis["at"])
        drawing.parts.append(_line("m between", *origin[:2], *tip[:2]))
        drawing.beside(axis["name"], "row-number", tip[0], tip[1], 5)
    rows = sorted(((seen(row[:3]), i) for i, row in enumerate(space["rows"])), reverse=True,
                  key=lambda one: one[0][2])  # fmt: skip
    wrong = set(space["wrong"])
    for (x, y, _), i in rows:
        code = int(space["rows"][i][3])
        if space["rays"]:
            drawing.parts.append(_line(f"m ray c{code}", *origin[:2], x, y))
        look = f"row c{code}{' wrong' if i in wrong else ''}"
        drawing.add("path", class_=look, transform=f"translate({x} {y})", d=shapes()[code])
    if space["normal"]:
        ends = (*seen(space["normal"][:3])[:2], *seen(space["normal"][3:])[:2])
        mark: Mark = {"kind": "arrow", "role": "normal", "at": [], "label": space["label"]}
        _arrow(drawing, mark, "m normal", ends)
    return drawing.svg(says)


def _eye(width: float, height: float) -> Callable[[Sequence[float]], tuple[float, float, float]]:
    size = min(width * 0.33, height * 0.38)
    ca, sa, cu, su = math.cos(ACROSS), math.sin(ACROSS), math.cos(UP), math.sin(UP)

    def seen(point: Sequence[float]) -> tuple[float, float, float]:
        """A point of the cube in pixels, and how far it is."""
        x, y, z = point
        right, back = x * ca - y * sa, x * sa + y * ca
        depth, high = back * cu - z * su, back * su + z * cu
        scale = size * AFAR / (AFAR + depth)
        return round(width / 2 + right * scale, 1), round(height / 2 - high * scale, 1), depth

    return seen


def picture_parts(view: View, says: str) -> list[Markup]:
    """The further picture of a view: a plot, several, or three dimensions."""
    extra: Any = view["extra"]
    if extra is None:
        return []
    if extra["space"] is not None:
        return [space_svg(extra["space"], says, (420.0, 320.0))]
    if extra["panels"]:
        return [
            element("figure", plot_svg(one["plot"], (), one["title"], (220.0, 170.0)),
                    element("figcaption", f"{one['title']}: {one['text']}"))
            for one in extra["panels"]
        ]  # fmt: skip
    return [plot_svg(extra["plot"], (), says, (420.0, 260.0))] if extra["plot"] else []
