"""MistakesDisplay: mistakes pass by pass, for one run or several side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from novikoff.display.style import FAINT, INK, NEGATIVE, POSITIVE, Display, literal, short
from novikoff.errors import InputError
from novikoff.runs.run import Run

STYLES = [
    (POSITIVE, "-", "o"), (NEGATIVE, "--", "^"), (INK, ":", "s"), (FAINT, "-.", "D"),
]  # fmt: skip


class MistakesDisplay(Display):
    """Mistakes in each pass of each run; n visits make a pass, also where updates restart it.

    Attributes, after `plot`: ax_, figure_, lines_ (a dict by the runs' names).
    """

    def __init__(self, counts: Mapping[str, np.ndarray]) -> None:
        self.counts = dict(counts)

    @classmethod
    def from_runs(cls, runs: Run | Mapping[str, Run], ax: Any = None) -> Self:
        """`runs` is a run, or a dict of runs by name, such as one per order or start."""
        named = runs if isinstance(runs, Mapping) else {"mistakes": runs}
        if not named:
            raise InputError("no run is given; MistakesDisplay needs at least one.")
        counts = {}
        for name, run in named.items():
            n = run.table.n_rows
            counts[name] = np.bincount(run.tape.visits // n, minlength=-(-run.n_visits // n))
        return cls(counts).plot(ax=ax)

    def _draw(self, has_axes: bool) -> None:  # noqa: ARG002
        self.lines_ = {}
        for place, (name, counts) in enumerate(self.counts.items()):
            colour, dashes, marker = STYLES[place % len(STYLES)]
            (self.lines_[name],) = self.ax_.plot(
                np.arange(1, len(counts) + 1), counts, color=colour, linestyle=dashes,
                marker=marker, markevery=max(1, len(counts) // 25),
                label=f"{short(name)} ({counts.sum()})",
            )  # fmt: skip
        self.ax_.set(xlabel="pass", ylabel="mistakes", title="mistakes in each pass")
        self.ax_.locator_params(integer=True)
        literal(self.ax_.legend(title="run (all mistakes)", frameon=False))
