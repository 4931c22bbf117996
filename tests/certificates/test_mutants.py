"""What tries mutants of the checker makes each of them, and the page of evidence keeps the rest.

Tests for mutants that had survived, and that change an answer, stand here too.
"""

from __future__ import annotations

import ast
import types

import mutants
import pytest


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
        assert held([3]) == ([4], 1)
    finally:
        held.__code__ = usual
    assert held([3]) == ([3], 1)


def test_messages_are_not_changed():
    source = "def f(a):\n    if a:\n        raise ValueError(f'{a + 1} is 2')\n    return 'x'\n"
    what = [ast.unparse(node) for _, node, _ in mutants.changes(ast.parse(source))]
    assert not [text for text in what if text in ("a + 1", "'x'")]
