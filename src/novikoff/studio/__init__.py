"""The studio: perceptrons to look at and to touch, in the browser or in a notebook.

    state.py, values.py, origins.py   what is on the screen, as a small JSON value
    edits.py, reshape.py   what a person can do to it, row by row and to all rows at once
    sources.py, files.py   built-in sets, X and y; files, read as every command reads them
    features.py   maps of the plane into more dimensions
    timeline.py      the run, or the runs of several classes told as one
    visits.py, looks.py, cycle.py   every row looked at; the present one; a run that repeats
    proof.py, live.py   the verdict on what is drawn; the bound's proof at one mistake
    fewest.py     the fewest rows that a line must get wrong, beside it
    whole.py, regression.py   the verdict on all columns, and what it means to a statistician
    computations.py       all of these, each computed once
    plane.py, contours.py, marks.py, scene.py, charts.py    what is drawn, and where
    own_line.py, thumbnails.py, pictures/   a person's own line; small pictures; further ones
    captions.py, card.py, menu.py, notation.py    what is said about it, and in which letters
    lessons/      lessons: Markdown files with steps, and the five that ship
    fields.py, messages.py, jsdoc.py    what the page is sent, as types on both sides
    views.py      a state as the sections of the screen
    share.py, code.py, export.py    links, CSV, proofs and Python
    session.py    from a message to its reply: all of the above, without a web
    guard.py, tokens.py, rate.py, in_time.py, server.py    the page on this machine
    widget.py     the same page in a notebook
    assets.py, page/    HTML, CSS and ES modules, which only draw

Python computes every number; the page maps them to pixels.
"""

from __future__ import annotations

from novikoff.studio.session import Session

__all__ = ["Session"]
