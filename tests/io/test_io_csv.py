"""CSV files against Python's csv module, pandas, and what they say."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import subprocess
import sys

import numpy as np
import pytest

from fuzz_io import a_csv, read_by
from novikoff.errors import FileError
from novikoff.io import read, scan
from novikoff.io.opening import find_delimiter


@pytest.fixture(params=["python", "pyarrow"], autouse=True)
def form(request):
    """Both readers: Python's csv module for small files, pyarrow for large ones."""
    with read_by(request.param):
        yield request.param


def test_numbers_are_pythons_floats_and_rows_those_of_its_csv_module(file):
    rng = random.Random(0)
    rows = [
        [f"{rng.gauss(0, 1):.{rng.randrange(25)}{rng.choice('ef')}}" for _ in range(5)]
        + [rng.choice(["yes", "no", 'say "hi"', "a,b", "two\nlines"])]
        for _ in range(300)
    ]
    out = io.StringIO()
    csv.writer(out).writerows([["a", "b", "c", "d", "e", "y"], *rows])
    data = read(file(out.getvalue()))
    expected = np.array([[float(field) for field in row[:5]] for row in rows])
    assert data.X.tobytes() == expected.tobytes()
    assert data.y.tolist() == [row[5] for row in rows]
    assert (data.names, data.label) == (("a", "b", "c", "d", "e"), "y")


def test_small_chunks_and_threads_change_nothing(file, monkeypatch):
    rng = random.Random(1)
    words = ['"a ""b"" c"', '"two\r\nlines"', "plain", '"x,y"']
    lines = [
        f"{rng.choice(words)},{rng.gauss(0, 1)}, {rng.choice(words)},{i % 2}" for i in range(400)
    ]
    path = file("word,x,other,y\n" + "\n".join(lines) + "\n")
    whole = read(path)
    levels = ['a "b" c', "plain", "two\r\nlines", "x,y"]
    assert whole.encoding == {"word": levels, "other": levels}
    assert whole.n_rows == 400
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 128)
    parts = read(path)
    assert np.array_equal(whole.X, parts.X)
    assert whole.names == parts.names
    assert np.array_equal(whole.y, parts.y)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("last", ["", "end"])
def test_every_line_end_and_delimiter(file, end, mark, last):
    text = end.join(["a,b,y", "1, 2.5 ,x", '"3",-4e0,"z"', ""]).replace(",", mark)
    path = file("\ufeff" + (text if last else text.removesuffix(end)))
    data = read(path)
    assert data.X.tolist() == [[1, 2.5], [3, -4]]
    assert data.y.tolist() == ["x", "z"]


def test_line_ends_may_be_mixed_and_blank_lines_hold_no_row(file):
    data = read(file("a,b,y\r\n\n1,2,x\r3,4,z\n   \n\t\n5,6,x"))
    assert data.X.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_the_label_is_the_last_column_or_the_one_named_or_numbered(file):
    path = file("a,b,c\n1,2,3\n4,5,6\n")
    assert read(path).y.tolist() == [3, 6]
    assert read(path, "a").X.tolist() == [[2, 3], [5, 6]]
    assert read(path, 2).y.tolist() == [2, 5]
    assert read(path, "2").y.tolist() == [2, 5]
    bare = read(path, False)
    assert (bare.X.tolist(), bare.y, bare.label) == ([[1, 2, 3], [4, 5, 6]], None, None)


def test_a_header_is_text_above_numbers(file):
    assert read(file("a,b,y\n1,2,x\n")).names == ("a", "b")
    assert read(file("1,2,y\n3,4,x\n")).n_rows == 2
    assert read(file("red,1.5,no\nblue,2,yes\n")).n_rows == 2
    assert read(file("1,2,3\n4,5,6\n"), "3").n_rows == 2  # column 3, not one called '3'
    assert read(file("1,2,3\n4,5,6\n"), "3", header=True).label == "3"
    assert read(file("1,,x\n2,3,z\n"), missing="drop").n_dropped == 1
    assert read(file("color,size,y\nred,big,1\nblue,small,0\n")).n_rows == 2
    with pytest.raises(FileError, match="say header=True or header=False"):
        read(file("color,size,y\nred,big,p\nblue,small,q\n"))
    both = file("color,size,y\nred,big,p\nblue,small,q\n")
    assert read(both, header=True).n_rows == 2
    assert read(both, header=False, categorical=[1, 2]).n_rows == 3


def test_a_test_file_is_encoded_like_its_training_file(file):
    train = read(file("n,color,y\n1,red,0\n2,blue,1\n"))
    kept = json.loads(json.dumps(train.encoding))
    test = file("n,color,y\n5,blue,0\n6,green,1\n", "test.csv")
    with pytest.raises(FileError, match="line 3, column 'color': the level 'green' is not in"):
        read(test, encoding=kept)
    data = read(test, encoding=kept, unseen="zeros")
    assert data.X.tolist() == [[5, 1, 0], [6, 0, 0]]
    assert data.names == train.names
    with pytest.raises(FileError, match="has no column 'color'"):
        read(file("n,y\n1,0\n", "bare.csv"), encoding=kept)
    with pytest.raises(FileError, match="'n' holds text and is not in the encoding"):
        read(file("n,color,y\nx,red,0\n", "more.csv"), encoding=kept, header=True)


