"""The `novikoff` command in this process, for tests that need no process of its own."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from novikoff import cli
from novikoff.cli.commands import commands


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


class Terminal(io.BytesIO):
    """Bytes that a person sees."""

    def isatty(self):
        return True


def novikoff(*words, stdin="", encoding="utf-8", to=io.BytesIO, together=False):
    """What the command prints, and its exit code.

    to : what takes stdout and stderr, which may be one
    """
    kept, code = (sys.argv, sys.stdin), 0
    control_c = signal.getsignal(signal.SIGINT)  # a command ends its process, and this besides
    sys.argv = ["novikoff", *map(str, words)]
    given = stdin if isinstance(stdin, bytes) else stdin.encode()
    sys.stdin = io.TextIOWrapper(io.BytesIO(given))
    out, err = to(), to()
    streams = [io.TextIOWrapper(one, encoding) for one in (out, out if together else err)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        try:
            cli.main()
        except SystemExit as stop:
            code = stop.code
        finally:
            sys.argv, sys.stdin = kept
            signal.signal(signal.SIGINT, control_c)
    return Done(code or 0, *(one.getvalue().decode(encoding) for one in (out, err)))


def every_command():
    """The commands by their names, as click knows them."""
    return {name: commands.get_command(None, name) for name in commands.list_commands(None)}


def in_shell(line, *words, **more):
    """A line of bash in a process of its own, in which "$@" is the command with these words."""
    command = [sys.executable, "-m", "novikoff", *map(str, words)]
    return subprocess.run(
        ["bash", "-c", line, "bash", *command], capture_output=True, text=True, check=False, **more
    )
