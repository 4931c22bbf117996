"""What the commands import: none pays for scikit-learn, and each only for what it does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from command import every_command
from novikoff.cli.commands import COMMANDS

HEAVY = ("sklearn", "pandas", "scipy.stats")
PROGRAM = """
import sys
from novikoff.cli import main
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
print(" ".join(sys.modules), file=sys.stderr)
"""
# What a small table has no use for, beyond HEAVY: above all it is not worth a compiler.
IDLE = ("scipy", "numba", "numpy.ma", "html", "novikoff.io.cache")
PROVING = ("highspy", "flint", "novikoff.search", "novikoff.certificates")
LEARNING = ("novikoff.models", "novikoff.online")
ROWS = "a,b,y\n" + "".join(f"{a},{b},{'p' if a > b else 'n'}\n" for a in range(6) for b in range(6))
MIXED = "a,b,y\n" + "".join(  # nothing separates these
    f"{a},{(a * a + 0.7 * a) % 3.1:.3f},{'pn'[a * a % 7 in (1, 4)]}\n" for a in range(40)
)
KINDS = ("perceptron", "averaged", "voted", "pocket", "kernel", "rescaled")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, a model and a proof."""
    here = tmp_path_factory.mktemp("imports")
    (here / "rows.csv").write_text(ROWS)
    (here / "mixed.csv").write_text(MIXED)
    loaded(here, "fit", "rows.csv", "-o", "model")
    loaded(here, "certify", "rows.csv", "--proof", "proof.json")
    return here


def loaded(here, *words):
    """All modules that a command has imported when it is done."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        capture_output=True,
        text=True,
        cwd=here,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


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
    assert loaded(folder, *words.split()).isdisjoint(HEAVY)


@pytest.mark.parametrize(
    ("words", "more"),
    [
        ("fit rows.csv -o small", PROVING),
        ("predict model rows.csv", PROVING),
        ("certify rows.csv --proof other.json", LEARNING),
        ("certify mixed.csv", (*LEARNING, "highspy")),
        ("verify proof.json rows.csv", ("highspy", "novikoff.search", *LEARNING)),
    ],
)
def test_a_small_command_imports_only_what_it_does(words, more, folder):
    assert sorted(loaded(folder, *words.split()) & {*IDLE, *more}) == []


def test_a_fit_imports_its_own_kind_and_no_other(folder):
    """A pocket is made of the perceptron."""
    found = loaded(folder, "fit", "rows.csv", "-o", "pocket", "--kind", "pocket")
    kinds = {f"novikoff.models.{kind}" for kind in KINDS}
    assert sorted(found & kinds) == ["novikoff.models.perceptron", "novikoff.models.pocket"]


@pytest.mark.parametrize("words", ["--version", "--help"])
def test_what_needs_no_command_imports_none_and_no_arrays(words, folder):
    found = loaded(folder, words)
    commands = {f"novikoff.cli.{name}" for name in COMMANDS}
    assert sorted(found & {*IDLE, *commands, "numpy", "novikoff.io", "novikoff.files"}) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_imported_alone_and_says_in_a_line_what_it_does(name, folder):
    found = loaded(folder, name, "--help")
    others = {f"novikoff.cli.{other}" for other in set(COMMANDS) - {name}}
    assert sorted(found & others) == []
    assert "numpy" not in found
    assert every_command()[name].short_help == COMMANDS[name]


def test_models_and_online_alone_import_nothing_heavy(tmp_path):
    program = (
        "import sys, novikoff.models, novikoff.online; "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "asked",
    [
        "nk.certify(X, y)",
        "nk.fewest_mistakes(X, y)",
        "nk.certify_regression(X, y, model='poisson')",
        "nk.certify_regression(X, y, model='multinomial')",
    ],
)
def test_a_question_about_an_array_imports_no_reader_of_files(asked, tmp_path):
    program = f"""
import sys
import numpy as np
import novikoff as nk
X = np.random.default_rng(0).normal(size=(40, 2))
y = (X[:, 0] > 0) * 1
answer = {asked}
print(answer, answer.to_dict(), file=sys.stderr)
print(*sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    found = set(done.stdout.split())
    heavy = {*HEAVY, "dask", "pyarrow", "narwhals", "numba"}
    assert sorted(name for name in found if name in heavy or name.startswith("novikoff.io")) == []
