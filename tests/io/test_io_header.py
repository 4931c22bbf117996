"""Headers: names that are numbers are names, and where nobody can tell there is a question."""

from __future__ import annotations

import pandas
import pytest

from command import novikoff
from novikoff.errors import FileError
from novikoff.io import read

ROWS = [[5.1, 3.5, 1.4, 0.2], [4.9, 3.0, 1.3, 0.4], [7.0, 3.2, 4.7, 1.4], [6.4, 3.2, 4.5, 1.5]]
WORDS = ["a", "a", "b", "b"]


@pytest.mark.parametrize("labels", [WORDS, [0, 0, 1, 1]])
@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("name", ["label", None])
def test_what_pandas_writes_without_names_is_a_header(labels, index, name, tmp_path):
    frame = pandas.DataFrame(ROWS)
    frame[name or 4] = labels
    frame.to_csv(tmp_path / "t.csv", index=index)
    data = read(tmp_path / "t.csv")
    assert data.X.tolist() == ROWS
    assert data.y.tolist() == labels
    assert data.names == ("0", "1", "2", "3")
    assert data.label == (name or "4")
    done = novikoff("fit", tmp_path / "t.csv", "-o", tmp_path / "m", "--json")
    assert '"classes": ["a", "b"]' in done.stdout or '"classes": ["0", "1"]' in done.stdout
    assert "is taken as the names of the columns" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "0,1,2\n3,4,0\n5,6,1\n",
        "0,1,2,3\n5.1,3.5,1.4,0\n4.9,3.0,1.3,1\n",
        "0,1\n0.5,0\n1.5,1\n",
        "0,label\n5.1,a\n4.9,b\n",
        "2019,2020,kind\n" + "1,2,a\n3,4,b\n" * 6,
        "2019,2020,kind\n1,2,a\n3,4,b\n4,4,b\n",
        "2019,kind\n1.5,a\n2.5,b\n",
        "7,8,9\n5,2,0\n3,4,1\n3,5,1\n2,9,0\n",
    ],
)
def test_where_nobody_can_tell_there_is_a_question(file, text):
    path = file(text)
    with pytest.raises(FileError, match="say header=True or header=False"):
        read(path)
    n_lines = text.count("\n")
    assert read(path, header=True).n_rows == n_lines - 1
    assert read(path, header=False, labels="text").n_rows == n_lines


@pytest.mark.parametrize(
    ("text", "n_rows"),
    [
        ("0,1\n1,0\n", 2),
        ("0,0,0\n0,1,1\n1,0,1\n1,1,0\n", 4),
        ("1,2,3\n4,5,6\n", 2),
        ("5,3,yes\n4,3,no\n6,1,yes\n", 3),
        ("0,1,2,a\n3,4,5,b\n6,7,8,a\n", 3),  # a class that is found again
        ("2019,2020,kind\n1.5,2.5,0\n3,4,1\n", 2),  # a word above numbers
        ("5.1;3.5;yes\n4.9;3.0;no\n", 2),
    ],
)
def test_rows_stay_rows(file, text, n_rows):
    assert read(file(text)).n_rows == n_rows


@pytest.mark.parametrize("other", ["categorical", "keep"])
def test_a_column_is_not_left_out_and_used(other, file):
    path = file("a,b,y\n1,2,p\n3,1,q\n")
    with pytest.raises(FileError, match=rf"drop= and {other}= both name column 'a'"):
        read(path, drop=["a"], **{other: ["a"]})


@pytest.mark.parametrize("header", ["1,2,3,4,5", "2019,2020,2021,2022,2023"])
def test_names_that_are_numbers_are_a_question(header, tmp_path):
    rows = [f"{i % 7}.5,{i % 5}.25,{i % 3},{i % 11},{i % 2}" for i in range(50)]
    path = tmp_path / "d.csv"
    path.write_text("\n".join([header, *rows, ""]))
    with pytest.raises(FileError, match="could be the names of the columns or a row"):
        read(path)
    assert read(path, header=True).n_rows == 50


STREAM = ["--quiet", "--predictions", "{out}", "--json"]


def stream(path, tmp_path, *words):
    return novikoff("stream", path, *(w.format(out=tmp_path / "out") for w in STREAM), *words)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,y\n1,2,p\ntwelve,3,q\n", "line 3, column 'a': the value is 'twelve'; a finite"),
        (
            "a,b,y\nred,2,p\n12,3,q\n",
            "line 3, column 'a': the value is a number, and above it",
        ),
        ("a,b,y\n1,2,p\n1\0,3,q\n", "line 3: binary data"),
        ("5.1|3.5|yes\n4.9|3.0|no\n", "line 1: 1 column ('5.1|3.5|yes'); a label and"),
        ("0,1,2\n3,4,0\n", "line 1: line 1 (0, 1, 2) could be the names of the columns or a row"),
        ("red,big,yes\nblue,small,no\n", "line 2: every column is text"),
        (
            "a;y\n1,5;p\n",
            "column 'a': the value is '1,5', a number with a decimal comma; say --d",
        ),
        (
            "a,when,y\n1,2020-01-01,p\n",
            "column 'when': the value is '2020-01-01', a number in another",
        ),
        ("a,name,y\n" + "".join(f"1,n{i},p\n" for i in range(120)), "100 different texts in 1"),
        (",a,y\nx,1,p\n", "the first column has no name and holds 'x'"),
        (
            '{"label": 1, "a": 1}\n{"label": 0, "a": "twelve"}\n',
            "column 'a': the value is 'twelve'",
        ),
        (
            '{"label": 1, "a": "1,5"}\n',
            "line 1, column 'a': the value is '1,5', a number with",
        ),
        ('{"label": 1, "a": "\0"}\n', "line 1: binary data"),
    ],
)
def test_a_stream_guesses_no_more_than_a_file(text, message, tmp_path):
    path = tmp_path / ("t.jsonl" if text.startswith("{") else "t.csv")
    path.write_text(text)
    done = stream(path, tmp_path)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "words", "features"),
    [
        ("a|b|y\n1|2|p\n3|4|q\n", ["--delimiter", "|"], 2),
        ("a;b;y\n1,5;2;p\n3,5;4;q\n", ["--decimal", ","], 2),
        ("a;y\n1.234,5;p\n3;q\n", ["--decimal", ",", "--thousands", "."], 1),
        (",a,b,y\n0,1,2,p\n1,3,4,q\n", [], 2),
        (",a,b,y\n0,1,2,p\n1,3,4,q\n", ["--keep", "1"], 3),
        ("0,1,2,label\n5.5,1,2,p\n7,3,4,q\n", [], 3),
        ("id,a,y\n" + "".join(f"{i},1,p\n{i}5,2,q\n" for i in range(20)), ["--drop", "id"], 1),
        ("zip,a,y\n10115,1,p\n80331,2,q\n", ["--categorical", "zip"], 3),
    ],
)
def test_the_options_of_a_stream_act(text, words, features, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text)
    done = stream(path, tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert f'"features": {features},' in done.stderr
