"""Columns that decide a verdict by themselves are said, in every format and in every answer.

The rows are versicolor and virginica of the iris data, which overlap.
"""

from __future__ import annotations

import json
import random

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris

import novikoff as nk
from command import novikoff
from novikoff.io import Data
from novikoff.io.counters import Numbered, columns_of, full_columns, rising_columns
from novikoff.io.doubts import doubts
from novikoff.io.options import options

X, y = load_iris(return_X_y=True)
X, SIGNS = X[50:], np.where(y[50:] == 2, 1, -1)
N = len(X)
SHUFFLED = random.Random(3).sample(range(N), N)
ORDER = {  # a column of one number a row, and what is said of it
    "halves": ([i + 0.5 for i in range(N)], "only rises or only falls"),
    "thirds": ([i / 3 for i in range(N)], "only rises or only falls"),
    "pairs": ([i // 2 for i in range(N)], "only rises or only falls"),
    "folds": ([i // 10 for i in range(N)], "only rises or only falls"),
    "back": ([-(i // 10) for i in range(N)], "only rises or only falls"),
    "shuffled": (SHUFFLED, "has another whole number in each row"),
    "gaps": ([1000 + 7 * i for i in SHUFFLED], "has another whole number in each row"),
    "label": ([int(sign > 0) for sign in SIGNS], "has one value for each class"),
    "label in other numbers": (
        [7.5 - sign for sign in SIGNS.tolist()],
        "has one value for each class",
    ),
    "nines": (np.where(SIGNS > 0, 9999, X[:, 0]).tolist(), "has 9999 in 50 rows, far from"),
    "minus nines": (np.where(SIGNS > 0, -9, X[:, 0]).tolist(), "has -9 in 50 rows, far from"),
    "nodata": (np.where(SIGNS > 0, -3.4028234663852886e38, X[:, 0]).tolist(), "beyond 3.4e38"),
}


def as_csv(path, table, names):
    rows = [",".join(map(repr, row)) + f",{'pm'[sign < 0]}" for row, sign in table]
    path.write_text("\n".join([",".join([*names, "species"]), *rows]) + "\n")


def as_bare_csv(path, table, names):
    as_csv(path, table, names)
    path.write_text(path.read_text().split("\n", 1)[1])


def as_parquet(path, table, names):
    columns = {name: [float(row[c]) for row, _ in table] for c, name in enumerate(names)}
    parquet.write_table(pa.table({**columns, "species": ["pm"[s < 0] for _, s in table]}), path)


def as_npz(path, table, _names):
    np.savez(path, X=[row for row, _ in table], y=[sign for _, sign in table])


def as_npy(path, table, _names):
    np.save(path, [[*row, sign] for row, sign in table])


def as_svmlight(path, table, _names):
    path.write_text("".join(
        f"{sign:+d} " + " ".join(f"{c + 1}:{value!r}" for c, value in enumerate(row)) + "\n"
        for row, sign in table
    ))  # fmt: skip


def as_vw(path, table, _names):
    path.write_text("".join(
        f"{sign:+d} | " + " ".join(f"c{c}:{value!r}" for c, value in enumerate(row)) + "\n"
        for row, sign in table
    ))  # fmt: skip


WRITERS = {
    "t.csv": as_csv, "bare.csv": as_bare_csv, "t.parquet": as_parquet, "t.npz": as_npz,
    "t.npy": as_npy, "t.svm": as_svmlight, "t.vw": as_vw,
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("kind", ORDER)
def test_a_column_that_decides_by_itself_is_said_on_stderr_and_in_the_answer(tmp_path, kind, name):
    column, what = ORDER[kind]
    if name in ("t.svm", "t.vw") and what.startswith(("has 9999", "has -9", "beyond")):
        return  # what sparse rows hold is counted, not compared
    table = [([*row, value], sign) for row, value, sign in
             zip(X.tolist(), column, SIGNS.tolist(), strict=True)]  # fmt: skip
    path = tmp_path / name
    WRITERS[name](path, table, ["sl", "sw", "pl", "pw", "q"])
    done = novikoff("certify", path, "--json")
    assert done.returncode == 0
    said = json.loads(done.stdout)
    assert what in done.stderr
    assert any(what in note for note in said["notes"])


@pytest.mark.parametrize("kind", ["id", "q"])
def test_floats_that_count_the_rows_of_a_parquet_file_are_asked_about(tmp_path, kind):
    rows = zip(X.tolist(), SIGNS.tolist(), strict=True)
    table = [([float(i), *row], sign) for i, (row, sign) in enumerate(rows)]
    as_parquet(tmp_path / "t.parquet", table, [kind, "sl", "sw", "pl", "pw"])
    done = novikoff("certify", tmp_path / "t.parquet")
    assert done.returncode == 1
    assert f"--drop {kind}" in done.stderr
    assert f"--keep {kind}" in done.stderr


@pytest.mark.parametrize("name", WRITERS)
def test_nothing_is_said_of_measurements(tmp_path, name):
    table = list(zip(X.tolist(), SIGNS.tolist(), strict=True))
    WRITERS[name](tmp_path / name, table, ["sl", "sw", "pl", "pw"])
    data = nk.read(tmp_path / name)
    assert data.notes == ()


@pytest.mark.parametrize("drop", [["--drop", "q"], ["--keep", "q"]])
def test_a_note_ends_where_the_column_is_named(tmp_path, drop):
    rows = zip(X.tolist(), SHUFFLED, SIGNS.tolist(), strict=True)
    table = [([*row, v], sign) for row, v, sign in rows]
    as_csv(tmp_path / "t.csv", table, ["sl", "sw", "pl", "pw", "q"])
    said = novikoff("certify", tmp_path / "t.csv", *drop).stderr
    assert "another whole number" not in said


def test_the_option_in_a_note_leaves_out_that_very_column(tmp_path):
    table = [
        ([*row[:2], v, *row[2:]], s)
        for row, v, s in zip(X.tolist(), SHUFFLED, SIGNS.tolist(), strict=True)
    ]
    for name in ("bare.csv", "t.npy"):
        WRITERS[name](tmp_path / name, table, list("abcde"))
        done = novikoff("certify", tmp_path / name, "--json")
        assert "--drop 3" in done.stderr
        again = novikoff("certify", tmp_path / name, "--json", "--drop", "3")
        assert json.loads(again.stdout)["status"] == "overlapping"


@pytest.mark.parametrize("word", ["{i}:1", "id_{i}"])
def test_that_rows_have_a_column_of_their_own_each_is_said(tmp_path, word):
    path = tmp_path / ("t.svm" if ":" in word else "t.vw")
    bar = "" if ":" in word else "| "
    path.write_text("".join(
        f"{sign:+d} {bar}" + " ".join(f"{c + 1}:{value!r}" for c, value in enumerate(row))
        + f" {word.format(i=100 + i)}\n"
        for i, (row, sign) in enumerate(zip(X.tolist(), SIGNS.tolist(), strict=True))
    ))  # fmt: skip
    done = novikoff("certify", path)
    assert "100 of 100 rows have a column that no other row has" in done.stderr


def test_columns_cost_what_is_stored_however_many_there_are_said_to_be():
    far = 2_147_483_646
    data, places = np.arange(24) + 1.0, np.tile([0, far - 1], 12).astype(np.int32)
    matrix = csr_matrix((data, places, np.arange(0, 25, 2)), shape=(12, far))
    assert full_columns(matrix).tolist() == [0, far - 1]
    assert columns_of(matrix, np.array([far - 1]), 3).tolist() == [[2], [4], [6]]
    assert [one.place for one in rising_columns(matrix)] == [0, far - 1]


def test_columns_of_sparse_rows_are_those_of_the_array(fresh_seed):
    rng = np.random.default_rng(fresh_seed)
    dense = rng.integers(-2, 3, (20, 9)) * (rng.random((20, 9)) < 0.7)
    places = np.flatnonzero(rng.random(9) < 0.5)
    matrix = csr_matrix(dense)
    assert (columns_of(matrix, places, 7) == dense[:7, places]).all()
    assert (columns_of(matrix, places) == columns_of(dense, places)).all()


@pytest.mark.parametrize("taken", [None, 1, 3, 5])
def test_columns_without_names_are_called_by_their_numbers_in_the_file(taken):
    listed = [str(c) for c in range(1, 5 + (taken is not None)) if c != taken]
    names = Numbered(4, taken)
    assert list(names) == listed
    assert [name for name in map(str, range(-1, 9)) if name in names] == listed
    assert "01" not in names
    assert "a" not in names


def test_a_copy_of_the_label_is_found_where_the_first_thousand_rows_are_of_one_class(fresh_seed):
    rng = np.random.default_rng(fresh_seed)
    signs = np.repeat([-1, 1], 1500)
    made = Data(
        X=np.column_stack([rng.normal(size=3000), signs == 1, np.ones(3000)]),
        y=signs, source="t", format="npz",
    )  # fmt: skip
    (note,) = doubts(made, options(label=None))
    assert note.startswith("column 2 has one value for each class")


def test_a_cache_says_what_a_file_says(tmp_path):
    values, told = ORDER["folds"]
    path = tmp_path / "d.csv"
    table = [
        ([*row, value], sign)
        for row, value, sign in zip(X.tolist(), values, SIGNS.tolist(), strict=True)
    ]
    as_csv(path, table, ["a", "b", "c", "d", "fold"])
    for _ in range(2):  # the cache is made, then mapped
        done = novikoff("certify", path, "--cache", tmp_path / "cache", "--json")
        assert told in done.stderr
        assert told in " ".join(json.loads(done.stdout)["notes"])


@pytest.mark.parametrize(
    "column",
    [
        [1.7e308 if i % 3 else 5.0 for i in range(N)],
        [-1.7e308 + i * 1e305 if i < 50 else 1e308 + i * 1e305 for i in range(N)],
        [(50 - i) * 3.4e306 for i in range(N)],
        [-1.7e308 if i < 50 else 1.7e308 for i in range(N)],
        [-1.7e308, 1.7e308, *SHUFFLED[2:]],
    ],
)
@pytest.mark.parametrize("form", ["csv", "npy"])
def test_spans_beyond_the_floats_are_looked_at_without_a_warning(tmp_path, column, form):
    """Warnings are errors here; at a command line they would stand among the answers."""
    table = np.column_stack([column, X[:, 0], SIGNS])
    path = tmp_path / f"huge.{form}"
    if form == "npy":
        np.save(path, table)
    else:
        rows = [",".join(map(repr, row)) for row in table.tolist()]
        path.write_text("\n".join(["a,b,y", *rows]))
    data = nk.read(path, label="y" if form == "csv" else 3)
    assert len(data.y) == N


NAMED = {  # columns that a file is asked about by their names too, and some that it is not
    "id": range(N),
    "customerId": [1000 + 7 * i for i in SHUFFLED],
    "when": range(20240000, 20240000 + N),
    "date": [20240101 + i % 28 for i in range(N)],
    "id of a group": [i % 5 for i in range(N)],
    "size": [(i * i) % 11 for i in range(N)],
    **{name: values for name, (values, _) in ORDER.items()},
}


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_frame_is_doubted_where_a_file_of_the_same_rows_is(tmp_path, name, kind):
    """Of a file by an error or a note, of a frame by a note."""
    import importlib

    columns = {"a": X[:, 0], "b": X[:, 1], name: np.array(NAMED[name])}
    frame = importlib.import_module(kind).DataFrame(columns)
    path = tmp_path / "rows.csv"
    cells = np.column_stack([*columns.values(), SIGNS]).tolist()
    rows = [",".join(f"{v:.0f}" if v == int(v) else repr(v) for v in row) for row in cells]
    path.write_text("\n".join([",".join([*columns, "sign"]), *rows]))
    try:
        notes = nk.read(path).notes
    except nk.InputError as error:
        notes = (str(error),)
    is_doubted = any(f"'{name}'" in note for note in notes)
    assert is_doubted == (name not in ("id of a group", "size"))
    for answer in (
        nk.certify(frame, SIGNS),
        nk.fewest_mistakes(frame, SIGNS, time_limit=0.01),
        nk.certify_regression(frame, SIGNS, model="logistic", positive=1),
    ):
        assert any(f"'{name}'" in note for note in answer.notes) == is_doubted
        assert any(f"'{name}'" in note for note in answer.to_dict()["notes"]) == is_doubted
        assert (f"column '{name}'" in str(answer)) == is_doubted


def test_an_id_beyond_floats_is_doubted_too():
    import pandas as pd

    frame = pd.DataFrame({"a": X[:, 0], "id": [10**17 + i for i in SHUFFLED]})
    assert any("'id' has other whole numbers" in note for note in nk.certify(frame, SIGNS).notes)
