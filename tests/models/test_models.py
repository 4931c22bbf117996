"""Models are plain values: what the estimators are, without scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.model_selection import StratifiedShuffleSplit

import novikoff as nk
from novikoff import estimators, models
from novikoff.models.stopping import _stratified

rng = np.random.default_rng(5)
X = rng.integers(-4, 5, (80, 4)).astype(float)
TWO = np.where(X @ [1, 2, -1, 1] + rng.normal(0, 2, 80) > 0, "spam", "ham")
THREE = np.digitize(X @ [1.0, 0, 0, 1], [-1.5, 1.5])


def options_of(kind, **more):
    known = models.KINDS[kind].parameter_names()
    settled = {"max_iter": 6, "max_rescalings": 4, "random_state": 3, **more}
    return {name: value for name, value in settled.items() if name in known}


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("rows", [X, csr_array(X), X.astype(int)], ids=["dense", "csr", "whole"])
@pytest.mark.parametrize("kind", models.KINDS)
def test_a_model_is_what_the_estimator_is(kind, rows, y, tmp_path):
    model = models.train(kind, rows, y, **options_of(kind))
    estimator = getattr(nk, kind)(**options_of(kind))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator.fit(rows, y)
    assert np.array_equal(models.scores(model, rows), estimator.decision_function(rows))
    assert np.array_equal(model.predict(rows), estimator.predict(rows))
    models.write(model, tmp_path / "model")
    estimator.save(tmp_path / "estimator")
    assert (tmp_path / "model").read_bytes() == (tmp_path / "estimator").read_bytes()
    assert type(models.read(tmp_path / "estimator")) is models.KINDS[kind]
    again = estimators.of(model)
    assert type(again) is type(estimator)
    assert again.get_params() == estimator.get_params()
    assert np.array_equal(again.predict(rows), estimator.predict(rows))


@pytest.mark.parametrize("kind", sorted(set(models.KINDS) - {"RescaledPerceptron"}))
def test_going_on_is_partial_fit(kind):
    model, estimator = models.KINDS[kind](random_state=0), getattr(nk, kind)(random_state=0)
    for part in (slice(0, 30), slice(30, 80)):
        models.go_on(model, X[part], THREE[part])
        estimator.partial_fit(X[part], THREE[part])
    assert np.array_equal(model.predict(X), estimator.predict(X))
    assert model.n_mistakes_ == estimator.n_mistakes_


def test_models_never_warn():
    hard = np.arange(12) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in models.KINDS:
            model = models.train(kind, np.arange(12.0)[:, None], hard, **options_of(kind))
            assert not model.converged_
            assert bool(model.why_not()) == (kind != "PocketPerceptron")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: models.train("Neuron", X, TWO), "kind is 'Neuron'; it must be one of"),
        (lambda: models.train("Perceptron", X[0], TWO), "it must be a 2-D array of numbers"),
        (lambda: models.train("Perceptron", X.astype(str), TWO), "it must be a 2-D array"),
        (lambda: models.train("Perceptron", X, TWO[:-1]), "80"),
        (lambda: models.train("Perceptron", X, X[:, 0] / 3), "y holds measurements such as"),
        (lambda: models.train("Perceptron", X, TWO, [1.0]), r"sample_weight has shape \(1,\)"),
        (lambda: models.train("Perceptron", X, TWO, [np.nan] * 80), "sample_weight contains NaN"),
        (lambda: models.KINDS["Perceptron"]().predict(X), "has learnt nothing yet"),
        (
            lambda: models.train("Perceptron", X, TWO).predict(X[:, :2]),
            "X has 2 columns; the Perceptron was fitted on 4",
        ),
        (
            lambda: models.go_on(models.KINDS["RescaledPerceptron"](), X, TWO),
            "needs all rows at once",
        ),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(wrong, said):
    with pytest.raises(nk.InputError, match=said):
        wrong()


def test_the_rows_held_out_are_scikit_learns(fresh_seed):
    fresh = np.random.default_rng(fresh_seed)
    for _ in range(100):
        classes = int(fresh.integers(2, 5))
        targets = fresh.integers(0, classes, int(fresh.integers(20, 90))).astype(np.int8)
        fraction, seed = float(fresh.uniform(0.1, 0.7)), int(fresh.integers(2**31))
        ours, theirs = np.random.RandomState(seed), np.random.RandomState(seed)
        splitter = StratifiedShuffleSplit(1, test_size=fraction, random_state=theirs)
        try:
            learnt, held = next(splitter.split(np.zeros((len(targets), 1)), targets))
        except ValueError:
            with pytest.raises(nk.InputError, match="with every class on both sides"):
                _stratified(targets, fraction, ours)
            continue
        found = _stratified(targets, fraction, ours)
        assert np.array_equal(found[0], learnt)
        assert np.array_equal(found[1], held)
        assert ours.randint(2**31) == theirs.randint(2**31)  # as many numbers were drawn
