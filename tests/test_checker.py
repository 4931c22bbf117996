"""The stand-alone checker: one file, no packages, the same verdicts as the main checker."""

from __future__ import annotations

import ast
import csv
import json
import random
import subprocess
import sys
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from command import novikoff
from novikoff.certificates import (
    Obstruction,
    QuasiSeparator,
    Reading,
    Separator,
    Stamp,
    checker,
    load_certificate,
)
from novikoff.errors import NovikoffError
from novikoff.inputs import read_labels, read_table
from tampering import changed_data, changed_fields, changed_text, examples, restamped

CHECKER = Path(checker.__file__)
LOGIC = [[0, 0], [0, 1], [1, 0], [1, 1]]
AND, XOR = ["no", "no", "no", "yes"], ["no", "yes", "yes", "no"]


def run(proof, data):
    """Exit code and message of the checker in a Python without any installed package."""
    command = [sys.executable, "-I", "-S", str(CHECKER), str(proof), str(data)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert bool(done.stdout) == (done.returncode == 0)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout or done.stderr


def stamp_of(X, y, offset=True, label=None):
    table = read_table(X)
    return Stamp.of(table, read_labels(y, table.n_rows), offset, label)


def write(folder, certificate, lines):
    certificate.save(folder / "proof.json")
    (folder / "data.csv").write_text("\n".join(lines) + "\n")
    return folder / "proof.json", folder / "data.csv"


def lines_of(X, y, separator=","):
    return [separator.join([*map(str, row), label]) for row, label in zip(X, y, strict=True)]


def test_it_imports_the_standard_library_only():
    tree = ast.parse(CHECKER.read_text())
    names = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names <= sys.stdlib_module_names


TOUCHING = [[0.0, 0.0], [0.0, 0.0], [1.0, 5.5], [-0.1, 7.0]]
TRAP = [["0.1", "0.3"], ["0.2", "0.6"], ["0.3", "0.9"]]
TRAP_DECIMALS = np.array([[Decimal(v) for v in row] for row in TRAP], dtype=object)
THIRDS = np.array([[Fraction(1, 3)], [Fraction(2, 3)], [Fraction(1)]], dtype=object)


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("offset", [True, False], ids=["offset", "origin"])
def test_each_kind_of_proof_is_accepted(tmp_path, form, offset):
    X = [[2 * a - 3, 2 * b - 3] for a, b in LOGIC] if not offset else LOGIC
    proofs = {
        "separable": (Separator([3, 2, -4 * offset], stamp_of(form(X), AND, offset)), X, AND),
        "overlapping": (
            Obstruction([0, 1, 2, 3], [1] * 4, True, stamp_of(form(LOGIC), XOR, offset)),
            LOGIC,
            XOR,
        ),
        "not separable": (
            Obstruction([0, 1], [3, 3], False, stamp_of(form(TOUCHING), XOR, offset)),
            TOUCHING,
            XOR,
        ),
        "quasi-separable": (
            QuasiSeparator(
                np.array([0.1, 0.0, 0.0]),
                [0, 1],
                [10**30] * 2,
                stamp_of(form(TOUCHING), ["no", "yes", "yes", "no"], offset),
            ),
            TOUCHING,
            ["no", "yes", "yes", "no"],
        ),
    }
    if not offset:
        proofs["separable"] = (
            Separator([1, 0, 0], stamp_of(form([[1, 2], [-1, 0]]), ["yes", "no"], False)),
            [[1, 2], [-1, 0]],
            ["yes", "no"],
        )
    for status, (certificate, rows, y) in proofs.items():
        certificate.verify(form(rows), y)
        code, message = run(*write(tmp_path, certificate, lines_of(rows, y)))
        assert code == 0, message
        assert message.startswith(f"The proof holds. The data is {status}: ")
        assert certificate.status == status


def test_the_decimal_trap_is_read_as_the_proof_says(tmp_path):
    y = ["yes", "no", "yes"]
    certificate = Obstruction([0, 1, 2], [1, 2, 1], False, stamp_of(TRAP_DECIMALS, y))
    proof, data = write(tmp_path, certificate, lines_of(TRAP, y))
    assert run(proof, data)[0] == 0
    proof.write_text(proof.read_text().replace('"decimal"', '"binary64"'))
    code, message = run(proof, data)
    assert (code, "its digest is another" in message) == (1, True)
    floats = Obstruction([0, 1, 2], [1, 2, 1], False, stamp_of(TRAP_DECIMALS.astype(float), y))
    code, message = run(*write(tmp_path, floats, lines_of(TRAP, y)))
    assert (code, "not zero in column 0" in message) == (1, True)


def test_ratios_are_read_as_the_proof_says(tmp_path):
    y = ["yes", "no", "yes"]
    certificate = Obstruction([0, 1, 2], [1, 2, 1], True, stamp_of(THIRDS, y))
    lines = ["1/3,yes", "4/6,no", "1.0,yes"]
    assert run(*write(tmp_path, certificate, lines))[0] == 0
    code, message = run(*write(tmp_path, certificate, [lines[0], "1/0,no", lines[2]]))
    assert (code, "'1/0' is not a number" in message) == (1, True)


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        (None, ["0,0,no", "0,1,no", "1,0,no", "1,1,yes"]),
        (None, ["a,b,y", "0,0,no", "0,1,no", "1,0,no", "1,1,yes"]),
        ("y", ["y,a,b", "no,0,0", "no,0,1", "no,1,0", "yes,1,1"]),
        ("y", ['a;" y ";b', "0; no;0", "0;no;1", "1;no;0.0", '1;"yes";1e0']),
        ("2", ["0\tno\t0", "0\tno\t1", "1\tno\t0", "+1\tyes\t.1e1"]),
        ("y", ["\ufeffy,a,b\r", "no,0,0\r", "\r", "no,0,1\r", "no,1,0\r", "yes,1,1\r", "\r"]),
    ],
    ids=["no header", "header", "label first", "semicolons", "tabs, a number", "Windows"],
)
def test_the_label_column_is_found(tmp_path, label, lines):
    certificate = Separator([3, 2, -4], stamp_of(LOGIC, AND, label=label))
    code, message = run(*write(tmp_path, certificate, lines))
    assert code == 0, message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "empty"),
        ("\n\n", "empty"),
        ("0,0,no\n0,1,no\n", "2 rows; the proof speaks of 4"),
        ("0,0,no\n0,1\n1,0,no\n1,1,yes\n", "line 2 has 2 cells"),
        ("0,0,no\n0,1,no\n1,0,no\n1,1,maybe\n", "row 3 has the label 'maybe'"),
        ("0,0,no\n0,x,no\n1,0,no\n1,1,yes\n", "'x' is not a number"),
        ("0,0,no\n0,nan,no\n1,0,no\n1,1,yes\n", "'nan' is not a number"),
        ("0,0,no\n0,1_0,no\n1,0,no\n1,1,yes\n", "'1_0' is not a number"),
        ("0,0,no\n0,1e999,no\n1,0,no\n1,1,yes\n", "beyond binary64"),
        ("0,0,no\n0,1e99999999,no\n1,0,no\n1,1,yes\n", "is not a number"),
        ("0,0,no\n0,1,no\n1,0,no\n1,2,yes\n", "its digest is another"),
        ("0,0,no\n0,1,no\n1,0,yes\n1,1,yes\n", "its digest is another"),
        ('0,0,no\n0,1,no\n1,0,no\n1,"1,yes\n', "not a CSV file"),
    ],
)
def test_data_that_does_not_fit_is_refused(tmp_path, content, reason):
    certificate = Separator([3, 2, -4], stamp_of(LOGIC, AND))
    proof, data = write(tmp_path, certificate, [])
    data.write_text(content)
    code, message = run(proof, data)
    assert code == 1
    assert reason in message


