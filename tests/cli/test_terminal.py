"""Other people's text on a terminal is shown and not obeyed, in every encoding; cells are cells."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from contextlib import suppress

import numpy as np
import pytest

from command import Terminal, novikoff
from novikoff.cli.streams import _OBEYED, visible
from novikoff.io.writing import begins_a_formula, harmless, quoted, write_table
from novikoff.studio.session import Session
from novikoff.studio.sources import load_set, open_columns

PIECES = ["\x1b]0:title\x07", "\x1b[31mred", "\x9b2J", "\u202egnp.exe", "\u2066", "\r\x08[b]"]
ESCAPES = "".join(PIECES)


@pytest.fixture
def hostile(tmp_path):
    """A table whose file name, column names and labels are full of escapes."""
    path = tmp_path / f"{ESCAPES}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([f"a{ESCAPES}", f"b{ESCAPES}", f"y{ESCAPES}"])
        writer.writerows([[0, 1, f"p{ESCAPES}"], [1, 0, f"q{ESCAPES}"], [2, 0, f"q{ESCAPES}"]])
    return path


def on_a_terminal(*words):
    """Everything that a command sends to a terminal, by a process and a terminal of its own."""
    import pty

    master, slave = pty.openpty()
    done = subprocess.Popen([sys.executable, "-m", "novikoff", *map(str, words)],
                            stdin=slave, stdout=slave, stderr=slave,
                            env={**os.environ, "TERM": "xterm"})  # fmt: skip
    os.close(slave)
    said = b""
    with suppress(OSError):  # the other end is closed
        while piece := os.read(master, 1 << 16):
            said += piece
    os.close(master)
    return done.wait(), said.decode().replace("\r\n", "\n")


def test_no_command_sends_an_escape_of_the_data_to_a_terminal(hostile, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = tmp_path / "lines.csv"  # since a row of a stream is one line
    lines.write_bytes(hostile.read_bytes().replace(b"\r\n", b"\n").replace(b"\r", b""))
    commands = [
        (0, "certify", hostile),
        (0, "trace", hostile),
        (0, "fit", hostile, "-o", "m.st"),
        (0, "predict", "m.st", hostile),
        (0, "predict", "m.st", hostile, "--scores"),
        (0, "stream", lines),
        (1, "certify", hostile, "--label", f"no{ESCAPES}"),
        (1, "certify", f"{ESCAPES}.nothing"),
        (2, "certify", hostile, f"--no{ESCAPES}"),
        (1, "predict", f"no{ESCAPES}", hostile),
    ]
    for code, *command in commands:
        done = novikoff(*command, to=Terminal, together=True)
        assert done.returncode == code, done
        assert [piece for piece in PIECES if piece in done.stdout] == [], command
    assert "\\x1b[31mred" in done.stdout
    assert on_a_terminal(*commands[-1][1:]) == (1, done.stdout)


def test_data_in_a_pipe_stays_as_it_is_and_messages_do_not(hostile, tmp_path):
    model = tmp_path / "m.st"
    assert _OBEYED.findall(novikoff("fit", hostile, "-o", model).stderr) == []
    labels = novikoff("predict", model, hostile).stdout
    read = [row[0] for row in csv.reader(io.StringIO(labels, newline=""))]
    assert read == [f"p{ESCAPES}", f"q{ESCAPES}", f"q{ESCAPES}"]
    for human in ("certify", "trace"):
        assert _OBEYED.findall(novikoff(human, hostile).stdout) == []


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437", "utf-8"])
def test_every_answer_can_be_written_in_every_encoding(encoding, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("größe,日本,y\n1,0,γ=∞\n2,0,b\n0,1,b\n", encoding="utf-8")
    commands = ["certify t.csv", "trace t.csv", "fit t.csv -o m", "predict m t.csv",
                "certify t.csv --label ∞", "certify t.csv --require overlapping"]  # fmt: skip
    for line in commands:
        done = novikoff(*line.split(), encoding=encoding)  # which decodes it, too
        assert done.returncode in (0, 1, 3)
        assert "Traceback" not in done.stderr
    done = subprocess.run(  # the answers of a stream are UTF-8 everywhere
        [sys.executable, "-m", "novikoff", "stream", "t.csv"], capture_output=True, check=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert "γ=∞" in done.stdout.decode()
    done.stderr.decode(encoding)


def test_visible_text_is_left_alone():
    for text in ("größe, 日本, γ ≤ ∞\n\tüber", "naïve", "👩‍🔬", "می‌خواهم"):
        assert visible(text) == text
    assert visible("a\x1b[0m\rb\x85\u2028\u202e") == "a\\x1b[0m\\rb\\x85\\u2028\\u202e"


@pytest.mark.parametrize("label", ["a,b", 'say "hi"', "two\nlines", "two\r\nlines", " padded ",
                                   "plain", "a;b", "a\tb", '"'])  # fmt: skip
def test_a_quoted_cell_is_read_back_as_it_was(label):
    assert next(csv.reader(io.StringIO(quoted(label), newline=""))) == [label]
    assert quoted("plain") == "plain"


def test_predict_quotes_labels_and_the_names_of_scores(tmp_path):
    labels = ["a,b", 'say "hi"', "two\nlines"]
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["u", "v", "y"], *([np.cos(k), np.sin(k), labels[k % 3]]
                                                       for k in range(3))])  # fmt: skip

    def said(*words):
        done = novikoff(*(tmp_path / word if word in ("t.csv", "m") else word for word in words))
        return list(csv.reader(io.StringIO(done.stdout, newline="")))

    said("fit", "t.csv", "-o", "m")
    assert said("predict", "m", "t.csv") == [[label] for label in labels]
    header, *rows = said("predict", "m", "t.csv", "--scores")
    assert header == sorted(labels)
    assert [len(row) for row in rows] == [3, 3, 3]


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1",
                                  "\r=1", "＝1+1", "-abc", "+1-800-555"])  # fmt: skip
def test_text_that_a_spreadsheet_would_compute_gets_an_apostrophe(text):
    assert begins_a_formula(text)
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-1", "+1", "-1.5e-3", "1=1", "a-b", "-", "+", "=", "", "spam"])
def test_numbers_signs_and_plain_words_stay(text):
    assert harmless(text) == text


def test_no_table_that_is_written_begins_a_formula(tmp_path):
    labels = np.array(["=1+1", "-1", "@x", "ok"])
    for name, mark in (("t.csv", ","), ("t.tsv", "\t")):
        written = write_table(tmp_path / name, ["=label"], [labels])
        assert written == (4, 3)
        with (tmp_path / name).open(newline="", encoding="utf-8") as file:
            read = [row[0] for row in csv.reader(file, delimiter=mark)]
        assert read == ["'=label", "'=1+1", "-1", "'@x", "ok"]
    numbers = write_table(tmp_path / "n.csv", ["a"], [np.array([-1.5, 2.0])])
    assert numbers == (2, 0)
    assert (tmp_path / "n.csv").read_text() == "a\n-1.5\n2.0\n"


def test_the_studios_table_begins_no_formula():
    from dataclasses import replace

    state = replace(open_columns(load_set("lecture:001")), classes=("-1", "=cmd()"),
                    axes=("=a", "b"))  # fmt: skip
    text = Session(state).handle({"ask": "csv"})["answer"]["text"]
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert not any(map(begins_a_formula, cells))
    assert {"'=a", "b", "-1", "'=cmd()"} <= set(cells)
