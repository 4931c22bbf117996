"""Geometry against exact rationals, and the lectures' figures."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff import datasets, geometry
from novikoff.errors import InputError

MANY = settings(max_examples=300)

# Numbers that cancel, tie, overflow when squared, and vanish when squared.
AWKWARD = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from([0.1, 0.2, 0.3, -0.1, -0.3, 0.6]),
    st.sampled_from([1e200, -1e200, 1e-200, -3e-200, 1e300, 1e-300, 5e-324, 2.0**60, -(2.0**60)]),
    st.floats(-1e6, 1e6),
)


@st.composite
def rows_and_plane(draw):
    n, d = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    number = draw(st.sampled_from([AWKWARD, st.integers(-1, 1).map(float)]))  # the latter: ties
    X = draw(st.lists(st.lists(number, min_size=d, max_size=d), min_size=n, max_size=n))
    w = draw(st.lists(number, min_size=d, max_size=d))
    return np.array(X), np.array(w), draw(number)


def exact_scores(X, w, b):
    return [
        sum((Fraction(a) * Fraction(c) for a, c in zip(row, w, strict=True)), Fraction(b))
        for row in X.tolist()
    ]


def sign_of(number):
    return (number > 0) - (number < 0)


def is_close(value, square, sign, d):
    """Is the float `value` sign·√square, to the accuracy promised or the limits of float64?"""
    relative = (d + 4) * 2.0**-33
    low, high = Fraction(1 - relative) ** 2 * square, Fraction(1 + relative) ** 2 * square
    if math.isinf(value):
        return sign_of(value) == sign and high > Fraction(np.finfo(float).max) ** 2
    smallest = Fraction(2.0**-1073)
    magnitude = Fraction(abs(value))
    if value != 0 and sign_of(value) != sign:
        return False
    above = max(magnitude - smallest, Fraction(0)) ** 2
    return above <= high and (magnitude + smallest) ** 2 >= low


@MANY
@given(rows_and_plane())
def test_sides_are_exact(case):
    X, w, b = case
    expected = [sign_of(score) for score in exact_scores(X, w, b)]
    assert geometry.side(X, w, b).tolist() == expected
    assert geometry.side(scipy.sparse.csr_array(X), w, b).tolist() == expected
    assert geometry.side(X[0], w, b) == expected[0]


@MANY
@given(rows_and_plane())
def test_distances_and_margins_are_those_of_exact_arithmetic(case):
    X, w, b = case
    d = len(w)
    if not w.any():
        return
    scores = exact_scores(X, w, b)
    across = sum(Fraction(value) ** 2 for value in w.tolist())
    y = np.where(np.arange(len(X)) % 2 == 0, 1, -1)
    distances = geometry.signed_distance(X, w, b)
    for distance, score in zip(distances.tolist(), scores, strict=True):
        assert is_close(distance, score**2 / across, sign_of(score), d)
    if len(X) == 1:
        return
    for with_one in (False, True):
        square = across + Fraction(b) ** 2 * with_one
        margins = geometry.row_margins(X, y, w, b, with_one=with_one).tolist()
        for margin, score, sign in zip(margins, scores, y.tolist(), strict=True):
            assert is_close(margin, score**2 / square, sign * sign_of(score), d)
        assert geometry.set_margin(X, y, w, b, with_one=with_one) == min(margins)
    plain = geometry.row_margins(X, y, w, b, normalised=False).tolist()
    for margin, score, sign in zip(plain, scores, y.tolist(), strict=True):
        assert is_close(margin, score**2, sign * sign_of(score), d)


@MANY
@given(rows_and_plane(), st.sampled_from(["mistake", "positive", "zero"]))
def test_zero_one_error_counts_ties_by_the_rule(case, tie):
    X, w, b = case
    y = [1] * len(X) + [-1]
    X = np.vstack([X, X[:1]])
    expected = 0
    for score, sign in zip(exact_scores(X, w, b), y, strict=True):
        predicted = 1 if tie == "positive" and score == 0 else sign_of(score)
        expected += predicted != sign
    assert geometry.zero_one_error(X, y, w, b, tie=tie, share=False) == expected
    assert geometry.zero_one_error(X, y, w, b, tie=tie) == expected / len(X)


def test_ties_are_those_of_the_numbers_as_given():
    X, y = datasets.decimal_trap()
    assert geometry.side(X, [3, -1]).tolist() == [0, 0, 0]
    assert geometry.side(X, [Fraction(3, 7), Decimal("-1") / 7]).tolist() != [0, 0, 0]
    assert geometry.side(X, [Fraction(3, 7), Fraction(-1, 7)]).tolist() == [0, 0, 0]
    floats, _ = datasets.decimal_trap("binary64")
    assert geometry.side(floats, [3, -1]).tolist() == [
        sign_of(3 * Fraction(a) - Fraction(c)) for a, c in floats.tolist()
    ]
    assert geometry.zero_one_error(X, y, [3, -1], share=False) == 3


def test_integers_beyond_float64_are_not_rounded():
    assert geometry.side([[2**70, -(2**70)]], [1, 1], 0).tolist() == [0]
    assert geometry.side([[2**70 + 1, -(2**70)]], [1, 1], 0).tolist() == [1]
    assert geometry.signed_distance([2**70 + 1, -(2**70)], [2**60, 2**60], 0) == 1 / math.sqrt(2)


def test_fractions_below_every_float_are_not_rounded():
    tiny = Fraction(1, 2**1074)
    x = [Fraction(51, 100) * tiny, Fraction(49, 100) * tiny, Fraction(49, 100) * tiny]
    assert geometry.side(np.array(x, dtype=object), [1, -1, -1]) == -1
    assert geometry.side([1, 1, 1], x) == 1
    assert geometry.side([1, -1, -1], x) == -1
    distance = geometry.signed_distance(
        [3, -1, -1], [Fraction(3, 5) * tiny, 0, Fraction(4, 5) * tiny]
    )
    assert distance == pytest.approx(1, rel=1e-15)


def test_the_lectures_half_plane():
    """2·x1 + 3·x2 + 6 > 0."""
    assert geometry.side([[0, 0], [-3, 0], [0, -2], [-3, -2]], [2, 3], 6).tolist() == [1, 0, 0, -1]
    assert geometry.axis_crossings([2, 3], 6).tolist() == [-3, -2]
    assert np.array_equal(geometry.axis_crossings([0, 4], -2), [np.nan, 0.5], equal_nan=True)
    assert geometry.signed_distance([0, 0], [2, 3], 6) == 6 / math.sqrt(13)
    assert geometry.unit_normal([2, 3]).tolist() == [2 / math.sqrt(13), 3 / math.sqrt(13)]


def test_the_lectures_line():
    """x + y + 1 = 0."""
    assert geometry.signed_distance([0, 0], [1, 1], 1) == 1 / math.sqrt(2)
    ends = geometry.boundary_segment([1, 1], 1, (-2, 2), (-2, 2))
    assert ends.tolist() == [[-2, 1], [1, -2]]


def test_the_margins_of_lecture_000_under_its_last_weights():
    X, y = datasets.lecture("000")
    margins = geometry.row_margins(X, y, [3, 1]) * math.sqrt(10)
    assert margins == pytest.approx([1, 3, 4, 3, 5, 2], rel=1e-15)
    assert geometry.set_margin(X, y, [3, 1]) == 1 / math.sqrt(10)
    assert geometry.set_margin(X, y, [-3, -1]) == -5 / math.sqrt(10)
    assert geometry.radius(X) == math.sqrt(5)
    assert geometry.zero_one_error(X, y, [3, 1]) == 0
    assert geometry.zero_one_error(X, y, [-3, -1]) == 1


@pytest.mark.parametrize("name", ["needle:20,5,1e-12", "tight:4"])
def test_the_set_margin_is_the_one_that_was_planted(name):
    dataset = datasets.load(name)
    v = dataset.separator
    assert geometry.set_margin(*dataset, v[:-1], v[-1]) == dataset.margin


@pytest.mark.parametrize("name", ["or", "badmargin:60", "counterexample_origin", "lecture:002"])
def test_with_one_is_the_margin_of_the_mistake_bound(name):
    dataset = datasets.load(name)
    v = dataset.separator
    X1 = np.column_stack([dataset.X, np.ones(len(dataset.X))])
    expected = geometry.set_margin(X1, dataset.y, v)
    found = geometry.set_margin(*dataset, v[:-1], v[-1], with_one=True)
    assert found == pytest.approx(expected, rel=1e-15)
    assert found == pytest.approx(dataset.margin, rel=1e-15)
    assert found <= geometry.set_margin(*dataset, v[:-1], v[-1])
    assert geometry.radius(dataset.X, fit_intercept=True) == pytest.approx(
        geometry.radius(X1), rel=1e-15
    )


# Vectors

VECTORS = st.integers(1, 5).flatmap(
    lambda d: st.tuples(
        st.lists(st.integers(-50, 50), min_size=d, max_size=d),
        st.lists(st.integers(-50, 50), min_size=d, max_size=d).filter(any),
    )
)


@MANY
@given(VECTORS)
def test_the_projection_is_the_exact_one(vectors):
    u, v = vectors
    factor = Fraction(sum(a * c for a, c in zip(u, v, strict=True)), sum(value**2 for value in v))
    expected = [float(factor * value) for value in v]
    size = math.sqrt(sum(value**2 for value in u))
    assert geometry.projection(u, v) == pytest.approx(expected, rel=0, abs=4e-15 * size)


@MANY
@given(VECTORS, st.integers(-900, 900), st.integers(-900, 900))
def test_projections_and_lengths_do_not_care_for_powers_of_two(vectors, p, q):
    u, v = (np.array(vector, dtype=float) for vector in vectors)
    big, small = np.ldexp(u, p), np.ldexp(v, q)
    assert (geometry.projection(big, small) == np.ldexp(geometry.projection(u, v), p)).all()
    assert geometry.length(big) == math.ldexp(geometry.length(u), p)
    assert (geometry.unit_normal(small) == geometry.unit_normal(v)).all()


@MANY
@given(st.lists(st.lists(AWKWARD, min_size=3, max_size=3), min_size=1, max_size=6))
def test_the_radius_is_the_largest_hypot(rows):
    square, found = max(sum(Fraction(v) ** 2 for v in row) for row in rows), geometry.radius(rows)
    assert math.isinf(found) or Fraction(found) ** 2 >= square
    if square:  # rounded up, by no more than to the next float
        assert Fraction(math.nextafter(found, 0.0)) ** 2 < square
    assert geometry.radius(scipy.sparse.csr_array(rows)) == found
    with_one = max(math.hypot(*row, 1.0) for row in rows)
    assert geometry.radius(rows, fit_intercept=True) == pytest.approx(with_one, rel=1e-15)


@MANY
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=2).filter(any), st.integers(-30, 30))
def test_a_line_crosses_a_rectangle_exactly_when_it_parts_or_meets_its_corners(w, b):
    box = (-2.0, 3.0), (-1.0, 4.0)
    corners = geometry.side([[x, y] for x in box[0] for y in box[1]], w, b)
    segment = geometry.boundary_segment(w, b, *box)
    if abs(corners.sum()) == 4:
        assert segment is None
        return
    for x, y in segment:
        assert abs(w[0] * x + w[1] * y + b) <= 1e-13
        assert box[0][0] <= x <= box[0][1]
        assert box[1][0] <= y <= box[1][1]
        assert (
            min(abs(x - box[0][0]), abs(x - box[0][1]), abs(y - box[1][0]), abs(y - box[1][1]))
            <= 1e-14
        )


def test_tables_of_every_kind_give_one_answer():
    import pandas

    X, y = datasets.planted(2000, 7, 0.01, offset=0.2)
    X = np.where(np.abs(X) < 0.2, 0.0, X).astype(np.float32)
    w, b = np.arange(1.0, 8.0), 0.5
    expected = geometry.row_margins(X, y, w, b)
    frame = pandas.DataFrame(X, columns=list("abcdefg"))
    words = np.where(y > 0, "yes", "no")
    for table, labels in [
        (X.astype(np.float64), y),
        (frame, pandas.Series(words)),
        (np.asfortranarray(X), words),
    ]:
        assert (geometry.row_margins(table, labels, w, b) == expected).all()
    sparse = geometry.row_margins(scipy.sparse.csr_matrix(X), y, w, b)
    assert sparse == pytest.approx(expected, rel=1e-12)
    assert (geometry.row_margins(X, words, w, b, positive="no") == -expected).all()
    assert geometry.radius(frame) == geometry.radius(X)


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: geometry.projection([1, 2], [0, 0]), "v is the zero vector"),
        (lambda: geometry.projection([1, 2], [1]), "u has 2 entries and v has 1"),
        (lambda: geometry.projection(["a"], [1]), "u is ['a']; it must be a list of numbers"),
        (lambda: geometry.projection([1, math.nan], [1, 2]), "u contains NaN or infinity"),
        (lambda: geometry.length([]), "v has shape (0,)"),
        (lambda: geometry.unit_normal([0.0]), "w is the zero vector"),
        (lambda: geometry.signed_distance([1, 2], [0, 0], 1), "w is the zero vector"),
        (
            lambda: geometry.signed_distance([1, 2], [1, 2, 3]),
            "as there are columns, 2, and the offset apart as b",
        ),
        (lambda: geometry.signed_distance([1, 2], [[1], [2, 3]]), "it must be a list of numbers"),
        (lambda: geometry.signed_distance([1, 2], [1, math.inf]), "(w, b) contains infinity"),
        (lambda: geometry.signed_distance([1, 2], [1, "a"]), "every value must be a number"),
        (lambda: geometry.signed_distance([1, 2], [1, 2], [1, 2]), "the offset is one number"),
        (lambda: geometry.signed_distance([1, math.nan], [1, 2]), "x contains NaN"),
        (lambda: geometry.row_margins([[1], [2]], [0], [1]), "X and y do not match"),
        (lambda: geometry.row_margins([[1], [2]], [0, 0], [1]), "y has 1 class (0); 2 are needed"),
        (lambda: geometry.row_margins([[1], [2]], [0, 1], [1], positive=7), "positive is 7"),
        (lambda: geometry.zero_one_error([[1], [2]], [0, 1], [1], tie="none"), "tie is 'none'"),
        (lambda: geometry.axis_crossings([0, 0], 1), "w is the zero vector"),
        (lambda: geometry.boundary_segment([0, 0], 1, (0, 1), (0, 1)), "w is the zero vector"),
        (lambda: geometry.boundary_segment([1, 1], 1, (1, 0), (0, 1)), "with low < high"),
        (lambda: geometry.boundary_segment([1], 1, (0, 1), (0, 1)), "as there are columns, 2,"),
    ],
)
def test_bad_input_gets_one_clear_sentence(call, part):
    with pytest.raises(InputError) as raised:
        call()
    assert part in str(raised.value)
    assert str(raised.value).endswith(".")
