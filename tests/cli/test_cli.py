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
