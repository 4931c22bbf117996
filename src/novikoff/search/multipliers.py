"""The multipliers of D+1 rows that floats have proven to be positive: solved for when asked for.

To decide, their signs are enough, and those cost one inverse; their digits cost by far more, and
only a report, a point that both hulls share, or a proof file that is to hold them needs them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from novikoff.certificates.alone import exact_floats, positive_relation
from novikoff.certificates.verified import proves_obstruction
from novikoff.search.signed_rows import SignedRows

FROM = 256  # columns from which the digits cost more than the search


class Unsolved(Sequence[int]):
    """Positive integers, one for each of the rows, with Σ multiplier·z = 0."""

    def __init__(self, z: SignedRows, rows: np.ndarray) -> None:
        self.z, self.rows = z, rows

    @cached_property
    def solved(self) -> list[int]:
        return positive_relation(self.z.integers(self.rows)[0])

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> list[int]: ...
    def __getitem__(self, place: int | slice) -> int | list[int]:
        return self.solved[place]

    def __iter__(self) -> Iterator[int]:
        return iter(self.solved)


def unsolved(z: SignedRows, rows: np.ndarray) -> Unsolved | None:
    """The multipliers of these rows, if floats prove that they are positive and z of full rank."""
    if z.dim < FROM or len(rows) != z.dim + 1:
        return None
    floats = exact_floats(z.exact_block(rows))
    return Unsolved(z, rows) if floats is not None and proves_obstruction(floats) else None
