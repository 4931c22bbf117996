"""nk.AveragedPerceptron: the mean of the weights after every visit, exactly."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier

from novikoff.errors import InputError
from novikoff.estimators import AveragedPerceptron

pytestmark = pytest.mark.usefixtures("quiet_about_convergence")


def noisy(n=400, d=13, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(0, n_classes, size=n)


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
