"""The files of the page: ES modules, which a browser and a notebook load as one text."""

from __future__ import annotations

import re
from importlib.resources import files

# In the order of their imports: each uses only those before it.
MODULES = (
    "elements.js", "labels.js", "figures.js", "sight.js", "sketch.js", "marks.js", "motion.js",
    "answering.js", "card.js", "telling.js", "link.js", "keep.js", "store.js", "rest.js",
    "voice.js", "plane.js", "hand.js", "keys.js", "picker.js", "sets.js", "rows.js",
    "reshape.js", "conventions.js", "transport.js", "charts.js", "space.js", "pictures.js",
    "table.js", "verdict.js", "saving.js", "dialogs.js", "nodes.js", "lesson.js", "shelf.js",
    "looks.js", "studio.js", "main.js",
)  # fmt: skip
# Of a page without Python, which answers itself.
POCKET = (
    "exact.js", "random.js", "perceptron.js", "separable.js", "paper.js", "pocket.js",
)  # fmt: skip
STYLES = ("studio.css", "lesson.css")
_IMPORT = re.compile(r'^import [^;]*? from "\./[a-z]+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)


def page_file(name: str) -> bytes:
    return files("novikoff.studio").joinpath("page", name).read_bytes()


def styles() -> bytes:
    """The style sheet: its parts as one."""
    return b"".join(page_file(name) for name in STYLES)


def pocket_script() -> str:
    """The modules of a page without Python, as one."""
    return joined((*(name for name in MODULES if name != "main.js"), *POCKET))


def joined(names: tuple[str, ...] = MODULES) -> str:
    """Modules as one, so that one request brings them. Their names are different throughout."""
    texts = [page_file(name).decode() for name in names]
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)
