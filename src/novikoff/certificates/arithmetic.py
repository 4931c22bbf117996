"""Exact signs: of the score of every row, and of the sums of a few rows.

Floats are used in two ways only: where the rounding error is bounded and the score is
larger than the bound, and where every sum is an integer below 2^53, so that nothing is
rounded. Whatever is left is decided with Python's integers. The bound is derived here, apart from
those in `exact`, so that the checker rests on nothing that the search uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs import Table, integers_of_floats

BLOCK_NUMBERS = 1 << 18  # numbers in a block of rows
MOST_PARTS = 16  # of a number that is cut; with more, integers are as quick
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


def score_signs(table: Table, weights: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """The exact sign of x·w + b for all rows: (first row, signs of the block) in turn.

    `weights` are integers, the offset b last. The float weights v are w/2^e, each at most 1
    and rounded once; so are the numbers of a rounded table. A score of q terms that is summed
    in floats, in any order, is then wrong by less than 1.01·(q + 2)·u·Σ|x_j·v_j| + underflow.
    """
    top = max(int(w).bit_length() for w in weights)
    if top == 0:
        yield 0, np.zeros(table.n_rows, dtype=np.int8)
        return
    v = np.array([w / (1 << top) for w in weights])
    # Underflow loses at most 2^-1074 in a weight and 2^-1074 in a term: far under u·2^-960.
    size = np.maximum(np.abs(v), 2.0**-960)
    longest = np.diff(table.matrix.indptr).max() if table.is_sparse else table.n_columns
    terms = int(longest) + 1
    step = max(1, BLOCK_NUMBERS * table.n_rows // max(1, table.matrix.size))
    for start in range(0, table.n_rows, step):
        block = table.matrix[start : start + step]
        with np.errstate(all="ignore"):
            score = block @ v[:-1] + v[-1]
            bound = (abs(block) @ size[:-1] + size[-1]) * (1.01 * (terms + 4) * _UNIT)
            sure = np.isfinite(score) & (np.abs(score) > bound)
        signs = np.sign(np.where(sure, score, 0.0)).astype(np.int8)
        doubtful = np.flatnonzero(~sure)
        if doubtful.size:
            signs[doubtful] = _exact_signs(table, start + doubtful, weights)
        yield start, signs


def _exact_signs(table: Table, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    columns = np.flatnonzero(weights[:-1] != 0)
    step = max(1, BLOCK_NUMBERS * table.n_rows // max(1, table.matrix.size))
    signs = np.empty(len(rows), dtype=np.int8)
    for first in range(0, len(rows), step):
        chunk = rows[first : first + step]
        if table.is_sparse:
            signs[first : first + step] = _sparse_signs(table.matrix[chunk], weights)
        else:
            used = np.append(weights[columns], weights[-1])
            block = homogeneous(table, chunk, columns, True)
            signs[first : first + step] = product_signs(block, used[:, None])[:, 0]
    return signs


Sum = tuple[np.ndarray, int]  # integers for every column and the offset, and what they are over


def core_sum(table: Table, signs: np.ndarray, core: np.ndarray, offset: bool) -> Sum:
    """Σ sign_i·(x_i, 1) over the rows for which `core` is true, exactly.

    A float is cut into parts so short that sums of them over all rows are exact floats; what
    is left of it is cut again, until nothing is left.
    """
    rows = np.flatnonzero(core)
    if table.exact is not None:
        return weighted_sum(table, rows, signs[rows].astype(object), offset)
    total, scale = np.zeros(table.n_columns + 1, dtype=object), 1 << -_LOWEST
    total[:-1] = _sum_of_floats(table, signs, rows)
    total[-1] = int(signs[rows].sum(dtype=np.int64)) * scale if offset else 0
    return total, scale


_LOWEST = -1074  # every float is a multiple of 2^-1074


def _sum_of_floats(table: Table, signs: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Σ sign_i·x_i over these rows, times 2^1074, as integers."""
    sizes = np.zeros(table.n_columns)
    for _, block in _signed_blocks(table, signs, rows):
        if table.is_sparse:
            np.maximum.at(sizes, block.indices, np.abs(block.data))
        elif len(block):
            np.maximum(sizes, np.maximum(block.max(axis=0), -block.min(axis=0)), out=sizes)
    tops = np.frexp(sizes)[1]  # |x_j| < 2^top_j
    room = 52 - max(1, len(rows)).bit_length()  # bits of a part: the sum of all parts is below 2^53
    sums: list[np.ndarray] = []
    for _, block in _signed_blocks(table, signs, rows):
        _add_parts(block, tops, room, sums)
    total = np.zeros(table.n_columns, dtype=object)
    for k, part in enumerate(sums):
        units = np.maximum(tops - (k + 1) * room, _LOWEST).tolist()
        whole = [int(value) << (unit - _LOWEST) for value, unit in zip(part, units, strict=True)]
        total[:] += np.array(whole, dtype=object)
    return total


