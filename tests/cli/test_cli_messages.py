"""What the command says when something is wrong: one sentence, in the words of a command line."""

from __future__ import annotations

import sys
import time

import pytest

from command import novikoff
from novikoff.cli.streams import waiting

ROWS = "".join(f"{i * i % 17},{i % 7},u{i}\n" for i in range(101))


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("red,yes\nblue,no\n", [], "say --header or --no-header."),
        ("a,b\n1,2.5\n2,3\n", [], "the label (column 'b') holds measurements such as 2.5;"),
        ("a,b,id\n" + ROWS, [], "(column 'id') has 101 classes in 101 rows,"),
        (f"a,t,y\n1,{'q' * 140_000},x\n2,b,z\n", [], "line 2: a field has more than 131,072"),
    ],
)
def test_a_fit_says_what_is_wrong_and_which_option_helps(text, words, message, tmp_path):
    (tmp_path / "rows").write_text(text)
    done = novikoff("fit", tmp_path / "rows", "-o", tmp_path / "m", *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["fit", "nothing.csv", "-o", "{no}"],
        ["certify", "nothing.csv", "--proof", "{no}"],
        ["certify", "nothing.csv", "--report", "{no}"],
        ["predict", "nothing", "nothing.csv", "-o", "{no}"],
        ["stream", "nothing.csv", "-o", "{no}"],
        ["stream", "nothing.csv", "--checkpoint", "{no}"],
        ["stream", "nothing.csv", "--predictions", "{no}"],
    ],
)
def test_a_folder_that_is_not_there_is_told_before_any_work(words, tmp_path):
    done = novikoff(*(word.format(no=tmp_path / "no" / "file.csv") for word in words))
    assert done.returncode == 1
    assert f"there is no folder {tmp_path / 'no'}; make it first." in done.stderr


@pytest.mark.parametrize("command", ["fit", "certify", "trace"])
def test_rows_that_are_left_out_are_counted_aloud_unless_quiet(command, tmp_path):
    (tmp_path / "rows.csv").write_text("a,b,y\n1,2,x\n3,,z\n4,5,z\n")
    output = ["-o", tmp_path / "m"] if command == "fit" else []
    words = [command, tmp_path / "rows.csv", "--missing", "drop", *output]
    assert "1 row lacks a value and is left out of" in novikoff(*words).stderr
    assert novikoff(*words, "--quiet").stderr == ""


@pytest.mark.parametrize("kind", ["perceptron", "kernel"])
def test_control_c_before_anything_is_saved_is_130(kind, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("novikoff.models.passes", interrupted)
    (tmp_path / "rows.csv").write_text("a,y\n1,x\n2,z\n")
    done = novikoff("fit", tmp_path / "rows.csv", "-o", tmp_path / "m", "--kind", kind)
    assert done.returncode == 130
    assert done.stderr.startswith("novikoff: stopped")
    assert "nothing was saved" in done.stderr


@pytest.mark.parametrize("quiet", [True, False])
def test_quiet_has_no_spinner_on_a_terminal(quiet, monkeypatch, capsys):
    monkeypatch.setattr("novikoff.cli.streams.PATIENCE", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with waiting("adding up", quiet):
        time.sleep(0.3)
    assert ("adding up" in capsys.readouterr().err) != quiet


@pytest.mark.parametrize(
    ("words", "address"),
    [(["certify"], "https://a.org/rows.csv"), (["certify"], "s3://bucket/rows.csv"),
     (["certify"], "http://a.org/*.csv"), (["certify"], "ftp://a.org/m"),
     (["fit", "-o", "m"], "https://a.org/rows.csv"), (["trace"], "https://a.org/rows.csv"),
     (["stream"], "https://a.org/rows.csv"), (["predict", "rows.csv"], "https://a.org/m"),
     (["verify", "rows.csv"], "https://a.org/p"), (["studio"], "https://a.org/rows.csv")],
)  # fmt: skip
def test_an_address_on_the_network_is_to_be_downloaded_first(words, address):
    done = novikoff(words[0], address, *words[1:])
    said = f"novikoff: {address} is an address on the network; download it, and give the file.\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_an_input_that_cannot_be_used_is_not_called_the_answer():
    name = "n" * 300  # longer than a name may be
    for words in (["certify", name], ["stream", name], ["stream", "-", "--model", name],
                  ["predict", name, name], ["verify", name, name], ["studio", name]):  # fmt: skip
        done = novikoff(*words)
        assert done.returncode == 1
        assert name in done.stderr
        assert "the answer" not in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [["certify", "{}"], ["fit", "{}", "-o", "m"], ["stream", "{}"], ["predict", "{}", "rows.csv"],
     ["stream", "-", "--model", "{}"], ["studio", "{}"]],
)  # fmt: skip
def test_a_link_that_leads_nowhere_is_said_to_be_one(words, tmp_path):
    link = tmp_path / "link"
    link.symlink_to("nowhere.csv")
    done = novikoff(*(word.format(link) for word in words))
    assert done.returncode == 1
    assert f"{link} is a link to nowhere.csv, where there is no file." in done.stderr


@pytest.mark.parametrize("number", ["nan", "inf"])
@pytest.mark.parametrize(
    "words", [["certify", "xor", "--time-limit"], ["fit", "xor", "-o", "m", "--save-every"],
              ["fit", "xor", "-o", "m", "--kind", "kernel", "--gamma"]],
)  # fmt: skip
def test_what_is_no_finite_number_is_wrong_usage(words, number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = novikoff(*words, number)
    assert done.returncode == 2
    assert f"{number} is not a finite number." in done.stderr
    assert not (tmp_path / "m").exists()
