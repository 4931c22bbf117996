"""Small families with a known answer: the tightest, the slowest, the touching, the traps."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.conventions import whole_number
from novikoff.datasets.dataset import (
    Dataset,
    check_real,
    check_size,
    margin_of,
    obstruction,
    root_rounded_down,
    rows_and_signs,
)
from novikoff.datasets.lectures import truth_table
from novikoff.errors import InputError, one_of

WITH_OFFSET: dict[str, Any] = {"fit_intercept": True}


def tight(d: int) -> Dataset:
    """The rows ±e1 … ±ed, on which the mistake bound is attained.

    sign·row = ei, so R = 1, γ = 1/√d, and the perceptron from zeros without an offset makes
    exactly d = (R/γ)² mistakes, in any order. Signs alternate, + first.
    """
    d = whole_number("d", d, 2)
    check_size(d, d)
    y = np.where(np.arange(d) % 2 == 0, 1, -1)
    return Dataset(
        f"tight:{d}",
        np.diag(y.astype(np.float64)),
        y,
        f"Signed unit vectors: exactly {d} mistakes, as many as the bound (R/γ)² allows.",
        {"fit_intercept": False, "tie": "mistake"},
        status="separable",
        separator=np.append(np.ones(d), 0.0),
        margin=root_rounded_down(Fraction(1, d)),
    )


def badmargin(n: int) -> Dataset:
    """n + 1 rows of n bits whose margin falls, and whose mistakes grow, exponentially in n.

    Row i has a 1 at column i and at i+1, i+3, …; the last row is zero; signs alternate, + first.
    The integers (w, b) that score ±1 on every row grow like Fibonacci's numbers, and the margin
    γ of the rows with their 1 is exactly 1/‖(w, b)‖. Cyclic passes from zeros make
    61, 161, 417, 1093, 2857, 7481, 19581 mistakes for n = 4 … 10. `separator` is (w, b) as long
    as float64 holds it exactly (n <= 76).
    """
    n = whole_number("n", n, 2, 1000)
    X = np.zeros((n + 1, n))
    for i in range(n):
        X[i, i] = 1.0
        X[i, i + 1 :: 2] = 1.0
    y = np.where(np.arange(n + 1) % 2 == 0, 1, -1)
    weights = _unit_scores(n)
    exact = max(map(abs, weights)) <= 2**53
    return Dataset(
        f"badmargin:{n}",
        X,
        y,
        f"{n + 1} rows of bits whose margin is exponentially small in the number of columns.",
        {"fit_intercept": True, "tie": "mistake", "order": "cyclic"},
        status="separable",
        separator=np.array(weights, dtype=np.float64) if exact else None,
        margin=root_rounded_down(Fraction(1, sum(value**2 for value in weights))),
    )


def _unit_scores(n: int) -> list[int]:
    """The integers (w, b) for which every row of badmargin(n) has sign·score = 1."""
    weights = [0] * n + [1 if n % 2 == 0 else -1]
    for i in reversed(range(n)):
        sign = 1 if i % 2 == 0 else -1
        weights[i] = sign - weights[n] - sum(weights[i + 1 : n : 2])
    return weights


def xor() -> Dataset:
    """The truth table of XOR: overlapping, with λ = ¼ on each of the four rows."""
    return truth_table("xor")


def parity(d: int) -> Dataset:
    """All rows of d bits, sign + where the number of ones is odd; parity(2) is XOR.

    Overlapping, with λ = 2^-d on every row: both hulls are centred at (½, …, ½).
    """
    d = whole_number("d", d, 2, 20)
    check_size(2**d, d)
    X = (np.arange(2**d)[:, None] >> np.arange(d)[::-1] & 1).astype(np.float64)
    y = np.where(X.sum(axis=1) % 2 == 1, 1, -1)
    return Dataset(
        f"parity:{d}",
        X,
        y,
        f"All {2**d} rows of {d} bits, positive where the number of ones is odd.",
        dict(WITH_OFFSET),
        status="overlapping",
        obstruction=obstruction(dict.fromkeys(range(2**d), 2.0**-d)),
    )


def touching() -> Dataset:
    """A corner of one hull on a side of the other: quasi-separable by x1 >= 0."""
    X, y = rows_and_signs(
        [((0, -1), -1), ((0, 1), -1), ((-1, 0), -1), ((0, 0), 1), ((1, 1), 1), ((1, -1), 1)]
    )
    return Dataset(
        "touching",
        X,
        y,
        "A corner of one hull lies on a side of the other: x1 >= 0 separates weakly, nothing "
        "strictly.",
        dict(WITH_OFFSET),
        status="quasi-separable",
        obstruction=obstruction({0: 0.25, 1: 0.25, 3: 0.5}),
    )


def conflict() -> Dataset:
    """One row given twice with opposite signs, in data that is separable without it."""
    X, y = rows_and_signs([((-1, 0), -1), ((0, 0), 1), ((0, 0), -1), ((1, 0), 1), ((2, 3), 1)])
    return Dataset(
        "conflict",
        X,
        y,
        "The same row with both labels, in data that is separable without it.",
        dict(WITH_OFFSET),
        status="quasi-separable",
        obstruction=obstruction({1: 0.5, 2: 0.5}),
    )


def overlap(gap: float = 1e-12) -> Dataset:
    """One column in which a negative row lies `gap` inside the positive ones: overlapping.

    The overlap is exact however small `gap` is: a tolerance of 1e-8 would call it separable.
    """
    gap = check_real("gap", gap)
    if not 2.0**-1070 <= gap <= 0.25:
        raise InputError(f"gap is {gap!r}; it must be above 0 (2^-1070 at least), at most 0.25.")
    X, y = rows_and_signs([((-1,), -1), ((gap,), -1), ((0,), 1), ((2 * gap,), 1), ((1,), 1)])
    return Dataset(
        f"overlap:{gap!r}",
        X,
        y,
        f"One column; a negative row lies {gap!r} beyond the first positive one.",
        dict(WITH_OFFSET),
        status="overlapping",
        obstruction=obstruction({1: 0.5, 2: 0.25, 3: 0.25}),
    )


def counterexample_origin() -> Dataset:
    """Separable with an offset, but not through the origin: (1,1)- and (2,2)+ on one ray.

    Through the origin every w gives both rows scores of the same sign: λ = (2/3, 1/3).
    """
    X, y = rows_and_signs([((1, 1), -1), ((2, 2), 1)])
    separator = np.array([1.0, 1.0, -3.0])
    return Dataset(
        "counterexample_origin",
        X,
        y,
        "Separable with an offset, not through the origin: both rows lie on one ray.",
        dict(WITH_OFFSET),
        status="separable",
        separator=separator,
        margin=margin_of(X, y, separator),
    )


def decimal_trap(numbers: str = "decimal") -> Dataset:
    """(.1,.3)+ (.2,.6)- (.3,.9)+: overlapping as decimals, separable as float64.

    numbers: 'decimal' for an object array of Decimal, 'binary64' for floats. As decimals the
    second row is the midpoint of the others; as floats the three are not on one line.
    """
    one_of("numbers", numbers, ("decimal", "binary64"))
    written = [("0.1", "0.3"), ("0.2", "0.6"), ("0.3", "0.9")]
    y = np.array([1, -1, 1])
    if numbers == "binary64":
        return Dataset(
            "decimal_trap:binary64",
            np.array(written, dtype=np.float64),
            y,
            "Three points on a line that rounding to float64 takes off it: separable.",
            dict(WITH_OFFSET),
            status="separable",
        )
    return Dataset(
        "decimal_trap:decimal",
        np.array([[Decimal(value) for value in row] for row in written], dtype=object),
        y,
        "A negative point halfway between two positive ones, in decimals: overlapping.",
        dict(WITH_OFFSET),
        status="overlapping",
        obstruction=obstruction({0: 0.25, 1: 0.5, 2: 0.25}),
    )
