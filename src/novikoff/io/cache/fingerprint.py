"""Whether a file is still the one that was read before."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

from novikoff.io.sources import translated

PIECE_BYTES = 1 << 20
# A file changed so shortly before it was looked at could change again within one clock tick.
CLOCK_TICK_NS = 2_000_000_000  # ns


def look(path: Path) -> dict[str, int]:
    """What the file system says of a file: all of it stays the same as long as the file does."""
    with translated(str(path)):
        seen = path.stat()
    return {
        "size": seen.st_size,
        "mtime": seen.st_mtime_ns,
        "ctime": seen.st_ctime_ns,
        "inode": seen.st_ino,
    }


def digest(path: Path) -> str:
    """The SHA-256 of the file's bytes."""
    found = hashlib.sha256()
    with translated(str(path)), path.open("rb", buffering=0) as raw:
        while piece := raw.read(PIECE_BYTES):
            found.update(piece)
    return found.hexdigest()


def fingerprint(path: Path, seen: dict[str, int], content: str) -> dict[str, Any]:
    """What to keep of a file that looked like `seen` when its digest was `content`."""
    return {"path": str(path.absolute()), **seen, "sha256": content, "looked": time.time_ns()}


def is_same(path: Path, kept: Any) -> bool:
    """Whether the file is the one that `kept` is the fingerprint of.

    Where the file system's word is as it was, and was not given in the same moment as a change,
    it is believed; otherwise the content decides. A true answer after a reading brings `kept`
    up to date.
    """
    now = look(path)
    if now["size"] != kept["size"]:
        return False
    unchanged = all(kept[name] == value for name, value in now.items())
    if unchanged and max(now["mtime"], now["ctime"]) < kept["looked"] - CLOCK_TICK_NS:
        return True
    looked = time.time_ns()
    if digest(path) != kept["sha256"]:
        return False
    kept.update(now, looked=looked)
    return True
