"""The hyperplane of a certificate: floats of a sensible size, and exact distances to it."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers
from novikoff.exact.roots import nearest_root
from novikoff.inputs import Table


class Hyperplane:
    """x·w + b = 0, with the weights as integers: any positive multiple is the same hyperplane."""

    def __init__(self, weights: Any) -> None:
        self.weights: list[int] = as_integers(weights).tolist()  # the offset last

    @cached_property
    def floats(self) -> np.ndarray:
        """The weights over the largest of them, each rounded once."""
        largest = max(map(abs, self.weights)) or 1
        return np.array([value / largest for value in self.weights])

    @cached_property
    def square(self) -> int:
        """‖w‖², exactly."""
        return sum(value * value for value in self.weights[:-1])

    def distance(self, table: Table, row: int, sign: int) -> float:
        """The distance of one row, rounded only at the end."""
        whole, scale = table.integers([row])
        score = self.weights[-1] * scale
        score += sum(int(x) * w for x, w in zip(whole[0], self.weights[:-1], strict=True) if x)
        score *= sign
        if not self.square:  # no row is on the hyperplane, which is nowhere
            return math.inf
        length = nearest_root(Fraction(score * score, scale * scale * self.square))
        return length if score >= 0 else -length
