"""max_margin: against closed forms, libsvm's hard margin and exact rationals."""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import SVC

import novikoff as nk
from novikoff import datasets
from novikoff.errors import InputError
from novikoff.inputs import read_labels, read_table
from novikoff.search.clock import Clock
from novikoff.search.margins import margin_above, margin_below, radius
from novikoff.search.signed_rows import SignedRows
from novikoff.search.widest_exact import ExactWidest


def exact_margin_square(X, y, weights, geometric):
    """(min sign·(w·x + b))²/‖(w, b)‖², or over ‖w‖², in Fractions; the score must be positive."""
    v = [Fraction(value) for value in weights]
    signs = read_labels(y, len(y)).signs.tolist()
    score = min(
        s * (sum((Fraction(a) * c for a, c in zip(x, v[:-1], strict=True)), Fraction(0)) + v[-1])
        for x, s in zip(np.asarray(X).tolist(), signs, strict=True)
    )
    assert score > 0
    return score**2 / sum(c * c for c in (v[:-1] if geometric else v))


def test_rows_of_one_class_alone_bound_no_distance_from_above():
    X = np.array([[0.0, 1.0], [0.0, 2.0], [5.0, 0.0]])
    z = SignedRows(read_table(X), np.array([-1, -1, 1], dtype=np.int8), True)
    for few in ([0], [0, 1], [2]):
        rows = np.array(few)
        assert margin_above(z, rows, np.ones(len(rows)), geometric=True) == np.inf


def test_a_column_far_beyond_the_others_leaves_the_bracket_the_right_way_round():
    X = [
        [9.999999999999999e55, 1e-153, 1.9999999999999998e70],
        [1.9999999999999997e56, -2e-153, 0.0],
        [-9.999999999999999e55, 0.0, 0.0],
        [1.9999999999999997e56, -1e-153, -3e70],
    ]
    widest = nk.max_margin(np.array(X), [0, 0, 0, 1], geometric=True)
    assert widest.lower <= 1.5e70 * (1 + 1e-12)
    assert widest.upper >= 1.4999e70


TWO_POINTS = np.array([[0.0, 0.0], [3.0, 4.0]])


@pytest.mark.parametrize(
    ("X", "y", "options", "square"),
    [
        # The offset is half way: the points are 5 apart.
        (TWO_POINTS, [0, 1], {"geometric": True}, Fraction(25, 4)),
        # The point nearest to 0 between (0,0,-1) and (3,4,1) is (6,8,-25)/29.
        (TWO_POINTS, [0, 1], {}, Fraction(25, 29)),
        (*datasets.truth_table("and"), {}, Fraction(1, 17)),
        (*datasets.truth_table("and"), {"geometric": True}, Fraction(1, 8)),
        (*datasets.truth_table("or"), {"geometric": True}, Fraction(1, 8)),
        (*datasets.tight(2), {"fit_intercept": False}, Fraction(1, 2)),
        (*datasets.tight(12), {"fit_intercept": False}, Fraction(1, 12)),
        (*datasets.tight(12), {"fit_intercept": False, "geometric": True}, Fraction(1, 12)),
    ],
)
def test_the_bracket_holds_a_margin_that_is_known_in_closed_form(X, y, options, square):
    found = nk.max_margin(X, y, **options)
    assert Fraction(found.lower) ** 2 <= square <= Fraction(found.upper) ** 2
    assert found.upper <= found.lower * (1 + 1e-6)
    assert found.within_rtol


@pytest.mark.parametrize("name", ["badmargin:4", "badmargin:20", "badmargin:60"])
def test_badmargin_has_the_margin_of_its_fibonacci_weights(name):
    dataset = datasets.load(name)
    found = nk.max_margin(dataset.X, dataset.y)
    exact = exact_margin_square(dataset.X, dataset.y, dataset.separator, False)
    assert Fraction(found.lower) ** 2 <= exact <= Fraction(found.upper) ** 2
    assert found.upper <= found.lower * (1 + 1e-6)


def test_a_needle_has_the_margin_it_was_made_with():
    for margin in (1e-3, 1e-12):
        dataset = datasets.needle(100, 5, margin)
        found = nk.max_margin(dataset.X, dataset.y, fit_intercept=False)
        assert dataset.margin <= found.upper <= found.lower * (1 + 1e-6)


def separable(seed, n=120, d=4):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    u = random.normal(size=d)
    y = np.where(X @ u > 0.3, "b", "a")
    return X + np.outer(np.where(y == "b", 0.2, -0.2), u / np.linalg.norm(u)), y


@pytest.mark.parametrize("seed", range(4))
def test_the_geometric_margin_is_libsvms_hard_margin(seed):
    X, y = separable(seed)
    svm = SVC(kernel="linear", C=1e10, tol=1e-10).fit(X, y)
    found = nk.max_margin(X, y, geometric=True)
    assert np.isclose(1 / np.linalg.norm(svm.coef_), found.lower, rtol=1e-5)
    assert set(found.support) == set(svm.support_.tolist())
    direction = found.coef / np.linalg.norm(found.coef)
    assert np.allclose(direction, svm.coef_[0] / np.linalg.norm(svm.coef_), atol=1e-4)


