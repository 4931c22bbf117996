"""What floats prove of signs is true: every yes is held against exact multipliers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from novikoff.certificates.verified import proves_obstruction

DIMS = (1, 2, 3, 5, 8)


def exactly(z: np.ndarray) -> bool:
    """Whether λ > 0 with Σ λ·z = 0 and Σ λ = 1 exists and is the only solution, by FLINT."""
    lifted = np.hstack([z, np.ones((len(z), 1))])
    cells = [fmpq(*Fraction(value).as_integer_ratio()) for value in lifted.T.ravel().tolist()]
    matrix = fmpq_mat(len(z), len(z), cells)
    if matrix.det() == 0:
        return False
    right = fmpq_mat(len(z), 1, [fmpq(0)] * (len(z) - 1) + [fmpq(1)])
    return all(value > 0 for value in matrix.solve(right).entries())


def balanced(random: np.random.Generator, d: int) -> np.ndarray:
    """d + 1 rows, the last nearly minus a positive combination of the others."""
    rows = random.standard_normal((d, d))
    return np.vstack([rows, -(random.random(d) + 0.01) @ rows])


def hilbert(random: np.random.Generator, d: int) -> np.ndarray:
    """Rows that are nearly dependent, and balance nearly."""
    i = np.arange(d)
    rows = 1.0 / (i[:, None] + i + 1.0)
    return np.vstack([rows, -(random.random(d) + 0.01) @ rows])


def nearly_equal(random: np.random.Generator, d: int) -> np.ndarray:
    """Rows that differ from one another in their last bits."""
    row = random.standard_normal(d)
    rows = np.tile(row, (d, 1)) * (1.0 + 2.0**-52 * random.integers(-2, 3, (d, d)))
    return np.vstack([rows, -(random.random(d) + 0.01) @ rows])


def with_a_zero(random: np.random.Generator, d: int) -> np.ndarray:
    """One multiplier is zero, or a rounding away from it."""
    rows = random.standard_normal((d, d))
    shares = random.random(d) + 0.01
    shares[random.integers(d)] = random.choice([0.0, 1e-18, -1e-18, 1e-13, -1e-13])
    return np.vstack([rows, -shares @ rows])


def integers(random: np.random.Generator, d: int) -> np.ndarray:
    """Small integers: often of deficient rank, often with a multiplier of zero."""
    return random.integers(-2, 3, (d + 1, d)).astype(float)


def huge_and_tiny(random: np.random.Generator, d: int) -> np.ndarray:
    """Columns and rows at scales from 1e-150 to 1e150."""
    across = 2.0 ** random.integers(-500, 500, (1, d))
    down = 2.0 ** random.integers(-200, 200, (d + 1, 1))
    with np.errstate(all="ignore"):
        return balanced(random, d) * across * down


def subnormal(random: np.random.Generator, d: int) -> np.ndarray:
    with np.errstate(all="ignore"):
        return balanced(random, d) * 2.0**-1060


def mixed(random: np.random.Generator, d: int) -> np.ndarray:
    """Exponents all over the range, cell by cell."""
    return random.standard_normal((d + 1, d)) * 2.0 ** random.integers(-300, 300, (d + 1, d))


FAMILIES = [
    balanced, hilbert, nearly_equal, with_a_zero, integers, huge_and_tiny, subnormal, mixed,
]  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_a_yes_is_true(family, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for d in DIMS:
        for _ in range(60):
            z = family(random, d)
            if proves_obstruction(z):
                assert exactly(z), z.tolist()


@pytest.mark.parametrize("d", [1, 5, 30, 150])
def test_rows_of_chance_that_balance_are_proven(d):
    random = np.random.default_rng(d)
    assert all(proves_obstruction(balanced(random, d)) for _ in range(10))


def test_scales_do_not_matter_where_no_bit_is_lost():
    random = np.random.default_rng(0)
    for _ in range(20):
        assert proves_obstruction(huge_and_tiny(random, 6))


@pytest.mark.parametrize("d", [2, 10, 40])
def test_a_row_on_the_wrong_side_is_never_proven(d):
    random = np.random.default_rng(d)
    for _ in range(10):
        z = balanced(random, d)
        z[random.integers(d + 1)] *= -1.0
        assert not proves_obstruction(z)


def test_a_multiplier_of_zero_is_not_positive():
    z = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]])
    assert not proves_obstruction(z)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_a_number_proves_nothing(value):
    z = np.array([[1.0], [-1.0]])
    assert proves_obstruction(z)
    z[0, 0] = value
    assert not proves_obstruction(z)


def test_too_few_or_too_many_rows_prove_nothing():
    assert not proves_obstruction(np.array([[1.0]]))
    assert not proves_obstruction(np.array([[1.0], [-1.0], [1.0]]))
    assert not proves_obstruction(np.zeros((0, 0)))
