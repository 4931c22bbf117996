"""Rows that arrive one by one: mistakes on them, against the bound for any sequence."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from novikoff.studio.fields import Extra
from novikoff.studio.marks import path
from novikoff.studio.pictures.blank import curve_plot, extra
from novikoff.wording import number

LENGTH = 3000  # rows of the stream
GAMMAS = tuple(round(0.5 * 0.75**i, 3) for i in range(14))  # under the slider


def stream(level: int) -> Extra:
    """A random stream in the unit disc, and the sequence that attains the bound."""
    place = min(level, len(GAMMAS) - 1)
    gamma = GAMMAS[place]
    bound = 1.0 / gamma**2
    made, hard = random_mistakes(gamma), hardest_mistakes(gamma)
    top = float(max(min(bound, 4.0 * max(hard[-1], 4)), made[-1]))
    marks = [
        path("upper", [[0.0, bound, float(LENGTH), bound]])
        if bound <= 1.1 * top
        else path("upper", []),
        path("lower", [_thinned(hard)]),
        path("norm", [_thinned(made)]),
    ]
    plot = curve_plot(marks, float(LENGTH), top, "rows that have come")
    plot["legend"] = [
        {"role": "norm", "text": "mistakes, rows at random"},
        {"role": "lower", "text": "mistakes, the hardest rows"},
        {"role": "upper", "text": "1/γ²"},
    ]
    note = (
        f"γ = {number(gamma)}, so at most {int(bound + 1e-9):,} mistakes on any sequence in the "
        f"unit ball. At random {made[-1]:,} were made; on signed unit vectors, {hard[-1]:,}."
    )
    picture = extra("stream", "A stream of rows", note, plot)
    picture["slider"] = {"label": "Margin γ", "least": 0, "most": len(GAMMAS) - 1, "value": place,
                         "text": number(gamma)}  # fmt: skip
    return picture


@lru_cache(maxsize=32)
def random_mistakes(gamma: float) -> tuple[int, ...]:
    """Mistakes after each row: rows at random in the unit disc, at least γ from a hidden line."""
    random = np.random.RandomState(0)
    rows = np.empty((0, 2))
    while len(rows) < LENGTH:
        more = random.uniform(-1.0, 1.0, size=(4 * LENGTH, 2))
        keep = ((more**2).sum(axis=1) <= 1.0) & (np.abs(more @ _HIDDEN) >= gamma)
        rows = np.vstack([rows, more[keep]])
    rows = rows[:LENGTH]
    signs = np.sign(rows @ _HIDDEN)
    w, made, counted = np.zeros(2), 0, []
    for row, sign in zip(rows, signs, strict=True):
        if sign * (w @ row) <= 0:
            w = w + sign * row
            made += 1
        counted.append(made)
    return tuple(counted)


_HIDDEN = np.array([0.6, 0.8])


def hardest_mistakes(gamma: float) -> tuple[int, ...]:
    """The same for unit vectors of as many dimensions as the margin allows: each is a mistake."""
    dimensions = int(1.0 / gamma**2 + 1e-9)
    return tuple(min(i + 1, dimensions) for i in range(LENGTH))


def _thinned(counted: tuple[int, ...]) -> list[float]:
    """The curve at some hundred places."""
    places = np.unique(np.linspace(0, len(counted) - 1, 300).astype(int)).tolist()
    return [0.0, 0.0, *(v for i in places for v in (float(i + 1), float(counted[i])))]
