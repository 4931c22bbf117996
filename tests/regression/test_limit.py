"""The limit of a model: suprema, states, contrasts, tests and intervals, on random small tables of
every model against textbook likelihoods and Fourier-Motzkin elimination, and on data that is not
separated against statsmodels."""

from __future__ import annotations

import math
import random
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

import novikoff as nk
from fourier_motzkin import is_feasible
from novikoff.errors import InputError
from regression_draws import DRAWS
from regression_oracle import rows_of
from textbook_likelihood import log_likelihood, supremum

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import statsmodels.api as sm
    from statsmodels.discrete.conditional_models import ConditionalLogit
    from statsmodels.miscmodels.ordinal_model import OrderedModel

WORDS = {(False, False): "finite", (True, False): "+inf", (False, True): "-inf",
         (True, True): "not determined"}  # fmt: skip


def drawn(model, draw):
    options, given, more, X, constant = DRAWS[model](draw)
    fit = nk.certify_regression(X, model=model, **options, **given)
    said = {k: v for k, v in given.items() if k != "y"} | {
        "result" if model == "bradley-terry" else "y": given.get("y")
    }
    if model == "cox":
        said.pop("y")
    n = len(next(iter(given.values())))
    rows = rows_of(model, X if X is not None else [[]] * n, constant=constant, **said, **more)
    return fit, rows


def on_core(limit):
    """The estimate with 0 for what the core leaves open, and a direction that settles the most."""
    beta = np.zeros(len(limit.coefficients))
    beta[limit.core.pivots] = limit.maximum.beta()
    claim, rows = limit.verdict.certificate, limit.verdict.comparison_rows
    delta = np.array([float(w) for w in claim.weights[: len(beta)]])
    moved = rows.table.dense_rows(slice(None)) @ np.array(
        [float(w) for w in rows.inward(claim.weights)[: rows.table.n_columns]]
    ) + rows.offset * float(claim.weights[-1])
    least = abs(moved[limit.verdict.settled]).min(initial=math.inf)
    return beta, delta / least


@pytest.mark.parametrize("model", DRAWS)
def test_the_supremum_is_reached_along_the_direction_and_never_passed(model):
    draw, seen = random.Random(28), set()
    for _ in range(25):
        fit, _ = drawn(model, draw)
        limit = fit.limit()
        beta, delta = on_core(limit)
        value = limit.maximum.value
        reached = log_likelihood(fit, beta + 50 * delta)
        assert reached == pytest.approx(value, abs=1e-9), fit.given.response
        assert supremum(fit) <= value + 1e-9, fit.given.response
        assert limit.decrement < 1e-12
        seen.add(fit.status)
    assert seen == {"finite", "infinite"}


@pytest.mark.parametrize("model", DRAWS)
def test_combinations_are_what_elimination_says(model):
    draw, seen = random.Random(2), set()
    for _ in range(40):
        fit, rows = drawn(model, draw)
        if model == "ordinal" and len(fit.coefficients) != len(rows[0][1]):
            continue  # two thresholds around an empty class are one
        limit = fit.limit()
        left_out = {j for j, state in enumerate(limit.states) if state == "left out"}
        cone = []
        for kind, row, _ in rows:
            row = [0 if j in left_out else v for j, v in enumerate(row)]
            cone += [[*row, 0]] + [[*(-v for v in row), 0]] * (kind == "=")
        for _ in range(3):
            c = [0 if j in left_out else draw.randint(-1, 1) for j in range(len(limit.states))]
            if any(c):
                ends = tuple(is_feasible([*cone, [*(s * v for v in c), 1]]) for s in (1, -1))
                found = limit.contrast(c)
                assert found.state == WORDS[ends], (c, rows)
                assert math.isfinite(found.estimate) == (found.state == "finite")
                seen.add(found.state)
    assert {"finite", "not determined"} <= seen
    assert seen & {"+inf", "-inf"}


