"""The proof of the bound: the sandwich along k as a small picture, and each
inequality at one mistake with its numbers.

Both steps of the proof are about the row of the mistake alone, so they are decided exactly:
w·v rises by sign·(row·v), and ‖w‖² by ‖row‖² + 2·sign·score, whose last term is not positive.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.exact.roots import nearest_root
from novikoff.runs.audit import Audit
from novikoff.studio.notation import NOTATIONS, Notation
from novikoff.studio.plane import dot, path, short, words
from novikoff.studio.proof import Finding
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline, Update
from novikoff.studio.values import Mark, Section
from novikoff.wording import number

MOST_POINTS = 240  # of a curve
LOG_BEYOND = 4.0  # × the mistakes: a bound further away than this asks for log scales


class Sandwich:
    """w0·v + k·γ <= w·v <= ‖w‖ <= √(‖w0‖² + k·R²) against k.

    From w0 = 0 the outer two are k·γ and √k·R, and are drawn on to the bound where they meet;
    another start has no such bound. Where the bound is far beyond the run, both axes are
    logarithmic: there k·γ and √k·R are straight lines, and they still meet at the bound.
    """

    def __init__(
        self, audit: Audit, proven: int | None = None, written: Notation = NOTATIONS["plain"]
    ) -> None:
        """proven: the bound as the verdict says it, a whole number; the chart says the same.

        None where the verdict is undecided: a run that ended has a bound of its own.
        """
        self.audit, self.written = audit, written
        self.n = audit.n_mistakes
        bound = audit.bound
        self.bound = bound if bound is not None and math.isfinite(bound) else None
        self.proven = proven
        self.last = max(float(self.n), self.bound or 0.0, 1.0)
        self.logarithmic = self.bound is not None and self.bound > LOG_BEYOND * max(self.n, 1)
        self.top = max(float(audit.upper[-1]), float(audit.norm.max()), 1e-300)
        if self.bound is not None:
            self.top = max(self.top, math.sqrt(self.bound) * audit.radius)
        self.low = 0.0
        if self.logarithmic:
            heights = [audit.norm, audit.lower, audit.progress]
            rising = [h[1:][h[1:] > 0] for h in heights if h is not None]
            least = [float(h.min()) for h in rising if h.size]
            self.low = math.log10(max(min([*least, self.top]), self.top * 1e-12))

    @cached_property
    def plot(self) -> Section:
        audit = self.audit
        marks: list[Mark] = []
        if audit.lower is not None and audit.margin and audit.margin > 0:
            first, margin = float(audit.lower[0]), float(audit.margin)
            marks.append(path("lower", [self._outer(lambda k: first + k * margin)]))
        length = float(audit.upper[0])
        marks.append(
            path("upper", [self._outer(lambda k: math.hypot(length, math.sqrt(k) * audit.radius))])
        )
        if audit.progress is not None:
            marks.append(path("progress", [self._curve(audit.progress)]))
        marks.append(path("norm", [self._curve(audit.norm)]))
        if self.bound is not None:
            x = self._x(self.bound)
            marks.append(path("bound", [[x, self._y(0.0), x, self._window()[3]]]))
            marks.append(dot("bound", x, self._y(math.sqrt(self.bound) * audit.radius)))
            bound = math.floor(self.bound) if self.proven is None else self.proven
            text = f"bound {bound:,}"
            marks.append(words("bound", x, self._window()[2], text, "end"))
        left, right, low, high = self._window()
        plot: Section = {
            "window": [short(v) for v in (left, right, low, high)],
            "marks": marks,
            "x_label": "mistakes k" + (" (log scales)" if self.logarithmic else ""),
            "legend": legend(self.names()),
        }
        if self.logarithmic:
            plot["ticks"] = {"x": self._powers(left, right), "y": self._powers(low, high)}
        return plot

    def names(self) -> dict[str, str]:
        """The curves that are drawn, by the names that the audit's formulas give them."""
        zero, named = float(self.audit.upper[0]) == 0.0, self.written
        w, v, margin, start = named.weights, named.best, named.margin, self._start()
        return {
            "lower": f"k·{margin}" if zero else f"{start}·{v} + k·{margin}",
            "progress": f"{w}·{v}",
            "norm": f"‖{w}‖",
            "upper": "√k·R" if zero else f"√(‖{start}‖² + k·R²)",
        }

    def cursor(self, k: int) -> list[Mark]:
        """The present k on the curves."""
        audit = self.audit
        k = min(k, self.n)
        x = self._x(float(k))
        low, high = self._window()[2:]
        marks = [path("cursor", [[x, low, x, high]])]
        heights = [("norm", audit.norm), ("progress", audit.progress)]
        marks += [dot(role, x, self._y(float(h[k]))) for role, h in heights if h is not None]
        return marks

    def checks(self) -> list[Section]:
        """The theorem's inequalities along the run, and whether each holds."""
        words = {True: "holds", False: "fails", None: "not checked"}
        w, v, margin = self.written.weights, self.written.best, self.written.margin
        letters = {"w0": self._start(), "w": w, "v": v, "γ": margin, "<=": "≤"}
        entries: list[Section] = []
        for check in self.audit.checks:
            first = check.first_failure
            text = words[check.holds] + ("" if first is None else f", first at k = {first}")
            formula = re.sub(r"w0|[wvγ]|<=", lambda found: letters[found[0]], check.formula)
            entries.append(
                {"formula": formula, "text": text, "holds": check.holds, "note": check.note}
            )
        return entries

    def _start(self) -> str:
        """The name of the weights at the start."""
        is_plain = self.written.first == 0 and self.written.weights == "w"
        return "w0" if is_plain else self.written.name(0)

    def _window(self) -> tuple[float, float, float, float]:
        if self.logarithmic:
            return -0.1, math.log10(self.last) * 1.06, self.low - 0.1, math.log10(self.top) + 0.12
        curves = (self.audit.norm, self.audit.progress, self.audit.lower)
        lowest = min(0.0, *(float(h.min()) for h in curves if h is not None))
        return 0.0, self.last * 1.06, lowest * 1.08, self.top * 1.08

    def _x(self, k: float) -> float:
        return math.log10(max(k, 1.0)) if self.logarithmic else k

    def _y(self, height: float) -> float:
        if not self.logarithmic:
            return height
        return max(math.log10(height), self.low) if height > 0 else self.low

    def _curve(self, heights: np.ndarray) -> list[float]:
        first = 1 if self.logarithmic and self.n else 0
        k = np.arange(first, self.n + 1)
        if len(k) > MOST_POINTS:
            spread = np.geomspace if self.logarithmic else np.linspace
            k = np.unique(spread(first or 0, self.n, MOST_POINTS).astype(np.int64))
        return [v for i in k.tolist() for v in (self._x(float(i)), self._y(float(heights[i])))]

    def _outer(self, height: Any) -> list[float]:
        """A curve of the proof, on to the bound."""
        if self.logarithmic:
            ks = np.geomspace(1.0, self.last, 2)
        else:
            ks = np.linspace(0.0, math.sqrt(self.last), 60) ** 2
        return [v for k in ks.tolist() for v in (self._x(k), self._y(height(k)))]

    @staticmethod
    def _powers(low: float, high: float) -> list[Section]:
        first, last = math.ceil(low), math.floor(high)
        step = max(1, math.ceil((last - first + 1) / 6))
        return [
            {"at": e, "text": number(10.0**e) if -3 <= e <= 4 else f"1e{e}"}
            for e in range(first, last + 1, step)
        ]


