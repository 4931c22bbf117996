"""The multipliers of r+1 rows of rank r that floats have proven to be positive: solved for when
asked for.

To decide, their signs are enough, and those cost one inverse; their digits cost by far more, and
only a report, a point that both hulls share, or a proof file that is to hold them needs them. Where
r is less than the number of columns, that the rank is r is proven by all relations between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from novikoff.certificates.alone import exact_floats, positive_relation
from novikoff.certificates.arithmetic import whole_numbers
from novikoff.certificates.lifted import null_space
from novikoff.certificates.modular import PRIMES, echelon, nonzero_products, residues
from novikoff.certificates.verified import proves_obstruction
from novikoff.search.signed_rows import SignedRows

FROM = 256  # columns from which the digits cost more than the search


class Unsolved(Sequence[int]):
    """Positive integers, one for each of the rows, with Σ multiplier·z = 0.

    columns : places in z that are independent on these rows
    null : integers, one a column: all directions that are zero on these rows
    """

    def __init__(
        self, z: SignedRows, rows: np.ndarray, columns: np.ndarray, null: np.ndarray
    ) -> None:
        self.z, self.rows, self.columns, self.null = z, rows, columns, null

    @cached_property
    def solved(self) -> list[int]:
        return positive_relation(whole_numbers(self.z.exact_block(self.rows)[:, self.columns]))

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
    """The multipliers of these rows, if floats prove that they are positive."""
    if z.dim < FROM or not 2 <= len(rows) <= z.dim + 1:
        return None
    block = z.exact_block(rows)
    columns, null = np.arange(z.dim), np.zeros((z.dim, 0), dtype=object)
    if len(rows) <= z.dim:
        found = echelon(residues(block, PRIMES[0]), PRIMES[0])
        if found.rank != len(rows) - 1:
            return None
        columns = found.columns
    floats = exact_floats(block[:, columns])
    if floats is None or not proves_obstruction(floats):
        return None
    if len(rows) <= z.dim:
        null = null_space(whole_numbers(block[found.rows]))
        if null.shape[1] != z.dim - found.rank or nonzero_products(block, null).any():
            return None
    return Unsolved(z, rows, columns, null)
