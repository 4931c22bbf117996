"""One table in every notation: read as what it is, or refused with a sentence; never guessed at.

Iris versicolor against virginica overlaps. Where a notation makes each number a level of its own,
or where row numbers are taken for a measurement, the same flowers are separable.
"""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_iris

import novikoff as nk
from command import novikoff
from novikoff.errors import FileError
from novikoff.io import read, scan
from novikoff.io.fields import FieldError, Numerals
from novikoff.io.layout import too_many_levels
from novikoff.io.opening import find_delimiter

FLOWERS = load_iris()
KEPT = FLOWERS.target > 0
X = FLOWERS.data[KEPT]
Y = ["versicolor" if code == 1 else "virginica" for code in FLOWERS.target[KEPT]]
NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width", "species"]


def written(cell, mark=",", header=True, extra=None, name="extra"):
    """The flowers as CSV text, each number written by `cell`, with a first column `extra`."""
    out = io.StringIO()
    rows = csv.writer(out, delimiter=mark, lineterminator="\n")
    lines = [[*map(cell, row), label] for row, label in zip(X.tolist(), Y, strict=True)]
    if extra is not None:
        lines = [[extra(i), *line] for i, line in enumerate(lines)]
    if header:
        rows.writerow([*([name] if extra is not None else []), *NAMES])
    rows.writerows(lines)
    return out.getvalue()


def with_digits(zero):
    return lambda v: "".join(chr(zero + int(c)) if c.isdigit() else c for c in f"{v}")


CELLS = {
    "decimal comma": lambda v: f"{v}".replace(".", ","),
    "thousands by point": lambda v: f"{v * 1000:,.1f}".translate(str.maketrans(",.", ".,")),
    "thousands by comma": lambda v: f"{v * 1000:,.1f}",
    "thousands by comma, whole": lambda v: f"{v * 10_000:,.0f}",
    "thousands by point, whole": lambda v: f"{v * 1_000_000:,.0f}".replace(",", "."),
    "thousands by blank": lambda v: f"{v * 1000:,.1f}".replace(",", " "),
    "thousands by narrow blank": lambda v: f"{v * 1000:,.1f}".replace(",", "\u202f"),
    "thousands by apostrophe": lambda v: f"{v * 1000:,.1f}".replace(",", "'"),
    "thousands by quotation mark": lambda v: f"{v * 1000:,.1f}".replace(",", "’"),
    "percent": lambda v: f"{v}%",
    "dollars": lambda v: f"${v}",
    "euros": lambda v: f"{v} €",
    "underscores": lambda v: f"{v * 1000:_.1f}",
    "minus U+2212": lambda v: f"\u2212{v}",
    "en dash": lambda v: f"\u2013{v}",
    "full-width digits": with_digits(0xFF10),
    "Arabic digits": lambda v: with_digits(0x660)(v).replace(".", "٫"),
    "parentheses": lambda v: f"({v})",
    "fraction": lambda v: f"{round(v * 10)}/10",
    "no-break blank": lambda v: f"{v}\u00a0",
    "dates": lambda v: f"2020-{1 + int(v)}-{1 + round(v * 10) % 10}",
    "brackets": lambda v: f"[{v}]",
    "times": lambda v: f"{int(v)}:{round(v * 10) % 10}0",
}  # fmt: skip


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("name", CELLS)
def test_numbers_in_another_notation_are_an_error_that_names_column_cell_and_notation(
    name, header, tmp_path
):
    path, mark = tmp_path / "iris.csv", ",;\t"[list(CELLS).index(name) % 3]
    path.write_text(written(CELLS[name], mark, header))
    with pytest.raises(FileError) as error:
        read(path)
    told = str(error.value)
    if "header=True or header=False" in told:  # words such as '7.0 cm' could be names as well
        with pytest.raises(FileError) as error:
            read(path, header=header)
        told = str(error.value)
    cell = CELLS[name](X[0, 0])
    assert "\n" not in told
    assert (
        f"line {1 + header}, column {repr('sepal_length') if header else 1}: {cell!r} is " in told
    )
    assert "categorical=" in told
    assert "drop=" in told
    with pytest.raises(FileError):
        list(scan(path))


