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


# ------------------------------------------------------------------ which label is positive


@pytest.mark.parametrize(
    ("y", "positive"),
    [
        (["+1", "-1"], "+1"),
        (["-1", "+1"], "+1"),
        (["1", "-1"], "1"),
        (["0", "1"], "1"),
        (["1.0", "-1.0"], "1.0"),
        (["10", "9"], "10"),
        (["1e3", "20"], "1e3"),
        (["yes", "no"], "yes"),
        (["b1", "a2"], "b1"),
        (["1", "one"], "one"),
        ([b"+1", b"-1"], b"+1"),
        ([2, -3], 2),
        ([True, False], True),
    ],
)
def test_numbers_written_as_text_are_compared_as_numbers(y, positive):
    assert read_labels(y, 2).classes[1] == positive
    assert read_labels(np.array(y), 2).classes[1] == positive
    signs = read_labels(y, 2).signs.tolist()
    assert signs == [1 if label == positive else -1 for label in y]


def ordered_labels(labels, order):
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    categorical = pd.Categorical(labels, categories=order, ordered=True)
    return [
        categorical,
        pd.Series(categorical),
        pd.Series(categorical).to_frame(),
        pl.Series(labels, dtype=pl.Enum(order)),
        pa.array(categorical),
        pa.chunked_array([pa.array(categorical), pa.array(categorical[:0])]),
    ]


def test_the_last_category_present_of_an_ordered_categorical_is_positive():
    order = ["never", "low", "high", "absent", "always"]
    for y in ordered_labels(["high", "low", "high"], order):
        labels = read_labels(y, 3)
        assert labels.classes == ("low", "high")
        assert labels.signs.tolist() == [1, -1, 1]
    for y in ordered_labels(["high", "low", "high"], order[::-1]):
        assert read_labels(y, 3).signs.tolist() == [-1, 1, -1]


def test_an_unordered_categorical_is_sorted():
    import pandas as pd

    y = pd.Categorical(["b", "a"], categories=["b", "a"])
    assert read_labels(y, 2).classes == ("a", "b")


def test_the_order_of_labels_holds_for_verdicts_runs_and_classes():
    X = [[0.0], [1.0]]
    assert nk.certify(X, ["-1", "+1"]).labels.classes == ("-1", "+1")
    assert nk.trace(X, ["-1", "+1"]).classes == ("-1", "+1")
    sizes = ordered_labels(["mid", "low", "high"], ["low", "mid", "high"])[1]
    pairs = nk.certify_classes([[0.0], [1.0], [2.0]], sizes, against="each")
    assert list(pairs) == [("low", "mid"), ("low", "high"), ("mid", "high")]


# ------------------------------------------------------------------ DataFrames


def frame_of(**columns):
    import pandas as pd

    return pd.DataFrame(columns, index=list("pqrst")[: len(next(iter(columns.values())))])


def test_two_columns_of_one_name_are_refused_in_our_words():
    import pandas as pd
    import pyarrow as pa

    for names in (["a", "a"], [1, "1"]):
        frame = pd.DataFrame([[1, 2], [3, 4]], columns=names)
        with pytest.raises(nk.InputError, match=f"X has two columns named '{names[1]}'; rename"):
            nk.certify(frame, [0, 1])
    table = pa.table([pa.array([1, 2]), pa.array([3, 4])], names=["a", "a"])
    with pytest.raises(nk.InputError, match="X has two columns named 'a'; rename"):
        nk.certify(table, [0, 1])


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_label_column_is_taken_out_of_its_frame(library):
    import polars as pl
    import pyarrow as pa

    frame = frame_of(a=[1.0, 2, 5, 6], y=["u", "u", "v", "v"])
    given_frame = {
        "pandas": lambda: frame,
        "polars": lambda: pl.DataFrame(frame.to_dict("list")),
        "pyarrow": lambda: pa.table(frame.to_dict("list")),
    }[library]()
    verdict = nk.certify(given_frame, label="y")
    assert verdict.columns == {"a": "+", "(intercept)": "-"}
    assert verdict.certificate.stamp.label == "y"
    assert nk.max_margin(given_frame, label="y").separator.stamp.label == "y"
    assert set(nk.certify_classes(given_frame, label="y")) == {"u", "v"}


def test_a_label_that_is_no_column_or_of_no_frame_is_refused():
    frame = frame_of(a=[1.0, 2], b=[3, 4])
    with pytest.raises(nk.InputError, match="no column 'y'; label must name one of 'a', 'b'"):
        nk.certify(frame, label="y")
    for X in (frame, [[1.0], [2.0]], np.ones((2, 1))):
        with pytest.raises(nk.InputError, match="y is missing"):
            nk.certify(X)
    with pytest.raises(nk.InputError, match="y is missing"):
        nk.certify([[1.0], [2.0]], label="y")


def test_rows_of_a_result_have_their_names_in_the_index():
    frame = frame_of(a=[1.0, 2, 3, 4, 9], y=[0, 1, 0, 1, 1])
    verdict = nk.certify(frame, label="y")
    assert verdict.row_names == list(frame.index[verdict.rows])
    assert verdict.to_dict()["row_names"] == list(verdict.row_names)
    assert f"{', '.join(verdict.row_names)}, the same rows by name" in str(verdict)
    widest = nk.max_margin(frame[["a"]], [0, 0, 0, 1, 1])
    assert widest.support_names == ["r", "s"]
    classes = nk.certify_classes(frame[["a"]], ["a", "b", "a", "c", "b"], against="each")
    for pair in classes:
        assert classes[pair].row_names == list(frame.index[classes.rows(pair)])


