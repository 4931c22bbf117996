"""nk.AveragedPerceptron: the mean of the weights after every visit, exactly."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier

from novikoff.errors import InputError
from novikoff.estimators import AveragedPerceptron
from visits import (
    ORDERS,
    TIES,
    interpreted,
    joint_over_visits,
    line_over_visits,
    orders_of,
    problems,
    sides_of,
    weights,
    with_constant,
)

pytestmark = pytest.mark.usefixtures("quiet_about_convergence")
STEADY = settings(deadline=None)


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


def test_a_class_that_comes_late_counts_as_zeros_before():
    clf = AveragedPerceptron(fit_intercept=False)
    clf.partial_fit([[1.0, 2.0], [-1.0, 0.5]], ["b", "c"])  # −(1, 2), then −(2, 1.5)
    assert clf.coef_.tolist() == [[-1.5, -1.75]]
    clf.partial_fit([[0.0, 0.0], [0.0, 0.0]], ["b", "b"], classes=["a"])
    assert clf.coef_.tolist() == [[0, 0], [7 / 4, 6.5 / 4], [-7 / 4, -6.5 / 4]]


X4, Y4 = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 0, 0, 1])


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
