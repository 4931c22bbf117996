"""SandwichDisplay: the proof of the mistake bound, drawn along a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from novikoff.display.style import FAINT, INK, NEGATIVE, POSITIVE, Display
from novikoff.wording import count

if TYPE_CHECKING:
    from novikoff.runs.audit import Audit

MOST_POINTS = 4000


class SandwichDisplay(Display):
    """k·γ <= w·v <= ‖w‖ <= √k·R against k, and the bound (R/γ)².

    Attributes, after `plot`: ax_, figure_, lines_ (a dict by name), bound_ (a line or None).
    """

    def __init__(self, audit: Audit) -> None:
        self.audit = audit
        last = len(audit.k) - 1
        self.k = np.unique(np.linspace(0, last, min(last + 1, MOST_POINTS)).astype(np.int64))

    @classmethod
    def from_audit(cls, audit: Audit, ax: Any = None) -> Self:
        return cls(audit).plot(ax=ax)

    def _draw(self, has_axes: bool) -> None:  # noqa: ARG002
        audit = self.audit
        curves = {
            "√k·R": (audit.upper, {"color": INK, "linestyle": "-", "linewidth": 1.2}),
            "‖w‖": (audit.norm, {"color": POSITIVE, "linestyle": "-", "linewidth": 2.2}),
            "w·v": (audit.progress, {"color": NEGATIVE, "linestyle": "--", "linewidth": 2.2}),
            "k·γ": (audit.lower, {"color": INK, "linestyle": ":", "linewidth": 1.4}),
        }
        self.lines_ = {}
        for name, (values, style) in curves.items():
            if values is not None:
                (self.lines_[name],) = self.ax_.plot(self.k, values[self.k], label=name, **style)
        self.bound_ = None
        mistakes = audit.n_mistakes
        title = f"{count(mistakes, 'mistake')}"
        if audit.bound is not None:
            title += f", at most (R/γ)² = {audit.bound:.4g}"
            if audit.bound <= 4 * max(mistakes, 1):
                self.bound_ = self.ax_.axvline(audit.bound, color=FAINT, linestyle="-.")
        self.ax_.set(xlabel="mistakes k", ylabel="length", title=title)
        self.ax_.legend(frameon=False)
