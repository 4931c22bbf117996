"""Files written whole or not at all; what is no regular file is written into.

Only a regular file is ever replaced. A symbolic link is followed, so that it stays and its target
is new. The mode, the owner and the access list of the file that was there are kept where the
system allows it. Another hard link to the old file keeps the old content. Devices, pipes and
descriptors such as /dev/stdout are never replaced: the bytes go into them.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from novikoff.errors import FileError

PathLike = str | os.PathLike[str]
MOST_LINKS = 40
_DESCRIPTORS = re.compile(r"/dev/fd|/proc/(\d+)/(task/\d+/)?fd")


@contextmanager
def whole_file(path: PathLike) -> Iterator[Path]:
    """A temporary name to write to; at the end it is synced and renamed, or removed on an error.

    A reader sees the old file or the new one. Where `path` is no regular file, the bytes are
    copied into it at the end. What the system says is a FileError.
    """
    with output_errors(path):
        before = check_output(path)
        if not is_replaced(path):
            with tempfile.TemporaryDirectory() as folder:
                temporary = Path(folder) / f"part{Path(path).suffix}"
                yield temporary
                with temporary.open("rb") as whole, open_into(path) as out:
                    shutil.copyfileobj(whole, out)
            return
        target = Path(os.path.realpath(path))
        temporary = target.parent / f".{target.name[:50]}.{os.urandom(4).hex()}.part"
        try:
            mode = 0o666 if before is None else 0o600  # nobody else reads what is half there
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
            yield temporary
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())
            if before is not None:
                _keep_rights(target, temporary, before)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


def write_whole(path: PathLike, content: bytes) -> None:
    """Write these bytes, whole or not at all."""
    if is_replaced(path):
        with whole_file(path) as temporary:
            temporary.write_bytes(content)
    else:
        with output_errors(path):
            check_output(path)
            with open_into(path) as out:
                out.write(content)


def check_output(path: PathLike) -> os.stat_result | None:
    """What is at `path`, None if nothing; FileError where it cannot be written to."""
    with output_errors(path):
        descriptor = descriptor_of(path)
        if descriptor is not None:
            return os.fstat(descriptor)
        given = Path(path)
        folder = Path(os.path.realpath(given)).parent if given.is_symlink() else given.parent
        if not folder.is_dir():
            raise FileError(f"cannot write {path}: there is no folder {folder}; make it first.")
        try:
            found = given.stat()
        except FileNotFoundError:
            return None
        kinds = {stat.S_IFDIR: "folder", stat.S_IFSOCK: "socket"}
        if kind := kinds.get(stat.S_IFMT(found.st_mode)):
            raise FileError(f"cannot write {path}: it is a {kind}; name a file.")
        if stat.S_ISREG(found.st_mode):
            os.close(os.open(given, os.O_WRONLY))  # a file that is read-only is so on purpose
    return found


def is_replaced(path: PathLike) -> bool:
    """Whether writing to `path` makes a new regular file there, in place of one or of none."""
    if descriptor_of(path) is not None:
        return False
    try:
        return stat.S_ISREG(Path(path).stat().st_mode)
    except OSError:
        return True


@contextmanager
def open_into(path: PathLike) -> Iterator[BinaryIO]:
    """The device, pipe or descriptor at `path`, opened once to be written into."""
    descriptor = descriptor_of(path)
    if descriptor is None:
        handle = os.open(path, os.O_WRONLY)
    else:
        for stream in (sys.stdout, sys.stderr):  # what was said before comes before
            if stream is not None:
                stream.flush()
        handle = os.dup(descriptor)
    with os.fdopen(handle, "wb") as out:
        yield out


def descriptor_of(path: PathLike) -> int | None:
    """The open descriptor of this process that `path` names, as /dev/stdout and /dev/fd/1 do."""
    place = Path(path)
    for _ in range(MOST_LINKS):
        place = Path(os.path.realpath(place.parent)) / place.name
        held = _DESCRIPTORS.fullmatch(str(place.parent))
        if held and place.name.isdecimal() and held[1] in (None, str(os.getpid())):
            return int(place.name)
        if not os.path.islink(place):  # noqa: PTH114 - asks, and never complains
            return None
        place = place.parent / place.readlink()
    return None


@contextmanager
def opened_once(path: PathLike) -> Iterator[BinaryIO | None]:
    """What can be read only once: standard input (-), a pipe or a descriptor; None for all else."""
    descriptor = 0 if str(path) == "-" else descriptor_of(path)
    try:
        if descriptor == 0:
            if sys.stdin is None:
                raise FileError("standard input is closed; name a file.")
            yield sys.stdin.buffer
        elif descriptor is not None:
            with os.fdopen(os.dup(descriptor), "rb") as stream:
                yield stream
        elif Path(path).is_fifo():
            with Path(path).open("rb") as stream:
                yield stream
        else:
            yield None
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror or error}.") from None


@contextmanager
def output_errors(path: PathLike) -> Iterator[None]:
    """What the system says of an output, as a FileError that names it."""
    try:
        yield
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror or error}.") from None


def _keep_rights(target: Path, temporary: Path, before: os.stat_result) -> None:
    """Give the new file the owner, the mode and the access list of the old one, where allowed."""
    if hasattr(os, "chown"):
        now = temporary.stat()
        if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
            with suppress(OSError):
                os.chown(temporary, before.st_uid, before.st_gid)
    temporary.chmod(stat.S_IMODE(before.st_mode))
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            for name in os.listxattr(target):
                os.setxattr(temporary, name, os.getxattr(target, name))
