"""What a model of single rows is in a file: names and classes of any plain kind, one tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.model_format import Stored, decode

LARGEST_PACKED_NAME = 2**62


def encoded_state(state: dict[str, Any]) -> dict[str, Any]:
    """The state with its names as arrays where they are words or whole numbers."""
    names = state["names"]
    kinds = set(map(type, names))
    packed: Any = names
    if state["by_name"] is False:
        packed = len(names)
    elif kinds == {int} and all(
        -LARGEST_PACKED_NAME < name < LARGEST_PACKED_NAME for name in names
    ):
        packed = np.array(names, dtype=np.int64)
    elif kinds == {str}:
        words = [name.encode("utf-8", "surrogatepass") for name in names]
        letters = np.frombuffer(b"".join(words), dtype=np.uint8)
        packed = (letters, np.cumsum([len(word) for word in words], dtype=np.int64))
    return {**state, "names": packed}


def decoded_state(stored: Stored) -> dict[str, Any]:
    """The state in a file, checked; ValueError, KeyError or TypeError where it does not fit."""
    head, tensors = stored
    state = {name: decode(value, tensors, {}) for name, value in head["fitted"].items()}
    state["parameters"] = {n: decode(v, tensors, {}) for n, v in head["parameters"].items()}
    counts, classes, W = state["counts"], state["classes"], state["weights"]
    if isinstance(state["names"], int):  # as many as there are weights, before they are listed
        _expect(W.ndim == 2 and state["names"] == W.shape[1] - 1, "names")
    state["names"] = names = _names(state["names"])
    fits = len(counts) == 3 and all(type(n) is int and n >= 0 for n in counts)
    _expect(fits and state["by_name"] in (None, True, False), "counts")
    _expect(len(set(names)) == len(names), "names")
    plain = all(isinstance(label, (str, int, float)) for label in classes)
    _expect(plain and sorted(set(classes)) == list(classes), "classes")
    n = len(classes) if len(classes) != 2 else 1
    _expect(W.dtype == np.float64 and W.shape == (n, len(names) + 1), f"weights of {W.shape}")
    _expect(bool(np.isfinite(W).all()), "a weight that is not finite")
    return state


def _names(packed: Any) -> list[Any]:
    if isinstance(packed, int):
        return list(range(packed))
    if isinstance(packed, tuple):
        letters, stops = packed[0].tobytes(), packed[1].tolist()
        starts = [0, *stops[:-1]]
        return [
            letters[start:stop].decode("utf-8", "surrogatepass")
            for start, stop in zip(starts, stops, strict=True)
        ]
    return list(packed.tolist() if isinstance(packed, np.ndarray) else packed)


def _expect(true: bool, what: str) -> None:
    if not true:
        raise ValueError(f"{what} does not fit")
