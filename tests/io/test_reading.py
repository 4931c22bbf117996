"""What is read is what is proved: exact integers, rows by their numbers, proofs that say how."""

from __future__ import annotations

import json
import re
import shlex
import sys
import types
from dataclasses import replace
from fractions import Fraction
from html import unescape

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

import novikoff as nk
from command import novikoff
from novikoff.certificates import Reading, checker
from novikoff.certificates.certificate import from_dict
from novikoff.errors import CertificateError, ParameterError
from novikoff.io import Data, formats, read, scan
from novikoff.io.data import join
from novikoff.io.reading import Reader
from novikoff.io.writing import exact_text


def test_decimals_of_parquet_are_exact(tmp_path):
    from decimal import Decimal

    values = [Decimal("0.1"), Decimal("0.2"), Decimal("0.3")]
    table = pyarrow.table({"x": values, "z": [0.5, 1.5, 2.5], "y": [0, 1, 0]})
    pyarrow.parquet.write_table(table, tmp_path / "d.parquet")
    X = read(tmp_path / "d.parquet").X
    assert X.exact.tolist() == [[Fraction(v), Fraction(w)] for v, w in
                                zip(values, [0.5, 1.5, 2.5], strict=True)]  # fmt: skip
    assert read(tmp_path / "d.parquet", numbers="binary64").X.tolist()[0] == [0.1, 0.5]


def test_long_labels_stay_apart(tmp_path):
    labels = pyarrow.array([2**60, 2**60 + 1, None], pyarrow.uint64())
    table = pyarrow.table({"x": [1, 2, 3], "y": labels})
    pyarrow.parquet.write_table(table, tmp_path / "l.parquet")
    assert len(set(read(tmp_path / "l.parquet", missing="drop").y.tolist())) == 2
    pyarrow.parquet.write_table(table[:2], tmp_path / "l.parquet")
    assert read(tmp_path / "l.parquet").y.tolist() == [2**60, 2**60 + 1]


def holey(form, folder):
    """XOR with rows that lack a value among its rows, and the numbers of those that do not."""
    a = [None, 0, 0, None, 1, 1, None]
    b = [5, 0, 1, 7, 0, 1, 9]
    y = [0, 0, 1, 1, 1, 0, 0]
    path = folder / f"holey.{form}"
    if form == "csv":
        rows = zip(a, b, y, strict=True)
        path.write_text(
            "a,b,y\n" + "".join(f"{'' if p is None else p},{q},{s}\n" for p, q, s in rows)
        )
    elif form == "svm":
        rows = zip(a, b, y, strict=True)
        path.write_text("".join(f"{s} 1:{'nan' if p is None else p} 2:{q}\n" for p, q, s in rows))
    elif form == "npy":
        np.save(path, np.array([[np.nan if p is None else p for p in a], b, y], dtype=float).T)
    else:
        pyarrow.parquet.write_table(pyarrow.table({"a": a, "b": b, "y": y}), path, row_group_size=3)
    return path


@pytest.mark.parametrize("form", ["csv", "svm", "npy", "parquet"])
def test_rows_keep_their_numbers_where_others_are_left_out(form, tmp_path, monkeypatch):
    path, proof = holey(form, tmp_path), tmp_path / "proof.json"
    monkeypatch.setattr("novikoff.io.chunks.CHUNK_BYTES", 20)
    data = read(path, missing="drop")
    assert data.left_out.tolist() == [0, 3, 6]
    assert data.row_numbers.tolist() == [1, 2, 4, 5]
    verdict = nk.certify(data)
    assert list(verdict.rows) == [1, 2, 4, 5]
    assert list(verdict.places) == [0, 1, 2, 3]
    cached = scan(path, missing="drop", cache=tmp_path / "cache").cached()
    assert cached.left_out.tolist() == [0, 3, 6]
    done = novikoff("certify", path, "--missing", "drop", "--proof", proof, "--json")
    found = json.loads(done.stdout)
    assert (found["rows"], found["left_out"]) == ([1, 2, 4, 5], 3)
    assert "3 rows lack a value and are left out of holey" in done.stderr
    assert "(rows 0, 3, 6, counted from 0; the others keep their numbers)" in done.stderr
    held = json.loads(proof.read_text())
    assert held["data"]["reading"]["left_out"] == [[0, 1], [3, 1], [6, 1]]
    numbers = map(nk.load_certificate(proof).stamp.number, range(4))
    assert sorted(numbers) == [1, 2, 4, 5]
    checked = novikoff("verify", proof, path)
    assert checked.returncode == 0, checked.stderr
    assert novikoff("verify", proof, path, "--missing", "drop").returncode == 0
    other = novikoff("verify", proof, path, "--missing", "error")
    assert other.returncode == 2
    assert "--missing says otherwise" in other.stderr


