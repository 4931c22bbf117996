"""Columns of floats as digits of BITS bits, so that sums of up to 2^32 of them are exact in int64.

Each column has its own power of two, above its largest number, and as many digits as reach from
there to the lowest bit of any of its numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from novikoff.exact.norms import scaled
from novikoff.inputs import Table, lowest_bits

BITS = 30
MOST = 8  # digits; numbers of more different sizes are for Python's integers
CELLS = 1 << 16  # numbers in a block of rows


class Digits(NamedTuple):
    """Each column of the updates as `n_digits` digits of BITS bits below its own power of two."""

    tops: np.ndarray
    n_digits: int

    @staticmethod
    def of(table: Table, start: np.ndarray, used: np.ndarray) -> Digits | None:
        """Digits for the rows `used`, with their constant, and a start.

        None where the numbers are not floats, or too many digits would be needed.
        """
        if table.is_rounded:
            return None
        width = len(start)
        tops, bottoms = np.full(width, -2000), np.full(width, 2000)
        step = max(1, CELLS // width)
        parts = [used[begin : begin + step] for begin in range(0, len(used), step)]
        for part in (None, *parts):
            rows = start[None]
            if part is not None:
                rows = np.ones((len(part), width))
                rows[:, :-1] = table.dense_rows(part)
            present = rows != 0.0
            lows = np.full(rows.shape, 2000)
            lows[present] = lowest_bits(rows[present])
            highs = np.where(present, np.frexp(rows)[1], -2000)
            tops = np.maximum(tops, highs.max(axis=0))
            bottoms = np.minimum(bottoms, lows.min(axis=0))
        count = max(1, int(-(-(tops - bottoms).max() // BITS)))
        return Digits(np.where(tops == -2000, 0, tops), count) if count <= MOST else None

    def split(self, block: np.ndarray) -> np.ndarray:
        """(n_digits, rows, columns) of int64: the digits, each with the sign of its number."""
        rest = np.ldexp(np.abs(block), BITS - self.tops)
        limbs = np.empty((self.n_digits, *block.shape), dtype=np.int64)
        signs = np.sign(block).astype(np.int64)
        for limb in limbs:
            digit = np.floor(rest)
            limb[:] = digit
            limb *= signs
            rest = (rest - digit) * 2.0**BITS
        return limbs

    def join(self, limbs: np.ndarray, e: int) -> np.ndarray:
        """The numbers that sums of digits stand for, times 2^-e, each rounded `n_digits` times."""
        whole = limbs.copy()
        _carry(whole)
        negative = whole[0] < 0
        whole = np.where(negative, -limbs, limbs)
        _carry(whole)
        total = np.zeros(whole.shape[1:])
        for limb in whole[::-1]:
            total = total * 2.0**-BITS + limb
        return np.asarray(scaled(np.where(negative, -total, total), self.tops - BITS - e))


def _carry(whole: np.ndarray) -> None:
    """Make every digit but the first one lie in [0, 2^BITS)."""
    for k in range(len(whole) - 1, 0, -1):
        whole[k - 1] += whole[k] >> BITS
        whole[k] &= (1 << BITS) - 1
