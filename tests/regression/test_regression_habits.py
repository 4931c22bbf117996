"""What people of R, polars and scikit-learn write: understood, or answered with the cure."""

from __future__ import annotations

from fractions import Fraction

import pandas
import polars
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

import novikoff as nk
from novikoff.errors import InputError

FRAME = pandas.DataFrame(
    {
        "y": [1, 0, 0, 1, 1, 0],
        "x": [1.0, 2, 3, 4, 5, 6],
        "g": list("aabbcc"),
        "days": [1, 2, 3, 4, 5, 6],
        "my site": list("uuvvuv"),
    }
)


def test_a_dot_is_every_column_that_has_no_other_part():
    dot = nk.certify_regression("y ~ . - days", data=FRAME, model="logistic")
    whole = nk.certify_regression("y ~ x + g + `my site`", data=FRAME, model="logistic")
    assert dot.coefficients == whole.coefficients
    cox = nk.certify_regression("~ .", data=FRAME, model="cox", time="days", event="y",
                                strata=["g", "my site"])  # fmt: skip
    assert cox.coefficients == ("x",)
    numbers = nk.certify_regression("y ~ x + I(x**2.) + I(.5*x)", data=FRAME, model="logistic")
    assert len(numbers.coefficients) == 4
    with pytest.raises(InputError, match="no column is left for it"):
        nk.certify_regression("y ~ .", data=FRAME[["y"]], model="logistic")


def test_a_response_in_backquotes_is_a_column():
    frame = FRAME.rename(columns={"y": "is sick"})
    found = nk.certify_regression("`is sick` ~ .", data=frame, model="logistic")
    assert "is sick" not in found.coefficients
    assert len(found.coefficients) == 6


def test_what_a_formula_cannot_compute_is_one_sentence_without_a_warning():
    with pytest.raises(InputError, match="'y ~ nobody' cannot be evaluated"):
        nk.certify_regression("y ~ nobody", data=FRAME, model="poisson")
    with pytest.raises(InputError, match="infinity"):
        nk.certify_regression("y ~ log(x - 1)", data=FRAME, model="logistic")


@pytest.mark.parametrize("strata", [["g"], ["g", "my site"]])
def test_strata_of_several_columns_are_the_same_in_a_formula_and_in_a_frame(strata):
    asked = {"model": "cox", "time": "days", "event": "y", "strata": strata}
    left = FRAME.drop(columns=[name for name in ("g", "my site") if name not in strata])
    one = nk.certify_regression(left, **asked)
    other = nk.certify_regression("~ x", data=FRAME, **asked)
    assert one.given.response == other.given.response
    assert len(set(one.given.response["stratum"])) == len(strata) + 2
    asked["strata"] = [*strata, "site"]
    for X, where in ((FRAME, "X"), ("~ x", "data")):
        more = {} if where == "X" else {"data": FRAME}
        with pytest.raises(InputError, match=f"{where} has no column 'site' for strata"):
            nk.certify_regression(X, **asked, **more)


def test_strata_are_joined_without_mixing_them_up_or_hiding_what_is_missing():
    frame = FRAME.assign(
        a=["p / q", "p", "p", "r", "r", None], b=["s", "q / s", "q", "s", "s", "s"]
    )
    asked = {"model": "cox", "time": "days", "event": "y", "strata": ["a", "b"]}
    with pytest.raises(InputError, match="values are missing in 1 of 6 rows"):
        nk.certify_regression(frame[["x", "days", "y", "a", "b"]], **asked)
    found = nk.certify_regression(frame[["x", "days", "y", "a", "b"]], **asked, missing="drop")
    strata = found.given.response["stratum"]
    assert strata[3] == strata[4]
    assert len(set(strata)) == 4


@pytest.mark.parametrize("kind", [pandas.Series, lambda values: values])
def test_an_unordered_categorical_keeps_the_order_of_its_levels(kind):
    """As R's factors do, and OrderedModel of statsmodels."""
    levels = ["low", "mid", "high", "never"]
    y = kind(pandas.Categorical(["low", "mid", "high", "low", "mid", "high"], categories=levels))
    X = [[0], [1], [2], [0], [1], [2]]
    found = nk.certify_regression(X, y, model="ordinal")
    assert found.infinite["x1"] == "+"
    assert found.coefficients[:2] == ("low/mid", "mid/high")
    assert any("'low' < 'mid' < 'high'" in note for note in found.notes)
    several = nk.certify_regression(X, y, model="multinomial")
    assert several.coefficients[0] == "mid: x1"
    two = kind(pandas.Categorical(["yes", "no", "no"], categories=["yes", "no"]))
    assert nk.certify_regression([[0], [1], [2]], two, model="logistic").infinite["x1"] == "+"


