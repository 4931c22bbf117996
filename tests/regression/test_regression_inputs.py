"""What people have at hand: frames with text, missing values, formulas, others' models."""

from __future__ import annotations

import pickle
import sys
import warnings

import numpy as np
import pandas
import polars
import pytest
import statsmodels.api as sm
from sklearn.linear_model import LinearRegression, LogisticRegression

import novikoff as nk
from novikoff.errors import InputError

# Nobody with color 'red' has y = 0, so the coefficient of red is +∞ and nothing else is.
FRAME = pandas.DataFrame(
    {
        "x": [1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 1.0, 2.0],
        "color": ["blue", "blue", "blue", "blue", "green", "green", "red", "red"],
        "y": [0, 1, 0, 1, 1, 0, 1, 1],
    },
    index=list("abcdefgh"),
)
GREEN = FRAME.assign(color=["blue", "blue", "green", "green", "green", "blue", "red", "red"])


def same(fit):
    """The one answer, in whatever form it was asked for."""
    assert fit.status == "infinite"
    assert list(fit.separated) == [6, 7]
    assert list(fit.infinite.values()) == ["+"]
    found = fit.drop()
    assert list(found.observations) == [6, 7]
    assert found.verdict.status == "finite"
    return next(iter(fit.infinite))


def test_a_frame_with_text_names_its_levels_as_formulas_do():
    X = GREEN[["x", "color"]]
    fit = nk.certify_regression(X, GREEN["y"], model="logistic")
    assert same(fit) == "color[T.red]"
    assert fit.coefficients == ("x", "color[T.green]", "color[T.red]", "(intercept)")
    assert fit.separated_names == ["g", "h"]
    assert any("the reference is 'blue'" in note for note in fit.notes)
    assert same(nk.certify_regression(GREEN, "y", model="logit")) == "color[T.red]"


def test_polars_and_categoricals_are_frames_too():
    other = polars.from_pandas(GREEN)
    assert same(nk.certify_regression(other, "y", model="probit")) == "color[T.red]"
    order = pandas.Categorical(GREEN["color"], categories=["green", "blue", "pink", "red"])
    fit = nk.certify_regression(GREEN.assign(color=order), "y", model="logistic")
    assert same(fit) == "color[T.red]"
    assert "color[T.green]" not in fit.coefficients
    codes = GREEN.assign(
        color=GREEN["color"].map({"blue": 5, "green": 7, "red": 9}).astype("category")
    )
    assert same(nk.certify_regression(codes, "y", model="logistic")) == "color[T.9]"


def test_without_a_constant_the_first_text_has_all_its_levels():
    fit = nk.certify_regression(GREEN, "y", model="logistic", fit_intercept=False)
    assert fit.coefficients == ("x", "color[blue]", "color[green]", "color[red]")
    assert same(fit) == "color[red]"


def test_missing_values_are_an_error_that_names_them_or_left_out():
    holes = GREEN.copy()
    holes.loc["a", "x"] = np.nan
    holes.loc["c", "color"] = None
    with pytest.raises(InputError, match=r"missing in 2 of 8 rows .*'x', 'color'; fill them"):
        nk.certify_regression(holes, "y", model="logistic")
    fit = nk.certify_regression(holes, "y", model="logistic", missing="drop")
    assert set(fit.separated) | set(fit.rest) == {1, 3, 4, 5, 6, 7}
    assert "2 of 8 rows lack a value and are left out" in fit.notes
    assert fit.names_of((6,)) == ["g"]
    formula = nk.certify_regression("y ~ x + color", data=holes, model="logistic", missing="drop")
    assert list(formula.separated) == list(fit.separated)
    with pytest.raises(InputError, match="'color', 'x'"):
        nk.certify_regression("y ~ x + color", data=holes, model="logistic")
    array = np.array([[1.0], [np.nan], [2.0]])
    with pytest.raises(InputError, match="in 'X'"):
        nk.certify_regression(array, [0, 1, 2], model="poisson")
    kept = nk.certify_regression(array, [0, 1, 2], model="poisson", missing="drop")
    assert [*kept.separated, *kept.rest] == [0, 2]


