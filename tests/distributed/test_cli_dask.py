"""`--dask` on the command line gives what the library and one machine give."""

from __future__ import annotations

import json

import numpy as np
import pytest
from distributed import Client, LocalCluster

import novikoff as nk
from command import novikoff


@pytest.fixture(scope="module")
def address():
    with (
        LocalCluster(2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        Client(cluster),
    ):
        yield cluster.scheduler_address


@pytest.fixture
def parts(tmp_path):
    X, y = nk.datasets.planted(400, 3, 0.05, random_state=0)
    for k in range(4):
        part = slice(100 * k, 100 * k + 100)
        rows = [
            ",".join(map(repr, [*x, int(t)]))
            for x, t in zip(X[part].tolist(), y[part], strict=True)
        ]
        (tmp_path / f"part-{k}.csv").write_text("\n".join(["a,b,c,y", *rows]) + "\n")
    return tmp_path / "part-*.csv", X, y


@pytest.mark.parametrize("kind", ["perceptron", "averaged"])
def test_fit_is_that_of_the_library_and_predict_that_of_one_machine(kind, address, parts, tmp_path):
    pattern, X, y = parts
    model = tmp_path / "model"
    code, out, errors = novikoff(
        "fit", pattern, "--dask", address, "--kind", kind, "-o", model, "--json"
    )
    assert code == 0, errors
    facts = json.loads(out)
    library = nk.distributed.fit(str(pattern), kind=kind)
    fitted = nk.load(model)
    assert np.array_equal(fitted.coef_, library.coef_)
    assert (facts["converged"], facts["mistakes"]) == (True, library.n_mistakes_)
    assert (fitted.predict(X) == y).all() or kind == "averaged"
    _, there, _ = novikoff("predict", model, pattern, "--dask", address)
    _, here, _ = novikoff("predict", model, pattern)
    assert there == here
    assert [int(label) for label in here.split()] == fitted.predict(X).tolist()
    assert not (tmp_path / "model.checkpoint").exists()


def test_labels_that_are_names_in_one_file_are_names_in_all(address, tmp_path):
    (tmp_path / "part-0.csv").write_text("x,y\n1,1\n2,10\n3,10\n")
    (tmp_path / "part-1.csv").write_text("x,y\n1,01\n4,1\n2,10\n")
    done = novikoff("fit", tmp_path / "part-*.csv", "--dask", address, "--passes", 2, "--json",
                    "-o", tmp_path / "model")  # fmt: skip
    assert json.loads(done.stdout)["classes"] == ["01", "1", "10"]


def test_certify_proves_the_same_data_as_on_one_machine(address, parts, tmp_path):
    pattern, X, y = parts
    proof = tmp_path / "proof.json"
    code, out, errors = novikoff("certify", pattern, "--dask", address, "--proof", proof, "--json")
    assert code == 0, errors
    assert json.loads(out)["status"] == "separable"
    nk.load_certificate(proof).verify(X, y)
    code, out, _ = novikoff("verify", proof, pattern)
    assert code == 0
    assert "The proof holds" in out
    code, _, _ = novikoff("certify", pattern, "--dask", address, "--require", "overlapping")
    assert code == 3


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["fit", "{p}", "-o", "{m}", "--kind", "voted"], 2, "--dask is for --kind perceptron"),
        (["fit", "{p}", "-o", "{m}", "--degree", "3"], 2, "--degree does not go with --dask"),
        (["fit", "{p}", "-o", "{m}", "--cache"], 2, "--cache does not go with --dask"),
        (["fit", "nothing-*.csv", "-o", "{m}"], 1, "no file matches"),
        (["certify", "{p}", "--report", "r.html"], 2, "--report does not go with --dask"),
        (["certify", "{p}", "--label", "z"], 1, "no column 'z'"),
    ],
)
def test_what_does_not_go_with_a_cluster_is_said(words, code, message, address, parts, tmp_path):
    names = {"p": parts[0], "m": tmp_path / "m"}
    found, _, errors = novikoff(*(word.format(**names) for word in words), "--dask", address)
    assert found == code
    assert message in errors
    assert "Traceback" not in errors


