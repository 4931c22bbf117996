"""`novikoff certify` for many labellings: a file of labels, or several columns of one."""

from __future__ import annotations

import csv
import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import novikoff as nk
from command import novikoff

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


def write_parquet(path):
    columns = {name: [label or None for label in labels] for name, labels in LABELS.items()}
    parquet.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_file_of_labels_gives_the_table_of_the_library(ending, rows, tmp_path):
    path = tmp_path / f"Y.{ending}"
    if ending == "parquet":
        write_parquet(path)
    else:
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


def test_labels_as_an_array_are_numbered(rows, tmp_path):
    np.save(tmp_path / "Y.npy", X > 0)
    done = novikoff("certify", rows, "--labels", tmp_path / "Y.npy")
    assert done.returncode == 0
    assert "3 labellings of 60 × 3 numbers: 3 separable" in done.stdout


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


def test_several_label_columns_of_one_file(tmp_path):
    columns = {"x": X[:, 0], "y": X[:, 1], "left": LABELS["left"], "noise": LABELS["noise"]}
    path = write_csv(tmp_path / "all.csv", columns)
    done = novikoff("certify", path, "--label", "left", "--label", "noise", "--json")
    assert done.returncode == 0, done.stderr
    statuses = [one["status"] for one in json.loads(done.stdout)["labellings"]]
    assert (
        statuses == nk.certify(X[:, :2], {k: LABELS[k] for k in ("left", "noise")}).status.tolist()
    )


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--labels", "none.csv"], 1, "none.csv is no file"),
        (["--labels", "Y.txt"], 1, "does not end in"),
        (["--labels", "ragged.csv"], 1, "2 fields in its line 3"),
        (["--labels", "twice.csv"], 1, "two columns of one name"),
        (["--labels", "short.csv"], 1, "X has 60 rows and labelling 'a' has 2 labels"),
        (["--labels", "bad.npy"], 1, "cannot be read as an array"),
        (["--labels", "bad.parquet"], 1, "cannot be read"),
        (["--labels", "Y.csv", "--proof", "p.json"], 2, "does not go with --proof"),
        (["--labels", "Y.csv", "--label", "x"], 2, "does not go with --label"),
        (["--labels", "Y.csv", "--table", "t.xls"], 2, "must end in .csv or .json"),
        (["--labels", "Y.csv", "--table", "Y.csv"], 2, "would overwrite it"),
        (["--label", "a", "--label", "a"], 2, "named twice"),
        (["--label", "a", "--label", "b", "--require", "separable"], 2, "is for one labelling"),
        (["--table", "t.csv"], 2, "--table goes with --labels"),
        (["--jobs", "2"], 2, "--jobs goes with --labels"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(words, code, says, rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_csv(tmp_path / "Y.csv", LABELS)
    (tmp_path / "Y.txt").write_text("a,b\n")
    (tmp_path / "ragged.csv").write_text("a,b,c\n1,2,3\n1,2\n")
    (tmp_path / "twice.csv").write_text("a,a\n1,2\n")
    (tmp_path / "short.csv").write_text("a,b\n0,1\n1,0\n")
    (tmp_path / "bad.npy").write_bytes(b"\x93NUMPY")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    done = novikoff("certify", rows, *words)
    assert done.returncode == code
    assert says in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_pickle_in_a_file_of_labels_is_never_run(rows, tmp_path):
    np.save(tmp_path / "Y.npy", np.array([[print, 1]] * 60, dtype=object), allow_pickle=True)
    done = novikoff("certify", rows, "--labels", tmp_path / "Y.npy")
    assert done.returncode == 1


def test_a_label_that_is_given_twice_is_refused_where_one_is_meant(rows):
    done = novikoff("fit", rows, "--label", "1", "--label", "2")
    assert done.returncode == 2
    assert "--label is given 2 times" in done.stderr