@pytest.mark.parametrize("model", DRAWS)
def test_the_profile_falls_by_half_a_quantile_at_the_ends(model):
    draw, n_ends, n_one_sided = random.Random(5), 0, 0
    drop = chi2.ppf(0.9, 1) / 2
    for _ in range(12):
        fit, _ = drawn(model, draw)
        limit = fit.limit()
        shown = [j for j, state in enumerate(limit.states) if state != "left out"]
        if not shown:
            continue
        place = draw.choice(shown)
        left_out = [j for j, state in enumerate(limit.states) if state == "left out"]
        c = np.eye(len(limit.states))[place]
        found = limit.interval(limit.coefficients[place], 0.9)
        for end in (found.lower, found.upper):
            if math.isfinite(end):
                held = supremum(fit, (c, end), 200.0, left_out)
                assert held == pytest.approx(limit.maximum.value - drop, abs=2e-4)
                n_ends += 1
        if limit.states[place] in ("+inf", "-inf"):
            n_one_sided += 1
            is_up = limit.states[place] == "+inf"
            assert math.isinf(found.upper if is_up else found.lower)
            assert math.isfinite(found.lower if is_up else found.upper)
        test = limit.test(limit.coefficients[place])
        null = supremum(fit, (c, 0.0), 200.0, left_out)
        assert test.statistic == pytest.approx(2 * (limit.maximum.value - null), abs=5e-4)
    assert n_ends > 3
    assert n_one_sided > 0


# Against statsmodels, where it is finite


def _numbers(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.integers(0, 3, n), "c": rng.normal(size=n)})
    return X, rng


def _fits():
    X, rng = _numbers()
    Z = sm.add_constant(X)
    eta = 0.3 + 0.8 * X["a"] - 0.5 * X["b"]
    y = (rng.uniform(size=len(X)) < 1 / (1 + np.exp(-eta))).astype(int)
    counts = rng.poisson(np.exp(0.2 * eta))
    trials = rng.integers(1, 9, len(X))
    hits = rng.binomial(trials, 1 / (1 + np.exp(-eta)))
    offset, weights = rng.normal(size=len(X)), rng.uniform(0.5, 2, len(X))
    links, families = sm.families.links, sm.families
    pairs = np.column_stack([hits, trials - hits])
    yield "Logit", sm.Logit(y, Z)
    yield "Probit", sm.Probit(y, Z)
    for name in ("Logit", "Probit", "CLogLog", "LogLog"):
        yield f"GLM {name}", sm.GLM(pairs, Z, family=families.Binomial(getattr(links, name)()))
    yield "Poisson", sm.Poisson(counts, Z, offset=offset, exposure=weights)
    yield "GLM Poisson", sm.GLM(counts, Z, family=families.Poisson(), offset=offset,
                                freq_weights=weights)  # fmt: skip
    yield "GLM NB", sm.GLM(counts, Z, family=families.NegativeBinomial(alpha=0.7))
    yield "MNLogit", sm.MNLogit(np.minimum(counts, 2), Z)
    yield "OrderedModel", OrderedModel(np.minimum(counts, 2), X, distr="logit")
    yield "OrderedModel probit", OrderedModel(np.minimum(counts, 2), X, distr="probit")
    yield "ConditionalLogit", ConditionalLogit(y, X, groups=np.arange(len(X)) // 12)
    time = rng.integers(1, 30, len(X)).astype(float)
    for ties in ("breslow", "efron"):
        yield f"PHReg {ties}", sm.PHReg(time, X, status=y, ties=ties, entry=time / 3 - 0.01,
                                        strata=(X["b"] > 1).astype(int))  # fmt: skip


FITS = dict(_fits())


@pytest.mark.parametrize("name", FITS)
def test_finite_estimates_are_those_of_statsmodels(name):
    model = FITS[name]
    more = {} if name in ("PHReg breslow", "PHReg efron") or "GLM" in name else {"disp": 0}
    if "GLM" in name:
        more["tol"] = 1e-12
    elif "PHReg" not in name:
        more |= {"method": "bfgs", "maxiter": 5000, "gtol": 1e-9}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = model.fit(**more)
    limit = nk.certify_regression(model).limit()
    params, errors = np.asarray(result.params), np.asarray(result.bse)
    if name == "MNLogit":
        params, errors = params.T.ravel(), errors.T.ravel()
    elif "OrderedModel" in name:
        d = model.exog.shape[1]
        cuts = model.transform_threshold_params(params)[1:-1]
        params, errors = np.concatenate([cuts, params[:d]]), errors
        assert limit.standard_errors[-d:] == pytest.approx(errors[:d], rel=1e-3)
        errors = limit.standard_errors
    assert limit.estimates == pytest.approx(params, rel=1e-4, abs=1e-4)
    observed = name in ("GLM Probit", "GLM CLogLog", "GLM LogLog", "GLM NB")
    if observed:  # statsmodels' GLM gives the expected information unless told
        errors = np.sqrt(np.diag(np.linalg.inv(-model.hessian(params, observed=True))))
    assert limit.standard_errors == pytest.approx(errors, rel=1e-3)
    assert limit.log_likelihood == pytest.approx(result.llf, rel=1e-7)
    if "GLM" in name:
        assert limit.deviance == pytest.approx(result.deviance, rel=1e-7)
        assert limit.aic == pytest.approx(result.aic, rel=1e-7)
    if name in ("Logit", "Probit", "GLM Poisson", "GLM CLogLog", "MNLogit"):
        shown = result.predict()
        assert limit.fitted == pytest.approx(shown, rel=1e-4, abs=1e-5)


# Likelihood ratios


def test_terms_are_tested_by_the_suprema_of_both_models():
    X, rng = _numbers(60, 3)
    X["mark"] = (np.arange(60) % 5 == 0).astype(int)
    X["other"] = (np.arange(60) % 5 == 1).astype(int)
    y = np.where(X["mark"] | X["other"], 1, rng.integers(0, 2, 60))
    full = nk.certify_regression(X, y, "logistic")
    less = nk.certify_regression(X[["a", "b", "c"]], y, "logistic")
    test = full.limit().test(["mark", "other"])
    gain = 2 * (full.limit().log_likelihood - less.limit().log_likelihood)
    assert test.df == 2
    assert test.statistic == pytest.approx(gain)
    assert test.p_value == pytest.approx(chi2.sf(gain, 2))
    assert full.compare(less) == pytest.approx(test)
    assert less.compare(full) == pytest.approx(test)


def test_freedom_is_counted_where_the_null_model_predicts_nothing_perfectly():
    # With `mark` in both models its rows are certain in both: on the others `twin` is constant.
    mark = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0])
    twin = np.array([0, 1, 0, 0, 0, 0, 0, 0, 0])
    x = np.array([1, 2, 3, 1, 2, 3, 4, 5, 6])
    y = np.array([1, 1, 1, 0, 1, 0, 1, 0, 1])
    both = nk.certify_regression(np.column_stack([x, mark, twin]), y, "logistic")
    less = nk.certify_regression(np.column_stack([x, mark]), y, "logistic")
    found = both.compare(less)
    assert (found.statistic, found.df) == (pytest.approx(0, abs=1e-12), 0)
    assert math.isnan(found.p_value)


