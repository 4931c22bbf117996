"""An error about a file names a cure, and the cure works: it is typed here as it is named.

What a table holds is known beforehand: all files below hold TABLE, in a form that needs a word.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex

import numpy as np
import pandas
import pytest

import novikoff as nk
from command import every_command, novikoff
from novikoff.errors import FileError, InputError, ParameterError

ROWS = [(0.5, 3.0, "a"), (1.5, 1.0, "b"), (2.5, 4.0, "a"), (3.5, 1.0, "b"), (4.5, 5.0, "a")]
CSV = "x,z,y\n" + "".join(f"{x},{z},{y}\n" for x, z, y in ROWS)
BODY = CSV.partition("\n")[2]
OPTION = re.compile(
    r"--[a-z-]+(?: (?!--|and|with|or|takes|leaves)(?:'[^']*'|[^\s,;.]+(?:\.\d+)?))?"
)


def cure_of(message, chosen=None):
    """The options that a message names, as a shell would give them; the first, or those chosen."""
    found = OPTION.findall(message)
    if chosen is not None:
        found = [one for one in found if one.startswith(chosen)]
    return shlex.split(" ".join(found))


def kept_rows(done):
    """How many rows the verdict is of."""
    return json.loads(done.stdout)["n_rows"]


CASES = {
    "missing": ("x,z,y\nNA,1,a\n" + BODY, ("--missing",), 5),
    "missing of Excel": ("x,z,y\n#N/A,1,a\n" + BODY, ("--missing",), 5),
    "missing label": ("x,z,y\n1,1,\n" + BODY, ("--missing",), 5),
    "infinite first": ("x,z,y\ninf,1,a\n" + BODY, ("--na", "--missing"), 5),
    "infinite below": (CSV + "-Infinity,1,a\n", ("--na", "--missing"), 5),
    "a stray word": (CSV + "unknown,1,a\n", ("--na", "--missing"), 5),
    "a stray word first": ("x,z,y\nunknown,1,a\n" + BODY, ("--na", "--missing"), 5),
    "a title": ("Flowers of 2020\n\n" + CSV, None, 5),
    "arff": ("% made\n@relation r\n@attribute x numeric\n@attribute z numeric\n"
             "@attribute y {a,b}\n@DATA\n" + BODY, None, 5),
    "cp1252": (CSV.replace("x,", "größe,").encode("cp1252"), None, 5),
    "utf-16": (CSV.encode("utf-16"), None, 5),
    "utf-32": (CSV.encode("utf-32"), None, 5),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("packed", [False, True])
def test_the_cure_that_is_named_works_when_it_is_typed(case, packed, tmp_path):
    content, chosen, n_rows = CASES[case]
    content = content if isinstance(content, bytes) else content.encode()
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(content) if packed else content)
    refused = novikoff("certify", path, "--json")
    assert (refused.returncode, refused.stdout) == (1, "")
    error = json.loads(refused.stderr)
    assert error["exit"] == 1
    cure = cure_of(error["error"], chosen)
    done = novikoff("certify", path, "--json", *cure)
    assert (cure != [], done.returncode, done.stderr.count("Error")) == (True, 0, 0), done
    assert kept_rows(done) == n_rows
    proof = tmp_path / "proof.json"
    novikoff("certify", path, *cure, "--proof", proof, "-q")
    assert novikoff("verify", proof, path).returncode == 0


def test_a_line_of_units_is_an_error_that_names_its_first_cell(tmp_path):
    (tmp_path / "t.csv").write_text("x,z,y\ncm,kg,class\n" + BODY)
    with pytest.raises(FileError, match="line 2, column 'x': the value is 'cm', and the column"):
        nk.read(tmp_path / "t.csv", header=True)


def test_a_first_line_that_states_the_delimiter_is_no_row(tmp_path):
    text = CSV.replace(",", ";").replace("0.5", '"0.5"')
    for stated in ("sep=;\n", '"sep=;"\r\n', "SEP=;\r"):
        (tmp_path / "t.csv").write_text(stated + text, newline="")
        data = nk.read(tmp_path / "t.csv")
        assert data.names == ("x", "z")
        assert data.X.tolist() == [[x, z] for x, z, _ in ROWS]
        words = [tmp_path / "t.csv", "--json", "-q", "--predictions", tmp_path / "p"]
        done = novikoff("stream", *words)
        assert json.loads(done.stderr)["rows"] == 5


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml", "is a spreadsheet"),
        (b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument", "spreadsheet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is a spreadsheet"),
        (b'[\n {"x": 1, "label": 0},\n', "is one JSON array"),
    ],
)
def test_other_formats_are_called_by_their_names(start, words, tmp_path):
    for name in ("t.xlsx", "t.csv", "t.npz", "t"):
        (tmp_path / name).write_bytes(start + bytes(2000))
        with pytest.raises(FileError, match=words):
            nk.read(tmp_path / name)


def test_skipped_lines_are_no_rows_and_others_keep_their_numbers(tmp_path):
    for end in ("\n", "\r\n", "\r"):
        (tmp_path / "t.csv").write_text(
            f"made by hand{end}on 1,2,3{end}" + CSV.replace("\n", end), newline=""
        )
        assert nk.read(tmp_path / "t.csv", skip_rows=2).X.tolist() == [[x, z] for x, z, _ in ROWS]
    (tmp_path / "bad.csv").write_text("above\n" + CSV + "1,oops,a\n")
    with pytest.raises(FileError, match="line 8, column 'z'"):
        nk.read(tmp_path / "bad.csv", skip_rows=1)
    (tmp_path / "t.svm").write_text("# head\nnonsense\n1 1:2\n0 1:3\n")
    assert nk.read(tmp_path / "t.svm", skip_rows=2).X.toarray().tolist() == [[2], [3]]
    (tmp_path / "t.vw").write_text("nonsense\n1 |f a:2\n0 |f a:3\n")
    assert nk.read(tmp_path / "t.vw", skip_rows=1).X.toarray().tolist() == [[2], [3]]
    np.save(tmp_path / "t.npy", np.eye(3))
    with pytest.raises(ParameterError, match="skip_rows= is for csv"):
        nk.read(tmp_path / "t.npy", skip_rows=1)


def test_numbers_can_stand_for_what_is_missing(tmp_path):
    (tmp_path / "t.csv").write_text(CSV + "-99,1,a\n1,-99,b\n")
    with pytest.raises(FileError, match=r"line 7, column 'x': the value is missing \('-99'\)"):
        nk.read(tmp_path / "t.csv", na="-99")
    data = nk.read(tmp_path / "t.csv", na=["-99"], missing="drop")
    assert (data.X.tolist(), data.n_dropped) == ([[x, z] for x, z, _ in ROWS], 2)


def test_a_text_that_is_missing_in_a_row_of_a_class_that_is_kept_is_missing(tmp_path):
    rows = "1,red,a\n2,,b\n3,blue,c\n4,red,b\n5,blue,a\n"
    (tmp_path / "t.csv").write_text("x,color,y\n" + rows)
    with pytest.raises(FileError, match="line 3, column 'color': the value is missing"):
        nk.read(tmp_path / "t.csv", classes=["a", "b"])
    data = nk.read(tmp_path / "t.csv", classes=["a", "b"], missing="drop")
    assert data.X.tolist() == [[1, 0, 1], [4, 0, 1], [5, 1, 0]]
    assert data.left_out.tolist() == [1, 2]


THREE = [(4, "a"), (1, "b"), (2, "c"), (3, "a"), (0, "c"), (5, "b")]
TWO = [[float(x)] for x, y in THREE if y != "c"]


def write_three(folder):
    import pyarrow
    import pyarrow.parquet

    lines = [json.dumps({"x": x, "label": y}) for x, y in THREE]
    (folder / "t.jsonl").write_text("\n".join(lines))
    (folder / "t.csv").write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in THREE) + "NA,c\n")
    codes = ["abc".index(y) for _, y in THREE]
    pairs = list(zip(codes, THREE, strict=True))
    (folder / "t.svm").write_text("".join(f"{k} 1:{x}\n" for k, (x, _) in pairs))
    (folder / "t.vw").write_text("".join(f"{k} |f x:{x}\n" for k, (x, _) in pairs))
    np.save(folder / "t.npy", [[x, k] for k, (x, _) in pairs])
    np.savez(folder / "t.npz", X=[[x] for x, _ in THREE], y=[y for _, y in THREE])
    table = pyarrow.table({"x": [x for x, _ in THREE], "y": [y for _, y in THREE]})
    pyarrow.parquet.write_table(table, folder / "t.parquet")


@pytest.mark.parametrize("name", ["csv", "jsonl", "svm", "vw", "npy", "npz", "parquet"])
def test_only_rows_of_the_classes_named_are_kept_and_that_is_said(name, tmp_path):
    write_three(tmp_path)
    path, classes = (
        tmp_path / f"t.{name}",
        ["a", "b"] if name in ("csv", "jsonl", "npz", "parquet") else [0, 1.0],
    )
    data = nk.read(path, classes=classes)
    X = data.X if isinstance(data.X, np.ndarray) else data.X.toarray()
    assert X.tolist() == TWO
    assert data.left_out.tolist()[:2] == [2, 4]
    assert "of other classes than" in data.remarks[-1]
    assert nk.scan(path, classes=classes, cache=tmp_path / "c").cached().n_rows == 4
    assert nk.scan(path, missing="drop", cache=tmp_path / "c").cached().n_rows == 6
    with pytest.raises(InputError, match="'zz', but no row"):
        nk.read(path, classes=[classes[0], "zz"])
    words = ["--classes", ",".join(map(str, classes))]
    proof = tmp_path / "proof.json"
    assert novikoff("certify", path, *words, "--proof", proof).returncode == 0
    assert novikoff("verify", proof, path).returncode == 0
    if name in ("csv", "jsonl", "svm", "vw"):
        words += ["--missing", "drop", "--predictions", tmp_path / "p"]
        done = novikoff("stream", path, *words, "--json", "-q")
        assert json.loads(done.stderr.splitlines()[-1])["dropped"] == 2 + (name == "csv")


def test_errors_are_json_for_every_command_that_has_json(tmp_path):
    for name, command in every_command().items():
        if not any("--json" in one.opts for one in command.params):
            continue
        n_words = sum(one.param_type_name == "argument" and one.required for one in command.params)
        words = [str(tmp_path / "nothing.csv")] * max(n_words, 1)
        words += ["-o", tmp_path / "m"] if name == "fit" else []
        for more, code in (([], 1), (["--no-such-option"], 2)):
            done = novikoff(name, *words, "--json", *more)
            found = json.loads(done.stderr)
            assert (done.returncode, found["exit"], set(found)) == (code, code, {"error", "exit"})


def test_the_commands_of_a_report_take_a_name_that_begins_with_a_dash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-x.csv").write_text(CSV)
    words = ["--proof", "-p.json", "--report", "r.html", "--", "-x.csv"]
    assert novikoff("certify", *words).returncode == 0
    command = re.search(r"<code>novikoff (verify [^<]*)</code>", (tmp_path / "r.html").read_text())
    assert novikoff(*shlex.split(command[1])).returncode == 0


def test_columns_are_taken_by_name_or_it_is_said_that_they_are_not(tmp_path):
    frame = pandas.DataFrame({"a": [1.0, -2.0, 3.0, -4.0], "b": [0.5, 3.0, -2.0, -1.0]})
    labels = ["p", "n", "p", "n"]
    files = {
        "ab.csv": (frame, True),
        "ba.csv": (frame[["b", "a"]], True),
        "plain.csv": (frame, False),
    }
    for name, (table, header) in files.items():
        table.to_csv(tmp_path / name, index=False, header=header)
    with_labels = frame.assign(y=labels)
    with_labels.to_csv(tmp_path / "named.csv", index=False)
    with_labels.to_csv(tmp_path / "unnamed.csv", index=False, header=False)
    nk.Perceptron().fit(frame, labels).save(tmp_path / "frame")
    nk.Perceptron().fit(frame.to_numpy(), labels).save(tmp_path / "array")
    for name in ("named", "unnamed"):
        novikoff("fit", tmp_path / f"{name}.csv", "-o", tmp_path / name)
    for model in ("frame", "array", "named", "unnamed"):
        for name in files:
            done = novikoff("predict", tmp_path / model, tmp_path / name)
            is_right = done.stdout.split() == labels
            is_said = "by their places" in done.stderr
            assert (done.returncode, is_right or is_said) == (0, True)
            assert is_said == ((model in ("frame", "named")) == (name == "plain.csv"))


def test_a_file_that_another_one_replaces_is_not_read_under_the_old_names(tmp_path):
    (tmp_path / "t.csv").write_text(CSV)
    (tmp_path / "new.csv").write_text(CSV.replace("x,z", "z,x"))
    scan = nk.scan(tmp_path / "t.csv")
    assert scan.format == "csv"  # its header is read
    (tmp_path / "new.csv").replace(tmp_path / "t.csv")
    with pytest.raises(FileError, match="changed while it was read"):
        list(scan)
    (tmp_path / "t.csv").write_text(CSV)
    scan = nk.scan(tmp_path / "t.csv")
    assert [block.n_rows for block in scan] == [block.n_rows for block in scan] == [5]


JSON_ROWS = [
    '{"x": "25", "c": "red", "t": true, "label": 1}',
    '{"c": "blue", "x": 2.5, "t": false, "label": "0"}',
]


def test_values_of_json_lines_are_what_cells_of_csv_are(tmp_path):
    lines = [*JSON_ROWS, '{"x": 0.1, "c": " red ", "t": false, "label": 1}']
    (tmp_path / "t.jsonl").write_text("\n".join(lines))
    (tmp_path / "t.csv").write_text("x,c,t,label\n25,red,1,1\n2.5,blue,0,0\n0.1,red,0,1\n")
    for options in ({}, {"numbers": "decimal"}, {"levels": "reference"}):
        found, wanted = (nk.read(tmp_path / f"t.{kind}", **options) for kind in ("jsonl", "csv"))
        rows = [
            data.X.exact.tolist() if options.get("numbers") else data.X.tolist()
            for data in (found, wanted)
        ]
        assert rows[0] == rows[1]
        assert (found.names, found.y.tolist()) == (wanted.names, wanted.y.tolist())
    for lacking in ('"NA"', '""', '"?"', "null", "NaN", '"n/a"'):
        row = f'{{"x": {lacking}, "c": "red", "t": true, "label": 1}}'
        (tmp_path / "lacks.jsonl").write_text("\n".join([*lines, row]))
        with pytest.raises(FileError, match="line 4, column 'x': the value is missing"):
            nk.read(tmp_path / "lacks.jsonl")
        assert nk.read(tmp_path / "lacks.jsonl", missing="drop").n_dropped == 1
        words = [tmp_path / "lacks.jsonl", "-q", "--json", "--predictions", tmp_path / "p"]
        assert novikoff("stream", *words).returncode == 1
        done = json.loads(novikoff("stream", *words, "--missing", "drop").stderr)
        assert (done["dropped"], done["features"], done["classes"]) == (1, 4, [0, 1])
    model = tmp_path / "m"
    assert novikoff("fit", tmp_path / "t.jsonl", "-o", model).returncode == 0
    answers = [
        novikoff("predict", model, tmp_path / f"t.{kind}").stdout for kind in ("jsonl", "csv")
    ]
    assert answers[0] == answers[1] == "1\n0\n1\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"x": [1], "label": 1}', "line 2: the value of 'x' is an array"),
        ('{"x": 1, "label": 1, "z": 2}', None),
        ('{"x": "twelve", "label": 1}', "line 2, column 'x': the value is 'twelve'"),
        ('{"x": "1,5", "label": 1}', "a number with a decimal comma"),
        ('{"x": Infinity, "label": 1}', "which is infinite"),
        ('{"x": 1', "line 2: not JSON at column"),
        ('[1, 2]', "line 2: a row must be an object"),
        ('{"x": 1, "x": 2, "label": 1}', "line 2: the key 'x' stands twice"),
    ],
)  # fmt: skip
def test_a_line_of_json_that_is_no_row_is_named(line, words, tmp_path):
    (tmp_path / "t.jsonl").write_text('{"x": 1, "label": 0}\n' + line)
    with pytest.raises(FileError, match=words or "line 1, column 'z': the value is missing"):
        nk.read(tmp_path / "t.jsonl")


def test_a_first_line_of_json_may_be_longer_than_what_is_read_first(tmp_path):
    file = tmp_path / "long.jsonl"
    rows = [{f"x{j}": j % 7 for j in range(20_000)} | {"label": k} for k in range(2)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert nk.read(file).X.shape == (2, 20_000)