def test_a_formula_has_its_own_constant_and_its_own_names():
    fit = nk.certify_regression("y ~ x + C(color)", data=GREEN, model="logistic")
    assert same(fit) == "C(color)[T.red]"
    assert fit.coefficients[0] == "Intercept"
    assert "(intercept)" not in fit.coefficients
    assert fit.separated_names == ["g", "h"]
    bare = nk.certify_regression("y ~ 0 + x + C(color)", data=GREEN, model="logistic")
    assert same(bare) == "C(color)[T.red]" or same(bare) == "C(color)[red]"
    squared = nk.certify_regression("y ~ x + I(x**2) + color", data=GREEN, model="logistic")
    assert "I(x ** 2)" in squared.coefficients


def test_a_formula_of_a_model_without_a_constant_loses_it_and_keeps_the_reference():
    data = GREEN.assign(days=[3, 4, 5, 6, 7, 8, 9, 10])
    fit = nk.certify_regression("x + color", data=data, model="cox", time="days", event="y")
    assert fit.coefficients == ("x", "color[T.green]", "color[T.red]")
    same_way = nk.certify_regression(
        data[["x", "color", "days", "y"]], model="cox", time="days", event="y"
    )
    assert (fit.status, list(fit.separated)) == (same_way.status, list(same_way.separated))


def test_without_formulaic_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "formulaic", None)
    with pytest.raises(InputError, match=r"novikoff\[formula\]"):
        nk.certify_regression("y ~ x", data=GREEN, model="logistic")


def test_a_constant_column_is_found_and_said():
    X = GREEN[["x"]].assign(one=1.0)
    twice = nk.certify_regression(X, GREEN["y"], model="logistic")
    assert list(twice.collinear) == ["one"]
    assert "column 'one' is constant, the offset already has it" in str(twice)
    own = nk.certify_regression(X, GREEN["y"], model="logistic", fit_intercept=False)
    assert not own.collinear


# ---------------------------------------------------------------- models of statsmodels


def design():
    dummies = pandas.get_dummies(GREEN[["x", "color"]], drop_first=True, dtype=float)
    return sm.add_constant(dummies)


@pytest.mark.parametrize(
    "make",
    [
        lambda y, X: sm.Logit(y, X),
        lambda y, X: sm.Probit(y, X),
        lambda y, X: sm.GLM(y, X, family=sm.families.Binomial()),
        lambda y, X: sm.GLM(y, X, family=sm.families.Binomial(sm.families.links.CLogLog())),
        lambda y, X: sm.GLM(np.c_[y, 1 - y], X, family=sm.families.Binomial()),
    ],
)
def test_a_binary_model_of_statsmodels_says_everything_itself(make):
    fit = nk.certify_regression(make(GREEN["y"], design()))
    assert same(fit) == "color_red"
    assert fit.coefficients == ("const", "x", "color_green", "color_red")
    assert fit.names_of(fit.separated) in (["g", "h"], [6, 7])


@pytest.mark.parametrize(
    "make",
    [
        lambda y, X: sm.Poisson(y, X),
        lambda y, X: sm.NegativeBinomial(y, X),
        lambda y, X: sm.GLM(y, X, family=sm.families.Poisson()),
        lambda y, X: sm.GLM(y, X, family=sm.families.NegativeBinomial(alpha=1.0)),
    ],
)
def test_counts_of_statsmodels(make):
    counts = GREEN.assign(y=[1, 0, 2, 0, 3, 1, 0, 0])
    fit = nk.certify_regression(make(counts["y"], design()))
    assert fit.infinite == {"color_red": "-"}
    assert list(fit.separated) == [6, 7]