def test_only_nested_models_of_the_same_outcomes_are_compared():
    X, rng = _numbers(40, 1)
    X = (X * 1024).round()  # sums and differences are exact
    y = rng.integers(0, 2, 40)
    fit = nk.certify_regression(X[["a", "b"]], y, "logistic")
    with pytest.raises(InputError, match="neither model holds the other"):
        fit.compare(nk.certify_regression(X[["b", "c"]], y, "logistic"))
    with pytest.raises(InputError, match="same outcomes"):
        fit.compare(nk.certify_regression(X[["a"]], 1 - y, "logistic"))
    with pytest.raises(InputError, match="same kind"):
        fit.compare(nk.certify_regression(X[["a"]], y, "probit"))
    doubled = X.assign(d=2 * X["a"], e=X["b"] - X["a"])
    wide = nk.certify_regression(doubled[["d", "e", "c"]], y, "logistic")
    assert wide.compare(fit).df == 1


# Rows, new and old


def test_means_of_new_rows_are_bounds_where_the_predictor_is_infinite():
    rows = pd.DataFrame({"dose": [1, 2, 3, 4, 5, 6, 2, 4, 3], "mark": [0] * 6 + [1] * 3})
    sick = [0, 1, 0, 1, 0, 1, 1, 1, 1]
    limit = nk.certify_regression(rows, sick, "logistic").limit()
    new = pd.DataFrame({"mark": [1, -1, 0], "dose": [100, -7, 2]})
    found = limit.predict(new)
    assert found.mean[:2].tolist() == [1.0, 0.0]
    assert found.mean[2] == pytest.approx(limit.fitted[1])
    assert limit.fitted[6:].tolist() == [1.0] * 3
    assert set(found.state) == {"determined"}


