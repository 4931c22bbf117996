"""One look for every picture: told apart by shape and by lightness, not by hue alone."""

from __future__ import annotations

from typing import Any

from novikoff.errors import InputError

POSITIVE, NEGATIVE = "#0072B2", "#E69F00"  # Okabe and Ito's blue and orange: dark and light
INK, FAINT = "#222222", "#888888"
MARKERS = {1: "o", -1: "^"}
COLOURS = {1: POSITIVE, -1: NEGATIVE}


def axes(ax: Any = None, size: tuple[float, float] | None = None) -> tuple[Any, Any]:
    """The axes to draw on, new ones if none are given, and their figure."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise InputError(
            "matplotlib is not installed; pictures need it: pip install 'novikoff[plot]'."
        ) from None
    if ax is None:
        _, ax = pyplot.subplots(layout="constrained", figsize=size)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax, ax.figure
