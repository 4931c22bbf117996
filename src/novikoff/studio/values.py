"""Values out of JSON that may come from anywhere, each with its limits: numbers, texts, lists, and
the words about where rows came from.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from novikoff.conventions import whole_number
from novikoff.errors import InputError, one_of
from novikoff.io.options import DECIMALS, THOUSANDS


def listed(key: str, values: Any, most: int) -> list[Any]:
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


Section = dict[str, Any]  # a part of what the page is sent; page/types.js has its fields
Mark = dict[str, Any]  # a shape on the plane or in a picture, of the same kind

COLUMN_LISTS = ("drop", "keep", "categorical")  # as the page may name columns


def read_origin(given: Any, n_rows: int, most: int) -> np.ndarray | None:
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != n_rows:
        raise InputError("origin must be null, or one place in the table for each row.")
    return np.array([whole_number("origin", i, -1, most) for i in given], dtype=np.int64)


def read_source(given: Any) -> dict[str, Any]:
    """Where the rows came from, in known words only."""
    given = given if isinstance(given, dict) else {}
    kept: dict[str, Any] = {"kind": "own"}
    if given.get("kind") in ("set", "csv", "given"):
        kept["kind"] = given["kind"]
    for key in ("name", "note", "label", "drawn", "file"):
        if isinstance(given.get(key), str):
            kept[key] = given[key][:300]
    columns = given.get("columns")
    is_pair = isinstance(columns, list) and len(columns) == 2
    if columns == "projection" or (is_pair and all(type(c) is int for c in columns)):
        kept["columns"] = columns
    for key, most in (("names", 100), ("labels", 100), ("notes", 300)):
        found = given.get(key)
        if isinstance(found, list) and len(found) <= 1000:
            kept[key] = [str(name)[:most] for name in found]
    if type(given.get("width")) is int and given["width"] > 0:
        kept["width"] = given["width"]
    if isinstance(given.get("reading"), dict):
        kept["reading"] = read_reading(given["reading"])
    return kept | {key: True for key in ("edited", "moved", "rounded") if given.get(key) is True}


def read_reading(given: Any) -> dict[str, Any]:
    """How a file is to be read, as far as the page may say it: columns, rows and notation."""
    known = {*COLUMN_LISTS, "missing", "decimal", "thousands"}
    if not isinstance(given, dict) or not set(given) <= known:
        raise InputError(f"a file is read with {', '.join(sorted(known))} alone.")
    kept: dict[str, Any] = {}
    for name in COLUMN_LISTS:
        if given.get(name):
            kept[name] = list(map(text_of, listed(name, given[name], 1000)))
    words = {"missing": ("error", "drop"), "decimal": DECIMALS, "thousands": THOUSANDS}
    for name, marks in words.items():
        if given.get(name):
            one_of(name, given[name], marks)
            kept[name] = given[name]
    return {name: value for name, value in kept.items() if value != "error"}
