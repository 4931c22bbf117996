"""nk.Perceptron: the textbook's weights to the last bit, and an honest word about convergence."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer

import novikoff as nk
import textbook
from visits import weights

pytestmark = pytest.mark.usefixtures("quiet_about_convergence")
STEADY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

# Rich in ties: small integers, one-hot rows, decimals that float64 rounds, a few rows repeated.
NUMBERS = st.sampled_from(
    [
        st.integers(-2, 2).map(float),
        st.sampled_from([0.0, 1.0]),
        st.integers(-20, 20).map(lambda k: k / 10),
        st.sampled_from([0.1, 0.2, 0.3, -0.1, -0.3]),
        st.sampled_from([2.0**60, -(2.0**60), 1.0, -1.0, 0.0]),
        st.floats(-4, 4, width=32),
    ]
)


def same_bits(one, other):
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()


@st.composite
def problems(draw, n_classes=2):
    """Rows of either precision with labels that all occur, and a seed."""
    pool = draw(arrays(np.float64, (draw(st.integers(2, 6)), 3), elements=draw(NUMBERS)))
    n = draw(st.integers(n_classes, 10))
    X = pool[draw(arrays(np.intp, n, elements=st.integers(0, len(pool) - 1)))]
    y = draw(arrays(np.intp, n, elements=st.integers(0, n_classes - 1)))
    y[:n_classes] = np.arange(n_classes)
    return X.astype(draw(st.sampled_from([np.float64, np.float32]))), y


@given(
    problems(),
    st.sampled_from(["mistake", "positive", "zero"]),
    st.sampled_from(["cyclic", "restart", "shuffled", "given"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, "random", "given"]),
    st.integers(0, 2**31 - 1),
)
@settings(STEADY, max_examples=250)
def test_the_weights_are_those_of_the_textbook_to_the_last_bit(
    problem, tie, order, fit_intercept, weighted, start, seed
):
    X, y = problem
    n, d = X.shape
    random = np.random.RandomState(seed)
    passes = 40 if order == "restart" else 7
    first, sizes, given_order = None, None, order
    if weighted:
        sizes = np.random.RandomState(seed).choice([1.0, 0.3, 2.0, 1e-3], size=n).astype(X.dtype)
    if start == "random":
        first = random.standard_normal((1, d + fit_intercept))[0].astype(X.dtype)
    elif start == "given":
        choices = np.random.RandomState(seed).choice([1.0, -1.0, 0.1], d + fit_intercept)
        first = start = choices.astype(X.dtype)
    turns = [range(n)] * passes
    if order == "restart":
        turns = [None] * passes
    elif order == "shuffled":
        turns = [random.permutation(n) for _ in range(passes)]
    elif order == "given":
        given_order = np.random.RandomState(seed).permutation(n)
        turns = [given_order] * passes
    w, mistakes, n_passes, converged = textbook.run(
        X, 2 * y - 1, turns, tie=tie, sizes=sizes, start=first, fit_intercept=fit_intercept
    )
    for matrix in (X, sp.csr_matrix(X)):
        clf = nk.Perceptron(
            tie=tie, order=given_order, start=start, fit_intercept=fit_intercept,
            max_iter=passes, random_state=seed,
        ).fit(matrix, y, sample_weight=sizes)  # fmt: skip
        assert same_bits(weights(clf)[0], w)
        assert (clf.n_mistakes_, clf.n_iter_, clf.converged_) == (mistakes, n_passes, converged)
        assert clf.stop_reason_ == ("clean pass" if converged else "max_iter")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", [np.asarray, sp.csr_matrix])
def test_a_score_that_rounding_takes_to_zero_or_across_is_decided_exactly(dtype, layout):
    big = 2.0**60
    lost = np.array([[big, 1.0, -big], [-big, -1.0, big]], dtype=dtype)  # big + 1 − big
    clf = nk.Perceptron(start=[1.0, 1.0, 1.0], fit_intercept=False).fit(layout(lost), [1, 0])
    assert (clf.n_mistakes_, clf.n_iter_) == (0, 1)
    assert clf.decision_function(layout(lost)).tolist() == [1.0, -1.0]
    assert clf.score(layout(lost), [1, 0]) == 1.0
    clf = nk.Perceptron(start=[1.0, 0.0, 1.0], fit_intercept=False).fit(layout(lost), [1, 0])
    assert (clf.n_mistakes_, clf.n_iter_) == (1, 2)  # a true tie, then none


@given(problems(n_classes=3), st.sampled_from(["cyclic", "restart", "shuffled"]), st.booleans())
@settings(STEADY, max_examples=60)
def test_each_class_is_a_textbook_run_against_the_rest(problem, order, weighted):
    X, y = problem
    passes = 30 if order == "restart" else 6
    factor = {0: 2.0, 1: 0.3, 2: 1.0} if weighted else {0: 1.0, 1: 1.0, 2: 1.0}
    clf = nk.Perceptron(
        order=order, max_iter=passes, random_state=3, class_weight=factor if weighted else None
    ).fit(X, y)
    random = np.random.RandomState(3)
    turns = [range(len(X))] * passes
    if order == "restart":
        turns = [None] * passes
    elif order == "shuffled":
        turns = [random.permutation(len(X)) for _ in range(passes)]
    runs = [
        textbook.run(X, np.where(y == c, 1, -1), turns, sizes=np.where(y == c, factor[c], 1.0))
        for c in range(3)
    ]
    assert same_bits(weights(clf), np.array([w for w, *_ in runs]))
    assert clf.n_mistakes_ == sum(mistakes for _, mistakes, *_ in runs)
    assert clf.n_iter_ == max(n_passes for _, _, n_passes, _ in runs)
    assert clf.converged_ == all(converged for *_, converged in runs)


@pytest.mark.parametrize("passes", [1, 2, 7])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_scikit_learn_without_shuffling_finds_the_same_bits(passes, n_classes):
    rng = np.random.default_rng(passes)
    X = rng.normal(size=(400, 13))
    X[::7] *= 1e3
    X[250] *= 1e6  # the bound on rounding that other rows need would be too small for this one
    y = rng.integers(0, n_classes, size=400)
    sample_weight = rng.uniform(0.1, 2.0, size=400)
    balance = {c: 1.0 + c for c in range(n_classes)}
    for options, weight in (({}, None), ({"class_weight": balance}, sample_weight)):
        ours = nk.Perceptron(max_iter=passes, **options).fit(X, y, sample_weight=weight)
        peer = Peer(max_iter=passes, tol=None, shuffle=False, **options)
        peer.fit(X, y, sample_weight=weight)
        assert same_bits(ours.coef_, peer.coef_)
        assert same_bits(ours.intercept_, peer.intercept_)
        assert np.array_equal(ours.predict(X), peer.predict(X))
        assert np.allclose(ours.decision_function(X), peer.decision_function(X), rtol=1e-12)


@pytest.mark.parametrize("tie", ["mistake", "positive", "zero"])
@pytest.mark.parametrize("order", ["cyclic", "restart"])
@pytest.mark.parametrize(
    "name", ["lecture:000", "lecture:001", "lecture:002", "and", "or", "iris:setosa,versicolor"]
)
def test_it_makes_the_mistakes_of_trace_and_ends_at_its_weights(name, order, tie):
    """The known numbers of the lectures, and of textbooks, are tested on trace."""
    X, y = nk.datasets.load(name)
    run = nk.trace(X, y, tie=tie, order=order)
    clf = nk.Perceptron(tie=tie, order=order).fit(X, y)
    assert (clf.n_mistakes_, clf.n_iter_, clf.converged_) == (run.n_mistakes, run.n_passes, True)
    np.testing.assert_allclose(weights(clf)[0], [*run.coef, run.intercept], rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("margin", [0.3, 0.03, 0.003])
@pytest.mark.parametrize("order", ["cyclic", "restart", "shuffled"])
def test_on_separable_rows_it_converges_within_the_bound_and_predicts_all(margin, order):
    data = nk.datasets.planted(200, 5, margin)
    clf = nk.Perceptron(order=order, max_iter=10**5, random_state=0).fit(data.X, data.y)
    radius = np.sqrt((data.X**2).sum(axis=1).max() + 1)
    assert clf.converged_
    assert clf.n_mistakes_ <= (radius / data.margin) ** 2
    assert clf.score(data.X, data.y) == 1.0


def test_it_never_says_converged_on_xor_and_says_what_to_do():
    clf = nk.Perceptron(max_iter=25)
    with pytest.warns(ConvergenceWarning) as caught:
        clf.fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    assert (clf.converged_, clf.stop_reason_, clf.n_iter_) == (False, "max_iter", 25)
    message = str(caught[0].message)
    assert "max_iter = 25 passes" in message
    assert "still made 4 mistakes" in message
    assert "novikoff.certify(X, y)" in message
    assert caught[0].filename == __file__


@given(problems(n_classes=3), st.permutations(range(3)))
@settings(STEADY, max_examples=60)
def test_classes_that_come_late_change_nothing_for_those_that_came_before(problem, names):
    """Known classes keep the lines that they would have, had all been named at the start."""
    X, y = problem
    y = np.asarray(names)[np.sort(y)]  # one class after the other
    labels = np.array(["ant", "bee", "cow"])[y]
    late, early = nk.Perceptron(), nk.Perceptron()
    for i in range(len(X)):
        known = sorted(set(labels[: i + 1]))
        late.partial_fit(X[i : i + 1], labels[i : i + 1])
        early.partial_fit(X[i : i + 1], labels[i : i + 1], classes=["ant", "bee", "cow"])
        assert late.classes_.tolist() == known
        assert set(late.predict(X)) <= set(known)
        line_of = dict(zip(early.classes_.tolist(), weights(early), strict=True))
        if len(known) == 1:
            assert np.array_equal(weights(late)[0], line_of[known[0]])
        elif len(known) == 2:
            assert np.array_equal(weights(late)[0], -line_of[known[0]])
    for name in np.array(["ant", "bee", "cow"])[list(names[:2])]:
        assert np.array_equal(weights(late)[known.index(name)], line_of[name])


def test_every_kind_of_matrix_gives_the_same_bits():
    rng = np.random.default_rng(9)
    X = np.where(rng.random((70, 9)) < 0.4, rng.normal(size=(70, 9)), 0.0)
    y = np.where(rng.random(70) < 0.5, "spam", "ham")
    expected = weights(nk.Perceptron(max_iter=6).fit(X, y))
    wide = sp.csr_matrix(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    doubled = sp.csr_matrix(
        (np.repeat(wide.data / 2, 2), np.repeat(wide.indices, 2), 2 * wide.indptr), X.shape
    )
    frozen = X.copy()
    frozen.flags.writeable = False
    columns = [f"x{j}" for j in range(9)]
    for given_X in (
        sp.csr_matrix(X), sp.csr_array(X), sp.csc_matrix(X), sp.coo_matrix(X), wide, doubled,
        np.asfortranarray(X), frozen, X[::-1][::-1], pd.DataFrame(X, columns=columns),
        pl.DataFrame(X, schema=columns), X.tolist(),
    ):  # fmt: skip
        clf = nk.Perceptron(max_iter=6).fit(given_X, y)
        assert same_bits(weights(clf), expected)
        if hasattr(given_X, "columns"):
            assert clf.feature_names_in_.tolist() == columns
    assert doubled.nnz == 2 * wide.nnz
    assert wide.indices.dtype == np.int64


def test_a_start_of_negative_zero_is_zero_for_dense_and_sparse_rows():
    X, y = np.array([[0.0, 1.0], [0.0, -1.0]]), [0, 1]
    for matrix in (X, sp.csr_matrix(X)):
        clf = nk.Perceptron(start=[-0.0, 1.0, -0.0]).fit(matrix, y)
        assert not np.signbit(clf.coef_[0, 0])


def test_a_fit_needs_little_memory_beyond_the_rows():
    rng = np.random.default_rng(11)
    X = rng.normal(size=(200_000, 20))
    y = (X[:, 0] > 0).astype(float)
    nk.Perceptron(max_iter=1).fit(X[:50_000], y[:50_000])  # compiles
    for labels in (y, np.where(y > 0, "yes", "no"), np.digitize(X[:, 1], [-1.0, 0.0, 1.0])):
        tracemalloc.start()
        nk.Perceptron(max_iter=2).fit(X, labels)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 0.05 * X.nbytes


@pytest.mark.parametrize(
    ("X", "y", "weight", "message"),
    [
        ([[1.0], [2.0]], ["spam", "spam"], None, r"y has 1 class \('spam'\); .* at least 2"),
        ([[1.0], [2.0]], [0, 1], [1, 0], r"y has 1 class of positive weight \(0\)"),
        ([[1.0], [2.0]], [0, 1], [0, 0], "every row has weight 0|at least one non-zero"),
        ([[1.0], [2.0]], [0, 1], [1, -1], r"negative entry \(-1.0\)"),
        ([["red"], ["blue"]], [0, 1], None, "X holds text"),
        ([["1"], ["2"]], [0, 1], None, "X holds text \\('1'\\); every value must be a number"),
        (np.array([["1"], ["2"]], dtype=object), [0, 1], None, "X holds text"),
        (np.array([[b"1"], [b"2"]]), [0, 1], None, "X holds text"),
        (pd.DataFrame({"a": [1, 2], "b": ["1", "2"]}), [0, 1], None, "X holds text"),
        (pd.DataFrame({"a": pd.Categorical(["1", "2"])}), [0, 1], None, "X holds text"),
        ([[1.0], [2.0]], [0, 1, 1], None, "inconsistent numbers of samples"),
        ([[1.0], [2.0]], [0, 1], [1], "sample_weight"),
        ([[1.0], [2.0]], [0.5, 1.5], None, "Unknown label type"),
        ([[1.0], [2.0]], [0, np.nan], None, "NaN"),
        (np.empty((0, 2)), [], None, "0 sample"),
        ([1.0, 2.0], [0, 1], None, "Reshape your data"),
        ([[1.0], [2.0, 3.0]], [0, 1], None, "the rows of X differ in length"),
        (np.array([["2020"], ["2021"]], dtype="M8[Y]"), [0, 1], None, "X holds dates or times"),
        (np.ma.array([[1.0], [2.0]], mask=[[0], [1]]), [0, 1], None, "X has masked values"),
        ([[1.0], [2.0]], ["spam", 1], None, "y mixes labels of types int and str"),
        ([[1.0], [2.0]], "ab", None, "y should be a 1d array"),
        ([[1.0], [2.0]], np.array(["2020", "NaT"], dtype="M8[Y]"), None, "y has a missing label"),
    ],
)
def test_bad_data_gets_one_clear_sentence(X, y, weight, message):
    with pytest.raises(ValueError, match=message):
        nk.Perceptron().fit(X, y, sample_weight=weight)


def test_a_warm_start_from_another_width_leaves_the_model_as_it_was():
    clf = nk.Perceptron(warm_start=True).fit([[1.0], [-1.0]], [1, 0])
    with pytest.raises(nk.InputError, match="X has 2 columns, but the weights to go on from have"):
        clf.fit([[1.0, 0.0], [-1.0, 0.0]], [1, 0])
    assert clf.predict([[3.0], [-2.0]]).tolist() == [1, 0]


def test_labels_of_another_type_are_refused_in_a_stream():
    clf = nk.Perceptron().partial_fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(nk.InputError, match="labels of one type"):
        clf.partial_fit([[1.0]], ["spam"])


def test_verbose_prints_the_mistakes_of_each_pass(capsys):
    nk.Perceptron(verbose=1).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "pass 1: 3 mistakes"
    assert lines[-1] == "pass 6: 0 mistakes"
    assert sum(int(line.split()[2]) for line in lines) == 9
