"""Arrays of other libraries, and numbers shorter than 32 bits: as numpy has them, in memory.

A tensor in the memory of the processor is seen, not copied, wherever its library allows it; one on
a GPU is refused with a sentence, because moving it is the caller's decision. Half precision,
bfloat16 and integers of at most 16 bits are float32 exactly, so a table of them never becomes a
larger one of float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError

IN_MEMORY = (1, 3, 11, 13)  # DLPack's kinds of memory that the processor can read
SHORT = ("bfloat16", "float8", "int4", "uint4", "int2", "uint2", "float4", "float6")  # ml_dtypes


def in_memory(X: Any, name: str) -> Any:
    """X, or what numpy can read of it; InputError where it is not in the processor's memory."""
    if isinstance(X, np.ndarray) or not hasattr(X, "__dlpack_device__"):
        return X
    if getattr(X, "requires_grad", False):
        X = X.detach()
    try:
        kind = int(X.__dlpack_device__()[0])
    except (AttributeError, TypeError, ValueError, RuntimeError, BufferError):
        kind = IN_MEMORY[0]
    if kind not in IN_MEMORY:
        raise InputError(
            f"{name} is a tensor on {getattr(X, 'device', 'another device')}; novikoff computes on "
            f"the processor: move it there first, for example with {name}.cpu()."
        )
    if str(getattr(X, "dtype", "")) == "torch.bfloat16":  # which numpy has no name for
        X = X.float()
    if hasattr(X, "__array__"):
        return X
    try:
        return np.from_dlpack(X)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise InputError(f"{name} cannot be read as an array: {error}.") from None


def widened(X: np.ndarray) -> np.ndarray:
    """Numbers of at most 16 bits as float32, which holds them all; everything else as it is."""
    kind, size = X.dtype.kind, X.dtype.itemsize
    is_short = kind in "biuf" and size <= 2
    if is_short or (kind not in "biuf" and X.dtype.name.startswith(SHORT)):
        return X.astype(np.float32)
    return X