@pytest.mark.parametrize(
    "ask",
    [
        lambda lazy: nk.certify_regression(lazy, "y", model="logistic"),
        lambda lazy: nk.certify_regression("y ~ x", data=lazy, model="logistic"),
        lambda lazy: nk.certify(lazy, label="y"),
        lambda lazy: nk.certify(lazy, [0, 1, 0, 1, 1, 0]),
        lambda lazy: nk.fewest_mistakes(lazy, [0, 1, 0, 1, 1, 0]),
    ],
)
def test_a_lazy_frame_is_asked_to_be_collected_and_nothing_warns(ask):
    lazy = polars.from_pandas(FRAME[["y", "x"]]).lazy()
    with pytest.raises(InputError, match="LazyFrame, which has no rows yet"):
        ask(lazy)


@pytest.mark.parametrize("given", [{"y": "g"}, {"y": FRAME["g"]}])
def test_logistic_regression_of_a_named_column_counts_its_classes(given):
    X = FRAME[["x", "g"]] if isinstance(given["y"], str) else FRAME[["x"]]
    fit = nk.certify_regression(X, **given, model=LogisticRegression())
    assert fit.given.model.name == "multinomial"
    formula = nk.certify_regression("g ~ x", data=FRAME, model=LogisticRegression())
    assert formula.given.model.name == "multinomial"


def test_a_contest_that_the_winner_lost_is_told_to_be_turned_round():
    asked = {"model": "bradley-terry", "winner": ["a", "b"], "loser": ["b", "c"]}
    with pytest.raises(InputError, match="y is 0 in row 1; the winner did not win: exchange"):
        nk.certify_regression(**asked, y=[1, 0])
    with pytest.raises(InputError, match=r"between 0 and 1, such as 0\.5, for a draw"):
        nk.certify_regression(**asked, y=[1, 2])
    with pytest.raises(InputError, match="loser has 1 row, and winner has 2"):
        nk.certify_regression(model="bradley-terry", winner=["a", "b"], loser=["b"])


@pytest.mark.parametrize(
    "given",
    [
        {"model": "cox", "time": [2**53 + 1, 5, 6], "event": [1, 1, 1], "entry": [2**53, 0, 0]},
        {"model": "binomial", "y": [2**53, 0, 1], "trials": [2**53 + 1, 2, 2]},
        {"model": "poisson", "y": [Fraction(1, 10**400), 0, 1]},
        {"model": "binomial", "y": [1 - Fraction(1, 10**30), 0, 1]},
        {"model": "poisson", "y": [10**400, 0, 1]},
    ],
)
def test_numbers_that_floats_cannot_tell_apart_are_refused_beside_a_sparse_table(given):
    """A proof speaks of the table with its response columns, and beside CSR these are floats."""
    X = csr_matrix([[1.0], [2.0], [0.0]])
    with pytest.raises(InputError, match="differ by less than floats can tell"):
        nk.certify_regression(X, **given)
    dense = nk.certify_regression(X.toarray(), **given)
    dense.certificate.verify_table(dense.given.whole())


# ---------------------------------------------------------------- rows by name and by place


def test_a_series_whose_index_is_another_is_refused_with_what_to_write():
    """As statsmodels refuses it: y would silently belong to other rows."""
    X = FRAME[["x"]].set_axis(list("abcdef"))
    y = pandas.Series(FRAME["y"].to_numpy(), index=X.index)
    fit = nk.certify_regression(X, y, model="logistic")
    turned = y.iloc[::-1]
    with pytest.raises(
        InputError, match=r"row 0 is 'f' in y and 'a' in X; give y\.loc\[X\.index\]"
    ):
        nk.certify_regression(X, turned, model="logistic")
    cured = nk.certify_regression(X, turned.loc[X.index], model="logistic")
    assert (cured.status, list(cured.separated)) == (fit.status, list(fit.separated))
    with pytest.raises(InputError, match=r"give y\.to_numpy\(\), if its rows stand in the order"):
        nk.certify_regression(X, y.reset_index(drop=True), model="logistic")
    assert nk.certify_regression(X, turned.to_numpy(), model="logistic").n_rows == 6


