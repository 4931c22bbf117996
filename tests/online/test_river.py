"""The on-line perceptron as one of river's classifiers."""

from __future__ import annotations

import copy
import inspect
import subprocess
import sys

import numpy as np
import pytest
from river import (
    base,
    checks,
    compose,
    datasets,
    ensemble,
    evaluate,
    metrics,
    multiclass,
    preprocessing,
)

import novikoff as nk
from novikoff.errors import InputError
from novikoff.online.river import RiverPerceptron


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "check", list(checks.yield_checks(RiverPerceptron())), ids=lambda c: c.__name__
)
def test_river_accepts_it(check):
    check(copy.deepcopy(RiverPerceptron()))


def test_progressive_validation_counts_what_learn_one_predicted():
    rows = list(datasets.Phishing().take(600))
    found = evaluate.progressive_val_score(rows, RiverPerceptron(), metrics.Accuracy()).get()
    model = nk.OnlinePerceptron()
    guesses = [model.learn_one(x, y) for x, y in rows]
    right = sum(guess == y for guess, (_, y) in zip(guesses, rows, strict=True))
    assert guesses[0] is None  # which river does not count
    assert found == right / (len(rows) - 1)


def test_a_pipeline_learns_what_its_parts_would():
    rows = list(datasets.ImageSegments().take(300))
    model = preprocessing.StandardScaler() | RiverPerceptron(tie="positive")
    assert isinstance(model, compose.Pipeline)
    assert isinstance(model["RiverPerceptron"], base.Classifier)
    scaler, alone = preprocessing.StandardScaler(), nk.OnlinePerceptron(tie="positive")
    for x, y in rows:
        model.learn_one(x, y)
        scaler.learn_one(x)
        alone.learn_one(scaler.transform_one(x), y)
    np.testing.assert_array_equal(model["RiverPerceptron"].coef_, alone.coef_)
    assert all(model.predict_one(x) == alone.predict_one(scaler.transform_one(x)) for x, _ in rows)


def test_probabilities_rank_as_scores_do_and_the_ensembles_of_river_take_them():
    rows = list(datasets.Phishing().take(300))
    model = RiverPerceptron()
    assert model.predict_proba_one(rows[0][0]) == {}
    for x, y in rows:
        model.learn_one(x, y)
    scores = [model.score_one(x) for x, _ in rows]
    shares = [model.predict_proba_one(x) for x, _ in rows]
    expected = 1 / (1 + np.exp(-np.array(scores)))
    np.testing.assert_allclose([share[True] for share in shares], expected, rtol=1e-12)
    bag = ensemble.BaggingClassifier(RiverPerceptron(), n_models=3, seed=1)
    assert evaluate.progressive_val_score(rows, bag, metrics.ROCAUC()).get() > 0.5
    votes = ensemble.VotingClassifier([RiverPerceptron(), RiverPerceptron(tie="positive")])
    assert evaluate.progressive_val_score(rows, votes, metrics.Accuracy()).get() > 0.5
    many = list(datasets.ImageSegments().take(200))
    rest = multiclass.OneVsRestClassifier(RiverPerceptron())
    right = evaluate.progressive_val_score(many, rest, metrics.Accuracy()).get()
    plain = evaluate.progressive_val_score(many, RiverPerceptron(), metrics.Accuracy()).get()
    assert min(right, plain) > 1 / 7  # of seven classes
    joint = RiverPerceptron()
    for x, y in many:
        joint.learn_one(x, y)
    for x, _ in many:
        share, score = joint.predict_proba_one(x), joint.score_one(x)
        assert max(share, key=share.get) == max(score, key=score.get)
        assert sum(share.values()) == pytest.approx(1.0)


def test_w_is_weight_by_rivers_name():
    rows = list(datasets.Phishing().take(200))
    one, other = nk.OnlinePerceptron(), RiverPerceptron()
    for number, (x, y) in enumerate(rows):
        assert one.learn_one(x, y, weight=number % 3) == other.learn_one(x, y, w=number % 3)
    np.testing.assert_array_equal(one.coef_, other.coef_)
    assert "w" in inspect.signature(other.learn_one).parameters  # where river looks for it
    with pytest.raises(InputError, match="give one of them"):
        one.learn_one(x, y, 2.0, w=3.0)


def test_its_file_is_read_without_river(tmp_path):
    model = RiverPerceptron()
    for x, y in datasets.Phishing().take(100):
        model.learn_one(x, y)
    model.save(tmp_path / "m")
    code = (
        "import sys; sys.modules['river'] = None; import novikoff as nk\n"
        f"model = nk.load({str(tmp_path / 'm')!r})\n"
        "print(type(model).__name__, model.n_rows_, model.n_mistakes_)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["OnlinePerceptron", "100", str(model.n_mistakes_)]


def test_without_river_the_module_says_what_to_install():
    code = (
        "import sys; sys.modules['river'] = None\n"
        "try:\n    import novikoff.online.river\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install river" in done.stdout
