"""Every float decision equals the one in Fractions, over the whole range of numbers."""

from __future__ import annotations

import numpy as np
import pytest

import novikoff as nk
from attack import ATTACKS, SPEEDS, attack, joint_errors, labels, line_errors, speed
from novikoff.exact.scores import exact_score
from novikoff.loops.pocket import mistakes_of
from novikoff.loops.rows import as_rows
from novikoff.models.scoring import settled_scores

TABLES = 120  # for each attack and speed


@pytest.mark.parametrize("name", SPEEDS)
@pytest.mark.parametrize("which", ATTACKS, ids=lambda a: a.__name__.removeprefix("attack_"))
def test_decisions_are_those_of_exact_arithmetic(which, name, fresh_seed):
    attack(which, fresh_seed, name, TABLES)


def test_a_float32_fit_does_not_depend_on_what_ran_before():
    X = np.array([[0.3, 0.2, 0.1], [0.1, -0.2, 0.1], [-0.3, -0.1, 0.1]], dtype=np.float32)
    found = []
    for name in SPEEDS:
        with speed(name):
            found.append(nk.Perceptron(fit_intercept=False, max_iter=3).fit(X, [0, 1, 2]).coef_)
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("kind", ["Perceptron", "AveragedPerceptron", "VotedPerceptron"])
def test_converged_in_float32_means_no_mistakes(kind, fresh_seed):
    rng = np.random.default_rng(fresh_seed)
    with speed("compiled"):
        for _ in range(60):
            X = (rng.integers(-4, 5, (6, 3)) / 10).astype(np.float32)
            y = labels(rng, 6)
            model = getattr(nk, kind)(max_iter=50).fit(X, y)
            if model.converged_:
                last = "last_" if hasattr(model, "last_coef_") else ""
                w, b = getattr(model, f"{last}coef_"), getattr(model, f"{last}intercept_")
                assert not line_errors(X, y, np.append(w[0], b[0]), 1, "mistake")


def test_float32_weights_beyond_their_type_are_refused_not_trusted():
    X = np.array([[3e38], [-3e38], [3e38], [2.9e38]], dtype=np.float32)
    for name in SPEEDS:
        with speed(name), pytest.raises(nk.InputError, match="beyond what float32 can hold"):
            nk.Perceptron(fit_intercept=False).fit(X, [1, 0, 1, 1], sample_weight=[2.0] * 4)


def test_scores_that_overflow_on_the_way_have_their_exact_sign():
    X, w = np.array([[1e200, 1e200, 1e200]]), np.array([1e200, -1e200, -1e200, 0.0])
    scores = settled_scores(X, w[None, :-1], w[-1:])
    assert scores[0, 0] < 0
    for name in SPEEDS:
        with speed(name), np.errstate(over="ignore", invalid="ignore"):
            found, _ = mistakes_of.for_work(0)(
                as_rows(X, True), np.array([1]), np.array([0]), False, 1, w[None], np.ones(1),
                np.ones((1, 2)), False, np.inf, np.inf, np.empty(1),
            )  # fmt: skip
        assert found == 1  # a positive row with a negative score


def test_the_start_is_in_the_pocket_of_joint_classes():
    X, y = [[0.5]] * 5, [0, 1, 2, 0, 0]
    clf = nk.PocketPerceptron(
        multiclass="joint", tie="positive", fit_intercept=False, max_iter=1, order=[2, 0, 1, 3, 4]
    ).fit(X, y)
    np.testing.assert_array_equal(clf.coef_, np.zeros((3, 1)))


def test_rescaling_separates_every_small_separable_set_of_integers(fresh_seed):
    rng, separable = np.random.default_rng(fresh_seed), 0
    for name in SPEEDS:
        with speed(name):
            for _ in range(150):
                X = rng.integers(-2, 3, (int(rng.integers(2, 6)), 2)).astype(float)
                y, offset = labels(rng, len(X)), bool(rng.integers(2))
                if nk.certify(X, y, fit_intercept=offset).status == "separable":
                    separable += 1
                    assert nk.RescaledPerceptron(fit_intercept=offset).fit(X, y).converged_
    assert separable > 50


def test_online_scores_of_tiny_updates_are_not_zero():
    model = nk.OnlinePerceptron(fit_intercept=False)
    model.learn_one([1.0, 2.0], 0, weight=1e-200)
    model.learn_one([1.0, -2.0], 1, weight=1e-200)
    assert model.score_one([1.0, 2.0]) == -5e-200
    model = nk.OnlinePerceptron(fit_intercept=False)
    model.learn_one([1e-170, 2e-170], 1)
    assert model.score_one([1e170, 2e170]) == 5.0
    assert model.score_one([1e-170, 2e-170]) > 0.0


def test_the_online_error_bound_does_not_underflow_between_tiny_weights_and_huge_rows():
    w = np.array([1e-151, 1e-151])
    row = np.array([1e154, -np.nextafter(1e154, np.inf)])
    model = nk.OnlinePerceptron(fit_intercept=False)
    model.learn_one(w, 1)
    model.learn_one(np.zeros(2), 0)
    assert model.score_one(row) == exact_score(row, w) < 0.0


def test_joint_pockets_of_huge_rows_leak_no_warning():
    Z = np.random.default_rng(0).normal(size=(8, 3)) * 1e200
    y = np.arange(8) % 3
    for name in SPEEDS:
        with speed(name):
            clf = nk.PocketPerceptron(multiclass="joint", max_iter=4, random_state=0).fit(Z, y)
            clf.partial_fit(Z, y)
            W = np.column_stack([clf.coef_, clf.intercept_])
            assert clf.n_training_errors_ == joint_errors(Z, y, W, "mistake")
