"""Curves: each pass, the potential, a stream of rows, and margins of 2⁻ⁿ."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from novikoff.studio.charts import Sandwich, curve_plot, extra
from novikoff.studio.plane import dot, path
from novikoff.studio.scene import wrong_rows
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline
from novikoff.studio.values import Mark, Section
from novikoff.studio.visits import Visits
from novikoff.wording import count, number

MOST_DRAWN = 60  # passes that are drawn


def passes(state: State, timeline: Timeline, k: int) -> Section:
    """Both curves, over the first passes."""
    title = "Errors and updates for each pass"
    if len(timeline.runs) > 1:
        return extra("passes", title, "Choose a set of two classes.")
    updates, ends = pass_counts(state, timeline)
    shown = min(len(updates), MOST_DRAWN)
    errors = [len(wrong_rows(state, timeline, end)) for end in ends[: shown + 1]]
    at = float(np.searchsorted(ends[: shown + 1], k))
    top = float(max([1, *errors, *updates[:shown]]))
    marks = _dotted("errors", enumerate(errors))
    marks += _dotted("updates", enumerate(updates[:shown], start=1))
    marks.append(path("cursor", [[at, 0.0, at, 1.1 * top]]))
    named = {"errors": "rows wrong after the pass", "updates": "updates made in it"}
    plot = curve_plot(marks, float(max(shown, 1)), top, "pass", named)
    note = f"{count(len(updates), 'pass')}; a run ends after a pass without an update."
    if shown < len(updates):
        note += f" Drawn are the first {shown}."
    return extra("passes", title, note, plot)


def pass_counts(state: State, timeline: Timeline) -> tuple[list[int], list[int]]:
    """The updates of each pass, and the mistakes made up to its end (from 0, before the first)."""
    run = timeline.runs[0]
    visits = Visits(run, state.run)
    ends: list[int] = [0]
    updates: list[int] = []
    at = 0
    while at < visits.total and len(updates) <= 10 * MOST_DRAWN:
        if state.run.order == "restart":
            made = visits.k_before(at)
            last = int(run.tape.visits[made]) + 1 if made < run.n_mistakes else visits.total
        else:
            last = min(at + visits.n, visits.total)
        ends.append(visits.k_before(last))
        updates.append(ends[-1] - ends[-2])
        at = last
    return updates, ends


def _dotted(role: str, points: Iterable[tuple[float, float]]) -> list[Mark]:
    """A curve with a dot at each of its points."""
    dots = [dot(role, *point) for point in points]
    return [path(role, [[v for one in dots for v in one["at"]]]), *dots]


TITLE = "The potential"
MOST_POINTS = 240


def potential(state: State, sandwich: Sandwich | None, k: int) -> Section:
    written = state.written
    w, v = written.weights, written.best
    audit = None if sandwich is None else sandwich.audit
    if audit is None or audit.potential is None or not audit.margin or audit.bound is None:
        return extra("potential", TITLE, "It needs separable rows and a start at zero.")
    n = audit.n_mistakes
    last = max(float(n), min(audit.bound, 6.0 * max(n, 1)))
    places = np.unique(np.linspace(0, n, min(n + 1, MOST_POINTS)).astype(int)).tolist()
    rise = audit.margin / audit.radius
    floor = [i / 80 * last for i in range(81) if math.sqrt(i / 80 * last) * rise <= 1.0]
    cosine = float(audit.potential[min(k, n)])
    marks = [
        path("upper", [[0.0, 1.0, last, 1.0]]),
        path("lower", [[value for x in floor for value in (x, math.sqrt(x) * rise)]]),
        path("norm", [[value for i in places for value in (float(i), float(audit.potential[i]))]]),
        path("cursor", [[float(min(k, n)), 0.0, float(min(k, n)), 1.1]]),
        dot("norm", float(min(k, n)), cosine),
    ]
    named = {"norm": f"⟨{w}, {v}⟩ / ‖{w}‖", "lower": f"√k·{written.margin}/R", "upper": "1"}
    plot = curve_plot(marks, last, 1.0, "mistakes k", named)
    note = (
        f"After {k:,} mistakes it is {number(cosine)}: the cosine of the angle between {w} and {v}."
    )
    return extra("potential", TITLE, note, plot)


LENGTH = 3000  # rows of the stream
GAMMAS = tuple(round(0.5 * 0.75**i, 3) for i in range(14))  # under the slider


def stream(level: int) -> Section:
    """A random stream in the unit disc, and the sequence that attains the bound."""
    place = min(level, len(GAMMAS) - 1)
    gamma = GAMMAS[place]
    bound = 1.0 / gamma**2
    made, hard = random_mistakes(gamma), hardest_mistakes(gamma)
    top = float(max(min(bound, 4.0 * max(hard[-1], 4)), made[-1]))
    limit = [[0.0, bound, float(LENGTH), bound]] if bound <= 1.1 * top else []
    marks = [path("upper", limit), path("lower", [_thinned(hard)]), path("norm", [_thinned(made)])]
    named = {"norm": "mistakes, rows at random", "lower": "mistakes, the hardest rows",
             "upper": "1/γ²"}  # fmt: skip
    plot = curve_plot(marks, float(LENGTH), top, "rows that have come", named)
    note = (
        f"γ = {number(gamma)}, so at most {int(bound + 1e-9):,} mistakes on any sequence in the "
        f"unit ball. At random {made[-1]:,} were made; on signed unit vectors, {hard[-1]:,}."
    )
    slider = _slider("Margin γ", len(GAMMAS) - 1, place, number(gamma))
    return extra("stream", "A stream of rows", note, plot, slider=slider)


def _slider(label: str, most: int, value: int, text: str) -> Section:
    return {"label": label, "least": 0, "most": most, "value": value, "text": text}


@lru_cache(maxsize=32)
def random_mistakes(gamma: float) -> tuple[int, ...]:
    """Mistakes after each row: rows at random in the unit disc, at least γ from a hidden line."""
    random = np.random.RandomState(0)
    rows = np.empty((0, 2))
    while len(rows) < LENGTH:
        more = random.uniform(-1.0, 1.0, size=(4 * LENGTH, 2))
        keep = ((more**2).sum(axis=1) <= 1.0) & (np.abs(more @ _HIDDEN) >= gamma)
        rows = np.vstack([rows, more[keep]])
    from novikoff.runs.run import trace

    visits = trace(rows[:LENGTH], rows[:LENGTH] @ _HIDDEN > 0, fit_intercept=False, max_iter=1)
    return tuple(np.searchsorted(visits.tape.visits, np.arange(LENGTH), side="right").tolist())


_HIDDEN = np.array([0.6, 0.8])


def hardest_mistakes(gamma: float) -> tuple[int, ...]:
    """The same for unit vectors of as many dimensions as the margin allows: each is a mistake."""
    dimensions = int(1.0 / gamma**2 + 1e-9)
    return tuple(min(i + 1, dimensions) for i in range(LENGTH))


def _thinned(counted: tuple[int, ...]) -> list[float]:
    """The curve at some hundred places."""
    places = np.unique(np.linspace(0, len(counted) - 1, 300).astype(int)).tolist()
    return [0.0, 0.0, *(v for i in places for v in (float(i + 1), float(counted[i])))]


LEAST_N, MOST_N = 3, 14  # n under the slider
SUPERSCRIPT = "⁰¹²³⁴⁵⁶"
MOST_MISTAKES = 2_000_000


class Lap(NamedTuple):
    """What both needed for one n."""

    margin: float
    plain: int
    rescaled: int
    rescalings: int


@lru_cache(maxsize=MOST_N - LEAST_N + 1)
def lap(n: int) -> Lap:
    from novikoff import datasets
    from novikoff.models import train
    from novikoff.runs.run import trace

    data = datasets.load(f"badmargin:{n}")
    run = trace(data.X, data.y, max_iter=10**9, max_mistakes=MOST_MISTAKES, **data.conventions)
    model: Any = train("RescaledPerceptron", data.X, data.y)
    counts = (run.n_mistakes, int(model.n_mistakes_), int(model.n_rescalings_))
    return Lap(float(data.margin or 0.0), *counts)


def race(level: int) -> Section:
    """Both curves up to the n of the slider, on a logarithmic scale."""
    n = min(max(level + LEAST_N, LEAST_N), MOST_N)
    laps = [(i, lap(i)) for i in range(LEAST_N, n + 1)]
    marks = _dotted("upper", ((i, math.log10(one.plain)) for i, one in laps))
    marks += _dotted("lower", ((i, math.log10(one.rescaled)) for i, one in laps))
    top = math.log10(lap(MOST_N).plain) if n == MOST_N else 6.0
    named = {"upper": "mistakes of the plain perceptron", "lower": "of the rescaled one"}
    plot = curve_plot(marks, float(MOST_N), top, "n", named)
    every: list[Section] = [{"at": i, "text": str(i)} for i in range(LEAST_N, MOST_N + 1, 2)]
    powers: list[Section] = [
        {"at": e, "text": f"10{up}" if e else "1"} for e, up in enumerate(SUPERSCRIPT)
    ]
    plot["ticks"] = {"x": every, "y": powers}
    plot["window"][0] = LEAST_N - 0.5
    last = laps[-1][1]
    note = (
        f"n = {n}: {n + 1} rows of bits with a margin of {number(last.margin)}. The plain "
        f"perceptron makes {count(last.plain, 'mistake', ',')}, the rescaled one "
        f"{last.rescaled:,}, with {count(last.rescalings, 'rescaling')}."
    )
    slider = _slider("Dimension n", MOST_N - LEAST_N, n - LEAST_N, str(n))
    return extra("race", "Tiny margins: a race", note, plot, slider=slider)
