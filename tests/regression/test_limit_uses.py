"""What people do with a limit: refit elsewhere, check a list of fits, read published values."""

from __future__ import annotations

import json
import math
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import novikoff as nk
from command import novikoff
from novikoff.errors import InputError
from novikoff.search.clock import Clock

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import statsmodels.api as sm
    import statsmodels.formula.api as smf
    from statsmodels.discrete.conditional_models import ConditionalLogit
    from statsmodels.miscmodels.ordinal_model import OrderedModel

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent.parent / "shared" / "data"
if not SHARED.is_dir():
    SHARED = ROOT.parent / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data is not here")


def quiet(fit, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit(**more)


def finite(limit, names):
    at = dict(zip(limit.coefficients, limit.estimates, strict=True))
    return [name for name in names if math.isfinite(at.get(name, math.nan))], at


# The examples of docs/before_you_fit.md, refitted


def examples():
    """The fits of the guide's page, in turn, as its own blocks make them."""
    text = (ROOT / "docs" / "before_you_fit.md").read_text(encoding="utf-8")
    found, space = {}, {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        lines = [line for line in block.splitlines() if not line.startswith("print(")]
        exec("\n".join(lines), space)  # our own page
        fit = space.get("fit")
        if fit is not None and fit.status == "infinite":
            found[fit.model] = fit
    return found


@pytest.fixture(scope="module")
def fits():
    found = examples()
    assert len(found) == 8
    return found


@pytest.mark.parametrize("model", ["logistic", "binomial", "poisson", "bradley-terry"])
def test_row_models_refit_to_the_finite_coefficients(fits, model):
    limit, data = fits[model].limit(), fits[model].refit_data()
    families = sm.families
    family = families.Poisson() if model == "poisson" else families.Binomial()
    result = sm.GLM(data.y, data.frame, family=family).fit(tol=1e-12)
    assert result.converged
    assert np.linalg.matrix_rank(data.X) == data.X.shape[1]
    assert result.llf == pytest.approx(limit.log_likelihood, abs=1e-7)
    shown, at = finite(limit, data.names)
    assert [at[name] for name in shown] == pytest.approx(result.params[shown].tolist(), abs=1e-6)
    if model != "bradley-terry":
        assert shown
    left = set(data.left_out_observations.tolist()) | set(data.observations.tolist())
    assert left == set(range(fits[model].n_rows))


def test_weights_and_offsets_go_with_the_rows_that_are_left():
    X = np.column_stack([[1, 2, 3, 4, 5, 6, 2, 4, 3], [0] * 6 + [1] * 3])
    weights, offset = np.arange(9) % 3 + 0.5, np.arange(9) / 10
    asked = {"weights": weights, "offset": offset}
    fit = nk.certify_regression(X, [2, 1, 0, 1, 3, 1, 0, 0, 0], "poisson", **asked)
    data, limit = fit.refit_data(), fit.limit()
    model = sm.GLM(data.y, data.X, family=sm.families.Poisson(), offset=data.offset,
                   freq_weights=data.weights)  # fmt: skip
    assert (fit.infinite, data.names) == ({"x2": "-"}, ("x1", "(intercept)"))
    assert model.fit(tol=1e-12).params == pytest.approx(limit.estimates[[0, 2]], abs=1e-7)
    assert data.weights.tolist() == weights[:6].tolist()


def test_multinomial_and_ordinal_examples_refit(fits):
    data = fits["multinomial"].refit_data()
    labels = pd.Categorical(data.y).codes
    result = quiet(sm.MNLogit(labels, data.frame).fit, disp=0, maxiter=200)
    assert result.llf == pytest.approx(fits["multinomial"].limit().log_likelihood, abs=1e-6)
    data = fits["ordinal"].refit_data()
    order = [label for label in ("none", "mild", "severe") if label in data.y]
    y = pd.Series(pd.Categorical(data.y, categories=order, ordered=True), index=data.frame.index)
    result = quiet(OrderedModel(y, data.frame, distr="logit").fit, method="bfgs", disp=0)
    limit = fits["ordinal"].limit()
    assert result.llf == pytest.approx(limit.log_likelihood, abs=1e-6)
    shown, at = finite(limit, data.names)
    assert shown == ["dose"]
    assert at["dose"] == pytest.approx(result.params.iloc[0], abs=1e-3)


def test_sets_and_strata_are_refitted_as_finer_ones(fits):
    data, limit = fits["conditional"].refit_data(), fits["conditional"].limit()
    model = ConditionalLogit(data.response["case"], data.X, groups=data.response["set"])
    result = model.fit(disp=0)
    shown, at = finite(limit, data.names)
    assert shown == ["bmi"]
    assert result.params == pytest.approx([at["bmi"]], abs=1e-4)
    data, limit = fits["cox"].refit_data(), fits["cox"].limit()
    result = sm.PHReg(
        data.response["time"], data.X, status=data.response["event"], ties="efron",
        strata=data.response["stratum"],
    ).fit()  # fmt: skip
    shown, at = finite(limit, data.names)
    assert shown == ["age"]
    assert result.params == pytest.approx([at["age"]], abs=1e-6)
    assert result.llf == pytest.approx(limit.log_likelihood, abs=1e-8)


def test_a_table_of_factors_refits_with_full_rank():
    fair = sm.datasets.fair.load_pandas().data
    fair["affair"] = (fair["affairs"] > 0).astype(int)
    formula = "affair ~ C(rate_marriage) * C(age) * C(children) + C(religious)"
    fit = nk.certify_regression(formula, data=fair, model="logistic")
    data = fit.refit_data()
    assert fit.status == "infinite"
    result = quiet(sm.Logit(data.y, data.X).fit, disp=0, maxiter=100)
    assert result.mle_retvals["converged"]
    assert np.linalg.matrix_rank(data.X) == data.X.shape[1] == fit.limit().df_model
    assert result.llf == pytest.approx(fit.limit().log_likelihood, abs=1e-6)
    assert f"({len(data.left_out_columns)} in all)" in str(data)
    assert re.search(r"… \(\d+ in all\)", str(fit.drop()))


@pytest.mark.parametrize("model", ["logistic", "multinomial"])
def test_a_time_limit_that_ends_is_said(model, monkeypatch):
    X, y = np.random.default_rng(0).normal(size=(300, 30)), np.arange(300) % 2
    fit = nk.certify_regression(X, y, model, time_limit=60)
    assert fit.status == "finite"
    monkeypatch.setattr(Clock, "left", lambda _: 0.0)
    for ask in (fit.refit_data, fit.limit, lambda: fit.compare(fit)):
        with pytest.raises(InputError, match="in 60 s; give a longer time_limit"):
            ask()


def test_each_exact_question_of_a_limit_keeps_the_time_limit(monkeypatch):
    X = [[0, 1], [1, 1], [2, 0], [3, 1], [3, 0], [2, 1]]
    limit = nk.certify_regression(X, [0, 0, 1, 1, 1, 0], "logistic", time_limit=60).limit()
    monkeypatch.setattr(Clock, "spent", lambda _: 61.0)
    for ask in (lambda: limit.states, lambda: limit.contrast("x1"), limit.summary):
        with pytest.raises(InputError, match="in 60 s; give a longer time_limit"):
            ask()
    monkeypatch.undo()
    assert "not determined" in limit.states or "+inf" in limit.states


def test_nothing_left_to_fit_is_said():
    fit = nk.certify_regression([[0], [1]], [0, 1], "logistic")
    with pytest.raises(InputError, match="nothing is left to fit"):
        fit.refit_data()
    limit = fit.limit()
    assert (limit.log_likelihood, limit.df_model, limit.deviance) == (0, 0, 0)
    assert limit.states == ("+inf", "-inf")


# Fitted models


def test_fitted_models_stand_beside_what_is_true():
    data = pd.DataFrame(
        {"x": [1, 2, 3, 4, 5, 6, 2, 4, 3], "m": [0] * 6 + [1] * 3,
         "y": [0, 1, 0, 1, 0, 1, 1, 1, 1]}
    )  # fmt: skip
    binomial = sm.families.Binomial()
    results = [
        quiet(smf.logit("y ~ x + m", data).fit, disp=0),
        quiet(smf.glm("y ~ x + m", data, family=binomial).fit),
        quiet(smf.logit("y ~ x", data).fit, disp=0),
    ]
    found = nk.from_statsmodels(results)
    assert [model.converged for model in found] == [False, True, True]
    assert [model.verdict.status for model in found] == ["infinite", "infinite", "finite"]
    value, error = found[1].printed["m"]
    assert (value, error) == (results[1].params["m"], results[1].bse["m"])
    text = str(found)
    assert "did not converge" in text
    assert text.count("m (+∞)") == 2
    assert len(nk.from_statsmodels(results[2])) == 1
    with pytest.raises(InputError, match="not a fitted model"):
        nk.from_statsmodels(sm.Logit(data["y"], data[["x"]]))
    with pytest.raises(InputError, match="empty"):
        nk.from_statsmodels([])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda y, X: sm.ZeroInflatedPoisson(y, X), "counts as a Poisson model"),
        (lambda y, X: sm.GLM(y + 1, X, family=sm.families.Gamma(sm.families.links.Log())),
         "estimate is finite"),
        (lambda y, X: sm.MixedLM(y, X, groups=X[:, 1]), "finite unless columns are collinear"),
        (lambda y, X: sm.GEE(y, X, groups=X[:, 1]), "no likelihood"),
    ],
)  # fmt: skip
def test_models_that_are_not_asked_about_name_the_nearest_question(make, words):
    X = np.column_stack([np.ones(8), np.arange(8) % 3])
    with pytest.raises(InputError, match=words):
        nk.certify_regression(make(np.array([0, 1, 2, 0, 3, 1, 0, 2]), X))


