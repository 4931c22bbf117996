"""Scores w·x + b of rows: quick in floats, exact wherever rounding could be felt.

Each score comes as a fraction and a power of two, so that it has no limits of size, and as its
exact sign. A score that keeps more than a millionth of |w|·|x| + |b| is the float sum, right to
about (d + 4)·2^-33 at worst; any other is computed in integers from the numbers as given and
rounded once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.geometry.vectors import exponent_of, scaled_length, unscale
from novikoff.inputs import Table, integers_of_floats, read_table

CANCELLED = 2.0**-20
TINY = 2.0**-1020  # far above what underflow can lose
BLOCK_ENTRIES = 1 << 18
EXACT_ENTRIES = 1 << 14


@dataclass(frozen=True, eq=False)
class Hyperplane:
    """w·x + b = 0, in floats scaled by 2^-exponent and in integers over one scale."""

    normal: np.ndarray  # w·2^-exponent; the largest of |w| and |b| is in [½, 1)
    exponent: int
    offset: tuple[float, int]  # b as (fraction, e): rows of any size can be scaled with it
    whole: np.ndarray  # object array of ints: w, then b
    scale: int  # (w, b) = whole / scale
    weights: np.ndarray  # (w, b)·2^-weights_exponent
    weights_exponent: int

    def length(self, with_one: bool) -> tuple[float, int]:
        """‖(w, b)‖ with_one, else ‖w‖, as (fraction, e); an InputError where that is zero."""
        fraction, e = scaled_length(self.weights if with_one else self.weights[:-1])
        if fraction != 0.0:
            return fraction, e + self.weights_exponent
        pairs = [_quotient(value, self.scale) for value in self.whole[:-1] if value]
        if not pairs:
            raise InputError("w is the zero vector; a hyperplane needs an entry that is not zero.")
        top = max(own for _, own in pairs)  # beside b, floats hold nothing of w
        fraction, e = scaled_length(np.array([unscale(part, own - top) for part, own in pairs]))
        return fraction, e + top


def read_hyperplane(w: Any, b: Any, n_columns: int) -> Hyperplane:
    """(w, b) checked against the number of columns."""
    try:
        given = np.asarray(w)
    except ValueError:
        raise InputError(f"w is {w!r}; it must be a list of numbers, one a column.") from None
    if given.ndim == 2 and 1 in given.shape:
        given = given.ravel()
    if given.ndim != 1 or len(given) != n_columns:
        raise InputError(
            f"w has shape {given.shape}; it must have as many numbers as there are columns, "
            f"{n_columns}, and the offset apart as b."
        )
    if np.size(b) != 1:
        raise InputError(f"b is {b!r}; the offset is one number.")
    plain = np.asarray(b)
    if given.dtype.kind == "f" and plain.dtype.kind == "f":
        both = np.append(given, plain.ravel())
    else:  # one type might not hold the numbers of the other
        both = np.array([*given.tolist(), *plain.ravel().tolist()], dtype=object)
    line = read_table(both.reshape(1, -1), "(w, b)")
    whole, scale = line.integers([0])
    weights, own = line.dense_rows([0])[0], 0
    if line.is_rounded:  # 53 bits of each entry, also where float64 would have fewer
        own = max(abs(value).bit_length() for value in whole[0]) - scale.bit_length()
        pairs = [_quotient(value, scale) for value in whole[0]]
        weights = np.array([unscale(fraction, e - own) for fraction, e in pairs])
    e = exponent_of(weights)
    normal, offset = np.ldexp(weights[:-1], -e), _quotient(whole[0, -1], scale)
    return Hyperplane(normal, e + own, offset, whole[0], scale, weights, own)


class Scores(NamedTuple):
    """score = fraction·2^exponent, row by row, and its exact sign: -1, 0 or 1."""

    fractions: np.ndarray
    exponents: np.ndarray
    signs: np.ndarray

    def over(self, fraction: float, e: int) -> np.ndarray:
        """score / (fraction·2^e), with no overflow or underflow before the last step."""
        return np.asarray(unscale(self.fractions / fraction, self.exponents - e))


def scores(table: Table, plane: Hyperplane) -> Scores:
    """The scores of all rows."""
    n = table.n_rows
    found = Scores(np.empty(n), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int8))
    for block in row_blocks(table):
        _score_block(table, plane, block, found)
    return found


def row_blocks(table: Table) -> Iterator[slice]:
    """Slices of rows with about BLOCK_ENTRIES stored entries each."""
    stored = table.matrix.nnz if table.is_sparse else table.n_rows * table.n_columns
    step = max(1, table.n_rows * BLOCK_ENTRIES // max(stored, 1))
    for start in range(0, table.n_rows, step):
        yield slice(start, min(start + step, table.n_rows))


def scaled_rows(table: Table, block: slice) -> tuple[Any, int]:
    """(rows, e): the block's rows in float64 times 2^-e, all entries below 1."""
    if not table.is_sparse:
        rows = table.dense_rows(block)
        e = exponent_of(rows)
        return np.ldexp(rows, -e), e
    rows = table.matrix[block].astype(np.float64)
    e = exponent_of(rows.data)
    rows.data = np.ldexp(rows.data, -e)
    return rows, e


def _score_block(table: Table, plane: Hyperplane, block: slice, found: Scores) -> None:
    """Fill in the scores of the rows in `block`."""
    rows, e = scaled_rows(table, block)
    fraction, own = plane.offset
    offset = unscale(fraction, own - plane.exponent - e)
    with np.errstate(under="ignore", invalid="ignore"):
        values = rows @ plane.normal + offset
        size = abs(rows) @ np.abs(plane.normal) + abs(offset)
        sure = np.abs(values) > CANCELLED * size + (table.n_columns + 4) * TINY
    if table.is_rounded:
        sure[:] = False
    found.fractions[block] = np.where(sure, values, 0.0)
    found.exponents[block] = e + plane.exponent
    found.signs[block] = np.sign(found.fractions[block])
    for part, exact, scale in _exact_rows(table, plane, np.flatnonzero(~sure) + block.start):
        for i, score in zip(part, exact, strict=True):
            found.fractions[i], found.exponents[i] = _quotient(score, scale)
            found.signs[i] = (score > 0) - (score < 0)


def _exact_rows(
    table: Table, plane: Hyperplane, rows: np.ndarray
) -> Iterator[tuple[np.ndarray, list[int], int]]:
    """(some of `rows`, their scores as ints, the scale of these), until all are done."""
    if table.is_sparse:
        matrix = table.matrix
        for i in rows:
            stored = slice(matrix.indptr[i], matrix.indptr[i + 1])
            values = np.asarray(matrix.data[stored], dtype=np.float64)
            whole, scale = integers_of_floats(values)
            weights = plane.whole[matrix.indices[stored]]
            score = sum((a * c for a, c in zip(whole, weights, strict=True)), 0)
            yield np.array([i]), [score + plane.whole[-1] * scale], scale * plane.scale
        return
    step = max(1, EXACT_ENTRIES // table.n_columns)
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        whole, scale = table.integers(part)
        exact = whole @ plane.whole[:-1] + plane.whole[-1] * scale
        yield part, exact.tolist(), scale * plane.scale


def _quotient(numerator: int, denominator: int) -> tuple[float, int]:
    """numerator / denominator, rounded once, as (fraction, e), meaning fraction·2^e."""
    e = numerator.bit_length() - denominator.bit_length()
    return (numerator << max(-e, 0)) / (denominator << max(e, 0)), e
