"""nk.VotedPerceptron: every weight vector votes, and all of them come from the tape."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nk
from novikoff.estimators import Perceptron, VotedPerceptron
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.models import voted
from novikoff.models.scoring import settled_scores
from visits import exact, joint_over_visits, rows_beyond_floats

pytestmark = pytest.mark.usefixtures("quiet_about_convergence")


def noisy(n=300, d=6, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(0, n_classes, size=n)


@pytest.mark.parametrize("tie", ["mistake", "positive", "zero"])
def test_the_tape_is_that_of_trace(tie):
    X, y = nk.datasets.load("iris")
    X, y = X[50:], y[50:]
    run = nk.trace(X, y, tie=tie, max_iter=6)
    clf = VotedPerceptron(max_iter=6, tie=tie).fit(X, y)
    assert (clf.support_[clf.tape_.members] == run.tape.rows).all()
    assert (clf.tape_.visits == run.tape.visits).all()
    assert (clf.survival_ == run.survival[1:]).all()
    assert clf.survival_.sum() + run.survival[0] == clf.n_visits_ == 600


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_linear_kernel_perceptron_casts_the_same_votes(n_classes):
    X, y = noisy(n_classes=n_classes)
    clf = VotedPerceptron(max_iter=4).fit(X, y)
    dual = KernelPerceptron(kernel="linear", max_iter=4)
    dual.fit(np.column_stack([X, np.ones(len(X))]), y)
    tests = noisy(seed=1)[0]
    votes = dual.decision_function(np.column_stack([tests, np.ones(len(tests))]))
    assert np.array_equal(clf.decision_function(tests), votes)


def test_a_start_votes_while_it_survives():
    X, y = np.array([[1.0], [2.0], [-4.0]]), [1, 1, 0]
    clf = VotedPerceptron(start=[1.0], fit_intercept=False).fit(X, y)
    assert clf.n_mistakes_ == len(clf.support_) == 0
    assert clf.decision_function([[3.0], [-1.0], [0.0]]).tolist() == [3, -3, 0]
    clf = VotedPerceptron(start=[-0.5], fit_intercept=False, max_iter=1, order=[2, 0, 1])
    clf.fit(X, y)  # −½ is wrong on −4, which makes 3½
    assert clf.decision_function([[1.0]]).tolist() == [3]
    clf.set_params(start=[2.0], order=[0, 1, 2]).fit(X, [1, 0, 0])  # 2, then 0, then 4
    assert clf.survival_.tolist() == [1, 1]
    assert clf.decision_function([[1.0]]).tolist() == [2]


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_memory_is_that_of_the_tape_and_of_each_row_on_it_once(multiclass):
    X, y = noisy(n=400, d=50, n_classes=3)
    clf = VotedPerceptron(max_iter=10, multiclass=multiclass).fit(X, y)
    entries = len(clf.tape_.members)
    assert entries > 5 * len(clf.support_)
    assert len(np.unique(clf.support_)) == len(clf.support_) == len(clf.support_vectors_)
    assert np.array_equal(clf.support_vectors_, X[clf.support_])
    held = 0
    for value in vars(clf).values():
        held += sum(a.nbytes for a in (value if isinstance(value, tuple) else (value,))
                    if isinstance(a, np.ndarray))  # fmt: skip
    assert held <= X[clf.support_].nbytes + 48 * entries + 10_000


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
@pytest.mark.parametrize("late", ["ab c", "bc a", "a b c", "c ab"])
def test_classes_that_come_late_vote_with_the_lines_they_have(multiclass, late):
    """The lines of votes are those whose last weights partial_fit goes on from."""
    rng, plain = np.random.default_rng(3), Perceptron(multiclass=multiclass)
    clf = VotedPerceptron(multiclass=multiclass)
    for names in late.split():
        X, y = rng.integers(-2, 3, size=(12, 2)).astype(float), rng.choice(list(names), 12)
        clf.partial_fit(X, y)
        plain.partial_fit(X, y)
        assert clf.last_coef_.tobytes() == plain.coef_.tobytes()
        last = np.column_stack([plain.coef_, plain.intercept_])
        replayed = np.zeros_like(last)
        for member, line, step, _ in zip(*clf.tape_, strict=True):
            replayed[line] += step * np.append(clf.support_vectors_[member], 1.0)
        assert np.array_equal(replayed, last)
    votes = clf.decision_function(X)
    assert votes.shape == (12, 3)
    total = clf.survival_.sum() + clf._survival_of_start.sum()
    assert total == clf.n_visits_ * (1 if multiclass == "joint" else 3)


def test_dense_and_sparse_calls_mix():
    X, y = noisy(n=80)
    mixed = VotedPerceptron().partial_fit(X[:40], y[:40]).partial_fit(sp.csr_array(X[40:]), y[40:])
    dense = VotedPerceptron().partial_fit(X[:40], y[:40]).partial_fit(X[40:], y[40:])
    assert np.array_equal(mixed.decision_function(X), dense.decision_function(X))


def test_a_wide_prediction_is_made_in_bounded_memory(monkeypatch):
    X, y = noisy(n=500, d=4)
    clf = VotedPerceptron(max_iter=3).fit(X, y)
    expected = clf.decision_function(X)
    asked = []
    monkeypatch.setattr(voted, "ROWS_A_TILE", 20)
    monkeypatch.setattr(voted, "LINES_MADE", 30)
    monkeypatch.setattr(
        voted, "settled_scores",
        lambda X, W, b, **how: asked.append((len(X), len(W))) or settled_scores(X, W, b, **how),
    )  # fmt: skip
    assert np.array_equal(clf.decision_function(X), expected)
    assert max(rows for rows, _ in asked) == 20
    assert max(lines for _, lines in asked) == 30


def test_joint_votes_are_exact_while_the_lines_grow(monkeypatch, fresh_seed):
    """The first mistakes are of small rows: by bounds of then floats would be trusted later."""
    monkeypatch.setattr(voted, "LINES_MADE", 2)  # one joint mistake at a time
    X, y = rows_beyond_floats(fresh_seed, 60)
    clf = VotedPerceptron(multiclass="joint", fit_intercept=False, max_iter=1).fit(X, y)
    expected, by_floats = np.zeros((2, 60, 3))
    for W in joint_over_visits(exact(X), y, 3, [range(60)])[1:]:
        for votes, rows, lines in ((expected, exact(X), W), (by_floats, X, W.astype(float))):
            scores = rows @ lines.T
            best = scores == scores.max(axis=1, keepdims=True)
            votes += best & (best.sum(axis=1, keepdims=True) == 1)
    assert (by_floats != expected).any()
    assert (clf.decision_function(X) == expected).all()