def test_a_random_effect_does_not_change_what_is_infinite():
    # ∫ Π P(y | x·β + b) φ(b/σ) db rises along a direction just when Π P(y | x·β) does.
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    groups = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    X = np.column_stack([[1, 2, 3, 4, 5, 6, 2, 4, 3], [0] * 6 + [1] * 3]).astype(float)
    y = np.array([0, 1, 0, 1, 0, 1, 1, 1, 1])

    def mixed(beta):
        total = 0.0
        for g in range(3):
            mine = groups == g
            eta = X[mine] @ beta + 1.5 * nodes[:, None]
            each = np.prod(1 / (1 + np.exp(-(2 * y[mine] - 1) * eta)), axis=1)
            total += np.log(weights @ each / weights.sum())
        return total

    fit = nk.certify_regression(X, y, "logistic", fit_intercept=False)
    assert fit.infinite == {"x2": "+"}
    up = [mixed(np.array([-0.1, far])) for far in (0.0, 5.0, 20.0, 80.0)]
    assert up[0] < up[1] < up[2]
    assert up[2] == pytest.approx(up[3], abs=1e-3)
    assert mixed(np.array([40.0, 5.0])) < mixed(np.array([4.0, 5.0])) < up[1]


# Published values


@needs_shared
def test_endometrial():
    data = pd.read_csv(SHARED / "endometrial.csv")
    limit = nk.certify_regression(data, "HG", "logistic").limit()
    at = dict(zip(limit.coefficients, zip(limit.estimates, limit.standard_errors, strict=True),
                  strict=True))  # fmt: skip
    # R's glm and detectseparation's documentation: estimates and standard errors of the others
    assert at["(intercept)"] == pytest.approx((4.30452, 1.63730), abs=1e-5)
    assert at["PI"] == pytest.approx((-0.04218, 0.04433), abs=1e-5)
    assert at["EH"] == pytest.approx((-2.90261, 0.84555), abs=1e-5)
    assert limit.estimates[0] == math.inf
    assert limit.deviance == pytest.approx(55.393, abs=1e-3)
    assert limit.aic == pytest.approx(63.393, abs=1e-3)
    found = limit.interval("NV")
    assert found.upper == math.inf
    # the profile at the lower end, by a fit of statsmodels with NV held there
    Z = sm.add_constant(data[["PI", "EH"]])
    held = sm.GLM(data["HG"], Z, family=sm.families.Binomial(), offset=found.lower * data["NV"])
    assert 2 * (limit.log_likelihood - held.fit(tol=1e-12).llf) == pytest.approx(3.841459, abs=1e-5)
    without = sm.GLM(data["HG"], Z, family=sm.families.Binomial()).fit(tol=1e-12)
    assert limit.test("NV").statistic == pytest.approx(without.deviance - limit.deviance, abs=1e-7)


