"""Three checkers, one verdict: what is attacked is judged alike, or the native one cannot tell."""

from __future__ import annotations

import hashlib
import subprocess

import pytest

import three_checkers
from novikoff.certificates import Claim, Witness
from regression_draws import DRAWS
from test_checker import LOGIC, NEAR, XOR, lines_of, near, stamp_of, write
from test_two_readers import odd_file

pytestmark = pytest.mark.rocq


@pytest.fixture(autouse=True, scope="module")
def built():
    return three_checkers.built()


def test_claims_and_obstructions_that_are_attacked_are_judged_alike(fresh_seed):
    seen = three_checkers.claims(fresh_seed, 350)
    assert seen["two classes: accepted"] > 100
    assert seen["two classes: refused"] > 150


def test_attacked_bounds_of_the_fewest_mistakes_are_judged_alike(fresh_seed):
    seen = three_checkers.mistakes(fresh_seed, 350)
    assert seen["fewest mistakes: accepted"] > 12
    assert seen["fewest mistakes: refused"] > 150
    assert not seen["fewest mistakes: unknown"]


def test_attacked_regressions_are_judged_alike(fresh_seed):
    seen = three_checkers.regressions(fresh_seed, 5 * len(DRAWS))
    for model in DRAWS:
        assert seen[f"{model}: accepted"] >= 5
        assert seen[f"{model}: refused"] > 10
        assert not seen[f"{model}: unknown"]


def test_odd_csv_files_are_read_alike(fresh_seed):
    seen = three_checkers.odd_files(fresh_seed, 150, odd_file)
    assert seen["odd files: accepted"] > 10


# ------------------------------------------------------------------ one by one


def test_each_ending_has_its_code(tmp_path):
    claim = Claim([0, 0, 0], Witness(), 0, 4, stamp_of(LOGIC, XOR))
    proof, data = write(tmp_path, claim, lines_of(LOGIC, XOR))
    code, message = three_checkers.native_code(proof, data)
    assert (code, message.startswith("The proof holds. The data is overlapping: ")) == (0, True)
    data.write_text("0,0,no\n0,1,yes\n1,0,yes\n1,1,yes\n")
    code, message = three_checkers.native_code(proof, data)
    assert (code, "its digest is another" in message) == (1, True)
    certificate, y = near(NEAR, 1)
    files = write(tmp_path, certificate, lines_of(NEAR.tolist(), y))
    code, message = three_checkers.native_code(*files)
    assert (code, "no digits" in message) == (4, True)
    assert three_checkers.native_code(tmp_path / "no.json", data)[0] == 4


def test_the_digest_of_blocks_and_of_rare_numbers_is_that_of_the_library(tmp_path):
    """5,000 rows are two blocks; below a quarter of filled cells only those are written."""
    rows = [[i % 7 - 3, (i % 11 == 0) * i, 0, 0, 0, 0, 0, 0] for i in range(5_000)]
    rows = [row for row in rows if row[0]]
    for cut in (2, 8):
        X = [row[:cut] for row in rows]
        y = ["yes" if row[0] > 0 else "no" for row in X]
        claim = Claim([1, *([0] * cut)], Witness(), len(X), 0, stamp_of(X, y))
        code, message = three_checkers.native_code(*write(tmp_path, claim, lines_of(X, y)))
        assert code == 0, message


def test_the_sha256_of_every_length_of_padding_is_that_of_hashlib(tmp_path, built):
    source = """let () = for n = 0 to 200 do
      print_endline (Sha256.hex (Sha256.digest (String.make n (Char.chr (n + 30)))))
    done"""
    (tmp_path / "one.ml").write_text(source)
    command = ["ocamlopt", "-I", built, built / "sha256.cmx", "one.ml", "-o", "one"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    said = subprocess.run([tmp_path / "one"], capture_output=True, text=True, check=True).stdout
    texts = [bytes([n + 30]) * n for n in range(201)]
    assert said.split() == [hashlib.sha256(text).hexdigest() for text in texts]
