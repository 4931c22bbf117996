"""The one claim: each sentence at the head of claim.py, and the claim under attack."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from novikoff.certificates import Claim, Obstruction, Stamp, Witness, checker, load_certificate
from novikoff.certificates.certificate import from_dict
from novikoff.certificates.derivation import Derivation, Design, Power
from novikoff.certificates.model import Model
from novikoff.errors import CertificateError
from novikoff.inputs import read_labels, read_table
from tampering import claim_holds, is_unmoved

ROWS = [[0, 1, 0], [0, 1, 0], [0, 2, 1], [0, 0, 1], [0, 0, 1], [3, 1, 1], [-2, 0, 5], [0, 0, 0]]
SIGNS = [1, -1, 0, 1, -1, 1, -1, 1]


def claim_of(weights, witness, n_settled, n_core, n_rows=8, n_columns=3, offset=False):
    stamp = Stamp.of_rows(n_rows, n_columns, offset)
    return Claim(weights, witness, n_settled, n_core, stamp)


def good():
    """A true claim with all its parts: two rows settled, and an equality in the balance.

    3·z_0 + z_1 and 2·z_3 + z_4 leave (0, 2, 1), which is the equality.
    """
    table, signs = read_table(np.array(ROWS, dtype=float)), np.array(SIGNS, dtype=np.int8)
    return claim_of([1, 0, 0, 0], Witness([0, 3, 2], [3, 2, -1]), 2, 5), table, signs


def status_of(X, signs, weights, witness, counts, offset=True):
    table, signs = read_table(np.array(X, dtype=float)), np.array(signs, dtype=np.int8)
    claim = claim_of(weights, witness, *counts, len(X), table.n_columns, offset)
    claim.check(table, signs)
    assert Claim.checked(weights, witness, claim.stamp, table, signs).to_dict() == claim.to_dict()
    return claim.status


# ------------------------------------------------------------------ what it says


def test_settled_rows_are_the_largest_set_that_any_direction_settles():
    claim, table, signs = good()
    claim.check(table, signs)
    assert claim.settled(table, signs).tolist() == [5, 6]
    vectors = [[*map(Fraction, row), Fraction(0)] for row in ROWS]
    assert is_unmoved(vectors, SIGNS, [0, 1, 3, 4, 7])


def test_the_status_is_what_is_settled():
    square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert status_of(square, [-1, 1, 1, -1], [0, 0, 0], Witness(), (0, 4)) == "overlapping"
    assert status_of(square, [-1, -1, -1, 1], [3, 2, -4], Witness(), (4, 0)) == "separable"
    touching = [[0, 0], [0, 0], [1, 5], [-1, 7]]
    assert status_of(touching, [1, -1, 1, -1], [1, 0, 0], Witness(), (2, 2)) == "quasi-separable"


def test_a_multiplier_that_is_not_named_is_1():
    X, signs = [[1.0], [2.0], [1.0]], [-1, 1, -1]
    assert status_of(X, signs, [0, 0], Witness(), (0, 3), False) == "overlapping"
    for rows, multipliers in (([0, 1, 2], [5, 5, 5]), ([0], [1]), ([0, 2], [3, 7])):
        witness = Witness(rows, multipliers, denominator=5)
        if rows == [0]:
            with pytest.raises(CertificateError, match="not zero in column"):
                status_of(X, signs, [0, 0], witness, (0, 3), False)
        else:
            status_of(X, signs, [0, 0], witness, (0, 3), False)


def test_an_obstruction_has_no_equalities():
    claim, table, signs = good()
    with pytest.raises(CertificateError, match="sign"):
        Obstruction([0, 1], [1, 1], claim.stamp).check(table, signs)


@pytest.mark.parametrize(("relation", "is_right"), [([1, -10, 0], True), ([1, -1, 0], False)])
def test_relations_of_a_regression_are_those_of_its_columns(relation, is_right, tmp_path):
    """x_1 = 10·x_2, in tenths, which the library multiplies by 10 to compare them as floats."""
    steps = [1, -1, 3, -3]  # of each case from the other of its set
    data = [[Fraction(s), Fraction(s, 10), 1, k] for k, s in enumerate(steps)]
    data += [[Fraction(0), Fraction(0), 0, k] for k in range(4)]
    table = read_table(np.array([[*map(Fraction, row)] for row in data], dtype=object))
    model, witness = Model("conditional", ("case", "set")), Witness(relations=[relation])
    proof = Claim([0] * 3, witness, 0, 4, Stamp.of(table, None, False), model)
    proof.save(tmp_path / "proof.json")
    lines = [["a", "b", "case", "set"], *data]
    (tmp_path / "rows.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in lines))
    words = [str(tmp_path / "proof.json"), str(tmp_path / "rows.csv")]
    assert checker.main(words) == int(not is_right)
    again = load_certificate(tmp_path / "proof.json")
    longer = replace(again, weights=[0] * 4, witness=Witness((), (), 1, [[*relation, 0]]))
    with pytest.raises(CertificateError, match="the model has 2 coefficients"):
        longer.verify_table(table)
    if is_right:
        again.verify_table(table)
    else:
        with pytest.raises(CertificateError, match="relation"):
            again.verify_table(table)


def test_a_claim_without_a_model_is_not_about_a_table_alone():
    claim, table, _ = good()
    with pytest.raises(CertificateError, match="has no model"):
        claim.verify_table(table)


@pytest.mark.parametrize(("width", "is_fit"), [(1, True), (2, False)])
def test_a_design_makes_as_many_columns_as_the_data_has_beside_the_response(width, is_fit):
    table = read_table(np.array([[1.0] * width + [1.0]] * 2))
    derivation = Derivation("poisson", {"y": "y"}, design=Design(((Power("x"),),)))
    stamp = Stamp.of(table, None, True, None, None, derivation)
    parts = [0] * (width + 1), Witness(), 0, 0, stamp, Model("poisson", ("y",), True)
    if is_fit:
        Claim(*parts).verify_table(table)  # both rows are equalities
        return
    with pytest.raises(CertificateError, match="makes another number"):
        Claim(*parts)


def test_the_row_on_the_wrong_side_is_named():
    table, signs = read_table(np.array([[0.0], [1.0], [-1.0], [-2.0]])), np.ones(4, dtype=np.int8)
    with pytest.raises(CertificateError, match="row 2 is on the wrong side"):
        claim_of([1, 0], Witness(), 0, 4, 4, 1).check(table, signs)


def test_a_model_may_have_no_columns_beside_its_response_and_no_fewer():
    contests = read_table(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]]))
    model = Model("bradley-terry", ("winner", "loser", "result"), classes=2)
    proof = Claim([0, 0], Witness(), 0, 2, Stamp.of(contests, None, False), model)
    proof.verify(contests.matrix)
    with pytest.raises(CertificateError, match="one table"):
        proof.verify(contests.matrix, [0, 1])
    with pytest.raises(CertificateError, match="a weight for a coefficient"):
        replace(proof, weights=[0])
    with pytest.raises(CertificateError, match="has -1 columns beside the response"):
        replace(proof, stamp=Stamp.of(read_table(contests.matrix[:, :2]), None, False))


# ------------------------------------------------------------------ under attack

ATTACKS = {
    "a core row strict": ({"weights": [1, 0, 1, 0]}, "wrong side|equality"),
    "a settled row on the wrong side": ({"weights": [-1, 0, 0, 0]}, "wrong side"),
    "a settled row on the hyperplane": ({"weights": [0, 0, 0, 0]}, "are settled"),
    "a lost multiplier": ({"rows": [0, 2], "multipliers": [3, -1]}, "not zero in column"),
    "another multiplier": ({"multipliers": [3, 3, -1]}, "not zero in column"),
    "a negative multiplier": ({"multipliers": [-3, 2, -1]}, "not positive"),
    "a multiplier of zero": ({"multipliers": [0, 2, -1]}, "not positive"),
    "zero times a row of zeros": ({"rows": [0, 3, 2, 7], "multipliers": [3, 2, -1, 0]}, "not pos"),
    "less times a row of zeros": ({"rows": [0, 3, 2, 7], "multipliers": [3, 2, -1, -1]}, "not pos"),
    "another denominator": ({"denominator": 2}, "not zero in column"),
    "a denominator of zero": ({"denominator": 0}, "positive integer"),
    "a negative denominator": ({"denominator": -1}, "positive integer"),
    "another multiplier of an equality": ({"multipliers": [3, 2, 1]}, "not zero in column"),
    "a forgotten equality": ({"rows": [0, 3], "multipliers": [3, 2]}, "not zero in column"),
    "an equality with the multiplier 0": ({"multipliers": [3, 2, 0]}, "not zero in column"),
    "a settled row with a multiplier": ({"rows": [5, 3, 2]}, "neither in the core"),
    "a multiplier of another row": ({"rows": [0, 2, 3]}, "not positive"),
    "another number of settled rows": ({"n_settled": 3}, "are settled"),
    "another number of core rows": ({"n_core": 4}, "are settled"),
    "a row twice": ({"rows": [0, 0, 2]}, "repeated"),
    "an equality twice": ({"rows": [0, 3, 2, 2], "multipliers": [3, 2, -2, 1]}, "repeated"),
    "a row out of range": ({"rows": [0, 3, 9]}, "out of range"),
    "lists of unequal length": ({"multipliers": [3]}, "one multiplier for each"),
    "a relation that does not hold": ({"relations": [[0, 1, 0, 0]]}, "not hold"),
    "a relation of the offset": ({"relations": [[1, 0, 0, 1]]}, "offset"),
    "a relation of nothing": ({"relations": [[0, 0, 0, 0]]}, "no column"),
    "a relation twice": ({"relations": [[1, 0, 0, 0]] * 2}, "no column"),
    "a relation too short": ({"relations": [[1, 0, 0]]}, "each column"),
}


def made_of(parts):
    """The good claim with other parts."""
    claim, _, _ = good()
    names = ("denominator", "relations", "rows", "multipliers")
    inner = {name: value for name, value in parts.items() if name in names}
    outer = {name: value for name, value in parts.items() if name not in names}
    return replace(claim, witness=replace(claim.witness, **inner), **outer)


def fields_of(parts):
    fields = good()[0].to_dict()
    for key, value in parts.items():
        if key in ("weights", "multipliers"):
            value = [hex(v) for v in value]
        if key == "relations":
            value = [[hex(v) for v in relation] for relation in value]
        fields[key.removeprefix("n_")] = hex(value) if key == "denominator" else value
    return fields


def claims(fields, signs, folder):
    """Whether the library, the stand-alone checker and plain fractions accept these fields."""
    table, answers = good()[1], []
    try:
        from_dict(copy.deepcopy(fields)).check(table, signs)
        answers.append(True)
    except CertificateError:
        answers.append(False)
    (folder / "proof.json").write_text(json.dumps(fields))
    try:
        proof = checker.read_proof(str(folder / "proof.json"))
        checker.check_claim(proof, [[*row, 0] for row in ROWS], list(map(int, signs)))
        answers.append(True)
    except checker.ProofError:
        answers.append(False)
    except checker.CannotTellError:
        answers.append(None)
    if True in answers:
        vectors = [[*map(Fraction, row), Fraction(0)] for row in ROWS]
        assert claim_holds(fields, vectors, list(map(int, signs))), fields
    return answers


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_direction_that_leaves_an_equality_is_refused_by_both_checkers(side):
    X, signs = [[1.0], [side]], [1, 0]
    claim = Claim([1, 0], Witness(), 1, 0, Stamp.of_rows(2, 1, False))
    with pytest.raises(CertificateError, match="row 1 is an equality, and not on"):
        claim.check(read_table(X), np.array(signs))
    fields = {"weights": [1, 0], "settled": 1, "core": 0, "rows": [], "multipliers": [],
              "denominator": 1, "relations": None}  # fmt: skip
    with pytest.raises(checker.ProofError, match="row 1 is an equality, and not on"):
        checker.check_claim(fields, [[*map(int, row), 0] for row in X], signs)


def test_a_proof_about_two_classes_has_no_derivation(tmp_path):
    """Its rows are made from labels and a table: a derivation would say that a model is meant."""
    stamp = Stamp.of(read_table([[0.0], [1.0]]), read_labels(["no", "yes"], 2), True)
    derivation = Derivation("logistic", {"y": "answer"})
    fields = Claim([2, -1], Witness(), 2, 0, stamp).to_dict()
    fields["data"]["derivation"] = derivation.to_dict()
    with pytest.raises(CertificateError, match="or else a model"):
        from_dict(fields)
    (tmp_path / "proof.json").write_text(json.dumps(fields))
    with pytest.raises(checker.ProofError, match="or else a model"):
        checker.read_proof(str(tmp_path / "proof.json"))


@pytest.mark.parametrize("name", ATTACKS)
def test_a_claim_that_was_tampered_with_is_refused_by_both_checkers(tmp_path, name):
    claim, table, signs = good()
    assert claims(claim.to_dict(), signs, tmp_path) == [True, True]
    parts, reason = ATTACKS[name]
    with pytest.raises(CertificateError, match=reason):
        made_of(parts).check(table, signs)
    assert claims(fields_of(parts), signs, tmp_path) == [False, False]


@pytest.mark.parametrize("row", range(len(SIGNS)))
def test_another_sign_is_refused_by_both_checkers_unless_the_claim_is_true_of_it(tmp_path, row):
    claim, _, signs = good()
    vectors = [[*map(Fraction, line), Fraction(0)] for line in ROWS]
    for sign in {-1, 0, 1} - {int(signs[row])}:
        other = signs.copy()
        other[row] = sign
        is_true = claim_holds(claim.to_dict(), vectors, list(map(int, other)))
        assert claims(claim.to_dict(), other, tmp_path) == [is_true] * 2
