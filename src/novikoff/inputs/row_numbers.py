"""Row numbers as the next line takes them: `X[rows]`, `frame.iloc[rows]`.

A tuple of numbers would be one cell's coordinates to numpy and pandas.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def row_numbers(rows: Iterable[int] | np.ndarray) -> np.ndarray:
    """A read-only int64 array of its own."""
    listed = rows if isinstance(rows, np.ndarray) else list(rows)
    found = np.array(listed, dtype=np.int64)
    found.flags.writeable = False
    return found
