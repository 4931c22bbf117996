"""Sphinx: the pages of this folder, in the furo theme."""

import novikoff

project = "novikoff"
author = "the novikoff developers"
version = release = novikoff.__version__
extensions = ["myst_parser", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3  # links such as io.md#larger-than-memory
html_theme = "furo"
html_title = "novikoff"
exclude_patterns = ["_build"]