def test_missing_files_and_wrong_usage(tmp_path):
    assert run(tmp_path / "no.json", tmp_path / "no.csv")[0] == 1
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(CHECKER)], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.startswith("usage: python checker.py proof.json data.csv")


def test_a_deficient_span_is_checked_row_by_row(tmp_path):
    """Third column = first + second, so the rank is 3 of 4; one more row breaks the relation."""
    X = [[a, b, a + b] for a, b in LOGIC]
    certificate = Obstruction([0, 1, 2, 3], [1] * 4, True, stamp_of(X, XOR))
    certificate.verify(X, XOR)
    assert run(*write(tmp_path, certificate, lines_of(X, XOR)))[0] == 0
    X, y = [*X, [5, 5, 5]], [*XOR, "yes"]
    broken = Obstruction([0, 1, 2, 3], [1] * 4, True, stamp_of(X, y))
    code, message = run(*write(tmp_path, broken, lines_of(X, y)))
    assert (code, "row 4 is outside the span" in message) == (1, True)


def test_blocks_of_rows_have_the_same_digest_in_both_checkers(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((5_000, 2)).round(3)
    X = X[np.abs(X[:, 0]) > 0.1]
    y = ["yes" if x > 0 else "no" for x in X[:, 0]]
    for form in (np.array, sparse.csr_matrix):
        certificate = Separator(np.array([1.0, 0.0, 0.01]), stamp_of(form(X), y))
        assert run(*write(tmp_path, certificate, lines_of(X, y)))[0] == 0
    exact = np.array([[Decimal(str(v)) for v in row] for row in X], dtype=object)
    exact[:4096] = [[Decimal(v % 7 - 3 or 1), Decimal(v)] for v in range(4096)]
    y = ["yes" if x > 0 else "no" for x in exact[:, 0]]
    certificate = Separator([1, 0, 0], stamp_of(exact, y))  # one block of floats, one of ratios
    assert run(*write(tmp_path, certificate, lines_of(exact, y)))[0] == 0


# ------------------------------------------------------------------ the same verdict on anything


def text_of(value, numbers):
    if numbers == "binary64":
        return repr(float(value))
    if numbers == "decimal":
        return str(Decimal(f"{int(value * 10**30)}e-30"))
    return f"{value.numerator}/{value.denominator}"


def main_says(proof, data):
    """The main checker's word on the same two files."""
    try:
        certificate = load_certificate(proof)
        numbers = certificate.stamp.numbers
        read = {"binary64": float, "decimal": Decimal, "rational": Fraction}[numbers]
        with data.open(newline="") as file:
            lines = list(csv.reader(file))[1:]
        X = [[read(cell) for cell in line[:-1]] for line in lines]
        dtype = float if numbers == "binary64" else object
        certificate.verify(np.array(X, dtype=dtype), [line[-1] for line in lines])
    except (NovikoffError, InvalidOperation, ValueError):
        return False
    return True


def alone_says(proof, data):
    try:
        checker.check(str(proof), str(data))
    except checker.ProofError:
        return False
    return True


def test_both_checkers_agree_on_tampered_proofs(tmp_path):
    rng = random.Random(7)
    known = examples(7, 80)
    verdicts = set()
    for trial in range(3_000):
        example = known[trial % len(known)]
        rows, labels, fields = example.rows, example.labels, example.fields
        action = rng.randrange(4)
        if action == 0:
            rows, labels = changed_data(rng, rows, labels)
        elif action == 1 and (made := restamped(rng, example)):
            fields, rows, labels = made
        elif action == 2:
            fields = changed_fields(rng, fields)
        text = json.dumps(fields)
        if action == 3:
            text = changed_text(rng, text)
        numbers = (fields if action == 1 else example.fields)["numbers"]
        proof, data = tmp_path / f"{trial}.json", tmp_path / f"{trial}.csv"
        proof.write_text(text)
        with data.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*(f"x{j}" for j in range(len(rows[0]) if rows else 1)), "answer"])
            for row, label in zip(rows, labels, strict=True):
                writer.writerow([*(text_of(v, numbers) for v in row), label])
        if '"label": "answer"' in text:  # the main checker does not look for the column
            verdicts.add(main_says(proof, data))
            assert alone_says(proof, data) == main_says(proof, data), text
    assert verdicts == {True, False}


