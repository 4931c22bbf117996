"""Weights by name that grow, and the scores of one row under all of them.

Column 0 holds the offsets, columns 1, 2, … the features in the order in which they came; an
array row has the names 0, 1, … What follows them is zero. The last row of the memory is where a
row with all names is laid out, so that one product of the memory with that row gives all scores
and the square of the row's norm.
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
NEVER = -1


class GrowingWeights:
    """What a learner of single rows keeps: lines of weights, and the places of names in them."""

    _by_name: bool | None
    _shape: tuple[int, ...] | None
    _compact: tuple[np.ndarray, np.ndarray, np.ndarray] | None

    def __init__(self, constant: float) -> None:
        self._constant = constant  # 1 with an offset, else 0
        self._places: dict[Hashable, int] = {}  # the column of each name
        self._by_name = None  # rows are dicts, or arrays; None before the first
        self._memory = np.zeros((1, 2))
        self._reshaped()

    def _reshaped(self) -> None:
        """To be called when names or lines have come."""
        self._n_names = len(self._places)
        self._factor = square_factor(self._n_names + 1)
        self._shape, self._width = None, NEVER  # no row is dense until the memory is laid out
        self._compact = None

    def _lay_out(self) -> None:
        """Make the memory just as wide as it must be, and ready for dense rows."""
        n = self._n_names
        if self._memory.shape[1] != n + 2:
            self._memory = np.ascontiguousarray(self._memory[:, : n + 2])
        self._row = self._memory[-1]
        self._row[0] = self._constant
        self._slots = self._row[1:-1]
        self._bytes = memoryview(self._row).cast("B")
        self._lines = list(self._memory[:-1])
        self._first = self._memory[0]
        self._dot, self._out = self._memory.dot, np.empty(len(self._memory))
        self._pack: Callable[..., None] = struct.Struct(f"{n}d").pack_into
        if self._by_name:
            self._width = n
            self._keys = [*self._places]
            only, *others = self._keys
            self._getter = itemgetter(only, *others) if others else lambda x: (x[only],)
        else:
            self._shape = (n,)

    def _read(self, x: Any, learns: bool) -> list[float]:
        """The scores of a row under all lines, as float sums, then the square of its norm.

        Where it `learns`, names that are new get a place.
        """
        if not isinstance(x, Mapping):
            return self._read_array(x, learns)
        if self._by_name and len(x) == self._n_names and type(x) is dict:
            if self._width == NEVER:
                self._lay_out()
            try:
                self._pack(self._bytes, 8, *self._getter(x))
                self._compact = None
                return self._products()
            except KeyError:
                pass
            except NO_NUMBER:
                raise bad_value(x) from None
        return self._read_by_name(x, learns)

    @np.errstate(over="ignore", invalid="ignore", under="ignore")
    def _products(self) -> list[float]:
        """The row at hand times every line, then times itself; huge ones are infinite."""
        return self._dot(self._row, self._out).tolist()

    def _read_by_name(self, x: Mapping[Hashable, Any], learns: bool) -> list[float]:
        """A row with only some of the names, or with new ones."""
        if self._by_name is False:
            raise InputError(
                f"the row is a {type(x).__name__}, and the rows before it were arrays of "
                f"{self._n_names} numbers; a model learns from one or the other."
            )
        n = len(x)
        try:
            row = np.frombuffer(struct.pack(f"{n + 1}d", self._constant, *x.values()))
        except NO_NUMBER:
            raise bad_value(x) from None
        with np.errstate(over="ignore"):
            square = float(row.dot(row))
        if not square < math.inf:
            check_finite(x, row)
        columns = np.empty(n + 1, dtype=np.intp)
        columns[0] = 0
        places = self._places
        try:
            columns[1:] = np.fromiter(map(places.__getitem__, x), np.intp, n)
        except KeyError:
            if learns:
                for name in x:
                    if name not in places:
                        places[name] = len(places) + 1
                self._grow()
                self._by_name = True
            spare = self._memory.shape[1] - 1  # a column that is always zero
            columns[1:] = np.fromiter(map(places.get, x, repeat(spare)), np.intp, n)
        lines = self._memory[:-1].take(columns, axis=1)
        self._compact = (row, lines, columns)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return [*lines.dot(row).tolist(), square]

    def _read_array(self, x: Any, learns: bool) -> list[float]:
        """A row that is no dict, in any form that is not the fastest."""
        values = read_array(x)
        n = len(values)
        if self._by_name:
            raise InputError(
                f"the row is an array of {n} numbers, and the rows before it were dicts; a model "
                "learns from one or the other."
            )
        if self._by_name is None and learns:
            self._places = {j: j + 1 for j in range(n)}
            self._grow()
            self._by_name = False
        elif self._by_name is None:
            with np.errstate(over="ignore"):
                return [float(values.dot(values))]  # there is no line yet
        elif n != self._n_names:
            raise InputError(
                f"the row has {n} numbers; the rows before it had {self._n_names}, and all rows "
                "must be alike: give dicts of names and numbers if they are not."
            )
        if self._shape is None:
            self._lay_out()
        self._slots[...] = values
        self._compact = None
        return self._products()

    def _grow(self) -> None:
        """Make room for all names and a spare column."""
        self._make_room(len(self._places))

    def _make_room(self, n_names: int) -> None:
        needed, capacity = n_names + 2, self._memory.shape[1]
        if needed > capacity:
            memory = np.zeros((len(self._memory), max(needed, 2 * capacity)))
            memory[:-1, :capacity] = self._memory[:-1]
            self._memory = memory
        self._reshaped()

    def _weights(self) -> np.ndarray:
        """(lines, names + 1), the offsets first."""
        return self._memory[:-1, : self._n_names + 1]

    def _set_weights(self, W: np.ndarray) -> None:
        """Other lines, for the same names."""
        memory = np.zeros((len(W) + 1, max(W.shape[1] + 1, self._memory.shape[1])))
        memory[:-1, : W.shape[1]] = W
        self._memory = memory
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
    check_finite(range(len(values)), values, first=0)
    return values


def check_finite(names: Any, row: np.ndarray, first: int = 1) -> None:
    """Raise if a number of the row, the first ones left out, is not finite."""
    bad = np.flatnonzero(~np.isfinite(row[first:]))
    if len(bad):
        name = list(names)[bad[0]]
        raise InputError(
            f"the feature {name!r:.80} is {row[first + bad[0]]}; a finite number is needed: leave "
            "the feature or the row out."
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
