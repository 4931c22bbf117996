"""Lengths and projections that neither overflow nor underflow on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.errors import InputError
from novikoff.exact.norms import exponent_of, scaled
from novikoff.inputs import in_memory

if TYPE_CHECKING:
    from novikoff.inputs.type_aliases import NumbersLike


def read_vector(v: Any, name: str) -> np.ndarray:
    """v as a one-dimensional float64 array of finite numbers."""
    v = in_memory(v, name)
    try:
        vector = np.asarray(v, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} is {v!r}; it must be a list of numbers.") from None
    if vector.ndim != 1 or not vector.size:
        raise InputError(f"{name} has shape {vector.shape}; it must be one vector of numbers.")
    if not np.isfinite(vector).all():
        raise InputError(f"{name} contains NaN or infinity; every entry must be finite.")
    return vector


def scaled_length(v: np.ndarray) -> tuple[float, int]:
    """‖v‖ as (fraction, e), meaning fraction·2^e; the fraction is a moderate number."""
    e = exponent_of(v)
    return float(np.linalg.norm(np.ldexp(v, -e))), e


def length(v: NumbersLike) -> float:
    """‖v‖; infinity only where the length itself is beyond float64."""
    return float(scaled(*scaled_length(read_vector(v, "v"))))


def unit_normal(w: NumbersLike) -> np.ndarray:
    """w/‖w‖: the direction in which the score w·x + b rises fastest."""
    return _direction(read_vector(w, "w"), "w")


def _direction(v: np.ndarray, name: str) -> np.ndarray:
    fraction, e = scaled_length(v)
    if fraction == 0.0:
        raise InputError(f"{name} is the zero vector, which has no direction.")
    return np.asarray(np.ldexp(v, -e) / fraction)


def projection(u: NumbersLike, v: NumbersLike) -> np.ndarray:
    """The projection of u on v: (u·v / v·v)·v, the point of the line through v nearest to u."""
    u, v = read_vector(u, "u"), read_vector(v, "v")
    if len(u) != len(v):
        raise InputError(f"u has {len(u)} entries and v has {len(v)}; they must have as many.")
    direction = _direction(v, "v")
    e = exponent_of(u)
    return np.asarray(scaled(float(np.ldexp(u, -e) @ direction) * direction, e))
