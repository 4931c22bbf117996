"""A matplotlib figure as SVG that lives inside the page.

Text stays text, every name inside is made the page's own, and the colours of the displays
become the page's, so that a picture is dark where the page is.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from novikoff.display.style import FAINT, INK, NEGATIVE, POSITIVE
from novikoff.display.words import printable
from novikoff.errors import InputError
from novikoff.report.markup import Markup, element, escaped

COLOURS = {
    INK.lower(): "var(--ink)", "#000000": "var(--ink)", FAINT.lower(): "var(--faint)",
    POSITIVE.lower(): "var(--plus)", NEGATIVE.lower(): "var(--minus)",
    "#ffffff": "var(--panel)",
}  # fmt: skip
SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "novikoff",
    "text.parse_math": False,  # a column may be called $x$
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "font.size": 9.0,
    "font.family": "sans-serif",
    "axes.formatter.use_mathtext": False,
}
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")


def require_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError(
            "matplotlib is not installed; the pictures of a report need it: "
            "pip install 'novikoff[plot]'."
        ) from None


def figure(
    name: str, draw: Callable[[Any], object], says: str, caption: str, size: tuple[float, float]
) -> Markup:
    """What `draw` draws on the axes it is given, as <figure>; `says` is read out in its place."""
    require_matplotlib()
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        settings: Any = SETTINGS
        mpl.rcParams.update(settings)
        warnings.simplefilter("ignore")  # a glyph that this machine lacks, the reader's may have
        drawn = Figure(figsize=size, layout="constrained")
        FigureCanvasSVG(drawn)
        draw(drawn.subplots())
        stream = io.StringIO()
        drawn.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return element("figure", inline(stream.getvalue(), name, says), element("figcaption", caption))


def inline(svg: str, name: str, says: str) -> Markup:
    """A whole SVG file as an element of the page."""
    root = ElementTree.fromstring(printable(svg))
    width, height = (float(root.attrib[side].removesuffix("pt")) for side in ("width", "height"))
    out = [
        f'<svg role="img" aria-label="{escaped(says)}" viewBox="0 0 {width:g} {height:g}" '
        f'style="max-width: {width * 1.7:.0f}px">'
    ]
    for part in root:
        _write(part, name, out)
    out.append("</svg>")
    return Markup("".join(out))


def _write(node: ElementTree.Element, name: str, out: list[str]) -> None:
    tag = node.tag.rpartition("}")[2]
    if tag in ("metadata", "style"):  # a style would rule the whole page
        return
    out.append(f"<{tag}")
    for key, value in node.attrib.items():
        out.append(f' {key.rpartition("}")[2]}="{escaped(_owned(key, value, name))}"')
    out.append(f">{_text(node.text)}")
    for child in node:
        _write(child, name, out)
        out.append(_text(child.tail))
    out.append(f"</{tag}>")


def _text(text: str | None) -> str:
    return escaped(text) if text and text.strip() else ""


def _owned(key: str, value: str, name: str) -> str:
    """An attribute with names that no other picture has, and with the page's colours."""
    if key == "id":
        return f"{name}-{value}"
    if key.endswith("href"):
        return value.replace("#", f"#{name}-", 1)
    value = value.replace("url(#", f"url(#{name}-")
    return _COLOUR.sub(lambda found: COLOURS.get(found[0], found[0]), value)
