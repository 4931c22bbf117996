"""One look for every picture: told apart by shape and by lightness, not by hue alone.

Names and labels from the data are shown as the text that they are.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import Any, ClassVar, Self

from novikoff.errors import InputError

POSITIVE, NEGATIVE = "#0072B2", "#E69F00"  # Okabe and Ito's blue and orange: dark and light
INK, FAINT = "#222222", "#888888"
MARKERS = {1: "o", -1: "^"}
COLOURS = {1: POSITIVE, -1: NEGATIVE}
WIDEST = 40  # characters of a name
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Display:
    """What every picture is: data that is ready to be drawn, and `plot`, which draws it."""

    size: ClassVar[tuple[float, float] | None] = None  # inches, of a figure of its own

    def plot(self, ax: Any = None) -> Self:
        """Draw, on new axes if none are given; `ax_` and `figure_` hold the result."""
        require_matplotlib("pictures need")
        has_axes = ax is not None
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots(layout="constrained", figsize=self.size)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        self._draw(has_axes)
        return self

    @abstractmethod
    def _draw(self, has_axes: bool) -> None:
        """Draw on `ax_`; has_axes: whether it was given, and may have neighbours."""


def require_matplotlib(who: str) -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError(
            f"matplotlib is not installed; {who} it: pip install 'novikoff[plot]'."
        ) from None


def printable(text: str) -> str:
    """The text with a replacement for each character that neither HTML nor XML may hold."""
    return _UNPRINTABLE.sub("\ufffd", text)


def short(name: object) -> str:
    """A name on one line, cut where it is long."""
    text = " ".join(printable(str(name)).split())
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def literal(legend: Any) -> None:
    """Show the legend's names as they are: a class may be called $x$."""
    for text in (legend.get_title(), *legend.get_texts()):
        text.set_parse_math(False)