def test_families_links_and_models_that_are_not_ours_are_refused_by_name():
    X, y = design(), GREEN["y"]
    with pytest.raises(InputError, match="family Gaussian with link Identity"):
        nk.certify_regression(sm.GLM(y, X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        odd = sm.GLM(y, X, family=sm.families.Poisson(sm.families.links.Sqrt()))
    with pytest.raises(InputError, match="family Poisson with link Sqrt"):
        nk.certify_regression(odd)
    with pytest.raises(InputError, match="a OLS of statsmodels is not"):
        nk.certify_regression(sm.OLS(y, X))
    with pytest.raises(InputError, match="leave y=, model= out"):
        nk.certify_regression(sm.Logit(y, X), y, model="logistic")


def test_weights_of_zero_delete_rows_of_a_glm():
    X, y = design()[["const", "x"]], GREEN["y"]
    weights = [1, 1, 0, 1, 1, 0, 1, 1]
    model = sm.GLM(y, X, family=sm.families.Binomial(), freq_weights=np.array(weights))
    fit = nk.certify_regression(model)
    assert set(fit.separated) | set(fit.rest) == {0, 1, 3, 4, 6, 7}


# ---------------------------------------------------------------- scikit-learn and lifelines


def test_a_logistic_regression_of_scikit_learn_is_asked_what_it_would_fit():
    X, y = design().to_numpy()[:, 1:], GREEN["y"].to_numpy()
    fit = nk.certify_regression(X, y, model=LogisticRegression())
    assert list(fit.separated) == [6, 7]
    assert any("penalises" in note for note in fit.notes)
    bare = nk.certify_regression(X, y, model=LogisticRegression(C=np.inf, fit_intercept=False))
    assert not any("penalises" in note for note in bare.notes)
    assert "(intercept)" not in bare.coefficients
    three = nk.certify_regression(X, y + (GREEN["color"] == "red"), model=LogisticRegression())
    assert three.given.model.name == "multinomial"
    with pytest.raises(InputError, match="model is a LinearRegression"):
        nk.certify_regression(X, y, model=LinearRegression())


# ---------------------------------------------------------------- what a verdict can show


def test_a_verdict_prints_and_reports_whatever_its_status(tmp_path):
    X = [[1], [2], [3], [4]]
    fits = {
        "infinite": nk.certify_regression(X, [0, 0, 1, 1], model="logistic"),
        "finite": nk.certify_regression(X, [0, 1, 0, 1], model="logistic"),
        "undecided": nk.certify_regression(X, [0, 0, 1, 1], model="logistic", time_limit=1e-9),
    }
    for status, fit in fits.items():
        assert fit.status == status
        assert status in str(fit) or "no finite" in str(fit)
        assert fit._repr_html_().startswith("<p>")
        fit.report(tmp_path / "page.html", source="<data>")
        page = (tmp_path / "page.html").read_text()
        assert status in page
        assert "<data>" not in page
    again = pickle.loads(pickle.dumps(fits["infinite"]))
    assert again.infinite == fits["infinite"].infinite == {"x1": "+", "(intercept)": "-"}


def test_printing_large_data_asks_nothing_that_takes_long(monkeypatch):
    monkeypatch.setattr("novikoff.regression.verdict.MOST_NUMBERS_UNASKED", 1)
    fit = nk.certify_regression([[1], [2], [3], [4]], [0, 0, 1, 1], model="logistic")
    assert "`infinite` finds out which" in str(fit)
    assert fit.to_dict()["infinite"] is fit.to_dict()["collinear"] is None
    assert fit.infinite == {"x1": "+", "(intercept)": "-"}
    assert fit.to_dict()["infinite"] == {"x1": "+", "(intercept)": "-"}
    assert "x1 (+∞)" in str(fit)


def test_coefficients_whose_signs_take_long_are_infinite_until_they_are_asked_for(monkeypatch):
    monkeypatch.setattr("novikoff.search.infinite.MOST_UNASKED", 0)
    fit = nk.certify_regression([[1], [2], [3], [4]], [0, 0, 1, 1], model="logistic")
    assert fit.infinite == {"x1": "infinite", "(intercept)": "infinite"}
    assert fit.infinite_signs(10) == {"x1": "+", "(intercept)": "-"}
    assert fit.infinite == {"x1": "+", "(intercept)": "-"}
