"""One rule for the labels of a table: which rows are of one class does not depend on who reads."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from command import novikoff
from novikoff.io import read, scan

COLUMNS = [
    ["1", "1.0", "+1", "1e0", "0", "0.0", "-0", "0e7"],
    ["01", "1", "10", "01", "1", "10"],
    ["007", "7", "7.0", "8"],
    ["1", "2", "1.00", "one"],
    ["9007199254740993", "9007199254740992", "3"],
    ["-1", "+1", "1", "-1"],
    ["2", "2e0", "20e-1", "3", "30", "3.0e1"],
    ["no", "yes", "no"],
]


def classes_of(labels):
    """The classes by the rule, each as the rows that it has."""
    try:
        keys = [Fraction(label) for label in labels]
    except ValueError:
        keys = labels
    if any(label.lstrip("+-")[:1] == "0" and label.lstrip("+-")[1:2].isdigit() for label in labels):
        keys = labels
    return parts(keys)


def parts(y):
    rows = {}
    for row, label in enumerate(np.asarray(y).tolist() if isinstance(y, np.ndarray) else y):
        rows.setdefault(label, set()).add(row)
    return sorted(map(sorted, rows.values()))


@pytest.mark.parametrize("labels", COLUMNS, ids="-".join)
def test_every_reader_and_command_sees_the_same_classes(labels, tmp_path):
    path = tmp_path / "rows.csv"
    rows = [f"{(7 * k) % 5 / 2},{label}" for k, label in enumerate(labels)]
    path.write_text("\n".join(["x,y", *rows]) + "\n")
    expected = classes_of(labels)
    for taken in ("auto", "as written"):
        here, kept = read(path, labels=taken), scan(path, labels=taken, cache=tmp_path).cached()
        assert parts(here.y) == parts(kept.y) == expected
        assert here.notes == kept.notes
    assert parts(read(path, labels="text").y) == parts(labels)
    fitted = json.loads(novikoff("fit", path, "-o", tmp_path / "model", "--json").stdout)
    assert len(fitted["classes"]) == len(expected)
    verdicts = json.loads(novikoff("certify", path, "--against", "rest", "--json").stdout)
    assert len(verdicts["labellings"]) == len(expected)
    said = [note for note in verdicts["notes"] if "are one class" in note]
    assert bool(said) == (len(set(labels)) > len(expected))


@pytest.mark.parametrize("labels", COLUMNS, ids="-".join)
def test_a_stream_sees_them_or_stops_where_a_name_follows_numbers(labels, tmp_path):
    path = tmp_path / "rows.csv"
    rows = [f"{(7 * k) % 5 / 2},{label}\n" for k, label in enumerate(labels)]
    path.write_text("x,y\n" + "".join(rows))
    done = novikoff("stream", path, "--json", "--predictions", tmp_path / "answers")
    if done.returncode:
        assert "and the labels above are numbers" in done.stderr
        assert parts(labels) == classes_of(labels)  # the column is text
        return
    assert len(json.loads(done.stderr.splitlines()[-1])["classes"]) == len(classes_of(labels))


def test_a_model_of_names_is_tested_on_a_file_in_which_they_look_like_numbers(tmp_path):
    learnt, other = tmp_path / "learnt.csv", tmp_path / "other.csv"
    learnt.write_text("x,y\n0,01\n0.5,01\n4,1\n4.5,1\n")
    other.write_text("x,y\n4.2,1\n4.7,1\n")
    done = novikoff("fit", learnt, "--test", other, "-o", tmp_path / "model", "--json")
    assert json.loads(done.stdout)["test"]["wrong"] == 0


def test_labels_are_written_as_the_other_numbers_are(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("x;y\n1,5;1,0\n2,5;1\n0,5;2\n3,5;2,00\n4,5;0,5\n")
    for taken in ("auto", "as written"):
        here = read(path, labels=taken, decimal=",")
        kept = scan(path, labels=taken, decimal=",", cache=tmp_path).cached()
        assert parts(here.y) == parts(kept.y) == [[0, 1], [2, 3], [4]]
    found = novikoff("certify", path, "--decimal", ",", "--model", "poisson", "--json")
    assert json.loads(found.stdout)["status"] == "finite"
    path.write_text("x;y\n1,5;1,5\n2,5;1.5\n0,5;1,5\n")  # 1.5 is no number here, but a name
    assert parts(read(path, decimal=",").y) == [[0, 2], [1]]


def test_every_output_names_the_column_of_the_label(tmp_path):
    path, proof, page = tmp_path / "rows.csv", tmp_path / "proof.json", tmp_path / "page.html"
    path.write_text("x,w,died\n1,5,0\n2,3,0\n3,4,1\n4,1,1\n")
    doors = [
        ["certify", path, "--proof", proof],
        ["verify", proof, path],
        ["certify", path, "--against", "each"],
        ["certify", path, "--model", "logistic", "--proof", tmp_path / "model.json"],
        ["verify", tmp_path / "model.json", path],
        ["fewest", path],
        ["fewest", path, "--against", "rest"],
        ["trace", path],
        ["fit", path, "-o", tmp_path / "model"],
        ["stream", path, "--predictions", tmp_path / "answers"],
    ]
    for words in doors:
        done = novikoff(*words)
        assert "'died'" in done.stdout + done.stderr, words
        done = novikoff(*words, "--json")
        assert json.loads((done.stdout or done.stderr).splitlines()[-1])["label"] == "died", words
    for words in (["certify", path], ["fewest", path], ["certify", path, "--model", "logistic"]):
        assert novikoff(*words, "--report", page).returncode == 0
        assert "died" in page.read_text(), words


@pytest.mark.parametrize("name", ["y", "Y", "Target", "label", "CLASS", "outcome"])
@pytest.mark.parametrize("command", ["certify", "fewest", "fit", "stream"])
def test_the_last_column_is_no_guess_where_another_has_the_name_of_a_label(name, command, tmp_path):
    path = tmp_path / "rows.csv"
    rows = "1,0.5,3\n0,2,1\n1,1,5\n0,3,2\n"
    into = ["-o", tmp_path / "model"] * (command in ("fit", "stream"))
    into += ["--predictions", tmp_path / "answers"] * (command == "stream")
    path.write_text(f"{name},a,b\n{rows}")
    done = novikoff(command, path, *into)
    assert done.returncode == 1
    assert f"--label {name} or --label b" in done.stderr
    assert novikoff(command, path, "--label", name, *into).returncode == 0
    path.write_text(f"{name},a,class\n{rows}")
    assert read(path).label == "class"  # whose own name says so
    path.write_text(f"{name},a,b\n{rows}")
    assert read(path, drop=[name]).label == "b"
