"""Text as HTML. Every function takes plain text and escapes it; only `Markup` passes as it is."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from novikoff.display.style import printable

LONGEST_CELL = 120  # characters of one name, label or number in a table


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def escaped(text: object) -> Markup:
    """The text as HTML that shows it and does nothing else."""
    return text if isinstance(text, Markup) else Markup(html.escape(printable(str(text))))


def shortened(text: object, longest: int = LONGEST_CELL) -> str:
    whole = str(text)
    return whole if len(whole) <= longest else whole[: longest - 1] + "…"


def element(tag: str, *content: object, **attributes: str) -> Markup:
    """<tag attributes>content</tag>; `class_` stands for class, and _ for - in other names."""
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for name, value in attributes.items()
    )
    return Markup(f"<{tag}{named}>{''.join(map(escaped, content))}</{tag}>")


def joined(parts: Iterable[Markup]) -> Markup:
    return Markup("\n".join(part for part in parts if part))


def section(name: str, heading: str, *content: Markup) -> Markup:
    title = element("h2", heading, id=name)
    inner = joined([title, *content])
    return Markup(f'<section aria-labelledby="{escaped(name)}">\n{inner}\n</section>')


def table(
    caption: str,
    head: Sequence[object],
    entries: Iterable[Sequence[object]],
    foot: Sequence[object] | None = None,
    numeric: Iterable[int] = (),
) -> Markup:
    """A table with a caption; the first cell of a line names it, `numeric` cells align right."""
    right = set(numeric)

    def entry(cells: Sequence[object], header: str | None) -> Markup:
        made = []
        for place, cell in enumerate(cells):
            scope = header or ("row" if place == 0 else None)
            options = {"class_": "number"} if place in right else {}
            if scope:
                options["scope"] = scope
            shown = cell if isinstance(cell, Markup) else shortened(cell)
            made.append(element("th" if scope else "td", shown, **options))
        return element("tr", *made)

    inner = [
        element("caption", caption),
        element("thead", entry(head, "col")),
        element("tbody", *(entry(cells, None) for cells in entries)),
    ]
    if foot is not None:
        inner.append(element("tfoot", entry(foot, None)))
    whole = element("table", *inner)
    return element(
        "div", whole, class_="wide", role="group", tabindex="0", aria_label=shortened(caption)
    )


def facts(caption: str, pairs: Iterable[tuple[str, object]]) -> Markup:
    """Names and what they are, as a table of two columns without a head."""
    entries = [
        element("tr", element("th", name, scope="row"), element("td", value))
        for name, value in pairs
    ]
    whole = element(
        "table", element("caption", caption), element("tbody", *entries), class_="facts"
    )
    return element("div", whole, class_="wide")
