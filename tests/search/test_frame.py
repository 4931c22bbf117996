"""Columns that depend on others but for rounding: decided by what rounding left of them."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import novikoff as nk
from fourier_motzkin import settled_of
from novikoff.inputs import read_table
from novikoff.search.frame import Frame
from novikoff.search.signed_rows import SignedRows


def sums(X):
    X[:, -1] = X[:, 0] + X[:, 1]


def means(X):
    X[:, -1] = X[:, :-1].mean(axis=1)


def shares(X):
    X[:, :4] = np.abs(X[:, :4])
    X[:, :4] /= X[:, :4].sum(axis=1, keepdims=True)


def degrees(X):
    X[:, -1] = X[:, 0] * 9 / 5 + 32


def pounds(X):
    X[:, -1] = X[:, 0] * 0.453592


def irrational(X):
    X[:, -1] = math.sqrt(2) * X[:, 0] + X[:, 1]


def scores(X):
    X[:, -1] = (X[:, 0] - X[:, 0].mean()) / X[:, 0].std()


def near_twins(X):
    X[:, -1] = X[:, 0] + 1e-9 * X[:, 1]


KINDS = [sums, means, shares, degrees, pounds, irrational, scores, near_twins]


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
def test_a_frame_shows_the_scores_of_the_rows_as_given(kind, fresh_seed):
    random = np.random.default_rng(fresh_seed)
    X, _ = drawn(kind, random, 60, 8)
    offset = kind in (shares, degrees, scores) or bool(random.integers(2))
    z = SignedRows(read_table(X), np.ones(60, dtype=np.int8), offset)
    frame = z.float_view
    assert isinstance(frame, Frame)
    w = random.normal(size=frame.dim)
    weights = [Fraction(value) for value in frame.exact_weights(w)]
    true = [sum(map(Fraction.__mul__, [*row, Fraction(offset)], weights)) for row in exact(X)]
    seen = frame.scores(w)
    factor = float(true[0]) / seen[0]
    assert factor > 0
    np.testing.assert_allclose([float(v) for v in true], factor * seen, rtol=1e-6, atol=1e-9)


SETS = [(kind, None, n, d) for kind in KINDS for n, d in [(120, 30), (400, 40)]]
# A pivot tells of a relation by the square of its last term, which is small in these.
SETS += [(scores, 42, 120, 30), (scores, 156, 120, 30)]


@pytest.mark.parametrize(("kind", "seed", "n", "d"), SETS)
def test_floats_see_what_rounding_left(kind, seed, n, d, fresh_seed):
    X, y = drawn(kind, np.random.default_rng(fresh_seed if seed is None else seed), n, d)
    verdict = nk.certify(X, y)
    assert verdict.status != "undecided"
    assert "exact simplex" not in verdict.stages
    verdict.certificate.verify(X, y)


@pytest.mark.parametrize("kind", KINDS)
def test_equalities_are_seen_in_the_same_frame(kind, fresh_seed):
    """Observed counts of a Poisson model are equalities: its comparisons are one frame's rows."""
    random = np.random.default_rng(fresh_seed)
    X, _ = drawn(kind, random, 300, 20)
    fit = nk.certify_regression(X, random.poisson(0.05, 300), model="poisson")
    assert fit.status != "undecided"
    assert "linear program" not in fit.stages


@pytest.mark.parametrize("kind", [sums, degrees, pounds])
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


def test_tables_that_floats_see_well_need_no_frame():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 8))
    for table in (X, X[:5]):
        z = SignedRows(read_table(table), np.ones(len(table), dtype=np.int8), True)
        assert not isinstance(z.float_view, Frame)
