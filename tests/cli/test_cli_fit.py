"""`novikoff fit` and `predict`: the library's answers, through files, whatever happens."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

import novikoff as nk
from command import novikoff

KINDS = {
    "perceptron": nk.Perceptron,
    "averaged": nk.AveragedPerceptron,
    "voted": nk.VotedPerceptron,
    "pocket": nk.PocketPerceptron,
    "kernel": nk.KernelPerceptron,
    "rescaled": nk.RescaledPerceptron,
}
CARS = "weight,color,old\n1.5,red,yes\n2.5,blue,no\n0.5,red,no\n3.5,blue,no\n1.7,red,yes\n"


@pytest.fixture
def cars(tmp_path):
    (tmp_path / "cars.csv").write_text(CARS)
    return tmp_path / "cars.csv"


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_is_fitted_as_in_python_and_predicts_the_same(kind, cars, tmp_path):
    model = tmp_path / "model.safetensors"
    done = novikoff("fit", cars, "-o", model, "--kind", kind, "--json")
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert (facts["rows"], facts["columns"], facts["classes"]) == (5, 3, ["no", "yes"])
    data = nk.read(cars)
    settled = {"random_state": 0, "max_iter": 100}
    known = {name: settled[name] for name in settled if name in KINDS[kind]().get_params()}
    fitted = KINDS[kind](**known).fit(*data)
    assert (facts["mistakes"], facts["converged"]) == (fitted.n_mistakes_, True)
    labels = novikoff("predict", model, cars)
    assert labels.stdout.split() == fitted.predict(data.X).tolist()
    scores = novikoff("predict", model, cars, "--scores").stdout.split()
    assert scores[0] == "yes"
    assert [float(score) for score in scores[1:]] == fitted.decision_function(data.X).tolist()


def test_columns_are_found_by_name_in_any_order_and_others_left_out(cars, tmp_path):
    model = tmp_path / "m"
    novikoff("fit", cars, "-o", model)
    fitted = nk.load(model)
    expected = fitted.predict([[2.4, 1, 0], [1.4, 0, 1]]).tolist()
    for text in (
        "id,color,weight\n7,blue,2.4\n8,red,1.4\n",
        "old,weight,color\n?,2.4,blue\n?,1.4,red\n",
    ):
        done = novikoff("predict", model, "-", stdin=text)
        assert done.stdout.split() == expected, done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("color,weight\ngreen,2\n", "the level 'green' is not in the encoding"),
        ("weight\n2\n", "lacks the column 'color'"),
        ("color,weight\nred,\n", "the value is missing"),
        ("1 1:2\n", "is not like the rows that the model learnt"),
    ],
)
def test_rows_that_the_model_cannot_take_are_one_sentence(text, message, cars, tmp_path):
    novikoff("fit", cars, "-o", tmp_path / "m")
    done = novikoff("predict", tmp_path / "m", "-", stdin=text)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.startswith("novikoff: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "npy"])
@pytest.mark.parametrize("scores", [False, True])
def test_predictions_are_written_in_any_table_format(suffix, scores, cars, tmp_path):
    novikoff("fit", cars, "-o", tmp_path / "m")
    out = tmp_path / f"out.{suffix}"
    done = novikoff("predict", tmp_path / "m", cars, "-o", out, *["--scores"] * scores)
    assert done.returncode == 0, done.stderr
    fitted, X = nk.load(tmp_path / "m"), nk.read(cars).X
    expected = (fitted.decision_function(X) if scores else fitted.predict(X)).tolist()
    assert _read_column(out, suffix) == expected
    assert [path.name for path in tmp_path.iterdir() if ".part" in path.name] == []


def _read_column(path, suffix):
    import pyarrow
    from pyarrow import csv, parquet

    if suffix == "npy":
        return np.load(path).tolist()
    if suffix in ("csv", "tsv"):
        split = csv.ParseOptions(delimiter="," if suffix == "csv" else "\t")
        table = csv.read_csv(path, parse_options=split)
    else:
        table = parquet.read_table(path)
    assert isinstance(table, pyarrow.Table)
    return table.column(0).to_pylist()


def test_every_format_gives_the_same_model(tmp_path):
    import pyarrow
    from pyarrow import feather, parquet

    rng = np.random.default_rng(0)
    X, y = rng.integers(1, 9, size=(60, 4)).astype(float), rng.integers(0, 2, 60)
    names = {f"x{j + 1}": X[:, j] for j in range(4)}
    table = pyarrow.table({**names, "y": y})
    rows = [",".join(map(repr, [*x, t])) for x, t in zip(X.tolist(), y.tolist(), strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(["x1,x2,x3,x4,y", *rows]) + "\n")
    (tmp_path / "rows.tsv").write_text((tmp_path / "rows.csv").read_text().replace(",", "\t"))
    parquet.write_table(table, tmp_path / "rows.parquet")
    feather.write_feather(table, tmp_path / "rows.feather")
    dump_svmlight_file(X, y, str(tmp_path / "rows.svm"), zero_based=False)
    lines = [f"{t} | " + " ".join(f"x{j + 1}:{v}" for j, v in enumerate(x))
             for x, t in zip(X.tolist(), y.tolist(), strict=True)]  # fmt: skip
    (tmp_path / "rows.vw").write_text("\n".join(lines) + "\n")
    np.savez(tmp_path / "rows.npz", X=X, y=y)
    plain = nk.Perceptron(max_iter=7)
    with pytest.warns(match="stopped"):
        plain.fit(X, y)
    for name in ("csv", "tsv", "parquet", "feather", "svm", "vw", "npz"):
        path, model = tmp_path / f"rows.{name}", tmp_path / f"{name}.model"
        cache = ["--cache", tmp_path / "cache"] if name in ("csv", "svm") else []
        done = novikoff("fit", path, "-o", model, "--passes", 7, *cache)
        assert done.returncode == 0, done.stderr
        fitted = nk.load(model)
        assert fitted.coef_.tolist() == plain.coef_.tolist(), name
        assert [float(c) for c in fitted.classes_] == [0.0, 1.0]
        predicted = novikoff("predict", model, path).stdout.split()
        assert [int(label) for label in predicted] == plain.predict(X).tolist(), name
        tested = novikoff("fit", path, "-o", model, "--passes", 7, "--test", path, "--json")
        assert json.loads(tested.stdout)["test"]["wrong"] == int((plain.predict(X) != y).sum())


@pytest.fixture
def endless(tmp_path):
    """A file that no pass over is clean, and that keeps a fit busy for a while."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 20)), rng.integers(0, 3, 3000)
    np.savez(tmp_path / "rows.npz", X=X, y=y)
    return tmp_path / "rows.npz"


