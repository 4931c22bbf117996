"""The one door for arrays of other libraries: as numpy has them, in memory, or one sentence.

A tensor in the memory of the processor is seen, not copied, wherever its library allows it; one on
a GPU is refused with a sentence, because moving it is the caller's decision. Half precision,
bfloat16 and integers of at most 16 bits are float32 exactly, so a table of them never becomes a
larger one of float64. A masked value is a missing one.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from novikoff.errors import InputError

IN_MEMORY = (1, 3, 11, 13)  # DLPack's kinds of memory that the processor can read
SHORT = ("bfloat16", "float8_", "float6_", "float4_", "int4", "uint4", "int2", "uint2")  # ml_dtypes
WHOLE_FLOATS = 2**53  # up to here every whole number is a float64


def in_memory(X: Any, name: str) -> Any:
    """X as it is, or as a numpy array where it is a tensor or a masked array without gaps."""
    if _is_masked_array(X):
        if np.ma.is_masked(X):
            raise InputError(f"{name} has masked values; fill them, or drop their rows first.")
        return X.data
    if isinstance(X, (list, tuple)) and X and (_is_masked_array(X[0]) or _is_tensor(X[0])):
        return [in_memory(part, name) for part in X]
    return _plain(X, name) if _is_tensor(X) else X


def with_gaps(X: Any, name: str) -> Any:
    """The same, where missing values have their own rules: a masked one is NaN, or None."""
    if not _is_masked_array(X) or not np.ma.is_masked(X):
        return in_memory(X, name)
    gaps, dtype = np.ma.getmaskarray(X), X.dtype
    if dtype.kind in "biu":
        sizes = map(abs, X.data[~gaps].tolist())
        dtype = np.dtype(np.float64 if max(sizes, default=0) <= WHOLE_FLOATS else object)
    dtype = dtype if dtype.kind == "f" else np.dtype(object)
    found = np.array(X.data, dtype=dtype)
    found[gaps] = np.nan if dtype.kind == "f" else None
    return found


def widened(X: np.ndarray) -> np.ndarray:
    """Numbers of at most 16 bits as float32, which holds them all; everything else as it is."""
    kind, size = X.dtype.kind, X.dtype.itemsize
    is_short = kind in "biuf" and size <= 2
    if is_short or (kind not in "biuf" and X.dtype.name.startswith(SHORT)):
        return X.astype(np.float32)
    return X


def _is_masked_array(X: Any) -> bool:
    """Whether X can have masked values; nobody has such an array who has not loaded numpy.ma."""
    loaded = sys.modules.get("numpy.ma")
    return loaded is not None and isinstance(X, loaded.MaskedArray)


def _is_tensor(X: Any) -> bool:
    """Whether X speaks DLPack, or is an array with a device; numpy's own are none."""
    if isinstance(X, (np.ndarray, np.generic, list, tuple, str)):
        return False
    of_type = type(X)  # a column of a frame may have any name
    if hasattr(of_type, "__dlpack__") or hasattr(of_type, "__dlpack_device__"):
        return True
    return hasattr(of_type, "__array__") and hasattr(of_type, "device")


def is_elsewhere(X: Any) -> bool:
    """Whether X is a tensor that is not in the memory of the processor."""
    if not _is_tensor(X):
        return False
    try:
        if int(X.__dlpack_device__()[0]) not in IN_MEMORY:
            return True
        library = X.__array_namespace__()
        return bool(X.device != library.__array_namespace_info__().default_device())
    except Exception:  # of a library that is not known here
        return False


def to_be_moved(X: Any, name: str, why: str) -> InputError:
    """The error for a tensor on a device that cannot be used there."""
    return InputError(
        f"{name} is a tensor on {getattr(X, 'device', 'another device')}; {why}: move it to the "
        f"processor first, for example with {name}.cpu()."
    )


def _plain(X: Any, name: str) -> np.ndarray:
    """A tensor as a numpy array; InputError where it is elsewhere, or cannot be read."""
    if getattr(X, "requires_grad", False):
        X = X.detach()
    if is_elsewhere(X):
        raise to_be_moved(X, name, "this is computed on the processor")
    dtype = str(getattr(X, "dtype", "")).removeprefix("torch.")
    try:
        if dtype.startswith(SHORT) and hasattr(X, "float"):  # which numpy has no name for
            X = X.float()
        return np.asarray(X) if hasattr(X, "__array__") else np.from_dlpack(X)
    except Exception as error:  # of a library that is not known here
        why = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        raise InputError(
            f"{name} is of type {type(X).__name__} and cannot be read as an array ({why}); give a "
            "numpy array."
        ) from None
