"""Log-binomial models: exp(x·β) is a probability, so that some models are impossible."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pandas
import pytest
import statsmodels.api as sm

import novikoff as nk
from fourier_motzkin import is_feasible
from novikoff.errors import InputError
from regression_oracle import negative, rows_of, truth


def is_possible(X, successes, trials):
    """Whether some β keeps x·β <= 0 on every row, and < 0 where there is a failure."""
    pairs = zip(X, successes, trials, strict=True)
    return is_feasible([[*negative(x), int(s < t)] for x, s, t in pairs if t])


@pytest.mark.parametrize("seed", [1, None])
def test_every_answer_is_that_of_the_definition_and_impossible_models_have_none(seed, fresh_seed):
    draw = random.Random(fresh_seed if seed is None else seed)
    seen = set()
    for _ in range(150):
        n, d, constant = draw.randint(1, 6), draw.randint(1, 2), draw.random() < 0.3
        X = [[draw.randint(-1, 2) for _ in range(d)] for _ in range(n)]
        trials = [draw.randint(0, 2) for _ in range(n)]
        trials[0] = 1
        y = [draw.choice([0, draw.randint(0, t)]) for t in trials]
        asked = {"y": y, "trials": trials, "model": "log-binomial", "fit_intercept": constant}
        rows = [[*x, 1] if constant else x for x in X]
        if not is_possible(rows, y, trials):
            with pytest.raises(InputError, match="is zero whatever its coefficients"):
                nk.certify_regression(X, **asked)
            seen.add("impossible")
            continue
        fit = nk.certify_regression(X, **asked)
        kept = [i for i, t in enumerate(trials) if t]
        order = [d, *range(d)] if constant else None
        status, separated, _, infinite, _ = truth(
            rows_of("poisson", [X[i] for i in kept], constant=constant, y=[y[i] for i in kept]),
            len(kept), order,
        )  # fmt: skip
        assert fit.status == status, (X, asked)
        assert list(fit.separated) == [kept[i] for i in separated]
        assert dict(fit.infinite) == {fit.coefficients[j]: sign for j, sign in infinite.items()}
        fit.certificate.verify_table(fit.given.whole())
        on_edge = any(y[i] == trials[i] for i in kept)
        noted = any("on the edge of a log-binomial model" in note for note in fit.notes)
        assert noted == (on_edge and fit.status == "finite")
        seen.add(fit.status)
    assert seen == {"finite", "infinite", "impossible"}


def test_two_rows_that_no_probability_fits():
    with pytest.raises(InputError, match=r"rows with a failure \(0, 1\) below 1; give the model"):
        nk.certify_regression([[1], [-1]], [0, 0], model="log-binomial", fit_intercept=False)
    X = pandas.DataFrame({"x": [1.0, -1.0]})
    log = sm.families.Binomial(sm.families.links.Log())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of statsmodels: the link leaves the domain
        model = sm.GLM(np.array([0.0, 0.0]), X, family=log)
    with pytest.raises(InputError, match="zero whatever"):
        nk.certify_regression(model)
    assert nk.certify_regression([[1], [-1]], [0, 0], model="log-binomial").status == "infinite"


def test_an_estimate_on_the_edge_carries_a_note():
    """Everybody with x = 1 succeeds: their probability is 1 at the largest likelihood."""
    fit = nk.certify_regression([[0], [0], [1], [1]], [0, 1, 1, 1], model="log-binomial")
    assert fit.status == "finite"
    assert any("on the edge of a log-binomial model" in note for note in fit.notes)
    inside = nk.certify_regression([[0], [1]], [1, 2], model="log-binomial", trials=[4, 4])
    assert (inside.status, inside.notes) == ("finite", ())


def test_what_is_left_after_dropping_rows_may_lie_on_the_edge_too():
    """Nobody with the marker succeeds; of the others, everybody with x = 1 does."""
    X = [[0, 0], [0, 0], [1, 0], [1, 0], [0, 1], [1, 1]]
    fit = nk.certify_regression(X, [0, 1, 1, 1, 0, 0], model="log-binomial")
    assert (fit.infinite, list(fit.separated)) == ({"x2": "-"}, [4, 5])
    assert any("(3 of 4) is 1" in note for note in fit.drop().verdict.notes)


def test_trials_and_two_columns_are_the_same():
    X, y, trials = [[0], [1], [2], [1]], [0, 2, 3, 0], [2, 4, 3, 0]
    asked = {"model": "log-binomial"}
    one = nk.certify_regression(X, y, trials=trials, **asked)
    two = nk.certify_regression(X, np.c_[y, np.subtract(trials, y)], **asked)
    assert (one.status, one.infinite) == (two.status, two.infinite)
    assert list(one.separated) == list(two.separated)
    assert "1 row of trials 0 is deleted" in one.notes
    with pytest.raises(InputError, match="more than its trials"):
        nk.certify_regression(X, [3, 0, 0, 0], trials=trials, **asked)
    with pytest.raises(TypeError, match="trials= does not belong to a poisson model, but to binom"):
        nk.certify_regression(X, y, trials=trials, model="poisson")


def test_nothing_is_claimed_where_time_ends_the_question_whether_the_model_is_possible():
    X, y = [[1], [-1]], [0, 1]
    fit = nk.certify_regression(X, y, model="log-binomial", fit_intercept=False, time_limit=1e-9)
    assert fit.status == "undecided"
