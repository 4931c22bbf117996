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
    "verdict.collinear": "verdict.collinear in Python",
    "the verdict's `infinite`": "--signs",
    ", or an ordered categorical": ", with commas between them",
    "or None, which takes them as they are": "or left out, which takes them as they are",
    "the labels of y": "the labels",
    "it must be None, ": "it must be ",
    "seconds or None": "seconds",
}
# Arguments of the library that some commands have no option for.
WITHOUT_OPTION = ("labels", "levels", "encoding", "n_columns", "unseen", "columns", "label", "drop",
                  "keep", "categorical", "missing", "na", "numbers", "skip_rows", "header",
                  "text_encoding", "delimiter", "decimal", "thousands", "zero_based", "bits",
                  "classes", "positive", "fit_intercept", "cache", "order")  # fmt: skip
QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
MARK = "\x00"  # stands for an argument while clauses are looked at


class Options:
    """The options of a command by the arguments of the library that they stand for."""

    def __init__(self, forms: Mapping[str, tuple[str, str]]) -> None:
        self.forms = forms  # by argument: the option, and the one that says no
        names = "|".join(sorted({*forms, *WITHOUT_OPTION}, key=len, reverse=True))
        alone = "|".join(sorted(name for name in (*forms, "n_columns") if "_" in name)) or "\\b\\B"
        self.pattern = re.compile(
            rf"(?<![\w'\".-])(?P<name>{names})=(?P<value>{QUOTED}|True\b|False\b|-?\d+\b)?(?![=\w])"
            rf"|(?<!\w)(?:{QUOTED})"
            rf"|(?<![\w'\"./-])(?P<alone>{alone})(?![\w'\"/=-]|\.\w)"
            r"|(?:^|(?<=; )|(?<= of )|(?<= in ))(?P<label>y)(?=[ ,;.]|$)(?! ~|\.\w)"
        )
        self.first = re.compile(rf"(?P<name>{names}) (?=is |has |names )")

    def rewrite(self, text: str) -> str:
        """The message with every argument as its option."""
        for python, shell in PHRASES.items():
            text = text.replace(python, shell)
        if (first := self.first.match(text)) and first["name"] in self.forms:
            text = f"{self.forms[first['name']][0]}{text[first.end('name') :]}"
        arguments: list[str | None] = []

        def marked(found: re.Match[str]) -> str:
            if found["label"]:
                return "the label"
            if found["alone"]:
                return self.forms.get(found["alone"], (found["alone"].replace("_", " "),))[0]
            if not found["name"]:
                return found[0]  # a name or a cell of the data
            arguments.append(self.given(found["name"], found["value"]))
            return f"{MARK}{len(arguments) - 1}{MARK}"

        text = self.pattern.sub(marked, text)
        for k, given in enumerate(arguments):
            if given is None:
                text = without_clause(text, f"{MARK}{k}{MARK}")
        return re.sub(
            f"{MARK}(\\d+){MARK}",
            lambda mark: arguments[int(mark[1])] or "an argument of Python",
            text,
        )

    def given(self, name: str, value: str | None) -> str | None:
        """The option for an argument with this value; None where there is no such option."""
        if name not in self.forms:
            return None
        option, negation = self.forms[name]
        if value is None:
            return f"{option} or {negation}" if negation else option
        if value in ("True", "False"):
            return option if value == "True" else negation or None
        return f"{option} {typed(unescaped(value))}"


def without_clause(text: str, mark: str) -> str:
    """The message without the clause that the mark is in, if it is in one that can be left out."""
    inner = r"[^;:,()]*"
    in_brackets = rf" \([^()]*{mark}[^()]*\)"
    more = rf"(?:, or {inner}{MARK}{inner}?)*(?=[.;,:)]|$)"
    after_others = rf"(?:[;:]|,(?: or)?) {inner}{mark}{inner}?{more}"
    before_others = rf"(?<=[;:] ){inner}{mark}{inner}, or "
    for clause in (in_brackets, before_others, after_others):
        shorter = re.sub(clause, "", text, count=1)
        if shorter != text:
            return shorter
    return text


def unescaped(value: str) -> str:
    """What a Python literal stands for, which nothing compiles: it may quote a stranger's file."""
    if value[0] not in "'\"":
        return value
    named = {"n": "\n", "r": "\r", "t": "\t"}
    return re.sub(
        r"\\(?:x(..)|u(.{4})|U(.{8})|(.))",
        lambda found: (
            named.get(found[4], found[4]) or chr(int(found[1] or found[2] or found[3], 16))
        ),
        value[1:-1],
    )


def typed(value: str) -> str:
    """As a shell takes it; a mark alone is in quotes, since it could be taken for a stop."""
    if value == "'":
        return '"\'"'
    quoted = shlex.quote(value)
    return quoted if quoted != value or any(map(str.isalnum, value)) else f"'{value}'"


def forms_of(option: click.Option) -> tuple[str, str]:
    """The option, and the one that says no, if there is one."""
    return max(option.opts, key=len), max(option.secondary_opts, key=len, default="")


def name_of(option: click.Parameter) -> str:
    """The argument of the library that an option stands for."""
    return getattr(option, "argument", None) or option.name or ""


@lru_cache
def options_of(command: click.Command) -> Options:
    """The options of a command."""
    known = [one for one in command.params if isinstance(one, click.Option)]
    return Options({name_of(one): forms_of(one) for one in known})


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
