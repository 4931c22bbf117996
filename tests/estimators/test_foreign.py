"""scikit-learn's keywords that are none of ours, and its own tests of a perceptron with ours."""

from __future__ import annotations

import importlib
import inspect
import warnings

import pytest
from sklearn import linear_model
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import novikoff as nk
from novikoff.errors import KeywordError
from novikoff.estimators import MEMBERS

X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
INSTEAD = {
    "penalty": "SGDClassifier",
    "alpha": "SGDClassifier",
    "l1_ratio": "SGDClassifier",
    "eta0": "leave it out",
    "coef_init": "start=",
    "intercept_init": "start=",
    "learning_rate": "leave it out",
    "average": "AveragedPerceptron",
    "n_iter": "max_iter",
}


@pytest.mark.parametrize("name", INSTEAD)
def test_the_constructor_and_set_params_say_what_to_use_instead(name):
    with pytest.raises(KeywordError, match=INSTEAD[name]) as caught:
        nk.Perceptron(**{name: 1})
    assert str(caught.value).startswith(f"Perceptron has no parameter {name!r}: ")
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ValueError, match=INSTEAD[name]):
        nk.Perceptron().set_params(**{name: 1})


@pytest.mark.parametrize("member", MEMBERS)
def test_every_member_answers_every_keyword_of_scikit_learns(member):
    ours, theirs = member().get_params(), linear_model.Perceptron().get_params()
    for name in {**theirs, "coef_init": None, "intercept_init": None}:
        if name == "shuffle" and "order" in ours:
            assert member(shuffle=True).get_params() == member(order="shuffled").get_params()
        elif name not in ours and name not in ("fit_intercept", "warm_start", "random_state",
                                               "n_jobs", "max_iter"):  # fmt: skip
            with pytest.raises(KeywordError, match=f"{member.__name__} has no parameter {name!r}"):
                member(**{name: theirs.get(name)})


@pytest.mark.parametrize("member", MEMBERS)
def test_fit_sends_first_weights_to_the_constructor(member):
    with pytest.raises(KeywordError, match="start"):
        member().fit(X, y, coef_init=[[1, 1]])
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        member().fit(X, y, colour=1)


@pytest.mark.parametrize("member", MEMBERS)
def test_parameters_are_seen_and_cloned_as_ever(member):
    names = set(inspect.signature(member).parameters)
    assert names == set(member().get_params())
    assert clone(member(verbose=0)).get_params() == member(verbose=0).get_params()
    with pytest.raises(TypeError, match="has no parameter 'colour'; it has "):
        member(colour=1)


LEFT_OUT = {"test_perceptron_l1_ratio": "there is no penalty"}


def with_our_words(shuffle=True, tol=1e-3, **options):
    """scikit-learn's constructor, with its defaults, in our words."""
    return nk.Perceptron(shuffle=shuffle, tol=tol, **options)


def test_shuffle_is_order_in_scikit_learns_word():
    """A search over `shuffle` fits what one over `order` does."""
    search = GridSearchCV(nk.Perceptron(random_state=0), {"shuffle": [True, False]}, cv=2)
    words = GridSearchCV(nk.Perceptron(random_state=0), {"order": ["shuffled", "cyclic"]}, cv=2)
    found, meant = search.fit([*X, *X], [*y, *y]), words.fit([*X, *X], [*y, *y])
    assert found.best_estimator_.get_params() == meant.best_estimator_.get_params()
    assert clone(nk.Perceptron(shuffle=True)).order == "shuffled"
    assert nk.PocketPerceptron(shuffle=False).set_params(shuffle=True).order == "shuffled"
    for order in ("restart", "cyclic", [0, 1, 2, 3]):
        with pytest.raises(nk.InputError, match="shuffle=True means order='shuffled', and order"):
            nk.Perceptron(shuffle=True, order=order)
    with pytest.raises(nk.InputError, match="shuffle is 'yes'"):
        nk.Perceptron(shuffle="yes")
    with pytest.raises(KeywordError, match="there is no order to choose"):
        nk.RescaledPerceptron(shuffle=True)


def test_scikit_learns_own_tests_pass_but_for_those_of_what_we_leave_out(monkeypatch):
    module = importlib.import_module("sklearn.linear_model.tests.test_perceptron")
    monkeypatch.setattr(module, "Perceptron", with_our_words)
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    failed = set()
    for name, test in tests.items():
        for given in cases(test):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", category=UserWarning)
                    test(**given)
            except KeywordError:
                failed.add(name)
    assert len(tests) >= 4
    assert failed == set(LEFT_OUT)


def cases(test):
    """What pytest would call a test with."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    if not marks:
        return [{}]
    (mark,) = marks
    return [{mark.args[0]: value} for value in mark.args[1]]
