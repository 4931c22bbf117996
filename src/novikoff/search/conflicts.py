"""Two rows with the same numbers and opposite labels: the shortest obstruction there is.

Equal rows have equal products with a random vector, up to rounding, so they are neighbours when
rows are sorted by it. Neighbours that are close are compared number by number.
"""

from __future__ import annotations

import numpy as np

from novikoff.search.signed_rows import SignedRows


def conflicting_pairs(z: SignedRows) -> list[tuple[int, ...]]:
    """Disjoint pairs of rows that differ in nothing but their sign, and rows that are zero.

    As many as there are.
    """
    rows, products, close = _sorted_by_a_product(z, z.rows)
    found: list[tuple[int, ...]] = []
    for group in np.split(rows, np.flatnonzero(~close) + 1):
        if len(group) > 1 and np.ptp(z.signs[group]):
            found += _pairs_in(z, group)
    if not z.fit_intercept:
        zero = rows[products == 0.0]
        found += [(int(row),) for row in zero.tolist() if not z.integers(np.array([row]))[0].any()]
    return found


def _sorted_by_a_product(
    z: SignedRows, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows by x·v for a random v, these products, and which neighbours may be equal."""
    direction = np.zeros(z.table.n_columns + 1)
    direction[z.columns] = np.random.default_rng(0).uniform(1.0, 2.0, len(z.columns))
    products = z.float_scores(direction, rows) * z.signs[rows]
    order = np.argsort(products, kind="stable")
    products = products[order]
    with np.errstate(over="ignore"):
        close = np.diff(products) <= 1e-12 * (np.abs(products[1:]) + np.abs(products[:-1]))
    return rows[order], products, close


def _pairs_in(z: SignedRows, group: np.ndarray) -> list[tuple[int, ...]]:
    whole = z.integers(group)[0]
    waiting: dict[tuple[int, ...], list[int]] = {}
    found: list[tuple[int, ...]] = []
    for row, numbers in zip(group.tolist(), whole.tolist(), strict=True):
        if not any(numbers):
            continue  # a zero row is an obstruction by itself
        opposite = waiting.get(tuple(-value for value in numbers))
        if opposite:
            found.append((opposite.pop(), row))
        else:
            waiting.setdefault(tuple(numbers), []).append(row)
    return found