PROGRESS = ["progress", "lower", "gamma", "best", "step", "current"]
LENGTH = ["norm", "upper", "ball", "old", "new", "current"]
CURVES = ["progress", "lower", "norm", "upper"]


def live_lines(
    state: State, timeline: Timeline, update: Update | None, finding: Finding,
    sandwich: Sandwich | None,
) -> list[Section]:  # fmt: skip
    """The inequalities of one mistake; none before the first."""
    if update is None or finding.status == "deciding":
        return []
    written, step = state.written, update.step
    place = timeline.owners.index(update.owner)
    weights = timeline.exact(place, step.k)
    row = weights.row(step.row)
    square = Fraction(sum(value * value for _, value in row.entries), row.scale**2)
    before = weights.score(step.row) - step.sign * square
    entries = []
    if finding.separator is not None:
        entries.append(_progress(written, finding, row.entries, row.scale, step.sign))
    entries.append(_length(written, finding, square, step.sign * before))
    if sandwich is not None and sandwich.audit.lower is not None:
        entries.append(_sandwich(written, sandwich, step.k))
    return entries


def _progress(
    written: Notation, finding: Finding, entries: list[tuple[int, int]], scale: int, sign: int
) -> Section:
    v = [Fraction(value) for value in finding.separator.weights]
    gained = sign * sum((v[j] * value for j, value in entries), Fraction(0)) / scale
    length = sum((value * value for value in v), Fraction(0))
    margin = Fraction(finding.margin[0])
    rise = float(nearest_root(gained**2 / length)) * (1 if gained >= 0 else -1)
    holds = gained > 0 and gained**2 >= margin**2 * length
    w, best = written.weights, written.best
    if written.by_length:
        text = f"{best}·{w} rose by {_shown(rise / finding.margin[0])} {_sign('≥', holds)} 1"
    else:
        text = (
            f"{w}·{best} rose by {_shown(rise)} {_sign('≥', holds)} "
            f"{written.margin} = {_shown(finding.margin[0])}"
        )
    why = f"the row's margin under {best}"
    return {"text": text, "why": why, "holds": holds, "lights": PROGRESS}


