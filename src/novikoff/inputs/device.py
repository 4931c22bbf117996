"""Rows where they live: in the memory of the processor, or on a device such as a GPU.

Arrays elsewhere are used through the array API standard, with array-api-compat, and nothing here
knows any library or vendor by name. What a proof trusts of such a device is that a product of
float64 matrices adds up products of doubles, in some order. `check_products` sees to that once for
each device, with products that reduced, emulated or rearranged arithmetic gets wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs.table import CHANGED, Table
from novikoff.inputs.tensors import is_elsewhere, to_be_moved
from novikoff.memory import check_room

CELLS = 1 << 23  # numbers in a block of rows
CELLS_THERE = 1 << 25  # on a device, where a block must be worth the launch of its kernels
LEAF = 128  # columns of a triangular matrix that is inverted whole
SAME_SUMS = 1e-6  # relative: sums of a column in two passes differ by less, if it is the same
TESTED = 96  # rows and columns of the products that a device is tested with
LEAST_FACTOR = 2.0**-500  # no product of such float64 numbers, and no sum of products, is flushed


@dataclass(frozen=True)
class Place:
    """A device and the functions that compute there: numpy's own unless told otherwise."""

    xp: Any = np
    device: Any = None

    @classmethod
    def of(cls, array: Any, name: str = "X") -> Place:
        """Where an array on a device is; InputError where nothing here can compute with it."""
        try:
            import array_api_compat

            return cls(array_api_compat.array_namespace(array), array_api_compat.device(array))
        except ImportError:
            why = "to compute there takes array-api-compat (pip install 'novikoff[device]'). Or"
            raise to_be_moved(array, name, why) from None
        except (TypeError, ValueError, AttributeError):
            raise to_be_moved(array, name, "its library has no array API") from None

    @property
    def is_host(self) -> bool:
        return self.xp is np

    def put(self, values: Any, dtype: str | None = None) -> Any:
        """An array of the host, here."""
        values = np.asarray(values, dtype=dtype)
        return values if self.is_host else self.xp.asarray(values, device=self.device)

    def fetch(self, array: Any) -> np.ndarray:
        """An array from here, on the host."""
        if self.is_host:
            return np.asarray(array)
        from array_api_compat import to_device

        try:
            found = to_device(array, "cpu")
        except Exception:  # libraries name the processor as they like
            try:
                found = array.to_device(self.xp.__array_namespace_info__().default_device())
            except Exception:  # and some have numpy fetch what is elsewhere
                found = array
        return np.asarray(found)

    def cast(self, array: Any, dtype: str) -> Any:
        """The array in a type, without a copy where it has it."""
        if self.is_host:
            return array.astype(dtype, copy=False)
        return self.xp.astype(array, getattr(self.xp, dtype), copy=False)

    def zeros(self, *shape: int, dtype: str = "float64") -> Any:
        if self.is_host:
            return np.zeros(shape, dtype)
        return self.xp.zeros(shape, dtype=getattr(self.xp, dtype), device=self.device)

    def ones(self, *shape: int, dtype: str = "float64") -> Any:
        return self.zeros(*shape, dtype=dtype) + 1.0

    def take(self, array: Any, places: np.ndarray, axis: int = 0) -> Any:
        return self.xp.take(array, self.put(places, "int64"), axis=axis)


