"""Columns of the kernel matrix of a training set, computed in blocks, the recent ones kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.models.kernel.values import Kernel, dense

MEMBERS_A_PRODUCT = 2048  # members in one product, so that its kernel values stay in the cache


class KernelColumns:
    """Sums of kernel values over members of the support, for rows of one training set.

    A column holds K(every row, one member), filled in as its entries are first asked for: NaN
    marks what is not computed yet. When there is no room for a new column, the least recently
    used one goes; a request for more members than there is room for pushes nothing out.
    Columns take at most `megabytes`: the whole n×n matrix is there only if it fits.
    """

    def __init__(self, kernel: Kernel, X: Any, megabytes: float) -> None:
        self.kernel, self.X, self.megabytes = kernel, X, megabytes
        n = X.shape[0]
        narrow = X.dtype == np.float32 and kernel.name in ("linear", "poly")
        dtype = np.dtype(np.float32 if narrow else np.float64)
        room = 0 if kernel.name == "precomputed" else int(megabytes * 2**20 / (n * dtype.itemsize))
        self.columns = np.empty((min(room, n), n), dtype)  # one column of K a line
        self.slot_of = np.full(n, -1)
        self.member_in = np.full(len(self.columns), -1)
        self.last_use = np.zeros(len(self.columns), dtype=np.int64)
        self.clock = 0

    def emptied(self) -> KernelColumns:
        """The same without any column."""
        return KernelColumns(self.kernel, self.X, self.megabytes)

    def sums(self, rows: np.ndarray, members: np.ndarray, coef: np.ndarray) -> np.ndarray:
        """K(rows, members) @ coef, summed in float64; each member is named once."""
        self._make_room(members)
        total = np.zeros((len(rows), coef.shape[1]))
        for first in range(0, len(members), MEMBERS_A_PRODUCT):
            tile = slice(first, first + MEMBERS_A_PRODUCT)
            values = self._values(rows, members[tile])
            total += values.astype(np.float64, copy=False) @ coef[tile]
        return total

    def fresh(self, rows: np.ndarray, members: np.ndarray) -> np.ndarray:
        """K(rows, members), computed and not kept."""
        if self.kernel.name == "precomputed":
            return dense(self.X[rows][:, members])
        return self.kernel.between(self.X[rows], self.X[members])

    def _values(self, rows: np.ndarray, members: np.ndarray) -> np.ndarray:
        slots = self.slot_of[members]
        kept = slots >= 0
        if not kept.any():
            return self.fresh(rows, members)
        known = self.columns[np.ix_(slots[kept], rows)]
        lacking = np.isnan(known).any(axis=1)
        if lacking.any():
            known[lacking] = self.fresh(rows, members[kept][lacking]).T
            self.columns[np.ix_(slots[kept][lacking], rows)] = known[lacking]
        if kept.all():
            return np.asarray(known.T)
        values = np.empty((len(rows), len(members)), self.columns.dtype)
        values[:, kept] = known.T
        values[:, ~kept] = self.fresh(rows, members[~kept])
        return values

    def _make_room(self, members: np.ndarray) -> None:
        """Give empty columns to as many of the members as the rule allows."""
        self.clock += 1
        slots = self.slot_of[members]
        new = members[slots < 0]
        self.last_use[slots[slots >= 0]] = self.clock
        if len(members) <= len(self.columns):
            free = np.argsort(self.last_use, kind="stable")[: len(new)]
        else:
            free = np.flatnonzero(self.member_in < 0)[: len(new)]
        new = new[: len(free)]
        pushed_out = self.member_in[free]
        self.slot_of[pushed_out[pushed_out >= 0]] = -1
        self.columns[free] = np.nan
        self.member_in[free] = new
        self.slot_of[new] = free
        self.last_use[free] = self.clock
