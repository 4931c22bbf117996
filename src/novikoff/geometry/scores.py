"""Scores w·x + b of rows: quick in floats, exact wherever rounding could be felt.

Each score comes as a fraction and a power of two, so that it has no limits of size, and as its
exact sign. A score whose float sum is right to 2^-32 of itself, at worst, is that sum; any other is
computed in integers from the numbers as given and rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.exact.bounds import sum_error_bounds
from novikoff.exact.norms import exponent_of, row_blocks, scaled, scaled_rows
from novikoff.exact.tables import RELATIVE_ERROR_LIMIT, exact_scores
from novikoff.geometry.vectors import scaled_length
from novikoff.inputs import Table, in_memory, read_table


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
        fraction, e = scaled_length(np.array([scaled(part, own - top) for part, own in pairs]))
        return fraction, e + top


def read_hyperplane(w: Any, b: Any, n_columns: int) -> Hyperplane:
    """(w, b) checked against the number of columns."""
    w, b = in_memory(w, "w"), in_memory(b, "b")
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
        weights = np.array([scaled(fraction, e - own) for fraction, e in pairs])
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
        return np.asarray(scaled(self.fractions / fraction, self.exponents - e))


def scores(table: Table, plane: Hyperplane) -> Scores:
    """The scores of all rows."""
    n = table.n_rows
    found = Scores(np.empty(n), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int8))
    for block in row_blocks(table):
        _score_block(table, plane, block, found)
    return found


def _score_block(table: Table, plane: Hyperplane, block: slice, found: Scores) -> None:
    """Fill in the scores of the rows in `block`."""
    rows, e = scaled_rows(table, block)
    fraction, own = plane.offset
    offset = scaled(fraction, own - plane.exponent - e)
    with np.errstate(all="ignore"):
        values = rows @ plane.normal + offset
        sizes = abs(rows) @ np.abs(plane.normal) + abs(offset)
        sure = sum_error_bounds(sizes, table.n_columns + 1) < RELATIVE_ERROR_LIMIT * np.abs(values)
    if table.is_rounded:
        sure[:] = False
    found.fractions[block] = np.where(sure, values, 0.0)
    found.exponents[block] = e + plane.exponent
    found.signs[block] = np.sign(found.fractions[block])
    doubtful = np.flatnonzero(~sure) + block.start
    for i, score in zip(doubtful.tolist(), exact_scores(table, doubtful, plane.whole), strict=True):
        found.fractions[i], found.exponents[i] = _quotient(
            score.numerator, score.denominator * plane.scale
        )
        found.signs[i] = (score > 0) - (score < 0)


def _quotient(numerator: int, denominator: int) -> tuple[float, int]:
    """numerator / denominator, rounded once, as (fraction, e), meaning fraction·2^e."""
    e = numerator.bit_length() - denominator.bit_length()
    return (numerator << max(-e, 0)) / (denominator << max(e, 0)), e