def test_a_cluster_that_is_none_is_said(parts, tmp_path):
    code, _, errors = novikoff("fit", parts[0], "-o", tmp_path / "m", "--dask", "four")
    assert code == 2
    assert "it must be the address of a Dask scheduler" in errors


def test_workers_speak_of_options(address, tmp_path):
    for part in "pq":
        text = 'a,b,y\n"1,5",2,p\n"2,5",1,q\n"3,5",4,p\n"0,5",6,q\n'
        (tmp_path / f"part-{part}.csv").write_text(text)
    code, _, errors = novikoff("certify", tmp_path / "part-*.csv", "--dask", address)
    assert code == 1
    assert "say --decimal ',', or take its cells as levels with --categorical a" in errors


def test_a_cluster_reads_as_one_machine_does_and_names_rows_as_the_files_have_them(
    address, tmp_path
):
    rows = [(i % 2, i // 2 % 2, "uv"[i % 3 > 0], (i + i // 2) % 2) for i in range(60)]
    lines = [f"{i},{'' if i % 20 == 7 else a},{b},{c},{y}\n" for i, (a, b, c, y) in enumerate(rows)]
    for k in range(3):
        part = "".join(lines[20 * k : 20 * k + 20])
        (tmp_path / f"part-{k}.csv").write_text(",a,b,c,y\n" + part)
    pattern, proof = tmp_path / "part-*.csv", tmp_path / "proof.json"
    words = ["certify", pattern, "--missing", "drop", "--json"]
    code, out, told = novikoff(*words, "--dask", address, "--proof", proof)
    assert code == 0, told
    there, here = json.loads(out), json.loads(novikoff(*words).stdout)
    assert there["status"] == here["status"]
    assert (there["left_out"], here["left_out"]) == (3, 3)
    assert not {7, 27, 47} & set(there["rows"])
    stamp = nk.load_certificate(proof).stamp
    assert stamp.reading.left_out == ((7, 1), (27, 1), (47, 1))
    assert any("numbers the rows" in note for note in stamp.reading.notes)
    assert "text made columns of 0s and 1s: 'c' ('v'; the reference is 'u')" in told
    assert novikoff("verify", proof, pattern).returncode == 0
    for k in range(3):
        part = "".join(f"x{20 * k + i},{i % 2}.5,{i % 2}\n" for i in range(20))
        (tmp_path / f"part-{k}.csv").write_text("name,a,y\n" + part)
    code, _, told = novikoff("certify", pattern, "--dask", address)
    assert code == 1
    assert "60 different texts in 60 rows name the rows" in told


def test_processes_that_do_not_start_are_one_sentence(tmp_path, monkeypatch):
    def cannot(**_options):
        try:
            raise OSError("can't start new thread")
        except OSError as error:
            raise RuntimeError("Nanny failed to start.") from error

    monkeypatch.setattr("novikoff.distributed.cluster.LocalCluster", cannot)
    path = tmp_path / "d.csv"
    path.write_text("a,y\n1,0\n2,1\n3,1\n")
    done = novikoff("certify", path, "--dask", "local:2")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "novikoff: local:2 cannot start its processes (Nanny failed to start, can't start new "
        "thread, OSError); ask for fewer, or work without Dask.\n"
    )


@pytest.mark.parametrize("command", ["fit", "certify"])
def test_column_warnings_are_said_on_a_cluster_too(tmp_path, address, command):
    for part in range(2):
        rows = "".join(f"{i % 7 / 2!r},{i / 4!r},{i * 5 % 3 // 2}\n" for i in range(40))
        (tmp_path / f"part{part}.csv").write_text("a,when,y\n" + rows)
    words = [tmp_path / "*.csv", "--dask", address]
    words += ["-o", tmp_path / "m.st", "--passes", "1"] if command == "fit" else []
    done = novikoff(command, *words)
    assert done.returncode == 0, done.stderr
    first = f"in {tmp_path / 'part0.csv'}, column 'when' rises or falls with the rows"
    assert done.stderr.count("rises or falls") == 1
    assert first in done.stderr
