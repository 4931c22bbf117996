"""Everything that can be chosen in the studio; it never changes."""

from __future__ import annotations

from novikoff.conventions import ORDERS, TIES
from novikoff.studio.edits import PRESETS
from novikoff.studio.features import MAPS
from novikoff.studio.lessons.reading import Lesson
from novikoff.studio.lessons.shelf import OWN, SHIPPED, shipped
from novikoff.studio.messages import Menu, SetGroup
from novikoff.studio.notation import NOTATIONS
from novikoff.studio.pictures.choice import TEXTS
from novikoff.studio.sources import OFFERED

TIE_TEXTS = {"mistake": "a mistake", "positive": "positive", "zero": "neither sign"}


def menu(own: Lesson | None = None) -> Menu:
    """The choices, for the page's lists."""
    from novikoff import datasets

    about = datasets.catalogue()
    sets: list[SetGroup] = [
        {
            "title": group,
            "names": [
                {"name": name, "about": about.get(name, about.get(name.partition(":")[0], ""))}
                for name in names
            ],
        }
        for group, names in OFFERED.items()
    ]
    lessons = {name: shipped(name) for name in SHIPPED}
    if own is not None:
        lessons[OWN] = own
    return {
        "lessons": [
            {"name": name, "title": list(one.title), "about": list(one.about)}
            for name, one in lessons.items()
        ],
        "sets": sets,
        "ties": [{"value": tie, "text": TIE_TEXTS[tie]} for tie in TIES],
        "orders": [{"value": word, "text": word} for word in ORDERS],
        "maps": [{"value": value, "text": entry.title} for value, entry in MAPS.items()],
        "notations": [{"value": value, "text": entry.title} for value, entry in NOTATIONS.items()],
        "views": [{"value": value, "text": text} for value, text in TEXTS.items()],
        "numbers": [
            {"value": "binary64", "text": "as float64"},
            {"value": "decimal", "text": "as written"},
        ],
        "presets": list(PRESETS),
    }
