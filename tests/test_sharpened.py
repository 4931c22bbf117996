"""Columns that are sums of others but for rounding: decided by what rounding left of them."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import novikoff as nk
from fourier_motzkin import settled_of
from novikoff.inputs import read_table
from novikoff.search.sharpened import sharpened
from novikoff.search.signed_rows import SignedRows


def sums(X):
    X[:, -1] = X[:, 0] + X[:, 1]


def means(X):
    X[:, -1] = (X[:, 0] + X[:, 1] + X[:, 2]) / 3


def differences_of_sums(X):
    X[:, -1] = X[:, 0] + X[:, 1]
    X[:, -2] = X[:, 2] - X[:, -1]


def shares(X):
    X[:, :4] = np.abs(X[:, :4])
    X[:, :4] /= X[:, :4].sum(axis=1, keepdims=True)


def degrees(X):
    X[:, -1] = X[:, 0] * 9 / 5 + 32


def inches(X):
    X[:, -1] = X[:, 0] * 2.54


KINDS = [sums, means, differences_of_sums, shares, degrees, inches]


def drawn(kind, random, n, d):
    X = random.normal(size=(n, d)) * 10.0 ** random.integers(-2, 3, d)
    kind(X)
    labels = X @ random.normal(size=d) > 0
    labels[random.random(n) < 0.1] ^= True
    labels[:2] = 0, 1
    return X, labels.astype(int)


def exact(X):
    return [[Fraction(value) for value in row] for row in X.tolist()]


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_the_same_in_both_coordinates(kind, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    X, _ = drawn(kind, random, 60, 8)
    offset = kind in (shares, degrees) or bool(random.integers(2))
    sharp = sharpened(SignedRows(read_table(X), np.ones(60, dtype=np.int8), offset))
    assert sharp.remainders
    w = [Fraction(int(value)) for value in random.integers(-9, 10, 9)]
    w[-1] *= offset
    outward = sharp.outward(w)
    for old, new in zip(exact(X), exact(sharp.rows.table.matrix), strict=True):
        assert sum(map(Fraction.__mul__, [*old, Fraction(1)], outward)) == sum(
            map(Fraction.__mul__, [*new, Fraction(1)], w)
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "d"), [(120, 30), (400, 40)])
def test_floats_see_what_rounding_left(kind, n, d, fresh_seed):
    X, y = drawn(kind, np.random.default_rng(fresh_seed), n, d)
    verdict = nk.certify(X, y)
    assert verdict.status != "undecided"
    assert "exact simplex" not in verdict.stages
    verdict.certificate.verify(X, y)


@pytest.mark.parametrize("kind", [sums, degrees, inches])
def test_the_status_is_that_of_fourier_motzkin_elimination(kind, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for n in [6, 6, 6, 7, 7, 7, 7]:
        X, y = drawn(kind, random, n, 3)
        y[2:] = random.integers(0, 2, n - 2)
        X[:, 1] = random.integers(-2, 3, n)
        kind(X)
        whole = [[*row, Fraction(1)] for row in exact(X)]
        common = math.lcm(*(value.denominator for row in whole for value in row))
        whole = [[int(value * common) for value in row] for row in whole]
        settled = settled_of(whole, np.where(y, 1, -1).tolist(), False)
        verdict = nk.certify(X, y)
        expected = (
            "separable" if len(settled) == n else "quasi-separable" if settled else "overlapping"
        )
        assert verdict.status == expected
        assert verdict.separated.tolist() == settled


def test_other_tables_are_left_as_they_are():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 8))
    whole = random.integers(-9, 10, (60, 8)).astype(float)
    whole[:, -1] = whole[:, 0] + whole[:, 1]  # a sum without rounding
    long = X.copy()
    long[:, -1] = X[:, 0] * math.pi
    for table in (X, whole, long, X[:5], np.zeros((60, 8))):
        z = SignedRows(read_table(table), np.ones(len(table), dtype=np.int8), True)
        assert sharpened(z).rows is z
