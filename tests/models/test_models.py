"""Models are plain values: what the estimators are, without scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

import novikoff as nk
from novikoff import estimators, models

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
    assert np.array_equal(model.decision_function(rows), estimator.decision_function(rows))
    assert np.array_equal(model.predict(rows), estimator.predict(rows))
    models.write(model, tmp_path / "model")
    estimator.save(tmp_path / "estimator")
    assert (tmp_path / "model").read_bytes() == (tmp_path / "estimator").read_bytes()
    assert type(models.read(tmp_path / "estimator")) is models.KINDS[kind]
    loaded = nk.load(tmp_path / "estimator")
    assert type(loaded) is type(estimator)
    assert loaded.get_params() == estimator.get_params()
    assert loaded.stop_reason_ == estimator.stop_reason_
    assert np.array_equal(loaded.decision_function(rows), estimator.decision_function(rows))
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()
    again = estimators.of(model)
    assert type(again) is type(estimator)
    assert again.get_params() == estimator.get_params()
    assert np.array_equal(again.predict(rows), estimator.predict(rows))


@pytest.mark.parametrize("kind", sorted(set(models.KINDS) - {"RescaledPerceptron"}))
def test_going_on_is_partial_fit_from_a_file_too(kind, tmp_path):
    options = {"order": "shuffled", "random_state": 0}
    model, estimator = models.KINDS[kind](**options), getattr(nk, kind)(**options)
    for part in (slice(0, 30), slice(30, 80)):
        models.go_on(model, X[part], THREE[part])
        estimator.partial_fit(X[part], THREE[part])
        models.write(model, tmp_path / "half")
        model = models.read(tmp_path / "half")
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