@pytest.mark.parametrize("option", ["event", "weights"])
def test_every_column_is_matched_by_its_index(option):
    X = FRAME[["x"]].set_axis(list("abcdef"))
    columns = {"time": FRAME["days"] + 1, "event": FRAME["y"], "entry": FRAME["y"] * 0,
               "strata": FRAME["y"], "weights": FRAME["y"] + 1}  # fmt: skip
    columns = {key: column.set_axis(X.index) for key, column in columns.items()}
    assert nk.certify_regression(X, model="cox", **columns).n_rows == 6
    columns[option] = columns[option].iloc[[1, 0, 2, 3, 4, 5]]
    with pytest.raises(InputError, match=f"{option} and X name their rows otherwise"):
        nk.certify_regression(X, model="cox", **columns)
    with pytest.raises(InputError, match="name their rows otherwise"):
        nk.certify_regression("~ x", data=X, model="cox", **columns)


@pytest.mark.parametrize("kind", ["formula", "frame", "array"])
def test_rows_that_statsmodels_has_dropped_keep_their_numbers(kind):
    frame = pandas.DataFrame(
        {"y": [0, 1, 0, 1, 1, 0, 1, 1], "x": [1, None, 3, 4, 2, 3, 1, 2.0],
         "red": [0, 0, None, 0, 0, 0, 1, 1]},
        index=list("abcdefgh"),
    )  # fmt: skip
    if kind == "formula":
        model = smf.logit("y ~ x + red", frame)
    else:
        X = sm.add_constant(frame[["x", "red"]])
        y = frame["y"]
        if kind == "array":
            X, y = X.to_numpy(), y.to_numpy()
        model = sm.Logit(y, X, missing="drop")
    fit = nk.certify_regression(model)
    assert list(fit.separated) == [6, 7]
    assert list(fit.rest) == [0, 3, 4, 5]
    assert tuple(fit.separated_names) == ((6, 7) if kind == "array" else ("g", "h"))
    assert "2 of 8 rows are left out by Logit itself" in fit.notes


# ---------------------------------------------------------------- what else is fitted


class CoxPHFitter:
    """As lifelines' class looks before a fit."""

    def __init__(self, penalizer=0.0, strata=None):
        self.penalizer, self.strata = penalizer, strata


@pytest.mark.parametrize(
    ("penalizer", "is_said"), [(0.0, False), (0.1, True), ([0.0, 0.0], False), ([0, 0.5], True)]
)
def test_a_cox_fitter_is_known_by_its_name_and_its_penalty_and_strata_count(penalizer, is_said):
    for strata in (None, ["g"]):
        fit = nk.certify_regression(FRAME[["x", "g", "days", "y"]], time="days", event="y",
                                    model=CoxPHFitter(penalizer, strata))  # fmt: skip
        assert any("CoxPHFitter penalises" in note for note in fit.notes) == is_said
        assert fit.coefficients == (("x",) if strata else ("x", "g[T.b]", "g[T.c]"))
        assert ("stratum" in fit.given.model.response) == bool(strata)


def test_a_penalised_fit_of_statsmodels_is_said():
    model = sm.Logit(FRAME["y"], sm.add_constant(FRAME[["x"]]))
    fitted = model.fit_regularized(alpha=1.0, disp=0)
    assert any("penalises" in note for note in nk.certify_regression(fitted).notes)
    assert not any("penalises" in note for note in nk.certify_regression(model).notes)


def test_a_dispersion_that_is_estimated_is_said():
    y, X = FRAME["days"], sm.add_constant(FRAME[["x"]])
    given = sm.GLM(y, X, family=sm.families.NegativeBinomial(alpha=1.0))
    assert not any("dispersion" in note for note in nk.certify_regression(given).notes)
    for fit in (
        nk.certify_regression(sm.NegativeBinomial(y, X)),
        nk.certify_regression(X, y, model="negative-binomial", fit_intercept=False),
    ):
        assert any("for any given dispersion" in note for note in fit.notes)


# ---------------------------------------------------------------- levels that nobody has


