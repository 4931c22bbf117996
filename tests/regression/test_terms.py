"""A formula's design in the grammar of proofs: formulaic's own table, rebuilt without formulaic."""

from __future__ import annotations

import json
import sys

import numpy as np
import pandas
import pytest

import novikoff as nk
from command import novikoff
from novikoff.certificates import checker
from novikoff.certificates.derivation import Derivation, Design, Levels, Power
from novikoff.errors import CertificateError, InputError
from novikoff.regression.terms import table_of

formulaic = pytest.importorskip("formulaic")

FRAME = pandas.DataFrame(
    {
        "y": [0, 1, 0, 1, 1, 0, 0, 1],
        "x": [1.5, 2.25, 3, 4, -5.125, 6, 2, 1],
        "z": [2, 1, 3, 5, 2, 1, 7, 8],
        "g": list("abcabcab"),
        "k": [1, 2, 3, 1, 2, 3, 2, 3],
        "odd": ["[T.b]", "a:b", "~", "[T.b]", "é ü", "~", "a:b", "é ü"],
        "my col": [3, 1, 4, 1, 5, 9, 2, 6],
        "half": [0.5, 1.5, 0.5, 1.5, 2, 2, 0.5, 2],
        "b": [True, False, True, False, True, True, False, False],
        "one": ["u"] * 8,
    }
)
IN_THE_GRAMMAR = [
    "x + g", "0 + g", "-1 + x + C(k)", "g:x", "g * C(k)", "0 + g + g:C(k)", "g + g:z", "odd * x",
    "C(k, contr.treatment(3))", "C(g, levels=['c', 'a', 'b']) + 0", "I(x ** 2)", "I(x**3) + {z**2}",
    "I(x * z) + `my col`", "C(`my col`)", "I(`my col` ** 2):g", "x:z:`my col`", "(x + z + g) ** 2",
    "C(half):x", "b + b:g", "one + x", "C(b)", "1", ".", "C(k):C(g):odd", "x - 1 + one",
]  # fmt: skip
NOT_IN_IT = [
    "np.log(x + 6)", "center(x)", "poly(x, 2)", "bs(z, df=4)", "C(k, contr.sum)", "2:x", "x.abs()",
    "I(x + z)", "scale(z)", "C(k, contr.poly)",
    "hashed(g, levels=2)", "I(z ** 0.5)", "I(x ** -1)", "{x if x is None else z}",
]  # fmt: skip


def said(proof):
    return json.loads(proof.read_text())["data"]["derivation"]


@pytest.fixture
def folder(tmp_path):
    FRAME.to_csv(tmp_path / "data.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("right", IN_THE_GRAMMAR)
def test_the_design_is_formulaics(right):
    fit = nk.certify_regression(f"y ~ {right}", model="logistic", data=FRAME)
    assert fit.given.described is not None
    left, design = fit.given.described
    everything = " + ".join(f"`{name}`" for name in FRAME if name != "y")
    theirs = formulaic.Formula(everything if right == "." else right).get_model_matrix(FRAME)
    ours = table_of(design, FRAME, len(FRAME)).dense_rows(slice(None))
    np.testing.assert_allclose(ours, theirs.to_numpy(dtype=float), rtol=1e-15)
    assert left == "y"
    assert fit.given.design_names == list(theirs.columns)
    made = Derivation("logistic", {}, design=design)
    assert Derivation.from_dict(json.loads(json.dumps(made.to_dict()))) == made


@pytest.mark.parametrize("right", NOT_IN_IT)
def test_what_the_grammar_has_not_is_no_part_of_a_proof(right):
    fit = nk.certify_regression(f"y ~ {right}", model="logistic", data=FRAME)
    assert fit.given.described is None


def test_a_proof_of_a_formula_is_verified_without_formulaic(folder, monkeypatch):
    proof, data = folder / "p.json", folder / "data.csv"
    formula = "y ~ I(x**3) + C(k, contr.treatment(2)):x + odd"
    done = novikoff("certify", data, "--model", "logit", "--formula", formula, "--proof", proof)
    assert done.returncode == 0, done.stderr
    monkeypatch.setitem(sys.modules, "formulaic", None)
    done = novikoff("verify", proof, data)
    assert done.returncode == 0, done.stderr
    assert "y is 'y'" in done.stdout
    assert "formula" not in said(proof)
    data.write_text(data.read_text().replace("é ü", "other"))
    done = novikoff("verify", proof, data)
    assert (done.returncode, "other" in done.stderr) == (1, True)


def test_a_proof_of_another_formula_is_checked_by_its_rows(folder):
    proof, data, rows = folder / "p.json", folder / "data.csv", folder / "rows.csv"
    asked = ("certify", data, "--model", "poisson", "--formula", "z ~ np.log(x + 6)")
    done = novikoff(*asked, "--proof", proof)
    assert (done.returncode, "--rows" in done.stderr) == (0, True)
    assert said(proof)["design"] is None
    done = novikoff("verify", proof, data)
    assert (done.returncode, "cannot be rebuilt" in done.stderr) == (1, True)
    assert novikoff(*asked, "--proof", proof, "--rows", rows).returncode == 0
    assert checker.main([str(proof), str(rows)]) == 0


def test_rows_that_lack_a_value_are_left_out_again(folder):
    proof, data = folder / "p.json", folder / "data.csv"
    data.write_text(data.read_text().replace("2.25", "").replace(",c,", ",,", 1))
    asked = ("certify", data, "--model", "logistic", "--formula", "y ~ x:g", "--proof", proof)
    assert novikoff(*asked).returncode == 1
    assert novikoff(*asked, "--missing", "drop").returncode == 0
    assert json.loads(proof.read_text())["data"]["rows"] == 6
    assert novikoff("verify", proof, data).returncode == 0


def test_a_design_is_of_its_columns_and_levels_alone():
    design = Design(((), (Levels("g", ("a", "b", "c"), "b"), Power("x", 2))))
    found = table_of(design, FRAME, 8)
    x, g = FRAME["x"].to_numpy(), FRAME["g"].to_numpy()
    expected = np.column_stack([np.ones(8), (g == "a") * x * x, (g == "c") * x * x])
    assert np.array_equal(found.dense_rows(slice(None)), expected)
    assert list(found.names) == ["Intercept", "g[T.a]:I(x ** 2)", "g[T.c]:I(x ** 2)"]
    with pytest.raises(InputError, match="no column 'w'"):
        table_of(Design(((Power("w"),),)), FRAME, 8)
    with pytest.raises(InputError, match="needs numbers"):
        table_of(Design(((Power("g"),),)), FRAME, 8)


@pytest.mark.parametrize(
    "design",
    [
        [[{"column": "x", "power": 0}]],
        [[{"column": "x", "power": 10**6}]],
        [[{"column": "x", "power": True}]],
        [[{"column": ["x"], "power": 1}]],
        [[{"column": "x", "call": "exp"}]],
        [[{"column": "g", "levels": ["a", "a"], "without": None}]],
        [[{"column": "g", "levels": ["a", 1], "without": None}]],
        [[{"column": "g", "levels": ["a"], "without": "b"}]],
        [{"column": "x", "power": 1}],
        "y ~ x",
    ],
)
def test_what_is_no_term_is_refused(design):
    whole = Derivation("logit", {"y": "y"}).to_dict()
    assert Derivation.from_dict(whole).design == "columns"
    with pytest.raises(CertificateError):
        Derivation.from_dict({**whole, "design": design})
