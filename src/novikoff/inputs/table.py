"""Rows as numbers: what is computed with, and what they are exactly.

A `Table` stores its rows once: `matrix` is what loops and solvers compute with (float64,
float32, or CSR of either), and `integers` reads any few rows as exact integers over one
common scale. Where the numbers given are not binary floats (Decimal, Fraction, large
integers), `matrix` holds their nearest floats, `exact` the numbers themselves, and
`is_rounded` says so. The nearest float of a number beyond 1.8e308 is an infinity: whoever
computes with floats sees that nothing is sure there, and asks `integers`.
"""

from __future__ import annotations

import math
import operator
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.memory import check_room

NUMBERS_AT_ONCE = 1 << 16  # numbers that stay in the processor's cache
INTEGER_BYTES = 64  # bytes of a Python integer, its place in an array, and what it was made from


CHANGED = "X was changed in place after this answer was found; ask again about X as it is now."


@dataclass(frozen=True, eq=False)
class Table:
    """n rows of d numbers."""

    matrix: Any  # (n, d) C-ordered float array, or a CSR matrix with sorted, unique columns
    names: tuple[str, ...] | None  # the columns' names, where X had any
    numbers: str  # 'binary64', 'decimal' or 'rational': which numbers a proof speaks of
    exact: np.ndarray | None = None  # (n, d) of Fraction, only where floats would round
    index: Any = None  # the names of the rows, where X had any: the index of a DataFrame

    @property
    def n_rows(self) -> int:
        return int(self.matrix.shape[0])

    @property
    def n_columns(self) -> int:
        return int(self.matrix.shape[1])

    @property
    def is_sparse(self) -> bool:
        return not isinstance(self.matrix, np.ndarray)

    @property
    def is_rounded(self) -> bool:
        return self.exact is not None

    @cached_property
    def largest_entry(self) -> float:
        """The largest |x| of `matrix`, by one pass over it."""
        return largest_of(self.matrix.data if self.is_sparse else self.matrix)

    @cached_property
    def is_beyond_floats(self) -> bool:
        """Whether a number is so large that its nearest float is an infinity."""
        return self.exact is not None and not bool(np.isfinite(self.matrix).all())

    @cached_property
    def signs_from(self) -> Any:
        """A matrix whose numbers have the signs of the rows': floats but where one of them is 0.

        The nearest float of a number has its sign, unless the number is too small for floats.
        """
        if self.exact is None:
            return self.matrix
        vanished = self.exact[self.matrix == 0.0]
        return self.exact if any(vanished.tolist()) else self.matrix

    @cached_property
    def checksum(self) -> int:
        """Of `matrix`, when it was first watched."""
        return _checksum(self.matrix)

    def watch(self) -> None:
        """From now on `has_changed` and `unchanged` tell of changes in place."""
        self.checksum  # noqa: B018

    @property
    def has_changed(self) -> bool:
        """Whether the numbers were changed in place since they are watched."""
        return "checksum" in vars(self) and _checksum(self.matrix) != self.checksum

    def unchanged(self) -> Table:
        """This table; InputError where it was changed in place."""
        if self.has_changed:
            raise InputError(CHANGED)
        return self

    def column_name(self, j: int) -> str:
        return self.names[j] if self.names else f"x{j + 1}"

    def row_name(self, i: int) -> Any:
        """What the index calls row i; its number, from 0, where there is no index."""
        if self.index is None:
            return i
        name = self.index[i]
        return name.item() if isinstance(name, np.generic) else name

    def row_names(self, places: np.ndarray) -> list[Any]:
        """The same for many rows, as `frame.loc` takes them."""
        return [self.row_name(place) for place in places.tolist()]

    def named(self, names: tuple[str, ...]) -> Table:
        """The same rows under other names, with all that is known of them."""
        made = replace(self, names=names)
        vars(made).update({**vars(self), "names": names})
        return made

    def block(self, rows: slice) -> Any:
        """The matrix of some rows that follow each other."""
        return self.matrix[rows]

    def take(self, rows: np.ndarray) -> Table:
        """Some rows, as a table of their own."""
        return Table(
            self.matrix[rows],
            self.names,
            self.numbers,
            None if self.exact is None else self.exact[rows],
            None if self.index is None else self.index[rows],
        )

    def take_columns(self, which: Sequence[int]) -> Table:
        """Some columns, as a table of their own; of floats alone where none of them rounds."""
        matrix = self.matrix[:, which]
        exact = None if self.exact is None else self.exact[:, which]
        if not self.is_sparse:
            matrix = np.ascontiguousarray(matrix)
        if exact is not None and all(map(operator.eq, exact.flat, matrix.flat)):
            exact = None
        names = None if self.names is None else tuple(self.names[j] for j in which)
        return Table(matrix, names, self.numbers, exact, self.index)

    def dense_rows(self, which: Any) -> np.ndarray:
        """The rows `which` (indices or a slice) as a dense float64 block."""
        block = self.matrix[which]
        if self.is_sparse:
            n, d = block.shape
            check_room(8 * n * d, f"a dense block of {n:,} rows and {d:,} columns")
            block = block.toarray()
        return np.asarray(block, dtype=np.float64)

    def integers(self, which: Sequence[int] | np.ndarray) -> tuple[np.ndarray, int]:
        """Rows `which` as an object array of ints and the int `scale`: row = ints / scale.

        Large powers of two are shared by all entries, so `scale` may be huge, never a float.
        """
        index = np.asarray(which, dtype=np.intp)
        cells = len(index) * self.n_columns
        check_room(INTEGER_BYTES * cells, f"a block of {cells:,} exact integers")
        if self.exact is None:
            return integers_of_floats(self.dense_rows(index))
        block = self.exact[index]
        scale = math.lcm(*(value.denominator for value in block.ravel()))
        whole = [value.numerator * (scale // value.denominator) for value in block.ravel()]
        return _object_array(whole, block.shape), scale

    @cached_property
    def float_grid(self) -> tuple[float, float] | None:
        """(largest |x|, grid): every x is a multiple of `grid`, a power of two.

        Sums and products of such numbers are exact in float64 as long as they stay under 2^53
        grid units. None where even one product would not, or where the numbers are rounded.
        """
        if self.is_rounded:
            return None
        values = self.matrix.data if self.is_sparse else self.matrix
        largest, lowest = 0.0, 1025
        flat = np.asarray(values).reshape(-1)
        for start in range(0, flat.size, NUMBERS_AT_ONCE):
            block = np.asarray(flat[start : start + NUMBERS_AT_ONCE], dtype=np.float64)
            block = block[block != 0.0]
            if block.size:
                largest = max(largest, float(np.abs(block).max()))
                lowest = min(lowest, int(lowest_bits(block).min()))
                if lowest < -500 or math.frexp(largest)[1] - lowest > 27:
                    return None
        return (largest, math.ldexp(1.0, lowest)) if largest else (0.0, 1.0)


def lowest_bits(values: np.ndarray) -> np.ndarray:
    """For each non-zero float, the exponent e of the lowest set bit: value = odd·2^e."""
    mantissa, exponent = np.frexp(values)
    whole = np.abs(mantissa * 2.0**53).astype(np.int64)
    lowest = whole & -whole
    return np.asarray(exponent - 53 + np.round(np.log2(lowest.astype(np.float64))).astype(np.int64))


def integers_of_floats(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Finite float64 numbers as an object array of ints and the int scale they stand over."""
    present = values != 0.0
    if not present.any():
        return _object_array([0] * values.size, values.shape), 1
    mantissa, exponent = np.frexp(values)
    exponent = exponent.astype(np.int64) - 53
    bottom = int(lowest_bits(values[present]).min())
    scale = 1 << max(0, -bottom)
    bottom = min(bottom, 0)
    if int(exponent[present].max()) + 53 - bottom < 63:
        return np.ldexp(values, -bottom).astype(np.int64).astype(object), scale
    whole = (mantissa * 2.0**53).astype(np.int64).ravel().tolist()
    shift = (exponent - bottom).ravel().tolist()
    scaled = [m << s if s >= 0 else m >> -s if m else 0 for m, s in zip(whole, shift, strict=True)]
    return _object_array(scaled, values.shape), scale


def _object_array(values: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    flat = np.empty(len(values), dtype=object)
    flat[:] = values
    return flat.reshape(shape)


def table_of_fractions(
    values: list[Fraction], shape: tuple[int, ...], names: tuple[str, ...] | None, numbers: str
) -> Table:
    """A table of exact numbers, given row by row; floats alone where none of them rounds."""
    floats = []
    rounded = False
    for value in values:
        try:
            nearest = value.numerator / value.denominator
            rounded = rounded or nearest.as_integer_ratio() != (value.numerator, value.denominator)
        except OverflowError:
            nearest, rounded = (math.inf if value > 0 else -math.inf), True
        floats.append(nearest)
    matrix = np.array(floats).reshape(shape)
    if not rounded:
        return Table(matrix, names, numbers)
    exact = _object_array(values, shape)
    return Table(matrix, names, "rational" if numbers == "binary64" else numbers, exact)


def row_numbers(rows: Iterable[int] | np.ndarray) -> np.ndarray:
    """A read-only int64 array of its own, as the next line takes it: `X[rows]`, `frame.iloc[rows]`.

    A tuple of numbers would be one cell's coordinates to numpy and pandas.
    """
    listed = rows if isinstance(rows, np.ndarray) else list(rows)
    found = np.array(listed, dtype=np.int64)
    found.flags.writeable = False
    return found


def largest_of(values: np.ndarray) -> float:
    """The largest |value|, NaN if one is; each part is read once from memory, or from disk."""
    flat, largest = values.reshape(-1), 0.0
    for start in range(0, flat.size, NUMBERS_AT_ONCE):
        part = flat[start : start + NUMBERS_AT_ONCE]
        here = max(float(part.max()), -float(part.min()))
        if not here <= largest:
            largest = here
            if here != here:
                break
    return largest


def _checksum(matrix: Any) -> int:
    """CRC-32 of the numbers where they can be changed: 4 % of the time of `certify`, no memory."""
    dense = isinstance(matrix, np.ndarray)
    found = 0
    for part in (matrix,) if dense else (matrix.data, matrix.indices, matrix.indptr):
        if part.flags.writeable:
            found = zlib.crc32(np.ascontiguousarray(part).data, found)
    return found
