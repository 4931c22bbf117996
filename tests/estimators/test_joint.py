"""multiclass='joint': only the true class and the best wrong one learn from a mistake."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import novikoff as nk
from novikoff.estimators import AveragedPerceptron, Perceptron, PocketPerceptron, VotedPerceptron
from visits import exact, joint_over_visits, rows_beyond_floats, weights

pytestmark = pytest.mark.usefixtures("quiet_about_convergence")
MEMBERS = [Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron]


def noisy(n=300, d=5, n_classes=4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(0, n_classes, size=n)


def planted(n=400, d=6, n_classes=5, margin=0.02, seed=0):
    """Rows, labels, the radius, and a margin that all lines together have on every row."""
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(n, d)), rng.normal(size=(n_classes, d))
    W -= W.mean(axis=0)
    W /= np.linalg.norm(W)
    scores = X @ W.T
    second, best = np.sort(scores, axis=1)[:, -2:].T
    kept = best - second > margin
    gap = (best - second)[kept].min()
    return X[kept], scores[kept].argmax(axis=1), np.linalg.norm(X[kept], axis=1).max(), gap


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "restart"])
@pytest.mark.parametrize("seed", [0, 1])
def test_mistakes_stay_under_the_bound_for_lines_learnt_together(order, seed):
    """k <= 2·(R/γ)²: a mistake adds at most 2·R² to ‖W‖² and at least γ to W·W*."""
    X, y, radius, gap = planted(seed=seed)
    clf = Perceptron(
        multiclass="joint", order=order, fit_intercept=False, max_iter=10**6, random_state=0
    ).fit(X, y)
    assert clf.converged_
    assert clf.score(X, y) == 1.0
    assert 0 < clf.n_mistakes_ <= 2 * (radius / gap) ** 2
    assert np.linalg.norm(clf.coef_) <= np.sqrt(2 * clf.n_mistakes_) * radius
    np.testing.assert_allclose(clf.coef_.sum(axis=0), 0, atol=1e-10)


def test_it_separates_classes_that_no_class_is_separable_from_the_rest_of():
    """Points on a line: the middle class lies between the others."""
    X, y = np.arange(-4.0, 5.0)[:, None], np.repeat([0, 1, 2], 3)
    assert Perceptron(multiclass="joint").fit(X, y).converged_
    with pytest.warns(ConvergenceWarning, match="certify_classes"):
        assert not Perceptron(multiclass="rest").fit(X, y).converged_


@pytest.mark.parametrize("member", MEMBERS)
def test_for_two_classes_joint_and_rest_are_one_and_the_same(member):
    X, y = noisy(n_classes=2)
    joint = member(multiclass="joint", max_iter=4, random_state=0).fit(X, y)
    rest = member(multiclass="rest", max_iter=4, random_state=0).fit(X, y)
    assert np.array_equal(joint.decision_function(X), rest.decision_function(X))


def test_a_mistake_moves_two_lines_and_no_other():
    first = Perceptron(multiclass="joint").partial_fit([[2.0]], [2], classes=[0, 1, 2, 3])
    assert weights(first).tolist() == [[-2, -1], [0, 0], [2, 1], [0, 0]]
    last = Perceptron(multiclass="joint", tie="positive")
    last.partial_fit([[2.0]], [2], classes=[0, 1, 2, 3])
    assert weights(last).tolist() == [[0, 0], [0, 0], [2, 1], [-2, -1]]


def test_mistakes_of_rows_that_grow_within_a_pass_are_exact(fresh_seed):
    """With the length of the first rows, which are small, floats would be trusted later."""
    differs = False
    for seed in range(fresh_seed, fresh_seed + 5):
        X, y = rows_beyond_floats(seed, 150)
        clf = Perceptron(multiclass="joint", fit_intercept=False, max_iter=1).fit(X, y)
        expected = joint_over_visits(exact(X), y, 3, [range(150)])[-1]
        assert (clf.coef_ == expected.astype(float)).all()
        W = np.zeros((3, 8))
        for x, target in zip(X, y, strict=True):
            rival = max({0, 1, 2} - {target}, key=(W @ x).__getitem__)
            if (W @ x)[target] <= (W @ x)[rival]:
                W[target], W[rival] = W[target] + x, W[rival] - x
        differs = differs or (expected.astype(float) != W).any()
    assert differs


def test_two_classes_that_become_three_keep_their_scores():
    X, y = noisy(n=40, n_classes=2)
    clf = Perceptron(multiclass="joint").partial_fit(X, y)
    scores = clf.decision_function(X)
    clf.partial_fit(X[:1] * 0, [1], classes=[2])  # the offset of 1 rises, that of a rival falls
    larger, smaller = clf.coef_[1], clf.coef_[0]
    assert np.array_equal(larger, -smaller)
    assert np.allclose(X @ larger + scores[0] - X[0] @ larger, scores)


def test_restart_looks_again_from_the_first_row():
    X, y, *_ = planted(n=60)
    clf = Perceptron(multiclass="joint", order="restart", max_iter=10**5).fit(X, y)
    assert clf.converged_
    assert clf.n_iter_ == clf.n_mistakes_ + 1


def test_digits_are_learnt_jointly_with_fewer_mistakes_than_one_against_the_rest():
    X, y = nk.datasets.load("digits")
    joint = Perceptron(multiclass="joint").fit(X, y)
    assert joint.converged_
    assert joint.score(X, y) == 1.0
    rest = Perceptron(multiclass="rest", max_iter=joint.n_iter_).fit(X, y)
    assert joint.n_mistakes_ < rest.n_mistakes_