def test_what_depends_on_the_path_is_not_determined():
    # Complete separation by either of two columns: which of them goes to infinity is open.
    rows = pd.DataFrame({"u": [0, 0, 1, 1], "v": [0, 0, 1, 1], "w": [0, 1, 0, 1]})
    limit = nk.certify_regression(rows, [0, 0, 1, 1], "logistic").limit()
    assert limit.states[:2] == ("+inf", "left out")
    found = limit.predict(pd.DataFrame({"u": [1, 1], "v": [1, 0], "w": [0, 0]}))
    assert found.state.tolist() == ["determined", "not determined"]
    assert math.isnan(found.mean[1])
    poisson = nk.certify_regression(rows, [0, 0, 2, 1], "poisson").limit()
    assert poisson.contrast({"(intercept)": 1, "u": 1}).state == "finite"
    assert list(poisson.determined) != []


def test_formulas_and_texts_take_new_rows_as_they_took_the_old():
    data = pd.DataFrame(
        {"y": [0, 1, 0, 1, 1, 1, 0, 1], "x": [1, 2, 3, 4, 5, 6, 7, 8], "g": list("aabbccaa")}
    )
    by_formula = nk.certify_regression("y ~ x + C(g)", data=data, model="logistic").limit()
    by_frame = nk.certify_regression(data, "y", "logistic").limit()
    new = pd.DataFrame({"g": ["a", "c"], "x": [3, 3]})
    assert by_formula.predict(new).mean == pytest.approx(by_frame.predict(new).mean)
    assert by_formula.predict(data).mean == pytest.approx(by_formula.fitted)
    for limit in (by_formula, by_frame):
        with pytest.raises(InputError, match="level"):
            limit.predict(pd.DataFrame({"g": ["z"], "x": [3]}))
        with pytest.raises(InputError, match="no column 'x'"):
            limit.predict(new[["g"]])


def test_classes_that_another_is_far_ahead_of_have_probability_zero():
    x = np.array([[0.0], [1], [2], [3], [10], [11], [12]])
    y = ["low", "high", "low", "high", "far", "far", "far"]
    limit = nk.certify_regression(x, y, "multinomial", reference="low").limit()
    labels = limit.verdict.given.labels
    far = labels.index("far")
    assert limit.fitted[4:, far].tolist() == [1.0] * 3
    assert limit.fitted[:4, far].tolist() == [0.0] * 4
    assert limit.fitted.sum(axis=1) == pytest.approx(np.ones(7))
    two = nk.certify_regression(x[:4], y[:4], "multinomial", reference="low").limit()
    assert limit.fitted[:4, labels.index("high")] == pytest.approx(two.fitted[:, 0])


# Offsets and weights

X12 = np.column_stack([[1, 2, 3, 4, 5, 6, 2, 4, 3, 1, 5, 2], [0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1]])
BITS = [0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0]
ASKED = {
    "logistic": {"y": BITS},
    "probit": {"y": BITS},
    "poisson": {"y": [0, 1, 2, 5, 3, 4, 0, 2, 1, 0, 3, 1]},
    "ordinal": {"y": [0, 1, 2, 1, 2, 1, 0, 2, 1, 0, 2, 1]},
    "conditional": {"y": BITS, "groups": [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]},
    "cox": {"time": [5, 3, 8, 2, 9, 4, 7, 6, 1, 10, 3, 5], "event": [1] * 9 + [0, 1, 1]},
    "bradley-terry": {
        "winner": list("abcbcaabcbca"),
        "loser": list("bcaabcbcaabc"),
        "y": [1] * 6 + [0.5] * 6,
    },
}


@pytest.mark.parametrize("model", ASKED)
def test_an_offset_along_a_column_moves_its_coefficient_by_as_much(model):
    plain = nk.certify_regression(X12, model=model, **ASKED[model]).limit()
    moved = nk.certify_regression(X12, model=model, offset=0.75 * X12[:, 0], **ASKED[model]).limit()
    shift = np.array([0.75 if name == "x1" else 0.0 for name in plain.coefficients])
    assert set(plain.states) == {"finite"}
    assert moved.estimates == pytest.approx(plain.estimates - shift, abs=1e-7)
    assert moved.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-9)


