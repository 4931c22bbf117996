"""y as signs, or as places among its labels, of which the last in this order has sign +1:

an ordered categorical (pandas, polars' Enum, pyarrow)   its own order
numbers written as text, such as '+1' and '-1'           as numbers; a bare '+' or '-' is ±1
anything else                                            sorted, as numpy sorts it
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.inputs.tensors import in_memory, with_gaps
from novikoff.wording import count

NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,6})?\s*")
FEW_CLASSES = 16  # up to so many classes, comparing with each is cheaper than sorting all labels


@dataclass(frozen=True, eq=False)
class Labels:
    """Two labels as signs: `classes` is (the negative one, the positive one)."""

    signs: np.ndarray  # int8, -1 or +1
    classes: tuple[Any, Any]

    def alone(self) -> Labels:
        """The same, with signs of their own where they are a column of a matrix."""
        return Labels(np.ascontiguousarray(self.signs), self.classes)


def read_labels(
    y: Any, n_rows: int, positive: Any = None, name: str = "y", many: str = "certify_classes"
) -> Labels:
    """y as signs; the positive class is `positive`, or else the larger label.

    many: the function that answers the same question of more than two classes.
    """
    found, codes = read_ordered(y, n_rows, name)
    if len(found) != 2:
        few = ", ".join(repr(_plain(label)) for label in found[:5]) + ", …" * (len(found) > 5)
        raise InputError(
            f"{name} has {count(len(found), 'class')} ({few}); 2 are needed."
            + (f" Choose two of them, or use {many}." if len(found) > 2 else "")
        )
    if positive is None:
        positive = found[1]
    matches = [k for k in (0, 1) if is_same_label(found[k], positive)]
    if len(matches) != 1:
        raise InputError(
            f"positive is {positive!r}, but the labels of {name} are "
            f"{_plain(found[0])!r} and {_plain(found[1])!r}; choose one of them."
        )
    chosen = matches[0]
    signs = np.where(codes == chosen, np.int8(1), np.int8(-1))
    return Labels(signs, (_plain(found[1 - chosen]), _plain(found[chosen])))


def read_ordered(y: Any, n_rows: int, name: str = "y") -> tuple[np.ndarray, np.ndarray]:
    """The labels of y from the smallest to the largest, and each row's place among them."""
    found, codes = read_classes(y, n_rows, name)
    labels = found.tolist()
    ranks = {label: rank for rank, label in enumerate(ordered_categories(y) or ())}
    sizes: Any = None
    if ranks and all(label in ranks for label in labels):
        sizes = [ranks[label] for label in labels]
    elif found.dtype.kind in "USO":
        texts = [_signed(label) for label in labels]
        if all(text is not None and NUMBER.fullmatch(text) for text in texts):
            sizes = [(Decimal(str(text).strip()), text) for text in texts]
    order = sorted(range(len(labels)), key=sizes.__getitem__) if sizes else []
    if order == sorted(order):
        return found, codes
    return found[order], np.argsort(order).astype(codes.dtype)[codes]


def _signed(label: Any) -> str | None:
    """A text with a plain minus for a typeset one; a bare sign is that of 1. None for no text."""
    label = label.decode("ascii", "replace") if isinstance(label, bytes) else label
    if not isinstance(label, str):
        return None
    text = label.strip().replace("\u2212", "-")
    return f"{text}1" if text in ("+", "-") else text


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


