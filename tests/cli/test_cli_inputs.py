"""A model or a proof from a file, a pipe or standard input; all else is one sentence."""

from __future__ import annotations

import os
import threading

import pytest

from command import in_shell, novikoff

ROWS = "a,b,y\n1,2,no\n2,1,yes\n3,1,yes\n1,3,no\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text(ROWS)
    assert novikoff("fit", "d.csv", "-o", "m.st", "-q").returncode == 0
    assert novikoff("certify", "d.csv", "--proof", "p.json", "-q").returncode == 0
    return tmp_path


COMMANDS = {"predict": "m.st", "verify": "p.json"}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "line", ['"$@" <(cat {}) d.csv', '"$@" - d.csv < {}', 'cat {} | "$@" /dev/stdin d.csv']
)
def test_a_model_or_a_proof_is_read_from_where_it_comes(command, line):
    expected = novikoff(command, COMMANDS[command], "d.csv")
    done = in_shell(line.format(COMMANDS[command]), command)
    assert (done.stdout, done.stderr, done.returncode) == expected[1:] + expected[:1]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_named_pipe_is_read_once(folder, command):
    os.mkfifo("pipe")
    content = (folder / COMMANDS[command]).read_bytes()
    feed = threading.Thread(target=lambda: (folder / "pipe").write_bytes(content), daemon=True)
    feed.start()
    done = novikoff(command, "pipe", "d.csv")
    feed.join(10)
    assert done == novikoff(command, COMMANDS[command], "d.csv")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
def test_standard_input_is_not_two_things_at_once(command):
    done = in_shell(f'"$@" - - < {COMMANDS[command]}', command)
    assert done.returncode == 2
    assert "a pipe can be read only once" in done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('"$@" <(yes) d.csv', "is no model file"),
        ('head -c 300 m.st | "$@" - d.csv', "standard input is not a whole safetensors file"),
        ('"$@" - d.csv <&-', "standard input is closed; name a file."),
    ],
)
def test_a_stream_that_holds_no_model_is_named(line, said):
    done = in_shell(line, "predict")
    assert done.returncode == 1
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
