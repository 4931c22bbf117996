"""Scores and classes of rows on a device: those of the host, and where the rows are."""

from __future__ import annotations

import array_api_strict as xp
import numpy as np
import pytest

import novikoff as nk

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
DEVICE = xp.Device("device1")
HOST = xp.Device("CPU_DEVICE")


def there(values):
    return xp.asarray(np.ascontiguousarray(values), device=DEVICE)


def here(array):
    assert array.device == DEVICE
    return np.asarray(array.to_device(HOST))


def rows(fresh_seed, dtype, n_classes):
    random = np.random.default_rng(fresh_seed)
    X = random.integers(-3, 4, (400, 3)).astype(dtype)  # rich in ties
    y = random.integers(0, n_classes, 400)
    return X, y


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("tie", ["mistake", "positive"])
@pytest.mark.parametrize("kind", [nk.Perceptron, nk.AveragedPerceptron])
def test_scores_and_classes_on_a_device_are_those_of_the_host(
    fresh_seed, dtype, n_classes, tie, kind
):
    X, y = rows(fresh_seed, dtype, n_classes)
    model = kind(tie=tie, max_iter=3).fit(X, y)
    scores, classes = model.decision_function(there(X)), model.predict(there(X))
    expected = model.decision_function(X)
    assert here(scores).dtype == expected.dtype
    assert np.array_equal(np.sign(here(scores)), np.sign(expected))
    assert np.allclose(here(scores), expected, rtol=1e-5)
    assert np.array_equal(here(classes), model.predict(X))


@pytest.mark.parametrize("tie", ["mistake", "positive"])
def test_classes_that_were_learnt_jointly_have_the_same_winners(fresh_seed, tie):
    X, y = rows(fresh_seed, "float32", 4)
    model = nk.Perceptron(multiclass="joint", tie=tie, max_iter=3).fit(X, y)
    assert np.array_equal(here(model.predict(there(X))), model.predict(X))


def test_a_score_that_floats_round_away_from_zero_is_a_tie():
    X = np.array([[0.1, 0.2, -0.3], [0.5, 0.25, 0.125]])
    model = nk.Perceptron().fit(X, [0, 1])
    model.coef_, model.intercept_ = np.ones((1, 3)), np.zeros(1)
    rounded = float(np.float64(0.1) + np.float64(0.2) - np.float64(0.3))
    assert rounded != 0.0
    assert np.array_equal(here(model.decision_function(there(X))), model.decision_function(X))
    exact = np.array([[2.0**-60, 1.0, -1.0]])
    assert here(model.decision_function(there(exact)))[0] == 2.0**-60


def test_a_lead_that_float32_would_lose_is_kept():
    X = np.array([[1.0, 2.0], [0.5, 0.25], [3.0, 1.0]], dtype=np.float32)
    model = nk.Perceptron(max_iter=100).fit(X, [0, 1, 2])
    model.coef_ = np.array([[1, 2.0**-30], [1, 2.0**-29], [1, -(2.0**-30)]], dtype=np.float32)
    model.intercept_ = np.zeros(3, dtype=np.float32)
    assert here(model.predict(there(X))).tolist() == model.predict(X).tolist() == [1, 1, 1]


def test_text_labels_come_to_the_host():
    X, y = np.array([[0.0], [1.0]]), ["no", "yes"]
    model = nk.Perceptron().fit(X, y)
    assert model.predict(there(X)).tolist() == model.predict(X).tolist()


def test_other_columns_are_refused():
    model = nk.Perceptron().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(nk.InputError, match="was fitted on 1"):
        model.predict(there(np.zeros((3, 2))))


def test_learning_stays_on_the_processor():
    with pytest.raises(nk.InputError, match="computed on the processor"):
        nk.Perceptron().fit(there(np.zeros((3, 2))), [0, 1, 1])
