"""Everything that can be chosen in the studio; it never changes."""

from __future__ import annotations

from typing import Any

from novikoff.studio.edits import PRESETS
from novikoff.studio.features import MAPS
from novikoff.studio.sources import OFFERED

TIES = {
    "mistake": "a mistake",
    "positive": "positive",
    "zero": "neither sign",
}
ORDERS = {
    "cyclic": "cyclic",
    "restart": "restart",
    "shuffled": "shuffled",
}


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
        "ties": [{"value": value, "text": text} for value, text in TIES.items()],
        "orders": [{"value": value, "text": text} for value, text in ORDERS.items()],
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
