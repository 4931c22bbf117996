"""A small picture of each built-in set: some of its rows, in a square from 0 to 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import NovikoffError
from novikoff.studio.sources import OFFERED, load_set, open_columns

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
    low, extent = points.min(axis=0), float(np.ptp(points, axis=0).max())
    spread = np.ptp(points, axis=0)
    scale = np.where(spread > 0.2 * extent, spread, max(extent, 1e-300))
    unit = (points - low) / scale + (1.0 - spread / scale) / 2.0
    rows = np.column_stack([unit.round(3), state.codes[places]]).tolist()
    return {"name": name, "rows": rows}
