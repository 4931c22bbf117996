"""X and y as given: what is read is what was written, exactly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff as nk
from novikoff.inputs import read_labels, read_table

floats = st.floats(allow_nan=False, allow_infinity=False)
big = 10**300
numbers = st.one_of(
    floats, st.integers(-big, big), st.fractions(-big, big), st.decimals(-(10**9), 10**9)
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(floats, min_size=2, max_size=2), min_size=1, max_size=4))
def test_floats_are_read_as_exact_integers_over_one_scale(rows):
    whole, scale = read_table(np.array(rows)).integers(range(len(rows)))
    assert [[Fraction(v, scale) for v in row] for row in whole] == [
        [Fraction(v) for v in row] for row in rows
    ]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=1, max_size=4))
def test_mixed_numbers_are_read_as_exact_integers_over_one_scale(rows):
    table = read_table(np.array(rows, dtype=object))
    whole, scale = table.integers(range(len(rows)))
    assert [[Fraction(v, scale) for v in row] for row in whole] == [
        [Fraction(v) for v in row] for row in rows
    ]


def test_fractions_of_numpy_integers_do_not_overflow():
    value = Fraction(np.int64(2**61), np.int64(3))
    X = np.array([[value, Fraction(1, 7)]], dtype=object)
    whole, scale = read_table(X).integers([0])
    assert Fraction(whole[0, 0], scale) == Fraction(2**61, 3)


def test_floats_that_a_grid_holds_are_known_to_sum_without_rounding():
    assert read_table(np.array([[0.5, -3.0], [0.25, 8.0]])).float_grid == (8.0, 0.25)
    assert read_table(np.array([[0.1, 1.0]])).float_grid is None
    assert read_table(np.zeros((2, 2))).float_grid == (0.0, 1.0)


def test_the_numbers_of_a_table_say_what_a_proof_would_speak_of():
    assert read_table([[1, 2]]).numbers == "binary64"
    assert read_table(np.array([[Decimal("0.1")]])).numbers == "decimal"
    assert read_table(np.array([[Fraction(1, 3), Decimal(1)]])).numbers == "rational"
    assert read_table(np.array([[2**53 + 1]])).numbers == "rational"


def test_float32_stays_float32_and_c_ordered_input_is_not_copied():
    X = np.ones((3, 2), dtype=np.float32)
    assert read_table(X).matrix is X
    X = np.ones((3, 2))
    assert read_table(X).matrix is X


def test_labels_become_signs_by_sort_order_or_by_choice():
    assert read_labels(["b", "a", "b"], 3).signs.tolist() == [1, -1, 1]
    assert read_labels(["b", "a", "b"], 3, positive="a").signs.tolist() == [-1, 1, -1]
    assert read_labels(np.array([[2], [5]]), 2).classes == (2, 5)


def test_sparse_integers_that_float64_would_round_are_refused():
    from scipy.sparse import csr_array

    with pytest.raises(nk.InputError, match="beyond 2\\^53"):
        read_table(csr_array(np.array([[2**53 + 1]])))
