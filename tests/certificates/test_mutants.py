"""What tries mutants of the checker makes each of them, and the page of evidence keeps the rest.

Tests for mutants that had survived, and that change an answer, stand here too.
"""

from __future__ import annotations

import ast
import types
from fractions import Fraction

import mutants
import numpy as np
import pytest

from novikoff.certificates import Claim, Reading, Stamp, Witness
from novikoff.certificates.comparisons import comparisons
from novikoff.certificates.derivation import Derivation, Design, Levels, Power
from novikoff.certificates.model import Model
from novikoff.errors import CertificateError
from novikoff.inputs import read_table


def codes(tree):
    compiled = compile(mutants.without_identities(tree), "x", "exec")
    return [
        (code.co_code, code.co_names, [c for c in code.co_consts if type(c) is not types.CodeType])
        for code in mutants.code_objects(compiled)
    ]


@pytest.mark.parametrize("name", ["obstruction.py", "fields.py"])
def test_each_mutant_is_another_program(name):
    """Some changes of a constant of the compiler's own folding would be none; there is no such."""
    source = (mutants.ROOM / name).read_text()
    found = list(mutants.mutants_of(mutants.ROOM / name))
    assert len(found) > 20
    usual = codes(ast.parse(source))
    for mutant in found:
        tree = ast.parse(source)
        list(mutants.changes(tree))[mutant.number][2].apply()
        assert codes(tree) != usual, mutant


@pytest.mark.parametrize(
    ("old", "new"),
    [("a < 3", "a <= 3"), ("a and b", "a or b"), ("x + y", "x - y"), ("i not in t", "i in t"),
     ("7", "8"), ("-x", "+x"), ("a if b else c", "a if True else c")],
)  # fmt: skip
def test_each_kind_of_operation_has_its_change(old, new):
    node = ast.parse(old, mode="eval").body
    next(mutants.changes_of(node)).apply()
    assert ast.unparse(node) == new


def test_a_mutant_reaches_whoever_has_imported_its_function():
    """`put_in` replaces the code, and not the function: other modules hold that already."""
    from novikoff.certificates import checker
    from novikoff.certificates.checker import whole as held

    usual = held.__code__
    found = [m for m in mutants.mutants_of(mutants.ROOM / "checker.py") if m.function == "whole"]
    product = next(m for m in found if m.what.startswith("Mult"))
    try:
        mutants.put_in(product)
        assert checker.whole is held
        assert held([[3]]) == ([[4]], 1)
    finally:
        held.__code__ = usual
    assert held([[3]]) == ([[3]], 1)


def test_messages_are_not_changed():
    source = "def f(a):\n    if a:\n        raise ValueError(f'{a + 1} is 2')\n    return 'x'\n"
    what = [ast.unparse(node) for _, node, _ in mutants.changes(ast.parse(source))]
    assert not [text for text in what if text in ("a + 1", "'x'")]


# ------------------------------------------------------------------ for mutants that had survived


def exact_table(*rows):
    return read_table(np.array([[*map(Fraction, row)] for row in rows], dtype=object))


def test_levels_but_one_make_a_column_each():
    design = Design(((), (Power("x", 2),), (Levels("g", ("a", "b", "c"), "b"), Power("x"))))
    assert design.n_columns == 4
    assert [*design.names()] == ["Intercept", "I(x ** 2)", "g[T.a]:x", "g[T.c]:x"]
    whole = Design(((Levels("g", ("a", "b")),),))
    assert (whole.n_columns, [*whole.names()]) == (2, ["g[a]", "g[b]"])


X, G = {"column": "x", "power": 2}, {"column": "g", "levels": ["a", "b"], "without": "b"}
WAYS = {
    "a design of terms": (Derivation, {"design": [[], [X], [G, {**X, "power": 1}]]}, None),
    "columns as they were read": (Derivation, {}, None),
    "a power of zero": (Derivation, {"design": [[{**X, "power": 0}]]}, "power that is not from 1"),
    "a large power": (Derivation, {"design": [[{**X, "power": 101}]]}, "power that is not from 1"),
    "a level twice": (Derivation, {"design": [[{**G, "levels": ["b", "b"]}]]}, "repeats a level"),
    "another level": (Derivation, {"design": [[{**G, "without": "c"}]]}, "repeats a level"),
    "a factor that is no object": (Derivation, {"design": [[5]]}, "not a JSON object"),
    "a term that is no list": (Derivation, {"design": [X]}, "not a list of lists"),
    "a formula": (Derivation, {"design": "x + g"}, "not a list of lists"),
    "runs of rows": (Reading, {"left_out": [[0, 2], [2, 1]]}, None),
    "runs that meet": (Reading, {"left_out": [[0, 2], [1, 1]]}, "not pairs in order"),
    "a run of nothing": (Reading, {"left_out": [[0, 0]]}, "not pairs in order"),
    "three numbers": (Reading, {"left_out": [[0, 1, 2]]}, "not pairs in order"),
    "a run without end": (Reading, {"left_out": [[1, 2**53]]}, "more rows are left out"),
}


