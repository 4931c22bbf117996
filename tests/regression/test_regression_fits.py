"""Agreement with fits: where the estimate is finite a vanishing penalty leaves it bounded, and
where it is not, the strict comparisons' scores grow without bound and the others' converge."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.optimize import minimize

import novikoff as nk
from regression_draws import DRAWS

PENALTIES = (1e-4, 1e-6, 1e-8, 1e-10)


def log1pexp(v):
    return np.logaddexp(0.0, v)


def loss(model, fit, beta):
    """Minus the log-likelihood, up to constants, straight from the textbook, and its gradient."""
    X = fit.given.table.dense_rows(slice(None))
    r = {name: np.array([float(v) for v in column]) for name, column in fit.given.response.items()}
    if fit.given.model.constant and model != "multinomial":
        X = np.hstack([X, np.ones((len(X), 1))])
    if model in ("logistic", "binomial"):
        s, t = (r["y"], 1.0) if model == "logistic" else (r["successes"], r["trials"])
        eta = X @ beta
        return float(np.sum(t * log1pexp(eta) - s * eta)), X.T @ (t / (1 + np.exp(-eta)) - s)
    if model == "poisson":
        eta = X @ beta
        return float(np.sum(np.exp(eta) - r["y"] * eta)), X.T @ (np.exp(eta) - r["y"])
    if model == "conditional":
        total, gradient = 0.0, np.zeros(len(beta))
        for group in np.unique(r["set"]):
            cases = np.flatnonzero((r["set"] == group) & (r["case"] == 1))
            others = np.flatnonzero((r["set"] == group) & (r["case"] == 0))
            for i in cases:  # each case against all others of its set: the same cone
                part = np.append(others, i)
                eta = (X[part] - X[i]) @ beta
                top = eta.max()
                share = np.exp(eta - top)
                total += top + np.log(share.sum())
                gradient += share / share.sum() @ (X[part] - X[i])
        return total, gradient
    total, gradient = 0.0, np.zeros(len(beta))
    entry = r.get("entry", np.full(len(X), -np.inf))
    stratum = r.get("stratum", np.zeros(len(X)))
    for i in np.flatnonzero(r["event"] == 1):
        risk = np.flatnonzero(
            (entry < r["time"][i]) & (r["time"] >= r["time"][i]) & (stratum == stratum[i])
        )
        eta = (X[risk] - X[i]) @ beta
        top = eta.max()
        share = np.exp(eta - top)
        total += top + np.log(share.sum())
        gradient += share / share.sum() @ (X[risk] - X[i])
    return total, gradient


def fitted(model, fit, penalty):
    def objective(beta):
        value, gradient = loss(model, fit, beta)
        return value + penalty * beta @ beta / 2, gradient + penalty * beta

    width = len(fit.coefficients)
    start = np.zeros(width)
    with np.errstate(over="ignore"):
        for method in ("BFGS", "L-BFGS-B"):
            found = minimize(objective, start, jac=True, method=method,
                             options={"maxiter": 2000, "gtol": 1e-12})  # fmt: skip
            start = found.x
    return start


@pytest.mark.parametrize("model", ["logistic", "binomial", "poisson", "conditional", "cox"])
def test_a_fit_with_vanishing_penalty_does_what_the_verdict_says(model):
    draw = random.Random(7)
    seen = set()
    for _ in range(25):
        options, given, _, X, _ = DRAWS[model](draw)
        if model == "cox":
            options["ties"] = "breslow"
        fit = nk.certify_regression(X, model=model, **options, **given)
        fits = [fitted(model, fit, penalty) for penalty in PENALTIES]
        table = fit.comparison_rows.table.dense_rows(slice(None))
        if fit.comparison_rows.offset:
            table = np.hstack([table, np.ones((len(table), 1))])
        sides = np.where(fit.comparison_rows.signs == 0, 1, fit.comparison_rows.signs)[:, None]
        scores = np.array([(table * sides) @ beta for beta in fits])
        strict = np.zeros(len(table), dtype=bool)
        strict[fit.settled] = True
        moved = np.abs(np.diff(scores, axis=0))
        assert (moved[-1][~strict] < 0.1).all(), (X, options, given)
        rises = np.diff(scores[:, strict], axis=0)
        assert (rises > 0.2).all(), (X, options, given)
        seen.add(fit.status)
    assert seen == {"finite", "infinite"}


def _printed(fit):
    """The kinds of warnings that a fit gives."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        fit()
    return {type(warning.message).__name__ for warning in seen}


def _separated(seed):
    """A constant, a number and a mark, and an outcome that is certain where the mark is."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(30), rng.normal(size=30).round(1), np.arange(30) % 3 == 0])
    return X.astype(float), rng


@pytest.mark.parametrize("seed", range(5))
def test_what_is_said_of_statsmodels_is_what_it_prints(seed):
    X, rng = _separated(seed)
    marked = X[:, 2] == 1
    y = np.where(marked, 1, rng.integers(0, 2, 30))
    y[1], y[2], X[1, 1], X[2, 1], y[4], y[5], X[4, 1], X[5, 1] = 0, 1, 3, -3, 0, 1, 3, -3
    quasi, counts = sm.GLM(y, X, family=sm.families.Binomial()), np.where(marked, 0, 1 + y)
    said = str(nk.certify_regression(quasi))
    assert len(nk.certify_regression(quasi).rest)
    assert "of perfect separation, but only where every observation is predicted perf" in flat(said)
    assert _printed(quasi.fit) == set()
    complete = sm.GLM(marked.astype(int), X, family=sm.families.Binomial())
    assert not len(nk.certify_regression(complete).rest)
    assert _printed(complete.fit) == {"PerfectSeparationWarning"}

    said = str(nk.certify_regression(sm.Poisson(counts, X)))
    assert "statsmodels' Poisson that it failed to converge, and its GLM says nothing" in flat(said)
    assert "ConvergenceWarning" in _printed(lambda: sm.Poisson(counts, X).fit(disp=0))
    assert _printed(sm.GLM(counts, X, family=sm.families.Poisson()).fit) == set()

    survival = sm.PHReg(np.arange(30) + 1.0, X[:, 1:], status=(~marked).astype(int))
    assert "statsmodels' PHReg that it failed to converge" in flat(
        str(nk.certify_regression(survival))
    )
    assert "ConvergenceWarning" in _printed(survival.fit)


def flat(text):
    return " ".join(text.split())
