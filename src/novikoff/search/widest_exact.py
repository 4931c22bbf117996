"""The largest margin in exact arithmetic, for sets on which floats run out of digits.

    maximise  Σ λ_i - ½·‖Σ λ_i·z_i‖²   over λ >= 0        (geometric: with Σ λ_i·sign_i = 0)

At the maximum w = Σ λ_i·z_i has z_i·w >= 1 everywhere and = 1 where λ_i > 0, and the margin is
1/√Σλ. An active-set method: the row of lowest score joins the support, the support is solved for
exactly, and rows whose λ would turn negative leave on the way (Lawson & Hanson 1974; Wolfe 1976).
It ends for separable rows, because the objective grows and no support comes twice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from novikoff.search.clock import Clock
from novikoff.search.integers import independent, solve
from novikoff.search.signed_rows import SignedRows


@dataclass
class ExactWidest:
    """The support, its λ, and the weights they make, all rational."""

    z: SignedRows
    geometric: bool
    clock: Clock
    support: list[int] = field(default_factory=list)
    shares: list[Fraction] = field(default_factory=list)
    weights: list[Fraction] = field(default_factory=list)

    def run(self, first: np.ndarray, most_steps: int) -> bool:
        """Start with rows that floats think are the support; True if the maximum is reached."""
        if not self._begin(first):
            return False
        for _ in range(most_steps):
            self.clock.check()
            worst = self._worst_row()
            if worst is None:
                return True
            self._join(worst)
        return False

    def _begin(self, first: np.ndarray) -> bool:
        solved = self._solve(first.tolist()) if len(first) else None
        if solved is not None and min(solved[0]) > 0:
            self.support = first.tolist()
        elif self.geometric:
            self.support = [int(self.z.rows[self.z.signs[self.z.rows] == s][0]) for s in (-1, 1)]
            solved = self._solve(self.support)
        else:
            self.support = [int(self.z.rows[0])]
            solved = self._solve(self.support)
        if solved is None or min(solved[0]) <= 0:
            return False
        self.shares = solved[0]
        self._set_weights(solved[1])
        return True

    def _vectors(self, rows: list[int]) -> tuple[np.ndarray, int]:
        """The rows' integers over their scale, without the offset for the geometric margin."""
        whole, places, scale = self.z.integers(np.array(rows))
        vectors = np.zeros((len(rows), self.z.dim), dtype=object)
        vectors[:, places] = whole
        if self.geometric and self.z.fit_intercept:
            vectors = vectors[:, :-1]
        return vectors, scale

    @property
    def _has_free_offset(self) -> bool:
        return self.geometric and self.z.fit_intercept

    def _solve(self, rows: list[int]) -> tuple[list[Fraction], Fraction] | None:
        """λ (and the offset) with z_i·w = 1 on these rows; None if they are dependent."""
        vectors, scale = self._vectors(rows)
        signs = self.z.signs[rows].astype(object)
        count, free = len(rows), int(self._has_free_offset)
        lifted = np.hstack([vectors, signs[:, None]]) if free else vectors
        if len(independent(lifted)[0]) < count:
            return None
        system = np.zeros((count + free, count + free), dtype=object)
        system[:count, :count] = vectors @ vectors.T
        right = [scale * scale] * count + [0] * free
        if free:
            system[count, :count] = system[:count, count] = signs
        solution, denominator = solve(system, right)
        shares = [Fraction(value, denominator) for value in solution[:count]]
        offset = Fraction(solution[count], denominator * scale * scale) if free else Fraction(0)
        return shares, offset

    def _set_weights(self, offset: Fraction) -> None:
        vectors, scale = self._vectors(self.support)
        common = math.lcm(*(share.denominator for share in self.shares))
        whole = np.array([int(share * common) for share in self.shares], dtype=object)
        weights = [Fraction(int(total), common * scale) for total in whole @ vectors]
        if self._has_free_offset:
            weights.append(offset)
        self.weights = self.z.place(weights)

    def _worst_row(self) -> int | None:
        """The row of lowest score, unless every row scores 1 or more."""
        scores = self.z.float_scores(self.weights, self.z.rows)
        for place in np.argsort(scores)[: len(self.support) + 8].tolist():
            row = int(self.z.rows[place])
            if row not in self.support and self._score(row) < 1:
                return row
        return None

    def _score(self, row: int) -> Fraction:
        whole, places, scale = self.z.integers(np.array([row]))
        pairs = zip(whole[0].tolist(), self.z.column_ids[places].tolist(), strict=True)
        return (
            sum((self.weights[column_id] * value for value, column_id in pairs), Fraction(0))
            / scale
        )

    def _join(self, row: int) -> None:
        self.support.append(row)
        self.shares.append(Fraction(0))
        while True:
            solved = self._solve(self.support)
            if solved is None:
                self._step(self._dependence())
                continue
            goal = solved[0]
            if min(goal) > 0:
                self.shares = goal
                self._set_weights(solved[1])
                return
            self._step([g - s for g, s in zip(goal, self.shares, strict=True)], most=Fraction(1))

    def _dependence(self) -> list[Fraction]:
        """A change of λ that leaves Σ λ·z as it is and lets Σ λ grow."""
        from flint import fmpz_mat

        vectors, _ = self._vectors(self.support)
        if self._has_free_offset:
            signs = self.z.signs[self.support].astype(object)
            vectors = np.hstack([vectors, signs[:, None]])
        kernel, _ = fmpz_mat(vectors.T.tolist()).nullspace()
        change = [Fraction(int(kernel[i, 0])) for i in range(len(self.support))]
        return change if sum(change) > 0 else [-value for value in change]

    def _step(self, change: list[Fraction], most: Fraction | None = None) -> None:
        """Move λ along `change` until a row reaches zero, and drop what is zero."""
        falls = [s / -c for s, c in zip(self.shares, change, strict=True) if c < 0]
        size = min(falls) if most is None else min([most, *falls])
        moved = [s + size * c for s, c in zip(self.shares, change, strict=True)]
        kept = [k for k, share in enumerate(moved) if share > 0]
        self.support = [self.support[k] for k in kept]
        self.shares = [moved[k] for k in kept]
