"""What the commands import: none of them pays for scikit-learn, pandas or statistics."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("sklearn", "pandas", "scipy.stats")
PROGRAM = f"""
import sys
from novikoff.cli import main
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)
"""
ROWS = "a,b,y\n" + "".join(f"{a},{b},{'p' if a > b else 'n'}\n" for a in range(6) for b in range(6))
KINDS = ("perceptron", "averaged", "voted", "pocket", "kernel", "rescaled")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, a model and a proof."""
    here = tmp_path_factory.mktemp("imports")
    (here / "rows.csv").write_text(ROWS)
    loaded(here, "fit", "rows.csv", "-o", "model")
    loaded(here, "certify", "rows.csv", "--proof", "proof.json")
    return here


def loaded(here, *words):
    """Which heavy modules a command has imported when it is done."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        capture_output=True,
        text=True,
        cwd=here,
        check=True,
    )
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "words",
    [
        *(f"fit rows.csv -o {kind} --kind {kind}" for kind in KINDS),
        "fit rows.csv -o joint --multiclass joint --order shuffled --test rows.csv --cache",
        "fit rows.csv -o model --resume",
        "predict model rows.csv",
        "predict model rows.csv --scores -o scores.csv",
        "stream rows.csv -o online --predictions said.txt",
        "certify rows.csv --proof other.json",
        "verify proof.json rows.csv",
        "--version",
    ],
)
def test_a_command_imports_nothing_heavy(words, folder):
    assert loaded(folder, *words.split()) == "[]"


def test_models_and_online_alone_import_nothing_heavy(tmp_path):
    program = (
        "import sys, novikoff.models, novikoff.online; "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout.strip() == "[]"
