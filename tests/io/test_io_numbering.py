"""Columns that number, name or date the rows are a question, in whatever notation and place."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import novikoff as nk
from command import novikoff
from novikoff.errors import FileError
from novikoff.io.text.columns import rises, tells_when, whole_numbers

LENGTH = 40


def table(name, cells, place=0):
    """Four columns of measurements and a label, with one more column among them."""
    lines = []
    for i, cell in enumerate(cells):
        row = [
            f"{(7 * i) % 11}.5",
            f"{(5 * i) % 13}",
            f"{(3 * i) % 7}.25",
            "no" if i % 3 else "yes",
        ]
        row.insert(place, cell)
        lines.append(",".join(row))
    header = ["a", "b", "c", "y"]
    header.insert(place, name)
    return "\n".join([",".join(header), *lines, ""])


CASES = [
    ("id", lambda i: f"{10**18 + 7 * i}"),
    ("id", lambda i: f"{-i - 1}"),
    ("id", lambda i: f"+{i}"),
    ("id", lambda i: f"{i}e0"),
    ("id", lambda i: "1038" if i == LENGTH - 1 else f"{1000 + i}"),
    ("patient_id", lambda i: f"{1000 + i // 2}"),
    ("SampleNo", lambda i: f"{(37 * i) % 101}"),
    ("AccountNumber", lambda i: f"{(37 * i) % 101 + 5000}"),
    ("whatever", lambda i: f"{i + 1 + (i > 20)}"),
    ("whatever", lambda i: f"{-3 * i}"),
    ("date", lambda i: f"2024{1 + i // 28:02d}{1 + i % 28:02d}"),
    ("date", lambda i: f"{45292.25 + 2 * i}"),
    ("start_time", lambda i: f"{1_700_000_000 + 3600 * (i // 2)}"),
]


@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize(("name", "cell"), CASES)
def test_a_column_about_the_file_is_a_question(name, cell, place, tmp_path):
    path = tmp_path / "d.csv"
    path.write_text(table(name, [cell(i) for i in range(LENGTH)], place))
    with pytest.raises(FileError, match=rf"column '{name}' .*drop='{name}'.*keep='{name}'"):
        nk.read(path)
    assert nk.read(path, drop=[name]).n_columns == 3
    assert nk.read(path, keep=[name]).n_columns == 4


def test_measurements_that_rise_here_and_there_are_no_question(tmp_path):
    path = tmp_path / "d.csv"
    cells = [str(i if i != 17 else 3) for i in range(LENGTH)]
    path.write_text(table("age", cells, 1))
    assert nk.read(path).n_columns == 4


def test_whole_numbers_are_read_in_full():
    assert whole_numbers(["+1", "-2.0", "3e2"]) == [1, -2, 300]
    assert whole_numbers(["1", "2.5"]) is None
    assert rises([str(10**30 + i) for i in range(10)])
    assert not rises([str(i) for i in range(9)])
    assert not tells_when(["nan"] * 12)


@pytest.mark.parametrize("other", ["categorical", "keep"])
def test_a_column_is_not_left_out_and_used(other, tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("a,b,y\n1,2,p\n3,1,q\n")
    with pytest.raises(FileError, match=rf"drop= and {other}= both name column 'a'"):
        nk.read(path, drop=["a"], **{other: ["a"]})


@pytest.mark.parametrize(
    "header", ["1,2,3,4,5", "2019,2020,2021,2022,2023", "0.5,1.5,2.5,3.5,kind"]
)
def test_names_that_are_numbers_are_a_question(header, tmp_path):
    rows = [f"{i % 7}.5,{i % 5}.25,{i % 3},{i % 11},{i % 2}" for i in range(50)]
    path = tmp_path / "d.csv"
    path.write_text("\n".join([header, *rows, ""]))
    with pytest.raises(FileError, match="could be the names of the columns or a row"):
        nk.read(path)
    assert nk.read(path, header=True).n_rows == 50


@pytest.mark.parametrize("text", ["0 1:{}\n1 1:{}\n", "-1 | a:{}\n1 | a:{}\n"])
def test_whole_numbers_beyond_floats_are_said_to_be_rounded(text, tmp_path):
    path = tmp_path / ("d.vw" if "|" in text else "d.svm")
    path.write_text(text.format(2**53, 2**53 + 1))
    assert any("nearest" in remark for remark in nk.read(path).remarks)
    path.write_text(text.format(2**53 - 2, 2**53 - 1))
    assert nk.read(path).remarks == ()


def test_a_report_names_the_files_that_were_written(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text(table("z", [str((11 * i) % 23) for i in range(LENGTH)]))
    files = {"--proof": "my proof.json", "--rows": "my rows.csv", "--report": "r.html"}
    words = [word for name, file in files.items() for word in (name, str(tmp_path / file))]
    assert novikoff("certify", path, "--drop", "z", *words).returncode == 0
    page = (tmp_path / "r.html").read_text()
    assert "my proof.json" in page
    assert "my rows.csv" in page
    assert "verify proof.json" not in page


@pytest.mark.parametrize("format", ["npy", "npz"])
def test_a_column_of_an_array_that_rises_with_the_rows_is_said(format, tmp_path):
    path, rng = tmp_path / f"d.{format}", np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30), np.arange(30) * 2 + 5, rng.integers(0, 9, 30)])
    y = np.arange(30) % 2
    if format == "npy":
        np.save(path, np.column_stack([X, y]))
    else:
        np.savez(path, X=X, y=y)
    notes = nk.read(path).notes
    assert notes == (
        "column 2 rises or falls with the rows (5, 7, 9, …) and is kept (drop='2' leaves it out)",
    )


@pytest.mark.parametrize("form", ["npy", "npz", "sparse npz"])
@pytest.mark.parametrize("step", [1, -1])
def test_a_column_of_an_array_that_counts_the_rows_is_a_question(form, step, tmp_path):
    path, rng = tmp_path / f"d.{form[-3:]}", np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30), np.arange(30)[::step], rng.integers(0, 9, 30)])
    y = np.arange(30) % 2
    if form == "npy":
        np.save(path, np.column_stack([y, X]))
    elif form == "npz":
        np.savez(path, X=X, y=y)
    else:
        held = csr_matrix(X)
        np.savez(path, format="csr", shape=held.shape, data=held.data, indices=held.indices,
                 indptr=held.indptr, y=y)  # fmt: skip
    label, name = ("1", "3") if form == "npy" else (None, "2")
    with pytest.raises(FileError, match=rf"column {name} counts .*drop='{name}'.*keep='{name}'"):
        nk.read(path, label)
    assert nk.read(path, label, drop=[name]).n_columns == 2
    kept = nk.read(path, label, keep=[name])
    assert (kept.n_columns, kept.told["keep"]) == (3, [name])
    assert nk.read(path, label, **kept.reading).n_columns == 3
    with pytest.raises(FileError, match="no column '9' beside its label"):
        nk.read(path, label, keep=["9"])


@pytest.mark.parametrize("first", [0, 1, 100])
def test_an_entry_of_sparse_rows_that_counts_them_is_said(first, tmp_path):
    svm, vw = tmp_path / "d.svm", tmp_path / "d.vw"
    rows = [(i % 2, first + i, (7 * i) % 5) for i in range(20)]
    svm.write_text("".join(f"{y} 1:{k} 2:{z}\n" for y, k, z in rows))
    vw.write_text("".join(f"{y} | id:{k} z:{z}\n" for y, k, z in rows))
    few = f"({first}, {first + 1}, {first + 2}, …)"
    assert nk.read(svm).notes == (f"column 1 counts the rows {few} and is kept",)
    assert nk.read(vw).notes == (f"column 'id' counts the rows {few} and is kept",)
    assert nk.read(svm, numbers="decimal").notes == nk.read(svm).notes
    assert nk.certify(nk.read(vw)).to_dict()["notes"] == list(nk.read(vw).notes)