def test_a_traced_run_names_rows_as_the_file_has_them(tmp_path):
    path = holey("csv", tmp_path)
    words = ["trace", path, "--missing", "drop", "--max-iter", "2"]
    found = json.loads(novikoff(*words, "--json").stdout)
    assert set(found["tape"]["rows"]) <= {1, 2, 4, 5}
    told = novikoff(*words).stdout
    rows = re.findall(r"^ *\d+ +(\d+) +[+−]", told, re.MULTILINE)
    assert {int(row) - 1 for row in rows} == set(found["tape"]["rows"])
    ordered = novikoff(*words, "--order", "6,5,3,2", "--json")
    assert json.loads(ordered.stdout)["tape"]["rows"][0] == 5
    assert novikoff(*words, "--order", "1,2,3,4").returncode == 2


def test_numbers_of_rows_are_those_of_the_file_by_brute_force():
    rng = np.random.default_rng(0)
    for _ in range(200):
        kept = rng.random(30) < rng.random()
        if not kept.any():
            continue
        reading = Reading.of({}, (), np.flatnonzero(~kept))
        numbers = np.flatnonzero(kept).tolist()
        assert [reading.number(place) for place in range(len(numbers))] == numbers
        assert Reading.from_dict(reading.to_dict()).left_out == reading.left_out
        assert reading.n_left_out == int((~kept).sum())


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": {}, "notes": []},
        {"options": {}, "notes": [], "left_out": [[3, 0]]},
        {"options": {}, "notes": [], "left_out": [[3, 2], [4, 1]]},
        {"options": {}, "notes": [1], "left_out": []},
        {"options": [], "notes": [], "left_out": []},
        {"options": {"a": {"b": {"c": {"d": {"e": 1}}}}}, "notes": [], "left_out": []},
        "text",
    ],
)
def test_a_reading_that_is_none_is_refused(wrong):
    proof = nk.certify([[0.0], [1.0]], [0, 1]).certificate.to_dict()
    assert from_dict(proof).stamp.reading is None  # as all proofs were before
    proof["data"]["reading"] = wrong
    with pytest.raises(CertificateError, match=r"reading|options|notes|left out"):
        from_dict(proof)


TABLE = "id;size;color;weight;kind\n" + "".join(
    f"n{i};{i % 5},{i % 3};{'red' if i % 3 else 'blue'};{'' if i == 4 else i % 7};{'ab'[i % 2]}\n"
    for i in range(40)
)
SVM = "".join(f"{i % 2} 1:{i % 5}.1 3:{i % 3}\n" for i in range(30))
CASES = {
    "plain": ("plain.csv", "a,b,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n", []),
    "label": ("label.csv", "y,a,b\n0,0,0\n1,0,1\n1,1,0\n0,1,1\n", ["--label", "y"]),
    "tabs": ("t.tsv", "a\tb\ty\n0\t0\t0\n0\t1\t1\n1\t0\t1\n1\t1\t0\n", []),
    "bars": ("bars.csv", "a|b|y\n0|0|0\n0|1|1\n1|0|1\n1|1|0\n", ["--delimiter", "|"]),
    "text": ("my file.csv", "c,b,y\nu,0,p\nv,1,q\nu,1,q\nv,1,p\nu,0,q\n", []),
    "all": ("all.csv", TABLE, ["--drop", "id", "--decimal", ",", "--missing", "drop"]),
    "positive": ("p.csv", "a,y\n0,u\n1,v\n", ["--positive", "u", "--no-intercept"]),
    "svmlight": ("rows.svm", SVM, []),
    "svmlight+": ("rows.svm", SVM, ["--positive", "1", "--numbers", "decimal"]),
    "binary": ("b.csv", "a,b,y\n0.1,0.3,1\n0.2,0.6,0\n0.3,0.9,1\n", ["--numbers", "binary64"]),
    "decimal": ("b.csv", "a,b,y\n0.1,0.3,1\n0.2,0.6,0\n0.3,0.9,1\n", []),
    "index": ("i.csv", ",a,y\n0,0.5,u\n1,1.5,v\n2,1.0,u\n", []),
    "vw": ("rows.vw", "1 |f a:2 b\n0 |f a:1\n1 |f b:3\n", []),
}  # fmt: skip


