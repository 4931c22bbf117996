"""Weights by name that grow, and the scores of one row under all of them.

Column 0 of the memory holds the offsets, columns 1, 2, … the features in the order in which they
came; an array row has the names 0, 1, … The columns after them are zero, and there is always one.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Hashable, Mapping
from itertools import repeat
from operator import itemgetter
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.exact.bounds import square_factor
from novikoff.inputs import in_memory

FLOAT = np.dtype(np.float64)
NO_NUMBER = (struct.error, TypeError, OverflowError, ValueError)  # what packing one raises
NOT_LAID_OUT = -1
NAMES_LOOKED_UP = 32  # that are looked up faster than their order is compared
ndarray = np.ndarray


class GrowingWeights:
    """The lines of weights of a learner, the column of each name, and the row that is read.

    After a row was read, `_row` holds its numbers, the constant first, `_lines` the weights of
    every line on them, and `_at` the columns that `_lines` was copied from, None for all.
    """

    _by_name: bool | None
    _shape: tuple[int, ...] | None
    _row: np.ndarray
    _lines: np.ndarray
    _at: np.ndarray | None

    def __init__(self, constant: float) -> None:
        self._constant = constant  # 1 with an offset, else 0
        self._columns: dict[Hashable, int] = {}
        self._by_name = None  # rows are dicts, or arrays; None before the first
        self._memory = np.zeros((0, 2))
        self._reshaped()

    def _reshaped(self) -> None:
        """To be called when names or lines have come."""
        self._n_names = len(self._columns)
        self._factor = square_factor(self._n_names + 1)
        self._shape, self._width = (
            None,
            NOT_LAID_OUT,
        )  # of rows with all names, once they are laid out

    def _lay_out(self) -> None:
        """Make ready for rows that have all names."""
        n = self._n_names
        self._full_row = np.full(n + 1, self._constant)
        self._full_lines = self._weights()
        self._slots = self._full_row[1:]
        self._bytes = self._full_row.data.cast("B")
        self._pack: Callable[..., None] = struct.Struct(f"{n}d").pack_into
        if self._by_name:
            self._width = n
            self._keys = [*self._columns]
            only, *others = self._keys
            self._getter = itemgetter(only, *others) if others else lambda x: (x[only],)
        else:
            self._shape = (n,)

    def _fill(self, x: Any) -> bool:
        """Read a row that has all names, in one of the usual forms; whether it was one."""
        kind = type(x)
        try:
            if kind is dict and len(x) == self._width:
                in_order = self._width > NAMES_LOOKED_UP and [*x] == self._keys
                self._pack(self._bytes, 8, *(x.values() if in_order else self._getter(x)))
            elif kind is ndarray and x.shape == self._shape and x.dtype is FLOAT:
                self._slots[...] = x
            elif kind is list and (len(x),) == self._shape:
                self._pack(self._bytes, 8, *x)
            else:
                return False
        except (KeyError, *NO_NUMBER):
            return False
        self._row, self._lines, self._at = self._full_row, self._full_lines, None
        return True

    @np.errstate(over="ignore", invalid="ignore", under="ignore")
    def _read(self, x: Any, learns: bool) -> tuple[list[float], float]:
        """The scores of a row under all lines, as float sums, and the square of its norm.

        Where it `learns`, names that are new get a column. A sum beyond all floats is infinite.
        """
        is_mapping = isinstance(x, Mapping)
        if not is_mapping:
            x = read_array(x)
            self._check_array(len(x), learns)
        if self._width == NOT_LAID_OUT and self._shape is None and len(x) == self._n_names > 0:
            self._lay_out()
        if not self._fill(x):
            if is_mapping:
                self._read_by_name(x, learns)
            else:  # an array before anything was learnt
                self._row, self._lines = np.append(self._constant, x), np.zeros((0, len(x) + 1))
        square = float(self._row.dot(self._row))
        if not square < math.inf:
            check_finite(self._columns if self._at is None else x, self._row[1:])
        return self._lines.dot(self._row).tolist(), square

    def _read_by_name(self, x: Mapping[Hashable, Any], learns: bool) -> None:
        """Read a row with only some of the names, or with new ones."""
        if self._by_name is False:
            raise InputError(
                f"the row is a {type(x).__name__}, and the rows before it were arrays of "
                f"{self._n_names} numbers; a model learns from one or the other."
            )
        n, columns = len(x), self._columns
        try:
            row = np.frombuffer(struct.pack(f"{n + 1}d", self._constant, *x.values()))
        except NO_NUMBER:
            raise bad_value(x) from None
        if learns and not columns.keys() >= x.keys():
            check_finite(x, row[1:])  # a row that is refused leaves no names
            for name in x:
                columns.setdefault(name, len(columns) + 1)
            self._by_name = True
            self._grow()
        zero = self._memory.shape[1] - 1  # a column that is always zero
        at = np.zeros(n + 1, dtype=np.intp)
        at[1:] = np.fromiter(map(columns.get, x, repeat(zero)), np.intp, n)
        self._row, self._lines, self._at = row, self._memory.take(at, axis=1), at

    def _check_array(self, n: int, learns: bool) -> None:
        """See that an array of n numbers fits the rows before it, or is the first row."""
        if self._by_name:
            raise InputError(
                f"the row is an array of {n} numbers, and the rows before it were dicts; a model "
                "learns from one or the other."
            )
        if self._by_name is None and learns:
            self._columns = {j: j + 1 for j in range(n)}
            self._grow()
            self._by_name = False
        elif self._by_name is False and n != self._n_names:
            raise InputError(
                f"the row has {n} numbers; the rows before it had {self._n_names}, and all rows "
                "must be alike: give dicts of names and numbers if they are not."
            )

    def _grow(self) -> None:
        """Make room for all names and a column of zeros."""
        needed, capacity = len(self._columns) + 2, self._memory.shape[1]
        if needed > capacity:
            memory = np.zeros((len(self._memory), max(needed, 2 * capacity)))
            memory[:, :capacity] = self._memory
            self._memory = memory
        self._reshaped()

    def _weights(self) -> np.ndarray:
        """(lines, names + 1), the offsets first."""
        return self._memory[:, : self._n_names + 1]

    def _set_weights(self, W: np.ndarray) -> None:
        """Other lines, for the same names."""
        self._memory = np.zeros((len(W), max(W.shape[1] + 1, self._memory.shape[1])))
        self._memory[:, : W.shape[1]] = W
        self._reshaped()


def read_array(x: Any) -> np.ndarray:
    """A row given as a list or an array, checked."""
    if isinstance(x, (list, tuple)):
        try:
            values = np.frombuffer(struct.pack(f"{len(x)}d", *x))
        except NO_NUMBER:
            raise bad_value(dict(enumerate(x))) from None
    else:
        given = np.asarray(in_memory(x, "the row"))
        if given.ndim != 1 or given.dtype.kind not in "biuf":
            raise InputError(
                f"the row is a {type(x).__name__} of shape {given.shape} and dtype {given.dtype}; "
                "it must be a dict of names and numbers, or a list or array of numbers."
            )
        values = given.astype(FLOAT)
    check_finite(range(len(values)), values)
    return values


def check_finite(names: Any, numbers: np.ndarray) -> None:
    """Raise if one of the numbers of a row is not finite."""
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        name = list(names)[bad[0]]
        raise InputError(
            f"the feature {name!r:.80} is {numbers[bad[0]]}; a finite number is needed: leave the "
            "feature or the row out."
        )


def bad_value(x: Any) -> InputError:
    """What to say of a row that holds something which is not a number."""
    for name, value in x.items():
        try:
            struct.pack("d", value)
        except NO_NUMBER:
            if isinstance(value, int):
                return InputError(
                    f"the feature {name!r:.80} is beyond 1.8e308, which floats cannot hold; divide "
                    "it by a power of ten."
                )
            return InputError(
                f"the feature {name!r:.80} is {value!r:.80}; a number is needed, and a word can "
                "be a feature 'name=word' of 1."
            )
    return InputError("the row cannot be read as names and numbers.")
