"""`novikoff certify` and `novikoff verify` as a person types them."""

from __future__ import annotations

import json
import subprocess
import sys

import pandas as pd
import pytest

import novikoff as nk
from command import novikoff
from novikoff.certificates import checker

SEPARABLE = "a,b,class\n-1,3,no\n-1,-1,no\n3,-1,yes\n0,1.5,yes\n"
QUASI = "dose,age,ill\n0,1,0\n0,2,1\n0,3,0\n1,1,1\n1,2,1\n0,2,0\n"
XOR = "0,0,0\n0,1,1\n1,0,1\n1,1,0\n"
TRAP = "0.1,0.3,1\n0.2,0.6,0\n0.3,0.9,1\n"


@pytest.fixture
def data(tmp_path):
    def write(text):
        path = tmp_path / "data.csv"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ("text", "status"), [(SEPARABLE, "separable"), (QUASI, "quasi-separable"), (XOR, "overlapping")]
)
def test_a_proof_is_accepted_by_verify_and_by_the_checker_alone(text, status, data, tmp_path):
    path, proof = data(text), tmp_path / "proof.json"
    done = novikoff("certify", path, "--proof", proof, "--json", "--require", status)
    assert done.returncode == 0
    assert json.loads(done.stdout)["status"] == status
    checked = novikoff("verify", proof, path)
    assert checked.returncode == 0
    assert status in checked.stdout
    alone = [sys.executable, "-I", "-S", checker.__file__, str(proof), str(path)]
    assert subprocess.run(alone, capture_output=True, check=False).returncode == 0


def test_infinite_coefficients_are_named_with_their_sign(data):
    done = novikoff("certify", data(QUASI), "--label", "ill")
    assert "quasi-separable" in done.stdout
    assert "dose (+∞)" in done.stdout
    assert "age (" not in done.stdout


def test_numbers_are_decimals_unless_told_otherwise(data):
    path = data(TRAP)
    decimal = json.loads(novikoff("certify", path, "--json").stdout)
    binary = json.loads(novikoff("certify", path, "--numbers", "binary64", "--json").stdout)
    assert (decimal["status"], decimal["numbers"]) == ("overlapping", "decimal")
    assert (binary["status"], binary["numbers"]) == ("separable", "binary64")


def test_a_required_status_that_the_data_does_not_have_is_exit_code_3(data):
    done = novikoff("certify", data(XOR), "--require", "separable")
    assert done.returncode == 3
    assert "the data is overlapping; separable was required" in done.stderr


def test_a_proof_of_other_data_is_refused(data, tmp_path):
    proof = tmp_path / "proof.json"
    novikoff("certify", data(XOR), "--proof", proof)
    done = novikoff("verify", proof, data(XOR.replace("1,1,0", "1,1,1")))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    cut = tmp_path / "cut.json"
    cut.write_text(proof.read_text()[:50])
    assert novikoff("verify", cut, data(XOR)).returncode == 1


def test_several_classes_are_certified_against_each_other():
    done = novikoff("certify", "iris", "--against", "each")
    assert done.returncode == 0
    lines = {line.rsplit("  ", 1)[0].split("  ")[0]: line for line in done.stdout.splitlines()}
    assert "separable" in lines["setosa against versicolor"]
    assert "overlapping" in lines["versicolor against virginica"]
    three = novikoff("certify", "iris")
    assert three.returncode == 1
    assert "3 classes" in three.stderr


def test_through_the_origin_is_another_question():
    with_offset = novikoff("certify", "counterexample_origin", "--intercept", "--json")
    without = novikoff("certify", "counterexample_origin", "--no-intercept", "--json")
    assert json.loads(with_offset.stdout)["status"] == "separable"
    assert json.loads(without.stdout)["status"] != "separable"


def test_a_proof_made_in_python_knows_its_label_column(data, tmp_path):
    path, proof = data("a,b,class\n-1,3,0\n-1,-1,0\n3,-1,1\n0,1.5,1\n"), tmp_path / "proof.json"
    frame = pd.read_csv(path)
    nk.certify(frame, label="class").certificate.save(proof)
    assert novikoff("verify", proof, path).returncode == 0
    done = novikoff("verify", proof, path, "--label", "a")
    assert done.returncode == 1
    assert "is 'a'; the proof calls it 'class'." in done.stderr
