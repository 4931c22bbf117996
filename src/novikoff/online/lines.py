"""Lines of weights with exact signs: what a score decides, and what an update does."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.exact.bounds import (
    LEAST_SQUARE_BOUND,
    SQUARE_OVERFLOW_LIMIT,
    SQUARE_ROUNDING_GROWTH,
    SQUARE_ROW_UNDERFLOW,
    SQUARE_SCORE_UNDERFLOW,
    square_norm_bound_after,
)
from novikoff.exact.scores import exact_score
from novikoff.online.weights import GrowingWeights


class GrowingLines(GrowingWeights):
    """One line for two classes, else one per class; invariant: norm_bounds[c] >= ‖w‖² of line c.

    A score whose square is not above `_factor`·norm_bound·square is computed exactly: see
    `square_factor` in exact/bounds.py. A norm_bound is 0 only where w is zero.
    """

    _labels: list[Any]
    _ties_positive: bool
    n_mistakes_: int

    def _set_lines(self, labels: list[Any], W: np.ndarray) -> None:
        """Other labels, sorted, and the weights of their lines, the offsets first."""
        self._labels = labels
        self._codes: dict[Hashable, int] = {label: c for c, label in enumerate(labels)}
        self._signs: dict[Hashable, float] = {}  # of the labels, where there is only one line
        if len(labels) in (1, 2):
            self._signs = {label: 1.0 if label == labels[-1] else -1.0 for label in labels}
        with np.errstate(over="ignore"):
            squares = (
                SQUARE_ROUNDING_GROWTH * 1.001 * np.einsum("ij,ij->i", W, W) + LEAST_SQUARE_BOUND
            )
        self._norm_bounds: list[float] = np.where(W.any(axis=1), squares, 0.0).tolist()
        self._set_weights(W)

    def _labels_with(self, y: Any) -> list[Any]:
        """The labels, sorted, with one that is new."""
        if not isinstance(y, (str, int, float)) or (isinstance(y, float) and not y.is_integer()):
            raise InputError(
                f"the label is {y!r:.80}; it must be a word, a whole number or a truth value."
            )
        if self._labels and isinstance(y, str) != isinstance(self._labels[0], str):
            raise InputError(
                f"the label {y!r:.80} cannot be sorted among the known classes "
                f"{self._labels[:3]!r:.80}; give labels of one type."
            )
        return sorted([*self._labels, y])

    def _meet(self, labels: list[Any]) -> None:
        """Lines for these labels, one of them new, by the rule of models/lines.py.

        A class keeps its line. The line that two classes share is the larger one's own, and its
        negative the smaller one's. A class that is new starts from zeros.
        """
        W = self._weights()
        own = dict(zip(self._labels, W, strict=False))
        if len(self._labels) == 2:
            smaller, larger = self._labels
            own = {larger: W[0], smaller: 0.0 - W[0]}
        zeros = np.zeros(self._n_names + 1)
        if len(labels) == 2:
            smaller, larger = labels
            lines = [own[larger] if larger in own else 0.0 - own[smaller]]
        else:
            lines = [own.get(label, zeros) for label in labels]
        self._set_lines(labels, np.array(lines))

    def _winner(self, scores: list[float], square: float) -> Any:
        """The class whose exact score is the highest, the smallest of several; None of none."""
        if len(scores) < 2:
            if not scores:
                return None
            score = self._sure(0, scores[0], square)
            return self._labels[-(score > 0.0 or (score == 0.0 and self._ties_positive))]
        best = scores.index(max(scores))
        for c, score in enumerate(scores):
            gap = 0.5 * (scores[best] - score)
            if c != best and not self._is_sure(gap, max(self._norm_bounds), square):
                row, lines = self._row, self._lines
                difference = exact_score(
                    np.concatenate([row, row]), np.concatenate([lines[c], -lines[best]])
                )
                if difference > 0.0 or (difference == 0.0 and c < best):
                    best = c
        return self._labels[best]

    def _is_sure(self, score: float, norm_bound: float, square: float) -> bool:
        """Whether rounding leaves no doubt about the sign of a score: see square_factor."""
        error = self._factor * norm_bound * (square + SQUARE_ROW_UNDERFLOW) + SQUARE_SCORE_UNDERFLOW
        return score * score > error

    def _sure(self, c: int, score: float, square: float) -> float:
        """The score of line c with its exact sign, computed exactly where that is in doubt."""
        norm_bound = self._norm_bounds[c]
        if self._is_sure(score, norm_bound, square):
            return score
        return exact_score(self._row, self._lines[c]) if norm_bound else 0.0

    def _update(self, c: int, step: float, square: float) -> None:
        """Add step·row to line c.

        After a mistake ‖w‖² has grown by at most (step·‖row‖)².
        """
        norm_bound = square_norm_bound_after(
            self._norm_bounds[c], step, square + SQUARE_ROW_UNDERFLOW
        )
        row, w = self._row, self._lines[c]
        if not norm_bound < SQUARE_OVERFLOW_LIMIT:
            with np.errstate(over="ignore", invalid="ignore"):
                if not np.isfinite(w + step * row).all():
                    raise InputError(
                        "the weights have grown beyond what float64 can hold; divide the rows, or "
                        "their weights, by a power of ten."
                    )
        w += step * row
        if self._at is not None:
            self._memory[c, self._at] = w
        self._norm_bounds[c] = norm_bound
        self.n_mistakes_ += 1
