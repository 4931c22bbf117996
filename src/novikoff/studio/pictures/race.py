"""Margins of about 2⁻ⁿ: the plain perceptron, exponential in n, against the rescaled one."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from novikoff.studio.fields import Extra, Tick
from novikoff.studio.marks import dot, path
from novikoff.studio.pictures.blank import curve_plot, extra
from novikoff.wording import count, number

LEAST, MOST = 3, 14  # n under the slider
SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹"
MOST_MISTAKES = 2_000_000


class Lap(NamedTuple):
    """What both needed for one n."""

    margin: float
    plain: int
    rescaled: int
    rescalings: int


@lru_cache(maxsize=MOST - LEAST + 1)
def lap(n: int) -> Lap:
    from novikoff import datasets
    from novikoff.models import train
    from novikoff.runs.run import trace

    data = datasets.load(f"badmargin:{n}")
    run = trace(data.X, data.y, max_iter=10**9, max_mistakes=MOST_MISTAKES, **data.conventions)
    model = train("RescaledPerceptron", data.X, data.y)
    rescalings = int(getattr(model, "n_rescalings_", 0))
    return Lap(float(data.margin or 0.0), run.n_mistakes, int(model.n_mistakes_), rescalings)


def race(level: int) -> Extra:
    """Both curves up to the n of the slider, on a logarithmic scale."""
    n = min(max(level + LEAST, LEAST), MOST)
    laps = [(i, lap(i)) for i in range(LEAST, n + 1)]
    plain = [v for i, one in laps for v in (float(i), math.log10(one.plain))]
    scaled = [v for i, one in laps for v in (float(i), math.log10(one.rescaled))]
    marks = [path("upper", [plain]), path("lower", [scaled])]
    marks += [dot("upper", i, math.log10(one.plain)) for i, one in laps]
    marks += [dot("lower", i, math.log10(one.rescaled)) for i, one in laps]
    plot = curve_plot(marks, float(MOST), math.log10(lap(MOST).plain) if n == MOST else 6.0, "n")
    plot["ticks"]["y"] = [_power(e) for e in range(7)]
    plot["window"][0] = LEAST - 0.5
    plot["legend"] = [
        {"role": "upper", "text": "mistakes of the plain perceptron"},
        {"role": "lower", "text": "of the rescaled one"},
    ]
    last = laps[-1][1]
    note = (
        f"n = {n}: {n + 1} rows of bits with a margin of {number(last.margin)}. The plain "
        f"perceptron makes {count(last.plain, 'mistake', ',')}, the rescaled one "
        f"{last.rescaled:,}, with "
        f"{count(last.rescalings, 'rescaling')}."
    )
    picture = extra("race", "Tiny margins: a race", note, plot)
    picture["slider"] = {"label": "Dimension n", "least": 0, "most": MOST - LEAST,
                         "value": n - LEAST, "text": str(n)}  # fmt: skip
    return picture


def _power(exponent: int) -> Tick:
    return {"at": float(exponent), "text": "1" if exponent == 0 else "10" + SUPERSCRIPT[exponent]}
