"""Numbers, counts and tables as a person writes them: one form for all that is said."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

MOST_ENTRIES = 8


def number(value: float) -> str:
    """A number as a person writes it: at most six figures, no trailing zeros.

    Numbers here are finite in truth: an infinity is one that has left the floats' range.
    """
    if math.isinf(value):
        return "> 1.8e308" if value > 0 else "< -1.8e308"
    text = f"{value:.6g}"
    return "0" if text == "-0" else text


def vector(values: Iterable[float]) -> str:
    """(3, -0.8), shortened in the middle where it is long."""
    shown = [number(float(value)) for value in values]
    if len(shown) > MOST_ENTRIES:
        shown = [*shown[: MOST_ENTRIES - 3], "…", *shown[-2:]]
    return "(" + ", ".join(shown) + ")"


def plural(n: int, word: str) -> str:
    """The word, as it goes with n of them: pass, passes."""
    return word if n == 1 else word + ("es" if word.endswith("s") else "s")


def count(n: int, word: str, form: str = "") -> str:
    """A number of things, such as '1 pass' and '2 passes'; '1,024 passes' in the form ','."""
    return f"{n:{form}} {plural(n, word)}"


def table_text(headers: Sequence[str], entries: Sequence[Sequence[str]]) -> str:
    """A plain table, each column as wide as its widest entry."""
    widths = [max(len(cells[k]) for cells in [headers, *entries]) for k in range(len(headers))]
    rule = ["-" * width for width in widths]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in [headers, rule, *entries]
    )


def table_html(headers: Sequence[str], entries: Sequence[Sequence[str]]) -> str:
    """The same for a notebook."""
    import html

    def row(cells: Sequence[str], tag: str) -> str:
        inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
        return f"<tr>{inner}</tr>"

    body = "".join(row(cells, "td") for cells in entries)
    return f"<table><thead>{row(headers, 'th')}</thead><tbody>{body}</tbody></table>"
