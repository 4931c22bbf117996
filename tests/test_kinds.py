"""A new kind of perceptron is three files: its model, its name, and its face."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import novikoff as nk

MODEL = """
from dataclasses import dataclass
from novikoff.models.perceptron import PerceptronModel

@dataclass(eq=False, repr=False, kw_only=True)
class EagerPerceptronModel(PerceptronModel):
    kind = "EagerPerceptron"
"""
FACE = """
from novikoff.estimators.base import Estimator
from novikoff.models.eager import EagerPerceptronModel

class EagerPerceptron(Estimator, EagerPerceptronModel):
    pass
"""
ASKED = """
import sys
import novikoff as nk
from novikoff.cli import main
clf = nk.EagerPerceptron().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
clf.save("saved")
again = nk.load("saved")
assert type(again) is nk.EagerPerceptron
assert again.predict([[0.0], [3.0]]).tolist() == [0, 1]
open("rows.csv", "w").write("x,y\\n0,a\\n1,a\\n2,b\\n3,b\\n")
sys.argv[1:] = ["fit", "rows.csv", "--kind", "eager", "-o", "model", "--quiet"]
try:
    main()
except SystemExit as stop:
    assert not stop.code
print(type(nk.load("model")).__name__)
"""


def test_a_kind_is_added_by_three_files(tmp_path):
    package = tmp_path / "novikoff"
    shutil.copytree(Path(nk.__file__).parent, package)
    (package / "models" / "eager.py").write_text(MODEL)
    (package / "estimators" / "eager.py").write_text(FACE)
    names = package / "kinds.py"
    names.write_text(names.read_text().replace("KINDS = (", 'KINDS = ("EagerPerceptron",', 1))
    done = subprocess.run(
        [sys.executable, "-c", ASKED], capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.split() == ["EagerPerceptron"], done.stderr