@pytest.mark.parametrize("model", [*(m for m in ASKED if m != "conditional"), "multinomial"])
def test_a_weight_counts_a_row_so_often(model):
    classes = {"y": [0, 1, 2, 0, 1, 2, 1, 0, 2, 2, 0, 1]}
    asked = classes if model == "multinomial" else ASKED[model]
    more = {"ties": "breslow"} if model == "cox" else {}
    weights = np.array([1, 2, 1, 3, 1, 1, 2, 1, 1, 2, 1, 1])
    often = {name: np.repeat(values, weights) for name, values in asked.items()}
    weighted = nk.certify_regression(X12, model=model, weights=weights, **asked, **more).limit()
    repeated = nk.certify_regression(
        np.repeat(X12, weights, axis=0), model=model, **often, **more
    ).limit()
    assert weighted.estimates == pytest.approx(repeated.estimates, abs=1e-7)
    assert weighted.standard_errors == pytest.approx(repeated.standard_errors, rel=1e-6)
    assert weighted.log_likelihood == pytest.approx(repeated.log_likelihood, abs=1e-9)


# Numbers of every size

WIDE = np.random.default_rng(0).normal(size=(400, 60)), np.arange(400) % 2


@pytest.mark.parametrize("scale", [2.0**-900, 2.0**-30, 1.0, 2.0**30, 2.0**900])
@pytest.mark.parametrize("shift", [0.0, 1.7e9])
def test_units_of_a_column_change_its_own_coefficient_alone(scale, shift):
    x = np.array([1.0, 2, 3, 4, 5, 6, 2, 4, 3])
    mark = np.array([0.0] * 6 + [1] * 3)
    y = [0, 1, 0, 1, 0, 1, 1, 1, 1]
    plain = nk.certify_regression(np.column_stack([x, mark]), y, "logistic").limit()
    if shift:
        x = x + shift
    moved = nk.certify_regression(np.column_stack([x * scale, mark * scale]), y, "logistic").limit()
    assert moved.states == ("finite", "+inf", "finite")
    assert moved.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-9)
    assert moved.estimates[0] * scale == pytest.approx(plain.estimates[0], rel=1e-5)
    assert moved.interval("x2").lower * scale == pytest.approx(plain.interval("x2").lower, rel=1e-4)


@pytest.mark.parametrize("count", [1, 1000, 10**9])
def test_large_counts_cost_no_digits(count):
    limit = nk.certify_regression([[1]], [count], "poisson", fit_intercept=False).limit()
    assert limit.estimates == pytest.approx([math.log(count)], abs=1e-9)
    found = limit.interval("x1")
    for end in found[:2]:  # twice count·(exp(r) - 1 - r) is the deviance, r from the estimate on
        r = end - math.log(count)
        deviance = 2 * count * (math.expm1(r) - r) if abs(r) > 1e-5 else count * r * r * (1 + r / 3)
        assert deviance == pytest.approx(3.841459, abs=1e-5)
    assert limit.log_likelihood == pytest.approx(
        count * math.log(count) - count - math.lgamma(count + 1)
    )