def _signed_blocks(
    table: Table, signs: np.ndarray, rows: np.ndarray
) -> Iterator[tuple[np.ndarray, Any]]:
    """sign_i·x_i for blocks of these rows, in float64: dense, or CSR."""
    step = max(1, BLOCK_NUMBERS * table.n_rows // max(1, table.matrix.size))
    for start in range(0, len(rows), step):
        few = rows[start : start + step]
        block = table.matrix[few].astype(np.float64)
        side = signs[few].astype(np.float64)
        if table.is_sparse:
            block.data *= np.repeat(side, np.diff(block.indptr))
        else:
            block *= side[:, None]
        yield few, block


def _add_parts(block: Any, tops: np.ndarray, room: int, sums: list[np.ndarray]) -> None:
    """Add to sums[k] the k-th parts of the numbers, in units of 2^(top - (k + 1)·room)."""
    is_sparse = not isinstance(block, np.ndarray)
    left = block.data if is_sparse else block
    k = 0
    while left.any():
        if k == len(sums):
            sums.append(np.zeros(len(tops)))
        units = np.maximum(tops - (k + 1) * room, _LOWEST)
        if is_sparse:
            whole = np.trunc(_scaled(left, -units[block.indices]))
            sums[k] += np.bincount(block.indices, weights=whole, minlength=len(tops))
            left = left - np.ldexp(whole, units[block.indices])
        else:
            whole = np.trunc(_scaled(left, -units))  # rounding up could overflow
            sums[k] += whole.sum(axis=0)
            left = left - np.ldexp(whole, units)
        k += 1


def _scaled(values: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    """values·2^exponents without an overflow on the way, where the result is small."""
    half = exponents // 2
    return np.asarray(np.ldexp(np.ldexp(values, half), exponents - half))


def weighted_sum(table: Table, rows: np.ndarray, factors: np.ndarray, offset: bool) -> Sum:
    """Σ factor_i·(x_i, 1) over these rows, for integers factor_i, exactly."""
    total = np.zeros(table.n_columns + 1, dtype=object)
    if not len(rows):
        return total, 1
    if table.is_sparse:
        total[:-1], scale = _sparse_sums(table.matrix[rows].tocsc(), factors)
    elif table.exact is not None:
        whole, scale = table.integers(rows)
        total[:-1] = factors @ whole
    else:
        step, scale = max(1, BLOCK_NUMBERS // len(rows)), 1 << -_LOWEST
        for first in range(0, table.n_columns, step):
            columns = slice(first, min(first + step, table.n_columns))
            whole, under = integers_of_floats(table.matrix[rows, columns].astype(np.float64))
            total[columns] = (factors @ whole) * (scale // under)
    total[-1] = int(factors.sum()) * scale if offset else 0
    return total, scale


def _sparse_sums(matrix: Any, multipliers: np.ndarray) -> tuple[np.ndarray, int]:
    """matrix @ multipliers for CSR, multipliers @ matrix for CSC: integers over one scale."""
    whole, scale = integers_of_floats(matrix.data.astype(np.float64))
    sums = np.zeros(len(matrix.indptr) - 1, dtype=object)
    filled = np.flatnonzero(np.diff(matrix.indptr))
    if filled.size:
        products = whole * multipliers[matrix.indices]
        sums[filled] = np.add.reduceat(products, matrix.indptr[filled])
    return sums, scale


def _signs(values: np.ndarray) -> np.ndarray:
    return np.asarray(values > 0, dtype=np.int8) - np.asarray(values < 0, dtype=np.int8)


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


def whole_numbers(block: np.ndarray) -> np.ndarray:
    """A positive multiple of the block, as Python integers."""
    return block if block.dtype == object else integers_of_floats(block)[0]


def product_signs(block: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The exact signs of block @ weights, for a float or integer block, and integer weights.

    If the block holds multiples of 2^e below 2^(e+k), the weights are cut into limbs so short
    that block/2^e @ limb stays below 2^53: then the float products are exact, and carrying
    from limb to limb gives the sign. Otherwise, and for very long weights, Python's integers.
    """
    if block.size == 0:
        return np.zeros((len(block), weights.shape[1]), dtype=np.int8)
    bottom, width = (0, 53) if block.dtype == object else grid_of(block)
    room = _room(width, block.shape[1], weights)
    if room:
        whole = np.ldexp(block, -bottom)
        return _carried(whole.__matmul__, weights, room)
    room = 52 - largest_integer(weights).bit_length() - block.shape[1].bit_length()
    if block.dtype == object or room < 8 or width > MOST_PARTS * room:
        return _signs(whole_numbers(block) @ weights)
    return _by_parts(block, weights.astype(np.float64), bottom, width, room)


def _by_parts(
    block: np.ndarray, weights: np.ndarray, bottom: int, width: int, room: int
) -> np.ndarray:
    """The same for short weights, with the block cut into parts of `room` bits.

    Each part is a whole number of units 2^(bottom + k·room): its product is exact, and carried on.
    """
    left, parts = block, list[np.ndarray]()
    for k in reversed(range(-(-width // room))):
        unit = bottom + k * room
        part = np.trunc(_scaled(left, np.array(-unit)))
        left = left - np.ldexp(part, unit)
        parts.append(part)
    carry: Any = 0
    rest: Any = False
    for part in reversed(parts):
        carry = carry + (part @ weights).astype(np.int64)
        rest = rest | ((carry & ((1 << room) - 1)) != 0)
        carry = carry >> room  # rounds down, so what is left behind is never negative
    return np.asarray(np.where(carry != 0, np.sign(carry), rest), dtype=np.int8)


def _sparse_signs(matrix: Any, weights: np.ndarray) -> np.ndarray:
    """The exact signs of (x, 1)·w for CSR rows x, in the same way."""
    bottom, width = grid_of(np.append(matrix.data.astype(np.float64), 1.0))
    room = _room(width, int(np.diff(matrix.indptr).max(initial=0)) + 1, weights)
    if room == 0:
        sums, scale = _sparse_sums(matrix, weights)
        return _signs(sums + scale * weights[-1])
    whole = matrix.astype(np.float64)
    whole.data = np.ldexp(whole.data, -bottom)
    one = np.ldexp(1.0, -bottom)
    return _carried(lambda limb: whole @ limb[:-1] + one * limb[-1], weights, room)


def _room(width: int, n_terms: int, weights: np.ndarray) -> int:
    """Bits that a limb of the weights may have; 0 where limbs are not worth it."""
    room = 53 - width - n_terms.bit_length()
    longest = largest_integer(weights).bit_length()
    return 0 if room < 8 or longest > 256 * room else room


def _carried(product: Callable[[np.ndarray], Any], weights: np.ndarray, room: int) -> np.ndarray:
    """The signs of product(weights), which is linear, and exact for limbs of `room` bits."""
    mask = (1 << room) - 1
    magnitude: Any = abs(weights)
    sign = np.where(weights < 0, -1.0, 1.0)
    carry: Any = 0
    rest: Any = False
    for _ in range(0, largest_integer(weights).bit_length() or 1, room):
        limb = sign * (magnitude & mask).astype(np.float64)
        carry = carry + product(limb).astype(np.int64)
        rest = rest | ((carry & mask) != 0)
        carry = carry >> room  # rounds down, so what is left behind is never negative
        magnitude = magnitude >> room
    return np.asarray(np.where(carry != 0, np.sign(carry), rest), dtype=np.int8)


def largest_integer(whole: np.ndarray) -> int:
    """The size of the largest of the integers."""
    return max(abs(int(whole.min())), abs(int(whole.max()))) if whole.size else 0


def grid_of(block: np.ndarray) -> tuple[int, int]:
    """(e, k): every number is a multiple of 2^e and smaller than 2^(e+k)."""
    fraction, exponent = np.frexp(block[block != 0.0])
    if not fraction.size:
        return 0, 1
    whole = (fraction * 2.0**53).astype(np.int64)
    spare = np.frexp((whole & -whole).astype(np.float64))[1] - 1  # its trailing zero bits
    bottom = int((exponent - 53 + spare).min())
    return bottom, int(exponent.max()) - bottom
