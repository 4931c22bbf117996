"""Proofs, models, checkpoints, caches and lessons from strangers: nothing in them is ever run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def test_no_loader_evaluates_imports_or_opens_what_its_file_brings(tmp_path):
    """Every part of every file is altered in turn; each ends as it was, or in a sentence."""
    pytest.importorskip("formulaic")
    script = Path(__file__).parents[1] / "helpers" / "hostile.py"
    paths = os.pathsep.join([str(script.parent), *sys.path])
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert not found["problems"], "\n".join(found["problems"][:10])
    assert found["loaded"] > 1000
