"""Numbers, texts and lists out of JSON that may come from anywhere, each with its limits."""

from __future__ import annotations

import math
from typing import Any

from novikoff.errors import InputError


def listed(given: dict[str, Any], key: str, most: int, default: Any = None) -> list[Any]:
    values = given.get(key, default)
    if not isinstance(values, (list, tuple)) or len(values) > most:
        raise InputError(f"{key} must be a list of at most {most}.")
    return list(values)


def text_of(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 100:
        raise InputError(f"{str(value)[:40]!r} is not a name of at most 100 characters.")
    return value


def real(value: Any, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"{value!r} is not a number.")
    if not (math.isfinite(value) and least <= value <= most):
        raise InputError(f"{value!r} is not between {least:g} and {most:g}.")
    return float(value)


def pair(value: Any, least: float, most: float) -> tuple[float, float]:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise InputError(f"{value!r} must be two numbers.")
    return real(value[0], least, most), real(value[1], least, most)
