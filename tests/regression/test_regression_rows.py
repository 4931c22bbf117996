"""Rows that count nothing or are left out, and what coefficients and opponents are called."""

from __future__ import annotations

import random
from dataclasses import replace

import pandas
import pytest

import novikoff as nk
from novikoff.errors import InputError
from regression_draws import DRAWS, fit_of

PAIRS = ("conditional", "cox")


def answer(X, **asked):
    """What is said, or the error."""
    try:
        fit = nk.certify_regression(X, **asked)
    except InputError as error:
        return str(error)
    return fit


def some(values, kept):
    return None if values is None else [values[i] for i in kept]


@pytest.mark.parametrize("model", DRAWS)
def test_a_weight_of_zero_is_the_same_as_leaving_the_row_out(model, fresh_seed):
    draw = random.Random(fresh_seed)
    for _ in range(30):
        options, given, _, X, _ = DRAWS[model](draw)
        n = len(next(iter(given.values())))
        weights = [draw.choice([0, 1, 2.5]) for _ in range(n)]
        kept = [i for i in range(n) if weights[i]]
        if not kept:
            continue
        left = {name: some(column, kept) for name, column in given.items()}
        fit = answer(X, model=model, weights=weights, **options, **given)
        other = answer(some(X, kept), model=model, **options, **left)
        case = (X, options, given, weights)
        if isinstance(other, str):
            assert fit == other, case
            continue
        assert fit.coefficients == other.coefficients, case
        assert (fit.status, fit.infinite) == (other.status, other.infinite), case
        assert list(fit.collinear) == list(other.collinear), case
        assert list(fit.separated) == [kept[i] for i in other.separated], case
        pairs = [(kept[i], kept[k] if model in PAIRS else k) for i, k in other.comparisons]
        assert list(fit.comparisons) == pairs, case


@pytest.mark.parametrize("model", DRAWS)
def test_without_what_drop_proposes_the_estimate_is_finite_and_no_less_determined(
    model, fresh_seed
):
    draw = random.Random(fresh_seed)
    seen = set()
    for _ in range(50):
        options, given, _, X, _ = DRAWS[model](draw)
        fit = nk.certify_regression(X, model=model, **options, **given)
        found = fit.drop()
        seen.add(found is None)
        if found is None:
            continue
        n = len(next(iter(given.values())))
        kept = [i for i in range(n) if i not in found.observations]
        names = fit.given.design_names
        columns = [j for j, name in enumerate(names) if name not in found.columns]
        if X is not None and not columns:
            assert len(found.verdict.collinear) < len(found.verdict.coefficients)
            continue
        if options.get("reference") is not None and options["reference"] not in some(
            given["y"], kept
        ):
            options["reference"] = None
        X = None if X is None else [[X[i][j] for j in columns] for i in kept]
        left = {name: some(column, kept) for name, column in given.items()}
        rest = nk.certify_regression(X, model=model, **options, **left)
        assert rest.status == "finite"
        places = rest.given.design_columns(rest.collinear.places)
        before = fit.given.design_columns(fit.collinear.places)
        assert {columns[j] for j in places} <= before
    assert True in seen


def test_a_column_that_no_class_can_tell_any_more_is_left_out_of_a_multinomial_model():
    X = [[1, 0], [2, 0], [1, 0], [2, 0], [3, 1]]
    found = nk.certify_regression(X, ["a", "b", "b", "a", "c"], model="multinomial").drop()
    assert (found.columns, found.observations) == (("x2",), (4,))


def test_leaving_out_every_column_is_not_proposed():
    fit = nk.certify_regression([[0], [1], [1], [1]], model="cox", time=[1, 1, 2, 2],
                                event=[1, 1, 1, 0], ties="exact")  # fmt: skip
    assert fit.status == "infinite"
    assert fit.drop() is None
    assert "nothing would be left to fit" in fit.why_no_drop


def test_the_opponent_of_a_contest_is_a_player():
    fit = nk.certify_regression(
        model="bradley-terry", winner=["ann", "ann", "cy"], loser=["bo", "cy", "bo"]
    )
    assert fit.comparisons == ((0, "bo"), (1, "cy"), (2, "bo"))


def test_a_player_and_a_column_of_one_name_are_two_coefficients():
    fit = nk.certify_regression(
        [[1], [2], [0]], model="bradley-terry", winner=["x1", "x1", "b"], loser=["b", "b", "c"]
    )
    assert fit.coefficients == ("c", "x1", "(x1)")
    assert len(fit.infinite) == 3


def test_frames_whose_columns_are_not_named_by_texts_are_read():
    X, y = [[0.0, 1], [1, 1], [2, 0], [3, 1]], [0, 0, 1, 1]
    plain = nk.certify_regression(X, y, model="logistic")
    for columns in (range(2), pandas.MultiIndex.from_tuples([("a", 1), ("b", 2)])):
        frame = pandas.DataFrame(X, columns=columns)
        found = nk.certify_regression(frame, y, model="logistic")
        assert found.status == plain.status
        assert found.coefficients[:2] == tuple(map(str, columns))
    frame = pandas.DataFrame({0: [1, 2, 3, 4], 1: list("abab")})
    found = nk.certify_regression(frame, y, model="poisson")
    assert found.coefficients == ("0", "1[T.b]", "(intercept)")


@pytest.mark.parametrize("model", DRAWS)
def test_the_sentence_fits_the_model_and_what_can_be_left_out(model):
    draw = random.Random(1)
    seen = set()
    for _ in range(25):
        found, _ = fit_of(draw, model)
        if found.status == "infinite":
            seen.add(found.drop() is None)
            assert ("leave out what is said at 'drop'" in str(found)) == (found.drop() is not None)
            assert ("coxph" in str(found)) == (model in PAIRS)
            assert ("fitted rates numerically 0" in str(found)) == (model == "poisson")
    assert True in seen


def test_every_question_that_follows_a_verdict_keeps_its_time_limit(tmp_path):
    """What the limit ends is said to be so, and nothing is claimed of it."""
    X = [[0.1, 0, 0.2], [0.2, 0, 0.4], [0.3, 0, 0.6], [0.4, 0, 0.8], [0.3, 1, 0.6], [0.2, 1, 0.4]]
    fit = nk.certify_regression(X, [0, 1, 0, 1, 1, 1], model="logistic")
    late = replace(fit, time_limit=1e-9)
    assert late.infinite is None
    assert late.drop() is None
    assert late.why_no_drop == "The time limit ended the search for what to leave out."
    assert late.collinear_if_quick() is None
    with pytest.raises(InputError, match=r"too many to find the collinear ones in 1e-09 s; give a"):
        _ = late.collinear
    assert any("no time was left to look for columns" in note for note in late.notes)
    assert (late.to_dict()["infinite"], late.to_dict()["collinear"]) == (None, None)
    assert "some coefficients are infinite" in str(late)
    late.report(tmp_path / "r.html")
    assert "not decided" in (tmp_path / "r.html").read_text()
    assert late.infinite_signs() == fit.infinite  # it goes on where it stopped
