"""Random examples are fresh in each run, and a failure says how to repeat it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")
TESTS = """
from hypothesis import given, strategies as st

def test_that_fails(fresh_seed):
    print("drew", fresh_seed)
    assert False

drawn = []

@given(st.integers())
def test_that_draws(number):
    drawn.append(number)

def test_that_shows():
    print("examples", drawn)
    assert False
"""


@pytest.fixture
def failures(tmp_path):
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_draws.py").write_text(TESTS)

    def run(seed=None):
        clean = {name: value for name, value in os.environ.items() if name != "NOVIKOFF_SEED"}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_draws.py"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
            env=clean if seed is None else {**clean, "NOVIKOFF_SEED": seed},
        )  # fmt: skip
        said = re.search(r"NOVIKOFF_SEED=(\d+) repeats", done.stdout)
        assert said, done.stdout
        shown = re.findall(r"^(?:drew|examples) .*$", done.stdout, re.MULTILINE)
        assert len(shown) == 2
        return said[1], shown

    return run


def test_a_run_draws_anew_and_its_seed_repeats_it(failures):
    first, drawn = failures()
    second, others = failures()
    assert first != second
    assert all(one != other for one, other in zip(drawn, others, strict=True))
    assert failures(first) == (first, drawn)
