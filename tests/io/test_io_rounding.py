"""Numbers that float64 may round: exact in every format, or counted, and never in silence."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import novikoff as nk
from command import novikoff
from novikoff.errors import InputError
from novikoff.io import read, scan

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.feather")
pytest.importorskip("pyarrow.parquet")
FORMS = ["csv", "svmlight", "vw", "npy", "npz", "sparse npz", "parquet", "arrow"]
PAIRS = [(2**53, 2**53 + 1), (-(2**53), -(2**53) - 1), (2**63 - 1, 2**63 - 2)]
UNSIGNED = [(2**63 + 1, 2**63), (2**64 - 1, 2**64 - 2)]


def written(form, pair, folder):
    """Two rows of one column, of the classes 0 and 1."""
    low, high = pair
    array = np.array([[low], [high]], dtype=np.uint64 if max(pair) >= 2**63 else np.int64)
    y = np.array([0, 1])
    if form == "csv":
        (folder / "d.csv").write_text(f"x,y\n{low},0\n{high},1\n")
        return folder / "d.csv"
    if form == "svmlight":
        (folder / "d.svm").write_text(f"0 1:{low}\n1 1:{high}\n")
        return folder / "d.svm"
    if form == "vw":
        (folder / "d.vw").write_text(f"0 | x:{low}\n1 | x:{high}\n")
        return folder / "d.vw"
    if form == "npy":
        np.save(folder / "d.npy", np.column_stack([array, y.astype(array.dtype)]))
        return folder / "d.npy"
    if form == "npz":
        np.savez(folder / "d.npz", X=array, y=y)
        return folder / "d.npz"
    if form == "sparse npz":
        X = sparse.csr_matrix(array)
        np.savez(folder / "d.npz", format="csr", shape=X.shape, data=X.data, indices=X.indices,
                 indptr=X.indptr, y=y)  # fmt: skip
        return folder / "d.npz"
    table = pyarrow.table({"x": array.ravel(), "y": y})
    if form == "parquet":
        pyarrow.parquet.write_table(table, folder / "d.parquet")
        return folder / "d.parquet"
    pyarrow.feather.write_feather(table, str(folder / "d.arrow"))
    return folder / "d.arrow"


@pytest.mark.parametrize("pair", PAIRS + UNSIGNED)
@pytest.mark.parametrize("form", FORMS)
def test_large_whole_numbers_are_exact_where_read_and_counted_where_rounded(form, pair, tmp_path):
    path = written(form, pair, tmp_path)
    is_text = form in ("csv", "svmlight", "vw")
    for numbers in ("as written", "decimal") if is_text else (None, "decimal"):
        data = read(path, numbers=numbers)
        assert data.X.exact.ravel().tolist() == list(pair)
        assert data.n_rounded == 0
        assert nk.certify(data).status == "separable"
    expected = "2 numbers that a float64 may not hold exactly"
    floats = [read(path, numbers="binary64"), *([read(path)] if is_text else [])]
    for rounded in (*floats, *scan(path), scan(path).cached(tmp_path)):
        assert rounded.n_rounded == 2
        assert any(remark.startswith(expected) for remark in rounded.remarks)
        assert np.asarray(rounded.X.sum(axis=1)).ravel().tolist() == [float(v) for v in pair]
    verdict = nk.certify(scan(path, cache=tmp_path))
    assert "(exact for the binary64 numbers nearest to those of the file)" in str(verdict)
    assert verdict.to_dict()["notes"][0].startswith(expected)
    stamp = verdict.certificate.stamp
    assert stamp.reading.notes == tuple(verdict.to_dict()["notes"])


@pytest.mark.parametrize("form", FORMS)
def test_the_commands_say_what_was_rounded(form, tmp_path):
    path, proof = written(form, PAIRS[0], tmp_path), tmp_path / "p.json"
    exact = novikoff("certify", path, "--require", "separable", "--proof", proof)
    assert exact.returncode == 0, exact.stdout + exact.stderr
    assert novikoff("verify", proof, path).returncode == 0
    for options in (["--cache"], ["--numbers", "binary64"]):
        done = novikoff("certify", path, "--require", "overlapping", "--proof", proof, *options)
        assert done.returncode == 0, done.stdout + done.stderr
        assert (
            "2 numbers that a float64 may not hold exactly are taken as the nearest ones"
            in done.stderr
        )
        assert "2 numbers that a float64" in done.stdout
        assert "2 numbers that a float64" in proof.read_text()
        assert novikoff("verify", proof, path).returncode == 0
    fitted = novikoff("fit", path, "-o", tmp_path / "m.st", "--passes", "3")
    assert "2 numbers that a float64 may not hold" in fitted.stderr


@pytest.mark.parametrize("form", ["svmlight", "vw"])
def test_decimals_of_sparse_text_are_taken_as_written(form, tmp_path):
    path = tmp_path / "d.txt"
    low, high = "0.1", "0.10000000000000001"  # of which the nearest floats are one
    path.write_text(
        {"svmlight": f"0 1:{low}\n1 1:{high}\n", "vw": f"0 | x:{low}\n1 | x:{high}\n"}[form]
    )
    done = novikoff("certify", path, "--json")
    assert (json.loads(done.stdout)["status"], json.loads(done.stdout)["numbers"]) == (
        "separable", "decimal",
    )  # fmt: skip
    floats = novikoff("certify", path, "--numbers", "binary64")
    assert "overlap" in floats.stdout
    assert "binary64 numbers nearest to those of the file" in " ".join(floats.stdout.split())


def test_exact_values_of_vw_have_their_scale_and_add_up(tmp_path):
    path = tmp_path / "d.vw"
    path.write_text("0 |s:0.1 a:3 a:0.2 b c:word |t 7:1e-3\n1 |s a:-1 |t:2 7:.5 b:0.25\n")
    data = read(path, numbers="decimal")
    rows = [dict(zip(data.names, row, strict=True)) for row in data.X.exact.tolist()]
    tenth = Fraction(1, 10)
    assert rows[0] == {
        "s^a": Fraction(32, 100), "s^b": tenth, "s^c:word": 1, "t^7": Fraction(1, 1000),
        "t^b": 0,
    }  # fmt: skip
    assert rows[1] == {"s^a": -1, "s^b": 0, "s^c:word": 0, "t^7": 1, "t^b": Fraction(1, 2)}
    floats = read(path)
    assert data.X.matrix == pytest.approx(floats.X.toarray())
    hashed = read(path, numbers="decimal", bits=2).X.exact
    assert [sum(row) for row in hashed.tolist()] == [sum(row.values()) for row in rows]


@pytest.mark.parametrize("form", ["svmlight", "vw", "npy", "parquet"])
def test_too_many_exact_numbers_are_counted_instead(form, tmp_path, monkeypatch):
    from novikoff.io import arrays, assembly
    from novikoff.io import sparse as sparse_rows

    path = written(form, PAIRS[0], tmp_path)
    for module in (assembly, sparse_rows, arrays):
        monkeypatch.setattr(module, "MOST_EXACT_NUMBERS", 1)
    data = read(path)
    assert (data.n_rounded, float(data.X.sum())) == (2, 2.0**54)
    if form in ("svmlight", "vw"):
        rounded = read(path, numbers="as written")
        assert rounded.n_rounded == 2
        assert rounded.options["numbers"] == "binary64"
        assert "too many for exact decimals" in rounded.notes[0]


def test_only_numbers_beyond_all_digits_of_a_float_are_counted(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text('a,b,y\n0.1,9007199254740993,0\n0.5,1e300,1\n2,"+9007199254740993.0",1\n')
    assert read(path).n_rounded == 3
    path.write_text(f"a,y\n{2**53 - 1},0\n{1 - 2**53},1\n")
    assert read(path).remarks == ()


@pytest.mark.parametrize("form", ["svmlight", "parquet"])
def test_a_cluster_refuses_what_it_would_round(form, tmp_path):
    distributed = pytest.importorskip("novikoff.distributed")
    client = pytest.importorskip("dask.distributed").Client(
        processes=False, n_workers=1, threads_per_worker=1, dashboard_address=":0"
    )
    path = written(form, PAIRS[0], tmp_path)
    with client:
        with pytest.raises(InputError, match=r"beyond 2\^53 .*numbers='binary64'"):
            distributed.certify(path, client=client)
        verdict = distributed.certify(path, client=client, numbers="binary64")
    assert verdict.status == "overlapping"
    assert verdict.to_dict()["notes"][-1].startswith("2 numbers that a float64 may not hold")
