"""Text columns as a regression has them: one level is the reference, and has no column."""

from __future__ import annotations

import inspect
import itertools
import json
import random

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import novikoff as nk
from command import novikoff
from novikoff.certificates import checker
from novikoff.errors import FileError, InputError, KeywordError
from novikoff.io import assembly
from novikoff.io.options import Options, ReadOptions, ScanOptions

GUILTY = "size,color,sick\n" + "".join(
    f"{size},{color},{sick}\n"
    for color in ("blue", "green", "red")
    for size, sick in itertools.product((1, 2, 3), ("no", "yes"))
    if (color, sick) != ("red", "no")
)


def random_table(draw):
    """A CSV text of one or two text columns, and maybe a number, with any classes."""
    texts = [[f"{c}{k}" for k in range(draw.randint(1, 4))] for c in "st"[: draw.randint(1, 2)]]
    has_number = draw.random() < 0.6
    names = [*"st"[: len(texts)], *(["n"] if has_number else []), "y"]
    lines = [",".join(names)]
    for i in range(draw.randint(8, 14)):
        cells = [draw.choice(levels) for levels in texts]
        cells += [str(draw.randint(-2, 2))] if has_number else []
        lines.append(",".join([*cells, "ab"[i % 2 if i < 2 else draw.random() < 0.5]]))
    return "\n".join(lines) + "\n"


def test_the_status_is_the_same_for_all_levels_and_for_all_but_the_reference(fresh_seed, tmp_path):
    draw = random.Random(fresh_seed)
    path, seen = tmp_path / "t.csv", set()
    for _ in range(150):
        path.write_text(random_table(draw))
        every = nk.read(path, header=True, categorical=["s"])
        spared = nk.read(path, header=True, categorical=["s"], levels="reference")
        verdicts = [nk.certify(every), nk.certify(spared)]
        assert verdicts[0].status == verdicts[1].status, path.read_text()
        seen.add(verdicts[0].status)
        n_levels = [len(levels) for levels in every.encoding.values()]
        if spared.n_columns < every.n_columns:
            assert spared.n_columns == every.n_columns - len(n_levels)
        else:
            assert set(n_levels) == {1}
            assert spared.names == every.names
    assert seen == {"separable", "quasi-separable", "overlapping"}


