"""Names and labels from the data, as text that a picture shows as it is."""

from __future__ import annotations

import re
from typing import Any

WIDEST = 40  # characters
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


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
