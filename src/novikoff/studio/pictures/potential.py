"""The potential ⟨w, v⟩/‖w‖: it begins at 0, must rise like √k·γ/R, and cannot exceed 1."""

from __future__ import annotations

import math

import numpy as np

from novikoff.studio.charts import Sandwich
from novikoff.studio.fields import Extra
from novikoff.studio.marks import dot, path
from novikoff.studio.pictures.blank import curve_plot, extra
from novikoff.studio.state import State
from novikoff.wording import number

TITLE = "The potential"
MOST_POINTS = 240


def potential(state: State, sandwich: Sandwich | None, k: int) -> Extra:
    written = state.written
    w, v = written.weights, written.best
    audit = None if sandwich is None else sandwich.audit
    if audit is None or audit.potential is None or not audit.margin or audit.bound is None:
        return extra("potential", TITLE, "It needs separable rows and a start at zero.")
    n = audit.n_mistakes
    last = max(float(n), min(audit.bound, 6.0 * max(n, 1)))
    places = (
        np.unique(np.linspace(0, n, MOST_POINTS).astype(int)) if n > MOST_POINTS else range(n + 1)
    )
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
    plot = curve_plot(marks, last, 1.0, "mistakes k")
    plot["legend"] = [
        {"role": "norm", "text": f"⟨{w}, {v}⟩ / ‖{w}‖"},
        {"role": "lower", "text": f"√k·{written.margin}/R"},
        {"role": "upper", "text": "1"},
    ]
    note = (
        f"After {k:,} mistakes it is {number(cosine)}: the cosine of the angle between {w} and {v}."
    )
    return extra("potential", TITLE, note, plot)