@pytest.mark.parametrize(
    ("cell", "options"),
    [
        ("decimal comma", ["--decimal", ","]),
        ("thousands by point", ["--decimal", ",", "--thousands", "."]),
        ("thousands by comma", ["--thousands", ","]),
        ("thousands by comma, whole", ["--thousands", ","]),
        ("thousands by point, whole", ["--thousands", ".", "--decimal", ","]),
        ("thousands by blank", ["--thousands", " "]),
        ("thousands by narrow blank", ["--thousands", " "]),
        ("thousands by apostrophe", ["--thousands", "'"]),
        ("thousands by quotation mark", ["--thousands", "’"]),
        ("underscores", ["--thousands", "_"]),
    ],
)
@pytest.mark.parametrize("mark", [",", ";"])
def test_the_option_that_the_message_names_reads_the_very_numbers(cell, options, mark, tmp_path):
    path, plain = tmp_path / "iris.csv", tmp_path / "plain.csv"
    path.write_text(written(CELLS[cell], mark))
    refused = novikoff("certify", path)
    assert refused.returncode == 1
    for option, value in zip(options[::2], options[1::2], strict=True):
        mark = '"' if value == "'" else "'"
        assert f"{option} {mark}{value}{mark}" in refused.stderr
    done = novikoff("certify", path, *options, "--require", "overlapping")
    assert done.returncode == 0, done.stderr
    names = {"--decimal": "decimal", "--thousands": "thousands"}
    said = {names[k]: v for k, v in zip(options[::2], options[1::2], strict=True)}
    exact = read(path, numbers="decimal", **said).X
    scale = {"thousands by comma, whole": 10_000, "thousands by point, whole": 10**6}
    scale = scale.get(cell, 1 if cell == "decimal comma" else 1000)
    expected = [[Fraction(str(v)) * scale for v in row] for row in X.tolist()]
    found = exact.exact if exact.exact is not None else exact.matrix
    assert [[Fraction(v) for v in row] for row in found.tolist()] == expected
    plain.write_text(written(str))
    if scale == 1:
        assert np.array_equal(read(path, **said).X, read(plain).X)


EXTRAS = {
    "dates": lambda i: f"2020-{1 + i // 28}-{1 + i % 28}",
    "names": lambda i: f"flower {i}",
    "names of two rows": lambda i: f"flower {i // 2}",
    "hashes": lambda i: f"{hash((i, 7)) & 0xFFFFFFFF:08x}x",
    "numbered names": lambda i: f"P{i:03d}",
}


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("name", EXTRAS)
def test_a_column_that_names_the_rows_is_an_error_unless_it_is_named(name, header, tmp_path):
    path = tmp_path / "iris.csv"
    path.write_text(written(str, header=header, extra=EXTRAS[name], name="who"))
    column = "who" if header else "1"
    cures = f"categorical='{column}', or leave it out with drop='{column}'"
    with pytest.raises(FileError, match=re.escape(cures)):
        read(path)
    dropped = read(path, drop=[column])
    assert nk.certify(dropped).status == "overlapping"
    assert dropped.notes == (f"left out, as asked: column {column!r}".replace("'1'", "1"),)
    assert "text made columns of 0s and 1s" in read(path, categorical=column).notes[0]


@pytest.mark.parametrize(("start", "name"), [(0, ""), (50, "Unnamed: 0")])
@pytest.mark.parametrize("shuffled", [False, True])
def test_the_index_that_pandas_writes_is_left_out_and_that_is_said(start, name, shuffled, tmp_path):
    path, proof = tmp_path / "iris.csv", tmp_path / "proof.json"
    order = np.random.default_rng(0).permutation(len(X)) if shuffled else np.arange(len(X))
    path.write_text(written(str, extra=lambda i: start + int(order[i]), name=name))
    done = novikoff("certify", path, "--require", "overlapping", "--proof", proof)
    assert done.returncode == 0
    for told in (done.stderr, done.stdout.replace("\n", " ")):
        assert "column 1, which has no name" in told
    data = read(path)
    assert data.names == tuple(NAMES[:4])
    for notes in (data.notes, nk.certify(data).reading.notes, [proof.read_text()]):
        assert any("numbers the rows" in note for note in notes)
    assert read(path, keep=[1]).n_columns == 5
    assert novikoff("certify", path, "--keep", "1", "--json").returncode == 0


