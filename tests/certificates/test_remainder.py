"""What a remainder may be, in tables of every shape: the claim holds, or it is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from novikoff.certificates import Claim, Stamp, Witness
from novikoff.certificates.arithmetic import core_sum
from novikoff.certificates.claim import check_witness
from novikoff.certificates.remainder import gamma
from novikoff.errors import CertificateError
from novikoff.inputs import read_table

NOT_NEAR = "not so near to zero"


def nearly_balanced(seed, p, n=None, noise=1e-9):
    """Rows whose sum is about 0, as rounding leaves it, all of the sign 1."""
    random = np.random.default_rng(seed)
    half = random.standard_normal((n or p + 30, p))
    return np.vstack([half, -half + noise * random.standard_normal(half.shape)])


def check(X, witness=None, signs=None, offset=False):
    table = read_table(X)
    signs = np.ones(table.n_rows, dtype=np.int8) if signs is None else np.array(signs)
    witness = Witness(relations=()) if witness is None else witness
    stamp = Stamp.of_rows(table.n_rows, table.n_columns, offset)
    n_core = int(np.count_nonzero(signs))
    Claim([0] * (table.n_columns + 1), witness, 0, n_core, stamp).check(table, signs)


# Up to 128 columns a triangle is inverted at once, up to 512 it is made by QR.
@pytest.mark.parametrize("p", [1, 7, 130, 530])
def test_a_small_remainder_is_taken_up_and_a_large_one_is_not(fresh_seed, p):
    X = nearly_balanced(fresh_seed, p)
    check(X)
    X += 1.0
    with pytest.raises(CertificateError, match=NOT_NEAR):
        check(X)


@pytest.mark.parametrize("p", [4, 530])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_a_column_that_others_make_is_left_out_with_its_relation(fresh_seed, form, p):
    X = nearly_balanced(fresh_seed, p)
    X[:, 1] = 2.0 * X[:, 0]
    relation = [2, -1, *[0] * (p - 1)]
    check(form(X), Witness(relations=[relation]))
    with pytest.raises(CertificateError, match=NOT_NEAR):
        check(form(X))
    with pytest.raises(CertificateError, match="does not hold"):
        check(form(X), Witness(relations=[[3, *relation[1:]]]))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda X: X[:, 0] * 2.0**-1010,  # the whole column is too small
        lambda X: X[:, 0] * 2.0**1010,  # or too large
        lambda X: np.where(np.arange(len(X)) == 3, 2.0**-990, X[:, 0]),  # or one number is
        lambda X: X[:, 1] * (1.0 + 2.0**-52),  # depends on another, as far as floats can tell
        lambda X: X[:, 1],
    ],
)
def test_columns_of_which_floats_cannot_tell_are_refused(fresh_seed, spoil):
    X = nearly_balanced(fresh_seed, 6)
    check(X)
    X[:, 0] = spoil(X)
    with pytest.raises(CertificateError, match=NOT_NEAR):
        check(X)


def test_fewer_rows_than_columns_hold_nothing(fresh_seed):
    X = nearly_balanced(fresh_seed, 8, 3)
    with pytest.raises(CertificateError, match=NOT_NEAR):
        check(X)


def test_rows_that_hold_a_column_may_be_few_among_many(fresh_seed):
    """Samples of the core miss them, unless all of it is taken."""
    X = np.zeros((4000, 3))
    X[:, :2] = nearly_balanced(fresh_seed, 2, 2000)
    X[[1001, 3001], 2] = 1.0, -1.0 + 1e-9
    check(X)
    X[3001, 2] = -1.0 + 1e-9 + 3.0
    with pytest.raises(CertificateError, match=NOT_NEAR):
        check(X)


def test_rows_of_zeros_need_nothing_to_be_taken_up():
    check(np.zeros((3, 2)))
    with pytest.raises(CertificateError, match=NOT_NEAR):
        check(np.zeros((3, 2)), offset=True)
    check(np.zeros((4, 2)), signs=[1, -1, 1, -1], offset=True)


def test_a_multiplier_beyond_the_floats_proves_nothing():
    X = np.array([[1.0], [-1.0]])
    check(X, Witness([0, 1], [10**403] * 2, 10**400, ()))
    with pytest.raises(CertificateError, match="beyond the floats"):
        check(X, Witness([0, 1], [10**400] * 2, 1, ()))


@pytest.mark.parametrize("k", [1, 2, 1000, 2**30, 2**46, 2**46 + 2**44, 2**47, 2**53, 2**60])
def test_the_bound_of_a_sum_is_never_below_what_rounding_may_do(k):
    unit = Fraction(1, 2**53)
    if k * unit >= 1:
        assert gamma(k) == math.inf  # k·u/(1 - k·u) bounds nothing there
    else:
        assert gamma(k) == math.inf or Fraction(gamma(k)) > k * unit / (1 - k * unit)
    assert gamma(2**30) < 2e-7


def test_relations_are_not_checked_on_some_of_the_rows(fresh_seed):
    """The rows of a part, with the sum of all: as machines that share the rows have them."""
    X = nearly_balanced(fresh_seed, 5, 200)
    whole, signs = read_table(X), np.ones(400, dtype=np.int8)
    total = core_sum(whole, signs, signs == 1, False)
    part, few = whole.take(np.arange(0, 400, 3)), signs[::3]
    witness = Witness([2, 7], [3, 2], 2, ())
    check_witness(part, few, few == 1, False, replace(witness, multipliers=[2, 2]), total)
    with pytest.raises(CertificateError, match=NOT_NEAR):
        check_witness(part, few, few == 1, False, replace(witness, multipliers=[10**4, 2]), total)
    with pytest.raises(CertificateError, match="checked on every row"):
        check_witness(part, few, few == 1, False, replace(witness, relations=[[1] * 6]), total)
