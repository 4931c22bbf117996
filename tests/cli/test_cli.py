"""The command line as a person types it, and what it prints."""

from __future__ import annotations

import json

import pytest

import novikoff as nk
from command import novikoff


@pytest.fixture
def csv_file(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("a,b,class\n-1,3,no\n-1,-1,no\n3,-1,yes\n0,1.5,yes\n")
    return path


def test_trace_prints_the_lectures_table_and_the_audit():
    done = novikoff("trace", "lecture:002")
    assert done.returncode == 0
    assert "9    4     +            -3  (4, -0.5, 1)" in done.stdout
    assert "k <= (R/γ)²" in done.stdout
    assert done.stderr == ""


def test_every_convention_is_an_option(csv_file):
    done = novikoff(
        "trace", csv_file, "--tie", "positive", "--order", "4,3,2,1", "--start", "1,2",
        "--no-intercept", "--positive", "no", "--max-iter", "7", "--json",
    )  # fmt: skip
    run = json.loads(done.stdout)
    expected = nk.trace(
        [[-1, 3], [-1, -1], [3, -1], [0, 1.5]], [1, 1, 0, 0], tie="positive",
        order=[3, 2, 1, 0], start=[1, 2], fit_intercept=False, max_iter=7,
    )  # fmt: skip
    assert run["tape"]["rows"] == expected.tape.rows.tolist()
    assert run["positive"] == "no"


@pytest.mark.parametrize("name", ["iris:virginica,setosa", "digits:1,0"])
def test_a_set_of_two_named_classes_is_traced_and_certified_with_the_second_as_positive(name):
    negative, positive = name.partition(":")[2].split(",")
    run = json.loads(novikoff("trace", name, "--json", "--max-mistakes", "9").stdout)
    assert (run["negative"], run["positive"]) == (negative, positive)
    found = json.loads(novikoff("certify", name, "--json").stdout)
    assert (found["negative"], found["positive"]) == (negative, positive)
    turned = json.loads(novikoff("trace", name, "--json", "--positive", negative).stdout)
    assert turned["positive"] == negative


def test_a_dash_is_standard_input(csv_file):
    done = novikoff("trace", "-", "--label", "class", "--json", stdin=csv_file.read_text())
    run = json.loads(done.stdout)
    assert run["tape"]["rows"] == [0, 1, 3, 3, 0, 3, 3, 0, 3]
    assert (run["coef"], run["intercept"], run["converged"]) == ([4.0, -0.5], 1.0, True)
    assert run["audit"]["checks"][0]["holds"] is True


def test_numbers_are_the_decimals_written_in_the_file(tmp_path):
    path = tmp_path / "trap.csv"
    path.write_text("0.1,0.3,1\n0.2,0.6,0\n0.3,0.9,1\n")
    decimal = novikoff("trace", path, "--max-iter", "200", "--json")
    binary = novikoff("trace", path, "--numbers", "binary64", "--max-iter", "200", "--json")
    assert json.loads(decimal.stdout)["tape"] != json.loads(binary.stdout)["tape"]


def test_datasets_lists_names_that_load_and_prints_one_as_csv():
    listed = novikoff("datasets")
    names = [line.split("  ")[0].strip() for line in listed.stdout.splitlines()]
    assert names == list(nk.datasets.names())
    printed = novikoff("datasets", "lecture:002")
    again = novikoff("trace", "-", "--json", stdin=printed.stdout)
    assert json.loads(again.stdout)["n_mistakes"] == 9


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (None, [], "does not exist"),
        ("lectur:002", [], "did you mean 'lecture'"),
        ("a,b,y\n1,2,0\n3,4,1\n", ["--label", "z"], "no column 'z'; its first line is 'a'"),
        ("a,b,y\n1,x,0\n3,4,1\n", [], "line 2, column 'b': the value is 'x'"),
        ("a,b,y\n1,,0\n3,4,1\n", [], "line 2, column 'b': the value is missing"),
        ("a,b,y\n1,2,0\n3,4,0\n", [], "the label has 1 class ('0'); 2 are needed"),
        ("a,b,y\n1,2,0\n3,4,1\n5,6,2\n", [], "the label has 3 classes"),
        ("a,b,y\n1,2,0\n3,4,1\n", ["--positive", "7"], "positive is '7'"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_sentence_and_exit_code_1(tmp_path, text, words, message):
    path = tmp_path / "bad.csv"
    if text is not None and "\n" not in text:
        path = text
    elif text is not None:
        path.write_text(text)
    done = novikoff("trace", path, *words)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["trace"],
        ["trace", "xor", "--tie", "win"],
        ["trace", "xor", "--order", "up"],
        ["trace", "xor", "--start", "x"],
        ["trace", "xor", "--max-iter", "0"],
        ["fly"],
    ],
)
def test_wrong_usage_is_exit_code_2(words):
    done = novikoff(*words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("order", ["0,1,2,3", "1,2,3", "1,1,2,3"])
def test_an_order_counts_rows_from_1_as_the_table_does(order):
    done = novikoff("trace", "xor", "--order", order)
    assert done.returncode == 2
    assert f"{order} is not an order of the 4 rows: each number from 1 to 4" in done.stderr
