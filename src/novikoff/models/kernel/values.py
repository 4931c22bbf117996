"""Kernel values, block by block: a named kernel, a callable, or a matrix given ready-made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.conventions import whole_number
from novikoff.errors import InputError
from novikoff.models.data import squares_of

KERNELS = ("linear", "poly", "rbf", "precomputed")


@dataclass(frozen=True)
class Kernel:
    """K(a, b): a·b, (coef0 + gamma·a·b)^degree, exp(−gamma·‖a − b‖²), or a function's value."""

    name: str  # one of KERNELS, or 'callable'
    degree: int = 1
    gamma: float = 1.0
    coef0: float = 0.0
    function: Callable[[Any, Any], Any] | None = None

    def between(self, A: Any, B: Any) -> np.ndarray:
        """The matrix of K(a, b) for all rows a of A and b of B: dense and finite.

        Computed in the precision of A and B; distances, which cancel, always in float64.
        """
        if self.function is not None:
            return _checked(self.function(A, B), (A.shape[0], B.shape[0]))
        with np.errstate(over="ignore", invalid="ignore"):
            if self.name == "rbf":
                values = self._rbf(A.astype(np.float64), B.astype(np.float64))
            else:
                values = _products(A, B)
                if self.name == "poly":
                    values = self._poly(values)
            if np.isfinite(values.sum()) or np.isfinite(values).all():
                return values
        raise InputError(
            f"the kernel {self.name!r} overflows on these rows; scale the columns of X, "
            "for example to at most 1."
        )

    def _poly(self, values: np.ndarray) -> np.ndarray:
        if self.gamma != 1.0:
            values *= values.dtype.type(self.gamma)
        values += values.dtype.type(self.coef0)
        return _power(values, self.degree)

    def _rbf(self, A: Any, B: Any) -> np.ndarray:
        values = _products(A, B)
        values *= -2.0
        values += squares_of(A)[:, None]
        values += squares_of(B)[None, :]
        np.maximum(values, 0.0, out=values)
        values *= -self.gamma
        return np.asarray(np.exp(values, out=values))


def read_kernel(kernel: Any, degree: Any, gamma: Any, coef0: Any, X: Any) -> Kernel:
    """The kernel that the parameters name, with its gamma for the rows X."""
    if callable(kernel):
        return Kernel("callable", function=kernel)
    if not (isinstance(kernel, str) and kernel in KERNELS):
        names = ", ".join(map(repr, KERNELS))
        raise InputError(f"kernel is {kernel!r}; it must be one of {names}, or a function of A, B.")
    if kernel in ("linear", "precomputed"):
        return Kernel(kernel)
    read = _read_gamma(gamma, 1.0 if kernel == "poly" else None, X)
    if kernel == "rbf":
        return Kernel(kernel, gamma=read)
    whole_number("degree", degree)
    return Kernel(kernel, int(degree), read, _read_number("coef0", coef0))


def _read_gamma(gamma: Any, default: float | None, X: Any) -> float:
    if gamma is None and default is not None:
        return default
    if gamma is None or (isinstance(gamma, str) and gamma == "scale"):
        spread = X.shape[1] * _variance(X)
        return 1.0 / spread if spread > 0.0 else 1.0
    if isinstance(gamma, str) or _read_number("gamma", gamma) <= 0.0:
        raise InputError(f"gamma is {gamma!r}; it must be None, 'scale' or a number above 0.")
    return float(gamma)


def _read_number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise InputError(f"{name} is {value!r}; it must be a finite number.")
    return number


def _variance(X: Any) -> float:
    """The variance of all entries of X, dense or sparse, as one population."""
    if isinstance(X, np.ndarray):
        return float(X.var(dtype=np.float64))
    n = X.shape[0] * X.shape[1]
    mean = X.data.sum(dtype=np.float64) / n
    spread = np.square(X.data - mean, dtype=np.float64).sum() + (n - X.data.size) * mean**2
    return float(spread / n)


def check_sums(scores: np.ndarray) -> None:
    """Raise if sums of kernel values are not finite."""
    if not np.isfinite(scores).all():
        raise InputError(
            "the sums of kernel values overflow; divide X, or the weights of rows and classes, "
            "by a power of ten."
        )


def dense(matrix: Any) -> np.ndarray:
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)


def _products(A: Any, B: Any) -> np.ndarray:
    """All a·b, as a new dense matrix."""
    if hasattr(A, "indices") and hasattr(B, "indices") and A.shape[1] > A.nnz + B.nnz:
        columns = np.union1d(A.indices, B.indices)  # a transpose has room for all that there are
        A, B = (_only(columns, matrix) for matrix in (A, B))
    return dense(A @ B.T)


def _only(columns: np.ndarray, matrix: Any) -> Any:
    """The columns named, in which all that is stored stands."""
    places = np.searchsorted(columns, matrix.indices)
    shape = (matrix.shape[0], len(columns))
    return type(matrix)((matrix.data, places, matrix.indptr), shape=shape)


def _power(values: np.ndarray, degree: int) -> np.ndarray:
    """values ** degree by squaring: faster than pow, and exact where the products are."""
    result: np.ndarray | None = None
    while True:
        if degree & 1:
            result = values.copy() if result is None else np.multiply(result, values, out=result)
        degree >>= 1
        if degree == 0:
            return values if result is None else result
        np.multiply(values, values, out=values)


def _checked(values: Any, shape: tuple[int, int]) -> np.ndarray:
    """What a callable kernel returned, if it is a matrix of that shape and finite."""
    try:
        matrix = dense(values)
        if matrix.dtype.kind == "c":
            raise TypeError
        if matrix.dtype not in (np.float32, np.float64):
            matrix = matrix.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"the kernel returned {type(values).__name__}; it must return a matrix of real numbers."
        ) from None
    if matrix.shape != shape:
        raise InputError(
            f"the kernel returned shape {matrix.shape}; for {shape[0]} and {shape[1]} rows it must "
            f"return shape {shape}."
        )
    if not np.isfinite(matrix).all():
        what = "NaN" if np.isnan(matrix).any() else "infinity"
        raise InputError(f"the kernel returned {what}; every kernel value must be a finite number.")
    return matrix
