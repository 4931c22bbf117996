"""nk.PocketPerceptron: the weights with the fewest mistakes, and a count of them that is exact."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nk
from novikoff.errors import InputError
from novikoff.estimators import Perceptron, PocketPerceptron
from visits import weights


def noisy(n=300, d=6, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(n, d)), rng.normal(size=(d, n_classes))
    return X, (X @ W + rng.normal(size=(n, n_classes))).argmax(axis=1)


def test_rows_that_overlap_are_no_cause_for_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = PocketPerceptron(random_state=0).fit(*nk.datasets.load("xor"))
    assert (clf.converged_, clf.stop_reason_) == (False, "max_iter")
    assert clf.n_training_errors_ >= 1


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_on_separable_rows_the_pocket_holds_a_separator(order, multiclass):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = np.where(X[:, 0] > 0, 2, np.where(X[:, 0] > -1, 1, 0))
    X = X[(np.abs(X[:, 0]) > 0.1) & (np.abs(X[:, 0] + 1) > 0.1)]
    y = np.where(X[:, 0] > 0, 2, np.where(X[:, 0] > -1, 1, 0))
    y2 = (X[:, 0] > 0).astype(int)
    for labels in (y2, y) if multiclass == "joint" else (y2,):
        clf = PocketPerceptron(
            order=order, multiclass=multiclass, max_iter=10**4, random_state=0
        ).fit(X, labels)
        assert clf.converged_
        assert clf.n_training_errors_ == 0
        assert clf.score(X, labels) == 1.0
        assert clf.coef_.tobytes() == clf.last_coef_.tobytes()


def test_with_weights_the_lightest_mistakes_win():
    X, y = np.array([[0.0], [0.0], [0.0]]), np.array([0, 1, 1])
    options = {"max_iter": 20, "order": "cyclic"}
    light = PocketPerceptron(**options).fit(X, y)
    assert light.predict([[0.0]]) == [1]
    assert (light.n_training_errors_, light.training_error_weight_) == (1, 1.0)
    heavy = PocketPerceptron(**options).fit(X, y, sample_weight=[3, 1, 1])
    assert heavy.predict([[0.0]]) == [0]
    assert (heavy.n_training_errors_, heavy.training_error_weight_) == (2, 2.0)
    by_class = PocketPerceptron(class_weight={0: 3.0}, **options).fit(X, y)
    assert weights(by_class).tolist() == weights(heavy).tolist()


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_a_class_of_weight_zero_is_never_a_mistake(multiclass):
    X, y = noisy(n=60, n_classes=3)
    clf = PocketPerceptron(
        class_weight={0: 0.0}, multiclass=multiclass, max_iter=30, random_state=0
    ).fit(X, y)
    if multiclass == "joint":
        right = (clf.predict(X) == y) | (y == 0)
        assert clf.n_training_errors_ == (~right).sum()
    assert clf.n_mistakes_ > 0


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_partial_fit_judges_the_pocket_on_the_rows_at_hand(multiclass):
    X, y = noisy(n_classes=3)
    clf = PocketPerceptron(order="cyclic", multiclass=multiclass).partial_fit(X, y)
    before, last = weights(clf), clf.last_coef_.copy()
    few = X[:7]
    labels = clf.predict(few)
    clf.partial_fit(few, labels, sample_weight=np.full(7, 1e-9))
    if multiclass == "joint":  # nothing can beat a pocket without a mistake
        assert clf.n_training_errors_ == 0
        if not clf.converged_:
            assert weights(clf).tobytes() == before.tobytes()
    plain = Perceptron(multiclass=multiclass).partial_fit(X, y)
    assert last.tobytes() == plain.coef_.tobytes()


def test_a_warm_fit_never_loses_the_pocket():
    X, y = noisy()
    clf = PocketPerceptron(max_iter=2, random_state=0, warm_start=True).fit(X, y)
    errors = [clf.n_training_errors_] + [clf.fit(X, y).n_training_errors_ for _ in range(6)]
    assert errors == sorted(errors, reverse=True)


def overlapping(n=300, d=3, flips=12, seed=0):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d))
    y = np.where(X @ random.standard_normal(d) > 0.2, 1, 0)
    y[random.choice(n, flips, replace=False)] ^= 1
    return X, y


def test_a_polished_pocket_makes_the_fewest_mistakes_that_any_line_can():
    X, y = overlapping()
    least = nk.fewest_mistakes(X, y)
    assert least.optimal
    plain = nk.PocketPerceptron(max_iter=1, random_state=0).fit(X, y)
    clf = nk.PocketPerceptron(max_iter=1, random_state=0, polish=True).fit(X, y)
    assert plain.n_training_errors_ > clf.n_training_errors_ == least.upper
    assert round((1 - clf.score(X, y)) * len(y)) == least.upper
    assert (clf.last_coef_ == plain.last_coef_).all()


def test_polishing_counts_by_weight_and_line_by_line():
    X, y = overlapping(seed=1)
    weights = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    least = nk.fewest_mistakes(X, y, costs=weights)
    clf = nk.PocketPerceptron(max_iter=1, polish=5.0).fit(X, y, sample_weight=weights)
    assert clf.training_error_weight_ == float(least.upper)
    three = np.where(X[:, 0] > 1, 2, y)
    clf = nk.PocketPerceptron(max_iter=1, polish=True, random_state=0).fit(X, three)
    lines = nk.fewest_mistakes_classes(X, three)
    assert clf.n_training_errors_ == sum(few.upper for few in lines.values())


@pytest.mark.parametrize("form", [np.float32, sp.csr_matrix])
def test_polishing_is_for_every_form_of_rows(form):
    X, y = overlapping(seed=2)
    given = X.astype(np.float32) if form is np.float32 else form(X)
    exact = given.astype(np.float64) if form is np.float32 else given
    clf = nk.PocketPerceptron(max_iter=1, polish=True, random_state=0).fit(given, y)
    assert clf.n_training_errors_ == nk.fewest_mistakes(exact, y).upper


def test_what_polishing_cannot_do_is_refused():
    X, y = overlapping()
    with pytest.raises(InputError, match="polish is -1; it must be True, False or a positive"):
        nk.PocketPerceptron(polish=-1).fit(X, y)
    with pytest.raises(InputError, match="polish searches line by line"):
        nk.PocketPerceptron(polish=True, multiclass="joint").fit(X, y)
