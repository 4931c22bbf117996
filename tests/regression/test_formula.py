"""Formulas: their columns come from the reader of all commands, and | means fixed effects."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import novikoff as nk
from command import novikoff
from novikoff.errors import InputError

ODD = {
    "decimal comma": ['"5,1"', '"4,2"', '"3,9"', '"6,6"', '"6,7"'],
    "percent": ["5%", "6%", "7%", "8%", "4%"],
    "date": ["2024-01-02", "2024-01-05", "2024-01-09", "2024-02-02", "2024-02-03"],
    "one word": ["1", "2", "twelve", "4", "5"],
    "late text": ["1", "2"] * 600 + ["A", "1", "2"],
}


def written(path, x, y=None):
    y = [k % 2 for k in range(len(x))] if y is None else y
    path.write_text("x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(x, y, strict=True)))
    return path


@pytest.mark.parametrize("cells", ODD.values(), ids=ODD)
def test_what_is_no_number_is_refused_with_and_without_a_formula(cells, tmp_path):
    path = written(tmp_path / "rows.csv", cells)
    words = ["certify", path, "--model", "logistic"]
    plain, formula = novikoff(*words), novikoff(*words, "--formula", "y ~ x")
    assert plain.returncode == formula.returncode == 1
    assert plain.stderr == formula.stderr


def test_a_formula_takes_the_options_of_reading_and_verify_needs_none(tmp_path):
    path, proof = tmp_path / "rows.csv", tmp_path / "proof.json"
    x, y = [5.1, 4.2, 3.9, 6.6, 6.7, 7.5], [1, 0, 1, 0, 1, 1]
    rows = [f"{a};{b};{'rg'[b]}\n".replace(".", ",") for a, b in zip(x, y, strict=True)]
    path.write_text("x;y;color\n" + "".join([*rows, "NA;1;r\n", "9,5;0;r\n"]))
    done = novikoff("certify", path, "--model", "logistic", "--formula", "y ~ I(x**2) + color",
                    "--decimal", ",", "--missing", "drop", "--proof", proof, "--json")  # fmt: skip
    found = json.loads(done.stdout)
    color = ["rg"[b] for b in y] + ["r"]
    frame = pd.DataFrame({"x": [*x, 9.5], "y": [*y, 0], "color": color})
    here = nk.certify_regression("y ~ I(x**2) + color", data=frame, model="logistic")
    assert (found["status"], found["infinite"]) == (here.status, dict(here.infinite))
    assert found["separated"] == [row if row < 6 else 7 for row in here.separated]
    assert found["label"] == "y"
    checked = novikoff("verify", proof, path)
    assert checked.returncode == 0, checked.stderr


def test_a_factor_has_the_levels_that_labels_would_be(tmp_path):
    cells = ["02134", "2134", "2134", "02134", "02134", "2134", "10", "9"]
    path = written(tmp_path / "rows.csv", cells)
    words = ["certify", path, "--model", "poisson", "--json", "--formula"]
    found = json.loads(novikoff(*words, "y ~ C(x)").stdout)
    frame = pd.DataFrame({"x": cells, "y": [k % 2 for k in range(8)]})
    assert (
        tuple(found["coefficients"])
        == nk.certify_regression("y ~ C(x)", data=frame, model="poisson").coefficients
    )
    path = written(tmp_path / "rows.csv", ["10", "9", "9.0", "1e1", "9", "10"])
    found = json.loads(novikoff(*words, "y ~ C(x)").stdout)
    assert found["coefficients"] == ["Intercept", "C(x)[T.10.0]"]  # 9 is less


@pytest.fixture
def panel():
    rng = np.random.default_rng(0)
    n = 60
    frame = pd.DataFrame({"x": rng.normal(size=n).round(2), "g": rng.integers(1, 12, n),
                          "h": rng.choice(list("abc"), n)})  # fmt: skip
    frame["y"] = rng.poisson(1, n) * (frame.g != 4) * ~((frame.g == 7) & (frame.h == "b"))
    return frame


@pytest.mark.parametrize(
    ("effects", "columns"),
    [("g", "C(g)"), ("g + h", "C(g) + C(h)"), ("g^h", "C(gh)"), ("`g` + 0", "C(g)")],
)
def test_fixed_effects_are_indicators(effects, columns, panel, tmp_path):
    panel["gh"] = panel.g.astype(str).str.rjust(2) + panel.h
    one = nk.certify_regression(f"y ~ x | {effects}", data=panel, model="poisson")
    other = nk.certify_regression(f"y ~ x + {columns}", data=panel, model="poisson")
    assert (one.status, list(one.separated)) == (other.status, list(other.separated))
    assert len(one.coefficients) == len(other.coefficients)
    assert sorted(one.infinite.values()) == sorted(other.infinite.values())
    panel.to_csv(tmp_path / "panel.csv", index=False)
    words = ["certify", tmp_path / "panel.csv", "--model", "poisson", "--json"]
    found = json.loads(novikoff(*words, "--formula", f"y ~ x | {effects}").stdout)
    assert (found["separated"], found["infinite"]) == (list(one.separated), dict(one.infinite))
    assert any("fixed effects after |" in note for note in found["notes"])


@pytest.mark.parametrize("formula", ["y ~ x | g[x]", "y ~ x | g | x ~ h", "y ~ x + (1 | g)"])
def test_what_is_no_fixed_effect_is_one_sentence(formula, panel):
    with pytest.raises(InputError, match=r"after \||more than one ~|random effect"):
        nk.certify_regression(formula, data=panel, model="poisson")


def test_text_that_a_formula_makes_levels_is_said_and_mixed_with_numbers_refused():
    frame = pd.DataFrame({"y": [0, 1, 1, 0, 1], "x": ["5,1", "4,2", "3,9", "6,6", "6,7"]})
    fit = nk.certify_regression("y ~ x", data=frame, model="logistic")
    assert any("'x' (5 levels; the reference is '3,9')" in note for note in fit.notes)
    frame["x"] = pd.Series([1, 2, "1", "A", 2], dtype=object)
    with pytest.raises(InputError, match="'x' of data mixes values of types int and str"):
        nk.certify_regression("y ~ x", data=frame, model="logistic")
