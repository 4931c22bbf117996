"""The library's messages in the terms of the command line: drop='id' becomes --drop id.

The library writes arguments as Python gives them. Here, and nowhere else, a message that the
command prints is rewritten with the options of that command. A clause that advises an argument
which the command has no option for is left out, since its reader could not follow the advice.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

import click

from novikoff.errors import NovikoffError

# What a message says to those who write Python, and what it says at a command line.
PHRASES = {
    "certify_classes": "novikoff certify --against rest",
    "fewest_mistakes_classes": "novikoff fewest --against rest",
    "verdict.infinite_columns(time_limit=…)": "a longer --time-limit",
    "verdict.columns": "verdict.columns in Python",
    "the verdict's `infinite`": "--signs",
    "the labels of y": "the labels",
    ", or an ordered categorical": ", with commas between them",
    "it must be None, ": "it must be ",
}
# Arguments of the library that some commands have no option for.
WITHOUT_OPTION = ("labels", "levels", "encoding", "n_columns", "unseen", "columns", "label", "drop",
                  "keep", "categorical", "missing", "na", "numbers", "skip_rows", "header",
                  "text_encoding", "delimiter", "decimal", "thousands", "zero_based", "bits",
                  "classes", "positive", "fit_intercept", "cache", "order")  # fmt: skip
QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
MISSING = "\x00"  # stands for an argument that the command has no option for
CLAUSE = re.compile(
    rf" \([^()]*{MISSING}[^()]*\)"
    rf"|(?<=[;:] )[^;:,()]*{MISSING}[^;:,()]*, or "
    rf"|(?:[;:]|,(?: or)?) [^;:,()]*{MISSING}[^;:,()]*?(?=[.;,:)]|$)"
)


class Options:
    """The options of a command by the arguments of the library that they stand for."""

    def __init__(self, forms: Mapping[str, tuple[str, str]]) -> None:
        self.forms = forms  # by argument: the option, and the one that says no
        names = "|".join(sorted({*forms, *WITHOUT_OPTION}, key=len, reverse=True))
        alone = "|".join(sorted(name for name in (*forms, "n_columns") if "_" in name)) or "\\b\\B"
        self.pattern = re.compile(
            rf"(?<![\w'\".-])(?P<name>{names})=(?P<value>{QUOTED}|True\b|False\b|-?\d+\b)?(?![=\w])"
            rf"|(?<!\w)(?:{QUOTED})"
            rf"|^(?P<first>{names})(?= (?:is|has|names) )"
            rf"|(?<![\w'\"./-])(?P<alone>{alone})(?![\w'\"/=-]|\.\w)"
            r"|(?:^|(?<=; )|(?<= of )|(?<= in ))(?P<label>y)(?=[ ,;.]|$)(?! ~|\.\w)"
        )

    def rewrite(self, text: str) -> str:
        """The message with every argument as its option."""
        for python, shell in PHRASES.items():
            text = text.replace(python, shell)
        text = self.pattern.sub(self._option, text)
        return CLAUSE.sub("", text).replace(MISSING, "an argument of Python")

    def _option(self, found: re.Match[str]) -> str:
        """What stands for an argument in a message; a name or a cell of the data stays."""
        if found["label"]:
            return "the label"
        if name := found["alone"] or found["first"]:
            return self.forms[name][0] if name in self.forms else name.replace("_", " ")
        if not (name := found["name"]):
            return found[0]
        option, negation = self.forms.get(name, (MISSING, MISSING))
        value = found["value"]
        if option == MISSING or value == "True":
            return option
        if value == "False":
            return negation or MISSING
        if value is None:
            return f"{option} or {negation}" if negation else option
        return f"{option} {typed(value)}"


def typed(value: str) -> str:
    """What a Python literal stands for, as a shell takes it; a mark alone is in quotes.

    No literal is evaluated: it may quote a stranger's file.
    """
    if value[0] in "'\"":
        escaped = value[1:-1].encode("latin-1", "backslashreplace")
        value = escaped.decode("unicode_escape")
    quoted = shlex.quote(value)
    if value == "'" or quoted != value or any(map(str.isalnum, value)):
        return '"\'"' if value == "'" else quoted
    return f"'{value}'"


def name_of(option: click.Parameter) -> str:
    """The argument of the library that an option stands for."""
    return getattr(option, "argument", None) or option.name or ""


@lru_cache
def options_of(command: click.Command) -> Options:
    """The options of a command."""
    known = [one for one in command.params if isinstance(one, click.Option)]
    return Options(
        {
            name_of(one): (max(one.opts, key=len), max(one.secondary_opts, key=len, default=""))
            for one in known
        }
    )


def in_options(text: str) -> str:
    """The message in the options of the command at hand."""
    context = click.get_current_context(silent=True)
    return text if context is None else options_of(context.command).rewrite(text)


def has_option(name: str) -> bool:
    """Whether the command at hand has an option for this argument of the library."""
    return name in options_of(click.get_current_context().command).forms


@contextmanager
def errors_in_options() -> Iterator[None]:
    """An error of the block says what is wrong in the options of the command at hand."""
    try:
        yield
    except NovikoffError as error:
        error.args = (in_options(str(error)),)
        raise
    except click.ClickException as error:
        error.message = in_options(error.message)  # type: ignore[misc]  # which click calls final
        raise
