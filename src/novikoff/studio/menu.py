"""Everything that can be chosen in the studio; it never changes."""

from __future__ import annotations

from typing import Any

from novikoff.conventions import ORDERS, TIES
from novikoff.studio.edits import PRESETS
from novikoff.studio.features import MAPS
from novikoff.studio.sources import OFFERED

TIE_TEXTS = {"mistake": "a mistake", "positive": "positive", "zero": "neither sign"}


def menu() -> dict[str, Any]:
    """The choices, for the page's lists."""
    from novikoff import datasets

    about = datasets.catalogue()
    sets = [
        {
            "title": group,
            "names": [
                {"name": name, "about": about.get(name, about.get(name.partition(":")[0], ""))}
                for name in names
            ],
        }
        for group, names in OFFERED.items()
    ]
    return {
        "sets": sets,
        "ties": [{"value": tie, "text": TIE_TEXTS[tie]} for tie in TIES],
        "orders": [{"value": word, "text": word} for word in ORDERS],
        "maps": [
            {"value": value, "text": entry.title, "about": ", ".join(entry.names)}
            for value, entry in MAPS.items()
        ],
        "numbers": [
            {"value": "binary64", "text": "as float64"},
            {"value": "decimal", "text": "as written"},
        ],
        "presets": list(PRESETS),
    }