def read_classes(y: Any, n_rows: int, name: str = "y") -> tuple[np.ndarray, np.ndarray]:
    """The sorted labels of y, and for each row the place of its label among them."""
    y = in_memory(y, name)
    check_one_type(y, name)
    labels = _as_array(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels.ravel()
    if labels.ndim != 1:
        raise InputError(f"{name} has shape {labels.shape}; it must be 1-D, one label a row.")
    if len(labels) != n_rows:
        raise InputError(
            f"X and {name} do not match: X has {n_rows} rows and {name} has {len(labels)} labels."
        )
    few = _few_classes(labels) if labels.dtype.kind in "biufUS" and n_rows else None
    if few is not None:
        return few
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise InputError(f"{name} contains NaN or infinity; every row needs a label.")
    is_dated = labels.dtype.kind in "mM"
    if (is_dated and np.isnat(labels).any()) or (
        labels.dtype.kind == "O" and any(_is_nothing(label) for label in labels)
    ):
        raise InputError(f"{name} has a missing label; every row needs one: drop such rows first.")
    try:
        found, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        raise _mixed(labels, name) from None
    return found, codes


def check_one_type(y: Any, name: str = "y") -> None:
    """Raise if y is a list of text and of other things, all of which numpy would make text."""
    if isinstance(y, (list, tuple)):
        n_texts = sum(isinstance(label, str) for label in y)
        if 0 < n_texts < len(y) and not any(label is None for label in y):
            raise _mixed(y, name)


def without_missing(y: Any) -> tuple[np.ndarray | None, Any]:
    """The places of the labels that are there, None for all; and these labels.

    A label is missing where it is None, NaN, NaT or pandas' NA, or masked.
    """
    y = with_gaps(y, "y")
    labels = _as_array(y)
    if labels.ndim != 1 or labels.dtype.kind in "biuUS":
        return None, y
    if labels.dtype.kind in "fc":
        gaps = np.isnan(labels)
    elif labels.dtype.kind in "mM":
        gaps = np.isnat(labels)
    else:
        gaps = np.array([_is_nothing(label) for label in labels], dtype=bool)
    if not gaps.any():
        return None, y
    places = np.flatnonzero(~gaps)
    if isinstance(y, (np.ndarray, list, tuple)):
        return places, labels[places]
    if hasattr(y, "combine_chunks"):  # pyarrow's; an ordered categorical keeps its order
        return places, y.take(places)
    return places, y.iloc[places] if hasattr(y, "iloc") else y[places]


def _as_array(y: Any) -> np.ndarray:
    """y as numpy has it, with None for a missing value.

    numpy sees a missing value of pyarrow's chunked dictionaries as their last label.
    """
    if hasattr(y, "num_columns") and y.num_columns == 1:  # a table of pyarrow
        y = y.column(0)
    if hasattr(y, "chunks") and hasattr(y.type, "index_type"):
        y = y.cast(y.type.value_type)
    return np.asarray(y)


def _is_nothing(label: Any) -> bool:
    try:
        return label is None or bool(label != label)
    except TypeError:  # NA, which is neither equal to itself nor not
        return True


def _mixed(labels: Any, name: str) -> InputError:
    kinds = sorted({type(label).__name__ for label in labels})
    return InputError(f"{name} mixes labels of types {' and '.join(kinds)}; give them one type.")


def _few_classes(y: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The same where the classes are few; None where they are not, or one equals nothing."""
    firsts = [0]  # the row where each class first appears
    rest = y != y[0]
    codes = None
    while rest[k := int(rest.argmax())]:
        if len(firsts) == FEW_CLASSES or y[k] != y[k]:
            return None
        same = y == y[k]
        rest ^= same
        if codes is None:
            codes = same.view(np.int8)
        else:
            codes += same.view(np.int8) * np.int8(len(firsts))
        firsts.append(k)
    if codes is None:
        codes = np.zeros(len(y), dtype=np.int8)
    found = y[firsts]
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        return None
    by_size = np.argsort(found)
    if len(found) == 2 and by_size[0] == 1:
        codes ^= 1
    elif len(found) > 2:
        codes = np.argsort(by_size).astype(np.int8)[codes]
    return found[by_size], codes


def is_same_label(label: Any, wanted: Any) -> bool:
    """Whether this label is meant: itself, or its text, or for a number another text of it."""
    if label == wanted or str(label) == str(wanted):
        return True
    try:
        is_number = isinstance(wanted, str) and not isinstance(label, (str, bool, np.bool_))
        return is_number and float(wanted) == label
    except ValueError:
        return False


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
