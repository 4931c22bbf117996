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


# Numbers, a sparse matrix, any DataFrame (which all have __array__), or rows of exact numbers.
RowsLike: TypeAlias = ArrayLike | SparseMatrix | ExactTable | Sequence[Sequence[object]]
RowLike: TypeAlias = Mapping[Any, float] | Sequence[float] | np.ndarray
LabelsLike: TypeAlias = ArrayLike | Sequence[object]
NumbersLike: TypeAlias = ArrayLike | Sequence[object]  # exact ones too
Seed: TypeAlias = int | np.random.RandomState | None
ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"] | None
