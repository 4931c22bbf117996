"""Do a few rows span others? Then what is zero on these rows is zero on the others.

Every linear relation between the columns that holds on the few rows must hold on the others.
Three kinds of relations are looked at, each exactly: columns that are zero, columns that are
equal, and, for the columns that are left, a basis of all other relations (lifted.py). Mostly there
is none: full rank modulo a prime proves full rank, because rank mod p <= rank.

Where very many rows may help to span, a few of them are taken first. Whatever breaks a relation
of these adds to their span, so more are taken until nothing is left to span, or nobody helps.

Relations of long numbers are too much work to hold against every row. There it is proven that the
few rows span the sum of all, which rules out a weak separator as well (combinations.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import (
    CELLS,
    homogeneous,
)
from novikoff.certificates.combinations import are_combinations, signed_sum
from novikoff.certificates.lifted import null_space, short_null_space
from novikoff.certificates.modular import (
    PRIMES,
    as_short,
    echelon,
    nonzero_products,
    residues,
    short_integers,
)
from novikoff.certificates.sparse_null import exact_null_space, zero_rows
from novikoff.errors import CertificateError
from novikoff.inputs import Table

PRIME = PRIMES[0]
WIDE = 600  # columns from which CSR rows are not made dense


def check_spans(
    table: Table,
    rows: np.ndarray,
    offset: bool,
    among: np.ndarray | None = None,
    helpers: np.ndarray | None = None,
) -> None:
    """Raise unless (x_i, 1) over `rows` and `helpers` span those over `among`: all, unless told."""
    among = np.arange(table.n_rows) if among is None else among
    if not len(among):
        return
    helpers = np.empty(0, dtype=np.intp) if helpers is None else helpers
    given = np.concatenate([rows, helpers])
    if len(helpers) and table.is_sparse and table.n_columns > WIDE:
        _check_sparsely(table, given, offset, among)
        return
    most = 2 * (table.n_columns + offset)  # helpers that are taken at a time
    basis = np.concatenate([rows, helpers[:: max(1, -(-len(helpers) // most))]])
    known = 0
    while True:
        if len(helpers):
            basis, known = _fewer(table, basis, offset, known)
        relations = _Relations(table, basis, offset)
        outside = relations.broken(among, 1)
        if not len(outside):
            return
        more = relations.broken(given, most)  # rows too: the prime may have missed some of them
        if not len(more):
            _refuse(outside[0])
        basis = np.concatenate([basis, more])


def check_rules_out(
    table: Table,
    signs: np.ndarray,
    rows: np.ndarray,
    offset: bool,
    among: np.ndarray | None = None,
    beside: np.ndarray | None = None,
) -> None:
    """Raise unless z_i·w = 0 on `among` for every w with z_i·w >= 0 there, and = 0 on `rows`.

    Of which they must be. So it is if `rows` span `among`, or else if they span its sum and
    `beside`, a multiple of a combination of rows of `among` that is to be spanned, too.
    """
    among = np.arange(table.n_rows) if among is None else among
    if not len(among):
        return
    relations = _Relations(table, rows, offset, only_short=not table.is_sparse)
    if not relations.are_known:
        independent = _fewer(table, rows, offset, 0)[0]
        block = short_integers(homogeneous(table, independent, np.arange(table.n_columns), offset))
        vectors = signed_sum(table, signs, among, offset)[None]
        if are_combinations(block, vectors if beside is None else np.vstack([vectors, beside])):
            return
        relations = _Relations(table, rows, offset)
    if len(outside := relations.broken(among, 1)):
        _refuse(outside[0])


def _check_sparsely(table: Table, rows: np.ndarray, offset: bool, among: np.ndarray) -> None:
    """The same for rows of very many columns, by all directions that are zero on the first ones."""
    matrix = table.matrix[rows]
    null = exact_null_space(matrix, offset)
    if null is None:
        raise CertificateError(
            f"whether rows of {table.n_columns:,} columns span others is not known: the numbers of "
            "their relations are too long."
        )
    is_empty = np.ones(table.n_columns, dtype=bool)
    is_empty[matrix.indices[matrix.data != 0]] = False
    step = max(1, CELLS * table.n_rows // max(1, int(table.matrix.size)))
    for start in range(0, len(among), step):
        block = among[start : start + step]
        others = table.matrix[block]
        is_spanned = zero_rows(others, offset, null)
        if is_spanned is None:
            raise CertificateError(
                "the numbers of the rows are too long to be held against relations."
            )
        is_spanned &= ~_filled(others[:, np.flatnonzero(is_empty)] != 0)
        if not is_spanned.all():
            _refuse(block[int(np.argmin(is_spanned))])


def _refuse(row: int) -> None:
    raise CertificateError(
        f"the rows of the obstruction do not span row {row}, so they do not rule out a weak "
        "separator."
    )


def _fewer(table: Table, rows: np.ndarray, offset: bool, known: int) -> tuple[np.ndarray, int]:
    """Those of the rows that are independent modulo the prime, and how many they are.

    All of them where that is no more than the `known` ones of before: the prime has missed some.
    """
    if not len(rows):
        return rows, 0
    block = homogeneous(table, rows, np.arange(table.n_columns), offset)
    found = echelon(residues(block, PRIME), PRIME)
    return (rows, known) if found.rank <= known else (rows[np.sort(found.rows)], found.rank)


class _Relations:
    """All relations between the columns, and the offset, that hold on some rows.

    Where only short ones are asked for, and there are others, they are not known.
    """

    def __init__(
        self, table: Table, rows: np.ndarray, offset: bool, only_short: bool = False
    ) -> None:
        self.table = table
        columns = np.arange(table.n_columns)
        if table.is_sparse:
            columns = np.unique(table.matrix[rows].indices).astype(np.intp)
        whole = short_integers(homogeneous(table, rows, columns, offset))
        first_with: dict[Any, int] = {}
        zeros = np.ones(table.n_columns, dtype=bool)
        zeros[columns] = ~(whole[:, : len(columns)] != 0).any(axis=0)
        twins: list[tuple[int, int]] = []
        kept: list[int] = []
        for place, column in enumerate(columns.tolist()):
            if zeros[column]:
                continue
            numbers = whole[:, place]
            key = tuple(numbers) if whole.dtype == object else numbers.tobytes()
            if first_with.setdefault(key, column) == column:
                kept.append(place)
            else:
                twins.append((column, first_with[key]))
        self.zeros = np.flatnonzero(zeros)
        self.twins = np.array(twins, dtype=np.intp).reshape(-1, 2)
        find = short_null_space if only_short else null_space
        others = find(whole[:, kept + [len(columns)] * offset])
        self.are_known = others is not None
        if others is None:
            return
        used = (others != 0).any(axis=1)
        self.has_offset = offset and bool(used[-1])
        self.columns = columns[kept][used[: len(kept)]]
        self.others = as_short(others[used])

    def broken(self, rows: np.ndarray, most: int) -> np.ndarray:
        """Rows, up to `most` of them, on which one of the relations does not hold."""
        found = np.empty(0, dtype=np.intp)
        for block in self._blocks(rows):
            found = np.concatenate([found, block[self._fails(block)]])
            if len(found) >= most:
                break
        return found[:most]

    def _blocks(self, rows: np.ndarray) -> Iterator[np.ndarray]:
        if not (self.zeros.size or self.twins.size or self.others.size):
            return
        n_rows, size = self.table.n_rows, int(self.table.matrix.size)
        step = max(1, CELLS * n_rows // max(1, size, n_rows * len(self.columns)))
        for start in range(0, len(rows), step):
            yield rows[start : start + step]

    def _fails(self, rows: np.ndarray) -> np.ndarray:
        values = self.table.matrix if self.table.exact is None else self.table.exact
        block = values[rows]
        fails = np.zeros(len(rows), dtype=bool)
        if self.zeros.size:
            fails |= _filled(block[:, self.zeros] != 0)
        if self.twins.size:
            fails |= _filled(block[:, self.twins[:, 0]] != block[:, self.twins[:, 1]])
        if self.others.size:
            part = homogeneous(self.table, rows, self.columns, self.has_offset)
            fails |= nonzero_products(part, self.others).any(axis=1)
        return fails


def _filled(block: Any) -> np.ndarray:
    """Which rows of a block of truths, dense or sparse, have one that is true."""
    if isinstance(block, np.ndarray):
        return np.asarray(block.any(axis=1), dtype=bool)
    return np.asarray(block.sum(axis=1)).ravel() > 0
