"""The proof at one mistake: each inequality with its numbers, and what it speaks of on the screen.

Both steps of the proof are about the row of the mistake alone, so they are decided exactly:
w·v rises by sign·(row·v), and ‖w‖² by ‖row‖² + 2·sign·score, whose last term is not positive.
"""

from __future__ import annotations

from fractions import Fraction

from novikoff.exact.roots import nearest_root
from novikoff.studio.charts import Sandwich
from novikoff.studio.fields import LiveLine
from novikoff.studio.notation import Notation
from novikoff.studio.proof import Finding
from novikoff.studio.state import State
from novikoff.studio.timeline import Timeline, Update
from novikoff.wording import number

PROGRESS = ["progress", "lower", "gamma", "best", "step", "current"]
LENGTH = ["norm", "upper", "ball", "old", "new", "current"]
CURVES = ["progress", "lower", "norm", "upper"]


def live_lines(
    state: State, timeline: Timeline, update: Update | None, finding: Finding | None,
    sandwich: Sandwich | None,
) -> list[LiveLine]:  # fmt: skip
    """The inequalities of one mistake; none before the first."""
    if update is None or finding is None:
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
) -> LiveLine:
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
    return {"text": text, "why": f"the row's margin under {best}", "holds": holds,
            "lights": PROGRESS}  # fmt: skip


def _length(written: Notation, finding: Finding, square: Fraction, side: Fraction) -> LiveLine:
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


def _sandwich(written: Notation, sandwich: Sandwich, k: int) -> LiveLine:
    audit = sandwich.audit
    legend = {one["role"]: one["text"] for one in sandwich.plot.get("legend", [])}
    heights = {"lower": audit.lower, "progress": audit.progress, "norm": audit.norm,
               "upper": audit.upper}  # fmt: skip
    parts = [f"{legend[role]} = {_shown(float(height[k]))}" for role, height in heights.items()
             if height is not None]  # fmt: skip
    return {"text": " ≤ ".join(parts), "why": f"so far, after {written.name(k)}",
            "holds": audit.holds, "lights": CURVES}  # fmt: skip


def _sign(relation: str, holds: bool) -> str:
    return relation if holds else {"≥": "<", "≤": ">"}[relation]


def _shown(value: float) -> str:
    return number(value).replace("-", "−")