def test_many_levels_make_x_sparse_with_the_same_values(file):
    lines = [f"{i},level{i % 150},{i % 2}" for i in range(300)]
    data = read(file("n,word,y\n" + "\n".join(lines)), categorical="word", keep="n")
    expected = np.zeros((300, 151))
    levels = sorted({f"level{k}" for k in range(150)})
    for i in range(300):
        expected[i, 0] = i
        expected[i, 1 + levels.index(f"level{i % 150}")] = 1
    assert data.X.has_canonical_format
    assert np.array_equal(data.X.toarray(), expected)
    test = file("n,word,y\n7,level3,0\n8,unheard,1\n", "test.csv")
    X = read(test, encoding=data.encoding, unseen="zeros").X
    assert X.toarray().sum(axis=1).tolist() == [8, 8]
    assert X[0, 1 + levels.index("level3")] == 1


def test_numbers_are_levels_and_columns_are_left_out_where_asked(file):
    path = file("zip,junk,x,y\n10,?,1,0\n20,abc,2,1\n")
    data = read(path, categorical="zip", drop=["junk"])
    assert data.names == ("zip=10", "zip=20", "x")
    assert data.X.tolist() == [[1, 0, 1], [0, 1, 2]]


def test_rows_that_lack_a_value_are_dropped_and_counted(file):
    path = file("a,c,y\n1,u,0\n,u,0\nNA,v,1\n2,,1\n3,v,\n4,?,0\n5,v,nan\n6,u,1\n")
    data = read(path, missing="drop")
    assert (data.X[:, 0].tolist(), data.n_dropped) == ([1, 6], 6)
    with pytest.raises(FileError, match="has no rows left: 2 lack a value"):
        read(file("a,y\n,0\n1,\n"), missing="drop")


def test_files_of_a_pattern_follow_each_other_in_sorted_order(file, tmp_path):
    file("a,y\n3,1\n", "part-2.csv")
    file("a,y\n1,0\n2,1\n", "part-1.csv")
    data = read(tmp_path / "part-*.csv")
    assert data.X.ravel().tolist() == [1, 2, 3]
    assert data.source == "2 files"
    file("a,y\n4,0\nfive,1\n", "part-3.csv")
    with pytest.raises(FileError, match=r"part-3\.csv, line 3, column 'a': the value is 'five'"):
        read(tmp_path / "part-*.csv")
    file("b,y\n3,1\n", "part-3.csv")
    with pytest.raises(FileError, match=r"part-3\.csv does not have the columns of .*part-1\.csv"):
        read(tmp_path / "part-*.csv")
    file("1 1:2\n", "part-0.svm")
    with pytest.raises(FileError, match="files that are read together need one format"):
        read(tmp_path / "part-*")
    with pytest.raises(FileError, match="no file matches"):
        read(tmp_path / "none-*.csv")


