"""What a report draws: the rows with what decides them, and the audited run.

A picture is SVG that lives inside the page. Text stays text, every name inside is made the page's
own, and the colours of the displays become the page's, so that it is dark where the page is.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from novikoff.display import BoundaryDisplay, MistakesDisplay, SandwichDisplay
from novikoff.display.style import FAINT, INK, NEGATIVE, POSITIVE, printable
from novikoff.errors import InputError
from novikoff.report.markup import Markup, element
from novikoff.report.tables import count_text
from novikoff.runs.audit import Audit
from novikoff.runs.run import Run
from novikoff.search.threads import one_thread
from novikoff.verdicts.fewest_answer import FewestMistakes
from novikoff.verdicts.verdict import Verdict

MOST_DRAWN = 1500  # rows
MOST_COLUMNS_DRAWN = 200_000  # of rows that are drawn
BOUNDARY, CURVES = (4.8, 4.2), (4.8, 3.1)  # inches
COLOURS = {
    INK.lower(): "var(--ink)", "#000000": "var(--ink)", FAINT.lower(): "var(--faint)",
    POSITIVE.lower(): "var(--plus)", NEGATIVE.lower(): "var(--minus)",
    "#ffffff": "var(--panel)",
}  # fmt: skip
SETTINGS: dict[Any, Any] = {
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


def verdict_picture(verdict: Verdict) -> Markup:
    """The rows, or a sample of them, with the hyperplane or the hulls and the point they share."""
    spans = "hulls" if verdict.fit_intercept else "cones from the origin"
    shared = " and the point that they share" if verdict.point is not None else ""
    says, caption = {
        "separable": (
            "a straight boundary has all rows of each class strictly on one side",
            "The separator of the certificate; the nearest rows are ringed.",
        ),
        "quasi-separable": (
            "a straight boundary has no row on its wrong side, but rows of both classes on it",
            f"The weak separator, and the point that both {spans} share.",
        ),
        "overlapping": (
            f"the {spans} of the two classes share a point, which is marked",
            f"The {spans} of the two classes{shared}.",
        ),
        "undecided": (
            "no boundary is known",
            "The rows: neither a separator nor a proof that there is none is known.",
        ),
    }[verdict.status]
    return _boundary(BoundaryDisplay.from_verdict, verdict, says, caption)


def fewest_picture(few: FewestMistakes) -> Markup:
    """The rows with the best hyperplane found."""
    says = "rows on the wrong side of a straight boundary are ringed"
    caption = "The best hyperplane found. The rows that it gets wrong are ringed."
    return _boundary(BoundaryDisplay.from_fewest, few, says, caption)


def _boundary(plotted: Callable[..., Any], answer: Any, says: str, caption: str) -> Markup:
    """A BoundaryDisplay with its legend above the axes; in its place, a sentence why there is none.

    plotted : the method of BoundaryDisplay for this answer
    """

    def draw(ax: Any) -> None:
        plotted(answer, ax=ax, most_drawn=MOST_DRAWN)
        ax.get_legend().remove()
        ax.figure.legend(
            *ax.get_legend_handles_labels(), loc="outside upper left", ncols=2, frameon=False,
            labelspacing=1.0,
        )  # fmt: skip

    why = f"{count_text(answer.n_columns)} columns are too many for one"
    if answer.n_columns <= MOST_COLUMNS_DRAWN:
        try:
            with one_thread(answer.n_columns):
                what = f"The rows of the two classes in a plane: {says}."
                return _figure("rows", draw, what, caption, BOUNDARY)
        except InputError:
            why = "its numbers are too large"
    return element("p", f"There is no picture of the rows: {why}.")


def run_pictures(run: Run, audit: Audit) -> list[Markup]:
    """The sandwich of the audit, and the mistakes of each pass."""
    pictures = []
    if run.converged and run.n_mistakes:
        pictures.append(
            _figure(
                "sandwich",
                lambda ax: SandwichDisplay.from_audit(audit, ax=ax),
                f"Line chart over {run.n_mistakes} mistakes: k·γ stays below w·v, that below ‖w‖, "
                "and that below √k·R.",
                "Why the perceptron must stop: w·v grows at least as k·γ, and ‖w‖ at most as √k·R; "
                "where these two meet, at k = (R/γ)², there is no room for another mistake.",
                CURVES,
            )
        )
    if run.n_passes > 2:
        pictures.append(
            _figure(
                "mistakes",
                lambda ax: MistakesDisplay.from_runs({"rows in their order": run}, ax=ax),
                f"Line chart: the mistakes in each of {run.n_passes} passes, {run.n_mistakes} in "
                "all.",
                "Mistakes in each pass of the same run.",
                CURVES,
            )
        )
    return pictures


def _figure(
    name: str, draw: Callable[[Any], object], says: str, caption: str, size: tuple[float, float]
) -> Markup:
    """What `draw` draws on the axes it is given, as <figure>; `says` is read out in its place."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        warnings.simplefilter("ignore")  # a glyph that this machine lacks, the reader's may have
        drawn = Figure(figsize=size, layout="constrained")
        FigureCanvasSVG(drawn)
        draw(drawn.subplots())
        stream = io.StringIO()
        drawn.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return element("figure", _inline(stream.getvalue(), name, says), element("figcaption", caption))


def _inline(svg: str, name: str, says: str) -> Markup:
    """A whole SVG file as an element of the page."""
    root = ElementTree.fromstring(printable(svg))
    width, height = (float(root.attrib[side].removesuffix("pt")) for side in ("width", "height"))
    attributes = {
        "role": "img", "aria_label": says, "viewBox": f"0 0 {width:g} {height:g}",
        "style": f"max-width: {width * 1.7:.0f}px",
    }  # fmt: skip
    return element("svg", *(_owned(part, name) for part in root), **attributes)


def _owned(node: ElementTree.Element, name: str) -> Markup:
    """An element with names that no other picture has, and with the page's colours."""
    tag = node.tag.rpartition("}")[2]
    if tag in ("metadata", "style"):  # a style would rule the whole page
        return Markup("")
    attributes = {}
    for key, value in node.attrib.items():
        key = key.rpartition("}")[2]
        if key == "id":
            attributes[key] = f"{name}-{value}"
        elif key == "href":
            attributes[key] = value.replace("#", f"#{name}-", 1)
        else:
            value = value.replace("url(#", f"url(#{name}-")
            attributes[key] = _COLOUR.sub(lambda found: COLOURS.get(found[0], found[0]), value)
    content: list[object] = [_text(node.text)]
    for child in node:
        content += [_owned(child, name), _text(child.tail)]
    return element(tag, *content, **attributes)


def _text(text: str | None) -> str:
    return text if text and text.strip() else ""
