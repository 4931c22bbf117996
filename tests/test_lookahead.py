"""Scoring ahead: how far a pass looks, and what it tells of its mistakes."""

from __future__ import annotations

import numpy as np
import pytest

import novikoff as nk
from novikoff.models import lookahead, training
from novikoff.models.lookahead import Helpers, visit_ahead
from novikoff.models.orders import Orders

N = 1000


def one_pass(wrong, gap):
    """What a pass returns over N rows, of which those are wrong at their visit; and the visits."""
    visited = []

    def visit(piece):
        visited.extend(piece.order.tolist())
        return sum(i in wrong for i in piece.order.tolist())

    def scan(piece):
        places = [place for place, i in enumerate(piece.order.tolist()) if i in wrong]
        return min(places, default=len(piece.order))

    orders = Orders("cyclic", N, None, None)
    return visit_ahead(orders, visit, scan, Helpers(1), gap, lambda n: max(1, n >> 12)), visited


@pytest.mark.parametrize("gap", [0.0, 150.0, 400.0, 1000.0])
def test_every_mistake_is_visited_once_and_in_order_and_none_comes_before_the_calm(gap):
    rng = np.random.default_rng(int(gap))
    for n_wrong in (0, 1, 2, 5, 40):
        wrong = set(rng.choice(N, size=n_wrong, replace=False).tolist())
        calm, visited = one_pass(wrong, gap)
        assert visited == sorted(set(visited))
        assert wrong <= set(visited)
        assert 0 <= calm <= min(wrong, default=N)
    assert one_pass(set(), gap)[0] == N


def test_a_mistake_that_is_found_ahead_ends_the_calm():
    assert one_pass({N - 2, N - 1}, float(N))[0] == N - 2


@pytest.mark.filterwarnings("ignore:Perceptron stopped after")
def test_a_pass_looks_as_far_ahead_as_the_last_one_came_without_a_mistake(monkeypatch):
    gaps = []

    def spied(orders, visit, scan, helpers, gap, rows_in):
        gaps.append(gap)
        return visit_ahead(orders, visit, scan, helpers, gap, rows_in)

    monkeypatch.setattr(training, "visit_ahead", spied)
    monkeypatch.setattr(lookahead, "STRIPE", 500)
    rng = np.random.default_rng(5)
    X, w = rng.normal(size=(N, 8)), np.full(8, 0.5)
    X += np.outer(np.sign(X @ w), w)
    y = np.sign(X @ w)
    X[-1], y[-2:] = X[-2], (-y[-2], y[-2])  # two mistakes in every pass, which undo each other
    options = {"start": w, "fit_intercept": False, "max_iter": 4}
    together = nk.Perceptron(n_jobs=2, **options).fit(X, y)
    alone = nk.Perceptron(**options).fit(X, y)
    assert together.coef_.tobytes() == alone.coef_.tobytes()
    assert together.n_mistakes_ == alone.n_mistakes_ == 8
    assert gaps == [N, N - 2, N - 2, N - 2]