def test_rows_without_an_index_are_named_by_their_number():
    frame = frame_of(a=[1.0, 2, 3, 4, 9]).reset_index(drop=True)
    for X in (frame, frame.to_numpy()):
        verdict = nk.certify(X, [0, 1, 0, 1, 1])
        assert verdict.row_names == list(verdict.rows)
        assert "by name" not in str(verdict)
    assert nk.certify(frame[1:], [1, 0, 1, 0]).row_names == [1, 2, 3]


def test_large_integers_beside_floats_are_not_rounded():
    """A frame's columns have types of their own; together they must not become floats."""
    frame = frame_of(a=[2**53, 2**53 + 1], b=[0.5, 0.5])
    assert nk.certify(frame, [0, 1]).status == "separable"
    assert nk.certify(frame.astype(float), [0, 1]).status == "overlapping"


# ------------------------------------------------------------------ design matrices


class Named:
    """What keeps the names in patsy (design_info) and in formulaic (model_spec)."""

    def __init__(self, names):
        self.column_names = names


class DesignMatrix(np.ndarray):
    """As patsy's: an array that knows its names."""

    def __new__(cls, values, names):
        made = np.asarray(values, dtype=float).view(cls)
        made.design_info = Named(names)
        return made


class ModelMatrix:
    """As formulaic's: a proxy of an array, a sparse matrix or a DataFrame."""

    def __init__(self, wrapped, names):
        self.wrapped, self.model_spec = wrapped, Named(names)

    def __getattr__(self, name):
        return getattr(self.wrapped, name)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.wrapped, dtype=dtype)


def test_the_names_of_design_matrices_are_read():
    from scipy.sparse import csc_matrix

    names, rows = ["Intercept", "dose"], [[1, 1], [1, 2], [1, 5], [1, 6]]
    designs = [
        DesignMatrix(rows, names),
        ModelMatrix(np.array(rows), names),
        ModelMatrix(csc_matrix(rows), names),
    ]
    for X in designs:
        y = DesignMatrix([[0], [0], [1], [1]], ["sick"])
        verdict = nk.certify(X, y)
        assert verdict.certificate.stamp.label == "sick"
        assert verdict.columns == {"dose": "+", "(intercept)": "-"}
        assert "column 'Intercept' is constant, the offset already has it" in str(verdict)
        verdict.certificate.verify(X, y)


# ------------------------------------------------------------------ numbers beyond floats

BIG = 10**400


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize(
    "scale", [BIG, Fraction(BIG, 3), 10**5000], ids=["1e400", "a third of it", "1e5000"]
)
def test_a_status_does_not_change_when_all_numbers_are_made_huge(offset, scale):
    random = np.random.default_rng(3)
    for _ in range(25):
        n, d = random.integers(2, 7), random.integers(1, 4)
        X = random.integers(-2, 3, (n, d)).astype(object)
        y = [0, 1, *random.integers(0, 2, n - 2)]
        small, huge = nk.certify(X, y, offset), nk.certify(X * scale, y, offset)
        assert huge.status == small.status
        assert huge.columns == small.columns
        huge.certificate.verify(X * scale, y)


def test_columns_of_very_different_size_are_decided_exactly():
    X = [[BIG, 1], [BIG, 2], [-BIG, 1], [-BIG, 2]]
    assert nk.certify(X, [0, 1, 0, 1]).columns == {"x1": "either", "x2": "+", "(intercept)": "-"}
    assert nk.certify([[BIG], [BIG + 1], [BIG + 2]], [0, 1, 0]).status == "overlapping"
    assert nk.certify([[BIG], [BIG + 1], [BIG + 2]], [0, 0, 1]).status == "separable"


def test_margins_and_radius_are_those_of_the_numbers_as_given():
    X, y = [[BIG, 1], [BIG, 2]], [0, 1]
    widest = nk.max_margin(X, y, geometric=True)
    assert widest.lower == widest.upper == 0.5
    verdict = nk.certify(X, y)
    assert verdict.radius == np.inf
    lower, upper = verdict.margin
    assert 0 < lower <= 0.5 <= upper
    assert verdict.mistake_bound >= Fraction(BIG) ** 2
    far = nk.max_margin([[0], [BIG]], y, geometric=True)
    assert (far.lower, far.upper) == (np.finfo(float).max, np.inf)


def test_a_margin_below_all_floats_is_positive_and_rounded_to_zero_from_below():
    widest = nk.max_margin([[BIG], [BIG + 1], [BIG + 2]], [0, 0, 1])
    assert widest.lower == 0.0 < widest.upper < 1e-200


def test_geometry_and_runs_take_numbers_beyond_floats():
    X, y = [[1], [BIG]], [0, 1]
    run = nk.trace(X, y, max_iter=5)
    assert run.exact_weights_at(1).fractions() == [-1, -1]
    assert run.exact_weights_at(2).fractions() == [BIG - 1, 0]
    assert nk.geometry.zero_one_error(X, y, [1], -5) == 0
    assert nk.geometry.zero_one_error(X, y, [1], -BIG) == 0.5
    assert nk.geometry.radius(X) == np.inf
    assert nk.geometry.row_margins(X, y, [1], -BIG).tolist() == [np.inf, 0.0]
