"""The loops under every estimator: exact signs, honest error bounds, one source at two speeds."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from novikoff.loops.bounds import norm_above, norm_bound_of, score_error_bound
from novikoff.loops.compiled import INTERPRETED_WORK, compiled
from novikoff.loops.perceptron import (
    NOT_FINITE,
    exact_signs,
    perceptron_pass,
)
from novikoff.loops.rows import (
    add_row,
    as_rows,
    dot_row,
    row_is_finite,
    square_row,
)
from novikoff.loops.tiles import tile_for

STEADY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
FINITE = st.floats(allow_nan=False, allow_infinity=False)
TINY_OR_HUGE = st.builds(
    math.ldexp, st.integers(-(2**53), 2**53), st.integers(-1074, 970)
) | st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 2.0**-1022, 1e300, -1e300, 1e-300, -1e-300])


def exact_score(x, w, constant):
    terms = [*zip(x, w[:-1], strict=True), (constant, w[-1])]
    return sum(Fraction(float(a)) * Fraction(float(b)) for a, b in terms)


def sign(value):
    return (value > 0) - (value < 0)


def rows_of(x, fit_intercept):
    dense = np.atleast_2d(x)
    return as_rows(dense, fit_intercept), as_rows(sp.csr_matrix(dense), fit_intercept)


@given(st.data(), st.integers(1, 5), st.booleans())
@settings(STEADY, max_examples=300)
def test_exact_sign_is_the_sign_of_the_rational_score(data, d, fit_intercept):
    numbers = TINY_OR_HUGE | FINITE
    w = data.draw(arrays(np.float64, d + 1, elements=numbers))
    x = data.draw(arrays(np.float64, d, elements=numbers))
    if data.draw(st.booleans()):  # a score that cancels, or very nearly does
        x = np.concatenate([x, -x[::-1]])
        w = np.concatenate([w[:-1], w[:-1][::-1], [data.draw(numbers)]])
    expected = sign(exact_score(x, w, float(fit_intercept)))
    for rows in rows_of(x, fit_intercept):
        for loop in (exact_signs, exact_signs.fast):
            found = np.zeros(1, dtype=np.int8)
            loop(rows, w, found)
            assert found[0] == expected


@given(st.integers(1, 40), st.integers(0, 2**32 - 1), st.booleans(), st.booleans())
@settings(STEADY, max_examples=100)
@example(1, 0, True, True)
def test_no_sign_outside_the_error_bound_is_ever_wrong(d, seed, single, sparse):
    """|computed − exact| <= error_bound, for sums in any order; and the bound is not idle."""
    rng = np.random.default_rng(seed)
    dtype = np.float32 if single else np.float64
    scale = 10.0 ** rng.integers(-12, 12, size=2)
    x = (rng.normal(size=d) * scale[0]).astype(dtype)
    w = (rng.normal(size=d + 1) * scale[1]).astype(dtype)
    w[:-1] -= (x * ((x @ w[:-1] + w[-1]) / (x @ x))).astype(dtype)  # nearly on the boundary
    rows = rows_of(x, True)[sparse]
    computed, square = dot_row(rows, 0, w), square_row(rows, 0)
    exact = exact_score(x, w, 1.0)
    error_bound = score_error_bound(norm_above(square), norm_bound_of(w), len(w))
    assert abs(Fraction(computed) - exact) <= Fraction(error_bound)
    assert Fraction(norm_bound_of(w)) ** 2 >= sum(Fraction(float(v)) ** 2 for v in w)
    assert Fraction(norm_above(square)) ** 2 >= 1 + sum(Fraction(float(v)) ** 2 for v in x)
    assert error_bound <= 1e-8 * math.sqrt(square) * norm_bound_of(w)


def test_dense_and_sparse_rows_give_the_same_numbers():
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, size=(20, 7)) * 0.5
    w = rng.normal(size=8)
    for fit_intercept in (True, False):
        dense, sparse = as_rows(X, fit_intercept), as_rows(sp.csr_matrix(X), fit_intercept)
        for i in range(len(X)):
            assert square_row(dense, i) == square_row(sparse, i) == X[i] @ X[i] + fit_intercept
            assert math.isclose(dot_row(dense, i, w), dot_row(sparse, i, w), abs_tol=1e-12)
            one, other = w.copy(), w.copy()
            add_row(dense, i, -0.3, one)
            add_row(sparse, i, -0.3, other)
            assert np.array_equal(one, other)
            expected = np.append(w[:-1] + -0.3 * X[i], w[-1] - 0.3 * fit_intercept)
            assert np.array_equal(one, expected)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_row_that_is_not_finite_is_found(value):
    X = np.ones((3, 4))
    X[1, 2] = value
    for rows in (as_rows(X, True), as_rows(sp.csr_matrix(X), True)):
        assert [bool(row_is_finite(rows, i)) for i in range(3)] == [True, False, True]


def test_rows_of_read_only_memory_are_views():
    X = np.ones((3, 4))
    X.flags.writeable = False
    rows = as_rows(X, True)
    assert np.shares_memory(rows.values, X)
    assert rows.values.flags.writeable


def pass_over(
    form, X, targets, W, *,
    order=None, restarts=False, ties_positive=False, sizes=None, fit_intercept=True, tiles=False,
):  # fmt: skip
    """One pass of `form`, interpreted or compiled; returns all that it computed."""
    W, lines = W.copy(), np.arange(len(W))
    norm_bounds = np.array([norm_bound_of(w) for w in W])
    mistakes = np.zeros(len(W), dtype=np.int64)
    order = np.arange(X.shape[0], dtype=np.int32) if order is None else order
    sizes = np.ones(1, dtype=X.dtype) if sizes is None else sizes
    gains = np.ones((len(W), 2), dtype=X.dtype)
    found = form(
        as_rows(X, fit_intercept), targets, order, lines, lines, W, sizes, gains, ties_positive,
        restarts, norm_bounds, np.zeros(len(W)), True, mistakes, 0, np.empty((0, 0)),
        np.empty((0, 2), dtype=np.int64), tile_for(as_rows(X, True), lines) if tiles else None,
    )  # fmt: skip
    return found, W, mistakes, norm_bounds


@given(st.data(), st.sampled_from([np.float64, np.float32]), st.booleans())
@settings(STEADY, max_examples=60)
def test_the_interpreted_form_computes_what_the_compiled_form_does(data, dtype, sparse):
    n, d = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 5))
    lines = data.draw(st.integers(1, 3))
    X = data.draw(arrays(dtype, (n, d), elements=st.integers(-2, 2))) / dtype(2.5)
    targets = data.draw(arrays(np.int8, n, elements=st.integers(0, lines)))
    order = np.array(data.draw(st.permutations(range(n))), dtype=np.int32)
    sizes = data.draw(arrays(dtype, n, elements=st.sampled_from([0.0, 1.0, 0.5, 3.0])))
    W = data.draw(arrays(dtype, (lines, d + 1), elements=st.integers(-1, 1)))
    options = {
        "order": order,
        "sizes": sizes,
        "restarts": data.draw(st.booleans()),
        "ties_positive": data.draw(st.booleans()),
    }
    X = sp.csr_matrix(X) if sparse else X
    slow = pass_over(perceptron_pass, X, targets, W, **options)
    fast = pass_over(perceptron_pass.fast, X, targets, W, **options)
    for one, other in zip(slow[:3], fast[:3], strict=True):
        assert np.array_equal(one, other)
    for w, norm_bound in zip(fast[1], fast[3], strict=True):
        assert Fraction(norm_bound) ** 2 >= sum(Fraction(float(v)) ** 2 for v in w)


@pytest.mark.parametrize("form", [perceptron_pass, perceptron_pass.fast])
@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize(
    ("size", "norm_bound"),
    [(1.0, 1.0), (2.0**40, 1.0), (2.0**-600, 2.0**300), (2.0**300, 2.0**-600)],
    ids=["plain", "large rows", "tiny rows", "tiny weights"],
)
def test_rows_on_the_boundary_but_for_rounding_are_all_told_apart(form, restarts, size, norm_bound):
    """Line 1 is right on every row, by a hair; line 0 stops at once and measures no large row."""
    rng = np.random.default_rng(13)
    w = np.append(rng.normal(size=4), 0.0) * norm_bound
    X = rng.normal(size=(200, 4)) * size
    unit = w[:-1] / norm_bound
    X -= np.outer(X @ unit / (unit @ unit), unit)
    exact = [exact_score(x, w, 0.0) for x in X]
    X, targets = X[[bool(score) for score in exact]], [score > 0 for score in exact if score]
    computed = X @ w[:-1]
    assert (np.sign(computed) != np.where(targets, 1, -1)).any()
    X = np.concatenate([np.full((2, 4), size / 2**20) * np.sign(w[:-1]), X])
    targets = np.array([1, 1, *targets], dtype=np.int8)
    W = np.array([w, w])
    _, after, mistakes, _ = pass_over(form, X, targets, W, restarts=restarts, fit_intercept=False)
    assert mistakes[0] > 0
    assert mistakes[1] == 0
    assert np.array_equal(after[1], w)


def test_many_lines_in_blocks_are_as_good_as_each_line_alone():
    rng = np.random.default_rng(1)
    X, targets = rng.normal(size=(3000, 300)), rng.integers(0, 4, size=3000).astype(np.int8)
    W = rng.normal(size=(4, 301))
    found, together, mistakes, _ = pass_over(perceptron_pass.fast, X, targets, W)
    assert found == mistakes.sum() > 0
    for c in range(4):
        only = np.where(targets == c, 0, 1).astype(np.int8)
        count, alone, _, _ = pass_over(perceptron_pass.fast, X, only, W[c : c + 1])
        assert count == mistakes[c]
        assert np.array_equal(alone[0], together[c])


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("form", [perceptron_pass, perceptron_pass.fast])
def test_a_pass_ends_at_a_row_that_is_not_finite(form, value):
    X = np.ones((4, 2))
    X[2, 1] = value
    targets = np.zeros(4, dtype=np.int8)
    assert pass_over(form, X, targets, np.ones((1, 3)))[0] == NOT_FINITE
    assert pass_over(form, X[:2], targets, np.ones((1, 3)))[0] == 0


@pytest.mark.parametrize("form", [perceptron_pass, perceptron_pass.fast])
def test_a_pass_ends_when_a_weight_overflows(form):
    X = np.array([[1.5e308, 0.0], [1e308, -1.7e308]])
    targets = np.array([0, 0], dtype=np.int8)
    start = np.array([[0.0, 1e308, 0.0]])
    with np.errstate(over="ignore", invalid="ignore"):
        assert pass_over(form, X, targets, start)[0] == NOT_FINITE


@compiled
def _triple(value):
    return 3 * value


@compiled
def _triple_plus_one(value):
    return _triple(value) + 1


def test_small_work_is_interpreted_and_large_work_compiled():
    assert _triple_plus_one.for_work(INTERPRETED_WORK) is _triple_plus_one
    fast = _triple_plus_one.for_work(INTERPRETED_WORK + 1)
    assert fast is _triple_plus_one.fast
    assert _triple_plus_one.for_work(0) is fast
    assert _triple_plus_one(4) == fast(4) == 13
    assert fast.py_func.__globals__["_triple"] is _triple.inner


def test_much_small_work_is_compiled_in_the_end():
    def sum_up(values):
        total = 0.0
        for k in range(values.shape[0]):
            total += values[k]
        return total

    loop = compiled(sum_up)
    forms = [loop.for_work(150_000.0) for _ in range(20)]
    assert forms[0] is loop
    assert forms[-1] is loop.fast
    assert loop.for_work(1.0) is loop.fast
