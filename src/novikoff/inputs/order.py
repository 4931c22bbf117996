"""Which of several labels is the larger? The last one in this order has sign +1.

an ordered categorical (pandas, polars' Enum, pyarrow)   its own order
numbers written as text, such as '+1' and '-1'           as numbers; a bare '+' or '-' is ±1
anything else                                            sorted, as numpy sorts it
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,6})?\s*")


def places_in_order(found: np.ndarray, y: Any) -> np.ndarray:
    """The places of the sorted labels `found` of y, from the smallest label to the largest."""
    categories = ordered_categories(y)
    if categories is not None:
        ranks = {label: rank for rank, label in enumerate(categories)}
        labels = found.tolist()
        if all(label in ranks for label in labels):
            return np.array(sorted(range(len(labels)), key=lambda k: ranks[labels[k]]))
    if found.dtype.kind in "USO":
        texts = [_signed(_text(label)) for label in found.tolist()]
        if all(text is not None and NUMBER.fullmatch(text) for text in texts):
            sizes = [Decimal(str(text).strip()) for text in texts]
            return np.array(sorted(range(len(texts)), key=lambda k: (sizes[k], texts[k])))
    return np.arange(len(found))


def _signed(text: str | None) -> str | None:
    """The text with a plain minus for a typeset one; a bare sign is that of 1."""
    if text is None:
        return None
    text = text.strip().replace("\u2212", "-")
    return f"{text}1" if text in ("+", "-") else text


def _text(label: Any) -> str | None:
    if isinstance(label, bytes):
        return label.decode("ascii", "replace")
    return label if isinstance(label, str) else None


def ordered_categories(y: Any) -> Sequence[Any] | None:
    """The categories of y in their order, where they have one."""
    if getattr(y, "ndim", None) == 2 and hasattr(y, "iloc"):  # a frame of one column
        y = y.iloc[:, 0]
    elif hasattr(y, "get_columns"):  # the same, of polars
        y = y.get_columns()[0]
    kind = getattr(y, "dtype", None)
    if getattr(kind, "ordered", False) is True or type(kind).__name__ == "Enum":
        return list(kind.categories)  # type: ignore[union-attr]
    if getattr(getattr(y, "type", None), "ordered", False) is True:
        whole = y.combine_chunks() if hasattr(y, "combine_chunks") else y
        parts = whole.chunks if hasattr(whole, "chunks") else [whole]
        if len(parts) == 1:
            return list(parts[0].dictionary.to_pylist())
    return None
