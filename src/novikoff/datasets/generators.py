"""Random sets of any size around a planted answer, which is true of the floats exactly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from novikoff.conventions import read_random, whole_number
from novikoff.datasets.dataset import (
    Dataset,
    PlantedObstruction,
    check_real,
    check_size,
    seeded_name,
)
from novikoff.errors import InputError

if TYPE_CHECKING:
    from novikoff.inputs.type_aliases import Seed


def planted(
    n: int, d: int, margin: float, random_state: Seed = 0, offset: float | None = None
) -> Dataset:
    """n rows in the unit ball, at least `margin` from a random hyperplane.

    offset: None for a hyperplane through the origin; a number for u·x + offset = 0 with unit
        normal u, of which the set then carries the offset as its conventions say.

    `separator` has unit norm (up to rounding), offset included, and every row has
    sign·(row, 1)·separator >= margin·‖separator‖, exactly. One row of each sign attains the
    margin, up to (d + 8)·2^-51. So the perceptron makes at most 1/margin² mistakes without an
    offset and 2/margin² with one. The margin γ of the set may be larger than the planted one.
    """
    n, d = whole_number("n", n, 2), whole_number("d", d, 1)
    check_size(n, d)
    margin = check_real("margin", margin)
    shift = 0.0 if offset is None else check_real("offset", offset)
    size = 1.0 if offset is None else math.hypot(1.0, shift)
    slack = (d + 8) * 2.0**-52  # twice what rounding can take from a score or add to a norm
    least = margin * size + slack
    if margin <= 0 or least > 1 - abs(shift) - 2 * slack:
        most = (1 - abs(shift)) / size
        raise InputError(
            f"margin is {margin!r}; it must be above 0 and below {max(most, 0.0):.6g}"
            f"{f' with offset {shift!r}' if shift else ''}, for the rows lie in the unit ball."
        )
    random = read_random(random_state)
    u = _unit_rows(random, 1, d)[0]
    signs = random.choice([-1, 1], n)
    nearest = random.choice(n, 2, replace=False)
    signs[nearest] = 1, -1

    room = 1 - 2 * slack + signs * shift - least
    distance = least + room * random.uniform(size=n)
    distance[nearest] = least
    along = signs * distance - shift  # u·x
    X = _across(random, u, np.sqrt((1 - slack) ** 2 - along**2)) + np.outer(along, u)
    X += np.outer(along - X @ u, u)
    return Dataset(
        seeded_name("planted", (n, d, margin), random_state, *([] if offset is None else [shift])),
        X,
        signs,
        f"{n} rows in the unit ball with margin {margin!r} to a random hyperplane.",
        {"fit_intercept": offset is not None},
        status="separable",
        separator=np.append(u, shift) / size,
        margin=margin,
    )


def _unit_rows(random: np.random.RandomState, n: int, d: int) -> np.ndarray:
    rows = random.standard_normal((n, d))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def _across(random: np.random.RandomState, u: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """For each i a random vector perpendicular to u, uniform in the ball of radius reach[i]."""
    n, d = len(reach), len(u)
    if d == 1:
        return np.zeros((n, 1))
    rows = random.standard_normal((n, d))
    for _ in range(2):
        rows -= np.outer(rows @ u, u)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    radius = reach * random.uniform(size=n) ** (1 / (d - 1))
    return np.asarray(rows * radius[:, None])


def planted_obstruction(n: int, d: int, random_state: Seed = 0) -> Dataset:
    """n rows that d + 2 of them, at random places, make overlapping; their λ is known.

    The other rows lie at least 0.1 from one hyperplane, on the sides that their labels say, so
    only a search finds the culprits. The culprits are dyadic, so that Σ λ·sign·(x, 1) = 0
    holds exactly in the floats; they span all columns, so not even a weak separator exists.
    """
    d = whole_number("d", d, 1, 10**5)
    n = whole_number("n", n, d + 2)
    check_size(n, d)
    random = read_random(random_state)
    shared = _dyadic(random, d) / 2
    n_positive = (d + 2) // 2
    positive, positive_weights = _hull_around(random, shared, n_positive)
    negative, negative_weights = _hull_around(random, shared, d + 2 - n_positive)

    u = _unit_rows(random, 1, d)[0]
    X = random.standard_normal((n, d))
    y = np.where((X - shared) @ u > 0, 1, -1)
    X += 0.1 * np.outer(y, u)
    rows = random.choice(n, d + 2, replace=False)
    X[rows] = np.concatenate([positive, negative])
    y[rows] = np.repeat([1, -1], [n_positive, d + 2 - n_positive])
    by_row = np.argsort(rows)
    weights = np.concatenate([positive_weights, negative_weights])
    return Dataset(
        seeded_name("planted_obstruction", (n, d), random_state),
        X,
        y,
        f"{n} rows, overlapping because of {d + 2} of them; the rest is separable.",
        {"fit_intercept": True},
        status="overlapping",
        obstruction=PlantedObstruction(rows[by_row], weights[by_row]),
    )


def planted_flips(n: int, d: int, flips: int, random_state: Seed = 0) -> Dataset:
    """n normal rows with the labels of a random hyperplane, `flips` of them turned round.

    The hyperplane gets exactly the rows `flipped` wrong, so `fewest_mistakes` is at most `flips`;
    it may be fewer, where a flipped row lies close to the hyperplane. Numbers are multiples of
    2^-16, so that every label is exact.
    """
    n, d = whole_number("n", n, 2), whole_number("d", d, 1)
    flips = whole_number("flips", flips, 0, n)
    check_size(n, d)
    random = read_random(random_state)

    def normal(*shape: int) -> np.ndarray:
        return np.asarray(np.round(random.standard_normal(shape) * 2**16) / 2**16)

    while True:
        X, w = normal(n, d), normal(d + 1)
        while w[:-1].any() and (ties := np.flatnonzero(X @ w[:-1] == -w[-1])).size:
            X[ties] = normal(len(ties), d)
        y = np.where(X @ w[:-1] > -w[-1], 1, -1)
        flipped = np.sort(random.choice(n, flips, replace=False))
        y[flipped] *= -1
        if w[:-1].any() and len(set(y.tolist())) == 2:
            break
    return Dataset(
        seeded_name("planted_flips", (n, d, flips), random_state),
        X,
        y,
        f"{n} rows with the labels of a hyperplane, {flips} of them turned round.",
        {"fit_intercept": True},
        hyperplane=w,
        flipped=flipped,
    )


def _dyadic(random: np.random.RandomState, *shape: int) -> np.ndarray:
    """Multiples of 2^-20 in [-1, 1]."""
    return random.randint(-(2**20), 2**20 + 1, size=shape) / 2**20


def _hull_around(
    random: np.random.RandomState, point: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """k rows and k positive weights of sum ½ with Σ weight·row = ½·point, exactly."""
    if k == 1:
        return point[None, :], np.array([0.5])
    bits = max(4, k.bit_length())
    parts = 1 + random.multinomial(2**bits - (k - 1), np.full(k - 1, 1 / (k - 1)))
    rows = _dyadic(random, k - 1, len(point))
    weights = parts / 2**bits
    last = 2 * point - weights @ rows
    return np.vstack([rows, last]), np.append(weights, 1.0) / 4


def needle(n: int, d: int, margin: float, random_state: Seed = 0) -> Dataset:
    """n rows that all lie `margin` from a hyperplane: the cone of separators is a needle.

    The margin γ of the set is `margin` exactly, neither more nor less, whether through the
    origin, with a constant 1, or as the geometric margin with a free offset: both hulls reach
    the points ±margin·(the separator's direction). The separator lies on the last axis, so the
    last column is ±margin, however small.
    """
    n, d = whole_number("n", n, 4), whole_number("d", d, 2)
    check_size(n, d)
    margin = check_real("margin", margin)
    if not 0 < margin <= 0.1:
        raise InputError(f"margin is {margin!r}; it must be above 0, at most 0.1.")
    random = read_random(random_state)
    n_pairs = n // 2
    # Products of multiples of 2^-20 and 2^-10 are exact, and so is the point that both ends
    # of a pair r, -c·r have between them: (0, margin).
    length = random.uniform(0.5, 0.99, size=(n - n_pairs, 1))
    ends = np.round(_unit_rows(random, n - n_pairs, d - 1) * length * 2**20) / 2**20
    ratio = random.randint(2**9, 2**10, size=(n_pairs, 1)) / 2**10
    sides = random.choice([-1, 1], n - n_pairs)
    sides[:2] = 1, -1
    Z = np.full((n, d), margin)
    Z[:, :-1] = np.concatenate([ends, -ratio * ends[:n_pairs]])
    order = random.permutation(n)
    signs = np.concatenate([sides, sides[:n_pairs]])[order]
    X = signs[:, None] * Z[order]
    separator = np.zeros(d + 1)
    separator[d - 1] = 1.0
    return Dataset(
        seeded_name("needle", (n, d, margin), random_state),
        X,
        signs,
        f"{n} rows, all at distance {margin!r} from the only direction that separates them.",
        {"fit_intercept": False},
        status="separable",
        separator=separator,
        margin=margin,
    )
