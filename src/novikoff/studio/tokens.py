"""The token of a studio, kept for a day: a page finds its studio again when Python is restarted.

It lies in the person's own cache folder, readable by them alone, one for each port. Where it
cannot be kept, every start has a token of its own, and pages that are open then have to be opened
anew with the address that is printed.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from pathlib import Path

SECONDS = 24 * 3600.0
FRESH = re.compile(r"[A-Za-z0-9_-]{32,64}")


def kept_token(port: int) -> str | None:
    """The token of the last studio on this port, or a new one; None where none can be kept."""
    if port == 0:  # any free port: no page can be waiting for it
        return None
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    path = Path(base) / "novikoff" / f"studio-{port}.token"
    with contextlib.suppress(OSError):
        text = _read(path)
        if text is not None:
            os.utime(path)
            return text
        token = secrets.token_urlsafe(24)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii") as stream:
            stream.write(token)
        return token
    return None


def _read(path: Path) -> str | None:
    """The token in the file, if it is a day old at most, and nobody else's to read or write."""
    try:
        found = path.lstat()
        text = path.read_text(encoding="ascii")
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    private = os.name == "nt" or found.st_mode & 0o177 == 0
    young = 0 <= time.time() - found.st_mtime <= SECONDS
    if path.is_symlink() or not (mine and private and young):
        return None
    return text if FRESH.fullmatch(text) else None
