"""The theory of rocq/: no axiom, nothing admitted; and what `certify --rocq` writes is accepted."""

from __future__ import annotations

import random
import re
import subprocess
from decimal import Decimal

import numpy as np
import pytest

import novikoff as nk
import three_checkers
from command import novikoff
from novikoff.errors import InputError
from novikoff.inputs import read_table
from novikoff.report import rocq
from regression_draws import DRAWS

pytestmark = pytest.mark.rocq
CLOSED = "Closed under the global context"
XOR = [[0, 0], [0, 1], [1, 0], [1, 1]]
IMPORTS = """From Coq Require Import ZArith List.
From Novikoff Require Import Claim.
Import ListNotations.
Open Scope Z_scope.
"""
THEOREMS = re.compile(r"^Theorem (\w+)", re.MULTILINE)


def coqc(path, whole=False):
    """Whether coqc accepts the file, and what it says; without `whole`, by the theory as built."""
    text, options = path.read_text(), []
    if not whole:
        theory = rocq.THEORY.read_text()
        assert text.startswith(theory)
        options = ["-Q", three_checkers.built(), "Novikoff"]
        path = path.with_name("Short.v")
        path.write_text(IMPORTS + text.removeprefix(theory))
    command = ["coqc", "-q", *options, path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def sources():
    return {path.stem: path.read_text() for path in three_checkers.ROCQ.glob("*.v")}


def test_every_theorem_rests_on_no_axiom():
    said = (three_checkers.built() / "assumptions.txt").read_text().splitlines()
    asked = re.findall(r"Print Assumptions (\w+)", sources()["Assumptions"])
    stated = [name for text in sources().values() for name in THEOREMS.findall(text)]
    assert set(stated) - {"least_sound"} == set(asked)
    assert said == [CLOSED] * len(asked)


def test_nothing_is_admitted_or_assumed():
    words = r"\b(Admitted|admit|Axiom|Axioms|Parameter|Conjecture|Abort|Unset Guard|bypass_check)\b"
    for name, text in sources().items():
        code = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
        assert not re.search(words, code), name


def test_the_page_counts_the_lines_of_each_part():
    root = three_checkers.ROCQ.parent
    page = (root / "docs" / "rocq.md").read_text()
    rows = re.findall(r"\| `(rocq/[\w/.]+)` \| (\d+) \|", page)
    found = {name: len((root / name).read_text().splitlines()) for name, _ in rows}
    assert {name: int(lines) for name, lines in rows} == found
    parts = {path.name for path in three_checkers.ROCQ.rglob("native/*.ml")}
    assert parts <= {name.rpartition("/")[2] for name in found}
    (about,) = re.findall(r"`checked.ml`, extracted \| about ([\d,]+) ", page)
    extracted = (three_checkers.built() / "checked.ml").read_text().splitlines()
    assert abs(len(extracted) / int(about.replace(",", "")) - 1) < 0.03


def write(tmp_path, X, y, **options):
    """The file of a verdict about X and y."""
    verdict = nk.certify(X, y, **options)
    path = tmp_path / "Proof.v"
    signs = verdict.certificate.stamp.read_signs(y)
    rocq.write_rocq(path, verdict.certificate, read_table(X), signs, "data.csv")
    return path, verdict


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(
    ("X", "y", "status"),
    [
        (XOR, [0, 1, 1, 0], "overlapping"),
        ([[0.1, 3.0], [-0.3, 1e-20], [1e3, 2.0]], [1, 0, 1], "separable"),
        ([[0, -1], [0, 1], [-1, 0], [0, 0], [1, 1], [1, -1]], [0, 0, 0, 1, 1, 1], None),
    ],
)
def test_each_status_is_a_theorem(tmp_path, X, y, status, fit_intercept):
    path, verdict = write(tmp_path, np.array(X, dtype=float), y, fit_intercept=fit_intercept)
    accepted, said = coqc(path)
    assert accepted, said
    assert said.strip() == CLOSED
    assert verdict.status == (status or verdict.status)
    name = verdict.status.replace("-", "_")
    assert f"Theorem the_data_is_{name} : {name} {2 + fit_intercept} rows." in path.read_text()


def test_a_false_theorem_is_not_accepted(tmp_path):
    """Another multiplier, class or count; and the status of other data."""
    path, _ = write(tmp_path, np.array([[1], [2], [3], [2]]), [0, 1, 0, 1])
    text = path.read_text()
    assert coqc(path)[0]
    start = text.index("Definition rows_from_1")
    changes = [("Row Positive [2; 1]", "Row Positive [2; 2]"), ("Row Positive", "Row Equality"),
               ("  0 4 1", "  0 3 1"), ("  0 4 1", "  0 4 0"), ("  0 4 1", "  0 4 -1")]  # fmt: skip
    for old, new in changes:
        assert text.count(old, start) >= 1, old
        path.write_text(text[:start] + text[start:].replace(old, new, 1))
        accepted, said = coqc(path)
        assert not accepted
        assert "Error" in said


def test_decimals_are_scaled_by_a_stated_factor(tmp_path):
    X = np.array([[Decimal(v)] for v in ("0.1", "-0.25", "3")], dtype=object)
    path, _ = write(tmp_path, X, [1, 0, 1])
    text = path.read_text()
    assert "(decimal), each times 20." in text
    assert "Row Positive [2; 20];\n  Row Negative [-5; 20];\n  Row Positive [60; 20]]" in text
    assert coqc(path)[0]


@pytest.mark.parametrize("model", ["poisson", "multinomial", "cox"])
def test_the_comparisons_of_a_model_are_rows_of_a_theorem(tmp_path, model, fresh_seed):
    draw = random.Random(fresh_seed)
    options, given, _, X, _ = DRAWS[model](draw)
    fit = nk.certify_regression(X, model=model, **options, **given)
    path = tmp_path / "Proof.v"
    rocq.write_rocq(path, fit.certificate, fit.given.whole(), None, "data.csv")
    accepted, said = coqc(path)
    assert accepted, said
    assert said.strip() == CLOSED


# ------------------------------------------------------------------ the command


def test_the_command_writes_a_theorem_whatever_names_and_labels_say(tmp_path):
    """A label that would end the comment and assume a falsehood, and an open quote."""
    hostile = '*) Axiom wrong : False. (* " é \U0001f600'
    quoted = '"' + hostile.replace('"', '""') + '"'
    lines = [f'x,"a (* "" b",{quoted}', f"1,2,{quoted}", "2,1,no", f"3,3,{quoted}", "4,5,no"]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    done = novikoff("certify", tmp_path / "data.csv", "--rocq", tmp_path / "Proof.v")
    assert done.returncode == 0, done
    accepted, said = coqc(tmp_path / "Proof.v", whole=True)
    assert accepted, said
    assert said.strip() == CLOSED
    assert "Axiom" not in re.sub(r"\(\*.*?\*\)", "", (tmp_path / "Proof.v").read_text(), flags=re.S)


def test_what_cannot_be_a_theorem_is_said_in_a_sentence(tmp_path, monkeypatch):
    (tmp_path / "data.csv").write_text("1,2,a\n2,1,b\n3,3,a\n")
    data, target = tmp_path / "data.csv", tmp_path / "Proof.v"
    done = novikoff("certify", data, "--rocq", tmp_path / "my-proof.v")
    assert (done.returncode, "coqc wants letters, digits and _" in done.stderr) == (1, True)
    for name, limit in (("MOST_NUMBERS", 8), ("MOST_WIDTH", 2), ("MOST_CHARACTERS", 20)):
        monkeypatch.setattr(rocq, name, limit)
        done = novikoff("certify", data, "--rocq", target)
        assert done.returncode == 1
        assert f"at most {limit}" in done.stderr or f"and {limit} in a row" in done.stderr
        assert not target.exists()
        monkeypatch.undo()


def test_a_proof_without_digits_is_no_theorem():
    X = np.array([[1.0], [1.0]])
    claim = nk.certify(X, [0, 1]).certificate
    object.__setattr__(claim.witness, "relations", ())
    with pytest.raises(InputError, match="has no digits"):
        rocq.rocq_text(claim, read_table(X), np.array([-1, 1]), "data.csv")
