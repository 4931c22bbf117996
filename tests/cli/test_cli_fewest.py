"""novikoff fewest: what a person types, and what comes of it."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from command import novikoff as run
from novikoff.certificates import checker

LINES = ["0,a", "1,b", "2,a", "3,b"]


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("\n".join(LINES) + "\n")
    return path


def test_the_answer_the_proof_and_the_page_agree(data, tmp_path):
    proof, page = tmp_path / "p.json", tmp_path / "r.html"
    done = run("fewest", data, "--proof", proof, "--report", page, "--suspects", "--no-header")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Exactly 1 of 4 rows is wrong for the best hyperplane.")
    assert "Labels to look at" in done.stdout
    assert "Exactly 1 of 4 rows is wrong" in page.read_text()
    verified = run("verify", proof, data)
    assert verified.returncode == 0, verified.stderr
    assert "any hyperplane gets at least 1 of the 4 rows of" in verified.stdout
    command = [sys.executable, "-I", "-S", checker.__file__, str(proof), str(data)]
    alone = subprocess.run(command, capture_output=True, text=True)
    assert alone.returncode == 0, alone.stderr
    assert "gets exactly 1 row wrong" in alone.stdout


def test_json_has_the_bracket_and_the_suspects(data):
    done = run("fewest", data, "--json", "--suspects", "--no-header")
    found = json.loads(done.stdout)
    assert (found["lower"], found["upper"], found["optimal"]) == (1, 1, True)
    assert found["suspects"][0]["row"] in range(4)


def test_costs_and_trusted_rows_come_from_files(data, tmp_path):
    (tmp_path / "costs").write_text("1\n1/2\n0.75\n1\n")
    (tmp_path / "trusted").write_text("1\n")
    done = run("fewest", data, "--costs", tmp_path / "costs", "--json", "--no-header")
    assert json.loads(done.stdout)["upper"] == 0.5
    done = run("fewest", data, "--costs", tmp_path / "costs", "--trusted", tmp_path / "trusted",
               "--json", "--no-header")  # fmt: skip
    assert json.loads(done.stdout)["upper"] == 0.75


def test_an_open_bracket_exits_with_3_where_a_closed_one_is_required(tmp_path):
    random = np.random.default_rng(0)
    rows = np.column_stack([random.standard_normal((300, 6)), random.integers(0, 2, 300)])
    path = tmp_path / "noise.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n")
    done = run("fewest", path, "--time-limit", "0.01", "--require-optimal", "--numbers", "binary64")
    assert done.returncode == 3
    assert done.stdout.startswith("At least ")
    assert "the bracket is not closed" in done.stderr


def test_more_than_two_classes_have_a_line_each():
    done = run("fewest", "iris", "--against", "each", "--json")
    answers = json.loads(done.stdout)["labellings"]
    assert [answer["upper"] for answer in answers] == [0, 0, 1]