@pytest.mark.parametrize("left_out", [None, "weights", "missing", "trials"])
def test_levels_that_no_row_has_are_the_same_in_frames_and_formulas(left_out):
    color = pandas.Categorical(list("bbrrgg"), categories=["b", "pink", "r", "g"])
    frame = pandas.DataFrame({"x": [1.0, 2, 3, 1, 2, 3], "color": color})
    more = {"y": [0, 1, 1, 0, 1, 1], "model": "binomial"}
    if left_out == "missing":
        frame.loc[4:, "x"] = None
        more["missing"] = "drop"
    elif left_out is not None:
        more[left_out] = [1, 1, 1, 1, 0, 0]
        more["y"] = [0, 1, 1, 0, 0, 0]
    one = nk.certify_regression(frame, **more)
    other = nk.certify_regression("~ x + color", data=frame, **more)
    levels = ["color[T.r]"] + ["color[T.g]"] * (left_out is None)
    assert list(one.coefficients) == ["x", *levels, "(intercept)"]
    assert list(other.coefficients) == ["Intercept", "x", *levels]
    assert (one.status, list(one.separated)) == (other.status, list(other.separated))
    assert not other.collinear


# ---------------------------------------------------------------- what is said of coefficients


def test_what_does_not_vary_within_sets_is_not_called_zero():
    X = pandas.DataFrame({"x": [1, 2, 1, 3], "age": [50, 50, 60, 60], "none": [0] * 4,
                          "both": [52, 54, 62, 66]})  # fmt: skip
    fit = nk.certify_regression(X, [1, 0, 0, 1], model="conditional", groups=[0, 0, 1, 1])
    assert fit.collinear.why("age") == "column 'age' does not vary within sets"
    assert fit.collinear.why("none") == "column 'none' is zero on every row"
    assert fit.collinear.why("both") == "within sets, column 'both' is 2·'x'"
    strata = {"time": [1, 2, 3, 4], "strata": [0, 0, 1, 1]}
    cox = nk.certify_regression(X, model="cox", **strata)
    said = "column 'age' does not vary among those who are at risk together"
    assert cox.collinear.why("age") == said
    assert said in str(cox)


def test_a_constant_beside_thresholds_is_called_one():
    X = pandas.DataFrame({"x": [1, 2, 1, 3], "one": [5] * 4, "twice": [3, 5, 3, 7]})
    fit = nk.certify_regression(X, [0, 1, 2, 1], model="ordinal")
    assert fit.collinear.why("one") == "column 'one' is constant, the thresholds already have it"
    assert fit.collinear.why("twice") == "column 'twice' is 1 + 2·'x'"


def test_players_who_never_met_the_others_are_named():
    won, lost = list("acabee"), list("bdbaff")
    fit = nk.certify_regression(model="bradley-terry", winner=won, loser=lost, reference="b")
    assert fit.collinear.why("d") == "'c', 'd' never met 'a', 'b', 'e', 'f'"
    assert fit.collinear.why("f") == "'e', 'f' never met 'a', 'b', 'c', 'd'"
    assert "'c', 'd' never met 'a', 'b', 'e', 'f'" in str(fit)
    pairs = nk.certify_regression(model="bradley-terry", winner=list("ace"), loser=list("bdf"))
    assert [pairs.collinear.why(name) for name in "df"] == [
        "'c', 'd' never met 'a', 'b', 'e', 'f'",
        "'e', 'f' never met 'a', 'b', 'c', 'd'",
    ]


def test_a_coefficient_that_may_go_both_ways_is_not_called_infinite(tmp_path):
    fit = nk.certify_regression([[0, 1], [1, 0], [3, 5]], [0, 0, 1], model="logistic")
    assert "either" in fit.infinite.values()
    text = " ".join(str(fit).split())
    free = [name for name, sign in fit.infinite.items() if sign == "either"]
    assert "±∞" not in text
    assert f"the coefficients of {', '.join(free)} are not determined and may be anything" in text
    assert f"free {', '.join(free)}: not determined, may be anything" in text
    fit.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert "not determined: may be anything" in page
    assert "±∞" not in page


@pytest.mark.parametrize("ask", [nk.certify, nk.fewest_mistakes, nk.max_margin])
def test_two_classes_are_matched_by_their_index_too(ask):
    X = FRAME[["x"]].set_axis(list("abcdef"))
    y = pandas.Series([0, 0, 0, 1, 1, 1], index=X.index)
    ask(X, y)
    with pytest.raises(InputError, match="y and X name their rows otherwise"):
        ask(X, y.iloc[::-1])