@pytest.mark.parametrize(
    ("lines", "label", "header", "told"),
    [
        (["5,0", "1,0", "2,0", "3,1", "4,1"], None, None, []),
        (["5,0", "1,0", "2,0", "3,1", "4,1"], "0", True, []),
        (["5,0", "1,0", "2,0", "3,1", "4,1"], "2", True, ["--rows"]),
        (["0,5", "0,1", "0,2", "1,3", "1,4"], "0", True, []),
    ],
    ids=["nothing said", "the label is a cell", "as written rows", "the label first"],
)
def test_line_1_of_a_file_without_a_header_is_never_dropped(tmp_path, lines, label, header, told):
    """Five rows of one column overlap; four of them, which a forger proves, do not."""
    X, y = [[1], [2], [3], [4]], ["0", "0", "1", "1"]
    reading = None if header is None else Reading({"header": header}, (), ())
    table = read_table(np.array(X, dtype=float))
    stamp = Stamp.of(table, read_labels(y, 4), True, label, reading)
    proof, data = write(tmp_path, Separator([2, -5], stamp), lines)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(CHECKER), str(proof), str(data), *told],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert novikoff("verify", proof, data).returncode == 1


def test_names_that_are_numbers_are_a_header_for_who_says_so(tmp_path):
    certificate = Separator([3, 2, -4], stamp_of(LOGIC, AND))
    proof, data = write(tmp_path, certificate, ["7,8,9", *lines_of(LOGIC, AND)])
    code, message = run(proof, data)
    assert (code, "--header" in message) == (1, True)
    assert checker.main([str(proof), str(data), "--header"]) == 0
    assert novikoff("verify", proof, data, "--header").returncode == 0
    assert checker.main([str(proof), str(data), "--no-header"]) == 1


def test_a_label_column_that_is_not_the_files_is_refused_by_both(tmp_path):
    data, proof, rows = (tmp_path / name for name in ("data.csv", "proof.json", "rows.csv"))
    data.write_text("x,y,z\n1,0,0\n2,0,0\n3,1,1\n4,1,1\n")
    asked = ("certify", data, "--label", "y", "--drop", "z", "--proof", proof, "--rows", rows)
    assert novikoff(*asked).returncode == 0
    assert "label column is 'y'" in novikoff("verify", proof, data).stdout
    assert checker.main([str(proof), "--rows", str(rows)]) == 0
    fields = json.loads(proof.read_text())
    fields["data"]["label"] = "z"
    proof.write_text(json.dumps(fields))
    assert novikoff("verify", proof, data).returncode == 1
    assert checker.main([str(proof), "--rows", str(rows)]) == 1
