"""SettledDisplay: how each comparison of a regression fares along the direction of its proof."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Self

import numpy as np

from novikoff.display.style import FAINT, POSITIVE, Display, literal
from novikoff.errors import InputError


class SettledDisplay(Display):
    """Scores of all comparisons along one direction of the coefficients, from small to large.

    A settled comparison has a positive score, and gains without end; the others have exactly 0.

    Attributes, after `plot`: ax_, figure_.
    """

    def __init__(self, scores: np.ndarray, model: str) -> None:
        self.scores = scores
        self.model = model

    @classmethod
    def from_regression(cls, verdict: Any, ax: Any = None) -> Self:
        """The picture of a RegressionVerdict that is decided."""
        if verdict.certificate is None:
            raise InputError("the model is undecided, so there is no direction to draw.")
        rows = verdict.comparison_rows
        weights = [Fraction(w) for w in rows.inward(verdict.certificate.weights)]
        largest = max(map(abs, weights)) or Fraction(1)
        v = np.array([float(w / largest) for w in weights])
        scores = (np.asarray(rows.table.matrix @ v[:-1]) + v[-1] * rows.offset) * rows.signs
        exact = np.zeros(len(scores))
        exact[verdict.settled] = np.abs(scores[verdict.settled])  # the rest is 0, proven
        return cls(np.sort(exact), verdict.model).plot(ax=ax)

    def _draw(self, has_axes: bool) -> None:  # noqa: ARG002
        places = np.arange(1, len(self.scores) + 1)
        is_settled = self.scores > 0
        kinds = ((~is_settled, FAINT, "o", "decide the estimate"),
                 (is_settled, POSITIVE, "^", "settled: gain without end"))  # fmt: skip
        for kind, colour, marker, said in kinds:
            self.ax_.plot(
                places[kind], self.scores[kind], color=colour, marker=marker, linestyle="none",
                label=f"{said} ({int(kind.sum())})",
            )  # fmt: skip
        self.ax_.set(xlabel="comparison, sorted", ylabel="gain along the direction")
        self.ax_.set_title(f"comparisons of the {self.model} model", parse_math=False)
        literal(self.ax_.legend(frameon=False))
