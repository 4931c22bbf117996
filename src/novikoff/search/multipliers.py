"""The multipliers of rows that floats have proven to be positive: solved for when asked for.

To decide, their signs are enough, and those cost one inverse; their digits cost by far more, and
only a report, a point that both hulls share, or a proof file that is to hold them needs them. Where
the rank is less than the number of columns, all relations between these are looked for, if short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from novikoff.certificates.arithmetic import whole_numbers
from novikoff.certificates.determined import determined, exact_floats, positive_relation
from novikoff.certificates.modular import (
    PRIMES,
    Echelon,
    echelon,
    nonzero_products,
    residues_of_integers,
)
from novikoff.certificates.verified import proves_obstruction
from novikoff.errors import CertificateError
from novikoff.search.signed_rows import SignedRows

FROM = 256  # columns from which the digits cost more than the search


class Unsolved(Sequence[int]):
    """Positive integers, one for each of the rows, with Σ multiplier·z = 0.

    null : integers, one a column: all directions that are zero on these rows; None where they have
        long numbers
    """

    def __init__(self, z: SignedRows, rows: np.ndarray, null: np.ndarray | None) -> None:
        self.z, self.rows, self.null = z, rows, null

    @cached_property
    def solved(self) -> list[int]:
        block = self.z.exact_block(self.rows)
        if len(block) == self.z.dim + 1:
            return positive_relation(whole_numbers(block))
        return determined(block).multipliers()

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


def unsolved(z: SignedRows, rows: np.ndarray, known: Echelon | None = None) -> Unsolved | None:
    """The multipliers of these rows, if floats prove that they are positive.

    Where directions that are zero on them are not known, the rank is that of two primes. `known` is
    an elimination of the rows as integers, of rows that span all: then no direction is asked for.
    """
    if z.dim < FROM or len(rows) < 2:
        return None
    block = z.exact_block(rows)
    if len(rows) == z.dim + 1:
        floats = exact_floats(block)
        if floats is None or not proves_obstruction(floats):
            return None
        return Unsolved(z, rows, np.zeros((z.dim, 0), dtype=object))
    try:
        found = determined(block, known)
    except CertificateError:
        return None
    if not found.is_proven_by_floats:
        return None
    if known is not None:
        return Unsolved(z, rows, None)
    null = found.null_space()
    if null is not None and nonzero_products(block, null).any():
        return None
    if null is None:
        again = echelon(residues_of_integers(found.whole, PRIMES[1]), PRIMES[1])
        if again.rank > found.found.rank:
            return None
    return Unsolved(z, rows, null)
