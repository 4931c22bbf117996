"""Exact signs: of the score of every row, and of the sums of a few rows.

Floats are used in two ways only: where the rounding error is bounded and the score is
larger than the bound, and where every sum is an integer below 2^53, so that nothing is rounded.
Long numbers are cut into parts for that, and very long ones are Python's integers. The bound is
derived here, apart from those in `exact`: the checker rests on nothing that the search uses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import Table, integers_of_floats

BLOCK_NUMBERS = 1 << 18  # numbers in a block of rows
MOST_LIMBS = 256  # of a number that is cut; with more, integers are as quick
_UNIT = 2.0**-53  # the relative error of one rounding
SMALLEST = np.ones(1, dtype=np.int64).view(np.float64)  # 2^-1074


def check_arithmetic() -> None:
    """Raise where this thread takes subnormal numbers for zero: then nothing here is exact."""
    if not (SMALLEST * 2.0**1000).all():
        raise InputError(
            "this thread takes numbers below 2.3e-308 for zero, so that floats are not exact; "
            "switch that off, as with torch.set_flush_denormal(False), or start a new process "
            "without libraries that were built with -ffast-math."
        )


def as_integers(weights: Sequence[float | int | Fraction] | np.ndarray) -> np.ndarray:
    """The weights times one positive number, as an object array of ints."""
    if isinstance(weights, np.ndarray) and weights.dtype != object:
        return integers_of_floats(weights)[0]
    whole = np.empty(len(weights), dtype=object)
    whole[:] = weights
    if not all(type(value) is int for value in weights):
        scale = math.lcm(*(Fraction(value).denominator for value in weights))
        whole[:] = [int(value * scale) for value in weights]
    return whole


def score_signs(table: Table, weights: Any) -> np.ndarray:
    """The exact sign of x·w + b for every row, the offset b last in `weights`.

    As floats the weights are v = w/2^e, each at most 1 and rounded once; so are the numbers of a
    rounded table. A score of q terms that is summed in floats, in any order, is then wrong by less
    than 1.01·(q + 2)·u·Σ|x_j·v_j| + underflow. What is not larger than that is decided in integers.
    """
    whole, signs = as_integers(weights), np.zeros(table.n_rows, dtype=np.int8)
    top = max(int(w).bit_length() for w in whole)
    if top == 0:
        return signs
    v = np.array([w / (1 << top) for w in whole])
    # Underflow loses at most 2^-1074 in a weight and 2^-1074 in a term: far under u·2^-960.
    size = np.maximum(np.abs(v), 2.0**-960)
    longest = np.diff(table.matrix.indptr).max() if table.is_sparse else table.n_columns
    step = _rows_at_once(table)
    columns = np.flatnonzero(whole[:-1] != 0)
    used = whole if table.is_sparse else np.append(whole[columns], whole[-1])
    for start in range(0, table.n_rows, step):
        block = table.matrix[start : start + step]
        with np.errstate(all="ignore"):
            score = block @ v[:-1] + v[-1]
            bound = (abs(block) @ size[:-1] + size[-1]) * (1.01 * (int(longest) + 5) * _UNIT)
            sure = np.isfinite(score) & (np.abs(score) > bound)
        signs[start : start + step] = np.sign(np.where(sure, score, 0.0))
        doubtful = start + np.flatnonzero(~sure)
        if doubtful.size and table.is_sparse:
            signs[doubtful] = product_signs(with_ones(table.matrix[doubtful]), used)
        elif doubtful.size:
            signs[doubtful] = product_signs(homogeneous(table, doubtful, columns, True), used)
    return signs


def _rows_at_once(table: Table) -> int:
    return max(1, BLOCK_NUMBERS * table.n_rows // max(1, int(table.matrix.size)))


Sum = tuple[np.ndarray, int]  # integers for every column and the offset, and what they are over


def core_sum(table: Table, signs: np.ndarray, core: np.ndarray, offset: bool) -> Sum:
    """Σ sign_i·(x_i, 1) over the rows for which `core` is true, exactly."""
    rows = np.flatnonzero(core)
    return weighted_sum(table, rows, signs[rows].astype(np.int64), offset)


def weighted_sum(table: Table, rows: np.ndarray, factors: np.ndarray, offset: bool) -> Sum:
    """Σ factor_i·(x_i, 1) over these rows, for integers factor_i, exactly."""
    total, scale = np.zeros(table.n_columns + 1, dtype=object), 1
    step = _rows_at_once(table)
    for start in range(0, len(rows), step):
        few, by = rows[start : start + step], factors[start : start + step]
        if table.exact is not None:
            whole, over = table.integers(few)
            sums = by.astype(object) @ whole
        else:
            sums, over = exact_product(table.matrix[few].astype(np.float64).T, by)
        common = math.lcm(scale, over)
        total[:-1] = total[:-1] * (common // scale) + sums * (common // over)
        scale = common
    total[-1] = int(factors.sum()) * scale if offset else 0
    return total, scale


def homogeneous(table: Table, rows: np.ndarray, columns: np.ndarray, offset: bool) -> np.ndarray:
    """(x_i, 1), or x_i without an offset, for some rows and columns, as floats.

    Where floats would round: one positive multiple of them all, as Python integers.
    """
    if table.exact is not None:
        whole, scale = table.integers(rows)
        block, one = whole[:, columns], scale
    elif table.is_sparse:
        block, one = table.matrix[rows][:, columns].toarray().astype(np.float64), 1
    else:
        block, one = table.matrix[np.ix_(rows, columns)].astype(np.float64), 1
    if not offset:
        return np.asarray(block)
    return np.hstack([block, np.full((len(rows), 1), one, dtype=block.dtype)])


def with_ones(matrix: Any) -> Any:
    """(x, 1) for the rows x of a CSR matrix."""
    n, d = matrix.shape
    data, columns = (
        np.insert(values, matrix.indptr[1:], one)
        for values, one in ((matrix.data, 1.0), (matrix.indices.astype(np.int64), d))
    )
    starts = matrix.indptr.astype(np.int64) + np.arange(n + 1)
    return type(matrix)((data.astype(np.float64), columns, starts), shape=(n, d + 1))


def whole_numbers(block: np.ndarray) -> np.ndarray:
    """A positive multiple of the block, as Python integers."""
    return block if block.dtype == object else integers_of_floats(block)[0]


def product_signs(block: Any, weights: np.ndarray) -> np.ndarray:
    """The exact signs of block @ weights, for floats (dense or sparse) or integers, and integers.

    Levels are carried up from the lowest: what is left behind is never negative.
    """
    if not _can_be_cut(block, weights):
        values = _by_integers(block, weights)[0]
        return np.asarray(values > 0, dtype=np.int8) - np.asarray(values < 0, dtype=np.int8)
    levels, bits, _ = _levels(block, weights)
    carry: Any = np.zeros((block.shape[0], *weights.shape[1:]), dtype=np.int64)
    rest: Any = False
    for level in levels:
        carry = carry + level
        rest = rest | ((carry & ((1 << bits) - 1)) != 0)
        carry = carry >> bits
    return np.asarray(np.where(carry != 0, np.sign(carry), rest), dtype=np.int8)


def exact_product(block: Any, weights: np.ndarray) -> Sum:
    """block @ weights as integers over one positive number, exactly."""
    if not _can_be_cut(block, weights):
        return _by_integers(block, weights)
    levels, bits, bottom = _levels(block, weights)
    total = np.zeros((block.shape[0], *weights.shape[1:]), dtype=object)
    for k, level in enumerate(levels):
        total += level.astype(object) << k * bits
    return (total << bottom, 1) if bottom > 0 else (total, 1 << -bottom)


def _room(block: Any) -> int:
    """Bits of the product of two parts: sums of as many as a row has are below 2^53."""
    return 53 - int(block.shape[1]).bit_length()


def _can_be_cut(block: Any, weights: np.ndarray) -> bool:
    longest = largest_integer(weights).bit_length()
    return bool(block.dtype != object and longest < MOST_LIMBS * (_room(block) // 2))


def _levels(block: Any, weights: np.ndarray) -> tuple[list[Any], int, int]:
    """block @ weights = Σ levels[k]·2^(bottom + k·bits), with integers below 2^63 as levels.

    Both are cut into parts so short that products of parts are exact in floats.
    """
    room, longest = _room(block), largest_integer(weights).bit_length()
    bits = max(room // 2, room - longest)
    limbs, side = list[np.ndarray](), np.where(weights < 0, -1.0, 1.0)
    magnitude: Any = abs(weights)
    for _ in range(0, longest or 1, bits):
        limbs.append(side * (magnitude & ((1 << bits) - 1)).astype(np.float64))
        magnitude = magnitude >> bits
    is_dense = isinstance(block, np.ndarray)
    left = block if is_dense else block.data
    bottom = int(np.frexp(max(left.max(initial=0.0), -left.min(initial=0.0)))[1])
    parts = list[Any]()  # the highest first
    while left.any():
        bottom -= bits
        part = np.trunc(_shifted(left, -bottom))
        left = left - _shifted(part, bottom)
        shape = block.shape
        parts.append(
            part if is_dense else type(block)((part, block.indices, block.indptr), shape=shape)
        )
    levels: list[Any] = [0] * (len(parts) + len(limbs) - 1 if parts else 0)
    for i, part in enumerate(reversed(parts)):
        for j, limb in enumerate(limbs):
            levels[i + j] = levels[i + j] + (part @ limb).astype(np.int64)
    return levels, bits, bottom


def _shifted(values: np.ndarray, exponent: int) -> np.ndarray:
    """values·2^exponent; a product is much the quicker, where the power is a float."""
    return values * 2.0**exponent if abs(exponent) < 1000 else np.ldexp(values, exponent)


def _by_integers(block: Any, weights: np.ndarray) -> Sum:
    """The same with Python's integers alone."""
    if isinstance(block, np.ndarray):
        whole, scale = (block, 1) if block.dtype == object else integers_of_floats(block)
        return whole @ weights.astype(object), scale
    rows = block.tocsr()
    whole, scale = integers_of_floats(rows.data)
    sums = np.zeros((rows.shape[0], *weights.shape[1:]), dtype=object)
    filled = np.flatnonzero(np.diff(rows.indptr))
    if filled.size:
        products = (whole * weights[rows.indices].astype(object).T).T
        sums[filled] = np.add.reduceat(products, rows.indptr[filled])
    return sums, scale


def largest_integer(whole: np.ndarray) -> int:
    """The size of the largest of the integers."""
    return max(abs(int(whole.min())), abs(int(whole.max()))) if whole.size else 0
