"""Stopping before a clean pass: on held-out rows as scikit-learn does, and never as converged."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedShuffleSplit

import novikoff as nk
from novikoff.errors import InputError

STOPPERS = [nk.Perceptron, nk.AveragedPerceptron, nk.PocketPerceptron]


def quarters(seed, n=120, d=4, noise=1.0):
    """Rows of quarters, whose sums are exact in any order, and two classes that overlap."""
    random = np.random.default_rng(seed)
    X = random.integers(-8, 9, size=(n, d)) / 4
    return X, (X @ random.normal(size=d) + noise * random.normal(size=n) > 0).astype(int)


def quietly(estimator, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(*data)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("fraction", "patience", "tol"), [(0.1, 5, 1e-3), (0.3, 2, 0.01)])
def test_early_stopping_is_that_of_scikit_learn_to_the_bit(
    weighted, fraction, patience, tol, fresh_seed
):
    stopped = 0
    for seed in [*range(10), fresh_seed]:
        X, y = quarters(seed)
        weights = np.random.default_rng(seed).integers(1, 4, len(y)) / 2.0 if weighted else None
        options = {
            "early_stopping": True, "validation_fraction": fraction, "tol": tol,
            "n_iter_no_change": patience, "random_state": seed, "max_iter": 60,
        }  # fmt: skip
        ours = quietly(nk.Perceptron(**options), X, y, weights)
        theirs = linear_model.Perceptron(shuffle=False, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs.fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(ours.coef_, theirs.coef_)
        np.testing.assert_array_equal(ours.intercept_, theirs.intercept_)
        if ours.stop_reason_ == "early stopping":
            assert ours.n_iter_ == theirs.n_iter_
            stopped += 1
    assert stopped >= 8


@pytest.mark.parametrize("kind", STOPPERS)
@pytest.mark.parametrize("how", [{"tol": 1e-3}, {"early_stopping": True}])
def test_a_fit_that_stops_early_is_not_converged_and_does_not_warn(kind, how):
    X, y = quarters(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = kind(random_state=0, max_iter=500, **how).fit(X, y)
    assert clf.stop_reason_ == ("tol" if "tol" in how else "early stopping")
    assert clf.n_iter_ < 500
    assert clf.last_mistakes_ > 0
    assert not clf.converged_


@pytest.mark.parametrize("kind", STOPPERS)
@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_converged_means_every_row_given_held_out_ones_too(kind, multiclass, fresh_seed):
    seen = set()
    for seed in [*range(12), fresh_seed]:
        random = np.random.default_rng(seed)
        X = random.normal(size=(40, 3))
        y = (X @ random.normal(size=(3, 3))).argmax(axis=1) if seed % 2 else (X[:, 0] > 0) * 1
        if min(np.bincount(y)) < 4:
            continue
        clf = quietly(
            kind(early_stopping=True, validation_fraction=0.3, max_iter=400, random_state=0,
                 multiclass=multiclass, n_iter_no_change=50), X, y,
        )  # fmt: skip
        seen.add((clf.converged_, clf.stop_reason_ == "clean pass"))
        if clf.converged_ and kind is not nk.AveragedPerceptron:
            assert clf.score(X, y) == 1.0
        if clf.converged_:
            assert clf.stop_reason_ == "clean pass"
    assert (False, True) in seen  # a clean pass over the rows learnt, and a held-out row is wrong


def test_held_out_rows_change_nothing_but_when_it_stops():
    X, y = quarters(3)
    split = StratifiedShuffleSplit(1, test_size=0.25, random_state=7)
    learnt, _ = next(split.split(X, y))
    early = quietly(
        nk.Perceptron(early_stopping=True, validation_fraction=0.25, random_state=7), X, y
    )
    plain = quietly(nk.Perceptron(max_iter=early.n_iter_), X[np.sort(learnt)], y[np.sort(learnt)])
    np.testing.assert_array_equal(early.coef_, plain.coef_)


def test_a_row_of_weight_zero_is_neither_learnt_nor_held_out():
    X, y = quarters(4)
    weights = np.ones(len(y))
    weights[::7] = 0.0
    options = {"early_stopping": True, "random_state": 2, "validation_fraction": 0.2}
    some = weights > 0
    with_them = quietly(nk.Perceptron(**options), X, y, weights)
    without = quietly(nk.Perceptron(**options), X[some], y[some])
    np.testing.assert_array_equal(with_them.coef_, without.coef_)
    assert with_them.n_iter_ == without.n_iter_


@pytest.mark.parametrize("kind", STOPPERS)
def test_dense_and_sparse_rows_stop_at_the_same_weights(kind):
    X, y = load_iris(return_X_y=True)
    options = {"early_stopping": True, "random_state": 3, "order": "shuffled"}
    dense = quietly(kind(**options), X, y)
    thin = quietly(kind(**options), sparse.csr_array(X), y)
    np.testing.assert_array_equal(dense.coef_, thin.coef_)
    assert dense.n_iter_ == thin.n_iter_


def test_tol_counts_passes_without_fewer_mistakes_per_row():
    X, y = quarters(5)
    clf = quietly(nk.Perceptron(tol=0.0, n_iter_no_change=3, max_iter=200), X, y)
    mistakes, weights = [], None
    for passes in range(1, 201):
        one = quietly(nk.Perceptron(max_iter=passes), X, y)
        mistakes.append(one.last_mistakes_)
        weights = one.coef_
        worse = [m > min(mistakes[:i], default=np.inf) for i, m in enumerate(mistakes)]
        if all(worse[-3:]) and passes >= 3:
            break
    assert clf.n_iter_ == len(mistakes)
    np.testing.assert_array_equal(clf.coef_, weights)


def test_the_pocket_stops_when_no_better_one_is_found():
    X, y = quarters(6)
    clf = nk.PocketPerceptron(tol=1e-9, n_iter_no_change=4, random_state=0).fit(X, y)
    before = nk.PocketPerceptron(max_iter=clf.n_iter_ - 4, random_state=0).fit(X, y)
    assert clf.stop_reason_ == "tol"
    assert clf.n_training_errors_ == before.n_training_errors_


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"tol": -1.0}, "tol is -1.0; it must be None or"),
        ({"tol": "auto"}, "tol is 'auto'"),
        ({"validation_fraction": 1.5}, "validation_fraction is 1.5; it must be a number between"),
        ({"n_iter_no_change": 0}, "n_iter_no_change is 0; it must be a whole number"),
        ({"early_stopping": 1}, "early_stopping is 1; it must be True or False"),
        ({"order": "restart", "tol": 0.1}, "order='restart' ends a pass at its first mistake"),
        ({"early_stopping": True, "validation_fraction": 0.001}, "rows of the smallest: "),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(wrong, said):
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        nk.Perceptron(**wrong).fit(*quarters(0))


def test_partial_fit_has_no_rows_to_hold_out():
    with pytest.raises(InputError, match="needs all rows at once: use fit"):
        nk.Perceptron(early_stopping=True).partial_fit(*quarters(0))
