"""Rows that a verdict does not have: they are on the workers of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from novikoff.errors import InputError


@dataclass(frozen=True)
class Elsewhere:
    """What the workers measured on their rows; nothing more can be asked."""

    bracket: tuple[float, float]  # around the margin, both ends proven
    radius: float  # rounded up
    settled: tuple[tuple[int, np.ndarray], ...] | None = None  # rows of a shard; which, as bits

    def settled_places(self) -> np.ndarray | None:
        """The rows predicted perfectly among all rows, where the workers were asked for them."""
        if self.settled is None:
            return None
        shards = [np.unpackbits(bits, count=n_rows) for n_rows, bits in self.settled]
        return np.flatnonzero(np.concatenate(shards))

    def refuse(self, what: str) -> NoReturn:
        raise InputError(
            f"the rows are on a cluster, and the verdict has none of them: {what} is not known "
            "there. novikoff.certify finds it for rows on one machine."
        )
