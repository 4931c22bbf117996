"""How much memory there is, asked before a large array is made and not after.

What does not fit is refused in a sentence with its size. A request under `GRANTED_UNASKED`
bytes is granted unasked, so that everyday work pays nothing.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from novikoff.errors import InputError

GRANTED_UNASKED = 256 << 20  # bytes


def check_room(n_bytes: int, what: str, do: str = "") -> None:
    """Raise an InputError if `what` (a subject, in the singular) needs more than there is.

    do: what would help, as the end of the sentence.
    """
    if n_bytes <= GRANTED_UNASKED:
        return
    there = room()
    if there is not None and n_bytes > there:
        advice = f"; {do}" if do else ""
        raise InputError(
            f"{what} needs {in_words(n_bytes, 'about ')} of memory, and {in_words(there)} of this "
            f"machine's {in_words(installed() or there)} are free{advice}."
        )


def check_growth(n_bytes: int, what: str) -> None:
    """Raise an InputError if `what` has taken `n_bytes` so far and little memory is left.

    A quarter of what it has taken must be free, for what is made of it in the end.
    """
    if n_bytes <= GRANTED_UNASKED:
        return
    there = room()
    if there is not None and n_bytes > 4 * there:
        raise InputError(
            f"{what} takes {in_words(n_bytes, 'about ')} of memory so far, and {in_words(there)} "
            f"of this machine's {in_words(installed() or there)} are free; use fewer rows or "
            "columns, or a machine with more memory."
        )


def check_columns(n_columns: int, each: int, what: str) -> None:
    """Raise an InputError if `what`, at `each` bytes for every column, needs too much.

    Rows may be sparse; weights are not.
    """
    check_room(
        each * n_columns,
        f"{what} on {n_columns:,} columns",
        "number the columns anew, so that only those that occur are counted",
    )


def in_words(n_bytes: int, about: str = "") -> str:
    """A size as people say it: 17.2 GB."""
    if n_bytes >= 10**21:
        return "more than 10^21 bytes"
    size = float(n_bytes)
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 1000:
            return f"{about}{size:.3g} {unit}"
        size /= 1000
    return f"{about}{size:,.0f} PB"


def room() -> int | None:
    """Bytes that this process could still take; None where the system does not say.

    The least of what the machine has free and what limits of the process and of its control
    group (a container) leave.
    """
    free, found = installed(), []
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                free = int(line.split()[1]) * 1024
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        with suppress(OSError, ValueError):
            folder = Path("/sys/fs/cgroup")
            most = int((folder / limit).read_text("ascii"))
            found.append(most - int((folder / used).read_text("ascii")))
            break
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            taken = 0
            with suppress(OSError, ValueError, IndexError):
                pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
                taken = pages * os.sysconf("SC_PAGE_SIZE")
            found.append(most - taken)
    known = [value for value in (free, *found) if value is not None]
    return max(0, min(known)) if known else None


def installed() -> int | None:
    """Bytes of the machine's memory; None where the system does not say, as Windows does not."""
    if sys.platform != "win32":
        with suppress(ValueError, OSError):
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None