def start(*words):
    command = [sys.executable, "-m", "novikoff", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(path, process):
    while not path.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


@pytest.mark.parametrize("kind", ["perceptron", "averaged"])
def test_a_fit_that_is_killed_goes_on_to_the_same_model(kind, endless, tmp_path):
    words = ["fit", endless, "--kind", kind, "--order", "shuffled", "--passes", 150]
    words += ["--save-every", 0]
    whole = tmp_path / "whole"
    assert novikoff(*words, "-o", whole).returncode == 0
    model, dice, passes = tmp_path / "model", random.Random(7), []
    for _ in range(2):
        process = start(*words, "-o", model, "--resume")
        wait_for(model, process)
        time.sleep(dice.uniform(0.0, 0.5))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        passes.append(nk.load(model).n_iter_)  # what is there is always a whole model
    assert passes == sorted(passes)
    assert passes[0] < 150
    assert novikoff(*words, "-o", model, "--resume").returncode == 0
    assert model.read_bytes() == whole.read_bytes()


def test_control_c_saves_and_says_what_was_saved(endless, tmp_path):
    words = ["fit", endless, "--passes", 100_000, "--save-every", 0]
    model = tmp_path / "model"
    process = start(*words, "-o", model)
    wait_for(model, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    passes = nk.load(model).n_iter_
    assert process.returncode == 130
    assert f"the model after {passes} pass" in errors
    assert "--resume" in errors


def test_output_goes_down_a_pipe_that_closes_early(tmp_path):
    X = np.arange(40_000.0).reshape(-1, 1)  # more labels than a pipe holds
    np.savez(tmp_path / "rows.npz", X=X, y=X[:, 0] > 5)
    novikoff("fit", tmp_path / "rows.npz", "-o", tmp_path / "m", "--passes", 1)
    with start("predict", tmp_path / "m", tmp_path / "rows.npz") as process:
        assert process.stdout.readline().strip() in ("True", "False")
        process.stdout.close()
        assert process.wait(timeout=60) == 0
        assert process.stderr.read() == ""


def test_hashed_features_zero_based_rows_and_delimiters_are_options(tmp_path):
    (tmp_path / "rows.vw").write_text("1 |f a:1 b:2\n0 |f a:-1 c:1\n")
    (tmp_path / "rows.svm").write_text("1 1:1 2:2\n0 1:-1 3:1\n")
    (tmp_path / "rows.csv").write_text("a|b|y\n1|2|0\n-1|1|1\n")
    for name, words, columns in (
        ("rows.vw", ["--bits", 10], 1024),
        ("rows.svm", ["--zero-based"], 4),
        ("rows.csv", ["--delimiter", "|"], 2),
    ):
        done = novikoff("fit", tmp_path / name, "-o", tmp_path / "m", "--json", *words)
        assert json.loads(done.stdout)["columns"] == columns, done.stderr
        fitted = nk.load(tmp_path / "m")
        assert fitted.n_features_in_ == columns
        used = words if name == "rows.csv" else []  # how a table is written is not the model's
        assert novikoff("predict", tmp_path / "m", tmp_path / name, *used).stdout.split()
