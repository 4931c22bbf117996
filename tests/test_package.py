"""What `import novikoff` promises: every public name, and no heavy import before it is needed."""

from __future__ import annotations

import subprocess
import sys

import novikoff as nk

HEAVY = ("numba", "sklearn", "pandas", "matplotlib", "pyarrow", "scipy", "highspy", "flint")


def loaded_by(code):
    script = f"{code}\nimport sys\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_every_public_name_is_there():
    assert set(nk.__all__) == set(dir(nk))
    for name in nk.__all__:
        assert getattr(nk, name) is not None


def test_import_is_light():
    assert loaded_by("import novikoff") == []


def test_a_small_trace_pays_for_no_compiler_and_no_solver():
    code = "import novikoff as nk; run = nk.trace(*nk.datasets.load('lecture:002')); str(run)"
    assert loaded_by(code) == []
    assert loaded_by(f"{code}; run.audit()") == []


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(nk, "no_such_name")