@pytest.mark.parametrize("name", WAYS)
def test_how_rows_were_made_is_read_as_it_was_written_or_refused(name):
    kind, change, reason = WAYS[name]
    usual = Derivation("probit", {"y": "answer"}) if kind is Derivation else Reading({"label": 1})
    fields = {**usual.to_dict(), **change}
    if reason is None:
        assert kind.from_dict(fields).to_dict() == fields
    else:
        with pytest.raises(CertificateError, match=reason):
            kind.from_dict(fields)


def test_one_class_has_nothing_to_compare_with():
    table = exact_table([1], [2])
    for name in ("multinomial", "ordinal"):
        with pytest.raises(CertificateError, match="one class only"):
            comparisons(table, {"class": [0, 0]}, Model(name, ("class",), classes=1))
    with pytest.raises(CertificateError, match="needs a design table"):
        comparisons(None, {"y": [0, 1]}, Model("logistic", ("y",)))


def test_a_reading_counts_the_rows_that_were_left_out():
    reading = Reading.of({"encoding": {"g": ["a", "b"]}}, ["a note"], np.array([0, 3, 4, 7]))
    assert reading.left_out == ((0, 1), (3, 2), (7, 1))
    assert [reading.number(row) for row in range(5)] == [1, 2, 5, 6, 8]
    assert reading.numbers(np.arange(5)).tolist() == [1, 2, 5, 6, 8]
    again = Reading.from_dict(reading.to_dict())
    assert (again.options, again.notes, again.left_out) == (
        reading.options, reading.notes, reading.left_out,
    )  # fmt: skip
    assert reading.of_rows(np.array([1, 4]), 5).left_out == ((0, 2), (3, 5))


def test_weights_of_columns_in_tenths_are_carried_out_and_back():
    """x is 0.1 where class 1 is, and -0.1 where class 0 is: the weight of x makes it infinite."""
    table = exact_table(["1/10", 1], ["-1/10", 0], ["1/10", 1], ["-1/10", 0])
    model = Model("multinomial", ("class",), True, classes=2)
    rows = comparisons(
        exact_table(["1/10"], ["-1/10"], ["1/10"], ["-1/10"]), {"class": [1, 0, 1, 0]}, model
    )
    assert rows.scale == (Fraction(10), 1)
    stamp = Stamp.of_rows(rows.table.n_rows, rows.table.n_columns, rows.offset)
    claim = Claim.checked([3, 0, 0], Witness(), stamp, rows.table, rows.signs)
    proof = claim.of_model(rows, model, Stamp.of(table, None, True))
    assert proof.weights == (30, 0, 0)
    proof.verify_table(table)
    assert rows.inward(proof.weights) == [3, 0, 0]


def test_long_numbers_of_a_design_are_not_rounded():
    long = 2**53 + 1
    rows = comparisons(
        exact_table([long], ["1/3"]), {"class": [1, 0]}, Model("multinomial", ("class",), classes=2)
    )
    assert rows.table.exact is not None
    factor = Fraction(rows.scale[0]) if rows.scale else 1
    assert [Fraction(v) / factor for v in rows.table.exact.ravel()] == [long, -Fraction(1, 3)]


@pytest.mark.parametrize(("number", "is_fine"), [("1/3", True), ("1/" + "9" * 400, False)])
def test_floats_prove_no_balance_of_numbers_that_are_0_as_floats(number, is_fine):
    table, signs = exact_table([number], [number]), np.array([1, -1])
    claim = Claim([0, 0], Witness(relations=()), 0, 2, Stamp.of_rows(2, 1, False))
    if is_fine:
        claim.check(table, signs)
        return
    with pytest.raises(CertificateError, match="too small"):
        claim.check(table, signs)
