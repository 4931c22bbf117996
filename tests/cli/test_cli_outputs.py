"""No command overwrites what it reads, whatever its files are called."""

from __future__ import annotations

import os

import pytest

from command import in_shell, novikoff

ROWS = "a,b,y\n1,2,p\n2,1,n\n3,5,p\n4,1,n\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Rows under many names, and a model of them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text(ROWS)
    (tmp_path / "soft.csv").symlink_to("d.csv")
    os.link("d.csv", "hard.csv")
    (tmp_path / "sub").mkdir()
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "null").symlink_to(os.devnull)  # whoever replaces it replaces no more than a link
    (tmp_path / "stdout").symlink_to("/dev/stdout")
    novikoff("fit", "d.csv", "-o", "m")
    return tmp_path


NAMES = ["d.csv", "./d.csv", "soft.csv", "hard.csv", "sub/../d.csv", "up/d.csv", "{full}"]
COMMANDS = [
    ["fit", "d.csv", "-o"],
    ["fit", "sets.csv", "--test", "d.csv", "-o"],
    ["fit", "[cd].csv", "-o"],
    ["fit", "d.csv", "--resume", "-o"],
    ["certify", "d.csv", "--proof"],
    ["certify", "d.csv", "--report"],
    ["certify", "d.csv", "--rocq"],
    ["predict", "m", "d.csv", "-o"],
    ["predict", "d.csv", "rows.csv", "-o"],
    ["stream", "d.csv", "-o"],
    ["stream", "d.csv", "--predictions"],
    ["stream", "d.csv", "--checkpoint"],
    ["stream", "rows.csv", "--model", "d.csv", "--predictions"],
    ["stream", "rows.csv", "--model", "d.csv", "--checkpoint"],
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_an_output_that_is_an_input_is_refused_before_any_work(words, name, files):
    done = novikoff(*words, name.format(full=files / "d.csv"))
    assert done.returncode == 2
    assert "would overwrite it; name another file" in done.stderr
    assert (files / "d.csv").read_text() == ROWS


def test_standard_input_is_an_input(files):
    for words in (["fit", "-", "-o"], ["certify", "/dev/stdin", "--proof"], ["stream", "-", "-o"]):
        done = in_shell('"$@" d.csv < d.csv', *words)
        assert done.returncode == 2, done.stderr
        assert "would overwrite it" in done.stderr
    assert (files / "d.csv").read_text() == ROWS


def test_standard_output_is_an_output(files):
    for words in (["predict", "m", "d.csv"], ["certify", "d.csv"], ["trace", "d.csv"],
                  ["stream", "d.csv"], ["verify", "d.csv", "d.csv"]):  # fmt: skip
        done = in_shell('"$@" >> hard.csv', *words)
        assert done.returncode == 2, done.stderr
        assert "standard output goes into the file that" in done.stderr
        assert (files / "d.csv").read_text() == ROWS


@pytest.mark.parametrize(
    "words",
    [
        ["certify", "d.csv", "--proof", "a", "--report", "a"],
        ["certify", "d.csv", "--proof", "a", "--report", "sub/../a"],
        ["certify", "d.csv", "--proof", "up/a", "--report", "a"],
        ["certify", "d.csv", "--proof", "stdout", "--report", "/dev/fd/1"],
        ["stream", "d.csv", "-o", "a", "--predictions", "a"],
        ["stream", "d.csv", "-o", "a", "--checkpoint", "./a"],
        ["stream", "d.csv", "--predictions", "a", "--checkpoint", "a"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("there", [True, False])
def test_two_outputs_are_two_files(words, there, files):
    if there:
        (files / "a").write_text("old")
    done = novikoff(*words)
    assert done.returncode == 2
    assert "are one file; give each its own" in done.stderr
    assert not there or (files / "a").read_text() == "old"


def test_what_loses_nothing_is_allowed(files):
    assert novikoff("certify", "d.csv", "--proof", "null", "--report", "null").returncode == 0
    assert (files / "null").is_symlink()
    assert novikoff("fit", "lecture:002", "-o", "lecture:002").returncode == 0
    assert novikoff("stream", "d.csv", "-o", "s", "--predictions", "p").returncode == 0
    words = ["stream", "d.csv", "--model", "s", "-o", "s", "--predictions", "p"]
    assert novikoff(*words).returncode == 0  # a model may take the place of the one it began as
    assert novikoff("fit", "d.csv", "-o", "m", "--resume").returncode == 0
    assert novikoff("predict", "m", "d.csv", "-o", "labels.csv").returncode == 0
    assert novikoff("predict", "m", "d.csv", "-o", "labels.csv").returncode == 0
    assert (files / "d.csv").read_text() == ROWS


@pytest.mark.usefixtures("files")
def test_a_checkpoint_is_a_regular_file():
    done = novikoff("stream", "d.csv", "--checkpoint", "null", "--predictions", "p")
    assert done.returncode == 2
    assert "is no regular file" in done.stderr
    done = novikoff("fit", "d.csv", "-o", "null", "--resume")
    assert done.returncode == 2
    assert "is no regular file to go on from" in done.stderr
