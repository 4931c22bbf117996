"""Everything that can be chosen in the studio, and small pictures of the built-in sets."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from novikoff.conventions import ORDERS, TIES
from novikoff.errors import NovikoffError
from novikoff.studio.features import MAPS
from novikoff.studio.lessons.reading import Lesson
from novikoff.studio.lessons.shelf import OWN, SHIPPED, shipped
from novikoff.studio.notation import NOTATIONS
from novikoff.studio.sources import OFFERED, load_set, open_columns
from novikoff.studio.state import VIEWS
from novikoff.studio.values import Section

TIE_TEXTS = {"mistake": "a mistake", "positive": "positive", "zero": "neither sign"}


def menu(own: Lesson | None = None) -> Section:
    """The choices, for the page's lists."""
    from novikoff import datasets

    about = datasets.catalogue()

    def named(name: str) -> Section:
        return {"name": name, "about": about.get(name, about.get(name.partition(":")[0], ""))}

    def choices(texts: dict[str, str]) -> list[Section]:
        return [{"value": value, "text": text} for value, text in texts.items()]

    lessons = {name: shipped(name) for name in SHIPPED}
    if own is not None:
        lessons[OWN] = own
    return {
        "lessons": [
            {"name": name, "title": list(one.title), "about": list(one.about)}
            for name, one in lessons.items()
        ],
        "sets": [
            {"title": group, "names": list(map(named, names))} for group, names in OFFERED.items()
        ],
        "ties": choices({tie: TIE_TEXTS[tie] for tie in TIES}),
        "orders": choices({word: word for word in ORDERS}),
        "maps": [
            {"value": value, "text": one.title, "names": list(one.names)}
            for value, one in MAPS.items()
        ],
        "notations": [
            {"value": value, "text": given.pop("title"), **given}
            for value, given in ((value, asdict(one)) for value, one in NOTATIONS.items())
        ],
        "views": choices(VIEWS),
        "numbers": choices({"binary64": "as float64", "decimal": "as written"}),
    }


MOST_ROWS = 60


def thumbnails() -> list[dict[str, Any]]:
    return [
        {"title": title, "sets": [_thumbnail(name) for name in names]}
        for title, names in OFFERED.items()
    ]


def _thumbnail(name: str) -> dict[str, Any]:
    try:
        state = open_columns(load_set(name))
    except NovikoffError:
        return {"name": name, "rows": []}
    places = np.unique(np.linspace(0, state.n_rows - 1, MOST_ROWS).astype(int))
    points = state.points[places]
    low, spread = points.min(axis=0), np.ptp(points, axis=0)
    extent = float(spread.max())
    scale = np.where(spread > 0.2 * extent, spread, max(extent, 1e-300))
    unit = (points - low) / scale + (1.0 - spread / scale) / 2.0
    rows = np.column_stack([unit.round(3), state.codes[places]]).tolist()
    return {"name": name, "rows": rows}
