"""The parts of the search, each against the theorem or the exact answer that it must meet."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from threadpoolctl import threadpool_info

from novikoff import datasets
from novikoff.exact.roots import root_down, root_up
from novikoff.inputs import read_table
from novikoff.search.clock import Clock, OutOfTimeError
from novikoff.search.collinear import spanning_equalities
from novikoff.search.crossover import crossover
from novikoff.search.hinge import minimise_pulled, minimise_with_ridge
from novikoff.search.integers import independent, solve
from novikoff.search.lp import LinearProgram
from novikoff.search.one_signed_columns import one_signed_columns
from novikoff.search.question import (
    Combination,
    Question,
    SeparatingDirection,
    combine,
    settle,
)
from novikoff.search.signed_rows import SignedRows
from novikoff.search.strict import (
    FoundObstruction,
    Separated,
    _exactly,
    conflicting_pairs,
    decide_strict,
)
from novikoff.search.threads import one_thread, one_thread_to_factor

SIGNS = st.sampled_from([-1, 1])


def signed(X, signs, fit_intercept=True):
    return SignedRows(read_table(X), np.asarray(signs, dtype=np.int8), fit_intercept)


def whole(values):
    return np.array(values, dtype=object).reshape(len(values), -1)


def rank(rows):
    """By elimination in Fractions."""
    rows, found = [[Fraction(v) for v in row] for row in rows], 0
    for j in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][j]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][j] / rows[found][j]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


# ------------------------------------------------------------------ Farkas


@st.composite
def questions(draw):
    d, m = draw(st.integers(1, 4)), draw(st.integers(1, 7))
    numbers = st.integers(-3, 3)
    rows = draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=m, max_size=m))
    hint = draw(st.lists(st.integers(0, m - 1), unique=True, max_size=m))
    return whole(rows), draw(st.lists(numbers, min_size=d, max_size=d)), hint


def check_answer(rows, target, answer):
    """A combination or a direction, and true."""
    if isinstance(answer, Combination):
        parts = [w * rows[p] for p, w in zip(answer.rows, answer.multipliers, strict=True)]
        total = sum(parts, np.zeros(rows.shape[1], dtype=object))
        assert list(total) == [answer.scale * t for t in target]
        assert min([answer.scale, *answer.multipliers]) > 0
        assert rank(rows[answer.rows].tolist()) == len(answer.rows)
    else:
        assert min(rows @ np.array(answer.weights, dtype=object)) >= 0
        assert sum(t * d for t, d in zip(target, answer.weights, strict=True)) < 0


@settings(max_examples=800, deadline=None)
@given(questions())
def test_farkas_always_gets_one_of_its_two_answers_and_it_is_true(question):
    rows, target, hint = question
    check_answer(rows, target, settle(rows, target, hint, Clock()))


@pytest.mark.parametrize("target", [[0, 1], [3 * 2**900, 1], [-(2**900), 2]])
def test_farkas_scales_columns_of_very_different_size(target):
    rows = whole([[2**900, 1], [-(2**900), 1]])
    check_answer(rows, target, settle(rows, target, [0, 1], Clock()))


def test_combine_refuses_what_needs_a_negative_weight():
    assert combine(whole([[1, 0], [0, 1]]), [2, 3], Clock()) == Combination([0, 1], [2, 3], 1)
    assert combine(whole([[1, 0], [0, 1]]), [2, -3], Clock()) is None
    assert combine(whole([[1, 0]]), [0, 1], Clock()) is None


def test_the_exact_simplex_ends_on_a_degenerate_corner():
    """The columns of Beale's example (1955), on which the largest price alone would cycle."""
    columns = whole([[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 2, 0, -3], [-32, -48, 0, 80],
                     [-4, -2, 4, 2], [36, 6, 0, -24]])  # fmt: skip
    for hint in ([], [0, 1, 2], [3, 4, 5, 6]):
        target = [0, 0, 1, 1]
        check_answer(columns, target, settle(columns, target, hint, Clock()))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=1, max_size=6))
