"""`--resume` goes on only on the rows that a model has learnt from, unless it is told otherwise."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

import novikoff as nk
from command import novikoff
from novikoff.io.rows_digest import digest_of_rows
from novikoff.model_format import model_bytes

ROWS = ["1,2,p", "2,1,n", "3,5,p", "4,1,n", "6,2,n", "2,7,p"]
HARD = [*ROWS, "3,5,n", "1,2,n"]  # no hyperplane separates these


def table(path, rows, header="a,b,y"):
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def fit(data, model, *words):
    return novikoff("fit", data, "-o", model, "--json", *words)


OTHERS = {
    "a value": lambda rows: ["1,2.5,p", *rows[1:]],
    "a label": lambda rows: ["1,2,n", *rows[1:]],
    "the order": lambda rows: [rows[1], rows[0], *rows[2:]],
    "a row more": lambda rows: [*rows, "9,1,n"],
    "a row less": lambda rows: rows[:-1],
    "columns swapped": lambda rows: [",".join(np.array(r.split(","))[[1, 0, 2]]) for r in rows],
    "all labels": lambda rows: [r.replace("p", "q") for r in rows],
}


@pytest.mark.parametrize("what", OTHERS)
@pytest.mark.parametrize("rows", [ROWS, HARD], ids=["converged", "not converged"])
def test_other_rows_are_refused_and_the_model_stays(what, rows, tmp_path):
    model = tmp_path / "m"
    assert fit(table(tmp_path / "d.csv", rows), model).returncode == 0
    before = model.read_bytes()
    other = table(tmp_path / "other.csv", OTHERS[what](rows))
    done = fit(other, model, "--resume", "--passes", "200")
    assert (done.returncode, done.stdout) == (1, "")
    assert "has learnt from other rows than those of" in done.stderr
    assert "--new-data" in done.stderr
    assert model.read_bytes() == before


def test_the_same_rows_go_on_however_they_are_read(tmp_path):
    data, model = table(tmp_path / "d.csv", HARD), tmp_path / "m"
    whole = fit(data, tmp_path / "whole", "--passes", "7")
    fit(data, model, "--passes", "3")
    shutil.copy(data, tmp_path / "copy.csv")
    assert fit(tmp_path / "copy.csv", model, "--passes", "4", "--resume").returncode == 0
    assert fit(data, model, "--passes", "5", "--resume", "--cache").returncode == 0
    assert fit(data, model, "--passes", "6", "--resume", "--cache").returncode == 0  # mapped
    done = novikoff("fit", "-", "-o", model, "--passes", "7", "--resume", stdin=data.read_text())
    assert done.returncode == 0, done.stderr
    assert model.read_bytes() == (tmp_path / "whole").read_bytes()
    assert json.loads(whole.stdout)["passes"] == 7


def test_new_data_said_aloud_is_learnt_and_counted_anew(tmp_path):
    model = tmp_path / "m"
    fit(table(tmp_path / "d.csv", ROWS), model)
    assert nk.load(model).converged_
    other = table(tmp_path / "other.csv", ["5,1,2,p", "9,2,1,n", "7,1,2,n"], "id,a,b,y")
    done = fit(other, model, "--resume", "--new-data", "--passes", "3")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert (facts["converged"], facts["passes"], facts["rows"]) == (False, 3, 3)
    weights = nk.load(model)
    assert facts["mistakes"] == weights.n_mistakes_ >= 3
    # columns are found by their names, as predict finds them, and passes are the textbook's
    X, y = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]]), ["p", "n", "n"]
    expected = nk.Perceptron(random_state=0, max_iter=100).fit(*nk.read(tmp_path / "d.csv"))
    for _ in range(3):
        expected.partial_fit(X, y)
    assert np.array_equal(weights.coef_, expected.coef_)
    assert fit(other, model, "--resume", "--drop", "id", "--passes", "4").returncode == 0


def test_one_more_pass_is_made_before_a_clean_one_is_claimed(tmp_path):
    model = tmp_path / "m"
    fit(table(tmp_path / "d.csv", ROWS), model, "--passes", "50")
    passes = nk.load(model).n_iter_
    assert passes > 1
    done = fit(table(tmp_path / "e.csv", ROWS[::-1]), model, "--resume", "--new-data")
    facts = json.loads(done.stdout)
    assert (facts["converged"], facts["passes"], facts["mistakes"]) == (True, 1, 0)


def test_a_model_that_does_not_know_its_rows_says_so_and_asks(tmp_path):
    data, model = table(tmp_path / "d.csv", ROWS), tmp_path / "m"
    clf = nk.Perceptron(random_state=0, max_iter=100).fit(nk.read(data))
    fitted = {n: v for n, v in vars(clf).items() if n not in clf.get_params()}
    model.write_bytes(model_bytes("Perceptron", clf.get_params(), fitted))
    assert nk.load(model).converged_
    done = fit(data, model, "--resume")
    assert done.returncode == 1
    assert "does not say which rows it has learnt from" in done.stderr
    assert fit(data, model, "--resume", "--new-data").returncode == 0
    assert fit(data, model, "--resume").returncode == 0  # now it knows


def test_learning_in_python_makes_the_digest_untrue(tmp_path):
    data, model = table(tmp_path / "d.csv", ROWS), tmp_path / "m"
    fit(data, model)
    clf = nk.load(model)
    assert clf.rows_digest_ == digest_of_rows(*nk.read(data), names=("a", "b"))
    clf.partial_fit([[9.0, 9.0]], ["p"])
    clf.save(model)
    assert "does not say which rows" in fit(data, model, "--resume").stderr


def test_equal_rows_have_equal_digests_whatever_holds_them():
    X, y = np.arange(12.0).reshape(4, 3), np.array(["a", "bcd", "a", "é"])
    digest = digest_of_rows(X, y)
    assert digest == digest_of_rows(np.asfortranarray(X), y.astype("U64"))
    assert digest == digest_of_rows(np.repeat(X, 2, axis=0)[::2], y)
    assert digest == digest_of_rows(X.astype(">f8"), y)
    assert digest_of_rows(X, np.array([1, 0, 1, 0])) == digest_of_rows(X, np.array([1.0, 0, 1, 0]))
    big = np.array([2**60 + 1, 2, 3, 4])
    assert digest_of_rows(X, big) != digest_of_rows(X, big - 1)


def test_any_other_rows_have_another_digest(monkeypatch):
    monkeypatch.setattr("novikoff.io.rows_digest.PIECE_BYTES", 64)
    rng = np.random.default_rng(0)
    X, y = np.eye(40)[rng.integers(0, 40, 90)], rng.integers(0, 2, 90)
    seen = {digest_of_rows(X, y), digest_of_rows(X, None), digest_of_rows(X, y, y + 1.0)}
    assert len(seen) == 3
    for _ in range(50):
        i, j = rng.choice(90, 2, replace=False)
        swapped, labels = X.copy(), y.copy()
        swapped[[i, j]] = swapped[[j, i]]
        labels[i] = 1 - labels[i]
        changed = X.copy()
        changed[i, int(rng.integers(40))] += 1
        seen |= {digest_of_rows(changed, y), digest_of_rows(X, labels)}
        assert (digest_of_rows(swapped, y) in seen) == np.array_equal(swapped, X)
    assert digest_of_rows(X.reshape(45, 80), y[:45]) not in seen
    assert digest_of_rows(X, y, names=["n"] * 40) not in seen
