"""What reaches a terminal: every character shown and none obeyed, in any encoding.

Column names, labels and file names are other people's text. A control character in one could
move the cursor, recolour the screen or turn the direction of writing, so on a terminal, and in
messages wherever they go, it is shown as its escape: \\x1b. Data in a pipe stays as it is.
"""

from __future__ import annotations

import codecs
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import Any

import click

# Control characters but tab and line feed, marks of direction, and invisible formatting.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_PLAIN = {
    "∞": "inf", "γ": "gamma", "λ": "lambda", "Σ": "sum ", "√": "sqrt ", "‖": "||", "·": "*",
    "×": "x", "−": "-", "–": "-", "—": "-", "…": "...", "≤": "<=", "≥": ">=", "²": "^2", "≈": "~",
    "±": "+/-", "→": "->", "½": "1/2", "¼": "1/4", "‘": "'", "’": "'", "“": '"', "”": '"',
}  # fmt: skip
HANDLER = "novikoff.plain"


def visible(text: str) -> str:
    """The text with every character that a terminal would obey shown as its escape."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Characters that the output's encoding lacks, in words or as escapes."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    written = "".join(
        _PLAIN[c] if c in _PLAIN else c.encode("ascii", "backslashreplace").decode()
        for c in missing
    )
    return written, error.end


class Shown:
    """A text stream whose readers are people: what is written to it is made visible."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> Any:
        return self.stream.write(visible(text) if isinstance(text, str) else text)

    def writelines(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.write(text)

    @property
    def encoding(self) -> str:
        """That of the stream; click takes ASCII for a mistake and goes round this class."""
        found = str(self.stream.encoding or "ascii")
        return "latin-1" if codecs.lookup(found).name == "ascii" else found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class ShownBytes:
    """The same for those who write UTF-8 as bytes."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, content: bytes) -> int:
        self.stream.write(content.decode("utf-8", "backslashreplace"))
        return len(content)

    def flush(self) -> None:
        self.stream.flush()

    def seekable(self) -> bool:
        return False


def say(what: str, quiet: bool = False) -> None:
    """A sentence on standard error, unless nothing but errors is wanted there."""
    if not quiet:
        click.echo(f"novikoff: {what}", err=True)


def raw(stream: Any) -> Any:
    """The stream itself, for those who know what they send."""
    return stream.stream if isinstance(stream, Shown) else stream


def prepare_streams() -> None:
    """Make standard output and standard error take any text, and show what must not be obeyed."""
    codecs.register_error(HANDLER, plain)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or isinstance(stream, Shown):
            continue
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=HANDLER)
        if name == "stderr" or stream.isatty():
            setattr(sys, name, Shown(stream))


def wrapped(text: str) -> str:
    """The text in lines that fit the terminal, or 100 characters in a pipe."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 100) if sys.stdout.isatty() else 100
    return "\n".join(_fill(line, width) for line in text.splitlines())


def _fill(line: str, width: int) -> str:
    """One line, broken under its own beginning where it is a fact such as '  rows   1, 2'."""
    fact = re.match(r"  \S+ +", line)
    indent = " " * len(fact.group()) if fact else ""
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False)
