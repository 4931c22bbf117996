"""All relations between columns, found modulo primes and lifted, held against exact elimination."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpz_mat

from novikoff.inputs import integers_of_floats
from novikoff.search import lifted, modular
from novikoff.search.lifted import null_space
from novikoff.search.modular import PRIMES, nonzero_products


def product(random, m, k, n, most=9):
    """An m × n matrix of rank k at most."""
    left, right = (random.integers(-most, most + 1, size) for size in ((m, k), (k, n)))
    return left.astype(object) @ right.astype(object)


def check(whole):
    """The basis has as many columns as the exact rank leaves, all zero on the rows, independent."""
    basis = null_space(whole)
    rank = fmpz_mat(whole.tolist()).rank()
    assert basis.shape == (whole.shape[1], whole.shape[1] - rank)
    if basis.size:
        assert not (whole @ basis).any()
        assert fmpz_mat(basis.tolist()).rank() == basis.shape[1]


def test_the_null_space_is_that_of_exact_elimination(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(150):
        m, n = random.integers(1, 14, 2)
        check(product(random, m, random.integers(0, min(m, n) + 1), n))


@pytest.mark.parametrize("bits", [30, 53, 70, 250, 900])
def test_numbers_of_any_length_have_their_relations(bits, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(8):
        whole = product(random, 6, 3, 8)
        shifts = random.integers(0, bits, 8).tolist()
        check(whole * np.array([1 << shift for shift in shifts], dtype=object))
        mixed = product(random, 5, 3, 7) + (product(random, 5, 2, 7) << bits)
        check(mixed)


def test_floats_from_subnormal_to_huge_have_their_relations(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for low, high in ((-1074, -1000), (-500, 500), (900, 1000)):
        rows = np.ldexp(random.integers(-9, 10, (4, 3)), random.integers(low, high, 3))
        rows = np.hstack([rows, rows[:, :1], 2.0 * rows[:, 1:2]])
        check(integers_of_floats(rows)[0])


def test_full_rank_rank_zero_duplicates_and_no_rows():
    assert null_space(np.eye(5, dtype=int).astype(object)).shape == (5, 0)
    check(np.zeros((3, 4), dtype=object))
    check(np.array([[1, 1, 2], [3, 3, 6]], dtype=object))
    assert (null_space(np.empty((0, 3), dtype=object)) == np.eye(3, dtype=int)).all()


@pytest.mark.parametrize("count", [1, 2, len(PRIMES)])
def test_primes_that_divide_the_numbers_are_passed_over(count, fresh_seed):
    """Also where they divide all of them, and where they hide a part of the rank only."""
    random = np.random.default_rng(fresh_seed)
    unlucky = 1
    for prime in PRIMES[:count]:
        unlucky *= prime
    for _ in range(10):
        check(product(random, 5, 3, 6) * unlucky)
        check(product(random, 5, 2, 6) + product(random, 5, 2, 6) * unlucky)


def test_long_relations_are_lifted_and_not_left_to_slow_elimination(monkeypatch, fresh_seed):
    def refuse(whole):
        raise AssertionError(whole.shape)

    random = np.random.default_rng(fresh_seed)
    monkeypatch.setattr(lifted, "_null_space_of_integers", refuse)
    check(product(random, 40, 30, 60, most=1000))


def test_the_largest_primes_below_2_22_are_primes_and_in_order():
    found = [prime for prime, _ in zip(modular.primes(), range(60), strict=False)]
    sieve = np.ones(1 << modular.LIMB, dtype=bool)
    for k in range(2, 1 << modular.LIMB // 2):
        sieve[k * k :: k] = False
    assert found == np.flatnonzero(sieve)[::-1][:60].tolist()


def test_products_of_floats_and_integers_are_told_from_zero(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for spread in (1, 9, 20, 200):
        block = np.ldexp(random.integers(-(2**53), 2**53, (20, 6)), random.integers(0, spread, 6))
        block = block.astype(np.float64)
        block[::2, 5] = block[::2, 0]
        weights = random.integers(-5, 6, (6, 4)).astype(object)
        weights[:, 0] = [1, 0, 0, 0, 0, -1]
        weights[:, 1] = [1 << 300, 0, 0, 0, 0, -(1 << 300)]
        weights[:, 2] = [1 << 300, 0, 0, 0, 0, -(1 << 300) - 1]
        whole = integers_of_floats(block)[0]
        expected = (whole @ weights) != 0
        assert (nonzero_products(block, weights) == expected).all()
        assert (nonzero_products(whole, weights) == expected).all()