@pytest.mark.parametrize("geometric", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_lower_is_what_the_separator_has_in_exact_arithmetic(seed, geometric):
    X, y = separable(seed)
    found = nk.max_margin(X, y, geometric=geometric)
    exact = exact_margin_square(X, y, found.separator.weights, geometric)
    assert Fraction(found.lower) ** 2 <= exact <= Fraction(found.upper) ** 2
    assert Fraction(np.nextafter(found.lower, np.inf)) ** 2 > exact
    found.separator.verify(X, y)
    if not geometric:  # an offset that counts in the norm is one more column of ones
        same = nk.max_margin(np.hstack([X, np.ones((len(X), 1))]), y, fit_intercept=False)
        assert np.isclose(found.lower, same.upper, rtol=1e-6)
        assert found.lower <= same.upper
        assert same.lower <= found.upper


@pytest.mark.parametrize("geometric", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_every_convex_combination_bounds_every_separator(seed, geometric):
    X, y = separable(seed)
    table = read_table(X)
    z = SignedRows(table, read_labels(y, len(y)).signs, True)
    random = np.random.default_rng(seed)
    largest = nk.max_margin(X, y, geometric=geometric).lower
    few = random.permutation(len(X))[:40]
    assert margin_above(z, few, random.uniform(size=40), geometric) >= largest
    assert margin_above(z, z.rows, np.ones(len(X)), geometric) >= largest
    for _ in range(5):
        assert margin_below(z, random.normal(size=5), geometric) <= largest * (1 + 1e-6)


def test_the_float_path_of_the_upper_bound_is_above_the_exact_one(monkeypatch):
    X, y = separable(0)
    z = SignedRows(read_table(X), read_labels(y, len(y)).signs, True)
    weights = np.random.default_rng(0).uniform(size=len(X))
    for geometric in (False, True):
        exact = margin_above(z, z.rows, weights, geometric)
        monkeypatch.setattr("novikoff.search.margins.EXACT_NUMBERS", 0)
        rounded = margin_above(z, z.rows, weights, geometric)
        monkeypatch.undo()
        assert exact <= rounded <= exact * (1 + 1e-10)


def test_the_radius_is_rounded_up_and_no_further():
    X = np.random.default_rng(0).normal(size=(500, 7))
    for table in (read_table(X), read_table(sparse.csr_matrix(X))):
        z = SignedRows(table, np.ones(500, dtype=np.int8), True)
        square = max(sum(Fraction(v) ** 2 for v in x) + 1 for x in X.tolist())
        found = radius(z)
        assert Fraction(np.nextafter(found, 0)) ** 2 < square <= Fraction(found) ** 2
    equal = read_table(np.array([[3.0, 4.0], [4.0, 3.0]] * 500))
    found = radius(SignedRows(equal, np.ones(1000, dtype=np.int8), False))
    assert 5.0 <= found <= 5.0 * (1 + 1e-14)


@pytest.mark.parametrize("geometric", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_exact_arithmetic_reaches_the_float_answer_from_nothing(seed, geometric):
    X, y = separable(seed, n=40, d=3)
    z = SignedRows(read_table(X), read_labels(y, len(y)).signs, True)
    exact = ExactWidest(z, geometric, Clock())
    assert exact.run(np.array([], dtype=int), 200)
    found = nk.max_margin(X, y, geometric=geometric)
    assert np.isclose(float(sum(exact.shares)) ** -0.5, found.lower, rtol=1e-9)
    assert set(exact.support) == set(found.support)


def test_exact_arithmetic_passes_through_dependent_rows():
    """Six collinear rows: their differences are dependent, and only the nearest two count."""
    X = np.array([[0.0, 0], [1, 1], [2, 2], [5, 5], [6, 6], [7, 7]])
    z = SignedRows(read_table(X), np.array([-1, -1, -1, 1, 1, 1], dtype=np.int8), True)
    exact = ExactWidest(z, True, Clock())
    assert exact.run(np.array([], dtype=int), 50)
    assert set(exact.support) == {2, 3}
    assert sum(exact.shares) == Fraction(2, 9)  # 1/γ², γ = half of 3√2


def test_sparse_rows_and_exact_numbers_have_the_same_margin():
    X, y = separable(1)
    X = np.round(X, 2)
    dense = nk.max_margin(X, y, geometric=True)
    from_csr = nk.max_margin(sparse.csr_matrix(X), y, geometric=True)
    decimals = np.array([[Fraction(round(v * 100), 100) for v in x] for x in X.tolist()])
    exact = nk.max_margin(decimals, y, geometric=True)
    for other in (from_csr, exact):
        assert np.isclose(other.lower, dense.lower, rtol=1e-6)
        assert other.within_rtol


def test_wide_sparse_rows_are_bracketed_without_being_densified():
    random = np.random.default_rng(0)
    X = sparse.random_array((60, 5000), density=0.01, format="csr", random_state=random)
    y = random.integers(0, 2, 60)
    for geometric in (False, True):
        found = nk.max_margin(X, y, geometric=geometric)
        dense = nk.max_margin(X.toarray(), y, geometric=geometric)
        assert found.within_rtol
        assert found.lower <= dense.upper
        assert dense.lower <= found.upper


def test_large_tables_need_a_few_rounds_only():
    random = np.random.default_rng(0)
    X = random.normal(size=(40_000, 10))
    u = np.ones(10) / np.sqrt(10)
    y = X @ u > 0
    X += np.outer(np.where(y, 0.1, -0.1), u)
    found = nk.max_margin(X, y, geometric=True)
    assert found.within_rtol
    assert found.lower >= 0.1
    assert len(found.support) == 11


def test_what_is_not_separable_has_no_margin():
    with pytest.raises(InputError, match="not separable"):
        nk.max_margin(*datasets.xor())
    with pytest.raises(InputError, match="no separator was found in 1e-09 s"):
        nk.max_margin(*datasets.badmargin(20), time_limit=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rtol": 0}, "rtol is 0; it must be a positive number"),
        ({"rtol": "small"}, "rtol is 'small'"),
        ({"geometric": 1}, "geometric is 1; it must be True or False"),
        ({"fit_intercept": None}, "fit_intercept is None"),
        ({"time_limit": -1}, "time_limit is -1"),
    ],
)
def test_bad_input_gets_one_sentence(options, message):
    with pytest.raises(InputError, match=message):
        nk.max_margin([[0.0], [1.0]], [0, 1], **options)


def test_the_text_says_which_margin_it_is():
    X, y = datasets.truth_table("and")
    assert str(nk.max_margin(X, y)) == (
        "largest margin between 0.242535625 and 0.2425356251 (rows with their constant 1), "
        "held by 3 rows"
    )
    assert "(distance to the hyperplane)" in str(nk.max_margin(X, y, geometric=True))
    assert "through the origin" in str(nk.max_margin(*datasets.tight(3), fit_intercept=False))


def test_a_notebook_shows_the_bracket_the_support_and_the_weights_by_name():
    import pandas as pd

    frame = pd.DataFrame({"<dose>": [1.0, 2, 5, 6]}, index=["p", "q", "r&", "s"])
    widest = nk.max_margin(frame, [0, 0, 1, 1])
    shown = widest._repr_html_()
    assert "held by 2 rows: q, r&amp;." in shown
    weights = dict(zip(["&lt;dose&gt;", "offset"], [*widest.coef, widest.intercept], strict=True))
    for name, weight in weights.items():
        assert f"<td>{name}</td><td>{weight:.6g}</td>" in shown
    through_origin = nk.max_margin(frame - 3, [0, 0, 1, 1], fit_intercept=False)._repr_html_()
    assert "offset" not in through_origin
    many = nk.max_margin(np.eye(30), [0, 1] * 15)._repr_html_()
    assert "(31 weights in all)" in many


@pytest.mark.parametrize("geometric", [False, True])
@pytest.mark.parametrize("offset", [False, True])
def test_a_verdict_stands_for_its_rows_and_is_not_searched_again(monkeypatch, geometric, offset):
    X, y = datasets.planted(60, 3, 0.2, random_state=1)
    verdict = nk.certify(X, y, fit_intercept=offset, label="kind")
    expected = nk.max_margin(X, y, offset, geometric=geometric)
    monkeypatch.setattr(sys.modules["novikoff.verdicts.max_margin"], "search", None)
    found = nk.max_margin(verdict, geometric=geometric)
    found.separator.verify(X, y)
    assert found.geometric == expected.geometric
    assert found.lower <= expected.upper
    assert expected.lower <= found.upper <= found.lower * (1 + 1e-6)
    assert found.separator.stamp.label == "kind"


def test_an_undecided_verdict_is_searched_for_a_separator():
    verdict = nk.certify(*datasets.planted(2000, 5, 0.01), time_limit=1e-9)
    assert verdict.status == "undecided"
    assert nk.max_margin(verdict).lower > 0


def test_what_a_verdict_says_already_is_refused():
    X, y = datasets.planted(60, 3, 0.2, random_state=1)
    verdict = nk.certify(X, y)
    for options in ({"y": y}, {"positive": 1}, {"label": "y"}):
        with pytest.raises(InputError, match=f"leave {next(iter(options))} out"):
            nk.max_margin(verdict, **options)
    with pytest.raises(InputError, match="fit_intercept is False"):
        nk.max_margin(verdict, fit_intercept=False)
    with pytest.raises(InputError, match="not separable"):
        nk.max_margin(nk.certify(*datasets.xor()))