def test_the_index_of_a_dataframe_in_parquet_is_left_out_and_the_label_is_found(tmp_path):
    import pandas

    frame = pandas.DataFrame(X, columns=NAMES[:4])
    frame["species"] = Y
    frame.index = list(range(50, 150))[::-1]
    frame.to_parquet(tmp_path / "iris.parquet")
    data = read(tmp_path / "iris.parquet")
    assert (data.names, data.label) == (tuple(NAMES[:4]), "species")
    assert any("index of a DataFrame" in note for note in data.notes)
    assert nk.certify(data).status == "overlapping"
    assert read(tmp_path / "iris.parquet", "species", keep="__index_level_0__").n_columns == 5
    frame.astype(str).to_parquet(tmp_path / "text.parquet", index=False)
    with pytest.raises(FileError, match="column 'sepal_length': the column is of text and holds"):
        read(tmp_path / "text.parquet")


@pytest.mark.parametrize(
    ("name", "text"), [("d.svm", "1 1:{}\n-1 1:2\n"), ("d.vw", "1 | a:{}\n-1 | a:2\n")]
)
def test_cures_are_those_that_the_format_takes(name, text, tmp_path):
    path = tmp_path / name
    path.write_text(text.format("1,5"))
    with pytest.raises(
        FileError, match=r"a decimal comma; a finite number is needed: write it"
    ) as e:
        read(path)
    assert "decimal=" not in str(e.value)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [f"{k},5" for k in range(9)], "y": [0, 1, 0] * 3})
    frame.to_parquet(tmp_path / "d.parquet")
    with pytest.raises(
        FileError, match=r"decimal comma; store the column as numbers, .*drop="
    ) as e:
        read(tmp_path / "d.parquet")
    assert "decimal=" not in str(e.value)


def test_honest_categories_pass(tmp_path):
    states = [f"state {k:02d}" for k in range(50)]
    rng = np.random.default_rng(0)
    lines = [f"{x},{states[k % 50]},{k % 2}" for k, x in enumerate(rng.normal(size=500))]
    (tmp_path / "t.csv").write_text("x,state,y\n" + "\n".join(lines) + "\n")
    assert len(read(tmp_path / "t.csv").encoding["state"]) == 50


@pytest.mark.parametrize(
    "words",
    [["18-25", "26-35", "36-50", "51-70"], ["T1", "T2", "T3"], ["<18", "18-64", "65+"],
     ["Stage 1", "Stage 2", "Stage 3"], ["Q1", "Q2", "Q3", "Q4"], ["<5ft", ">=5ft"],
     ["[0.5, 1.0)", "[1.0, 1.5)", "[1.5, 2.0)"], ["<50K", ">50K"], ["chr1", "chr2", "chrX"],
     ["9th", "10th", "1st-4th"], ["A4", "Q5", "X3"], ["1a", "2b", "3c"], ["e5", "a1"],
     ["0.5-1.0", "1.0-2.5", "2.5-4.0"], ["size 1", "size 2", "size 3"], ["2 to 3", "4 to 5"],
     ["HS-grad", "U+2212", "10 000 things to do"], ["[0, 10)", "x,y"]],
)  # fmt: skip
def test_columns_of_words_with_numbers_in_them_stay_words(words, tmp_path):
    lines = [f'{k % 7}.5,"{words[k % len(words)]}",{k % 2}' for k in range(60)]
    (tmp_path / "t.csv").write_text("x,word,y\n" + "\n".join(lines) + "\n")
    assert read(tmp_path / "t.csv").encoding == {"word": sorted(words)}


@pytest.mark.parametrize(
    ("levels", "rows", "many"),
    [(2, 2, False), (3, 3, True), (50, 500, False), (51, 256, False), (51, 255, True),
     (100, 100, True), (11, 22, True), (10, 12, False), (60, 10_000, False),
     (34, 100, True), (22, 205, False), (50, 100, True)],
)  # fmt: skip
def test_how_many_levels_are_too_many(levels, rows, many):
    assert too_many_levels(levels, rows) is many


