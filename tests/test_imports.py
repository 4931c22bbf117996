"""What the commands import: none pays for scikit-learn, and each only for what it does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import novikoff
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
KINDS = ("averaged", "voted", "kernel", "rescaled")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, a model and a proof."""
    here = tmp_path_factory.mktemp("imports")
    (here / "rows.csv").write_text(ROWS)
    (here / "mixed.csv").write_text(MIXED)
    loaded(here, "fit", "rows.csv", "-o", "model")
    loaded(here, "certify", "rows.csv", "--proof", "proof.json")
    return here


def python(program, *words, here=None):
    return subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, cwd=here,
        check=True,
    )  # fmt: skip


def loaded(here, *words):
    """All modules that a command has imported when it is done."""
    return set(python(PROGRAM, *words, here=here).stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("words", "more"),
    [
        *((f"fit rows.csv -o {kind} --kind {kind}", None) for kind in KINDS),
        ("fit rows.csv -o j --multiclass joint --order shuffled --test rows.csv --cache", None),
        ("predict model rows.csv --scores -o scores.csv", None),
        ("stream rows.csv -o online --predictions said.txt", None),
        ("fit rows.csv -o model --resume", PROVING),
        ("predict model rows.csv", PROVING),
        ("certify rows.csv --proof other.json", LEARNING),
        ("certify mixed.csv", (*LEARNING, "highspy")),
        ("verify proof.json rows.csv", ("highspy", "novikoff.search", *LEARNING)),
    ],
)
def test_a_command_imports_nothing_heavy_and_a_small_one_only_what_it_does(words, more, folder):
    unused = {*HEAVY, *((*IDLE, *more) if more else ())}
    assert sorted(loaded(folder, *words.split()) & unused) == []


def test_a_fit_imports_its_own_kind_and_no_other(folder):
    """A pocket is made of the perceptron."""
    found = loaded(folder, "fit", "rows.csv", "-o", "pocket", "--kind", "pocket")
    kinds = {f"novikoff.models.{kind}" for kind in (*KINDS, "perceptron", "pocket")}
    assert sorted(found & kinds) == ["novikoff.models.perceptron", "novikoff.models.pocket"]
    assert found.isdisjoint(HEAVY)


def test_what_needs_no_command_imports_none_and_no_arrays(folder):
    commands = {f"novikoff.cli.{name}" for name in COMMANDS}
    for words in ("--version", "--help"):
        found = loaded(folder, words)
        assert sorted(found & {*IDLE, *commands, "numpy", "novikoff.io", "novikoff.files"}) == []


def test_a_command_is_imported_alone_and_says_in_a_line_what_it_does():
    program = f"""
import importlib, sys
names = {list(COMMANDS)!r}
for name in names:
    for there in [one for one in sys.modules if one.startswith("novikoff")]:
        del sys.modules[there]
    importlib.import_module(f"novikoff.cli.{{name}}")
    there = [one for one in names if f"novikoff.cli.{{one}}" in sys.modules]
    print(name, there, "numpy" in sys.modules)
"""
    said = python(program).stdout.splitlines()
    assert said == [f"{name} {[name]} False" for name in COMMANDS]
    for name, command in every_command().items():
        assert command.short_help == COMMANDS[name]


def test_nothing_slow_is_imported_before_control_c_is_heeded():
    source = str(Path(novikoff.__file__).parent.parent)
    program = (
        f"import sys; sys.path.insert(0, {source!r}); import novikoff.cli; "
        "print([n for n in ('typing', 're', 'enum', 'importlib.util', 'inspect', 'click') "
        "if n in sys.modules])"
    )
    alone = [sys.executable, "-I", "-S", "-c", program]
    done = subprocess.run(alone, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_models_and_online_alone_import_nothing_heavy():
    program = (
        "import sys, novikoff.models, novikoff.online; "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert python(program).stdout.strip() == "[]"


def test_a_question_about_an_array_imports_no_reader_of_files():
    program = """
import sys
import numpy as np
import novikoff as nk
X = np.random.default_rng(0).normal(size=(40, 2))
y = (X[:, 0] > 0) * 1
for answer in (nk.certify(X, y), nk.fewest_mistakes(X, y),
               nk.certify_regression(X, y, model="poisson"),
               nk.certify_regression(X, y, model="multinomial")):
    print(answer, answer.to_dict(), file=sys.stderr)
print(*sys.modules)
"""
    found = set(python(program).stdout.split())
    heavy = {*HEAVY, "dask", "pyarrow", "narwhals", "numba"}
    assert sorted(name for name in found if name in heavy or name.startswith("novikoff.io")) == []
