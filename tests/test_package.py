"""What `import novikoff` promises: every public name, and no heavy import before it is needed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

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


def test_import_and_a_small_trace_pay_for_no_compiler_and_no_solver():
    assert loaded_by("import novikoff") == []
    run = "import novikoff as nk; run = nk.trace(*nk.datasets.load('lecture:002')); str(run)"
    assert loaded_by(f"{run}; run.audit()") == []


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(nk, "no_such_name")


EXTRA = (
    "anywidget", "traitlets", "dask", "distributed", "matplotlib", "pyarrow", "pandas", "polars",
    "starlette", "uvicorn", "websockets", "onnx",
)  # fmt: skip
PLAIN = f"""
import sys
class Absent:  # as if these were not installed
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRA!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
import inspect, pydoc
import novikoff as nk
"""


def plain(code):
    """What a program prints in an installation without any extra."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAIN + code], capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_plain_install_can_be_looked_at():
    said = plain(
        "members = dict(inspect.getmembers(nk))\n"
        "assert set(nk.__all__) <= set(members), set(nk.__all__) - set(members)\n"
        "assert all(hasattr(nk, name) for name in nk.__all__)\n"
        "names = {}\n"
        "exec('from novikoff import *', names)\n"
        "assert set(nk.__all__) <= set(names)\n"
        "for thing in (nk, nk.Studio, nk.distributed):\n"
        "    assert 'novikoff' in pydoc.render_doc(thing)\n"
        "    inspect.unwrap(thing)\n"
        "print(nk.Perceptron().fit([[0], [1]], [0, 1]).converged_, nk.certify([[0], [1]], [0, 1]))"
    )
    assert said.startswith("True ")


USES = {
    "nk.Studio()": "notebook",
    "from novikoff import Studio; Studio('xor')": "notebook",
    "class Mine(nk.Studio): pass": "notebook",
    "nk.distributed.fit": "distributed",
    "from novikoff import distributed; distributed.certify('x.csv')": "distributed",
    "import novikoff.distributed": "distributed",
    "from novikoff.distributed import fit": "distributed",
}


def test_using_what_is_not_installed_says_what_to_install():
    said = plain(
        f"for use in {list(USES)!r}:\n"
        "    try:\n        exec(use)\n"
        "    except ImportError as error:\n        print(error)"
    ).splitlines()
    for line, extra in zip(said, USES.values(), strict=True):
        assert f"pip install 'novikoff[{extra}]'" in line


def test_a_broken_install_is_not_called_a_missing_one():
    code = "import sys; sys.modules['novikoff.studio.session'] = None; import novikoff as nk\n"
    done = subprocess.run(
        [sys.executable, "-c", code + "nk.Studio"], capture_output=True, text=True, check=False
    )
    assert "novikoff.studio.session" in done.stderr.splitlines()[-1]


SENT = """
import multiprocessing, pickle, sys
import cloudpickle
import joblib
import numpy as np
import novikoff as nk
from novikoff import OnlinePerceptron, Perceptron

X, y = [[0.0], [1.0]], [0, 1]

def decide(k):
    return nk.trace(X, y, max_iter=k).n_mistakes, nk.OnlinePerceptron().n_rows_

def closure():
    local, kind = nk, OnlinePerceptron
    return lambda k: (local.trace(X, y, max_iter=k).n_mistakes, kind().n_rows_)

if __name__ == "__main__":
    here = decide(9)
    print(joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(decide)(9) for _ in "ab") ==
          [here, here])
    print(joblib.Parallel(n_jobs=2)(joblib.delayed(closure())(9) for _ in "ab") == [here, here])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(decide, [9]) == [here])
    print(pickle.loads(cloudpickle.dumps(closure()))(9) == here)
    from distributed.protocol.pickle import dumps, loads
    print(loads(dumps(closure()))(9) == here)
    clf = Perceptron().fit(X, y)
    print(all(np.array_equal(read(write(clf)).coef_, clf.coef_) for read, write in
              ((pickle.loads, pickle.dumps), (pickle.loads, cloudpickle.dumps), (loads, dumps))))
    print(pickle.loads(cloudpickle.dumps(nk)) is nk)
"""


def test_functions_that_mention_the_package_can_be_sent_to_other_processes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SENT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"] * 7, done.stderr


def test_no_module_imports_another_of_ours_by_its_name():
    """The contract of layers reads import statements: what is found by name would escape it."""
    root = Path(nk.__file__).parent
    by_design = (root / "__init__.py", root / "cli" / "commands.py")  # above all layers
    for path in root.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        by_name = re.findall(r"(?:import_module|__import__)\(([^)]*)", text)
        own_room = f'f"novikoff.{path.parent.name}.{{'  # a table of the modules beside it
        found = [name for name in by_name if "novikoff" in name and not name.startswith(own_room)]
        assert path in by_design or found == [], path