def test_files_that_zstd_compressed_are_read_and_damaged_ones_named(file):
    import pyarrow

    text = b"a,y\n" + b"".join(b"%d,%d\n" % (i, i % 2) for i in range(2000))
    out = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(out, "zstd") as stream:
        stream.write(text)
    packed = out.getvalue().to_pybytes()
    assert np.array_equal(read(file(packed, "t.csv.zst")).X.ravel(), np.arange(2000))
    with pytest.raises(FileError, match=r"t\.csv\.zst cannot be read: Truncated"):
        read(file(packed[: len(packed) // 2], "t.csv.zst"))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "is empty"),
        ("\n \n", {}, "is empty"),
        ("a,b,y\n", {}, "a header and no rows"),
        ("5\n6\n", {}, "1 column"),
        ("a,b,y\n1,2,0\n1,2\n", {}, "line 3: 2 fields where line 1 has 3"),
        ("a,b,y\n1,2,0\n\n1,2,3,4\n", {}, "line 4: 4 fields where line 1 has 3"),
        ("a,b,y\n1,2,0\n,,\n", {}, "line 3, column 'a': the value is missing"),
        ("a,b,y\n1,2,0\n1,2,\n", {}, "line 3: the label (column 'y') is missing"),
        ("a,b,y\n1,2,0\n1,two,0\n", {}, "line 3, column 'b': the value is 'two'; a finite number"),
        ("a,b,y\n1,x,0\n1,2,0\n", {}, "line 2, column 'b': the value is 'x', and the column has"),
        ("a,b,y\n1,x,0\n1,,0\n", {}, "line 3, column 'b': the value is missing; text is needed"),
        ("1,2,0\n3,inf,0\n", {}, "line 2, column 2: the value is 'inf'"),
        ("a,y\n1e999,0\n", {}, "line 2, column 'a': the value is '1e999', beyond"),
        ("a,y\n1e99999,0\n", {"numbers": "decimal"}, "its exponent is too large"),
        ("a,y\n" + "1" * 5000 + ",0\n", {"numbers": "decimal"}, "it has too many digits"),
        ('a,y\n1,"x\n2,z\n', {}, "line 2: unexpected end of data"),
        ('a,y\n1,"x"z\n', {}, "line 2: "),
        ('a,y\n1,"say ""hi', {}, "line 2: unexpected end of data"),
        ("a,a,y\n1,2,0\n", {}, "two columns named 'a'; rename one"),
        ("a,y\n1,0\n", {"label": "z"}, "no column 'z'; its first line is 'a', 'y'"),
        ("1,0\n", {"label": 3}, "no column 3; give a column number from 1 to 2"),
        ("a,y\n1,0\n", {"label": "a", "drop": ["a"]}, "cannot be dropped or encoded"),
        ("a,y\n1,0\n", {"drop": ["a"]}, "needs a label column and at least one"),
        (b"a,y\n1,caf\xe9\n", {}, "line 2: not UTF-8"),
        ("a,y\n1,0\n".encode("utf-16"), {}, "line 1: not UTF-8"),
        (b"a,y\n1\0,0\n", {}, "line 2: binary data"),
        (b"a,b,y\n1,2,0\n\xef\xbb\xbf", {}, "line 3: 1 fields where line 1 has 3"),
    ],
)  # fmt: skip
def test_a_bad_file_is_named_with_line_and_column(file, text, options, message):
    with pytest.raises(FileError, match=r"table\.csv") as error:
        read(file(text), **options)
    assert message in str(error.value)


def test_a_file_of_very_many_columns_is_read(file, form):
    width = 40_000 if form == "pyarrow" else 10_000
    line = ",".join(["0.5"] * width)
    data = read(file(f"{line}\n{line}\n"))
    assert data.X.shape == (2, width - 1)
    with pytest.raises(FileError, match=f"line 2: 2 fields where line 1 has {width}"):
        read(file(f"{line}\n1,2\n"))


def test_a_field_of_ten_million_characters_is_refused_at_once(file):
    for field in ("x" * 10**7, '"' + "x" * 10**7 + '"', "1" * 10**7):
        with pytest.raises(FileError, match=r"line 2: .*field"):
            read(file(f"a,y\n1,{field}\n"))
    with pytest.raises(FileError, match="field"):
        read(file('a,y\n1,"x\n' + "2,z\n" * 100_000))


def test_a_scan_that_meets_text_after_numeric_labels_says_what_to_do(file, monkeypatch):
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 64)
    path = file("a,y\n" + "1,0\n" * 100 + "1,x\n")
    with pytest.raises(FileError, match=r"the label 'x' is text.* say labels='text'"):
        list(scan(path))
    assert sum(len(y) for _, y in scan(path, labels="text")) == 101
    assert read(path).y[-1] == "x"


def answer(code, given):
    words = [sys.executable, "-c", f"from novikoff.io import read, scan; {code}"]
    done = subprocess.run(words, input=given, capture_output=True, check=True)
    return done.stdout.decode().strip()


def test_a_small_table_is_read_without_a_heavy_import(file):
    path = file("a,c,y\n1,u,0\n2,v,1\n")
    heavy = ("numba", "scipy", "sklearn", "pandas", "pyarrow")
    code = f"read({str(path)!r}); import sys; print([m for m in {heavy} if m in sys.modules])"
    assert answer(code, b"") == "[]"


def test_standard_input_is_a_dash():
    packed = gzip.compress(b"a,y\n1,u\n2,v\n")
    assert answer("X, y = read('-'); print(X.tolist(), y.tolist())", packed) == (
        "[[1.0], [2.0]] ['u', 'v']"
    )
    many = b"a,y\n" + b"1,0\n" * 70_000
    assert answer("print(sum(len(b.y) for b in scan('-')))", many) == "70000"


@pytest.mark.parametrize("seed", range(3))
def test_words_are_those_that_the_csv_module_reads(file, seed):
    rng = random.Random(seed)
    for _ in range(40):
        content = a_csv(rng)
        mark = find_delimiter(content)
        text = io.StringIO(content.decode(), newline="")
        rows = [r for r in csv.reader(text, delimiter=mark, skipinitialspace=True) if r]
        width = len(rows[0])
        data = read(
            file(content), header=False, labels="text", categorical=range(1, width), drop=[]
        )
        assert data.y.tolist() == [row[-1].strip(" ") for row in rows]
        for c in range(width - 1):
            assert data.encoding[f"x{c + 1}"] == sorted({row[c].strip(" ") for row in rows})