@needs_shared
@pytest.mark.parametrize("name", ["01", "02", "03", "05", "06", "07", "08", "example2"])
def test_poisson_sets_have_the_supremum_of_their_core(name):
    data = pd.read_csv(SHARED / "poisson" / f"{name}.csv")
    columns = [c for c in data.columns if c not in ("y", "separated")]
    X = data[columns].astype({c: "category" for c in columns if c.startswith("id")})
    fit = nk.certify_regression(X, data["y"], "poisson")
    limit, left = fit.limit(), fit.refit_data()
    model = sm.GLM(left.y, left.X, family=sm.families.Poisson())
    result = quiet(model.fit, tol=1e-13, maxiter=300)
    assert limit.log_likelihood == pytest.approx(result.llf, rel=1e-8)
    assert limit.df_model == np.linalg.matrix_rank(left.X)
    assert (limit.fitted[fit.separated] == 0).all()


# Printed, and at the command line


def test_the_summary_prints_and_is_a_frame():
    rows = pd.DataFrame({"dose": [1, 2, 3, 4, 5, 6, 2, 4, 3], "mark": [0] * 6 + [1] * 3})
    limit = nk.certify_regression(rows, [0, 1, 0, 1, 0, 1, 1, 1, 1], "logistic").limit()
    frame = limit.summary().frame
    assert list(frame.columns) == ["coef", "std err", "LR", "P>LR", "[0.025", "0.975]", "state"]
    assert frame.loc["mark", "coef"] == math.inf
    assert frame.loc["mark", "[0.025"] == limit.interval("mark").lower
    assert frame.loc["dose", "LR"] == limit.test("dose").statistic
    text = str(limit)
    assert re.search(r"^mark +\+∞ +\d", text, re.MULTILINE)
    assert "<td>+∞</td>" in limit._repr_html_()
    few = limit.summary(["dose"], intervals=False)
    assert list(few.frame.index) == ["dose"]
    assert "P>LR" not in str(few)
    assert json.loads(json.dumps(limit.to_dict()))["coefficients"]["mark"]["upper"] == "+inf"


def test_the_command_prints_the_limit(tmp_path):
    path = tmp_path / "trial.csv"
    path.write_text("dose,mark,sick\n1,0,0\n2,0,1\n3,0,0\n4,0,1\n5,0,0\n6,0,1\n2,1,1\n4,1,1\n")
    asked = ["certify", str(path), "--model", "logit", "--label", "sick", "--limit"]
    text = novikoff(*asked).stdout
    assert re.search(r"^mark +\+∞", text, re.MULTILINE)
    found = json.loads(novikoff(*asked, "--json").stdout)
    assert found["status"] == "infinite"
    assert found["limit"]["coefficients"]["mark"]["state"] == "+inf"
    assert found["limit"]["coefficients"]["dose"]["standard_error"] > 0