def _length(written: Notation, finding: Finding, square: Fraction, side: Fraction) -> Section:
    rise = square + 2 * side
    radius = Fraction(finding.radius) ** 2
    holds = rise <= square <= radius
    return {
        "text": f"‖{written.weights}‖² rose by {_shown(float(rise))} {_sign('≤', holds)} "
        f"R² = {_shown(float(radius))}",
        "why": f"‖row‖² + 2·sign·score = {_shown(float(square))} + 2·({_shown(float(side))})",
        "holds": holds,
        "lights": LENGTH,
    }


def _sandwich(written: Notation, sandwich: Sandwich, k: int) -> Section:
    audit, names = sandwich.audit, sandwich.names()
    heights = {"lower": audit.lower, "progress": audit.progress, "norm": audit.norm,
               "upper": audit.upper}  # fmt: skip
    parts = [f"{names[role]} = {_shown(float(height[k]))}" for role, height in heights.items()
             if height is not None]  # fmt: skip
    return {"text": " ≤ ".join(parts), "why": f"so far, after {written.name(k)}",
            "holds": audit.holds, "lights": CURVES}  # fmt: skip


def _sign(relation: str, holds: bool) -> str:
    return relation if holds else {"≥": "<", "≤": ">"}[relation]


def _shown(value: float) -> str:
    return number(value).replace("-", "−")


def extra(name: str, title: str, note: str, plot: Section | None = None, **more: Any) -> Section:
    """A further picture; more: its panels, space or slider."""
    shown = {"name": name, "title": title, "note": note, "plot": plot}
    return shown | {"panels": [], "space": None, "slider": None} | more


def legend(texts: dict[str, str]) -> list[Section]:
    """Lines of a legend: the role of each curve, and its name."""
    return [{"role": role, "text": text} for role, text in texts.items()]


def curve_plot(
    marks: list[Mark], right: float, top: float, x_label: str, named: dict[str, str]
) -> Section:
    """Axes from 0 to the right and upward, with room above; named: the legend."""
    window = [0.0, short(1.04 * right), 0.0, short(1.1 * top)]
    return {"window": window, "marks": marks, "x_label": x_label, "legend": legend(named)}
