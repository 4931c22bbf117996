"""One row at a time: the weights of partial_fit to the last bit, exact decisions, honest errors."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff as nk
from novikoff.exact.scores import exact_score

TIES = ["mistake", "positive", "zero"]
# Few values, so that ties are many; some whose sums round, some whose products do not fit.
plain = st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5, 0.1, -0.1, 0.3, -0.3, 1 / 3, 1e16, -1e16, 7.0])
wild = st.sampled_from([0.0, 1.0, -1.0, 0.1, 0.3, 1e-200, -1e-200, 1e200, 5e-324, 1e-170, 3e150])
settled = settings(max_examples=40, deadline=None)


@st.composite
def streams(draw, numbers=plain):
    d = draw(st.integers(1, 5))
    n = draw(st.integers(1, 14))
    labels = draw(st.sampled_from([[0, 1], ["b", "a"], [3, 1, 2], [5], [False, True], "wxyz"]))
    rows = draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from(list(labels)), min_size=n, max_size=n))
    return rows, y, draw(st.sampled_from(TIES)), draw(st.booleans())


def by_partial_fit(rows, y, tie, fit_intercept, weights=None):
    model = nk.Perceptron(tie=tie, fit_intercept=fit_intercept)
    for i, (row, label) in enumerate(zip(rows, y, strict=True)):
        size = None if weights is None else [weights[i]]
        model.partial_fit([row], [label], sample_weight=size)
    return model


def same_weights(model, oracle):
    d = oracle.coef_.shape[1]
    ours = np.zeros((len(model.coef_), d))
    ours[:, [int(str(name).lstrip("x")) for name in model.names_]] = model.coef_
    return (
        model.classes_ == oracle.classes_.tolist()
        and ours.tobytes() == oracle.coef_.tobytes()
        and model.intercept_.tobytes() == oracle.intercept_.tobytes()
        and model.n_mistakes_ == oracle.n_mistakes_
    )


def as_array(row):
    return np.array(row)


def as_dict(row):
    return {f"x{j}": value for j, value in enumerate(row)}


def as_sparse_dict(row):
    return {f"x{j}": value for j, value in reversed(list(enumerate(row))) if value}


def learnt(rows, y, form, **options):
    model = nk.OnlinePerceptron(**options)
    for row, label in zip(rows, y, strict=True):
        model.learn_one(form(row), label)
    return model


@pytest.mark.parametrize("numbers", [plain, wild], ids=["plain", "squares leave the floats"])
@pytest.mark.parametrize("form", [as_array, list, as_dict, as_sparse_dict])
@settled
@given(data=st.data())
def test_weights_are_those_of_partial_fit_row_by_row(form, numbers, data):
    rows, y, tie, fit_intercept = data.draw(streams(numbers))
    model = learnt(rows, y, form, tie=tie, fit_intercept=fit_intercept)
    with np.errstate(over="ignore", invalid="ignore"):
        oracle = by_partial_fit(rows, y, tie, fit_intercept)
    assert same_weights(model, oracle)
    assert model.n_rows_ == len(rows)


@settled
@given(stream=streams(), data=st.data())
def test_row_weights_are_those_of_sample_weight(stream, data):
    rows, y, tie, fit_intercept = stream
    sizes = st.sampled_from([1.0, 0.25, 0.1, 3.0])
    weights = data.draw(st.lists(sizes, min_size=len(rows), max_size=len(rows)))
    model = nk.OnlinePerceptron(tie=tie, fit_intercept=fit_intercept)
    for row, label, weight in zip(rows, y, weights, strict=True):
        model.learn_one(as_dict(row), label, weight)
    assert same_weights(model, by_partial_fit(rows, y, tie, fit_intercept, weights))


def test_a_row_of_weight_zero_moves_nothing_but_is_counted():
    model = nk.OnlinePerceptron()
    model.learn_one({"a": 1.0}, "no")
    before = model.coef_.tobytes()
    model.learn_one({"a": -1.0}, "yes", 0.0)
    assert (-model.coef_ + 0.0).tobytes() == before  # now the line is the larger class's
    assert (model.n_rows_, model.n_mistakes_, model.classes_) == (2, 1, ["no", "yes"])


def exact_prediction(model, row):
    """The rule of predict_one in rational numbers."""
    lines = [
        sum((Fraction(a) * Fraction(b) for a, b in zip(row, w, strict=True)), Fraction(offset))
        for w, offset in zip(model.coef_.tolist(), model.intercept_.tolist(), strict=True)
    ]
    if len(model.classes_) > 2:
        return model.classes_[lines.index(max(lines))], lines
    up = lines[0] > 0 or (lines[0] == 0 and model.tie == "positive")
    return model.classes_[-1 if up else 0], lines


@settled
@given(stream=streams(), last=st.lists(plain, min_size=5, max_size=5))
def test_predictions_and_scores_are_those_of_rational_arithmetic(stream, last):
    rows, y, tie, fit_intercept = stream
    model = nk.OnlinePerceptron(tie=tie, fit_intercept=fit_intercept)
    n_wrong = 0
    for row, label in zip(rows, y, strict=True):
        before = model.predict_one(as_array(row))
        if model.classes_:
            expected, lines = exact_prediction(model, row)
            assert before == expected
            scores = model.score_one(as_array(row))
            scores = list(scores.values()) if isinstance(scores, dict) else [scores]
            assert [np.sign(s) for s in scores] == [np.sign(float(e)) for e in lines]
        assert model.learn_one(as_array(row), label) == before
        n_wrong += before is None or before != label
    row = last[: len(rows[0])]
    assert model.predict_one(row) == exact_prediction(model, row)[0]
    assert model.n_wrong_ == n_wrong
    assert model.accuracy_ == (len(rows) - n_wrong) / len(rows)


@settled
@given(
    pairs=st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False),
                  st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=8
    ),
    twice=st.booleans(),
)  # fmt: skip
def test_an_exact_score_is_the_rational_one_rounded_once(pairs, twice):
    if twice:  # everything cancels but the last term
        pairs = [*pairs, *((-a, b) for a, b in pairs[1:])]
    row, w = np.array(pairs).T
    true = sum(Fraction(a) * Fraction(b) for a, b in pairs)
    found = exact_score(row, w)
    assert (found > 0) - (found < 0) == (true > 0) - (true < 0)
    if abs(true) < Fraction(2) ** 1023:
        assert found == float(true) or (float(true) == 0.0 and abs(found) == 5e-324)


def test_of_equal_exact_scores_the_smallest_class_wins_however_their_sums_are_rounded():
    orders = list(itertools.permutations([0.1, 0.2, 0.3, 0.7]))
    rounded = set()
    for first, second in itertools.product(orders, orders):
        model = nk.OnlinePerceptron(fit_intercept=False)
        for label, row in enumerate([first, second, (-9.0,) * 4]):
            model.learn_one(row, label)
        state = model.__getstate__()
        state["weights"] = np.array([[0.0, *first], [0.0, *second], [0.0] * 5])
        model.__setstate__(state)
        rounded.add(float(np.dot(np.ones(4), first)))
        assert model.predict_one(np.ones(4)) == 0
    assert len(rounded) > 1


def test_predictions_agree_with_the_estimator_on_whole_numbers():
    rng = np.random.default_rng(5)
    X, y = rng.integers(-2, 3, (200, 6)).astype(float), rng.integers(0, 4, 200)
    model, oracle = nk.OnlinePerceptron(), nk.Perceptron()
    for row, label in zip(X, y, strict=True):
        model.learn_one(row, label)
        oracle.partial_fit([row], [label])
        assert [model.predict_one(x) for x in X[:20]] == oracle.predict(X[:20]).tolist()


def test_names_come_as_they_please_and_missing_ones_are_zero():
    model = nk.OnlinePerceptron()
    model.learn_one({"a": 1.0}, "no")
    model.learn_one({("b", 2): 2, 7: 1.5}, "yes")
    model.learn_one({}, "yes")
    assert model.names_ == ["a", ("b", 2), 7]
    assert model.score_one({"a": 3.0, "never seen": 100.0}) == model.score_one({"a": 3.0})
    assert model.names_ == ["a", ("b", 2), 7]


def test_many_lines_and_many_names_grow_together():
    rng = np.random.default_rng(1)
    model, rows, y = nk.OnlinePerceptron(), [], []
    for i in range(120):
        chosen = rng.choice(3 + i, size=4 if i > 3 else 2, replace=False)
        rows.append(dict.fromkeys(chosen.tolist(), 1.0))
        y.append(int(rng.integers(0, 2 + i // 20)))
        model.learn_one(rows[-1], y[-1])
    X = np.zeros((120, 123))
    for i, row in enumerate(rows):
        X[i, list(row)] = 1.0
    assert same_weights(model, by_partial_fit(X, y, "mistake", True))


def small_model(**options):
    model = nk.OnlinePerceptron(**options)
    for x, y in [({"a": 1.5, "b": -1}, "spam"), ({"b": 2.0}, "ham"), ({"ç": 0.1}, "eggs")]:
        model.learn_one(x, y)
    return model


def test_a_saved_model_is_loaded_and_goes_on_bit_for_bit(tmp_path):
    for k, model in enumerate([small_model(), small_model(tie="positive", fit_intercept=False)]):
        model.save(tmp_path / "a")
        again = nk.load(tmp_path / "a")
        assert type(again) is nk.OnlinePerceptron
        assert (again.tie, again.fit_intercept) == (model.tie, model.fit_intercept)
        for one in (model, again):
            one.learn_one({"d": 1.0, "a": -0.1 * k}, "spam")
            one.save(tmp_path / ("b" if one is model else "c"))
        assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()
        assert again.predict_one({"ç": 1}) == model.predict_one({"ç": 1})


@pytest.mark.parametrize(
    "rows", [[[1.0, 2.0]], [{1: 2.0, 2**70: 1.0}], [{(1, "a"): 2.0}], [{}], []]
)
def test_every_kind_of_names_survives_a_file(rows, tmp_path):
    model = nk.OnlinePerceptron()
    for row in rows:
        model.learn_one(row, True)
    model.save(tmp_path / "a")
    again = nk.load(tmp_path / "a")
    assert (again.names_, again.classes_, again.n_rows_) == (
        model.names_, model.classes_, model.n_rows_,
    )  # fmt: skip
    assert again.coef_.tobytes() == model.coef_.tobytes()


def test_copies_are_independent():
    model = small_model()
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        other.learn_one({"a": 9.0}, "ham")
        assert other.n_rows_ == model.n_rows_ + 1
        assert model.coef_.tobytes() == small_model().coef_.tobytes()


@pytest.mark.parametrize(
    ("first", "x", "y", "words"),
    [
        ({"a": 1}, {"a": "red"}, 1, "'a' is 'red'; a number is needed"),
        ({"a": 1}, {"b": None}, 1, "'b' is None"),
        ({"a": 1}, {"a": math.nan}, 1, "'a' is nan; a finite number"),
        ({"a": 1}, {"new": math.inf}, 1, "'new' is inf"),
        ({"a": 1}, {"a": 10**400}, 1, "'a' is beyond 1.8e308"),
        ([1.0, 2.0], [1.0], 1, "has 1 numbers; the rows before it had 2"),
        ([1.0, 2.0], [1.0, "red"], 1, "1 is 'red'"),
        ([1.0, 2.0], np.array([1.0, np.nan]), 1, "1 is nan"),
        ([1.0, 2.0], np.array([[1.0, 2.0]]), 1, "of shape"),
        ([1.0, 2.0], np.array(["1", "2"]), 1, "must be a dict"),
        ([1.0, 2.0], {"a": 1}, 1, "learns from one or the other"),
        ({"a": 1}, [1.0], 1, "learns from one or the other"),
        ({"a": 1}, {"a": 1}, [1], "the label is"),
        ({"a": 1}, {"a": 1}, None, "the label is None"),
        ({"a": 1}, {"a": 1}, 0.5, "whole number"),
        ({"a": 1}, {"a": 1}, math.nan, "the label is nan"),
        ({"a": 1}, {"a": 1}, "word", "cannot be sorted"),
    ],
)
def test_a_bad_row_is_one_sentence_and_changes_nothing(first, x, y, words):
    model = nk.OnlinePerceptron()
    model.learn_one(first, 0)
    model.learn_one(first, 1)
    before = pickle.dumps(model)
    with pytest.raises(nk.InputError, match=words):
        model.learn_one(x, y)
    assert pickle.dumps(model) == before


@np.errstate(over="ignore", invalid="ignore")
def test_weights_that_overflow_are_refused_and_leave_the_model_as_it_was():
    model = nk.OnlinePerceptron(fit_intercept=False)
    model.learn_one([1.7e308, 1.0], 0)
    model.learn_one([1.7e308, -1.0], 1)
    before = model.coef_.tobytes()
    with pytest.raises(nk.InputError, match="grown beyond"):
        model.learn_one([1.7e308, -1.0], 0, weight=1e10)
    assert model.coef_.tobytes() == before


@pytest.mark.parametrize("weight", [-1.0, math.inf, math.nan, "1"])
def test_a_bad_weight_is_refused(weight):
    with pytest.raises(nk.InputError, match="the weight is"):
        nk.OnlinePerceptron().learn_one({"a": 1}, 1, weight)


def test_bad_parameters_are_refused():
    with pytest.raises(nk.InputError, match="tie is 'coin'"):
        nk.OnlinePerceptron(tie="coin")
    with pytest.raises(nk.InputError, match="fit_intercept"):
        nk.OnlinePerceptron(fit_intercept="yes")


def test_learning_a_few_rows_loads_nothing_heavy():
    code = (
        "import sys, novikoff as nk; m = nk.OnlinePerceptron()\n"
        "for y in (0, 1): m.learn_one({'a': 1.0}, y); m.learn_one({'a': 1.0}, y)\n"
        "print([name for name in ('numba', 'sklearn', 'scipy', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
