"""No false claim is accepted: by the library, the checker, fractions and elimination."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

import false_claims
from novikoff.certificates import Claim, Stamp, Witness, arithmetic, checker
from novikoff.errors import CertificateError, InputError
from novikoff.inputs import read_table


def test_no_claim_is_accepted_whose_core_can_be_moved(fresh_seed):
    seen = false_claims.attack(fresh_seed, 3_000)
    for kind in ("exact", "near"):
        assert seen[f"{kind}: true, accepted"] > 80
        assert seen[f"{kind}: false, refused"] > 40
        assert seen[f"{kind}: the core can be moved, refused"] > 40


def near(X, witness, signs=None):
    """The claim that nothing is settled, its table and its signs."""
    X = np.array(X, dtype=float)
    signs = np.array([(-1) ** i for i in range(len(X))] if signs is None else signs, dtype=np.int8)
    stamp = Stamp.of_rows(len(X), X.shape[1], False)
    claim = Claim([0] * (X.shape[1] + 1), witness, 0, int(np.count_nonzero(signs)), stamp)
    return claim, read_table(X), signs


PAIR = [[1.0], [1.0]]  # in both classes: λ and λ' balance just when they are equal


@pytest.mark.parametrize(
    ("multiplier", "denominator", "is_close"),
    [
        (1, 1, True),
        (2**40 + 1, 2**40, True),
        (2**54 + 1, 2**54, True),
        (3, 1, False),  # corrections of √2 are not less than 1
        (1, 2**40, False),
        (1, 2**1100, False),  # as a float this is 0
        (2**1100, 1, False),  # and this is none
        (2**1024 - 2**969, 1, False),  # minus 1 it rounds to the largest float
    ],
)
def test_corrections_must_be_smaller_than_every_multiplier(multiplier, denominator, is_close):
    claim, table, signs = near(PAIR, Witness([0], [multiplier], denominator, ()))
    if is_close:
        claim.check(table, signs)
        return
    with pytest.raises(CertificateError, match=r"not so near to zero|beyond the floats"):
        claim.check(table, signs)


@pytest.mark.parametrize("value", [1e308, 5e-324, 1e-310, 1e300])
def test_rows_at_the_ends_of_the_floats_prove_nothing_false(value):
    claim, table, signs = near([[value], [-value]], Witness(relations=()))
    with pytest.raises(CertificateError):
        claim.check(table, signs)  # z_1 = z_2: both can be moved


def test_rows_of_zeros_need_no_bound():
    unit = [[1, 0, 0], [0, 1, 0]]
    for relations in ([], unit[:1], unit):
        claim, table, signs = near(np.zeros((3, 2)), Witness((), (), 1, relations))
        claim.check(table, signs)


def test_a_relation_is_of_all_rows_of_the_core_and_of_the_equalities_in_use():
    X = [[1.0, 2.0], [1.0, 2.0], [3.0, 6.0], [1.0, 0.0]]
    for equalities, factors in (((), ()), ((2,), (0,)), ((3,), (0,))):
        witness = Witness(equalities, factors, 1, [[2, -1, 0]])
        claim, table, signs = near(X, witness, [1, -1, 0, 0])
        if 3 in equalities:
            with pytest.raises(CertificateError, match="relation"):
                claim.check(table, signs)
        else:
            claim.check(table, signs)


def test_a_thread_that_takes_subnormal_numbers_for_zero_proves_nothing(monkeypatch):
    """As after torch.set_flush_denormal(True): then 5e-324 != 0 is false, and much else."""
    claim, table, signs = near(PAIR, Witness())
    claim.check(table, signs)
    monkeypatch.setattr(arithmetic, "SMALLEST", np.zeros(1))
    with pytest.raises(InputError, match="takes numbers below"):
        claim.check(table, signs)
    with pytest.raises(InputError, match="takes numbers below"):
        Claim.checked(claim.weights, claim.witness, claim.stamp, table, signs)


# ------------------------------------------------------------------ the bound of the checker


def test_the_checker_takes_corrections_for_small_just_where_their_exact_bound_is(fresh_seed):
    """That bound is √(rᵀ·G⁻¹·r), in rationals: and surely from three times it on."""
    random = np.random.default_rng(fresh_seed)
    for _ in range(50):
        m, p = int(random.integers(3, 9)), int(random.integers(1, 4))
        A = random.integers(-9, 10, (m, p)) * 2.0 ** random.integers(-300, 300, p)
        r = [Fraction(int(v)) * Fraction(float(s)) for v, s in
             zip(random.integers(-9, 10, p), np.abs(A).max(axis=0), strict=True)]  # fmt: skip
        exact = exact_size(A.tolist(), r)
        rows, scale = checker.whole(A.tolist())
        columns = [*zip(*rows, strict=True)]
        remainder = [int(v * scale * 2**40) for v in r]
        if exact is None:
            assert not checker.are_small(columns, remainder, 10**20)
            continue
        above = math.isqrt(int(exact * 2**80)) + 1
        assert checker.are_small(columns, remainder, 3 * above)
        assert not exact or not checker.are_small(columns, remainder, above - 2)


def exact_size(A, r):
    """rᵀ·G⁻¹·r in fractions; None where G is singular."""
    rows = fmpq_mat([[fmpq(*v.as_integer_ratio()) for v in row] for row in A])
    right = fmpq_mat([[fmpq(v.numerator, v.denominator)] for v in r])
    G = rows.transpose() * rows
    if G.det() == 0:
        return None
    found = (right.transpose() * G.solve(right))[0, 0]
    return Fraction(int(found.p), int(found.q))
