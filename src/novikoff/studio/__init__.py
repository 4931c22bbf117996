"""The studio: perceptrons to look at and to touch, in the browser or in a notebook.

    state.py      what is on the screen, as a small JSON value
    edits.py      what a person can do to it
    sources.py    built-in sets, CSV texts, X and y
    features.py   maps of the plane into more dimensions
    story.py      the run, or the runs of several classes told as one
    proof.py      the verdict and the largest margin
    plane.py, contours.py, marks.py, scene.py, charts.py    what is drawn, and where
    reading.py    what is said about it
    share.py, code.py     links, CSV and Python
    session.py    from a message to its reply: all of the above, without a web
    guard.py, limits.py, server.py    the page on this machine
    widget.py     the same page in a notebook
    page/         HTML, CSS and one ES module, which only draw

Python computes every number; the page maps them to pixels.
"""

from __future__ import annotations

from novikoff.studio.session import Session

__all__ = ["Session"]
