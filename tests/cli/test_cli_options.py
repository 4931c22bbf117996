"""An option acts or is refused: every option of every command, for every kind of data and model.

`acts` means that something a person can see is another one: what is printed, the exit code, or the
files.
"""

from __future__ import annotations

import re
from pathlib import Path

import click
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

from command import every_command, novikoff

ROWS = [(i, 1.5 * (i % 5), i % 3, "ab"[i % 2]) for i in range(12)]
# Options that may change nothing that is seen, as their help says.
IDLE = {"seed", "jobs", "time_limit", "quiet", "missing", "save_every", "multiclass", "resume",
        "passes", "tie", "unseen", "weights", "signs", "trace numbers"}  # fmt: skip


def make_data(folder):
    """One table in every format; in CSV and Parquet with the index that pandas writes."""
    text = "".join(f"{i},{x},{z},{y}\n" for i, x, z, y in ROWS)
    (folder / "d.csv").write_text(",a,b,y\n" + text)
    (folder / "d.tsv").write_text((",a,b,y\n" + text).replace(",", "\t"))
    codes = ["ab".index(row[3]) for row in ROWS]
    pairs = list(zip(codes, ROWS, strict=True))
    lines = [f"{code} 1:{row[1]} 2:{row[2]}\n" for code, row in pairs]
    (folder / "d.svm").write_text("".join(lines))
    (folder / "d.vw").write_text("".join(f"{k} |f a:{row[1]} b:{row[2]}\n" for k, row in pairs))
    columns = {"a": [row[1] for row in ROWS], "b": [row[2] for row in ROWS]}
    table = pyarrow.table({**columns, "y": [row[3] for row in ROWS],
                           "__index_level_0__": [row[0] for row in ROWS]})  # fmt: skip
    pyarrow.parquet.write_table(table, folder / "d.parquet")
    with pyarrow.ipc.new_file(str(folder / "d.arrow"), table.schema) as writer:
        writer.write_table(table)
    X = np.array([columns["a"], columns["b"]]).T
    np.save(folder / "d.npy", np.column_stack([X, codes]))
    np.savez(folder / "d.npz", X=X, y=codes)
    labels = "".join(f"{i % 2},{i % 3 // 2}\n" for i in range(len(ROWS)))
    (folder / "labels.csv").write_text("odd,third\n" + labels)


DATA = ["d.csv", "d.tsv", "d.svm", "d.vw", "d.parquet", "d.arrow", "d.npy", "d.npz",
        "iris:setosa,versicolor"]  # fmt: skip


# What to type after an option: chosen so that it says something else than what is found. An option
# that is not here is a flag.
VALUES = {
    "missing": "drop", "categorical": "b", "delimiter": ";", "decimal": ",", "thousands": ".",
    "na": "1.5", "skip_rows": "1", "text_encoding": "utf-16", "classes": "a,zz", "bits": "3",
    "proof": "out.json", "rows": "out.csv", "report": "out.html", "rocq": "Out.v",
    "require": "undecided", "time_limit": "50", "against": "each", "seed": "3", "tie": "zero",
    "order": "restart", "start": "1,1,1", "max_iter": "1", "max_mistakes": "1", "kind": "averaged",
    "output": "out.csv", "passes": "1", "multiclass": "joint", "kernel": "rbf", "degree": "3",
    "gamma": "0.5", "jobs": "2", "labels": "labels.csv", "labels_file": "labels.csv",
    "table": "out.json", "proofs": "out", "save_every": "1", "unseen": "zeros", "model": "none.st",
    "predictions": "out.txt", "checkpoint": "out.ckpt", "every": "2", "columns": "a,b",
    "formula": "c ~ x", "trials": "t", "groups": "g", "time": "s", "event": "e", "entry": "f",
    "strata": "g", "ties": "exact", "winner": "w", "loser": "l", "reference": "q", "weights": "v",
}  # fmt: skip


def values_of(name, data):
    form = Path(data).suffix[1:]
    by_number = form == "npy"
    by_default = {
        "label": ["1" if by_number else "a"],
        "format": ["npy" if form == "npz" else "npz"],
        "header": [None, "--no-header"],
        "drop": ["1" if by_number or form == "npz" else "b"],
        "keep": ["__index_level_0__" if form in ("parquet", "arrow") else "1"],
        "intercept": [None, "--no-intercept"],
        "positive": ["a" if form in ("csv", "tsv", "parquet", "arrow") else "0"],
        "numbers": ["binary64" if form in ("csv", "tsv", "svm", "vw") else "decimal"],
        "test_data": [data],
    }
    return by_default[name] if name in by_default else [VALUES.get(name)]


def typed(parameter, data):
    """The words of an option; a flag with two names is typed as the one that changes something."""
    value, *other = values_of(parameter.name, data)
    flag = other[0] if other else max(parameter.opts, key=len)
    return [flag] if value is None else [flag, value]


