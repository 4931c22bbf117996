"""`novikoff certify --model`: from a file to an answer that a script can tell, and to a proof."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import novikoff as nk
from command import novikoff
from novikoff.certificates import checker

SHARED = Path(__file__).parents[3] / "shared" / "data"  # real data, where it is at hand
COUNTS = {"01": 2, "02": 1, "03": 2, "04": 83, "05": 1, "06": 1, "07": 4, "08": 1, "09": 0,
          "example1": 1, "example2": 9, "fe1": 4, "fe2": 5}  # fmt: skip


@pytest.fixture
def table(tmp_path):
    """One file with a column for every role."""
    path = tmp_path / "d.csv"
    rng = np.random.default_rng(5)
    lines = ["x,color,count,trials,group,days,died,since,home,away"]
    for i in range(24):
        count = int(rng.integers(0, 3)) if i % 3 else 0
        cells = [rng.integers(0, 90) / 10, ["red", "blue", "green"][i % 3], count, 3, f"g{i % 6}",
                 3 + int(rng.integers(0, 9)), int(rng.integers(0, 2)), int(rng.integers(0, 3)),
                 "abc"[i % 3], "bca"[i % 3] if i // 5 % 3 == 0 else "d"]  # fmt: skip
        lines.append(",".join(map(str, cells)))
    path.write_text("\n".join(lines) + "\n")
    return path


MODELS = {
    "logistic": ["--label", "died", "--drop", "home", "--drop", "away"],
    "probit": ["--label", "died", "--drop", "home", "--drop", "away", "--no-intercept"],
    "binomial": ["--label", "count", "--trials", "trials", "--drop", "home", "--drop", "away"],
    "poisson": ["--label", "count", "--drop", "home", "--drop", "away"],
    "multinomial": ["--label", "home", "--reference", "b", "--drop", "group", "--drop", "away"],
    "ordinal": ["--label", "count", "--drop", "home", "--drop", "away"],
    "conditional": ["--label", "died", "--groups", "group", "--drop", "home", "--drop", "away"],
    "cox": ["--time", "days", "--event", "died", "--entry", "since", "--strata", "color",
            "--drop", "home", "--drop", "away", "--ties", "exact"],
    "bradley-terry": ["--winner", "home", "--loser", "away", "--drop", "color", "--drop", "group"],
}  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
def test_every_model_goes_from_a_file_to_a_proof_that_both_checkers_accept(model, table, tmp_path):
    proof, rows, again = (tmp_path / name for name in ("p.json", "r.csv", "s.csv"))
    base = ["certify", table, "--model", model, *MODELS[model]]
    done = novikoff(*base, "--proof", proof, "--rows", rows, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["status"] in ("finite", "infinite")
    assert found["model"] == model
    assert (found["infinite"] == {}) == (found["status"] == "finite")
    verified = novikoff("verify", proof, table, "--rows", again)
    assert verified.returncode == 0, verified.stderr
    assert f"is {found['status']}" in verified.stdout
    assert again.read_bytes() == rows.read_bytes()
    assert checker.main([str(proof), str(rows)]) == 0
    plain = json.loads(novikoff("verify", proof, table, "--json").stdout)
    assert (plain["valid"], plain["status"]) == (True, found["status"])
    other = "finite" if found["status"] == "infinite" else "infinite"
    assert novikoff(*base, "--require", found["status"]).returncode == 0
    refused = novikoff(*base, "--require", other)
    assert refused.returncode == 3
    assert f"the estimate is {found['status']}; {other} was required" in refused.stderr
    text = table.read_text()
    first = text.splitlines()[1]
    table.write_text(text.replace(first, first.replace(first.split(",")[0], "77.25", 1), 1))
    assert novikoff("verify", proof, table).returncode == 1


def test_a_formula_is_derived_again_from_the_file(table, tmp_path):
    proof = tmp_path / "p.json"
    base = ["certify", table, "--model", "poisson", "--formula", "count ~ x + C(color)"]
    done = novikoff(*base, "--proof", proof)
    assert done.returncode == 0, done.stderr
    assert "C(color)[T.red]" in done.stdout
    assert novikoff("verify", proof, table).returncode == 0
    assert (
        novikoff("certify", table, "--model", "poisson", "--formula", "count ~ x +").returncode == 1
    )
    cox = novikoff("certify", table, "--model", "cox", "--formula", "x", "--time", "days",
                   "--event", "died")  # fmt: skip
    assert cox.returncode == 0, cox.stderr


def test_undecided_is_neither_finite_nor_infinite(table):
    base = ["certify", table, "--model", "poisson", "--label", "count", "--time-limit", "1e-9"]
    done = novikoff(*base, "--json")
    assert json.loads(done.stdout)["status"] == "undecided"
    assert novikoff(*base, "--require", "finite").returncode == 3
    assert novikoff(*base, "--require", "infinite").returncode == 3
    assert novikoff(*base, "--require", "undecided").returncode == 0


def test_the_report_has_coefficients_observations_and_the_proof(table, tmp_path):
    page = tmp_path / "r.html"
    base = ["certify", table, "--model", "poisson", *MODELS["poisson"], "--json"]
    found = json.loads(novikoff(*base, "--report", page).stdout)
    text = page.read_text()
    assert found["status"] == "infinite"
    for part in (*found["coefficients"], "Download proof.json", "novikoff verify", "checker.py"):
        assert part in text, part
    assert text.count("<tr>") > len(found["coefficients"]) + len(found["separated"])
    assert "http" not in text.split("</style>")[1]


def test_rows_left_out_keep_their_numbers(table):
    lines = table.read_text().splitlines()
    lines[2] = "," + lines[2].split(",", 1)[1]
    table.write_text("\n".join(lines) + "\n")
    base = ["certify", table, "--model", "poisson", *MODELS["poisson"], "--json"]
    assert novikoff(*base).returncode == 1
    found = json.loads(novikoff(*base, "--missing", "drop").stdout)
    assert found["n_rows"] == 23
    assert set(found["separated"]) <= set(range(0, 24, 3))
    assert max(found["separated"]) == 21


def test_the_published_poisson_sets_row_by_row():
    """Every row that others found with Stata, and no other; passes over what is not at hand."""
    for name, count in COUNTS.items():
        path = SHARED / "poisson" / f"{name}.csv"
        if not path.exists():
            continue
        with path.open() as file:
            rows = list(csv.DictReader(file))
        effects = [c for c in rows[0] if c.startswith("id") or c in ("i", "j")]
        words = [word for column in effects for word in ("--categorical", column)]
        words += ["--drop", "separated"] * ("separated" in rows[0])
        done = novikoff("certify", path, "--model", "poisson", "--label", "y", *words, "--json")
        found = json.loads(done.stdout)
        assert len(found["separated"]) == count, name
        if "separated" in rows[0]:
            told = [i for i, row in enumerate(rows) if row["separated"] == "1"]
            assert found["separated"] == told, name


def test_published_examples_where_they_are_at_hand():
    """Endometrial cancer: only NV, to +∞. The lizards: finite."""
    path = SHARED / "endometrial.csv"
    if path.exists():
        done = novikoff("certify", path, "--model", "logistic", "--label", "HG", "--json")
        assert json.loads(done.stdout)["infinite"] == {"NV": "+"}
    path = SHARED / "lizards.csv"
    if path.exists():
        with path.open() as file:
            rows = list(csv.DictReader(file))
        import pandas

        X = pandas.DataFrame(rows)[["height", "diameter", "light", "time"]]
        y = [[float(row["grahami"]), float(row["opalinus"])] for row in rows]
        assert nk.certify_regression(X, y, model="binomial").status == "finite"


def test_signs_names_what_is_infinite_however_much_it_is(table, monkeypatch):
    """Of large data the answer says which option finds it, and that option does."""
    monkeypatch.setattr("novikoff.regression.verdict.MOST_NUMBERS_UNASKED", 0)
    asked = ["certify", str(table), "--model", "poisson", "--label", "count", "-q"]
    asked += ["--drop", "home", "--drop", "away"]
    short = " ".join(novikoff(*asked).stdout.split())
    assert "some coefficients are infinite; --signs finds out which" in short
    assert json.loads(novikoff(*asked, "--json").stdout)["infinite"] is None
    found = json.loads(novikoff(*asked, "--signs", "--json").stdout)["infinite"]
    monkeypatch.undo()
    assert found == json.loads(novikoff(*asked, "--json").stdout)["infinite"]
    assert found
