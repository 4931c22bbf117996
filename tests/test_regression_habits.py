"""What people of R, polars and scikit-learn write: understood, or answered with the cure."""

from __future__ import annotations

from fractions import Fraction

import pandas
import polars
import pytest
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


@pytest.mark.parametrize(
    ("formula", "model", "says"),
    [
        ("Surv(days, y) ~ x", "cox", r"Surv\(\), which R knows; here give time= and event="),
        ("cbind(y, days) ~ x", "binomial", "give trials="),
        ("y ~ factor(g)", "logistic", r"write C\(…\)"),
        ("y ~ as.factor(g)", "logistic", r"write C\(…\)"),
        ("y ~ x + strata(g)", "logistic", "give strata="),
        ("y ~ x + offset(days)", "poisson", "leave it out: it changes nothing"),
        ("y ~ nobody", "poisson", "'y ~ nobody' cannot be evaluated"),
    ],
)
def test_what_only_r_knows_is_answered_with_what_to_write_here(formula, model, says):
    with pytest.raises(InputError, match=says):
        nk.certify_regression(formula, data=FRAME, model=model)


def test_an_infinity_made_by_a_formula_is_one_sentence_without_a_warning():
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


def test_strata_that_are_no_column_are_named():
    with pytest.raises(InputError, match="X has no column 'site' for strata"):
        nk.certify_regression(FRAME, model="cox", time="days", event="y", strata=["g", "site"])
    with pytest.raises(InputError, match="data has no column 'site' for strata"):
        nk.certify_regression("~ x", data=FRAME, model="cox", time="days", event="y",
                              strata=["site"])  # fmt: skip


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
