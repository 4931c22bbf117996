"""nk.RescaledPerceptron: separates tiny margins, proves it, and stops where nothing separates."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import novikoff as nk
from estimator_checks import assert_scikit_learn_accepts
from novikoff.estimators import Perceptron, RescaledPerceptron
from novikoff.models import rescaled
from visits import exact, weights, with_constant


def smallest_exact_score(clf, X, y):
    """min sign·score over all rows, for two classes, in rational arithmetic."""
    signs = np.where(np.asarray(y) == clf.classes_[1], 1, -1)
    return min(signs * (with_constant(X) @ exact(weights(clf)[0])))


HARD = ["needle:1e-4", "needle:1e-8", "needle:1e-12", "badmargin:30", "badmargin:60"]


def hard(name):
    kind, value = name.split(":")
    data = nk.datasets.needle(300, 20, float(value)) if kind == "needle" else None
    data = data or nk.datasets.badmargin(int(value))
    return data.X, data.y


@pytest.mark.parametrize("name", HARD)
def test_tiny_margins_are_separated_exactly(name):
    X, y = hard(name)
    clf = RescaledPerceptron().fit(X, y)
    assert (clf.converged_, clf.stop_reason_) == (True, "clean pass")
    assert smallest_exact_score(clf, X, y) > 0
    assert clf.score(X, y) == 1.0
    assert clf.n_mistakes_ < 20_000
    assert clf.n_iter_ == clf.n_rescalings_ + 1


@pytest.mark.parametrize("name", ["needle:1e-8", "badmargin:60"])
def test_where_the_plain_perceptron_is_nowhere_near(name):
    X, y = hard(name)
    mistakes = RescaledPerceptron().fit(X, y).n_mistakes_
    plain = Perceptron(max_iter=20_000)
    with pytest.warns(ConvergenceWarning):
        plain.fit(X, y)
    assert plain.n_mistakes_ > 5 * mistakes


@pytest.mark.parametrize("name", ["xor", "parity:4", "touching"])
def test_it_stops_honestly_where_nothing_separates(name):
    X, y = nk.datasets.load(name)
    clf = RescaledPerceptron(max_rescalings=7)
    with pytest.warns(ConvergenceWarning) as caught:
        clf.fit(X, y)
    assert not clf.converged_
    assert clf.stop_reason_ in ("max_rescalings", "rounding")
    assert clf.n_rescalings_ <= 7
    assert "novikoff.certify(X, y)" in str(caught[0].message)
    assert caught[0].filename == __file__
    if name == "xor":
        assert clf.stop_reason_ == "max_rescalings"
        assert "stopped after max_rescalings = 7" in str(caught[0].message)


def test_a_limit_on_mistakes_is_another_reason():
    clf = RescaledPerceptron(max_mistakes=250)
    with pytest.warns(ConvergenceWarning, match="stopped after max_mistakes = 250"):
        clf.fit(*nk.datasets.load("xor"))
    assert (clf.converged_, clf.stop_reason_) == (False, "max_mistakes")


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_a_clean_pass_over_rescaled_rows_is_not_believed(multiclass, monkeypatch):
    """Only the exact pass over the rows as given makes converged_ true."""
    X, y = nk.datasets.load("iris")

    def lying(rows, *_):
        return np.ones(rows.shape[1]), 3, True, None

    monkeypatch.setattr(rescaled, "until_rescaled", lying)
    clf = RescaledPerceptron(multiclass=multiclass)
    with pytest.warns(ConvergenceWarning, match="separated the rescaled rows, but not"):
        clf.fit(X, y)
    assert (clf.converged_, clf.stop_reason_) == (False, "rounding")


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_more_than_two_classes(multiclass):
    X, y = nk.datasets.load("wine")
    clf = RescaledPerceptron(multiclass=multiclass).fit(X, y)
    assert clf.converged_
    assert clf.score(X, y) == 1.0
    scores = with_constant(X) @ exact(weights(clf)).T
    true = np.searchsorted(clf.classes_, y)
    for row, c in zip(scores, true, strict=True):
        if multiclass == "rest":
            assert [score > 0 for score in row] == [k == c for k in range(3)]
        else:
            assert all(row[c] > score for k, score in enumerate(row) if k != c)


def test_joint_lines_separate_what_no_line_separates_from_the_rest():
    X, y = np.arange(-4.0, 5.0)[:, None] * 1e-3, np.repeat([0, 1, 2], 3)
    assert RescaledPerceptron(multiclass="joint").fit(X, y).converged_
    with pytest.warns(ConvergenceWarning, match="still make mistakes on 1 of 3 lines"):
        assert not RescaledPerceptron(max_rescalings=20).fit(X, y).converged_


def test_before_the_first_rescaling_it_is_the_perceptron_on_rows_of_length_one():
    data = nk.datasets.planted(60, 4, 0.2)
    Z = np.column_stack([data.X, np.ones(60)])
    Z /= np.linalg.norm(Z, axis=1, keepdims=True)
    sizes = np.random.default_rng(0).choice([0.5, 1.0, 2.0], size=60)
    for size in (None, sizes):
        clf = RescaledPerceptron().fit(data.X, data.y, sample_weight=size)
        plain = Perceptron(fit_intercept=False).fit(Z, data.y, sample_weight=size)
        assert clf.n_rescalings_ == 0
        assert clf.n_mistakes_ == plain.n_mistakes_
        np.testing.assert_allclose(weights(clf), plain.coef_, rtol=1e-12)


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_rows_and_classes_of_weight_zero_need_not_be_separated(multiclass):
    X, y = np.arange(-4.0, 5.0)[:, None], np.repeat([0, 1, 2], 3)
    X, y = np.vstack([X, [[0.0]]]), np.append(y, 2)  # 0 is of class 1 already
    options = {"multiclass": multiclass}
    with pytest.warns(ConvergenceWarning):
        assert not RescaledPerceptron(max_rescalings=20, **options).fit(X, y).converged_
    if multiclass == "joint":
        weight = np.append(np.ones(9), 0.0)
        assert RescaledPerceptron(**options).fit(X, y, sample_weight=weight).converged_
    else:  # the line of the middle class then has no row to be positive on
        light = RescaledPerceptron(class_weight={1: 0.0}, **options)
        assert light.fit(X[:9], y[:9]).converged_


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_rows_whose_squares_leave_the_range_of_floats_are_separated(scale):
    data = nk.datasets.planted(80, 5, 0.05)
    clf = RescaledPerceptron(fit_intercept=False).fit(data.X * scale, data.y)
    assert clf.converged_
    assert clf.score(data.X * scale, data.y) == 1.0


@pytest.mark.parametrize("multiclass", ["rest", "joint"])
def test_weights_that_separate_when_a_limit_is_reached_are_said_to(multiclass):
    data = nk.datasets.planted(60, 4, 0.05)
    free = RescaledPerceptron(multiclass=multiclass).fit(data.X, data.y)
    options = {"max_mistakes": free.n_mistakes_, "multiclass": multiclass}
    clf = RescaledPerceptron(**options).fit(data.X, data.y)  # stopped before its clean pass
    assert clf.converged_
    assert clf.stop_reason_ == "clean pass"
    assert weights(clf).tobytes() == weights(free).tobytes()


def test_verbose_prints_a_line_for_each_start(capsys):
    clf = RescaledPerceptron(verbose=1).fit(*hard("badmargin:30"))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == clf.n_iter_
    assert lines[-1] == f"start {clf.n_iter_}: {clf.n_mistakes_} mistakes so far, 0 lines left"


def test_scikit_learns_checks_pass_but_for_those_its_own_perceptron_fails():
    assert_scikit_learn_accepts(RescaledPerceptron(max_rescalings=20))
