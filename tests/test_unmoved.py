"""A few rows in conflict in a wide table: one direction settles all the others at once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import novikoff as nk
from novikoff.search import complete


def separable(random, n, d, dtype):
    X = random.standard_normal((n, d)).astype(dtype)
    return X, (X @ random.standard_normal(d) > 0).astype(int)


def in_pairs(X, y, n_pairs):
    """The first rows with both labels."""
    for k in range(n_pairs):
        X[2 * k + 1], y[2 * k + 1] = X[2 * k], 1 - y[2 * k]
    return np.arange(2 * n_pairs)


def at_zero(X, y, n_rows):
    X[:n_rows], y[:n_rows] = 0.0, np.arange(n_rows) % 2
    return np.arange(n_rows)


def around_a_point(X, y, n_rows):
    """Rows of one class that balance one of the other: no two of them are alike."""
    steps = np.round(X[1:n_rows:2] * 8) / 8
    X[0] = np.round(X[0] * 8) / 8
    X[1:n_rows:2], X[2 : n_rows + 1 : 2] = X[0] + steps, X[0] - steps
    y[0], y[1 : n_rows + 1] = 0, 1
    return np.arange(n_rows + 1)


CONFLICTS = [(in_pairs, 1), (in_pairs, 5), (at_zero, 6), (around_a_point, 4)]


@pytest.fixture
def rounds(monkeypatch):
    """How often rows were asked what can be settled of them."""
    asked = []
    decide = complete._Rounds._decide
    monkeypatch.setattr(
        complete._Rounds, "_decide", lambda self: (asked.append(len(self.left)), decide(self))[1]
    )
    return asked


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("conflict", "size"), CONFLICTS)
@pytest.mark.parametrize(("n", "d"), [(100, 60), (60, 120)])
def test_rows_in_conflict_leave_all_others_to_one_direction(
    conflict, size, n, d, dtype, rounds, fresh_seed
):
    X, y = separable(np.random.default_rng(fresh_seed), n, d, dtype)
    unmoved = conflict(X, y, size)
    verdict = nk.certify(X, y)
    assert verdict.status == "quasi-separable"
    verdict.certificate.verify(X, y)
    assert np.array_equal(np.setdiff1d(np.arange(n), verdict.separated), unmoved)
    assert len(rounds) <= 3


def test_the_direction_is_exactly_zero_on_the_rows_in_conflict(fresh_seed):
    X, y = separable(np.random.default_rng(fresh_seed), 80, 50, "float64")
    unmoved = in_pairs(X, y, 3)
    weights = [Fraction(value) for value in nk.certify(X, y).certificate.weights]
    for i in range(len(X)):
        score = sum(Fraction(x) * w for x, w in zip(X[i].tolist(), weights, strict=False))
        score += weights[-1]
        assert (score == 0) == (i in unmoved)
        assert score == 0 or (score > 0) == (y[i] == 1)
