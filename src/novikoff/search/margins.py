"""Bounds that stay true after rounding: the margin from below and above, and the radius.

The margin γ of the rows z_i is max over w of min_i z_i·w/‖w‖, and equally the least norm of a
convex combination Σ λ_i·z_i. So every separator is a lower bound and every λ an upper one.
With z_i = sign_i·(x_i, 1) it is the margin of the mistake bound. The geometric margin leaves the
offset out of the norm: ‖w‖ has no b in it, and λ must weigh both classes equally.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certificates.arithmetic import as_integers
from novikoff.exact.roots import root_down, root_up
from novikoff.inputs import Table
from novikoff.search.signed_rows import SignedRows

CELLS = 1 << 18
EXACT_NUMBERS = 50_000  # of a combination that is summed exactly
EXACTLY = 200  # rows that are looked at exactly, where rounding leaves their order open
UNIT = 2.0**-53


def blocks(table: Table) -> Iterator[tuple[slice, Any]]:
    """The matrix in blocks of rows, as float64."""
    step = max(1, CELLS * table.n_rows // max(1, table.matrix.size))
    for start in range(0, table.n_rows, step):
        which = slice(start, min(start + step, table.n_rows))
        yield which, table.matrix[which].astype(np.float64)


def radius(z: SignedRows) -> float:
    """max ‖z_i‖ over all rows of the table, rounded up."""
    squares = np.empty(z.table.n_rows)
    with np.errstate(all="ignore"):
        for which, block in blocks(z.table):
            if z.table.is_sparse:
                squares[which] = np.asarray(block.multiply(block).sum(axis=1)).ravel()
            else:
                squares[which] = np.einsum("ij,ij->i", block, block)
        slack = 1.0 - 8.0 * (z.table.n_columns + 4) * UNIT
        largest = squares.max()
        near = np.flatnonzero(~(squares < largest * slack))
        if np.isfinite(largest) and largest > 1e-280 and len(near) > EXACTLY:
            return float(np.nextafter(math.sqrt((largest + z.fit_intercept) / slack), np.inf))
    return max(root_up(square_norm(z, near[i : i + 64])) for i in range(0, len(near), 64))


def square_norm(z: SignedRows, rows: np.ndarray) -> Fraction:
    """The largest ‖z_i‖² over a few rows, exactly."""
    whole, _, scale = z.integers(rows)
    if whole.size == 0:
        return Fraction(0)
    return Fraction(int((whole * whole).sum(axis=1).max()), scale * scale)


def smallest_score(z: SignedRows, weights: np.ndarray) -> Fraction:
    """A lower bound on z_i·w over all rows, w in integers; exact but where very many rows tie."""
    top = max(int(w).bit_length() for w in weights)
    v = np.array([w / (1 << top) for w in weights])
    size = np.maximum(np.abs(v), 2.0**-960)
    low, high = np.empty(z.table.n_rows), np.empty(z.table.n_rows)
    with np.errstate(all="ignore"):
        for which, block in blocks(z.table):
            score = z.signs[which] * (block @ v[:-1] + v[-1])
            doubt = (abs(block) @ size[:-1] + size[-1]) * (1.02 * (z.table.n_columns + 6) * UNIT)
            doubt += (z.table.n_columns + 6) * 2.0**-1020
            low[which], high[which] = score - doubt, score + doubt
    least = np.nanmin(high)
    near = np.flatnonzero(~(low > least))
    if len(near) > EXACTLY and np.isfinite(low).all():
        return Fraction(float(np.nextafter(low.min(), -np.inf))) * (1 << top)
    return min(_exact_scores(z, near, weights))


def _exact_scores(z: SignedRows, rows: np.ndarray, weights: np.ndarray) -> list[Fraction]:
    scores: list[Fraction] = []
    homes = z.homes
    for start in range(0, len(rows), 64):
        whole, places, scale = z.integers(rows[start : start + 64])
        scores += [Fraction(int(total), scale) for total in whole @ weights[homes[places]]]
    return scores


def margin_below(z: SignedRows, weights: Any, geometric: bool = False) -> float:
    """min z_i·w/‖w‖ rounded down: what these weights prove. Zero if they do not separate."""
    whole = as_integers(weights)
    score = smallest_score(z, whole)
    length = sum(int(w) ** 2 for w in (whole[:-1] if geometric else whole))
    if score <= 0 or length == 0:
        return 0.0
    return root_down(score * score / length)


def margin_above(
    z: SignedRows, rows: np.ndarray, weights: np.ndarray, geometric: bool = False
) -> float:
    """‖Σ λ_i·z_i‖/Σ λ_i rounded up, for λ = weights >= 0 (floats) on some rows.

    Geometric: half the distance between the classes' means, each weighed by its own λ.
    """
    if geometric:
        weights = _balanced(weights, z.signs[rows])
    total = math.fsum(weights)
    if not total > 0.0:
        return math.inf
    if len(rows) * z.dim <= EXACT_NUMBERS:
        whole = as_integers(np.asarray(weights, dtype=np.float64))
        return root_up(_exact_square(z, rows, whole) / int(whole.sum()) ** 2)
    return _float_norm(z, rows, weights, geometric) / total * (1.0 + 2.0**-50)


def _exact_square(z: SignedRows, rows: np.ndarray, whole: np.ndarray) -> Fraction:
    """‖Σ whole_i·z_i‖²; the offset's share is 0 where both classes weigh the same."""
    sums: dict[int, Fraction] = {}
    for start in range(0, len(rows), 256):
        block, places, scale = z.integers(rows[start : start + 256])
        totals = whole[start : start + 256] @ block
        for place, value in zip(places.tolist(), totals, strict=True):
            sums[place] = sums.get(place, Fraction(0)) + Fraction(int(value), scale)
    return sum((value * value for value in sums.values()), Fraction(0))


def _float_norm(z: SignedRows, rows: np.ndarray, weights: np.ndarray, geometric: bool) -> float:
    """‖Σ λ_i·z_i‖ plus all that rounding may have taken from it."""
    signed = weights * z.signs[rows]
    block = z.table.matrix[rows].astype(np.float64)
    terms = len(rows) + 4
    with np.errstate(all="ignore"):
        value = np.abs(block.T @ signed)
        doubt = (abs(block).T @ weights) * (1.02 * terms * UNIT) + terms * 2.0**-1020
        square = float(((value + doubt) ** 2).sum())
        if z.fit_intercept and not geometric:
            square += (abs(math.fsum(signed)) + math.fsum(weights) * 2 * UNIT) ** 2
    return math.sqrt(square) * (1.0 + 4.0 * (z.dim + 4) * UNIT)


def _balanced(weights: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """The weights, each class scaled to a sum of 2^52 in whole numbers: exactly equal sums."""
    balanced = np.zeros(len(weights))
    for sign in (-1, 1):
        mine = np.flatnonzero(signs == sign)
        total = weights[mine].sum()
        if total <= 0:
            return balanced
        whole = np.floor(weights[mine] / total * 2.0**52)
        whole[np.argmax(whole)] += 2.0**52 - whole.sum()
        balanced[mine] = whole
    return balanced
