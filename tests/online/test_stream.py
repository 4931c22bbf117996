"""`novikoff stream`: rows of every format, answers before the next row, and death at any moment."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff as nk
from novikoff.cli import main
from novikoff.io.options import Options, options
from novikoff.online.stream.rows import row_reader

NOVIKOFF = [sys.executable, "-m", "novikoff", "stream"]


class Done(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


def stream(*args, data=b""):
    """The command in this process."""
    given = data.encode() if isinstance(data, str) else data
    out, err, code = io.BytesIO(), io.BytesIO(), 0
    control_c = signal.getsignal(signal.SIGINT)  # a command ends its process, and this besides
    with pytest.MonkeyPatch.context() as patch, np.errstate():
        patch.setattr(sys, "argv", ["novikoff", "stream", *map(str, args)])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out))
        patch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding="utf-8"))
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        finally:
            signal.signal(signal.SIGINT, control_c)
        sys.stdout.flush()
        sys.stderr.flush()
        return Done(code, out.getvalue(), err.getvalue())


def ok(*args, **more):
    done = stream(*args, **more)
    assert done.returncode == 0, done.stderr.decode()
    return done


def as_process(*args, cwd):
    return subprocess.Popen(
        [*NOVIKOFF, *args], stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd
    )


def finished(*args, cwd, data=b""):
    subprocess.run([*NOVIKOFF, *args], input=data, cwd=cwd, check=True, capture_output=True)


def generated(n, seed=0, d=6):
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n, d)) / 4.0
    y = np.where(X @ rng.normal(size=d) + 0.3 > 0, 1, -1)
    return X, y


def written(form, X, y):
    lines = []
    if form in ("csv", "tsv"):
        lines.append(",".join([*(f"x{j}" for j in range(X.shape[1])), "label"]))
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        pairs = [(f"x{j}", value) for j, value in enumerate(row)]
        lines.append(
            {
                "jsonl": lambda p=pairs, t=label: json.dumps({**dict(p), "label": t}),
                "csv": lambda r=row, t=label: ",".join(map(str, [*r, t])),
                "tsv": lambda r=row, t=label: ",".join(map(str, [*r, t])),
                "svmlight": lambda p=pairs, t=label: (
                    f"{t:+d} " + " ".join(f"{int(k[1:]) + 1}:{v}" for k, v in p)
                ),
                "vw": lambda p=pairs, t=label: f"{t} |f " + " ".join(f"{k}:{v}" for k, v in p),
            }[form]()
        )
    text = "\n".join(lines) + "\n"
    return text.replace(",", "\t") if form == "tsv" else text


@pytest.mark.parametrize("form", ["jsonl", "csv", "tsv", "svmlight", "vw"])
def test_every_format_gives_the_predictions_and_weights_of_the_python_api(form, tmp_path):
    X, y = generated(300)
    model = nk.OnlinePerceptron()
    expected = [model.learn_one(row, label) for row, label in zip(X, y.tolist(), strict=True)]
    done = ok("-o", tmp_path / "m", data=written(form, X, y))
    lines = done.stdout.decode().splitlines()
    assert lines == ["" if label is None else str(label) for label in expected]
    saved = nk.load(tmp_path / "m")
    assert saved.coef_.tobytes() == model.coef_.tobytes()
    assert saved.intercept_.tobytes() == model.intercept_.tobytes()
    assert (saved.n_mistakes_, saved.n_wrong_) == (model.n_mistakes_, model.n_wrong_)
    few = dict(zip(saved.names_, X[0].tolist(), strict=True))
    assert saved.predict_one(few) == model.predict_one(X[0])


def test_a_row_is_answered_before_the_next_one_arrives():
    rows = [("1 1:1", ""), ("-1 1:-1", "1"), ("1:2", "1"), ("-1 1:-3", "-1")]
    run = subprocess.Popen(
        [*NOVIKOFF, "--quiet"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )
    guard = threading.Timer(20, run.kill)  # an answer that never comes must not hang the tests
    guard.start()
    for row, answer in rows:
        run.stdin.write(f"{row}\n".encode())
        assert run.stdout.readline().decode() == f"{answer}\n"
    run.stdin.close()
    assert run.wait() == 0
    guard.cancel()
    run.stdout.close()


def test_the_table_reports_at_doubling_rows_and_json_sums_up(tmp_path):
    X, y = generated(50)
    done = ok("--json", data=written("csv", X, y))
    *table, closing, summary = done.stderr.decode().splitlines()
    assert [line.split()[0] for line in table[2:]] == ["1", "2", "4", "8", "16", "32"]
    model = nk.OnlinePerceptron()
    wrong = [model.learn_one(row, label) != label for row, label in zip(X, y.tolist(), strict=True)]
    for line, first, last in zip(table[3:], [1, 2, 4, 8, 16], [2, 4, 8, 16, 32], strict=True):
        _, since, recent, so_far = line.split()[:4]
        assert int(since) == sum(wrong[first:last])
        assert recent == f"{1 - sum(wrong[first:last]) / (last - first):.4f}"
        assert so_far == f"{1 - sum(wrong[:last]) / last:.4f}"
    found = json.loads(summary)
    assert found["mistakes"] == sum(wrong)
    assert found["accuracy"] == model.accuracy_
    assert (found["rows"], found["classes"], found["features"]) == (50, [-1, 1], 6)
    assert closing.startswith("50 rows")
    quiet = ok("--quiet", "--predictions", tmp_path / "p", data=written("csv", X, y))
    assert (quiet.stdout, quiet.stderr) == (b"", b"")
    assert (tmp_path / "p").read_bytes() == done.stdout


def test_words_truth_values_and_rows_without_labels(tmp_path):
    rows = [
        {"colour": "red", "hot": True, "n": 2, "spam": "yes"},
        {"colour": "blue", "hot": False, "n": 1.5, "spam": "no"},
        {"colour": "red"},
        {"colour": "blue", "spam": None},
    ]
    text = "\n".join(map(json.dumps, rows)) + "\n\n"
    done = ok("--label", "spam", "-o", tmp_path / "m", data=text)
    assert done.stdout.decode() == "\nyes\nyes\nno\n"
    model = nk.load(tmp_path / "m")
    assert model.names_ == ["colour=red", "hot", "n", "colour=blue"]
    assert model.n_rows_ == 2
    table = "spam,colour,n\nyes,red,2\nno,blue,1.5\n,red,0\n"
    by_csv = ok("--label", "spam", "-o", tmp_path / "c", data=table)
    assert by_csv.stdout.decode() == "\nyes\nyes\n"
    assert nk.load(tmp_path / "c").names_ == ["colour=red", "n", "colour=blue"]


def test_a_model_goes_on_where_it_was(tmp_path):
    X, y = generated(200)
    whole = ok("-o", tmp_path / "whole", data=written("svmlight", X, y))
    first = ok("-o", tmp_path / "m", data=written("svmlight", X[:90], y[:90]))
    second = ok(
        "--model", tmp_path / "m", "-o", tmp_path / "m", data=written("svmlight", X[90:], y[90:])
    )
    assert first.stdout + second.stdout == whole.stdout
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()


def test_one_pass_of_fit_counts_the_same_mistakes_and_ends_in_the_same_weights(tmp_path):
    X, y = generated(500, seed=4)
    (tmp_path / "a.csv").write_text(written("csv", X, y))
    finished("a.csv", "-o", "stream.m", cwd=tmp_path)
    model = nk.load(tmp_path / "stream.m")
    fitted = nk.Perceptron(max_iter=1)
    data = nk.read(tmp_path / "a.csv")
    with pytest.warns(Warning, match="mistake"):
        fitted.fit(data.X, data.y)
    assert model.n_mistakes_ == fitted.n_mistakes_ > 10
    assert model.coef_.tobytes() == fitted.coef_.tobytes()
    assert model.intercept_.tobytes() == fitted.intercept_.tobytes()


def test_compressed_files_mixed_line_ends_quotes_and_a_mark(tmp_path):
    X, y = generated(30)
    text = written("csv", X, y)
    plain = ok("--quiet", data=text)
    lines = text.splitlines()
    odd = "\ufeff" + "".join(line + ["\n", "\r\n", "\r"][i % 3] for i, line in enumerate(lines))
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(odd.encode()))
    assert ok(tmp_path / "a.csv.gz", "--quiet").stdout == plain.stdout
    assert ok("--format", "csv", "--quiet", data=odd.rstrip("\r\n")).stdout == plain.stdout
    quoted = 'x,"a,b",y\n1,"w,v",p\n2,"w,v",q\n'
    done = ok("-o", tmp_path / "m", data=quoted)
    assert done.stdout.decode() == "\np\n"
    assert nk.load(tmp_path / "m").names_ == ["x", "a,b=w,v"]


def test_a_first_column_without_a_name_is_left_out_aloud_and_kept_when_asked():
    data = ",a,y\n0,1,p\n1,3,n\n2,0,p\n"
    done = ok("-", "--label", "y", data=data)
    assert b"left out (--keep 1 keeps it)" in done.stderr
    kept = ok("-", "--label", "y", "--keep", "1", data=data)
    assert b"left out" not in kept.stderr
    assert b"2 features" in kept.stderr


def test_missing_values_are_errors_or_rows_passed_over_that_keep_their_place():
    text = "a,b,y\n1,2,p\nNA,1,q\n-1,-2,q\n-1,-2,\n"
    refused = stream(data=text)
    assert refused.returncode == 1
    assert b"line 3, column 'a': the value is missing" in refused.stderr
    done = ok("--missing", "drop", "--json", data=text)
    assert done.stdout.decode() == "\n\np\nq\n"
    summary = json.loads(done.stderr.splitlines()[-1])
    assert (summary["rows"], summary["labelled"], summary["dropped"]) == (4, 2, 1)


BAD = [
    ('{"label": 1, "a": 1}\n{"label": 1, "a": {"b": 1}}', "line 2: the value of 'a' is an object"),
    ('{"label": 1, "a": [1]}', "line 1: the value of 'a' is an array"),
    ('{"label": 1, "a": null}', "line 1, column 'a': the value is missing; a finite number"),
    ('{"label": 1, "a": NaN}', "line 1, column 'a': the value is missing ('NaN')"),
    ('{"label": 1, "a": 1e999}', "line 1: the feature 'a' is inf"),
    ('{"label": 1, "a": 1, "a": 2}', "line 1: the key 'a' stands twice"),
    ('{"label": 1, "a": "b", "a=b": 2}', "line 1: two features are called 'a=b'"),
    ('{"label": 1, "a": 1', "line 1: not JSON at column 20"),
    ('{"label": 1}\n[1]', "line 2: a row must be an object"),
    ('{"a": 1}', "line 1: which key holds the label"),
    ('{"label": 0.5, "a": 1}', "line 1: the label is 0.5"),
    ('{"label": [1], "a": 1}', "line 1: the value of 'label' is an array"),
    ('{"label": 1, "a": 1}\n{"label": "x", "a": 1}', "line 2: the label is 'x', and the labels"),
    ('{"label": 1, "a": ' + "[" * 100_000, "line 1: values are nested too deeply"),
    ('{"label": 1, "a": ' + "9" * 5000 + "}", "line 1: a number has too many digits"),
    (b'{"label": 1, "a\xff": 1}', "line 1: not UTF-8 text; say"),
    ("a,b,a\n1,2,3\n", "has two columns named 'a'; rename one"),
    ("a,b,y\n1,2\n", "line 2: 2 fields where the first line has 3"),
    ('a,b,y\n1,"2,3\n', "line 2: a quote is not closed in this line"),
    ("a,b,y\n1,1e400,0\n", "line 2: the feature 'b' is inf"),
    ("a,b,y\n1,2,0\n1,2,p\n", "line 3: the label is 'p', and the labels above are numbers"),
    ("a,y\n1,0\n1,1e400\n", "line 3: of the label, the value is '1e400', beyond 1.8e308"),
    ("a,b,y\n1,inf,0\n", "line 2, column 'b': the value is 'inf', which is infinite"),
    (b"a,b,y\n1,\xe9,0\n", "line 2: not UTF-8"),
    ("1 1:1\n1 2:x\n", "line 2: the value is 'x'; a finite number"),
    ("1 1:1\n1 x:2\n", "line 2: 'x:2' is not of the form index:value"),
    ("1 1:1\n1 2:3:4\n", "line 2: the value is '3:4'"),
    ("1 1:1\n1 2:1_0\n", "line 2: the value is '1_0'"),
    ("1 1:1\n1 2:1 2:1\n", "line 2: this row has an index twice"),
    ("1 1:1\n1 2:nan\n", "line 2: the value is missing"),
    ("1 1:1\nspam 2:1\n", "line 2: the value is 'spam'"),
    ("1 |f a\n1 f a\n", "line 2: no '|' in this row"),
    ("1 |f a\n1 -2 |f a\n", "line 2: the importance is '-2'"),
    ("1 |f a\n1 1 0 9 |f a\n", "line 2: more than a label"),
    ("1 |f a\n1 |f :3\n", "line 2: ':3' is a feature without a name"),
    ("1 |f a\n1 |f a:1e\n", "line 2: the value is '1e'"),
    ("hello world\n", "line 1: 1 column ('hello world')"),
    (b"\xff\xfe1\x00", "line 1: not UTF-8"),
    ("", "is empty"),
    ("\n\n", "is empty"),
    (b"\x1f\x8b\x08\x00", "is cut short or damaged"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), BAD, ids=range(len(BAD)))
def test_bad_input_is_one_sentence_that_names_the_line(text, words):
    done = stream("--quiet", data=text)
    told = done.stderr.decode()
    assert done.returncode == 1
    assert words in told
    assert told.startswith("novikoff: standard input")
    assert told.count("\n") == 1
    assert len(told) < 400


def test_the_command_line_ends_with_1_and_one_sentence(tmp_path):
    done = stream(data="a,b,y\n1,2\n")
    assert done.returncode == 1
    assert done.stderr.decode() == (
        "novikoff: standard input, line 2: 2 fields where the first line has 3; is a delimiter or "
        "a quote missing?\n"
    )
    for args, words in [
        ((tmp_path / "none.csv",), "does not exist"),
        ((tmp_path,), "is a folder"),
        (("--resume",), "goes with --checkpoint"),
        (("--format", "vw", "--label", "y"), "begins with its label; leave --label out"),
        (("--format", "vw", "--no-header"), "--no-header is for csv, tsv files, and this"),
        (("--label", "z"), "has no column 'z'; its first line is 'a', 'b', 'y'"),
        (("--predictions", tmp_path / "no" / "p"), "cannot write"),
    ]:
        done = stream(*args, data="a,b,y\n1,2,3\n1,2,4\n")
        assert done.returncode in (1, 2)
        assert words in done.stderr.decode()
        assert "Traceback" not in done.stderr.decode()


def test_a_line_of_ten_million_characters_is_read_or_refused():
    wide = "1 " + " ".join(f"{j}:1" for j in range(1, 1_200_000))
    assert len(wide) > 10**7
    done = ok("--quiet", data=f"{wide}\n-1 1:1\n")
    assert done.stdout == b"\n1\n"
    done = stream("--format", "jsonl", "--label", "y", data='{"y": 1, "' + "a" * 10**7)
    assert done.returncode == 1
    assert len(done.stderr) < 1000


def test_a_model_of_another_kind_is_refused(tmp_path):
    nk.Perceptron().fit([[0.0], [1.0]], [0, 1]).save(tmp_path / "other")
    done = stream("--model", tmp_path / "other", data="1 1:1\n")
    assert done.returncode == 1
    assert "holds a Perceptron; a stream goes on from an OnlinePerceptron" in done.stderr.decode()
    ok("-o", tmp_path / "m", "--tie", "positive", data="1 1:1\n")
    done = stream("--model", tmp_path / "m", "--tie", "zero", data="1 1:1\n")
    assert "was learnt with --tie positive and --intercept" in done.stderr.decode()
    done = stream("--format", "svmlight", "-o", tmp_path / "n", data="1:1\n")
    assert "no row of standard input had a label" in done.stderr.decode()
    done = stream("--checkpoint", tmp_path / "m", "--resume", data="1 1:1\n")
    assert "is a model, but no checkpoint" in done.stderr.decode()


words = st.text("abz_é1", min_size=1, max_size=3)
numerals = st.sampled_from(["", ":1", ":-2.5", ":+.5e1", ":0.1", ":3."])


@st.composite
def vw_lines(draw):
    head = draw(st.sampled_from(["1 ", "-1 ", "1 2 ", "-1 0.5 'tag", "1 tag", "1 1 'a ", "2 1 0 "]))
    spaces = [
        f"|{draw(st.sampled_from(['', 'f', 'g:2', 'é:0.5']))} "
        + " ".join(
            draw(words) + draw(st.one_of(numerals, st.just(":word")))
            for _ in range(draw(st.integers(0, 4)))
        )
        for _ in range(draw(st.integers(1, 3)))
    ]
    return head + " ".join(spaces)


def same_rows(rows, data):
    X = data.X.toarray()
    for i, row in enumerate(rows):
        dense = dict(zip(data.names or range(1, X.shape[1] + 1), X[i].tolist(), strict=True))
        assert {k: v for k, v in row.x.items() if v} == {k: v for k, v in dense.items() if v}
        assert row.label == data.y[i]
        assert data.weights is None or row.weight == data.weights[i]


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(vw_lines(), min_size=1, max_size=5))
def test_vowpal_wabbit_rows_are_those_of_read(lines, tmp_path_factory):
    path = tmp_path_factory.mktemp("vw") / "a.vw"
    path.write_text("".join(f"{line}\n" for line in [*lines, "1 |f x"]), encoding="utf-8")
    data = nk.read(path)
    reader = row_reader("vw", Options())
    same_rows([reader.row(line.encode()) for line in [*lines, "1 |f x"]], data)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["1", "-1", "+1", "2.0", "3 qid:7"]),
            st.dictionaries(
                st.integers(1, 9), st.sampled_from(["1", "-2.5", "1e3", "+.5", "0.1", "1e+2"])
            ),
            st.sampled_from(["", " # note 3:4", "  "]),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_svmlight_rows_are_those_of_read(rows, tmp_path_factory):
    lines = [
        f"{label} " + " ".join(f"{j}:{v}" for j, v in sorted(entries.items())) + note
        for label, entries, note in rows
    ]
    path = tmp_path_factory.mktemp("svm") / "a.svm"
    path.write_text("".join(f"{line}\n" for line in [*lines, "1 9:1"]))
    reader = row_reader("svmlight", Options())
    found = [reader.row(line.encode()) for line in [*lines, "1 9:1"]]
    same_rows(found, nk.read(path, zero_based=False))


def test_a_broken_pipe_ends_the_run_quietly(tmp_path):
    X, y = generated(60_000, d=2)
    (tmp_path / "a.csv").write_text(written("csv", X, y))
    run = subprocess.Popen(
        [*NOVIKOFF, str(tmp_path / "a.csv"), "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    run.stdout.readline()
    run.stdout.close()
    assert run.wait(20) == 0
    assert run.stderr.read() == b""
    run.stderr.close()


def test_ctrl_c_saves_and_says_what_was_saved(tmp_path):
    X, y = generated(400)
    text = written("csv", X, y).encode()
    args = ["--checkpoint", "c", "--every", "50", "--predictions", "p", "-o", "m"]
    whole = ["--checkpoint", "whole.c", "--predictions", "whole.p", "-o", "whole.m"]
    finished(*whole, data=text, cwd=tmp_path)
    run = as_process(*args, cwd=tmp_path)
    cut = text.index(b"\n", len(text) // 2) - 3  # in the middle of a row
    run.stdin.write(text[:cut])
    run.stdin.flush()
    rows = text[:cut].count(b"\n") - 1
    while not (tmp_path / "p").exists() or (tmp_path / "p").read_bytes().count(b"\n") < rows:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    told = run.stderr.read().decode()
    assert run.wait(20) == 130
    run.stdin.close()
    run.stderr.close()
    assert f"stopped after {rows} rows; saved the model to m and a checkpoint to c" in told
    finished(*args, "--resume", data=text, cwd=tmp_path)
    for name in "cmp":
        assert (tmp_path / name).read_bytes() == (tmp_path / f"whole.{name}").read_bytes()


def test_a_checkpoint_of_other_options_or_data_is_refused(tmp_path):
    X, y = generated(40)
    text = written("csv", X, y)
    args = ("--checkpoint", tmp_path / "c", "--predictions", tmp_path / "p")
    ok(*args, "--resume", data=text)  # there is none yet: it begins at the beginning
    for more, data, words in [
        (("--tie", "zero"), text, "was made with --tie mistake, and this run has --tie zero"),
        (("--no-intercept",), text, "made with --intercept, and this run has --no-intercept"),
        (("--label", "x0"), text, "made with no --label, and this run has --label x0"),
        ((), text.replace("x0", "z0"), "does not begin with the data that the checkpoint"),
        ((), text[:200], "does not begin with the data that the checkpoint has seen"),
    ]:
        done = stream(*args, "--resume", *more, data=data)
        assert done.returncode == (2 if more else 1)  # other options are wrong usage
        assert words in done.stderr.decode()
    (tmp_path / "p").write_bytes(b"1\n")
    done = stream(*args, "--resume", data=text)
    assert "shorter than the checkpoint says" in done.stderr.decode()


KILLS = 21


@pytest.mark.parametrize("form", ["svmlight", "jsonl", "csv"])
def test_a_run_that_is_killed_again_and_again_ends_as_if_nothing_had_happened(form, tmp_path):
    chance = random.Random(form)
    X, y = generated(6000, seed=3)
    (tmp_path / "data").write_text(written(form, X, y))
    base = ["data", "--format", form, "--every", "40", "--quiet"]

    def args(name):
        return [*base, "--checkpoint", f"{name}.c", "--predictions", f"{name}.p", "-o", f"{name}.m"]

    finished(*args("whole"), cwd=tmp_path)
    n_kills, n_late = 0, 0
    while n_kills < KILLS // 3:
        run = as_process(*args("killed"), "--resume", cwd=tmp_path)
        checkpoint = tmp_path / "killed.c"
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        while run.poll() is None and n_kills:  # until it is under way; the first kill is anywhere
            if checkpoint.exists() and checkpoint.stat().st_mtime_ns != before:
                break
            time.sleep(0.001)
        time.sleep(chance.uniform(0.0, 0.04))
        run.kill()
        code = run.wait()
        run.stdin.close()
        run.stderr.close()
        n_kills += code == -signal.SIGKILL
        n_late += code == 0
        assert code in (0, -signal.SIGKILL)
        if code == 0:  # it got through: begin anew
            for name in ("killed.c", "killed.p", "killed.m"):
                (tmp_path / name).unlink(missing_ok=True)
            assert n_late < 20
    finished(*args("killed"), "--resume", cwd=tmp_path)
    for end in "cpm":
        assert (tmp_path / f"killed.{end}").read_bytes() == (tmp_path / f"whole.{end}").read_bytes()
    assert nk.load(tmp_path / "killed.m").n_rows_ == 6000


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_records_in_quotes_are_those_of_the_csv_module(seed):
    rng = random.Random(seed)
    reader = row_reader("csv", options(delimiter=";", header=False, categorical=["1", "2"]))
    for _ in range(300):
        cells = ["".join(rng.choice('",;a ') for _ in range(rng.randrange(6))) + "z"
                 for _ in range(2)]  # fmt: skip
        text = io.StringIO()
        csv.writer(text, delimiter=";", lineterminator="").writerow([*cells, "1"])
        words = [f"{k}={cell.strip(' ')}" for k, cell in enumerate(cells, 1)]
        assert list(reader.row(text.getvalue().encode()).x) == words


def test_a_quote_within_a_word_opens_nothing():
    reader = row_reader("csv", options(delimiter=","))
    assert reader.row(b"a,b,y") is None
    row = reader.row(b'5" pipe,2,yes')
    assert row.x == {'a=5" pipe': 1.0, "b": 2.0}


@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize("seed", range(20))
def test_rows_passed_over_are_those_that_read_leaves_out(form, seed, tmp_path):
    """Missing numbers and words, first and late, in columns called categorical and in others."""
    rng = random.Random(f"{form} {seed}")
    mark = {"csv": ",", "tsv": "\t"}[form]
    missing = ["", "", "NA", "?", " "]
    lines = ["n,w,c,y".replace(",", mark)]
    for i in range(60):
        cells = [f"{rng.gauss(0, 1):.3f}", rng.choice("abc"), rng.choice("123")]
        cells = [rng.choice(missing) if rng.random() < 0.2 else cell for cell in cells]
        cells = missing[:3] if i in (0, 17) else cells
        lines.append(mark.join([*cells, "pq"[i % 2]]))
        lines += [rng.choice(["", " ", '""'])] * (rng.random() < 0.1)
    content = "\n".join(lines) + "\n"
    path = tmp_path / f"t.{form}"
    path.write_text(content)
    given = {"label": "y", "categorical": ["c"], "header": True}
    reader = row_reader(form, options(missing="drop", **given))
    rows = [row for line in content.encode().splitlines() if (row := reader.row(line)) is not None]
    left_out = [number for number, row in enumerate(rows) if row.x is None]
    data = nk.read(path, missing="drop", **given)
    assert (len(rows), left_out) == (60, data.left_out.tolist())


def test_tabs_alone_are_the_empty_cells_of_a_row(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("a\tb\ty\n1\t2\tp\n\t\t\n \n3\t1\tq\n\t\tq\n2\t5\tp\n")
    assert nk.read(path, missing="drop").left_out.tolist() == [1, 3]
    answers = ok(str(path), "--missing", "drop").stdout
    assert answers == b"\n\np\n\np\n"