def outcome(words, folder):
    """All that a person can see of a command, but for the time that it took."""
    before = {path.name for path in folder.iterdir()}
    done = novikoff(*words)
    made = sorted(path.name for path in folder.iterdir() if path.name not in before)
    contents = {}
    for name in made:
        path = folder / name
        if path.is_file():
            contents[name] = path.read_bytes()
            path.unlink()
        else:
            contents[name] = b"a folder"
            for part in path.iterdir():
                part.unlink()
            path.rmdir()
    text = re.sub(r'"(seconds|rows_a_second)": [^,}]+|"stages": {[^}]*}', "", done.stdout)
    text = re.sub(r"in [0-9.e-]+ s", "", text)
    told = re.sub(r"[0-9,]+ rows a second", "", done.stderr)
    contents.pop("out.html", None)
    return done.returncode, text, told, contents


def is_refused(found, parameter):
    code, _, told, _ = found
    name = max(parameter.opts, key=len).lstrip("-")
    return code in (1, 2) and (f"--{name}" in told or f"--no-{name}" in told or name in told)


def check(command, base, data, folder, plain):
    """Every option of the command, beside `base`."""
    silent = []
    for parameter in every_command()[command].params:
        if isinstance(parameter, click.Argument) or parameter.name == "help":
            continue
        if any(opt in base for opt in parameter.opts):
            continue
        words = [*base, *typed(parameter, data)]
        found = outcome(words, folder)
        names = {parameter.name, f"{command} {parameter.name}"}
        if found == plain and not names & IDLE and not is_refused(found, parameter):
            silent.append(" ".join(map(str, words)))
    return silent


@pytest.fixture
def folder(tmp_path, monkeypatch):
    make_data(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


MODELS = {
    "logistic": "--label e",
    "binomial": "--label c --trials t",
    "poisson": "--label c",
    "multinomial": "--label w",
    "ordinal": "--label c",
    "conditional": "--label e --groups g",
    "cox": "--time s --event e",
    "bradley-terry": "--winner w --loser l --drop e",
}
KINDS = ["perceptron", "averaged", "voted", "pocket", "rescaled", "kernel",
         *(f"kernel --kernel {kernel}" for kernel in ("linear", "poly", "rbf"))]  # fmt: skip
LINES = [
    *(f"certify {data}" for data in DATA),
    *(f"trace {data}" for data in ("d.csv", DATA[-1])),
    *(f"certify m.csv --model {model} {words}" for model, words in MODELS.items()),
    *(f"fit d.csv -o m --kind {kind}" for kind in KINDS),
    *(f"fit {data} -o m --passes 2" for data in ("d.svm", "d.npz")),
    *(f"stream {data} --predictions p.txt" for data in DATA[:4]),
    *(
        f"{line} {data}"
        for line in ("verify p.json", "predict m.st")
        for data in ("d.csv", "d.vw", "d.parquet", "d.npz")
    ),
]


@pytest.mark.parametrize("line", LINES)
def test_every_option_acts_or_is_refused(line, folder):
    command, *words = line.split()
    data = next(word for word in words if word in (*DATA, "m.csv"))
    if data == "m.csv":
        make_table_of_models(folder)
    if command == "verify":
        assert novikoff("certify", data, "--proof", "p.json").returncode == 0
    if command == "predict":
        assert novikoff("fit", data, "-o", "m.st", "--passes", "2").returncode == 0
    base = [command, *words]
    plain = outcome(base, folder)
    assert plain[0] == 0, plain
    silent = check(command, base, data, folder, plain)
    if command == "predict":
        # The model knows its columns: one to leave out must be there, and is not asked.
        silent = [said for said in silent if said.split()[3] not in ("--label", "--drop")]
        for option in ("--label", "--drop"):
            assert novikoff(*base, option, "nowhere").returncode in (1, 2), option
    assert silent == []


def make_table_of_models(folder):
    """A column for every role of a regression."""
    lines = [",x,z,c,t,g,s,e,f,w,l,v"]
    for i in range(14):
        cells = [i, i * i % 7 + 0.5, i % 3, i % 2, 2 + i % 2, i % 4, 3 + i % 5,
                 int(i % 3 > 0), i % 3,
                 "pqr"[i % 3], "stu"[i % 2] if i % 5 else "pqr"[(i + 1) % 3],
                 i % 2]  # fmt: skip
        lines.append(",".join(map(str, cells)))
    (folder / "m.csv").write_text("\n".join(lines) + "\n")


def test_positive_is_a_number_where_labels_are(folder):
    for data in (folder / "d.svm", folder / "d.npy", folder / "d.npz", folder / "d.vw"):
        for positive in ("1", "1.0", "0"):
            done = novikoff("certify", data, "--positive", positive, "--json")
            assert done.returncode == 0, done.stderr
            assert re.search(rf'"positive": "{positive[0]}(\.0)?"', done.stdout)
