"""The stand-alone checker: one file, no packages, the same verdicts as the main checker."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import runpy
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from novikoff.certificates import (
    Claim,
    Mistakes,
    Obstruction,
    Reading,
    Stamp,
    Witness,
    checker,
    load_certificate,
)
from novikoff.certificates.mistakes import Leaf
from novikoff.certificates.model import Model
from novikoff.errors import CertificateError
from novikoff.inputs import read_labels, read_table
from tampering import tamper

CHECKER = Path(checker.__file__)
LOGIC = [[0, 0], [0, 1], [1, 0], [1, 1]]
AND, XOR = ["no", "no", "no", "yes"], ["no", "yes", "yes", "no"]


def run(proof, data):
    """Exit code and message of the checker, in this process: mutants of it are found, too."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = checker.main([str(proof), str(data)])
    assert bool(out.getvalue()) == (code == 0)
    return code, out.getvalue() or err.getvalue()


def run_alone(*arguments):
    """The same in a Python without any installed package."""
    command = [sys.executable, "-I", "-S", str(CHECKER), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout or done.stderr


def stamp_of(X, y, offset=True, label=None, reading=None):
    table = read_table(X)
    return Stamp.of(table, read_labels(y, table.n_rows), offset, label, reading)


def separator_of_and(**options):
    return Claim([3, 2, -4], Witness(), 4, 0, stamp_of(LOGIC, AND, **options))


def write(folder, certificate, lines):
    certificate.save(folder / "proof.json")
    (folder / "data.csv").write_text("\n".join(lines) + "\n")
    return folder / "proof.json", folder / "data.csv"


def lines_of(X, y, separator=","):
    return [separator.join([*map(str, row), label]) for row, label in zip(X, y, strict=True)]


def test_it_imports_the_standard_library_only():
    nodes = list(ast.walk(ast.parse(CHECKER.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


TOUCHING = [[0.0, 0.0], [0.0, 0.0], [1.0, 5.5], [-0.1, 7.0]]
TRAP = [["0.1", "0.3"], ["0.2", "0.6"], ["0.3", "0.9"]]
TRAP_DECIMALS = np.array([[Decimal(v) for v in row] for row in TRAP], dtype=object)
THIRDS = np.array([[Fraction(1, 3)], [Fraction(2, 3)], [Fraction(1)]], dtype=object)


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("offset", [True, False], ids=["offset", "origin"])
def test_each_kind_of_proof_is_accepted(tmp_path, form, offset):
    split = (LOGIC, AND, [3, 2, -4]) if offset else ([[1, 2], [-1, 0]], ["yes", "no"], [1, 0, 0])
    cases = {
        "separable": (*split, Witness(), len(split[0]), 0),
        "overlapping": (LOGIC, XOR, [0, 0, 0], Witness(), 0, 4),
        "quasi-separable": (
            TOUCHING, XOR, np.array([0.1, 0.0, 0.0]), Witness([0, 1], [10**30] * 2), 2, 2),
        "not separable": (TOUCHING, XOR),
    }  # fmt: skip
    for status, (X, y, *claimed) in cases.items():
        stamp = stamp_of(form(X), y, offset)
        proof = Claim(*claimed, stamp) if claimed else Obstruction([0, 1], [3, 3], stamp)
        proof.verify(form(X), y)
        files = write(tmp_path, proof, lines_of(X, y))
        code, message = run_alone(*files)
        assert code == 0, message
        assert run(*files) == (code, message)
        assert message.startswith(f"The proof holds. The data is {status}: ")
        assert proof.status == status
        for words in (f"{len(X)} rows, 2 columns", "the last column", "+ is 'yes', - is 'no'"):
            assert words in message


def test_the_decimal_trap_is_read_as_the_proof_says(tmp_path):
    y = ["yes", "no", "yes"]
    certificate = Obstruction([0, 1, 2], [1, 2, 1], stamp_of(TRAP_DECIMALS, y))
    proof, data = write(tmp_path, certificate, lines_of(TRAP, y))
    assert run(proof, data)[0] == 0
    proof.write_text(proof.read_text().replace('"decimal"', '"binary64"'))
    code, message = run(proof, data)
    assert (code, "its digest is another" in message) == (1, True)
    floats = Obstruction([0, 1, 2], [1, 2, 1], stamp_of(TRAP_DECIMALS.astype(float), y))
    code, message = run(*write(tmp_path, floats, lines_of(TRAP, y)))
    assert (code, "is not zero" in message) == (1, True)


def test_ratios_are_read_as_the_proof_says(tmp_path):
    y = ["yes", "no", "yes"]
    certificate = Obstruction([0, 1, 2], [1, 2, 1], stamp_of(THIRDS, y))
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
    certificate = separator_of_and(label=label)
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
    certificate = separator_of_and()
    proof, data = write(tmp_path, certificate, [])
    data.write_text(content)
    code, message = run(proof, data)
    assert code == 1
    assert reason in message


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_labels_that_the_output_cannot_hold_do_not_end_a_check(tmp_path, monkeypatch, encoding):
    X, y = [[0], [1]], ["é", "日本"]
    claim = Claim([2, -1], Witness(), 2, 0, stamp_of(X, y))
    paths = write(tmp_path, claim, [])
    paths[1].write_text("\n".join(lines_of(X, y)), encoding="utf-8")
    output = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", output)
    assert checker.main([str(path) for path in paths]) == 0


def test_missing_files_and_wrong_usage(tmp_path):
    code, message = run(tmp_path / "no.json", tmp_path / "no.csv")
    assert code == 4
    missing = f"{tmp_path / 'no.json'}: No such file or directory"
    assert message == f"Cannot tell whether the proof holds: {missing}.\n"
    assert run_alone() == (2, "usage: python checker.py proof.json data.csv\n")


@pytest.mark.parametrize("arguments", [[], ["proof.json"], ["a", "b", "c"]])
def test_it_takes_two_files_and_nothing_else(monkeypatch, capsys, arguments):
    monkeypatch.setattr(sys, "argv", [str(CHECKER), *arguments])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(CHECKER), run_name="__main__")
    assert ended.value.code == 2
    assert capsys.readouterr().err == "usage: python checker.py proof.json data.csv\n"


def test_blocks_of_rows_have_the_same_digest_in_both_checkers(tmp_path):
    for n_present in (1, 2, 3, 4):  # about a quarter of the numbers
        few = np.zeros((2, 6))
        few.flat[[0, 4, 7, 11][:n_present]] = 0.5
        for form in (np.array, sparse.csr_matrix):
            expected = stamp_of(form(few), ["no", "yes"]).digest
            assert checker.digest(few.tolist(), [-1, 1]) == expected
    rng = np.random.default_rng(1)
    X = rng.standard_normal((5_000, 2)).round(3)
    X = X[np.abs(X[:, 0]) > 0.1]
    y = ["yes" if x > 0 else "no" for x in X[:, 0]]
    for form in (np.array, sparse.csr_matrix):
        certificate = Claim(np.array([1.0, 0.0, 0.01]), Witness(), len(X), 0, stamp_of(form(X), y))
        assert run(*write(tmp_path, certificate, lines_of(X, y)))[0] == 0
    exact = np.array([[Decimal(str(v)) for v in row] for row in X], dtype=object)
    exact[:4096] = [[Decimal(v % 7 - 3 or 1), Decimal(v)] for v in range(4096)]
    y = ["yes" if x > 0 else "no" for x in exact[:, 0]]
    certificate = Claim([1, 0, 0], Witness(), len(exact), 0, stamp_of(exact, y))  # floats, ratios
    assert run(*write(tmp_path, certificate, lines_of(exact, y)))[0] == 0


# ------------------------------------------------------------------ the first line


@pytest.mark.parametrize("header", [None, True, False])
def test_a_line_of_numbers_is_a_row_whatever_the_proof_says(tmp_path, header):
    """The proof leaves the first row out, and calls it a header."""
    reading = None if header is None else Reading({"header": header})
    certificate = separator_of_and(label="3", reading=reading)
    code, message = run(*write(tmp_path, certificate, ["5,5,no", *lines_of(LOGIC, AND)]))
    assert (code, "the data has 5 rows" in message) == (1, True)
    assert run(*write(tmp_path, certificate, lines_of(LOGIC, AND)))[0] == 0


@pytest.mark.parametrize(
    ("label", "title", "code"),
    [
        ("y", "a,b,y", 0),
        ("y", "a,b,column y", 0),
        ("y", "a,b,no", 1),
        ("y", "5,5,no", 1),
        ("y", "5,5,y", 1),
        ("no", None, 1),
        ("1", "a,b,column 1", 0),
        ("1", "a,b,1", 0),
        ("1", "a,b,y", 1),
        ("3", None, 0),
        ("4", None, 1),
    ],
)
def test_the_label_is_where_the_first_line_or_its_number_says(tmp_path, label, title, code):
    lines = ([] if title is None else [title]) + lines_of(LOGIC, AND)
    proof, data = write(tmp_path, separator_of_and(label=label), lines)
    assert checker.main([str(proof), str(data)]) == code


# ------------------------------------------------------------------ cannot tell


def test_what_is_too_large_is_never_called_false(tmp_path, monkeypatch, capsys):
    proof, data = write(tmp_path, separator_of_and(), lines_of(LOGIC, AND))
    monkeypatch.setattr(checker, "MOST_CELLS", 11)
    assert checker.main([str(proof), str(data)]) == 4
    assert capsys.readouterr().err.startswith("Cannot tell whether the proof holds: 12 numbers")


def test_a_proof_has_at_most_so_many_bytes(tmp_path, monkeypatch):
    proof, data = write(tmp_path, separator_of_and(), lines_of(LOGIC, AND))
    for most, code in ((len(proof.read_bytes()), 0), (len(proof.read_bytes()) - 1, 1)):
        monkeypatch.setattr(checker, "MOST_BYTES", most)
        assert checker.main([str(proof), str(data)]) == code


NEAR = np.array([[1.0, 2.0], [1.0, 2.0], [-3.0, 1.0], [-3.0, 1.0], [0.5, -1.0], [0.5, -1.0]])


def near(X, multiplier, relations=()):
    y = ["no", "yes"] * (len(X) // 2)
    witness = Witness([0], [2**40 + multiplier], 2**40, relations)
    return Claim([0] * (X.shape[1] + 1), witness, 0, len(X), stamp_of(X, y)), y


@pytest.mark.parametrize(("multiplier", "code"), [(0, 0), (1, 0), (1 - 2**40, 4), (2**60, 4)])
def test_a_remainder_is_bounded_or_it_cannot_be_told(tmp_path, multiplier, code):
    certificate, y = near(NEAR, multiplier)
    found, message = run(*write(tmp_path, certificate, lines_of(NEAR.tolist(), y)))
    assert found == code, message


def test_dependent_columns_need_their_relation(tmp_path):
    X = np.column_stack([NEAR, NEAR @ [1.0, -2.0] + 3.0])
    for relation, code in (([1, -2, -1, 3], 0), ([1, -2, -1, 2], 1), ([0, 0, 0, 0], 1), (None, 4)):
        certificate, y = near(X, 1, [] if relation is None else [relation])
        found, message = run(*write(tmp_path, certificate, lines_of(X.tolist(), y)))
        assert found == code, message


@pytest.mark.parametrize("relations", [[[1, -2, -1, 3], [0]], [[0], [1, -2, -1, 3]], [[]]])
def test_relations_of_another_length_prove_nothing(tmp_path, relations):
    """Both with rows in the core and, where the checker looks at no bound, without any."""
    near_rows = np.column_stack([NEAR, NEAR @ [1.0, -2.0] + 3.0])
    settled = Claim([3, 2, -4], Witness([], [], 1, []), 4, 0, stamp_of(LOGIC, AND))
    tables = [(*near(near_rows, 1, [[1, -2, -1, 3]]), near_rows.tolist()), (settled, AND, LOGIC)]
    for certificate, y, X in tables:
        proof, data = write(tmp_path, certificate, lines_of(X, y))
        assert run(proof, data)[0] == 0
        fields = json.loads(proof.read_text())
        fields["relations"] = [[hex(v) for v in relation] for relation in relations]
        proof.write_text(json.dumps(fields))
        code, message = run(proof, data)
        assert code == 1
        assert "too many or few" in message
        with pytest.raises(CertificateError):
            load_certificate(proof).verify(X, y)


def test_a_bound_that_is_too_much_work_is_not_tried(tmp_path, monkeypatch):
    certificate, y = near(NEAR, 1)
    proof, data = write(tmp_path, certificate, lines_of(NEAR.tolist(), y))
    monkeypatch.setattr(checker, "MOST_PRODUCTS", 10)
    with pytest.raises(checker.CannotTellError, match="too much work"):
        checker.check(str(proof), str(data))


def test_a_wide_overlap_without_digits_holds_in_plain_python(tmp_path):
    random = np.random.default_rng(3)
    X, signs = random.standard_normal((900, 60)), random.choice([-1.0, 1.0], 900)
    y = ["yes" if sign > 0 else "no" for sign in signs]
    z = np.column_stack([X, np.ones(900)]) * signs[:, None]
    beyond = np.linalg.lstsq(z.T, -z.sum(axis=0), rcond=None)[0]
    assert beyond.min() > -1.0  # so that these floats balance, but for rounding
    numbers = [round((1.0 + value) * 2**60) for value in beyond.tolist()]
    witness = Witness(range(900), numbers, 2**60, ())
    certificate = Claim([0] * 61, witness, 0, 900, stamp_of(X, y))
    certificate.verify(X, y)
    code, message = run(*write(tmp_path, certificate, lines_of(X.tolist(), y)))
    assert code == 0, message


# ------------------------------------------------------------------ what the proof is about


def test_costs_and_their_unit_are_printed(tmp_path):
    stamp = stamp_of([[0], [0]], ["no", "yes"], label="y")
    proof = Mistakes(
        [0, -1], [1], [3, 2], Fraction(1, 10), [], [([0, 1], [1, 1])], 1, Leaf(((0, 2),)), stamp
    )
    code, message = run(*write(tmp_path, proof, ["x,y", "0,no", "0,yes"]))
    assert code == 0, message
    assert "cost exactly 1/5, where the proof gives each row a cost from 1/5 to 3/10" in message
    assert "in units of 1/10" in message
    assert "the label is column 'y'" in message


def poisson(X, y, witness, n_core, weights=None):
    """The proof of a Poisson model of this design table."""
    data = np.column_stack([X, y])
    width = data.shape[1] - 1
    model, stamp = Model("poisson", ("y",), True), Stamp.of(read_table(data), None, True)
    return Claim(weights or [0] * (width + 1), witness, 0, n_core, stamp, model), data


@pytest.mark.parametrize(
    ("equalities", "factors", "code"),
    [([0, 1], [1, 1], 0), ([0], [2], 1), ([0, 1], [1, 2], 1), ([0, 1], [1, -1], 1),
     ([0, 2], [1, 1], 1)],
)  # fmt: skip
def test_equalities_of_a_model_take_part_in_the_balance(tmp_path, equalities, factors, code):
    """x = 0 and x = 2 are observed with y > 0: a row of y = 0 at x = 1, twice, is between them."""
    design, y = [[0.0], [2.0], [1.0], [1.0]], [1.0, 3.0, 0.0, 0.0]
    proof, data = poisson(design, y, Witness(equalities, factors), 2)
    lines = ["x,y", *(",".join(map(repr, row)) for row in data.tolist())]
    found, message = run(*write(tmp_path, proof, lines))
    assert found == code
    assert code or message == (
        "The proof holds. The data is a model of kind poisson whose estimate is finite: no "
        "direction settles one of its 2 comparisons (4 rows, 2 columns of binary64 numbers; the "
        "last are y; with a constant).\n"
    )


# ------------------------------------------------------------------ the same verdict on anything


def test_no_tampered_proof_is_accepted_by_library_or_checker(fresh_seed):
    seen = tamper(fresh_seed, 2_000)
    for attack in ("file", "claim"):
        assert seen[f"{attack} accepted"]
        assert seen[f"{attack} refused"]
    assert seen["data refused"]
