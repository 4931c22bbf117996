"""`novikoff certify` for many labellings: a file of labels, or several columns of one."""

from __future__ import annotations

import csv
import json
import subprocess
import sys

import numpy as np
import pytest

import novikoff as nk
from command import novikoff
from novikoff.certificates import checker

random = np.random.default_rng(0)
X = random.standard_normal((60, 3))
LABELS = {
    "left": ["yes" if x[0] > 0 else "no" for x in X],
    "noise": [str(int(random.random() < 0.5)) for _ in X],
    "=some": ["" if k % 5 == 0 else "a" if x[1] > 0.1 else "b" for k, x in enumerate(X)],
}


@pytest.fixture
def rows(tmp_path):
    np.save(tmp_path / "X.npy", X)
    return tmp_path / "X.npy"


def write_csv(path, columns, delimiter=","):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_a_file_of_labels_gives_the_table_of_the_library(ending, rows, tmp_path):
    path = tmp_path / f"Y.{ending}"
    write_csv(path, LABELS, "," if ending == "csv" else "\t")
    done = novikoff("certify", rows, "--labels", path, "--json", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    Y = {name: [label or None for label in labels] for name, labels in LABELS.items()}
    expected = nk.certify(X, Y)
    assert found["counts"] == expected.counts
    assert [one["labelling"] for one in found["labellings"]] == list(LABELS)
    assert [one["n_rows"] for one in found["labellings"]] == [60, 60, 48]
    assert [one["status"] for one in found["labellings"]] == expected.status.tolist()


def test_the_table_and_the_proofs_are_written(rows, tmp_path):
    labels = write_csv(tmp_path / "Y.csv", LABELS)
    table, proofs = tmp_path / "table.csv", tmp_path / "proofs"
    done = novikoff("certify", rows, "--labels", labels, "--table", table, "--proofs", proofs)
    assert done.returncode == 0
    lines = list(csv.DictReader(table.read_text().splitlines()))
    assert [line["labelling"] for line in lines] == ["left", "noise", "'=some"]
    assert [line["status"] for line in lines] == ["separable", "overlapping", "separable"]
    for k, (name, path) in enumerate(zip(LABELS, sorted(proofs.iterdir()), strict=True)):
        here = [i for i, label in enumerate(LABELS[name]) if label]
        nk.load_certificate(path).verify(X[here], [LABELS[name][i] for i in here])
        assert path.name.startswith(f"{k}_")
    done = novikoff("certify", rows, "--labels", labels, "--table", tmp_path / "table.json", "-q")
    assert done.stderr == ""
    assert json.loads((tmp_path / "table.json").read_text())["n_labellings"] == 3


def check_twice(proof, data, *words):
    """The answer of `novikoff verify`, and that of the checker on the rows that it writes."""
    rows = proof.with_suffix(".csv")
    done = novikoff("verify", proof, data, *words, "--rows", rows, "--json")
    assert done.returncode == 0, done.stderr
    alone = subprocess.run(
        [sys.executable, "-I", checker.__file__, proof, rows], capture_output=True, text=True
    )
    assert alone.returncode == 0, alone.stdout
    assert len(rows.read_text().splitlines()) == 1 + nk.load_certificate(proof).stamp.n_rows
    return json.loads(done.stdout)


@pytest.mark.parametrize("ending", ["csv", "npy"])
def test_every_proof_of_a_file_of_labels_is_checked_by_both_checkers(ending, rows, tmp_path):
    labels, proofs, names = tmp_path / f"Y.{ending}", tmp_path / "proofs", list(LABELS)
    if ending == "csv":
        write_csv(labels, LABELS)
    else:
        np.save(labels, np.where(random.random(X.shape) < 0.2, np.nan, X > 0))
        names = ["0", "1", "2"]
    table = tmp_path / "table.json"
    done = novikoff("certify", rows, "--labels", labels, "--proofs", proofs, "--table", table)
    assert done.returncode == 0, done.stderr
    answers = [
        check_twice(path, rows, "--labels", labels) for path in sorted(proofs.glob("*.json"))
    ]
    assert [answer["label"] for answer in answers] == names
    lines = json.loads(table.read_text())["labellings"]
    assert [answer["status"] for answer in answers] == [line["status"] for line in lines]


@pytest.mark.parametrize("given", [("left", "noise"), ("3", "noise")])
def test_proofs_of_several_label_columns_are_checked_against_their_file(given, tmp_path):
    columns = {"x": X[:, 0], "y": X[:, 1], "left": LABELS["left"], "noise": LABELS["noise"]}
    path, proofs = write_csv(tmp_path / "all.csv", columns), tmp_path / "proofs"
    words = [word for name in given for word in ("--label", name)]
    done = novikoff("certify", path, *words, "--proofs", proofs, "--json")
    assert done.returncode == 0, done.stderr
    statuses = [one["status"] for one in json.loads(done.stdout)["labellings"]]
    expected = nk.certify(X[:, :2], {k: LABELS[k] for k in ("left", "noise")})
    assert statuses == expected.status.tolist()
    left, noise = sorted(proofs.glob("*.json"))
    assert check_twice(left, path)["label"] == "left"
    assert check_twice(noise, path, "--label", "noise")["label"] == "noise"
    done = novikoff("verify", left, path, "--label", "noise")
    assert done.returncode == 2
    assert "says otherwise" in done.stderr


@pytest.mark.parametrize("word", ["", "?", "NULL", "n/a", "none here"])
@pytest.mark.parametrize("others", ["", ",p"])
def test_a_missing_label_is_what_is_missing_in_data(word, others, tmp_path):
    """Also a blank line of a file of one labelling: the labels below it keep their rows."""
    rows, labels = tmp_path / "x.csv", tmp_path / "l.csv"
    rows.write_text("a\n1\n2\nNA\n4\n5\n6\n")
    words = [
        "certify",
        rows,
        "--labels",
        labels,
        "--missing",
        "drop",
        "--na",
        "none here",
        "--json",
    ]
    cells = ["u", "v", "u", word, "v", "v"]
    second = ",q" if others else ""
    lines = [cell + (second if k else others) for k, cell in enumerate(cells)]
    labels.write_text("\n".join(["l,m" if others else "l", *lines, ""]))
    found = {one["labelling"]: one for one in json.loads(novikoff(*words).stdout)["labellings"]}
    assert (found["l"]["status"], found["l"]["n_rows"]) == ("separable", 4)
    labels.write_text("l\nu\nv\nu\nv\nv\n")
    assert "has 6 rows, those left out included, and labelling 'l'" in novikoff(*words).stderr
    labels.write_text("\n\nl\nu\nv\nu\n\nv\nv\n")  # blank lines above the names are none
    assert json.loads(novikoff(*words).stdout)["labellings"][0]["n_rows"] == 4
    labels.write_text("\n")
    assert "l.csv is empty; --labels needs" in novikoff(*words).stderr


def test_rows_left_out_of_the_data_are_left_out_of_the_labels(tmp_path):
    text = [[str(value) for value in x] for x in X]
    text[7][1] = ""
    path = write_csv(tmp_path / "X.csv", dict(zip("abc", zip(*text, strict=True), strict=True)))
    labels, proofs = write_csv(tmp_path / "Y.csv", LABELS), tmp_path / "proofs"
    words = ("--labels", labels, "--missing", "drop")
    assert novikoff("certify", path, *words, "--proofs", proofs).returncode == 0
    for proof in sorted(proofs.glob("*.json")):
        check_twice(proof, path, "--labels", labels)
    stamp = nk.load_certificate(next(proofs.glob("2_*.json"))).stamp
    kept = [i for i in range(60) if i != 7 and i % 5]
    assert [stamp.number(row) for row in range(stamp.n_rows)] == kept


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], 1, "name that file with --labels"),
        (["--labels", "other.csv"], 1, "has no labelling 'left'"),
        (["--labels", "short.csv"], 1, "of short.csv has 2 labels"),
        (["--labels", "flipped.csv"], 1, "their digest is another"),
        (["--labels", "Y.csv", "--label", "left"], 2, "does not go with --label"),
        (["--labels", "Y.csv", "--rows", "Y.csv"], 2, "would overwrite it"),
    ],
)
def test_a_proof_is_of_its_own_labelling_only(words, code, says, rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "Y.csv", LABELS)
    write_csv(tmp_path / "other.csv", {"right": LABELS["left"]})
    write_csv(tmp_path / "short.csv", {"left": ["yes", "no"]})
    write_csv(tmp_path / "flipped.csv", {"left": LABELS["left"][::-1]})
    assert novikoff("certify", rows, "--labels", "Y.csv", "--proofs", "proofs").returncode == 0
    done = novikoff("verify", "proofs/0_left.json", rows, *words)
    assert done.returncode == code
    assert says in " ".join(done.stderr.split())