PLAIN = ("plain", "label", "tabs", "binary", "decimal", "positive")  # the checker reads these


def commands_of(page):
    """The commands that a page prints, as a person would copy them."""
    blocks = re.findall(r"<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    return [unescape(block) for block in blocks]


def run_as_printed(page, folder, monkeypatch, capsys):
    """Run all commands of the page, word for word, in the folder with the proof and the data."""
    shell, alone, python = commands_of(page)
    monkeypatch.chdir(folder)
    for line in [*shell.splitlines(), *alone.splitlines()]:
        first, *words = shlex.split(line)
        if first == "novikoff":
            done = novikoff(*words)
            assert done.returncode == 0, (line, done.stderr)
            assert "proof holds" in done.stdout
        else:
            assert (first, words[0]) == ("python", "checker.py")
            assert checker.main(words[1:]) == 0, (line, capsys.readouterr())
    exec(python, {"novikoff": nk})


@pytest.mark.parametrize("case", CASES)
def test_the_commands_of_the_report_check_its_proof_as_they_are_printed(
    case, tmp_path, monkeypatch, capsys
):
    name, text, options = CASES[case]
    (tmp_path / name).write_text(text)
    words = ["certify", tmp_path / name, *options, "--report", tmp_path / "r.html"]
    done = novikoff(*words, "--proof", tmp_path / "proof.json", "--rows", tmp_path / "made.csv")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "r.html").read_text()
    run_as_printed(page, tmp_path, monkeypatch, capsys)
    alone = commands_of(page)[1]
    assert ("made.csv" in alone) == (case not in PLAIN)
    rows = checker.main([str(tmp_path / "proof.json"), str(tmp_path / "made.csv")])
    assert rows == 0
    for note in json.loads((tmp_path / "proof.json").read_text())["data"]["reading"]["notes"]:
        assert note in unescape(page)


