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

Solution = tuple[list[Fraction], Fraction]  # λ, and the offset where it is free


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
        rows, signs = self.z.rows, self.z.signs[self.z.rows]
        least = [int(rows[signs == s][0]) for s in (-1, 1)] if self.geometric else [int(rows[0])]
        for self.support in (first.tolist(), least):
            solved = self._solve() if self.support else None
            if solved is not None and min(solved[0]) > 0:
                self._take(solved)
                break
        else:
            return False
        for _ in range(most_steps):
            self.clock.check()
            # The row of lowest score, unless every row scores 1 or more.
            order = np.argsort(self.z.float_scores(self.weights, rows))
            near = [int(row) for row in rows[order[: len(self.support) + 8]]]
            below = (row for row in near if row not in self.support and self._score(row) < 1)
            worst = next(below, None)
            if worst is None:
                return True
            self._join(worst)
        return False

    @property
    def _has_free_offset(self) -> bool:
        return self.geometric and self.z.fit_intercept

    def _vectors(self) -> tuple[np.ndarray, np.ndarray, int]:
        """The support's integers over their scale; a free offset apart, as signs."""
        whole, places, scale = self.z.integers(np.array(self.support))
        vectors = np.zeros((len(self.support), self.z.dim), dtype=object)
        vectors[:, places] = whole
        if not self._has_free_offset:
            return vectors, vectors[:, :0], scale
        return vectors[:, :-1], self.z.signs[self.support].astype(object)[:, None], scale

    def _solve(self) -> Solution | None:
        """λ (and the offset) with z_i·w = 1 on the support; None if its rows are dependent."""
        vectors, signs, scale = self._vectors()
        count, free = signs.shape
        if len(independent(np.hstack([vectors, signs]))[0]) < count:
            return None
        system = np.zeros((count + free, count + free), dtype=object)
        system[:count, :count] = vectors @ vectors.T
        system[count:, :count], system[:count, count:] = signs.T, signs
        solution, denominator = solve(system, [scale * scale] * count + [0] * free)
        shares = [Fraction(value, denominator) for value in solution[:count]]
        return shares, Fraction(sum(solution[count:]), denominator * scale * scale)

    def _take(self, solved: Solution) -> None:
        self.shares, offset = solved
        vectors, _, scale = self._vectors()
        common = math.lcm(*(share.denominator for share in self.shares))
        whole = np.array([int(share * common) for share in self.shares], dtype=object)
        weights = [Fraction(int(total), common * scale) for total in whole @ vectors]
        self.weights = self.z.place([*weights, *[offset] * self._has_free_offset])

    def _score(self, row: int) -> Fraction:
        whole, places, scale = self.z.integers(np.array([row]))
        pairs = zip(whole[0].tolist(), self.z.column_ids[places].tolist(), strict=True)
        total = sum((self.weights[column_id] * value for value, column_id in pairs), Fraction(0))
        return total / scale

    def _join(self, row: int) -> None:
        from flint import fmpz_mat

        self.support.append(row)
        self.shares.append(Fraction(0))
        while True:
            solved = self._solve()
            if solved is None:  # a change of λ leaves Σ λ·z as it is and lets Σ λ grow
                vectors, signs, _ = self._vectors()
                kernel, _ = fmpz_mat(np.hstack([vectors, signs]).T.tolist()).nullspace()
                change = [Fraction(int(kernel[i, 0])) for i in range(len(self.support))]
                change = change if sum(change) > 0 else [-value for value in change]
            elif min(solved[0]) > 0:
                self._take(solved)
                return
            else:
                change = [g - s for g, s in zip(solved[0], self.shares, strict=True)]
            # λ moves until a row reaches zero, and what is zero leaves.
            falls = [s / -c for s, c in zip(self.shares, change, strict=True) if c < 0]
            size = min(falls if solved is None else [Fraction(1), *falls])
            moved = [s + size * c for s, c in zip(self.shares, change, strict=True)]
            kept = [k for k, share in enumerate(moved) if share > 0]
            self.support = [self.support[k] for k in kept]
            self.shares = [moved[k] for k in kept]
