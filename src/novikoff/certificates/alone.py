"""RowsAlone: an obstruction whose multipliers are not written, because its rows determine them.

r+1 rows z_i of rank r have one relation between them, up to a factor. If its multipliers are all of
one sign, these rows are an obstruction. If all rows have rank r too, these rows span all of them.
So the rows are a proof: who reads it proves three things again. Where r is large, more rows than
r+1 may be given: those beyond r get weights of few bits near which all of them balance, and count
as one row, their weighted sum (determined.py).

    the rank is r at least     r columns C are independent on these rows: with the signs, by floats
    the signs                  the one relation in the columns C is positive: by floats with their
                               rounding bound (verified.py), or, where that does not decide, in
                               integers
    the rank is r at most      every relation between columns that holds on r of these rows holds
                               on all rows, exactly (rank.py). So each other column is a combination
                               of those of C on all rows, and is balanced where they are

Where r is the number of columns that are not zero, the last is empty but for the zeros. Where the
relations have long numbers it is proven instead that r of the rows span the sum of all rows, and
the rows that are given: enough to rule out a weak separator (combinations.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import CELLS, homogeneous, whole_numbers
from novikoff.certificates.certificate import Certificate, shown
from novikoff.certificates.determined import FROM, determined, exact_floats, positive_relation
from novikoff.certificates.obstruction import Obstruction, read_support
from novikoff.certificates.rank import check_rules_out
from novikoff.certificates.stamp import Stamp
from novikoff.certificates.verified import proves_obstruction
from novikoff.errors import CertificateError
from novikoff.inputs import Table


@dataclass(frozen=True, eq=False, repr=False)
class RowsAlone(Certificate):
    """The claim that Σ λ_i·z_i = 0 for some λ_i > 0 on `rows`, and that these rows span all z."""

    rows: np.ndarray
    stamp: Stamp
    kind = "rows"
    version = 2
    status = "overlapping"

    def __post_init__(self) -> None:
        rows, _ = read_support(self.rows, [1] * len(self.rows), self.stamp)
        object.__setattr__(self, "rows", rows)

    def _claim(self) -> dict[str, Any]:
        return {"rows": self.rows.tolist()}

    def _check_claim(self, table: Table, signs: np.ndarray) -> None:
        check_alone(table, signs, self.rows, self.stamp.offset)

    def with_multipliers(self, table: Table, signs: np.ndarray) -> Obstruction:
        """The same claim with its multipliers, which are solved for in integers."""
        multipliers = solved_multipliers(table, signs, self.rows, self.stamp.offset)
        return Obstruction(self.rows, multipliers, True, self.stamp)

    def __repr__(self) -> str:
        return f"<RowsAlone {shown(self.rows)} of {self.stamp}: {self.status}>"


def check_alone(
    table: Table,
    signs: np.ndarray,
    support: np.ndarray,
    offset: bool,
    among: np.ndarray | None = None,
) -> None:
    """Raise unless Σ λ_i·z_i = 0 for some λ_i > 0 on the rows `support`, and these rows span those
    of `among`, of which they are: all, unless told."""
    block, zeros = live_columns(table, support, offset)
    block = block * signs[support].astype(block.dtype)[:, None]
    if len(support) == block.shape[1] + 1:
        floats = exact_floats(block)
        is_proven = floats is not None and proves_obstruction(floats)
        if is_proven or len(support) <= FROM:
            _check_zeros(table, zeros, among)
            if not is_proven:
                positive_relation(whole_numbers(block))
            return
    found = determined(block)
    last = np.zeros((1, table.n_columns + offset), dtype=object)
    last[0, np.setdiff1d(np.arange(last.shape[1]), zeros)] = found.last
    check_rules_out(table, signs, support[found.rows], offset, among, last)
    if not found.is_proven_by_floats:
        found.multipliers()


def solved_multipliers(
    table: Table, signs: np.ndarray, support: np.ndarray, offset: bool
) -> list[int]:
    """The multipliers of rows for which `check_alone` holds, solved for in integers."""
    block, _ = live_columns(table, support, offset)
    block = block * signs[support].astype(block.dtype)[:, None]
    if len(support) == block.shape[1] + 1 <= FROM:
        return positive_relation(whole_numbers(block))
    return determined(block).multipliers()


def live_columns(table: Table, support: np.ndarray, offset: bool) -> tuple[np.ndarray, np.ndarray]:
    """The rows in the columns in which one of them is not zero, and the other columns."""
    columns = np.arange(table.n_columns)
    if table.is_sparse:
        columns = np.unique(table.matrix[support].indices).astype(np.intp)
    block = homogeneous(table, support, columns, offset)
    present = (block != 0).any(axis=0)
    zeros = np.setdiff1d(np.arange(table.n_columns), columns[present[: len(columns)]])
    return block[:, present], zeros


def _check_zeros(table: Table, zeros: np.ndarray, among: np.ndarray | None) -> None:
    """Raise unless every row of `among` is zero in these columns."""
    if not zeros.size:
        return
    rows = np.arange(table.n_rows) if among is None else among
    values = table.matrix if table.exact is None else table.exact
    step = max(1, CELLS * table.n_rows // max(1, table.matrix.size))
    for start in range(0, len(rows), step):
        block = values[rows[start : start + step]][:, zeros]
        if np.count_nonzero(block) if isinstance(block, np.ndarray) else block.count_nonzero():
            raise CertificateError(
                "a row has a number in a column that is zero on the rows of the proof, which do "
                "not span it."
            )
