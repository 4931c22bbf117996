"""Rows sorted by class spoil a cyclic fit: it says so, once, where it matters."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_score

import novikoff as nk

CYCLIC = [nk.Perceptron, nk.AveragedPerceptron, nk.VotedPerceptron, nk.KernelPerceptron]
X, y = load_iris(return_X_y=True)
mixed = np.random.default_rng(0).permutation(len(y))


def warned(estimator, X, y):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X, y)
    return caught


def hard(kind, **options):
    kernel = {"kernel": "linear"} if kind is nk.KernelPerceptron else {}
    return kind(max_iter=5, **kernel, **options)


@pytest.mark.parametrize("kind", CYCLIC)
def test_sorted_labels_are_named_in_the_one_warning_of_an_unconverged_fit(kind):
    (one,) = warned(hard(kind), X, y)
    assert one.category is ConvergenceWarning
    assert "all rows of class 0 one after the other" in str(one.message)
    assert "order='shuffled'" in str(one.message)
    assert one.filename == __file__


@pytest.mark.parametrize("kind", CYCLIC)
def test_it_is_the_order_of_the_visits_that_counts(kind):
    for order, rows in (("shuffled", slice(None)), (mixed, slice(None)), ("cyclic", mixed)):
        (one,) = warned(hard(kind, order=order, random_state=0), X[rows], y[rows])
        assert "one after the other" not in str(one.message)
    (one,) = warned(hard(kind, order=np.argsort(mixed)), X[mixed], y[mixed])
    assert "one after the other" in str(one.message)


def test_a_fit_that_converged_is_not_warned_of():
    assert not warned(nk.Perceptron(), X[y < 2], y[y < 2])


def test_a_fit_that_tol_ended_is_warned_of_by_itself():
    (one,) = warned(nk.Perceptron(tol=1e-3), X, y)
    assert one.category is UserWarning
    assert str(one.message).startswith("Every pass sees all rows of class")


def named(labels):
    """The class that a fit of rows without information, in the order of these labels, warns of."""
    (one,) = warned(nk.Perceptron(max_iter=2), np.zeros((len(labels), 1)), labels)
    found = re.search(r"all rows of class '?(\w)'? one after the other", str(one.message))
    return found and found[1]


@pytest.mark.parametrize(
    ("labels", "found"),
    [("a" * 9 + "b" * 9, None), ("a" * 40 + "b", None), ("ba" * 9_000 + "c" * 9_000, "c")],
)
def test_few_rows_may_stand_together_by_chance(labels, found):
    assert named(list(labels)) == found


def test_the_class_that_is_named_is_one_that_looking_at_every_class_finds(fresh_seed):
    random = np.random.default_rng(fresh_seed)
    for _ in range(100):
        labels = np.repeat(random.integers(0, 4, 5), random.integers(1, 30, 5))
        if len(set(labels.tolist())) < 2:
            continue
        good = {}
        for label in set(labels.tolist()):
            places = np.flatnonzero(labels == label)
            others = len(labels) - len(places)
            if np.ptp(places) + 1 == len(places) and min(len(places), others) >= 10:
                good[str(label)] = len(places)
        found = named(labels)
        assert (found is None) == (not good)
        assert found is None or good[found] == max(good.values())


def test_shuffling_mends_what_sorting_spoils():
    folds = StratifiedKFold(5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cyclic = cross_val_score(nk.Perceptron(), X, y, cv=folds).mean()
        shuffled = cross_val_score(
            nk.Perceptron(order="shuffled", random_state=0), X, y, cv=folds
        ).mean()
    assert shuffled > cyclic
