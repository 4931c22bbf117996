"""Every model against its definition, on small integer data, and the edges of each."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas
import pytest

import novikoff as nk
from novikoff.errors import InputError, KeywordError
from regression_draws import DRAWS, draw_cox, numbers
from regression_oracle import rows_of, truth

ROUNDS = 120


@pytest.mark.parametrize("seed", [1, None])
@pytest.mark.parametrize("model", DRAWS)
def test_every_answer_is_that_of_all_comparisons_written_out(model, seed, fresh_seed):
    draw = random.Random(fresh_seed if seed is None else seed)
    seen, signs = set(), set()
    for _ in range(ROUNDS if seed else ROUNDS // 3):
        options, given, known, X, constant = DRAWS[model](draw)
        about = dict(given)
        if "winner" in about:
            about["result"] = about.pop("y")
        rows = rows_of(model, X or [], constant=constant, **about, **known)
        n = len(next(iter(given.values())))
        width = len(rows[0][1])
        block = len(X[0]) + 1 if X else 0
        firsts = list(range(block - 1, width, block)) if constant else []  # constants
        order = [*firsts, *(j for j in range(width) if j not in firsts)]
        status, separated, strict, infinite, collinear = truth(rows, n, order)
        fit = nk.certify_regression(X, model=model, **options, **given)
        case = (X, options, given)
        assert fit.status == status, case
        assert list(fit.separated) == separated, case
        assert sorted([*fit.separated, *fit.rest]) == [
            i for i in range(n) if not ("trials" in given and given["trials"][i] == 0)
        ]
        assert list(fit.collinear) == [fit.coefficients[j] for j in sorted(collinear)], case
        named = {fit.coefficients[j]: sign for j, sign in infinite.items()}
        assert dict(fit.infinite) == named, case
        if model not in ("cox", "bradley-terry"):
            assert len(fit.settled) == sum(strict), case
        fit.certificate.verify_table(fit.given.whole())
        found = fit.drop()
        if found is not None:
            assert found.verdict.status == "finite"
        seen.add(fit.status)
        signs |= set(named.values())
    assert seed is None or (seen, signs) == ({"finite", "infinite"}, {"+", "-", "either"})


def test_the_constant_of_every_class_comes_before_columns_that_are_constant():
    X, y = [[3, 1], [3, 2], [3, 0], [3, 1]], ["a", "b", "c", "b"]
    for model in ("logistic", "multinomial"):
        given = [label == "b" for label in y] if model == "logistic" else y
        fit = nk.certify_regression(X, given, model=model)
        assert [name.split(": ")[-1] for name in dict.fromkeys(fit.collinear)][:1] == ["x1"]
    assert list(fit.collinear) == ["b: x1", "c: x1"]
    assert fit.collinear["c: x1"] == {"c: (intercept)": 3}


@pytest.mark.parametrize("ties", ["efron", "exact"])
def test_the_strict_pairs_of_a_cox_model_imply_all_and_no_others(ties, fresh_seed):
    """A pair of all n² is strict just when a chain of those kept leads there with a strict one."""
    draw = random.Random(fresh_seed)
    for _ in range(60):
        _, given, _, X, _ = draw_cox(draw)
        rows = rows_of("cox", X, ties=ties, **given)
        fit = nk.certify_regression(X, model="cox", ties=ties, **given)
        strict = truth(rows, len(X))[2]
        assert fit.comparison_rows.table.n_rows <= len(rows)
        direction = [Fraction(w) for w in fit.certificate.weights[:-1]]
        for is_strict, (_, row, _) in zip(strict, rows, strict=True):
            score = sum(w * v for w, v in zip(direction, row, strict=True))
            assert (score > 0) == is_strict
            assert score >= 0


def test_cox_without_entries_makes_as_many_comparisons_as_subjects():
    n = 3000
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, (n, 2))
    fit = nk.certify_regression(X, model="cox", time=rng.permutation(n), event=rng.random(n) < 0.6)
    assert fit.status == "finite"
    assert fit.comparison_rows.table.n_rows < n


def test_an_empty_middle_class_is_no_infinite_threshold():
    """0 and 3 in one class, 1 and 2 in another, with none between: without care a false alarm."""
    y = pandas.Categorical(["a", "c", "c", "a"], categories=["a", "b", "c"], ordered=True)
    fit = nk.certify_regression([[0], [1], [2], [3]], y, model="ordinal")
    assert fit.status == "finite"
    assert fit.coefficients == ("a/b = b/c", "x1")
    assert any("nobody has the class 'b'" in note for note in fit.notes)


@pytest.mark.parametrize("seed", [1, None])
def test_empty_ordinal_classes_give_the_answer_of_the_guarded_rows(seed, fresh_seed):
    draw = random.Random(fresh_seed if seed is None else seed)
    seen = set()
    for _ in range(80):
        n, n_classes = draw.randint(1, 5), draw.randint(2, 4)
        X = numbers(draw, n, 1)
        y = [draw.randrange(n_classes) for _ in range(n)]
        order = pandas.Categorical.from_codes(y, list("abcd")[:n_classes], ordered=True)
        fit = nk.certify_regression(X, order, model="ordinal")
        status, separated, *_ = truth(rows_of("ordinal", X, y=y, n_classes=n_classes), n)
        assert (fit.status, list(fit.separated)) == (status, separated), (X, y, n_classes)
        seen.add((fit.status, len(set(y)) < n_classes))
    assert seen == {(s, e) for s in ("finite", "infinite") for e in (True, False)}


@pytest.mark.parametrize("one", [0, 1])
def test_one_class_only_signs_the_constant_and_nothing_else(one):
    X = [[1, 2], [-3, 5], [2, -2], [0, -1]]  # 0 is inside, so no column can stand for the constant
    fit = nk.certify_regression(X, [one] * 4, model="logistic")
    assert fit.status == "infinite"
    sign = "+" if one else "-"
    assert fit.infinite == {"x1": "either", "x2": "either", "(intercept)": sign}
    assert list(fit.separated) == [0, 1, 2, 3]
    assert fit.drop() is None
    assert "Only leaving out every observation" in fit.why_no_drop


TWO = [[1], [2]]
FRAME = pandas.DataFrame({"x": [1.0, 2.0], "color": ["red", "blue"], "y": [0, 1]})


@pytest.mark.parametrize(
    ("X", "model", "given", "says"),
    [
        (TWO, "cox", {"time": [1, 2], "event": [0, 0]}, "no event"),
        (TWO, "cox", {"time": [1, 1], "event": [0, 1], "entry": [0, 0], "strata": [0, 1]},
         "nothing to compare"),
        (TWO, "cox", {"time": [1, 2], "entry": [1, 0]}, "not before its time"),
        (TWO, "cox", {"event": [1, 1]}, "needs time="),
        (TWO, "cox", {"time": [1, 2], "ties": "average"}, "ties is 'average'"),
        ([[1], [2], [0]], "cox", {"time": [1, 2, 3], "event": [0, 1, 2]},
         "0 for censoring and 1 for an event"),
        (TWO, "conditional", {"y": [1, 1], "groups": [0, 0]}, "nothing to compare"),
        (TWO, "poisson", {"y": [1, 0], "weights": [0, 0]}, "nothing to compare"),
        (TWO, "poisson", {"y": [1, -1]}, "y is -1 in row 1; a count cannot be negative"),
        (TWO, "poisson", {"y": [1, 2], "weights": [1, -2]}, "weight cannot be negative"),
        (TWO, "poisson", {"y": [1, 2], "offset": [0, np.inf]}, "offset is inf in row 1"),
        (TWO, "binomial", {"y": [0, 0], "trials": [0, 0]}, "nothing to compare"),
        (TWO, "binomial", {"y": [1, 3], "trials": [2, 2]}, "more than its trials"),
        (TWO, "binomial", {"y": [0.5, 3]}, "give trials="),
        (TWO, "log-binomial", {"y": [0, 2]}, "a share is at most 1"),
        (TWO, "multinomial", {"y": ["a", "a"]}, "nothing to compare"),
        (TWO, "multinomial", {"y": [1, 2], "reference": 3}, "reference is 3"),
        (TWO, "logistic", {"y": [0.5, 1]}, "model='binomial'"),
        (TWO, "logistic", {"y": ["yes", "yes"]}, "give 0s and 1s"),
        (TWO, "logistic", {"y": 5}, "y is of type int; it must be a column"),
        (TWO, "logistic", {"y": {0, 1}}, "y is of type set; it must be a column"),
        (TWO, "logistic", {"y": [0, 1], "weights": 2.0}, "weights is of type float"),
        (TWO, "logistic", {"y": [0, 1, 1]}, "y has 3 rows, and X has 2"),
        ([[[1], [2]]], "logistic", {"y": [0]}, "X has 3 dimensions"),
        (np.zeros((0, 2)), "logistic", {"y": []}, "there are no rows"),
        (7, "logistic", {"y": [1]}, "X is of type int"),
        (None, "logistic", {"y": [0, 1]}, "X is missing: a logistic model needs columns"),
        (None, "cox", {"time": [1, 2]}, "X is missing: a cox model needs columns"),
        (None, "bradley-terry", {"winner": 3, "loser": 4}, "winner is of type int"),
        (TWO, "bradley-terry", {"winner": "ab", "loser": ["b", "b"]}, "name of a column"),
        (TWO, "bradley-terry", {"winner": ["a", "b"], "loser": ["b", "b"]}, "both 'b'"),
        (TWO, "gamma", {"y": [1, 2]}, "model is 'gamma'"),
        (TWO, None, {"y": [1, 2]}, "model is missing"),
        ("y ~ x", "logistic", {}, "needs data="),
        ("y ~ x", "logistic", {"data": 3}, "must be a DataFrame"),
        ("y ~ x +", "logistic", {"data": FRAME}, "cannot be read"),
        ("y ~ nowhere", "logistic", {"data": FRAME}, "cannot be evaluated"),
        ("y ~ x", "logistic", {"data": FRAME, "y": [1] * 2}, "give one of them"),
        ("y ~ x", "logistic", {"data": FRAME, "fit_intercept": True}, "whether it has a constant"),
        (FRAME, "logistic", {"y": "z"}, "X has no column 'z' for y"),
        (FRAME, "logistic", {"y": "y", "data": FRAME}, "data= goes with a formula"),
        (pandas.DataFrame({"c": ["a", 1]}), "logistic", {"y": [0, 1]}, "mixes values of types int"),
        (pandas.DataFrame({"c": ["a", "a"]}), "logistic", {"y": [0, 1]}, "each text has one level"),
        (pandas.DataFrame({"t": pandas.date_range("2020", periods=2)}), "logistic", {"y": [0, 1]},
         "must hold numbers"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_said(X, model, given, says):
    with pytest.raises(InputError, match=says) as error:
        nk.certify_regression(X, model=model, **given)
    assert "multinomial" not in str(error.value) or model in ("multinomial", "logistic", "gamma")


@pytest.mark.parametrize(
    ("model", "option"),
    [("poisson", "trials"), ("poisson", "groups"), ("cox", "y"), ("ordinal", "fit_intercept"),
     ("logistic", "time"), ("conditional", "reference"), ("bradley-terry", "strata"),
     ("poisson", "positive"), ("logistic", "order"), ("ppml", "trials"), ("probit", "trials"),
     ("negative-binomial", "trials")],
)  # fmt: skip
def test_an_option_of_another_model_is_an_error(model, option):
    value = True if option == "fit_intercept" else [1, 2]
    with pytest.raises(KeywordError, match=f"{option}= does not belong to an? {model} model"):
        nk.certify_regression(TWO, model=model, **{option: value})


@pytest.mark.parametrize("more", [{"weights": [2, 0.5, 1, 7]}, {"offset": [5, -3, 0, 1]}])
def test_positive_weights_and_offsets_do_not_matter(more):
    fit = nk.certify_regression([[0], [1], [2], [3]], [0, 1, 0, 1], model="logistic", **more)
    assert (fit.status, list(fit.separated)) == ("finite", [])


@pytest.mark.parametrize("model", ["logistic", "poisson", "multinomial", "cox", "conditional"])
def test_dense_sparse_decimal_and_wide_numbers_have_one_answer(model, fresh_seed):
    from scipy.sparse import csr_matrix

    draw = random.Random(fresh_seed)
    for _ in range(15):
        options, given, _, X, _ = DRAWS[model](draw)
        plain = nk.certify_regression(X, model=model, **options, **given)
        exact = [[Decimal(v) / 10 for v in x] for x in X]
        wide = [[Fraction(v, 3) * (10**30 if j else 1) for j, v in enumerate(x)] for x in X]
        for other in (csr_matrix(np.array(X, dtype=float)), exact, wide):
            fit = nk.certify_regression(other, model=model, **options, **given)
            assert fit.status == plain.status
            assert list(fit.separated) == list(plain.separated)
            assert dict(fit.infinite) == dict(plain.infinite)
            fit.certificate.verify_table(fit.given.whole())


def test_differences_beyond_the_floats_are_exact_too():
    """1.7e308 - (-1.7e308) is no float; neither is 1 - 2^-60."""
    huge = [[1.7e308, 1.0], [-1.7e308, 2.0**-60], [0.0, 0.0]]
    small = [[1, 1], [-1, 0], [0, 0]]
    given = {"model": "cox", "time": [1, 2, 3], "event": [1, 1, 0]}
    fits = [nk.certify_regression(X, **given) for X in (huge, small)]
    assert [fit.status for fit in fits] == ["infinite"] * 2
    assert list(fits[0].separated) == [0, 1]
    matched = nk.certify_regression(
        [[1.7e308], [-1.7e308]], [1, 0], model="conditional", groups=[0, 0]
    )
    assert matched.infinite == {"x1": "+"}


def test_nothing_is_decided_without_time():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 20)), rng.integers(0, 2, 300)
    fit = nk.certify_regression(X, y, model="logistic", time_limit=1e-9)
    assert fit.status == "undecided"
    assert fit.certificate is fit.infinite is fit.separated is fit.rest is fit.comparisons is None
    assert "undecided" in str(fit)
    assert fit.to_dict()["status"] == "undecided"
