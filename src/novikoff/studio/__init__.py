"""The studio: perceptrons to look at and to touch, in the browser or in a notebook.

    state.py, values.py   what is on the screen, as a small JSON value
    edits.py      what a person can do to it, row by row and to all rows at once
    sources.py, files.py   built-in sets, X and y; files, read as every command reads them
    features.py   maps of the plane into more dimensions
    timeline.py   the run, or the runs of several classes told as one
    visits.py     every row that a run looks at, and a run that repeats
    proof.py      the verdict on what is drawn, and the fewest rows that a line must get wrong
    whole.py      the verdict on all columns, and what it means to a statistician
    computations.py    all of these, each computed once
    plane.py, scene.py    what is drawn on the plane, and where; a person's own line
    charts.py, pictures/    the bound's proof along a run and at one mistake; further pictures
    menu.py, notation.py    what can be chosen; letters of lectures
    lessons/      lessons: Markdown files with steps, and the five that ship
    views.py      a state as the sections of the screen
    export.py     links, CSV, proofs and Python
    session.py    from a message to its reply: all of the above, without a web
    guard.py, server.py    the page on this machine
    widget.py     the same page in a notebook
    assets.py, page/    HTML, CSS and ES modules, which put numbers into words and draw

Python computes every number; the page says them and maps them to pixels, and a page without Python
does so with the same code.
"""

from __future__ import annotations

from novikoff.studio.session import Session

__all__ = ["Session"]
