"""Pipelines: features under which a line separates what none separated before."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_circles
from sklearn.kernel_approximation import RBFSampler
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import novikoff as nk
from novikoff.estimators import (
    AveragedPerceptron,
    Perceptron,
    PocketPerceptron,
    RescaledPerceptron,
    VotedPerceptron,
)

MEMBERS = [Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron, RescaledPerceptron]


def circles(n=400):
    return make_circles(n, noise=0.05, factor=0.4, random_state=0)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_products_of_all_columns_separate_parity(d):
    X, y = nk.datasets.load(f"parity:{d}")
    features = PolynomialFeatures(d, interaction_only=True, include_bias=False)
    pipeline = make_pipeline(features, Perceptron()).fit(X, y)
    assert pipeline[-1].converged_
    assert pipeline.score(X, y) == 1.0


@pytest.mark.parametrize("member", MEMBERS)
def test_squares_separate_circles(member):
    X, y = circles()
    pipeline = make_pipeline(PolynomialFeatures(2, include_bias=False), member()).fit(X, y)
    assert pipeline[-1].converged_
    assert pipeline.score(X, y) == 1.0


def test_random_features_of_a_kernel_separate_circles():
    X, y = circles()
    features = RBFSampler(gamma=1.0, n_components=200, random_state=0)
    pipeline = make_pipeline(StandardScaler(), features, Perceptron()).fit(X, y)
    assert pipeline[-1].converged_
    assert pipeline.score(X, y) == 1.0


def test_a_grid_search_finds_the_degree():
    X, y = circles()
    pipeline = make_pipeline(
        PolynomialFeatures(include_bias=False), PocketPerceptron(max_iter=20, random_state=0)
    )
    search = GridSearchCV(
        pipeline, {"polynomialfeatures__degree": [1, 2]}, cv=3, error_score="raise"
    ).fit(X, y)
    assert search.best_params_ == {"polynomialfeatures__degree": 2}
    assert search.best_score_ > search.cv_results_["mean_test_score"][0]
    straight = cross_val_score(PocketPerceptron(max_iter=20, random_state=0), X, y, cv=3)
    assert np.mean(straight) < 0.8