def test_independent_rows_are_as_many_as_the_rank(rows):
    places, columns = independent(whole(rows))
    assert len(places) == len(columns) == rank(rows)
    assert rank(whole(rows)[np.ix_(places, columns)].tolist()) == len(places)


def test_solve_is_exact_for_hilberts_matrix():
    n = 20
    common = math.lcm(*range(1, 2 * n))
    hilbert = whole([[common // (i + j + 1) for j in range(n)] for i in range(n)])
    solution, scale = solve(hilbert, [1] * n)
    assert scale > 0
    assert (hilbert @ np.array(solution, dtype=object) == scale).all()


# ------------------------------------------------------------------ proposals


@pytest.mark.parametrize("seed", range(5))
def test_the_hinge_without_a_pull_separates_what_is_separable_and_balances_what_is_not(seed):
    random = np.random.default_rng(seed)
    rows = np.linalg.qr(random.normal(size=(200, 6)))[0]
    rows *= np.where(rows @ np.arange(6) > 0, 1, -1)[:, None]
    none, no_pull = np.zeros((0, 6)), np.zeros(6)
    assert minimise_pulled(rows, none, no_pull, Clock()).scores.min() > 0
    rows[:3] *= -1
    found = minimise_pulled(rows, none, no_pull, Clock())
    assert found.end == "balanced"
    assert found.slacks.max() > 0
    assert np.linalg.norm(found.slacks @ rows) < 1e-9 * found.slacks.sum()


@pytest.mark.parametrize("free_last", [False, True])
@pytest.mark.parametrize("shape", [(60, 5), (4, 9)])
def test_newton_ends_at_the_minimum_of_the_squared_hinge(shape, free_last):
    random = np.random.default_rng(0)
    rows = random.normal(size=shape)
    rows[:, -1] = random.choice([-1, 1], shape[0])
    epsilon = 0.1
    for given_rows in (rows, sparse.csr_array(rows)):
        w, score = minimise_with_ridge(
            given_rows, np.zeros(shape[1]), epsilon, Clock(), free_last=free_last
        )
        slack = np.maximum(0, 1 - rows @ w)
        weighed = np.append(w[:-1], 0.0) if free_last else w
        assert np.allclose(epsilon * weighed, rows.T @ slack, atol=1e-7)
        assert np.allclose(score, rows @ w)


def test_conjugate_gradients_agree_with_the_factored_solve(monkeypatch):
    rows = np.random.default_rng(0).normal(size=(50, 20))
    w, _ = minimise_with_ridge(rows, np.zeros(20), 0.1, Clock())
    monkeypatch.setattr("novikoff.search.hinge.MOST_PRODUCTS", 5)
    nearly, _ = minimise_with_ridge(rows, np.zeros(20), 0.1, Clock())
    assert np.allclose(w, nearly, atol=1e-6)


@pytest.mark.parametrize("shape", [(40, 7), (41, 7), (42, 7), (6, 9), (400, 300)])
def test_crossover_leaves_an_independent_set_that_still_balances(shape):
    random = np.random.default_rng(shape[0])
    vectors = random.normal(size=shape)
    vectors[:, 0] = 0.0  # of which nothing is said: a warning is an error here
    weights = random.uniform(0.1, 1.0, shape[0])
    target = weights @ vectors
    places = crossover(vectors, weights, target, Clock())
    assert len(places) <= min(shape[0], shape[1] - 1)
    solution = np.linalg.lstsq(vectors[places].T, target, rcond=None)[0]
    assert solution.min() > 0
    assert np.allclose(solution @ vectors[places], target)


@pytest.mark.parametrize("seed", range(8))
def test_the_linear_program_proposes_either_answer_and_goes_on_with_more_rows(seed):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(30, 4))
    target = random.normal(size=4)
    program = LinearProgram(4)
    program.aim(target)
    for start in (0, 10, 20):
        program.add(rows[start : start + 10])
        proposal = program.solve(Clock())
        so_far = rows[: start + 10]
        if proposal.delta is not None:
            assert (so_far @ proposal.delta).min() > -1e-7
            assert math.isclose(target @ proposal.delta, -1.0)
        else:
            weights = np.linalg.lstsq(so_far[proposal.tight].T, target, rcond=None)[0]
            assert weights.min() > -1e-9
            assert np.allclose(weights @ so_far[proposal.tight], target)
    program.aim(-target)
    assert program.solve(Clock()) is not None


def exactly(z, clock):
    return _exactly(z, z.rows[:2], clock)


@pytest.mark.parametrize("decide", [decide_strict, exactly])
@pytest.mark.parametrize("name", ["xor", "parity:3", "overlap:1e-3"])
def test_an_obstruction_is_exact_when_it_is_found(decide, name):
    X, y = datasets.load(name)
    z = signed(X, y)
    found = decide(z, Clock())
    assert isinstance(found, FoundObstruction)
    rows, _, _ = z.integers(found.rows)
    assert not (np.array(found.multipliers, dtype=object) @ rows).any()
    assert min(found.multipliers) > 0
    assert len(found.rows) <= z.dim + 1


@pytest.mark.parametrize("decide", [decide_strict, exactly])
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("layout", [np.array, sparse.csr_array, "fractions"])
def test_a_strict_separator_is_strict_on_every_row(decide, fit_intercept, layout):
    random = np.random.default_rng(0)
    X = random.integers(-9, 10, (40, 3))
    signs = np.where(X @ [3, -2, 1] > 0, 1, -1)
    X[X @ [3, -2, 1] == 0] = [1, -1, 0]
    signs[X @ [3, -2, 1] == 5] = 1
    given_rows = X * Fraction(1, 3) if layout == "fractions" else layout(X.astype(float))
    z = signed(given_rows, signs, fit_intercept)
    z = SignedRows(z.table, z.signs, fit_intercept, z.rows[::2])
    found = decide(z, Clock())
    assert isinstance(found, Separated)
    assert len(z.opposed(found.weights, strict=True)) == 0


def test_rows_fewer_than_their_columns_are_separated_without_a_matrix_of_all_columns():
    random = np.random.default_rng(0)
    X = sparse.random(60, 9000, 0.01, format="csr", random_state=0)
    z = signed(X, random.choice([-1, 1], 60))
    clock = Clock()
    assert isinstance(decide_strict(z, clock), Separated)
    assert "linear program" not in clock.seconds


# ------------------------------------------------------------------ before the search


def with_stored_zeros(X):
    """CSR that stores its zeros."""
    X = sparse.csr_matrix(X + (X == 0))
    X.data[X.data == 1] = 0.0
    return X


@pytest.mark.parametrize("layout", [np.array, sparse.csr_matrix, with_stored_zeros])
def test_peeling_takes_only_rows_that_a_one_signed_column_settles(layout):
    X = np.array([[3, 5, 0], [0, -5, 2], [0, 4, 7], [0, -4, 0.0]])
    steps, rest = one_signed_columns(signed(layout(X), [1, 1, -1, -1]))
    assert [(w.tolist(), rows.tolist()) for w, rows in steps] == [([1, 0, 0, 0], [0])]
    assert rest.rows.tolist() == [1, 2, 3]
    assert rest.columns.tolist() == [1, 2]


def test_conflicting_rows_are_found_among_many_and_never_invented():
    X = np.random.default_rng(0).integers(0, 3, (500, 12)).astype(float)
    signs = np.where(X[:, 0] > 0, 1, -1)
    assert conflicting_pairs(signed(X, signs)) == []
    X[321], signs[321] = X[44], -signs[44]
    assert [set(pair) for pair in conflicting_pairs(signed(X, signs))] == [{44, 321}]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(-2, 2), min_size=4, max_size=4), min_size=3, max_size=9),
    st.integers(0, 199),
)
def test_spanning_equalities_are_independent_and_span_rare_rows_too(X, first):
    """Of 200 rows most are alike: a sample shows none of the others."""
    rows = np.array([[2, 0, 1, -1]] * 200)
    rows[(first + np.arange(len(X))) % 200] = X
    for given_rows in (rows / 8, rows.astype(object) * Fraction(1, 3)):
        z = signed(given_rows, [1, -1] * 100)
        found = spanning_equalities(z, z.rows, Clock())
        full = [[*x, 1] for x in rows.tolist()]
        assert rank([full[i] for i in found]) == len(found) == rank(full)