def inverse_of_triangle(place: Place, upper: Any) -> Any:
    """About the inverse of a triangular matrix on a device: small ones at once, then products.

    The blocks on the diagonal are inverted together; pairs of inverses make those of blocks twice
    as large, until one is left.
    """
    xp, p = place.xp, int(upper.shape[0])
    n_blocks = 1
    while p > LEAF * n_blocks:
        n_blocks *= 2
    size = -(-p // n_blocks)
    spare = size * n_blocks - p
    if spare:
        corner = xp.eye(spare, dtype=upper.dtype, device=place.device)
        beside = xp.zeros((p, spare), dtype=upper.dtype, device=place.device)
        upper = xp.concat([upper, beside], axis=1)
        upper = xp.concat([upper, xp.concat([beside.T, corner], axis=1)], axis=0)

    def block(row: int, column: int) -> Any:
        return upper[row * size : (row + 1) * size, column * size : (column + 1) * size]

    inverses = xp.linalg.inv(xp.stack([block(k, k) for k in range(n_blocks)]))
    while n_blocks > 1:
        beside = xp.stack([block(k, k + 1) for k in range(0, n_blocks, 2)])
        first, last = inverses[0::2, ...], inverses[1::2, ...]
        above = xp.concat([first, -((first @ beside) @ last)], axis=2)
        below = xp.concat([xp.zeros_like(first), last], axis=2)
        inverses = xp.concat([above, below], axis=1)
        size, n_blocks = 2 * size, n_blocks // 2
    return inverses[0, :p, :p]


@dataclass(frozen=True, eq=False)
class PlacedRows:
    """The rows (x, 1), or x without an offset, in blocks on the place where the table is."""

    table: Table
    offset: bool

    @cached_property
    def place(self) -> Place:
        return self.table.place if isinstance(self.table, DeviceTable) else Place()

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    @property
    def dim(self) -> int:
        return self.table.n_columns + self.offset

    @property
    def search_type(self) -> str:
        """The type that steps are computed in: that of the table, and float32 at least."""
        if isinstance(self.table, DeviceTable):
            return "float64" if "64" in str(self.table.array.dtype) else "float32"
        return "float32" if self.table.matrix.dtype == np.float32 else "float64"

    def parts(self, width: int = 0, n_rows: int | None = None) -> Iterator[slice]:
        """Blocks of rows whose products with `width` columns are of a sensible size."""
        n_rows = self.n_rows if n_rows is None else n_rows
        cells = CELLS if self.place.is_host else CELLS_THERE
        step = max(1, cells // max(self.dim, width, 1))
        return (slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step))

    def block(self, part: slice, dtype: str = "float64") -> Any:
        """x for the rows of a slice, in this type."""
        if isinstance(self.table, DeviceTable):
            return self.place.cast(self.table.array[part, :], dtype)
        found = self.table.matrix[part]
        return self.place.cast(found.toarray() if self.table.is_sparse else found, dtype)

    def take(self, rows: Any, dtype: str = "float64") -> Any:
        """x for these rows, in this type."""
        if isinstance(self.table, DeviceTable):
            return self.place.cast(self.place.take(self.table.array, rows), dtype)
        return self.block(rows, dtype)

    def with_offset(self, block: Any) -> Any:
        """(x, 1), or x where there is no offset."""
        if not self.offset:
            return block
        one = self.place.ones(block.shape[0], 1)
        return self.place.xp.concat([block, one], axis=1)

    def scores(self, block: Any, weights: Any) -> Any:
        """(x, 1)·w for the rows of a block and each column of weights, the offset last."""
        if not self.offset:
            return block @ weights
        return block @ weights[:-1, :] + weights[-1:, :]

    def sums(self, block: Any, factors: Any) -> Any:
        """Σ k_i·(x_i, 1) over the rows of a block, for each column of factors."""
        found = block.T @ factors
        if not self.offset:
            return found
        last = self.place.xp.sum(factors, axis=0)[None, :]
        return self.place.xp.concat([found, last], axis=0)

    @property
    def sums_known(self) -> np.ndarray | None:
        """Σ|x_ij| and the number of rows, up to rounding, where a pass over all rows made them."""
        table = self.table
        if not isinstance(table, DeviceTable) or table.rows is not None or table.sums is None:
            return None
        return np.append(table.sums, [float(self.n_rows)] * self.offset)

    def on_host(self, rows: np.ndarray) -> Table:
        """Some rows as a table of the host."""
        if isinstance(self.table, DeviceTable):
            return Table(self.place.fetch(self.take(rows)), self.table.names, self.table.numbers)
        return self.table.take(rows)


class DeviceTable(Table):
    """A table on a device. `block` brings a few rows to the host, `matrix` all of them, once."""

    def __init__(
        self, array: Any, place: Place, rows: np.ndarray | None = None, sums: Any = None
    ) -> None:
        given = {"array": array, "place": place, "rows": rows, "names": None, "index": None}
        vars(self).update({**given, "numbers": "binary64", "exact": None, "sums": sums})

    array: Any
    place: Place
    rows: np.ndarray | None  # those of the array that are rows of this table; None for all
    sums: np.ndarray | None  # Σ|x| of each column, when the table was read

    @property
    def n_rows(self) -> int:
        return int(self.array.shape[0]) if self.rows is None else len(self.rows)

    @property
    def n_columns(self) -> int:
        return int(self.array.shape[1])

    @property
    def is_sparse(self) -> bool:
        return False

    def take(self, rows: np.ndarray) -> Table:
        """Some rows, which stay where they are."""
        chosen = rows if self.rows is None else self.rows[rows]
        return DeviceTable(self.array, self.place, chosen, self.sums)

    def block(self, rows: slice) -> np.ndarray:
        if "matrix" in vars(self):
            return np.asarray(self.matrix[rows])
        if self.rows is None:
            found = self.array[rows, :]
        else:
            found = self.place.take(self.array, self.rows[rows])
        wide = "float64" if "64" in str(self.array.dtype) else "float32"
        return self.place.fetch(self.place.cast(found, wide))

    @cached_property
    def matrix(self) -> np.ndarray:
        self.unchanged()
        size = 8 if "64" in str(self.array.dtype) else 4
        check_room(
            size * self.n_rows * self.n_columns,
            f"a copy of X, which is on {self.place.device}, in the memory of the processor",
        )
        return self.block(slice(0, self.n_rows))

    def watch(self) -> None:
        """Nothing: the sums of the columns are kept from the beginning."""

    @property
    def has_changed(self) -> bool:
        """Whether sums of columns are others than when the table was read."""
        before, now = self.sums, column_sums(self)
        return before is not None and not np.allclose(before, now, rtol=SAME_SUMS, atol=0.0)

    def unchanged(self) -> Table:
        if self.has_changed:
            raise InputError(CHANGED)
        return self


def column_sums(table: DeviceTable) -> np.ndarray:
    """Σ|x| of each column of the whole array, on the host."""
    whole = PlacedRows(DeviceTable(table.array, table.place), False)
    xp, total = table.place.xp, table.place.zeros(table.n_columns)
    kept = "float" in str(table.array.dtype)  # |x| of the least integer is none of its type
    for part in whole.parts():
        block = table.array[part, :] if kept else whole.block(part)
        total = total + xp.sum(xp.abs(block), axis=0, dtype=xp.float64)
    return table.place.fetch(total)


def read_device_table(X: Any) -> DeviceTable | None:
    """X as a table where it is, if it is an array on a device; None for everything else."""
    if not is_elsewhere(X):
        return None
    if getattr(X, "requires_grad", False):
        X = X.detach()
    place = Place.of(X)
    if X.ndim != 2 or 0 in X.shape:
        shape = tuple(int(size) for size in X.shape)
        raise InputError(f"X has shape {shape}; it needs at least 1 row and 1 column.")
    if not any(kind in str(X.dtype) for kind in ("float", "int8", "int16")):
        raise InputError(
            f"X is on {X.device} and of type {X.dtype}; it must hold floats there, or integers of "
            "at most 16 bits."
        )
    check_products(place)
    table = DeviceTable(X, place)
    if flushes(place, X.dtype) and has_small_numbers(table):
        raise InputError(
            f"X is on {X.device}, where small numbers become 0, and X has such numbers, or it "
            "cannot be seen that it has none. Switch off the flushing of small numbers, or move X "
            "to the processor."
        )
    sums = vars(table)["sums"] = column_sums(table)
    if not np.isfinite(sums).all():
        column = int(np.argmin(np.isfinite(sums)))
        raise InputError(
            f"column {column} of X contains NaN or infinity, or numbers whose sum is beyond the "
            "floats; every value must be a finite number: drop or fill such rows first."
        )
    return table


_flushes: dict[str, bool] = {}  # whether small float64 numbers become 0 on a tested place


def check_products(place: Place) -> None:
    """Raise InputError unless products of float64 matrices are sums of products of doubles here.

    Each test has an exact answer, which such sums give in any order:

    - whole numbers below 2^24, TESTED of them in a sum: all sums are below 2^53
    - a matrix of numbers of very unlike size, times one with a single number in each column: fixed
      point, slices of a row and Strassen's products lose the small ones beside the large ones
    - float32 numbers, each of which is beyond the digits of the other in float32, in a float64 sum
    """
    if repr(place) in _flushes:
        return
    draw = np.random.default_rng(0)
    size = TESTED
    whole = draw.integers(-(2**23), 2**23, (2, size, size)).astype(np.float64)
    unlike = whole[0] * 2.0 ** draw.integers(-300, 300, (size, size))
    single = np.zeros((size, size))
    single[draw.permutation(size), np.arange(size)] = whole[1, 0] + 0.5
    wide = np.array([2.0**40, 1.0], dtype=np.float32)
    small = np.array([2.0**-1074, 2.0**-1030])
    wrong = ""
    for left, right in ((whole[0], whole[1]), (unlike, single)):
        here = place.put(left), place.put(right)
        if "float64" not in str(here[0].dtype):
            wrong = "float64 is not switched on"
            break
        for found, exact in (
            (here[0] @ here[1], left @ right),
            (here[0].T @ here[1], left.T @ right),
        ):
            if not np.array_equal(place.fetch(found), exact):
                wrong = "a product of float64 matrices is not exact where sums of doubles are"
    if not wrong:
        total = place.xp.sum(place.put(wide), axis=0, dtype=place.xp.float64)
        if float(total) != 2.0**40 + 1.0:
            wrong = "float64 sums of float32 numbers are not those of doubles"
    if wrong:
        library = getattr(place.xp, "__name__", place.xp)
        raise InputError(
            f"{library} on {place.device} cannot check a proof: {wrong}. Switch on float64 and "
            "switch off reduced or emulated precision, or move X to the processor."
        )
    sums = place.fetch(place.put(small) + place.put(small))
    _flushes[repr(place)] = not np.array_equal(sums, 2.0 * small)


def flushes(place: Place, dtype: Any) -> bool:
    """Whether small numbers of this type may become 0 on their way to float64 sums and products.

    Sums and products of float32 numbers, and of shorter ones, are not small among float64 numbers.
    """
    if "float64" in str(dtype):
        return _flushes[repr(place)]
    if "float" not in str(dtype):
        return False
    xp = place.xp
    least = float(xp.finfo(dtype).smallest_normal)
    small = least * np.array([0.5, 0.75])  # which every type of floats has
    there = xp.astype(xp.astype(place.put(small), dtype), xp.float64)
    return not np.array_equal(place.fetch(there), small)


def has_small_numbers(table: DeviceTable) -> bool:
    """Whether numbers are so small, but not 0, that flushing may change them; True if unknown.

    Comparisons may flush, too: the numbers are looked at on the host.
    """
    try:
        wide = "float64" in str(table.array.dtype)
        least = LEAST_FACTOR if wide else table.place.xp.finfo(table.array.dtype).smallest_normal
        for part in PlacedRows(table, False).parts():
            sizes = np.abs(table.place.fetch(table.array[part, :]))
            if ((sizes > 0) & (sizes < least)).any():
                return True
    except Exception:  # numpy has no such type, or the library does not say what is small in it
        return True
    return False
