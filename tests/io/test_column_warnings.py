"""Columns that decide a verdict by themselves are named, in every format and in every answer.

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
from novikoff.errors import FileError
from novikoff.io import Data
from novikoff.io.column_warnings import column_warnings
from novikoff.io.options import options

X, y = load_iris(return_X_y=True)
X, SIGNS = X[50:], np.where(y[50:] == 2, 1, -1)
N = len(X)
SHUFFLED = random.Random(3).sample(range(N), N)
NAMED = {  # a column of one number a row, and the note on it
    "halves": ([i + 0.5 for i in range(N)], "rises or falls with the rows"),
    "pairs": ([i // 2 for i in range(N)], "rises or falls with the rows"),
    "back": ([-(i // 10) for i in range(N)], "rises or falls with the rows"),
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
@pytest.mark.parametrize("kind", NAMED)
def test_a_column_that_decides_by_itself_is_said_on_stderr_and_in_the_answer(tmp_path, kind, name):
    column, what = NAMED[kind]
    if name in ("t.svm", "t.vw") and what.startswith(("has 9999", "has -9", "beyond")):
        return  # what sparse rows hold is counted, not compared
    table = [([*row, value], sign) for row, value, sign in
             zip(X.tolist(), column, SIGNS.tolist(), strict=True)]  # fmt: skip
    path = tmp_path / name
    WRITERS[name](path, table, ["sl", "sw", "pl", "pw", "q"])
    verdict = nk.certify(nk.read(path))
    assert any(what in note for note in verdict.to_dict()["notes"])
    if kind == "halves":
        done = novikoff("certify", path, "--json")
        assert (done.returncode, what in done.stderr) == (0, True)
        assert any(what in note for note in json.loads(done.stdout)["notes"])


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("column", [range(N), range(3 * N, 0, -3)])
def test_a_column_that_counts_the_rows_is_a_question_and_the_answers_work(tmp_path, column, name):
    """Without the question, rows that overlap would be certified as separable."""
    rows = zip(X.tolist(), column, SIGNS.tolist(), strict=True)
    table = [([*row, value], sign) for row, value, sign in rows]
    path, called = tmp_path / name, "q" if name in ("t.csv", "t.parquet") else "5"
    WRITERS[name](path, table, ["sl", "sw", "pl", "pw", "q"])
    done = novikoff("certify", path, "--json")
    if name in ("t.svm", "t.vw"):  # where no option leaves a column out
        assert json.loads(done.stdout)["status"] == "separable"
        assert "rises or falls with the rows" in json.loads(done.stdout)["notes"][0]
        return
    assert (done.returncode, done.stdout) == (1, "")
    assert f"--drop {called}, or keep it with --keep {called}." in json.loads(done.stderr)["error"]
    dropped, kept = tmp_path / "dropped.json", tmp_path / "kept.json"
    for option, proof, status in (
        ("--drop", dropped, "overlapping"),
        ("--keep", kept, "separable"),
    ):
        words = (option, called, "--proof", proof, "--require", status)
        assert novikoff("certify", path, *words).returncode == 0
        assert novikoff("verify", proof, path).returncode == 0
    for _ in range(2):  # the cache is made, then mapped: what was kept is named by its scan
        assert novikoff("certify", path, "--cache", tmp_path / "c").returncode == 1
        words = ("--cache", tmp_path / "c", "--keep", called)
        assert novikoff("certify", path, *words).returncode == 0
    table = [
        ([*row[:4], value // 4], sign) for (row, sign), value in zip(table, column, strict=True)
    ]
    WRITERS[name](path, table, ["sl", "sw", "pl", "pw", "q"])
    for _ in range(2):
        done = novikoff("certify", path, "--cache", tmp_path / "c", "--json")
        assert "rises or falls with the rows" in json.loads(done.stdout)["notes"][-1]


@pytest.mark.parametrize("text", ["t,y\n{}", "t,u,y\n{}"])
def test_rows_that_are_sorted_by_all_of_their_columns_are_no_question(tmp_path, text):
    width = text.count(",")
    rows = [",".join([str(i)] * width + ["no" if i % 2 else "yes"]) for i in range(20)]
    (tmp_path / "t.csv").write_text(text.format("\n".join(rows)))
    assert nk.read(tmp_path / "t.csv").notes == ()


def test_a_column_that_rises_but_for_one_row_is_no_question(tmp_path):
    rows = zip(X.tolist(), SIGNS.tolist(), strict=True)
    table = [([*row, i if i != 57 else 3], sign) for i, (row, sign) in enumerate(rows)]
    as_csv(tmp_path / "t.csv", table, ["a", "b", "c", "d", "e"])
    assert nk.read(tmp_path / "t.csv").notes == ()
    with pytest.raises(FileError, match="no column 'z'"):
        nk.read(tmp_path / "t.csv", keep="z")
    as_npy(tmp_path / "t.npy", table, None)
    with pytest.raises(FileError, match="and column 9 does not"):
        nk.read(tmp_path / "t.npy", keep="9")


@pytest.mark.parametrize("name", WRITERS)
def test_nothing_is_said_of_measurements(tmp_path, name):
    table = list(zip(X.tolist(), SIGNS.tolist(), strict=True))
    WRITERS[name](tmp_path / name, table, ["sl", "sw", "pl", "pw"])
    data = nk.read(tmp_path / name)
    assert data.notes == ()


@pytest.mark.parametrize("name", ["bare.csv", "t.npy"])
@pytest.mark.parametrize("option", ["--drop", "--keep"])
def test_the_option_in_a_note_is_about_that_very_column(tmp_path, name, option):
    rows = zip(X.tolist(), NAMED["pairs"][0], SIGNS.tolist(), strict=True)
    table = [([*row[:2], v, *row[2:]], s) for row, v, s in rows]
    WRITERS[name](tmp_path / name, table, list("abcde"))
    assert "--drop 3 leaves" in novikoff("certify", tmp_path / name).stderr
    done = novikoff("certify", tmp_path / name, "--json", option, "3")
    assert "rises or falls" not in done.stderr
    status = "overlapping" if option == "--drop" else "separable"
    assert json.loads(done.stdout)["status"] == status


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
    made = Data(X=matrix, y=np.arange(12) % 2, source="t", format="svmlight")
    names = [note.split()[1] for note in column_warnings(made, options(label=None))]
    assert names == ["1", str(far)]


def test_a_copy_of_the_label_is_found_where_the_first_thousand_rows_are_of_one_class(fresh_seed):
    rng = np.random.default_rng(fresh_seed)
    signs = np.repeat([-1, 1], 1500)
    made = Data(
        X=np.column_stack([rng.normal(size=3000), signs == 1, np.ones(3000)]),
        y=signs, source="t", format="npz",
    )  # fmt: skip
    (note,) = column_warnings(made, options(label=None))
    assert note.startswith("column 2 has one value for each class")


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


FRAMES = {  # columns that are named, or asked about in a file, and some that are not
    **{name: values for name, (values, _) in NAMED.items()},
    "id": range(N),
    "shuffled": SHUFFLED,
    "size": [(i * i) % 11 for i in range(N)],
}


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_note_on_a_frame_is_that_on_a_file_of_the_same_rows(tmp_path, name, kind):
    """Where a file is an error, the frame has a note."""
    import importlib

    columns = {"a": X[:, 0], "b": X[:, 1], name: np.array(FRAMES[name])}
    frame = importlib.import_module(kind).DataFrame(columns)
    path = tmp_path / "rows.csv"
    cells = np.column_stack([*columns.values(), SIGNS]).tolist()
    rows = [",".join(f"{v:.0f}" if v == int(v) else repr(v) for v in row) for row in cells]
    path.write_text("\n".join([",".join([*columns, "sign"]), *rows]))
    try:
        notes = nk.read(path).notes
    except nk.InputError as error:
        notes = (str(error),)
    is_named = any(f"'{name}'" in note for note in notes)
    assert is_named == (name not in ("shuffled", "size"))
    for answer in (
        nk.certify(frame, SIGNS),
        nk.fewest_mistakes(frame, SIGNS, time_limit=0.01),
        nk.certify_regression(frame, SIGNS, model="logistic", positive=1),
    ):
        assert any(f"'{name}'" in note for note in answer.notes) == is_named
        assert any(f"'{name}'" in note for note in answer.to_dict()["notes"]) == is_named
        assert (f"column '{name}'" in str(answer)) == is_named
