"""The best hyperplane so far: what floats propose, counted exactly on every row."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.search.mistakes.costs import Costs
from novikoff.search.signed_rows import SignedRows, Weights


class Best:
    """The weights whose wrong rows, rows on the hyperplane among them, cost least.

    `z` has the rows that matter: a row that is free to give up is not asked.
    """

    def __init__(self, z: SignedRows, costs: Costs) -> None:
        self.z, self.costs = z, costs
        self.weights: Weights | None = None  # of every column, the offset last
        self.wrong: np.ndarray = z.rows[:0]
        self.cost: int | None = None  # in units; None before a hyperplane is found
        self.answers: dict[tuple[int, ...], int] = {}  # other sets of wrong rows, and their cost

    def offer_view(self, w: np.ndarray) -> bool:
        """Count what weights of the view get wrong; whether that is the best so far."""
        if not np.isfinite(w).all() or not w.any():
            return False
        floats = self.z.float_view.weights(w)
        return floats is not None and self.offer(floats)

    def offer_exactly(self, w: np.ndarray) -> bool:
        """The same without rounding on the way back from the view."""
        return bool(np.isfinite(w).all() and w.any()) and self.offer(
            self.z.float_view.exact_weights(w)
        )

    def offer(self, weights: Any) -> bool:
        """Count what weights of the rows as given get wrong; keep them if that costs least."""
        wrong = self.z.opposed(weights, strict=True)
        if self.costs.trusted[wrong].any():
            return False
        cost = self.costs.of_rows(wrong)
        self._remember(wrong, cost)
        if self.cost is not None and cost >= self.cost:
            return False
        self.weights, self.wrong, self.cost = weights, wrong, cost
        return True

    def _remember(self, wrong: np.ndarray, cost: int) -> None:
        if len(wrong) <= 5000 and len(self.answers) < 10_000:
            self.answers[tuple(wrong.tolist())] = cost
