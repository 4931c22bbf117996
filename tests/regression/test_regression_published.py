"""Real data that ships with statsmodels, whose published fits are finite; and made-up sets of the
kinds on which published fits are not, each with an answer that is known without any search. What a
verdict says of other software is what that software prints."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import novikoff as nk

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import statsmodels.api as sm
    from statsmodels.discrete.conditional_models import ConditionalLogit
    from statsmodels.miscmodels.ordinal_model import OrderedModel


SETS = {
    "spector": lambda d: sm.Logit(d.endog, sm.add_constant(d.exog)),
    "star98": lambda d: sm.GLM(d.endog, sm.add_constant(d.exog), family=sm.families.Binomial()),
    "cpunish": lambda d: sm.GLM(d.endog, sm.add_constant(d.exog), family=sm.families.Poisson()),
    "heart": lambda d: sm.PHReg(d.endog, d.exog, status=d.censors),
    "modechoice": lambda d: ConditionalLogit(
        d.data["choice"], d.data[["ttme", "invc", "invt", "gc"]], groups=d.data["individual"]
    ),
    "anes96": lambda d: sm.MNLogit(
        d.data["PID"],
        sm.add_constant(d.data[["logpopul", "selfLR", "age", "educ", "income"]]),
    ),
    "anes96 ordered": lambda d: OrderedModel(
        d.data["PID"], d.data[["selfLR", "age", "educ", "income"]], distr="logit"
    ),
}


@pytest.mark.parametrize("name", SETS)
def test_what_has_a_published_fit_has_a_finite_estimate(name):
    data = getattr(sm.datasets, name.split()[0]).load_pandas()
    found = nk.certify_regression(SETS[name](data))
    assert found.status == "finite", str(found)
    assert (found.infinite, list(found.separated)) == ({}, [])
    found.certificate.verify_table(found.given.whole())


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
