"""svmlight files against scikit-learn's reader, and against what they say."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from fuzz_io import read_by
from novikoff.errors import FileError
from novikoff.io import read

NAME = "rows.svm"


@pytest.fixture(params=["python", "pyarrow"], autouse=True)
def form(request):
    with read_by(request.param):
        yield request.param


def random_text(rng, n_rows, first_index=1):
    lines = []
    for _ in range(n_rows):
        columns = np.sort(rng.choice(50, rng.integers(0, 9), replace=False)) + first_index
        values = rng.normal(size=len(columns)) * 10.0 ** rng.integers(-20, 20, len(columns))
        entries = "".join(f" {c}:{v!r}" for c, v in zip(columns, values.tolist(), strict=True))
        lines.append(f"{rng.integers(-1, 2)}{entries}\n")
    return "".join(lines)


def same_bits(ours, theirs):
    return (
        ours.shape == theirs.shape
        and ours.data.tobytes() == theirs.data.tobytes()
        and np.array_equal(ours.indices, theirs.indices)
        and np.array_equal(ours.indptr, theirs.indptr)
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("first_index", [0, 1])
def test_arrays_are_those_of_scikit_learn_to_the_last_bit(file, seed, first_index):
    path = file(random_text(np.random.default_rng(seed), 40, first_index))
    X, y = read(path)
    expected_X, expected_y = load_svmlight_file(str(path))
    assert same_bits(X, expected_X)
    assert np.array_equal(y, expected_y)


def test_a_file_of_many_chunks_read_by_threads_is_that_of_scikit_learn(file, monkeypatch, form):
    if form == "pyarrow":
        monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 1 << 12)
        path = file(random_text(np.random.default_rng(0), 2000))
        assert same_bits(read(path).X, load_svmlight_file(str(path))[0])


def test_comments_queries_blank_lines_empty_rows_and_all_line_ends(file):
    text = "# head\r\n\n1 qid:7 1:2 3:-4e-1 # 5:6\r  \r\n-1\t2:+.5\t\n+1 #\n0 qid:8 #x\n2.5 1:1"
    data = read(file(text))
    assert data.X.toarray().tolist() == [
        [2, 0, -0.4], [0, 0.5, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0],
    ]  # fmt: skip
    assert data.y.tolist() == [1, -1, 1, 0, 2.5]
    assert data.queries.tolist() == [7, -1, -1, 8, -1]


def test_columns_out_of_order_are_sorted(file):
    data = read(file("1 3:3 1:1 2:2\n-1 2:5\n"))
    assert data.X.indices.tolist() == [0, 1, 2, 1]
    assert data.X.toarray().tolist() == [[1, 2, 3], [0, 5, 0]]


def test_indices_count_from_zero_only_if_one_is_zero_or_the_caller_says_so(file):
    one, zero = file("1 1:1 2:2\n", "one"), file("1 0:1 2:2\n", "zero")
    assert read(one).X.toarray().tolist() == [[1, 2]]
    assert read(zero).X.toarray().tolist() == [[1, 0, 2]]
    assert read(one, zero_based=True).X.toarray().tolist() == [[0, 1, 2]]
    assert read(one, n_columns=4).X.toarray().tolist() == [[1, 2, 0, 0]]


def test_indices_of_rows_that_are_left_out_count(file):
    path = file("1 1:1 2:2\n2 0:5 7:1\n-1 2:4\n")
    assert read(path, classes=[1, -1]).X.toarray().tolist() == [
        [0, 1, 2, *[0] * 5], [0, 0, 4, *[0] * 5],
    ]  # fmt: skip


def test_rows_without_labels_are_read_where_the_caller_says_so(file):
    data = read(file("1:5 2:6\n3:7 # no label\n"), label=False)
    assert data.y is None
    assert data.X.toarray().tolist() == [[5, 6, 0], [0, 0, 7]]


def test_rows_that_lack_a_value_are_dropped_and_counted(file):
    path = file("1 1:1\nnan 1:2\n1 1:3 2:nan\n1 2:4\n")
    data = read(path, missing="drop")
    assert (data.X.toarray().tolist(), data.n_dropped) == ([[1, 0], [0, 4]], 2)
    with pytest.raises(
        FileError, match="line 2: the value is missing \\('nan'\\); a finite number is needed"
    ):
        read(path)


def test_numbers_are_the_decimals_written_where_asked(file):
    path = file("1 1:0.1 3:2e-1 # 2:9\n-1 2:0.5\n")
    table = read(path, numbers="decimal").X
    assert table.numbers == "decimal"
    assert table.exact.tolist() == [
        [Fraction(1, 10), 0, Fraction(1, 5)],
        [0, Fraction(1, 2), 0],
    ]
    whole = read(file("1 3:4\n-1 1:0.25\n", "dyadic.svm"), numbers="decimal").X
    assert whole.exact is None
    assert whole.is_sparse


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1 1:2\n1 1099511627776:1\n", {}, "line 2: the index of '1099511627776:1' is not from"),
        ("1 1:2\n1 1:2 1:3\n", {}, "line 2: this row has an index twice"),
        ("1 2:2 1:3 2:4\n", {}, "line 1: this row has an index twice"),
        ("1 1:2\r\nx 1:2\r\n", {}, "line 2: the value is 'x'"),
        ("1 1:2\r1 1:x\r", {}, "line 2: the value is 'x'"),
        ("1 1:2\n\n1 1\n", {}, "line 3: '1' is not of the form index:value"),
        ("1 1:2\n1 a:1\n", {}, "line 2: 'a:1' is not of the form"),
        ("1 1:2\n1 -1:1\n", {}, "line 2: '-1:1' is not of the form"),
        ("1 1:2\n1 1e1:1\n", {}, "line 2: '1e1:1' is not of the form"),
        ("1 1:\n", {}, "line 1: the value is missing"),
        ("1 1:2 3:1e999\n", {}, "'1e999', beyond 1.8e308"),
        ("1:2 2:3\n", {}, "line 1: '1:2' stands where the row's label should"),
        ("1,2 1:3\n", {}, "'1,2' is several labels"),
        ("1 qid:x 1:3\n", {}, "'qid:x' is not of the form qid:number"),
        ("1 1:inf\n", {}, "the value is 'inf', which is infinite; a finite number"),
        ("1\n-1\n", {}, "no entry at all"),
        ("# nothing\n", {}, "has no rows"),
        ("1 1:2 5:3\n", {"n_columns": 4}, "the index of '5:3' is not from 0 to 4"),
        ("1 0:2 4:3\n", {"n_columns": 4}, "it must be at least 5"),
        ("1 0:2\n", {"zero_based": False}, "the index of '0:2' is not from 1"),
    ],
)  # fmt: skip
def test_a_bad_row_is_named(file, text, options, message):
    with pytest.raises(FileError, match=r"rows\.svm") as error:
        read(file(text), format="svmlight", **options)
    assert message in str(error.value)
