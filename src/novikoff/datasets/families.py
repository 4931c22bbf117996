"""Small sets with a known answer: the lectures' examples, truth tables, the tightest, the slowest,
the touching, the traps.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.conventions import whole_number
from novikoff.datasets.dataset import (
    Dataset,
    PlantedObstruction,
    check_real,
    check_size,
    margin_of,
    root_rounded_down,
)
from novikoff.errors import InputError, one_of

Rows = list[tuple[tuple[float, ...], int]]  # each with its sign
CYCLIC = {"fit_intercept": True, "tie": "mistake", "order": "cyclic"}

# name: (description, rows, conventions, the weights that the run ends with)
_LECTURES: dict[str, tuple[str, Rows, dict[str, Any], list[float]]] = {
    "000": (
        "Six points, no offset, a tie counts as positive: mistakes on rows 1, 3 and 5, "
        "w = (0,0), (1,-2), (2,-1), (3,1).",
        [((-1, 2), -1), ((1, 0), 1), ((1, 1), 1), ((-1, 0), -1), ((-1, -2), -1), ((1, -1), 1)],
        {"fit_intercept": False, "tie": "positive", "order": "cyclic"},
        [3.0, 1.0, 0.0],
    ),
    "001": (
        "Three points, no offset, start (1, -0.8): weights (2, 1.2), (3, -0.8), (3, 0.2).",
        [((1, 2), 1), ((-1, 2), -1), ((0, -1), -1)],
        {"fit_intercept": False, "tie": "mistake", "order": "cyclic", "start": (1.0, -0.8)},
        [3.0, 0.2, 0.0],
    ),
    "002": (
        "Four points with an offset: 9 mistakes, ending at (4, -0.5) and offset 1.",
        [((-1, 3), -1), ((-1, -1), -1), ((3, -1), 1), ((0, 1.5), 1)],
        CYCLIC,
        [4.0, -0.5, 1.0],
    ),
    "003": (
        "o = (1,2) positive, then x = (2,1) negative, with an offset, a tie counts as "
        "positive: the first mistake is on x, the second on o.",
        [((1, 2), 1), ((2, 1), -1)],
        {"fit_intercept": True, "tie": "positive", "order": "cyclic"},
        [-1.0, 1.0, 0.0],
    ),
}

# name: (outputs at 00, 01, 10, 11; an integer separator, if there is one)
_TRUTH_TABLES: dict[str, tuple[tuple[int, int, int, int], list[float] | None]] = {
    "and": ((-1, -1, -1, 1), [2.0, 2.0, -3.0]),
    "or": ((-1, 1, 1, 1), [2.0, 2.0, -1.0]),
    "nand": ((1, 1, 1, -1), [-2.0, -2.0, 3.0]),
    "nor": ((1, -1, -1, -1), [-2.0, -2.0, 1.0]),
    "xor": ((-1, 1, 1, -1), None),
    "implies": ((1, 1, -1, 1), [-2.0, 2.0, 1.0]),
}


def _small(
    name: str, description: str, rows: Rows, conventions: dict[str, Any],
    weights: list[float] | None = None, obstruction: dict[int, float] | None = None,
    status: str = "overlapping",
) -> Dataset:  # fmt: skip
    """A set of a few rows: separable by `weights`, or of a status that an obstruction proves."""
    X = np.array([row for row, _ in rows], dtype=np.float64)
    y = np.array([sign for _, sign in rows], dtype=np.int64)
    conventions = dict(conventions)
    if weights is None:
        held = obstruction or {}
        planted = PlantedObstruction(np.array(list(held)), np.array(list(held.values())))
        return Dataset(name, X, y, description, conventions, status=status, obstruction=planted)
    separator = np.array(weights)
    return Dataset(
        name, X, y, description, conventions, status="separable", separator=separator,
        margin=margin_of(X, y, separator),
    )  # fmt: skip


def lecture_names() -> tuple[str, ...]:
    """The lectures that have a worked example."""
    return tuple(_LECTURES)


def lecture(name: str) -> Dataset:
    """The worked example of a lecture: '000', '001', '002' or '003'.

    `trace(X, y, **conventions)` is the lecture's run, line by line.
    """
    if name not in _LECTURES:
        known = ", ".join(repr(key) for key in _LECTURES)
        raise InputError(f"lecture {name!r} has no worked example; those that have are {known}.")
    return _small(f"lecture:{name}", *_LECTURES[name])


def truth_table(name: str) -> Dataset:
    """A function of two bits, rows 00, 01, 10, 11: sign + where it is true.

    'and', 'or', 'nand', 'nor', 'implies' are separable (with an offset); 'xor' is not.
    """
    one_of("the truth table", name, tuple(_TRUTH_TABLES))
    outputs, weights = _TRUTH_TABLES[name]
    rows: Rows = [((k // 2, k % 2), sign) for k, sign in enumerate(outputs)]
    about = f"The truth table of {name.upper()}, rows 00, 01, 10, 11."
    return _small(name, about, rows, CYCLIC, weights, dict.fromkeys(range(4), 0.25))


def xor() -> Dataset:
    """The truth table of XOR: overlapping, with λ = ¼ on each of the four rows."""
    return truth_table("xor")


def tight(d: int) -> Dataset:
    """The rows ±e1 … ±ed, on which the mistake bound is attained.

    sign·row = ei, so R = 1, γ = 1/√d, and the perceptron from zeros without an offset makes
    exactly d = (R/γ)² mistakes, in any order. Signs alternate, + first.
    """
    d = whole_number("d", d, 2)
    check_size(d, d)
    y = np.where(np.arange(d) % 2 == 0, 1, -1)
    about = f"Signed unit vectors: exactly {d} mistakes, as many as the bound (R/γ)² allows."
    return Dataset(
        f"tight:{d}", np.diag(y.astype(np.float64)), y, about,
        {"fit_intercept": False, "tie": "mistake"}, status="separable",
        separator=np.append(np.ones(d), 0.0), margin=root_rounded_down(Fraction(1, d)),
    )  # fmt: skip


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
    y = np.where(np.arange(n + 1) % 2 == 0, 1, -1)
    weights = [0] * n + [int(y[n])]
    for i in reversed(range(n)):
        X[i, i] = 1.0
        X[i, i + 1 :: 2] = 1.0
        weights[i] = int(y[i]) - weights[n] - sum(weights[i + 1 : n : 2])
    exact = max(map(abs, weights)) <= 2**53
    about = f"{n + 1} rows of bits whose margin is exponentially small in the number of columns."
    return Dataset(
        f"badmargin:{n}", X, y, about, dict(CYCLIC), status="separable",
        separator=np.array(weights, dtype=np.float64) if exact else None,
        margin=root_rounded_down(Fraction(1, sum(value**2 for value in weights))),
    )  # fmt: skip


def parity(d: int) -> Dataset:
    """All rows of d bits, sign + where the number of ones is odd; parity(2) is XOR.

    Overlapping, with λ = 2^-d on every row: both hulls are centred at (½, …, ½).
    """
    d = whole_number("d", d, 2, 20)
    check_size(2**d, d)
    X = (np.arange(2**d)[:, None] >> np.arange(d)[::-1] & 1).astype(np.float64)
    y = np.where(X.sum(axis=1) % 2 == 1, 1, -1)
    about = f"All {2**d} rows of {d} bits, positive where the number of ones is odd."
    planted = PlantedObstruction(np.arange(2**d), np.full(2**d, 2.0**-d))
    return Dataset(
        f"parity:{d}", X, y, about, {"fit_intercept": True}, status="overlapping",
        obstruction=planted,
    )  # fmt: skip


def touching() -> Dataset:
    """A corner of one hull on a side of the other: quasi-separable by x1 >= 0."""
    return _small(
        "touching",
        "A corner of one hull lies on a side of the other: x1 >= 0 separates weakly, nothing "
        "strictly.",
        [((0, -1), -1), ((0, 1), -1), ((-1, 0), -1), ((0, 0), 1), ((1, 1), 1), ((1, -1), 1)],
        {"fit_intercept": True},
        obstruction={0: 0.25, 1: 0.25, 3: 0.5},
        status="quasi-separable",
    )


def conflict() -> Dataset:
    """One row given twice with opposite signs, in data that is separable without it."""
    return _small(
        "conflict",
        "The same row with both labels, in data that is separable without it.",
        [((-1, 0), -1), ((0, 0), 1), ((0, 0), -1), ((1, 0), 1), ((2, 3), 1)],
        {"fit_intercept": True},
        obstruction={1: 0.5, 2: 0.5},
        status="quasi-separable",
    )


def overlap(gap: float = 1e-12) -> Dataset:
    """One column in which a negative row lies `gap` inside the positive ones: overlapping.

    The overlap is exact however small `gap` is: a tolerance of 1e-8 would call it separable.
    """
    gap = check_real("gap", gap)
    if not 2.0**-1070 <= gap <= 0.25:
        raise InputError(f"gap is {gap!r}; it must be above 0 (2^-1070 at least), at most 0.25.")
    return _small(
        f"overlap:{gap!r}",
        f"One column; a negative row lies {gap!r} beyond the first positive one.",
        [((-1,), -1), ((gap,), -1), ((0,), 1), ((2 * gap,), 1), ((1,), 1)],
        {"fit_intercept": True},
        obstruction={1: 0.5, 2: 0.25, 3: 0.25},
    )


def counterexample_origin() -> Dataset:
    """Separable with an offset, but not through the origin: (1,1)- and (2,2)+ on one ray.

    Through the origin every w gives both rows scores of the same sign: λ = (2/3, 1/3).
    """
    about = "Separable with an offset, not through the origin: both rows lie on one ray."
    rows: Rows = [((1, 1), -1), ((2, 2), 1)]
    return _small("counterexample_origin", about, rows, {"fit_intercept": True}, [1.0, 1.0, -3.0])


def decimal_trap(numbers: str = "decimal") -> Dataset:
    """(.1,.3)+ (.2,.6)- (.3,.9)+: overlapping as decimals, separable as float64.

    numbers: 'decimal' for an object array of Decimal, 'binary64' for floats. As decimals the
    second row is the midpoint of the others; as floats the three are not on one line.
    """
    one_of("numbers", numbers, ("decimal", "binary64"))
    name, written = f"decimal_trap:{numbers}", [("0.1", "0.3"), ("0.2", "0.6"), ("0.3", "0.9")]
    y, conventions = np.array([1, -1, 1]), {"fit_intercept": True}
    if numbers == "binary64":
        about = "Three points on a line that rounding to float64 takes off it: separable."
        X = np.array(written, dtype=np.float64)
        return Dataset(name, X, y, about, conventions, status="separable")
    about = "A negative point halfway between two positive ones, in decimals: overlapping."
    X = np.array([[Decimal(value) for value in row] for row in written], dtype=object)
    planted = PlantedObstruction(np.arange(3), np.array([0.25, 0.5, 0.25]))
    return Dataset(name, X, y, about, conventions, status="overlapping", obstruction=planted)
