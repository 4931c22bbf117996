"""Scores whose signs, and whose highest, are exact: for few rows and for many."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.errors import InputError
from novikoff.loops.compiled import INTERPRETED_WORK
from novikoff.models import scoring as module
from novikoff.models.scoring import settled_scores
from visits import exact

LAYOUTS = [np.ascontiguousarray, sp.csr_matrix]


def near_ties(n, d, n_lines, dtype, seed=0):
    """Rows nearly, and some exactly, on the boundary of each line, or between the two best."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(dtype)
    W = rng.normal(size=(n_lines, d)).astype(dtype)
    b = rng.normal(size=n_lines).astype(dtype)
    for i in range(0, n, 3):
        c = i % n_lines
        X[i] -= (X[i] @ W[c] + b[c]) / (W[c] @ W[c]) * W[c]
    X[1::3] = 0.0  # the score is b
    X[2, :2] = 2.0**60, -(2.0**60)
    W[:, :2] = 1.0
    b[0] = 0.0  # an exact tie of many rows
    return X, W, b


def truth(X, W, b):
    return exact(X) @ exact(W).T + exact(b)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n_lines", [1, 3, 6])
@pytest.mark.parametrize("much", [False, True])
def test_every_sign_is_exact(dtype, layout, n_lines, much, monkeypatch):
    monkeypatch.setattr(module, "INTERPRETED_WORK", 0 if much else INTERPRETED_WORK)
    X, W, b = near_ties(60, 7, n_lines, dtype)
    found = settled_scores(layout(X), W, b)
    assert found.dtype == dtype
    expected = truth(X, W, b)
    assert (np.sign(found) == np.sign(expected).astype(int)).all()
    assert (found[1::3, 0] == 0).all()
    size = np.abs(X) @ np.abs(W).T + np.abs(b)
    assert (np.abs(found - expected.astype(float)) <= 20 * np.finfo(dtype).eps * size).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("much", [False, True])
def test_of_joint_lines_the_highest_is_exact(dtype, layout, much, monkeypatch):
    monkeypatch.setattr(module, "INTERPRETED_WORK", 0 if much else INTERPRETED_WORK)
    X, W, b = near_ties(60, 7, 4, dtype)
    W[1], b[1] = W[0], b[0]  # tied on every row
    W[3] = W[2]
    b[3] = np.nextafter(b[2], dtype(9))  # better on every row, by less than rounding shows
    found = settled_scores(layout(X), W, b, joint=True)
    expected = truth(X, W, b)
    best = expected == expected.max(axis=1, keepdims=True)
    assert ((found == found.max(axis=1, keepdims=True)) == best).all()


@pytest.mark.parametrize("joint", [False, True])
def test_scores_beyond_the_largest_float_keep_their_order(joint):
    X = np.array([[1e200, 1e200], [-1e200, 1e200]])
    W = np.array([[1e200, 1e200], [1e200, -1e200], [-1e200, 2e200]])
    found = settled_scores(X, W, np.zeros(3), joint=joint)
    expected = truth(X, W, np.zeros(3))
    if joint:
        assert (found.argmax(axis=1) == [list(row).index(max(row)) for row in expected]).all()
    else:
        assert (np.sign(found) == np.sign(expected).astype(int)).all()


def test_scores_below_the_smallest_float_keep_their_sign():
    X, W = np.array([[1e-200], [-1e-200]]), np.array([[1e-200]])
    assert (np.sign(settled_scores(X, W, np.zeros(1)))[:, 0] == [1, -1]).all()
    X32, W32 = X.astype(np.float32) + np.float32(1e-30), np.array([[1e-30]], dtype=np.float32)
    assert (settled_scores(X32, W32, np.zeros(1, np.float32)) > 0).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n_lines", [1, 3, 6])
@pytest.mark.parametrize("much", [False, True])
def test_a_value_that_is_not_finite_is_found_even_where_the_weight_is_zero(
    value, layout, n_lines, much, monkeypatch
):
    monkeypatch.setattr(module, "INTERPRETED_WORK", 0 if much else INTERPRETED_WORK)
    X, W = np.ones((5, 3)), np.ones((n_lines, 3))
    X[3, 1], W[:, 1] = value, 0.0
    with pytest.raises(InputError, match=r"X contains (NaN|infinity) \(row 3, column 1\)"):
        settled_scores(layout(X), W, np.zeros(n_lines))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_rows_and_rows_without_entries_are_scored(layout):
    W, b = np.ones((1, 3)), np.array([0.5])
    assert settled_scores(layout(np.zeros((4, 3))), W, b).tolist() == [[0.5]] * 4
    assert settled_scores(layout(np.zeros((4, 3))), np.zeros((1, 3)), b * 0).tolist() == [[0.0]] * 4


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_scores_of_several_threads_are_those_of_one(layout, monkeypatch):
    rng = np.random.default_rng(0)
    X, W = rng.integers(-9, 9, size=(9001, 30)) / 7.0, rng.normal(size=(5, 30))
    alone = settled_scores(layout(X), W, np.ones(5))
    monkeypatch.setattr("novikoff.models.scoring.WORK_OF_A_THREAD", 1000)
    monkeypatch.setattr("novikoff.models.scoring.threads_of", lambda _: 4)
    assert np.array_equal(settled_scores(layout(X), W, np.ones(5)), alone)
    X[8000, 3] = np.nan
    with pytest.raises(InputError, match="row 8000, column 3"):
        settled_scores(layout(X), W, np.ones(5))
