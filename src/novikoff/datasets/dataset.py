"""What every data set here is: rows, labels, and the facts that are known about them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.memory import check_room
from novikoff.wording import count

COPIES = 4  # of the rows, that making a set has at one time, as measured


class PlantedObstruction(NamedTuple):
    """λ on a few rows: weights > 0, Σ weights = 1, Σ weight·sign·(row, 1) = 0, all exactly."""

    rows: np.ndarray  # row numbers, ascending
    weights: np.ndarray  # float64 (every weight here is a dyadic rational)


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Rows X and labels y under a name; `X, y = dataset` unpacks them.

    conventions: keyword arguments for `trace` under which the facts below are meant and, for
        a lecture's example, under which the run is the lecture's.
    columns: the columns' names, where they have any.

    Facts, each None where it is not known. They are true of the numbers in X exactly:
    status: 'separable', 'quasi-separable' or 'overlapping'.
    separator: d + 1 weights, the offset last (0 where the conventions have none); every row
        lies strictly on its side. Not scaled to unit norm.
    margin: the separator's margin is at least this, hence so is the margin γ of the set. It is
        the margin of the mistake bound: rows count with their 1 where there is an offset.
    obstruction: the rows and weights that prove that there is no separator.
    hyperplane, flipped: d + 1 weights, and the rows whose labels were turned round, ascending:
        it is wrong on these, and strictly right on all others.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    description: str
    conventions: dict[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    status: str | None = None
    separator: np.ndarray | None = None
    margin: float | None = None
    obstruction: PlantedObstruction | None = None
    hyperplane: np.ndarray | None = None
    flipped: np.ndarray | None = None

    def __iter__(self) -> Iterator[np.ndarray]:
        yield self.X
        yield self.y

    def __repr__(self) -> str:
        n, d = self.X.shape
        known = f", {self.status}" if self.status else ""
        return f"<Dataset {self.name!r}: {count(n, 'row')}, {count(d, 'column')}{known}>"


def margin_of(X: np.ndarray, y: np.ndarray, separator: np.ndarray) -> float:
    """The margin of signs y on few rows X, rounded down: min sign·score / ‖separator‖."""
    v = [Fraction(value) for value in separator]
    smallest = min(
        int(sign) * sum((Fraction(a) * b for a, b in zip(row, v[:-1], strict=True)), v[-1])
        for row, sign in zip(X, y, strict=True)
    )
    return root_rounded_down(smallest**2 / sum(value**2 for value in v))


def root_rounded_down(square: Fraction) -> float:
    """The largest float64 (of 53 bits) whose square is at most `square`, for square > 0."""
    size = square.numerator.bit_length() - square.denominator.bit_length()
    places = 54 - size // 2
    scaled = square * Fraction(4) ** places
    root = math.isqrt(scaled.numerator // scaled.denominator)
    spare = max(root.bit_length() - 53, 0)
    return math.ldexp(root >> spare, spare - places)


def check_size(n: int, d: int) -> None:
    """Raise an InputError if n rows of d columns have no room; every maker of sets asks first."""
    check_room(
        8 * COPIES * n * (d + 4), f"the set of {n:,} rows and {d:,} columns", "ask for fewer"
    )


def check_real(name: str, value: Any) -> float:
    """`value` as a finite float, or an InputError."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{name} is {value!r}; it must be a finite number.")
    return number


def seeded_name(stem: str, arguments: tuple[Any, ...], random_state: Any, *more: Any) -> str:
    """The name under which `load` makes the same set again; only `stem` if nothing does."""
    if not isinstance(random_state, (int, np.integer)):
        return stem
    words = [*arguments, int(random_state), *more] if random_state or more else arguments
    return f"{stem}:{','.join(str(word) for word in words)}"