def test_one_guilty_level_is_the_only_infinite_one(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(GUILTY)
    every = nk.certify(nk.read(path))
    assert {"color=blue", "color=green", "(intercept)"} <= set(every.columns)
    assert every.collinear
    spared = nk.certify(nk.read(path, levels="reference"))
    assert spared.status == every.status == "quasi-separable"
    assert {name for name, sign in spared.columns.items() if sign} == {"color=red"}
    assert not spared.collinear
    done = novikoff("certify", path)
    assert done.returncode == 0, done.stderr
    assert "color=red (+∞)" in done.stdout
    assert "±" not in done.stdout
    assert "'color' ('green', 'red'; the reference is 'blue')" in done.stderr
    bare = novikoff("certify", path, "--no-intercept")
    assert "'color' (3 levels)" in bare.stderr


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_proof_says_which_level_is_left_out_and_is_verified_so(form, tmp_path):
    path, proof, rows = tmp_path / f"t.{form}", tmp_path / "p.json", tmp_path / "r.csv"
    cells = [line.split(",") for line in GUILTY.splitlines()[1:]]
    if form == "csv":
        path.write_text(GUILTY)
    else:
        columns = dict(zip(("size", "color", "sick"), zip(*cells, strict=True), strict=True))
        columns["size"] = [int(size) for size in columns["size"]]
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
    done = novikoff("certify", path, "--proof", proof, "--rows", rows)
    assert done.returncode == 0, done.stderr
    kept = json.loads(proof.read_text())["data"]["reading"]["options"]
    assert kept["levels"] == "reference"
    assert kept["encoding"] == {"color": ["blue", "green", "red"]}
    assert novikoff("verify", proof, path).returncode == 0
    assert checker.main([str(proof), str(rows)]) == 0
    assert rows.read_text().splitlines()[0] == "size,color=green,color=red,sick"


def test_a_proof_that_does_not_speak_of_levels_means_all_of_them(tmp_path):
    path, proof = tmp_path / "t.csv", tmp_path / "p.json"
    path.write_text(GUILTY)
    nk.certify(nk.read(path, labels="text", numbers="decimal")).certificate.save(proof)
    kept = json.loads(proof.read_text())["data"]["reading"]["options"]
    assert "levels" not in kept
    assert nk.load_certificate(proof).stamp.n_columns == 4
    assert novikoff("verify", proof, path).returncode == 0


@pytest.mark.parametrize("numbers", ["binary64", "decimal"])
def test_the_columns_are_those_of_all_levels_without_the_first_ones(numbers, tmp_path):
    draw, path = random.Random(3), tmp_path / "t.csv"
    for n_levels in (2, 60):  # dense, and with two such columns sparse
        lines = [f"u{i % n_levels:02},{i % 7 / 4},v{draw.randrange(n_levels):02},one,{i % 2}"
                 for i in range(600)]  # fmt: skip
        path.write_text("s,n,t,c,y\n" + "\n".join(lines) + "\n")
        every, spared = (nk.read(path, levels=levels, numbers=numbers) for levels in
                         ("all", "reference"))  # fmt: skip
        firsts = [f"{name}={levels[0]}" for name, levels in every.encoding.items()]
        assert firsts == ["s=u00", "t=v00", "c=one"]
        kept = [j for j, name in enumerate(every.names) if name not in firsts]
        assert spared.names == tuple(every.names[j] for j in kept)
        assert spared.encoding == every.encoding
        assert (dense(spared.X) == dense(every.X)[:, kept]).all()
        again = nk.read(path, **spared.options)
        assert (dense(again.X) == dense(spared.X)).all()
        assert nk.read(path, "y", **spared.reading).names == spared.names
    blocks = [dense(X) for X, _ in nk.scan(path, levels="reference")]
    assert (np.concatenate(blocks) == dense(spared.X)).all()
    cached = nk.scan(path, levels="reference", cache=tmp_path / "kept").cached()
    assert (dense(cached.X) == dense(spared.X)).all()


def dense(X):
    X = getattr(X, "matrix", X)
    return X if isinstance(X, np.ndarray) else X.toarray()


def test_a_level_that_is_not_known_is_never_taken_for_the_reference(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(GUILTY)
    told = {"encoding": {"color": ["green", "red"]}, "levels": "reference"}
    with pytest.raises(InputError, match="'blue' is not in the encoding") as caught:
        nk.read(path, **told)
    assert "unseen" not in str(caught.value)
    with pytest.raises(InputError, match="all zeros are the reference"):
        nk.read(path, **told, unseen="zeros")
    with pytest.raises(InputError, match="levels is 'none'; it must be one of"):
        nk.read(path, levels="none")


def test_files_without_text_are_certified_as_ever(tmp_path):
    path = tmp_path / "t.svm"
    path.write_text("1 1:2\n0 1:1\n1 2:1\n")
    np.save(tmp_path / "t.npy", np.array([[1.0, 0], [2.0, 1], [3.0, 0]]))
    for name in ("t.svm", "t.npy"):
        proof = tmp_path / "p.json"
        done = novikoff("certify", tmp_path / name, "--proof", proof)
        assert done.returncode == 0, done.stderr
        assert "levels" not in json.loads(proof.read_text())["data"]["reading"]["options"]
        assert novikoff("verify", proof, tmp_path / name).returncode == 0


def test_the_options_of_read_and_scan_are_declared_once():
    of_read, of_scan = (inspect.signature(f).parameters for f in (nk.read, nk.scan))
    inner = {"among"}  # for formulas: of these names, the columns that the file has
    assert set(ReadOptions.__annotations__) | {"label"} == set(Options.__dataclass_fields__) - inner
    assert set(of_read) == set(ReadOptions.__annotations__) | {"path_or_pattern", "label"}
    assert set(of_scan) - {"cache"} == set(of_read) - {"numbers"}
    for name in ScanOptions.__annotations__:
        assert of_read[name].default == of_scan[name].default == getattr(Options(), name)
        assert (
            f"{name} :" in nk.read.__doc__
            or f"{name}," in nk.read.__doc__
            or (f", {name} :" in nk.read.__doc__)
        )
    for ask in (lambda: nk.read("x.csv", colour=1), lambda: nk.scan("x.csv", numbers="decimal")):
        with pytest.raises(KeywordError, match=r"no option '(colour|numbers)'"):
            ask()


def test_many_levels_beside_numbers_that_are_floats_stay_sparse(tmp_path, monkeypatch):
    draw = random.Random(3)
    path = tmp_path / "levels.csv"
    lines = [
        f"{draw.choice(['0.5', '3', '1e2'])},k{draw.randrange(150)},{i % 2}" for i in range(900)
    ]
    path.write_text("\n".join(["size,key,y", *lines]) + "\n")
    dense = nk.read(path, label="y", numbers="decimal")
    assert not dense.X.is_sparse
    monkeypatch.setattr(assembly, "MOST_EXACT_NUMBERS", 1000)
    few = nk.read(path, label="y", numbers="decimal")
    assert few.X.is_sparse
    assert few.X.numbers == "decimal"
    assert (few.X.matrix.toarray() == dense.X.matrix).all()


def test_many_levels_beside_decimals_are_not_tried_without_end(tmp_path, monkeypatch):
    path = tmp_path / "levels.csv"
    path.write_text(
        "\n".join(["size,key,y", *(f"0.1,k{i % 150},{i % 2}" for i in range(900))]) + "\n"
    )
    monkeypatch.setattr(assembly, "MOST_EXACT_NUMBERS", 1000)
    assert nk.read(path, label="y", numbers="decimal").X.exact is not None
    monkeypatch.setattr(assembly, "MOST_EXACT_LEVELS", 1000)
    with pytest.raises(FileError, match="numbers='binary64'"):
        nk.read(path, label="y", numbers="decimal")
    assert nk.read(path, label="y", numbers="binary64").n_rows == 900
