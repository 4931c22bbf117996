"""Sphinx: the pages of this folder, in the furo theme."""

import re

import novikoff

project = "novikoff"
author = "the novikoff developers"
version = release = novikoff.__version__
extensions = [
    "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon",
    "sphinx_click",
]  # fmt: skip
autodoc_typehints = "none"  # the docstrings say what a parameter takes
autodoc_member_order = "bysource"
napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes of a fitted model", "Attributes")]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3  # links such as io.md#larger-than-memory
html_theme = "furo"
html_title = "novikoff"
exclude_patterns = ["_build"]


def _plain_to_rst(*given):
    """Docstrings are plain text with `code` in single backticks: make them reStructuredText."""
    lines = given[-1]
    for i, line in enumerate(lines):
        parts = re.split(r"(``[^`]*``|`[^`]*`)", line)
        for j, part in enumerate(parts):
            if part.startswith("`"):
                parts[j] = f"``{part.strip('`')}``"
            elif not re.fullmatch(r"\s*(-{3,}|>>>.*|\.\.\.\s.*)", line):
                parts[j] = re.sub(r"(\w)_(?=\W|$)|([*|])", _escaped, part)
        lines[i] = "".join(parts)


def _escaped(found):
    return f"{found[1]}\\_" if found[1] else f"\\{found[2]}"


def _skip(*given):
    """What scikit-learn adds to every estimator is described there."""
    return True if re.fullmatch(r"set_\w+_request|get_metadata_routing", given[2]) else None


def setup(app):
    app.connect("autodoc-process-docstring", _plain_to_rst, priority=400)
    app.connect("autodoc-skip-member", _skip)
    app.connect("sphinx-click-process-description", _plain_to_rst)