# ------------------------------------------------------------------ the view


@pytest.mark.parametrize("scale", [1.0, 1e-150, 1e150])
def test_weights_of_the_picture_are_carried_back_exactly(scale):
    random = np.random.default_rng(0)
    X = (1e6 + random.normal(size=(20, 3))) * scale
    z = signed(X, random.choice([-1, 1], 20))
    w = random.normal(size=4)
    weights = z.float_view.exact_weights(w)
    exact = [
        sum((Fraction(v) * c for v, c in zip(x, weights[:-1], strict=True)), weights[-1])
        for x in X.tolist()
    ]
    assert np.allclose(np.array([float(v) for v in exact]) * z.signs, z.float_view.scores(w))
    assert np.allclose(np.linalg.norm(z.float_view.unit_rows(z.rows), axis=1), 1.0)


def test_a_target_is_pictured_as_a_row_is():
    X = np.array([[1e9, 3.0], [1e9 + 4, 1.0], [1e9 - 2, 8.0]])
    z = signed(X, [1, 1, -1])
    whole_rows, _, _ = z.integers(z.rows)
    for row, seen in zip(whole_rows, z.float_view.unit_rows(z.rows), strict=True):
        assert np.allclose(z.float_view.unit_target(row.tolist()), seen)


def test_a_question_keeps_its_rows_from_target_to_target():
    random = np.random.default_rng(0)
    X = random.integers(-9, 10, (400, 3))
    signs = np.where(X @ [3, -2, 1] >= 0, 1, -1)
    z = signed(X, signs, False)
    question = Question(z, z.rows[:5], Clock())
    for target in ([1, 0, 0], [-1, 0, 0], [-3, 2, -1], [0, Fraction(1, 3), 0]):
        answer = question.ask(target)
        if isinstance(answer, SeparatingDirection):
            assert ((X @ np.array(answer.weights[:-1])) * signs).min() >= 0
            assert sum(t * w for t, w in zip(target, answer.weights, strict=False)) < 0
        else:
            total = np.array(answer.multipliers, dtype=object) * signs[answer.rows] @ X[answer.rows]
            assert list(total) == [answer.scale * t for t in target]
    assert len(question.chosen) < 100


# ------------------------------------------------------------------ bounds and clocks


@settings(max_examples=200, deadline=None)
@given(st.fractions(min_value=0).filter(lambda q: q > 0), st.integers(-900, 900))
def test_square_roots_are_rounded_to_the_right_side_and_no_further(square, power):
    square *= Fraction(2) ** power
    down, up = root_down(square), root_up(square)
    assert Fraction(down) ** 2 <= square <= Fraction(up) ** 2
    assert up in (down, math.nextafter(down, math.inf))


def test_a_clock_that_has_run_out_stops_every_stage():
    X, y = datasets.parity(5)
    clock = Clock(1e-9)
    with pytest.raises(OutOfTimeError):
        decide_strict(signed(X, y), clock)
    assert clock.left() < 0


def test_few_columns_left_of_many_are_factored_by_one_thread():
    """On a busy machine threads waited for each other: MNIST's 2 against 3 took twice as long."""
    with one_thread(784), one_thread_to_factor(600):  # a table of many columns, and 600 of them
        blas = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        assert {pool["num_threads"] for pool in blas} == {1}
