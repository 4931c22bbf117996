"""What X, y and their companions may be, for static tools: nothing here is needed at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike


class SparseMatrix(Protocol):
    """scipy's matrices and arrays, of any format."""

    def tocsr(self) -> Any: ...


class ExactTable(Protocol):
    """A `Table`, whose rows can be read as exact integers."""

    @property
    def matrix(self) -> Any: ...


class Frame(Protocol):
    """A DataFrame of any library."""

    @property
    def columns(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, int]: ...


# Numbers, a sparse matrix, any DataFrame (which all have __array__), or rows of exact numbers.
RowsLike: TypeAlias = ArrayLike | SparseMatrix | ExactTable | Sequence[Sequence[object]]
RowLike: TypeAlias = Mapping[Any, float] | Sequence[float] | np.ndarray
LabelsLike: TypeAlias = ArrayLike | Sequence[object]
LabelArray: TypeAlias = np.ndarray[tuple[int], np.dtype[Any]]  # and arrays of any shape pass for it
LabellingsLike: TypeAlias = np.ndarray[tuple[int, int], np.dtype[Any]] | Frame | SparseMatrix
NumbersLike: TypeAlias = ArrayLike | Sequence[object]  # exact ones too
Seed: TypeAlias = int | np.random.RandomState | None
ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"] | None
