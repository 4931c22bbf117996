"""Maps of the plane into more dimensions, in which a flat boundary may do what a line cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class FeatureMap(NamedTuple):
    """Columns made of x and y, their names, and the Python that makes them."""

    title: str
    names: tuple[str, ...]
    columns: Callable[[Any, Any], list[Any]]
    code: str  # of the columns, as a function of X


MAPS: dict[str, FeatureMap] = {
    "none": FeatureMap("none", ("x", "y"), lambda x, y: [x, y], "X[:, 0], X[:, 1]"),
    "quadratic": FeatureMap(
        "quadratic",
        ("x", "y", "x²", "xy", "y²"),
        lambda x, y: [x, y, x * x, x * y, y * y],
        "X[:, 0], X[:, 1], X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 1] ** 2",
    ),
    "circles": FeatureMap(
        "circles",
        ("x", "y", "x² + y²"),
        lambda x, y: [x, y, x * x + y * y],
        "X[:, 0], X[:, 1], X[:, 0] ** 2 + X[:, 1] ** 2",
    ),
    "xor": FeatureMap(
        "XOR",
        ("x", "y", "xy"),
        lambda x, y: [x, y, x * y],
        "X[:, 0], X[:, 1], X[:, 0] * X[:, 1]",
    ),
}


def mapped(points: np.ndarray, name: str) -> np.ndarray:
    """The points with the columns of the map; exact where the points hold exact numbers."""
    if name == "none":
        return points
    return np.stack(MAPS[name].columns(points[:, 0], points[:, 1]), axis=1)
