"""Whatever is at the other end of the standard streams, files are written, the status is true."""

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

import novikoff as nk
from command import in_shell, novikoff
from novikoff.cli.streams import waiting

ROWS = "a,b,y\n1,2,p\n2,1,n\n3,5,p\n4,1,n\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text(ROWS)
    (tmp_path / "stdout").symlink_to("/dev/stdout")  # whoever replaces it replaces but a link
    novikoff("fit", "d.csv", "-o", "m")
    return tmp_path


def test_a_reader_that_leaves_hides_neither_status_nor_proof(files):
    line = '"$@" | true; echo ${PIPESTATUS[0]}'
    words = ["certify", "d.csv", "--require", "overlapping", "--proof", "q.json", "--report", "r"]
    done = in_shell(line, *words)
    assert done.stdout == "3\n", done.stderr
    assert nk.load_certificate("q.json").status == "separable"
    assert (files / "r").read_text().endswith("</html>\n")
    done = in_shell('"$@" 2>&1 | true; echo ${PIPESTATUS[0]}', *words[:-2])
    assert done.stdout == "3\n"


@pytest.mark.parametrize("more", [["-o", "s"], ["--checkpoint", "c"], ["-o", "s", "--quiet"]])
def test_a_stream_whose_reader_leaves_still_learns_all_that_is_to_be_saved(more, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 2)).round(3)  # more answers than a pipe holds
    lines = [f"{a},{b},{'large' if a > b else 'small'}" for a, b in X.tolist()]
    (tmp_path / "rows.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    whole = in_shell('"$@" > /dev/null', "stream", "rows.csv", *more, cwd=tmp_path)
    assert whole.returncode == 0, whole.stderr
    name = "c" if "c" in more else "s"
    (tmp_path / name).rename(tmp_path / "whole")
    line = '"$@" | head -1; exit ${PIPESTATUS[0]}'
    done = in_shell(line, "stream", "rows.csv", *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == whole.stderr
    assert (tmp_path / name).read_bytes() == (tmp_path / "whole").read_bytes()


def test_notes_that_nobody_reads_stop_nothing(files):
    (files / "gaps.csv").write_text(ROWS + "5,,p\n")
    words = ["fit", "gaps.csv", "--missing", "drop", "-o"]
    for k, line in enumerate(('"$@" 2>&1 | true', '"$@" 2>&-', '"$@" 2>/dev/full')):
        done = in_shell(f"{line}; exit ${{PIPESTATUS[0]}}", *words, f"m{k}")
        assert done.returncode == 0
        assert nk.load(f"m{k}").converged_


COMMANDS = [
    ["predict", "m", "d.csv"],
    ["fit", "d.csv", "-o", "x", "--json"],
    ["datasets"],
    ["--help"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.usefixtures("files")
def test_answers_that_are_lost_are_told_and_end_in_1(words):
    done = in_shell('"$@" >&-', *words)
    said = "the answer cannot be written: standard output is closed."
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, f"novikoff: {said}")
    done = in_shell('"$@" >/dev/full', *words)
    said = "the answer cannot be written: No space left on device."
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, f"novikoff: {said}")


def test_a_closed_output_that_is_not_needed_is_not_missed(files):
    assert in_shell('"$@" >&-', "fit", "d.csv", "-o", "x").returncode == 0
    assert in_shell('"$@" >&-', "predict", "m", "d.csv", "-o", "x.csv").returncode == 0
    assert in_shell('"$@" >&- 2>&- <&-', "fit", "d.csv", "-o", "y").returncode == 0
    assert (files / "x").read_bytes() == (files / "y").read_bytes() == (files / "m").read_bytes()
    done = in_shell('"$@" >&-', "stream", "d.csv")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    done = in_shell('"$@" >&-', "fit", "d.csv", "-o", "stdout")
    assert (done.returncode, done.stderr) == (
        1,
        "novikoff: cannot write stdout: Bad file descriptor.\n",
    )


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
@pytest.mark.parametrize("words", [["fit", "-o", "x"], ["stream"]])
@pytest.mark.usefixtures("files")
def test_a_closed_input_is_one_sentence(words, name):
    done = in_shell('"$@" <&-', *words, name)
    assert done.returncode == 1
    said = "standard input is closed; send rows through a pipe, or name a file."
    assert done.stderr == f"novikoff: {said}\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "the memory does not suffice; take fewer"),
        (MemoryError("Unable to allocate 9 TB"), "the memory does not suffice (Unable to allo"),
        (OSError(5, "Input/output error", "d.csv"), "the system says: d.csv: Input/output error."),
    ],
)
@pytest.mark.usefixtures("files")
def test_what_the_system_refuses_is_one_sentence(error, said, monkeypatch):
    def fail(*_):
        raise error

    monkeypatch.setattr("novikoff.io.reading.find_sources", fail)
    done = novikoff("fit", "d.csv", "-o", "x")
    assert done.returncode == 1
    assert done.stderr.startswith(f"novikoff: {said}")
    assert done.stderr.count("\n") == 1


WATCHED = """
import os
from novikoff.cli import main
os.write(3, b"x")
main()
"""


@pytest.mark.parametrize("words", [["--help"], ["fit", "d.csv", "-o", "x"], ["certify", "d.csv"]])
@pytest.mark.usefixtures("files")
def test_control_c_at_any_early_moment_is_130_and_no_traceback(words):
    dice = random.Random(str(words))
    for _ in range(3):
        reading, writing = os.pipe()
        process = subprocess.Popen(
            ["bash", "-c", f'exec 3>&{writing}; exec "$@"', "bash", sys.executable, "-c", WATCHED,
             *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=[writing],
        )  # fmt: skip
        os.close(writing)
        os.read(reading, 1)  # the command begins
        os.close(reading)
        time.sleep(dice.uniform(0.0, 0.3))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        assert process.returncode in (130, 0, -signal.SIGINT), errors
        assert "Traceback" not in errors
        assert process.returncode != 130 or "stopped" in errors


AT_IMPORT = {
    "at once": "os.kill(os.getpid(), signal.SIGINT)",
    "which turns into another error": """
try: os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt: raise ImportError('initialization failed')
""",
}


@pytest.mark.parametrize("when", AT_IMPORT)
def test_an_interrupt_while_importing_is_130(when, tmp_path):
    (tmp_path / "click.py").write_text(f"import os, signal, time\n{AT_IMPORT[when]}\n")
    done = subprocess.run(
        [sys.executable, "-c", "from novikoff.cli import main; main()"],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "novikoff: stopped.\n")


@pytest.mark.usefixtures("files")
def test_json_is_whole_in_a_pipe():
    done = in_shell('"$@" | cat', "certify", "d.csv", "--json")
    assert json.loads(done.stdout)["status"] == "separable"


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
