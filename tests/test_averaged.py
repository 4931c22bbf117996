"""nk.AveragedPerceptron: the mean of the weights after every visit, exactly."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import SGDClassifier

from estimator_checks import assert_scikit_learn_accepts
from novikoff.errors import InputError
from novikoff.estimators import AveragedPerceptron, Perceptron
from novikoff.loops import averaged as loops
from novikoff.loops.doubt import reach_of
from novikoff.loops.rows import as_rows
from novikoff.models import lookahead
from visits import (
    ORDERS,
    TIES,
    interpreted,
    joint_over_visits,
    line_over_visits,
    orders_of,
    problems,
    sides_of,
    with_constant,
)

STEADY = settings(deadline=None)


@pytest.fixture(autouse=True)
def _quiet_about_convergence():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def weights(clf):
    return np.column_stack([clf.coef_, clf.intercept_])


def last_weights(clf):
    return np.column_stack([clf.last_coef_, clf.last_intercept_])


def noisy(n=400, d=13, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(0, n_classes, size=n)


@given(
    problems(), TIES, ORDERS, st.booleans(), st.booleans(), st.sampled_from(["rest", "joint"]),
    st.integers(1, 4), st.integers(0, 2**31 - 1),
)  # fmt: skip
@settings(STEADY, max_examples=200)
def test_coef_is_the_exact_mean_of_the_weights_after_each_visit_rounded_once(
    problem, tie, order, fit_intercept, weighted, multiclass, passes, seed
):
    X, y = problem
    n_classes = len(set(y))
    order, orders = orders_of(order, len(X), passes, seed)
    sizes = None
    if weighted:
        sizes = np.random.RandomState(seed).choice([1.0, 0.5, 2.0, 3.0], size=len(X))
    clf = AveragedPerceptron(
        tie=tie, order=order, fit_intercept=fit_intercept, max_iter=passes, random_state=seed,
        multiclass=multiclass,
    )  # fmt: skip
    for matrix in (X, sp.csr_matrix(X)):
        with interpreted():
            clf.fit(matrix, y, sample_weight=sizes)
        done, Z = orders[: clf.n_iter_], with_constant(X, fit_intercept)
        if multiclass == "joint" and n_classes > 2:
            after = joint_over_visits(Z, y, n_classes, done, sizes=sizes, tie=tie)[1:]
        else:
            runs = [
                line_over_visits(Z, sides, done, sizes=sizes, tie=tie)
                for sides in sides_of(y, n_classes)
            ]
            after = [np.stack(lines) for lines in zip(*runs, strict=True)][1:]
        assert clf.n_visits_ == len(after) == clf.n_iter_ * len(X)
        assert (last_weights(clf) == after[-1].astype(float)).all()
        mean = (sum(after) / len(after)).astype(float).astype(X.dtype)
        assert clf.coef_.dtype == X.dtype
        assert (weights(clf) == mean).all()


def test_the_start_counts_only_while_it_survives():
    X, y = [[1.0], [2.0], [-4.0]], [1, 1, 0]
    clf = AveragedPerceptron(start=[1.0], fit_intercept=False).fit(X, y)
    assert (clf.n_mistakes_, clf.coef_.item()) == (0, 1.0)
    clf = AveragedPerceptron(start=[-1.0], fit_intercept=False, max_iter=1).fit(X, y)
    assert clf.last_coef_.item() == 2.0  # −1, then 0, then 2
    assert clf.coef_.item() == (0 + 2 + 2) / 3


@pytest.mark.parametrize("passes", [1, 2, 7])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_scikit_learns_averaged_sgd_finds_the_same_mean(passes, n_classes):
    X, y = noisy(n_classes=n_classes, seed=passes)
    sample_weight = np.random.default_rng(9).uniform(0.1, 2.0, size=len(X))
    for weight in (None, sample_weight):
        ours = AveragedPerceptron(max_iter=passes).fit(X, y, sample_weight=weight)
        peer = SGDClassifier(
            loss="perceptron", penalty=None, average=True, learning_rate="constant", eta0=1,
            shuffle=False, tol=None, max_iter=passes,
        ).fit(X, y, sample_weight=weight)  # fmt: skip
        np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_the_last_weights_are_the_perceptrons(multiclass):
    X, y = noisy(n_classes=4)
    options = {"max_iter": 5, "multiclass": multiclass, "class_weight": "balanced"}
    ours, plain = AveragedPerceptron(**options).fit(X, y), Perceptron(**options).fit(X, y)
    assert last_weights(ours).tobytes() == weights(plain).tobytes()
    assert ours.n_mistakes_ == plain.n_mistakes_


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_a_stream_of_rows_is_one_pass(multiclass):
    X, y = noisy(n=60, d=3, n_classes=3)
    stream = AveragedPerceptron(multiclass=multiclass)
    for i in range(60):
        stream.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1, 2])
    once = AveragedPerceptron(max_iter=1, multiclass=multiclass).fit(X, y)
    assert weights(stream).tobytes() == weights(once).tobytes()
    assert (stream.n_visits_, stream.n_iter_) == (60, 60)


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_two_warm_fits_are_one_longer_fit(multiclass):
    X, y = noisy(n_classes=3)
    options = {"multiclass": multiclass, "warm_start": True}
    warm = AveragedPerceptron(max_iter=3, **options).fit(X, y).set_params(max_iter=2).fit(X, y)
    long = AveragedPerceptron(max_iter=5, multiclass=multiclass).fit(X, y)
    assert weights(warm).tobytes() == weights(long).tobytes()
    assert warm.n_visits_ == long.n_visits_ == 5 * len(X)


def test_a_class_that_comes_late_counts_as_zeros_before():
    clf = AveragedPerceptron(fit_intercept=False)
    clf.partial_fit([[1.0, 2.0], [-1.0, 0.5]], ["b", "c"])  # −(1, 2), then −(2, 1.5)
    assert clf.coef_.tolist() == [[-1.5, -1.75]]
    clf.partial_fit([[0.0, 0.0], [0.0, 0.0]], ["b", "b"], classes=["a"])
    assert clf.coef_.tolist() == [[0, 0], [7 / 4, 6.5 / 4], [-7 / 4, -6.5 / 4]]


def test_rows_of_weight_zero_are_no_visits():
    X, y = noisy(n=60, n_classes=3)
    weight = np.random.default_rng(1).choice([0.0, 1.0, 2.0], size=60)
    kept = weight > 0
    for order in ("cyclic", "shuffled"):
        options = {"max_iter": 4, "order": order, "random_state": 0}
        whole = AveragedPerceptron(**options).fit(X, y, sample_weight=weight)
        part = AveragedPerceptron(**options).fit(X[kept], y[kept], sample_weight=weight[kept])
        assert weights(whole).tobytes() == weights(part).tobytes()
        assert whole.n_visits_ == 4 * kept.sum()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_threads_do_not_change_a_bit(n_classes, multiclass, monkeypatch):
    """A single line, or joint ones, are scored ahead, which must not lose a visit."""
    monkeypatch.setattr(lookahead, "STRIPE", 64)
    monkeypatch.setattr(lookahead, "ALONE", 256)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 5))
    y = (X @ rng.normal(size=(5, n_classes))).argmax(axis=1)
    options = {"max_iter": 6, "multiclass": multiclass}
    alone = AveragedPerceptron(**options).fit(X, y)
    for jobs in (2, 5):
        clf = AveragedPerceptron(n_jobs=jobs, **options).fit(X, y)
        assert weights(clf).tobytes() == weights(alone).tobytes()
        assert clf.n_mistakes_ == alone.n_mistakes_


def test_only_mistakes_cost_updates(monkeypatch):
    X, y = noisy(n=50, n_classes=3)
    updates = []

    def counting(rows, i, step, w):
        updates.append(i)
        return add_row(rows, i, step, w)

    add_row = loops.add_row
    monkeypatch.setattr(loops, "add_row", counting)
    monkeypatch.setattr(loops.averaged_pass, "for_work", lambda _: loops.averaged_pass)
    clf = AveragedPerceptron(max_iter=2).fit(sp.csr_matrix(X), y)
    assert len(updates) == 2 * clf.n_mistakes_ < 3 * clf.n_visits_


@given(problems(), st.booleans(), st.booleans(), st.integers(0, 10**12))
@settings(STEADY, max_examples=40)
def test_the_interpreted_form_computes_what_the_compiled_form_does(problem, sparse, tie, visit):
    X, y = problem
    lines = np.arange(len(set(y)))
    outcomes = []
    for form in (loops.averaged_pass, loops.averaged_pass.fast):
        W = np.ones((len(lines), X.shape[1] + 1), X.dtype)
        sums = np.zeros(W.shape)
        reaches, mistakes = np.array([reach_of(w) for w in W]), np.zeros(len(lines), np.int64)
        found = form(
            as_rows(sp.csr_matrix(X) if sparse else X, True), y.astype(np.int8),
            np.arange(len(X), dtype=np.int32), lines, lines, W, sums, np.ones(1, X.dtype),
            np.ones((len(lines), 2), X.dtype), tie, visit, reaches, mistakes,
        )  # fmt: skip
        outcomes.append((found, W, sums, mistakes))
    for slow, fast in zip(*outcomes, strict=True):
        assert np.array_equal(slow, fast)


X4, Y4 = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 0, 0, 1])


def test_and_has_the_mean_that_the_documentation_shows():
    clf = AveragedPerceptron().fit(X4, Y4)
    assert (clf.n_iter_, clf.n_mistakes_, clf.n_visits_) == (9, 18, 36)
    assert (weights(clf) * 36).round(9).tolist() == [[75, 48, -92]]


def test_converged_speaks_of_the_last_weights_and_the_mean_may_still_be_wrong():
    clf = AveragedPerceptron().fit(X4, Y4)
    assert clf.converged_
    assert clf.stop_reason_ == "clean pass"
    last = X4 @ clf.last_coef_[0] + clf.last_intercept_[0]
    assert ((last > 0) == Y4).all()
    short = AveragedPerceptron(max_iter=2)
    with pytest.warns(ConvergenceWarning, match="AveragedPerceptron stopped after max_iter = 2"):
        short.fit(X4, Y4)
    assert (short.converged_, short.stop_reason_) == (False, "max_iter")


def test_sums_that_overflow_are_an_error_and_not_a_wrong_mean():
    X = np.ones((40, 1))
    X[30:] = 1e307
    y = np.ones(40, dtype=int)
    y[30:] = 0
    with pytest.raises(InputError, match="the weights have grown beyond what float64 can hold"):
        AveragedPerceptron(max_iter=1).fit(X, y)


def test_a_mean_near_the_largest_float_does_not_overflow():
    clf = AveragedPerceptron(fit_intercept=False, max_iter=1).fit([[1e308], [-1e308]], [1, 0])
    assert clf.coef_.item() == 1e308


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"order": "restart"}, "order is 'restart'; it must be one of 'cyclic', 'shuffled'"),
        ({"order": [0, 0, 1, 2]}, "order is not a permutation"),
        ({"multiclass": "ovo"}, "multiclass is 'ovo'; it must be one of 'rest', 'joint'"),
        ({"tie": "never"}, "tie is 'never'; it must be one of"),
        ({"max_iter": 0}, "max_iter is 0; it must be a whole number"),
        ({"start": [1.0]}, "start is of shape"),
        ({"n_jobs": 0}, "n_jobs is 0; it must be"),
        ({"class_weight": {0: -1.0}}, "class_weight of 0 is -1.0"),
    ],
)
def test_a_bad_parameter_gets_one_clear_sentence(parameters, message):
    with pytest.raises(InputError, match=message):
        AveragedPerceptron(**parameters).fit(X4, Y4)


def test_bad_data_gets_one_clear_sentence():
    clf = AveragedPerceptron()
    with pytest.raises(NotFittedError, match="not fitted"):
        clf.predict(X4)
    with pytest.raises(InputError, match="sample_weight has a negative entry"):
        clf.fit(X4, Y4, sample_weight=[1, 1, -1, 1])
    with pytest.raises(InputError, match=r"y has 1 class \(0\)"):
        clf.fit(X4, np.zeros(4, dtype=int))
    with pytest.raises(InputError, match=r"X contains NaN \(row 0, column 0\)"):
        clf.fit(np.where(X4 == 0, np.nan, X4), Y4)
    clf.fit(X4, Y4)
    with pytest.raises(ValueError, match="X has 3 features, but AveragedPerceptron is expecting 2"):
        clf.predict(np.ones((1, 3)))
    with pytest.raises(InputError, match="X contains infinity"):
        clf.predict([[np.inf, 0.0]])


def test_scikit_learns_checks_pass_but_for_those_its_own_perceptron_fails():
    assert_scikit_learn_accepts(AveragedPerceptron())
