"""What the pictures begin from: a picture with nothing on it, and a pair of axes."""

from __future__ import annotations

from novikoff.studio.fields import Extra, Mark, Plot
from novikoff.studio.plane import short, ticks


def extra(name: str, title: str, note: str, plot: Plot | None = None) -> Extra:
    return {"name": name, "title": title, "note": note, "plot": plot, "panels": [],
            "space": None, "slider": None}  # fmt: skip


def curve_plot(marks: list[Mark], right: float, top: float, x_label: str) -> Plot:
    """Axes from 0 to the right and upward, with room above."""
    window = [0.0, 1.04 * right, 0.0, 1.1 * top]
    return {
        "window": [short(value) for value in window],
        "ticks": {"x": ticks(window[0], window[1], 300, apart=60),
                  "y": ticks(window[2], window[3], 170, apart=40)},
        "marks": marks,
        "x_label": x_label,
    }  # fmt: skip