def test_a_number_among_others_in_another_notation_is_named_with_its_notation(tmp_path):
    (tmp_path / "t.csv").write_text('a,y\n999,0\n"1,234",1\n')
    with pytest.raises(FileError, match=r"line 3, column 'a': the value is '1,234', a number with"):
        read(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text('a,y\n"1,234",0\n999,1\n')
    with pytest.raises(FileError, match=r"line 2, column 'a': '1,234' is a number with"):
        read(tmp_path / "t.csv")
    assert read(tmp_path / "t.csv", thousands=",").X.tolist() == [[1234], [999]]
    (tmp_path / "t.csv").write_text("a;y\n1,5;0\n1.5;1\n")
    with pytest.raises(FileError, match=r"'1\.5', which is no number with decimal=','"):
        read(tmp_path / "t.csv", decimal=",")


def test_numerals_of_a_notation_are_read_exactly_and_others_refused():
    swiss = Numerals(".", "'")
    assert swiss.as_fraction("-1'234'567.125e1") == Fraction(-12345671250, 1000)
    german = Numerals(",", ".")
    assert german.as_fraction("1.234,5") == Fraction(12345, 10)
    assert german.as_float(",5") == 0.5
    for wrong in ("1.5", "12.34,5", "1,234.5", "1.2345", "", "abc", "1,5,5", "٣"):
        with pytest.raises(FieldError):
            german.as_fraction(wrong)


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        (b"5,1;3,5;1,4;0,2;setosa\n", ";"),
        (b"5,1\t3,5\tsetosa\n", "\t"),
        (b"a,b,c;d\n", ","),
        (b"x\t7,2,1\n", "\t"),
        (b"1,2,3\n", ","),
        (b'"a;b";c,d,e\n', ","),
        (b"a;b\n", ";"),
        (b"x\ty\n", "\t"),
    ],
)
def test_commas_between_digits_belong_to_the_numbers(line, mark):
    assert find_delimiter(line) == mark


def test_a_model_of_a_file_with_decimal_commas_predicts_another_one(tmp_path):
    path, model = tmp_path / "iris.csv", tmp_path / "m.st"
    path.write_text(written(CELLS["decimal comma"], ";"))
    assert novikoff("fit", path, "--decimal", ",", "-o", model, "--passes", "3").returncode == 0
    german = novikoff("predict", model, path)
    assert german.returncode == 0, german.stderr
    path.write_text(written(str))
    usual = novikoff("predict", model, path, "--decimal", ".")
    assert usual.stdout == german.stdout
    assert len(re.findall("vers|virg", usual.stdout)) == 100


GROUPED = [("1.500", "30.000"), ("999", "2.125"), ("-4.250", "7"), ("12", "8.000")]


@pytest.mark.parametrize("rows", [GROUPED, [("3", "4"), ("5", "1")] * 200 + GROUPED])
def test_points_before_three_digits_are_asked_about_where_semicolons_separate(rows, tmp_path):
    path, label = tmp_path / "t.csv", ["a", "b"]
    lines = [f"{x};{z};{label[i % 2]}" for i, (x, z) in enumerate(rows)]
    path.write_text("\n".join(["x;z;y", *lines]))
    with pytest.raises(FileError, match=r"decimal='\.', or thousands='\.' with decimal=','"):
        read(path)
    as_decimals = [[float(cell) for cell in row] for row in rows]
    as_thousands = [[float(cell.replace(".", "")) for cell in row] for row in rows]
    assert read(path, decimal=".").X.tolist() == as_decimals
    assert read(path, decimal=",", thousands=".").X.tolist() == as_thousands
    assert read(path, decimal=".", numbers="decimal").options["decimal"] == "."
    for words, code in (([], 1), (["--decimal", "."], 0)):
        done = novikoff("stream", path, "-q", "--predictions", tmp_path / "p", *words)
        assert (done.returncode, "--thousands '.'" in done.stderr) == (code, bool(code))
    path.write_text("\n".join(["x;z;y", *lines, "0.5;1;a"]))
    assert read(path).X.tolist() == [*as_decimals, [0.5, 1.0]]
    path.write_text("\n".join(["x,z,y", *lines]).replace(";", ","))
    assert read(path).X.tolist() == as_decimals
