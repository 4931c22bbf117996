"""Files written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from novikoff.errors import FileError


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write to a temporary name, sync, then rename: a reader sees the old file or the new one."""
    target = Path(path)
    temporary = target.parent / f".{target.name[:200]}.{secrets.token_hex(4)}.part"
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise FileError(f"cannot write {target}: {error.strerror}.") from None