def test_a_proof_from_parquet_is_checked_as_printed(tmp_path, monkeypatch, capsys):
    table = pyarrow.table({"c": list("uvuvu"), "b": [0, 1, 1, 1, 0], "y": list("pqqpq")})
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    done = novikoff("certify", tmp_path / "t.parquet", "--report", tmp_path / "r.html",
                    "--proof", tmp_path / "proof.json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    run_as_printed((tmp_path / "r.html").read_text(), tmp_path, monkeypatch, capsys)


def test_a_tampered_row_is_found_by_the_checker_alone(tmp_path):
    name, text, options = CASES["all"]
    (tmp_path / name).write_text(text)
    rows, proof = tmp_path / "rows.csv", tmp_path / "proof.json"
    novikoff("certify", tmp_path / name, *options, "--rows", rows, "--proof", proof)
    assert checker.main([str(proof), str(rows)]) == 0
    lines = rows.read_text().splitlines()
    assert len(lines) == 1 + 39
    lines[5] = lines[5].replace("1", "2", 1)
    rows.write_text("\n".join(lines) + "\n")
    assert checker.main([str(proof), str(rows)]) == 1
    assert checker.main([str(proof), str(tmp_path / name)]) == 1
    assert checker.main([str(proof)]) == 2


def test_options_that_contradict_the_proof_are_refused(tmp_path):
    name, text, options = CASES["all"]
    (tmp_path / name).write_text(text)
    proof = tmp_path / "proof.json"
    novikoff("certify", tmp_path / name, *options, "--proof", proof)
    assert novikoff("verify", proof, tmp_path / name, *options).returncode == 0
    for words in (["--drop", "size"], ["--decimal", "."], ["--label", "color"], ["--no-header"],
                  ["--categorical", "size"], ["--keep", "id"], ["--delimiter", ","]):  # fmt: skip
        done = novikoff("verify", proof, tmp_path / name, *words)
        if words == ["--decimal", "."]:
            continue
        assert done.returncode == 2, words
        assert "says how its rows were read" in done.stderr


@pytest.mark.parametrize(
    "value",
    [0, 1, -3, Fraction(1, 10), Fraction(-7, 8), Fraction(1, 3), 2**60, Fraction(5, 2**70),
     Fraction(10**20), Fraction(1, 10**30)],
)  # fmt: skip
def test_a_written_number_is_the_number(value):
    assert Fraction(exact_text(value)) == value


@pytest.mark.parametrize("label", [[], ["--label", "2"], ["--label", "1"]])
def test_predict_takes_the_array_that_fit_read(label, tmp_path):
    rng = np.random.default_rng(0)
    held = rng.integers(0, 2, size=(40, 4)).astype(float)
    np.save(tmp_path / "a.npy", held)
    model = tmp_path / "m"
    assert novikoff("fit", tmp_path / "a.npy", "-o", model, "--passes", "3", *label).returncode == 0
    done = novikoff("predict", model, tmp_path / "a.npy")
    assert done.returncode == 0, done.stderr
    place = int(label[1]) - 1 if label else 3
    np.save(tmp_path / "x.npy", np.delete(held, place, axis=1))
    assert novikoff("predict", model, tmp_path / "x.npy").stdout == done.stdout
    expected = nk.load(model).predict(np.delete(held, place, axis=1))
    assert done.stdout.split() == [str(int(v)) for v in expected]
    np.savez(tmp_path / "a.npz", X=np.delete(held, place, axis=1), y=held[:, place])
    assert novikoff("predict", model, tmp_path / "a.npz").stdout == done.stdout


class PlainReader(Reader):
    """Rows of numbers between blanks, of which the first is the label: a format of this test."""

    def blocks(self):
        for source in self.sources:
            with source.open() as stream:
                rows = np.loadtxt(stream, ndmin=2)
            yield Data(X=rows[:, 1:], y=rows[:, 0], source=self.source, format=self.format)

    def finish(self, blocks):
        return replace(join(blocks), options=self.options.to_read_again(None))

    def written_labels(self, block):
        return block.y


def test_a_new_format_is_a_reader_and_one_line_of_the_table_of_formats(tmp_path, monkeypatch):
    monkeypatch.setitem(
        formats.FORMATS, "plain", formats.Format("plain:PlainReader", (".plain",), frozenset())
    )
    module = types.ModuleType("novikoff.io.plain")
    module.PlainReader = PlainReader
    monkeypatch.setitem(sys.modules, "novikoff.io.plain", module)
    path = tmp_path / "t.plain"
    path.write_text("1 0.5 2\n-1 1.5 7\n1 0.25 3\n")
    expected = [[0.5, 2.0], [1.5, 7.0], [0.25, 3.0]]
    data = read(path)
    assert (data.X.tolist(), data.y.tolist(), data.format) == (expected, [1, -1, 1], "plain")
    assert read(path, **data.options).X.tolist() == expected
    for _ in range(2):  # the cache is made, then mapped
        cached = scan(path, cache=tmp_path / "c").cached()
        assert (np.asarray(cached.X).tolist(), cached.y.tolist()) == (expected, [1, -1, 1])
    assert nk.certify(scan(path, format="plain", cache=True)).status == "separable"
    with pytest.raises(ParameterError, match="bits= is for vw files, and this one is plain"):
        read(path, bits=3)
