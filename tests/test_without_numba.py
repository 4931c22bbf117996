"""Without numba everything works, slower, and says so once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HIDDEN = "import sys; sys.modules['numba'] = None\n"
PARTS = ["test_io_svmlight.py", "test_scores.py", "test_geometry.py"]


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", HIDDEN + program], capture_output=True, text=True, check=False
    )


def test_a_part_of_this_suite_passes_without_numba():
    files = [str(next(Path(__file__).parent.rglob(part))) for part in PARTS]
    done = python(
        "import pytest\n"
        "options = ['-x', '-p', 'no:cacheprovider', '-p', 'no:xdist']\n"
        "options += ['-W', 'ignore:numba is not installed:RuntimeWarning']\n"
        f"raise SystemExit(pytest.main([*options, *{files!r}]))"
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "passed" in done.stdout


def test_large_work_says_once_what_would_make_it_fast():
    done = python(
        "import warnings, numpy as np, novikoff as nk\n"
        "X = np.random.default_rng(0).normal(size=(3000, 100))\n"
        "y = (X[:, 0] > 0).astype(int)\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    clf = nk.Perceptron(max_iter=2).fit(X, y)\n"
        "    clf.predict(X)\n"
        "print(sum('numba is not installed' in str(w.message) for w in caught))\n"
    )
    assert done.stdout.strip() == "1", done.stderr