def test_what_is_not_computed_or_not_asked_rightly_is_said():
    X, y = [[0], [1], [2], [3]], [0, 1, 0, 1]
    for model, more, words in (
        ("cauchit", {}, "not concave"), ("negative-binomial", {}, "dispersion"),
        ("log-binomial", {}, "edge"), ("multinomial", {"offset": [1, 2, 3, 4]}, "which class"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            nk.certify_regression(X, y, model, **more).limit()
    X, y = pd.DataFrame({"": [0, 0, 1, 1, 0], "b": [1, 1, 3, 1, 2]}), [0, 1, 1, 1, 1]
    fit = nk.certify_regression(X, y, "logistic")
    limit = fit.limit()
    hasty = nk.certify_regression(*WIDE, "logistic", time_limit=1e-9)
    for ask, words in (
        (lambda: limit.contrast("nobody"), "no coefficient"),
        (lambda: limit.contrast({"b": math.nan}), "finite number"),
        (lambda: limit.contrast([1]), "one for each"),
        (lambda: limit.contrast({"b": 0}), "is zero"),
        (lambda: limit.interval("b", 95), "level"),
        (lambda: limit.test("b", math.nan), "value is"),
        (lambda: limit.test("b", "1"), "value is"),
        (lambda: limit.test(None), "no coefficient"),
        (lambda: limit.test(3), "no coefficient"),
        (lambda: limit.predict(X, offset=[0, 0, 0, 0, math.nan]), "missing or infinite"),
        (lambda: fit.compare(limit), "this is a Limit"),
        (lambda: hasty.compare(hasty), "longer time_limit"),
    ):
        with pytest.raises(InputError, match=words):
            ask()
    with pytest.raises(InputError, match="below 1e-307"):
        nk.certify_regression([[1e-320], [2e-320], [3e-320]], [0, 1, 0], "logistic").limit()
    assert limit.interval("b", np.float32(0.75))[:2] == limit.interval("b", 0.75)[:2]
    assert list(limit.summary("b").frame.index) == ["b"]


def test_exact_combinations_are_not_decided_by_floats():
    # 'u' and 'v' grow together: u - v is finite, and u - (1 + 1e-15)·v is not.
    u, v = [0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1]
    rows = pd.DataFrame({"x": [1, 2, 3, 4, 1, 2, 3], "u": u, "v": [a * 2 + (i == 9) for i, a in
                         enumerate(v)]})  # fmt: skip
    limit = nk.certify_regression(rows, [0, 1, 0, 1, 1, 1, 1], "logistic").limit()
    assert limit.states == ("finite", "+inf", "left out", "finite")
    assert limit.contrast({"u": 1, "v": 2}).state == "+inf"
    assert limit.contrast({"u": 1, "v": 2 + 1e-15}).state == "not determined"
    assert limit.contrast({"u": 1, "v": Fraction(2)}).state == "+inf"


@pytest.mark.parametrize("shift", [40.0, 300.0, 1e4])
def test_what_a_stratum_has_in_common_moves_no_cox_model(shift):
    rng = np.random.default_rng(3)
    X, time, strata = rng.normal(size=(40, 2)), rng.integers(2, 30, 40), np.arange(40) % 2
    asked = {"time": time, "event": rng.random(40) < 0.8, "strata": strata}
    asked["entry"] = np.maximum(time - rng.integers(1, 20, 40), 0)
    plain = nk.certify_regression(X, model="cox", **asked).limit()
    columns = nk.certify_regression(X + shift * strata[:, None], model="cox", **asked).limit()
    offset = nk.certify_regression(X, model="cox", offset=shift * strata, **asked).limit()
    for moved in (columns, offset):
        assert moved.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-9)
        assert moved.estimates == pytest.approx(plain.estimates, abs=1e-8)
        assert moved.standard_errors == pytest.approx(plain.standard_errors, rel=1e-8)
        assert moved.interval("x1")[:2] == pytest.approx(plain.interval("x1")[:2], abs=1e-6)


def test_subjects_that_enter_later_cost_no_digits_of_those_before():
    X = [[1, 1], [0, 0], [1, 0], [2, -1], [-1, 0]]
    asked = {"time": [3, 2, 3, 1, 1], "event": [1] * 5, "strata": [0, 1, 1, 0, 0],
             "entry": [2, 0, 0, 0, 0], "offset": [1, 0.7, -1.8, -0.2, 0.4]}  # fmt: skip
    limit = nk.certify_regression(X, model="cox", ties="efron", **asked).limit()
    # The tied pair is level: 3·x1 - x2 = 0.6. What is left is -log(1 + exp(x1 - 2.5)).
    assert limit.states == ("-inf", "-inf")
    drop = chi2.ppf(0.95, 1) / 2
    assert limit.interval("x1").upper == pytest.approx(2.5 + math.log(math.expm1(drop)), abs=1e-6)
    assert limit.test("x1").statistic == pytest.approx(2 * math.log1p(math.exp(-2.5)), abs=1e-7)


def test_a_column_without_a_name_is_no_constant():
    X = pd.DataFrame({"a": [0, 0, 1, 1, 0, 0], "b": [1, 2, 3, 1, 2, 1], "": [3, 1, 2, 2, 1, 0]})
    limit = nk.certify_regression(X, [0, 1, 1, 1, 0, 1], "logistic").limit()
    assert list(limit.determined) == ["'(intercept)' + 2·'b' + ''"]
