"""Compiled code on disk: kept where it can be, and no reason to fail where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys

CODE = """
import sys
import numpy as np
from novikoff.loops.exact_sign import LIMBS, sign_of
assert sign_of.fast(np.zeros(LIMBS, dtype=np.int64)) == 0
print(sign_of.fast.stats.cache_hits.total() if hasattr(sign_of.fast, "stats") else None)
"""


def count(cache, code=CODE, **more):
    """Compile and run a small loop in a new process; how often the cache had it."""
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), **more}
    env = {name: value for name, value in env.items() if value is not None}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return int(done.stdout)


def kept(cache):
    return sorted(path for path in cache.rglob("*") if path.suffix in (".nbi", ".nbc"))


def emptied(_):
    return b""


def cut(content):
    return content[: len(content) // 2]


def foreign(_):
    return b"\x80\x04not a pickle of ours"


def test_damaged_code_is_compiled_anew_and_whole_code_is_not(tmp_path):
    assert count(tmp_path) == 0
    files = kept(tmp_path)
    assert {path.suffix for path in files} == {".nbi", ".nbc"}
    for damage in (emptied, cut, foreign):
        for path in kept(tmp_path):
            path.write_bytes(damage(path.read_bytes()))
        assert count(tmp_path) == 0
        times = [path.stat().st_mtime_ns for path in kept(tmp_path)]
        assert count(tmp_path) == 1
        assert times == [path.stat().st_mtime_ns for path in kept(tmp_path)]


def test_a_full_disk_under_the_cache_stops_no_computation(tmp_path):
    """RLIMIT_FSIZE stands for it: whatever is written fails."""
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    )
    assert count(tmp_path, limit + CODE, PYTHONDONTWRITEBYTECODE="1") == 0
    assert not any(path.stat().st_size > 100 for path in kept(tmp_path))
    assert count(tmp_path) == 0


def test_what_is_no_folder_stops_no_computation(tmp_path):
    (tmp_path / "novikoff").write_text("a file")
    assert count(tmp_path) == 0
    (tmp_path / "link").symlink_to("link")
    assert count(tmp_path / "link") == 0
    assert count("/proc/nowhere") == 0
    assert (tmp_path / "novikoff").read_text() == "a file"


def test_who_has_no_home_computes_all_the_same():
    nobody = (
        "import pwd\n"
        "def unknown(uid): raise KeyError(f'getpwuid(): uid not found: {uid}')\n"
        "pwd.getpwuid = unknown\n"
    )
    assert count("", nobody + CODE, HOME=None) == 0
