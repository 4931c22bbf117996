"""Files written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from novikoff.errors import FileError


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary name to write to; at the end it is synced and renamed, or removed on an error.

    A reader sees the old file or the new one. What the system says is a FileError.
    """
    target = Path(path)
    temporary = target.parent / f".{target.name[:200]}.{secrets.token_hex(4)}.part"
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise FileError(f"cannot write {target}: {error.strerror or error}.") from None
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write these bytes, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_bytes(content)
