"""`trace` against the lectures' tables and a textbook loop in exact rationals."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix

import novikoff as nk

LECTURE_002 = ([[-1, 3], [-1, -1], [3, -1], [0, 1.5]], [-1, -1, 1, 1])


def textbook(X, signs, tie, orders, start, fit_intercept):
    """The perceptron in exact rationals: the (row, visit) of every mistake, and whether clean.

    `orders` is one row order per pass, or, to restart after each mistake, a number of looks.
    """
    rows = [[Fraction(v) for v in x] + [Fraction(int(fit_intercept))] for x in X]
    w = [Fraction(v) for v in start]
    tape, visit, restarts = [], 0, isinstance(orders, int)
    looks = [range(len(rows))] * orders if restarts else orders
    for order in looks:
        clean = True
        for i in order:
            score = signs[i] * sum(a * b for a, b in zip(w, rows[i], strict=True))
            wrong = score < 0 or (score == 0 and not (tie == "positive" and signs[i] > 0))
            if wrong:
                tape.append((i, visit))
                w = [a + signs[i] * b for a, b in zip(w, rows[i], strict=True)]
                clean = False
            visit += 1
            if wrong and restarts:
                break
        if clean:
            return tape, w, True
    return tape, w, False


small = st.one_of(
    st.integers(-2, 2),
    st.sampled_from([0.1, 0.2, 0.3, -0.1, -0.2, -0.3, 0.0, 0.6, 0.9]),
    st.floats(-1e3, 1e3, allow_subnormal=False),
    st.sampled_from([1e-300, -1e-300, 5e-324, 1e150, -1e150, 2.0**60, 1.0 + 2.0**-52]),
)
exact_numbers = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([Decimal("0.1"), Decimal("-0.3"), Fraction(1, 3), Fraction(-2, 7), 2**70]),
)


@st.composite
def problems(draw, numbers):
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    X = [[draw(numbers) for _ in range(d)] for _ in range(n)]
    signs = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    signs[0], signs[1] = 1, -1
    fit_intercept = draw(st.booleans())
    start = draw(st.one_of(st.none(), st.lists(small, min_size=d + 1, max_size=d + 1)))
    start = [0] * (d + 1) if start is None else start
    if not fit_intercept:
        start[-1] = 0
    return X, signs, fit_intercept, [float(v) for v in start]


def compare(problem, tie, order, seed, as_array):
    X, signs, fit_intercept, start = problem
    n, passes = len(X), 8
    random = np.random.RandomState(seed)
    if order == "restart":
        orders, given_order = passes, "restart"
    elif order == "shuffled":
        orders, given_order = [random.permutation(n) for _ in range(passes)], "shuffled"
    elif order == "given":
        given_order = random.permutation(n)
        orders = [given_order] * passes
    else:
        orders, given_order = [range(n)] * passes, "cyclic"
    run = nk.trace(
        as_array(X), signs, tie=tie, order=given_order, max_iter=passes, random_state=seed,
        fit_intercept=fit_intercept, start=start if fit_intercept else start[:-1],
    )  # fmt: skip
    tape, w, clean = textbook(X, signs, tie, orders, start, fit_intercept)
    assert list(zip(run.tape.rows.tolist(), run.tape.visits.tolist(), strict=True)) == tape
    assert run.converged == clean
    assert run.exact_weights_at(run.n_mistakes).fractions() == w
    assert np.array_equal(run.coef, [float(v) for v in w[:-1]])
    assert run.intercept == float(w[-1])


ties = st.sampled_from(["mistake", "positive", "zero"])
orders = st.sampled_from(["cyclic", "restart", "shuffled", "given"])


TINY_ROW = ([[0.0], [0.0], [0.0], [-0.2], [1e-300]], [1, -1, -1, -1, -1], False, [-1.0, 0.0])


@settings(max_examples=400, deadline=None)
@given(problems(small), ties, orders, st.integers(0, 9))
@example(TINY_ROW, "mistake", "cyclic", 0)  # a row whose squared norm underflows
def test_floats_make_the_mistakes_of_exact_arithmetic(problem, tie, order, seed):
    compare(problem, tie, order, seed, lambda X: np.array(X, dtype=float))


@settings(max_examples=200, deadline=None)
@given(problems(exact_numbers), ties, orders, st.integers(0, 9))
def test_fractions_and_decimals_make_the_mistakes_of_exact_arithmetic(problem, tie, order, seed):
    compare(problem, tie, order, seed, lambda X: np.array(X, dtype=object))


@settings(max_examples=60, deadline=None)
@given(problems(small), ties, orders, st.integers(0, 9))
def test_sparse_rows_make_the_same_mistakes(problem, tie, order, seed):
    compare(problem, tie, order, seed, lambda X: csr_matrix(np.array(X, dtype=float)))


@pytest.mark.parametrize("tie", ["mistake", "positive"])
def test_the_compiled_form_makes_the_same_mistakes(tie, monkeypatch):
    random = np.random.RandomState(0)
    X = np.round(random.normal(size=(60, 3)), 1)
    y = random.choice([-1, 1], 60)
    slow = nk.trace(X, y, tie=tie, max_iter=40)
    monkeypatch.setattr("novikoff.loops.compiled.INTERPRETED_WORK", 0)
    fast = nk.trace(X, y, tie=tie, max_iter=40)
    assert np.array_equal(slow.tape.rows, fast.tape.rows)
    assert np.array_equal(slow.tape.visits, fast.tape.visits)


def test_integers_beyond_float64_are_taken_as_given():
    big = 2**53
    X = np.array([[big + 1], [big]])
    run = nk.trace(X, [1, -1], fit_intercept=True, max_iter=5)
    tape, _, _ = textbook(X.tolist(), [1, -1], "mistake", [range(2)] * 5, [0, 0], True)
    assert run.tape.rows.tolist() == [row for row, _ in tape]


# The lectures' worked examples are in tests/datasets, line by line. Oracles.


@pytest.mark.parametrize(
    ("n", "mistakes"),
    [(4, 61), (5, 161), (6, 417), (7, 1093), (8, 2857), (9, 7481), (10, 19581), (12, 134209),
     (14, 919881), (16, 6304957)],
)  # fmt: skip
def test_badmargin_makes_exactly_its_known_number_of_mistakes(n, mistakes):
    X = np.zeros((n + 1, n))
    for i in range(n):
        X[i, i] = 1
        X[i, i + 1 :: 2] = 1
    run = nk.trace(X, [(-1) ** i for i in range(n + 1)], max_iter=10**9)
    assert run.n_mistakes == mistakes
    assert run.converged


@pytest.mark.parametrize(
    ("y", "passes", "mistakes", "weights"),
    [([0, 0, 0, 1], 9, 18, [3, 2, -4]), ([0, 1, 1, 1], 6, 9, [2, 2, -1])],
    ids=["and", "or"],
)
def test_and_and_or_take_their_known_passes_and_mistakes(y, passes, mistakes, weights):
    run = nk.trace([[0, 0], [0, 1], [1, 0], [1, 1]], y)
    assert (run.n_passes, run.n_mistakes) == (passes, mistakes)
    assert [*run.coef, run.intercept] == weights


@pytest.mark.parametrize("d", [2, 5, 17])
def test_the_bound_is_attained_on_the_unit_vectors(d):
    signs = np.array([(-1) ** i for i in range(d)])
    run = nk.trace(np.eye(d) * signs[:, None], signs, fit_intercept=False)
    assert run.n_mistakes == d
    audit = run.audit(separator=np.ones(d))
    assert audit.bound == pytest.approx(d)
    assert audit.holds


def iris():
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)


def test_iris_setosa_against_versicolor():
    X, y = iris()
    X = np.vectorize(lambda v: Decimal(str(v)), otypes=[object])(X[:100])
    run = nk.trace(X, y[:100])
    assert (run.n_passes, run.n_mistakes) == (4, 5)
    weights = run.exact_weights_at(5).fractions()
    assert weights == [Fraction(v) for v in ("-1.3", "-4.1", "5.2", "2.2", "-1")]


def test_iris_shuffled_two_passes():
    X, y = iris()
    order = np.random.RandomState(12).permutation(150)
    run = nk.trace(X[order], y[order] == 1, max_iter=2)
    assert np.allclose(run.coef, [6.8, -8.9, 8.8, -3.5], rtol=0, atol=1e-12)
    assert run.intercept == 3


# Invariants.


def test_scaling_every_row_changes_no_mistake():
    random = np.random.RandomState(1)
    X, y = random.normal(size=(50, 4)), random.choice([-1, 1], 50)
    plain = nk.trace(X, y, fit_intercept=False, max_iter=20)
    scaled = nk.trace(X * 1024.0, y, fit_intercept=False, max_iter=20)
    assert np.array_equal(plain.tape.rows, scaled.tape.rows)
    X10 = np.vectorize(lambda v: Fraction(v) * 10, otypes=[object])(X)
    assert np.array_equal(
        plain.tape.rows, nk.trace(X10, y, fit_intercept=False, max_iter=20).tape.rows
    )


def test_an_update_raises_the_signed_score_by_the_square_of_the_row():
    random = np.random.RandomState(2)
    X, y = random.randint(-5, 6, (30, 3)), random.choice([-1, 1], 30)
    run = nk.trace(X, y, max_iter=10)
    for step in run.steps():
        row = np.append(X[step.row], 1)
        assert step.sign * (step.weights @ row) == step.sign * step.score + row @ row


def test_offset_appended_one_and_prepended_one_are_one_and_the_same_run():
    X, y = np.array(LECTURE_002[0]), LECTURE_002[1]
    ones = np.ones((len(X), 1))
    offset = nk.trace(X, y)
    appended = nk.trace(np.hstack([X, ones]), y, fit_intercept=False)
    prepended = nk.trace(np.hstack([ones, X]), y, fit_intercept=False)
    assert np.array_equal(offset.tape.rows, appended.tape.rows)
    assert np.array_equal(offset.tape.rows, prepended.tape.rows)
    for k in range(offset.n_mistakes + 1):
        assert np.array_equal(offset.weights_at(k), appended.weights_at(k))
        assert np.array_equal(offset.weights_at(k), np.roll(prepended.weights_at(k), -1))


def test_survival_counts_every_visit_and_dual_counts_every_mistake():
    run = nk.trace(*LECTURE_002)
    assert run.survival.sum() == run.n_visits
    assert len(run.survival) == run.n_mistakes + 1
    assert run.dual_counts.sum() == run.n_mistakes
    signed = run.dual_counts * run.signs
    assert np.array_equal(signed @ np.array(LECTURE_002[0]), run.coef)
    assert signed.sum() == run.intercept


def test_a_limit_on_mistakes_stops_the_run_and_never_says_converged():
    run = nk.trace(*LECTURE_002, max_mistakes=4)
    assert run.n_mistakes == 4
    assert not run.converged
    assert run.stop_reason == "max_mistakes"
    full = nk.trace(*LECTURE_002)
    assert np.array_equal(run.tape.rows, full.tape.rows[:4])
    assert nk.trace(*LECTURE_002, max_mistakes=9).converged


def test_xor_never_converges():
    run = nk.trace([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], max_iter=500)
    assert not run.converged
    assert run.stop_reason == "max_iter"
    assert run.n_passes == 500


def test_every_kind_of_table_gives_the_same_run():
    import pandas
    import polars

    X, y = np.array(LECTURE_002[0]), LECTURE_002[1]
    expected = nk.trace(X, y).tape.rows.tolist()
    sparse = csr_array(X)
    long = csr_matrix(X)
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    frame = pandas.DataFrame(X, columns=["a", "b"])
    for table in (X.astype(np.float32), X.tolist(), sparse, long, frame, polars.DataFrame(X)):
        assert nk.trace(table, y).tape.rows.tolist() == expected


def test_labels_of_any_type_and_the_positive_class_is_the_larger_unless_chosen():
    X, y = LECTURE_002
    words = ["spam" if sign < 0 else "ham" for sign in y]
    assert nk.trace(X, words).classes == ("ham", "spam")
    chosen = nk.trace(X, words, positive="ham")
    assert chosen.tape.rows.tolist() == nk.trace(X, y).tape.rows.tolist()
    assert nk.trace(X, np.array(y) > 0).classes == (False, True)


def test_the_printed_table_shows_each_update_and_shortens_long_runs():
    text = str(nk.trace(*LECTURE_002))
    assert "9    4     +            -3  (4, -0.5, 1)" in text
    assert "Converged: 9 mistakes in 6 passes, the last one clean." in text
    long = str(nk.trace([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]))
    assert len(long.splitlines()) < 45
    assert "more)" in long
    html = nk.trace(*LECTURE_002)._repr_html_()
    assert html.count("<tr>") == 11


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_has_one_line_per_mistake(library, monkeypatch):
    if library == "polars":
        monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    frame = nk.trace(*LECTURE_002).to_frame()
    assert type(frame).__module__.startswith(library)
    assert frame.shape == (9, 8)
    assert list(frame["row"]) == [0, 1, 3, 3, 0, 3, 3, 0, 3]
    assert list(frame["offset"])[-1] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"X": [[np.nan, 1]] * 4}, r"NaN \(row 0, column 0\)"),
        ({"X": [[1, np.inf]] * 4}, r"infinity \(row 0, column 1\)"),
        ({"y": [1, 1, 1, 1]}, r"y has 1 class \(1\); 2 are needed"),
        ({"y": list("abcc")}, r"y has 3 classes \('a', 'b', 'c'\); 2 are needed"),
        ({"y": [1, -1]}, "X has 4 rows and y has 2 labels"),
        ({"X": np.empty((0, 2)), "y": []}, "0 rows"),
        ({"X": np.empty((4, 0))}, "0 feature"),
        ({"X": [1, 2, 3, 4]}, "1 dimension"),
        (
            {"X": np.array([["a", 1]] * 4, dtype=object)},
            r"'a' of type str .* must be a number: leave the column out or encode it\.$",
        ),
        ({"X": np.array([["a", "b"]] * 4)}, "dtype <U1"),
        ({"start": [1, 2]}, r"start is of shape \(2,\); it must be .* 3 finite numbers"),
        ({"start": "warm"}, "start is 'warm'; it must be None, 'random' or 3 finite numbers"),
        ({"start": [1, 2, np.nan]}, r"start is of shape \(3,\); .* 3 finite numbers"),
        ({"start": 1}, r"start is of shape \(\); "),
        ({"order": [0, 1, 2, 2]}, "not a permutation"),
        ({"order": [0, 1]}, "permutation of the row numbers"),
        ({"order": "random"}, "order is 'random'"),
        ({"tie": "win"}, "tie is 'win'; it must be one of"),
        ({"max_iter": 0}, "max_iter is 0"),
        ({"max_mistakes": 2.5}, "max_mistakes is 2.5"),
        ({"positive": "yes"}, "positive is 'yes', but the labels"),
        ({"random_state": "x"}, "random_state is 'x'"),
        ({"random_state": True}, "random_state is True"),
        ({"random_state": 2**32}, r"a whole number from 0 to 2\^32 - 1"),
        ({"fit_intercept": "no"}, "fit_intercept is 'no'; it must be True or False"),
        ({"X": [[1, 2], [3], [4, 5], [6, 7]]}, "the rows of X differ in length"),
        ({"X": np.ma.array(np.ones((4, 2)), mask=np.eye(4, 2))}, "X has masked values"),
        ({"X": None}, "X is of type NoneType; it must be an array, a list of rows"),
        ({"X": {"size": [1, 2, 3, 4]}}, "X is of type dict; it must be an array"),
        ({"y": ["a", "a", 1, 1]}, "mixes labels of types int and str"),
        ({"y": ["a", "a", "b", float("nan")]}, "mixes labels of types float and str"),
        ({"y": np.array(["2020", "NaT", "2021", "2021"], dtype="M8[Y]")}, "missing label"),
        ({"y": [1, None, -1, 1]}, "missing label"),
        ({"y": np.array([1, "a", -1, 1], dtype=object)}, "mixes labels of types int and str"),
    ],
)
def test_bad_input_gets_one_clear_sentence(change, message):
    arguments = {"X": LECTURE_002[0], "y": LECTURE_002[1], **change}
    with pytest.raises(nk.InputError, match=message) as caught:
        nk.trace(**arguments)
    assert isinstance(caught.value, ValueError)


def test_a_text_column_of_a_frame_is_named():
    import pandas

    frame = pandas.DataFrame({"size": [1.0, 2.0], "colour": ["red", "blue"]})
    with pytest.raises(nk.InputError, match=r"column 'colour' of X holds text \('red'\)"):
        nk.trace(frame, [0, 1])


@pytest.mark.parametrize("k", [10, -1, 1.5, "last", None])
def test_a_k_outside_the_run_is_an_error(k):
    with pytest.raises(nk.InputError, match="made 9 mistakes, so k must be a whole number from 0"):
        nk.trace(*LECTURE_002).weights_at(k)


@pytest.mark.parametrize("dtype", ["boolean", "string", "Int64"])
def test_a_label_that_pandas_calls_na_is_missing(dtype):
    import pandas

    y = pandas.Series([1, None, 0, 0]).astype("Int64").astype(dtype)
    with pytest.raises(nk.InputError, match="every row needs"):
        nk.trace(LECTURE_002[0], y)
    with pytest.raises(ValueError, match=r"NaN|missing label"):
        nk.Perceptron().fit(LECTURE_002[0], y)


def test_one_mistake_and_one_pass_are_not_many():
    run = nk.trace([[1.0], [1.0]], [1, -1], fit_intercept=False, max_mistakes=1)
    assert repr(run) == "<Run: 1 mistake in 1 pass, not converged: max_mistakes>"
    assert "1 mistake in 1 pass;" in str(run)
    assert str(run.audit(margin=1.0)).splitlines()[0].endswith(", 1 mistake")


@pytest.mark.parametrize("step", [0.1, 0.3, 0.7, 1.1])
def test_rounding_that_piles_up_over_a_long_run_changes_no_mistake(step):
    start = -3000 * step
    run = nk.trace([[step], [-step]], [1, -1], fit_intercept=False, start=[start], max_iter=9999)
    needed = -Fraction(start) / Fraction(step)  # the first k with start + k·step > 0
    assert run.n_mistakes == needed.__floor__() + 1
    assert run.converged
