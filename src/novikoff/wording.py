"""Numbers, counts, tables and arguments as a person writes them: one form for all that is said.

Whoever writes Python gives drop='id'; at a command line the same is --drop id. A message names an
argument by `keyword` and `argument`, and says it as its reader does: the command line hands over
its options by `speaking`, and nothing here knows of them else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

MOST_ENTRIES = 8
ANY = object()  # the value of an argument that is left open


class Voice(NamedTuple):
    """How the reader gives arguments and calls functions, where not in Python."""

    options: Mapping[str, tuple[str, str]]  # by argument: the option, and the one that says no
    commands: Mapping[str, str]  # by function

    def given(self, name: str, value: Any) -> str:
        option, negation = self.options.get(name, (_in_words(name), ""))
        if value is ANY:
            return f"{option} or {negation}" if negation else option
        if isinstance(value, bool):
            return option if value else negation or f"no {option}"
        return f"{option} {_typed(str(value))}"


_VOICE: ContextVar[Voice | None] = ContextVar("voice", default=None)


def voice() -> Voice | None:
    """How the reader speaks at present; None in Python."""
    return _VOICE.get()


@contextmanager
def speaking(voice: Voice | None) -> Iterator[None]:
    """Say everything in this voice while the block runs; threads must be told on their own."""
    before = _VOICE.set(voice)
    try:
        yield
    finally:
        _VOICE.reset(before)


def keyword(name: str, value: Any = ANY) -> str:
    """An argument as it is given: drop='id' in Python, --drop id at a command line."""
    now = _VOICE.get()
    if now is not None:
        return now.given(name, value)
    return f"{name}=" if value is ANY else f"{name}={value!r}"


def was_given(name: str, value: Any) -> str:
    """An argument that was given, whatever its value: header= in Python, --no-header if that."""
    is_flag = _VOICE.get() is not None and isinstance(value, bool)
    return keyword(name, value) if is_flag else keyword(name)


def argument(name: str) -> str:
    """An argument by its name alone: drop in Python, --drop at a command line."""
    now = _VOICE.get()
    return name if now is None else now.options.get(name, (_in_words(name),))[0]


def can_give(name: str, value: Any = ANY) -> bool:
    """Whether the reader can give this argument: at a command line, where there is an option."""
    now = _VOICE.get()
    if now is None:
        return True
    return name in now.options and (value is not False or bool(now.options[name][1]))


def hint(text: str, name: str, value: Any = ANY) -> str:
    """The text with {} as the argument; nothing where the reader cannot give it."""
    return text.format(keyword(name, value)) if can_give(name, value) else ""


def in_python(text: str) -> str:
    """The text where the reader writes Python, nothing at a command line: for None and alike."""
    return text if _VOICE.get() is None else ""


def call(name: str) -> str:
    """A function by its name, or the command that does the same."""
    now = _VOICE.get()
    return name if now is None else now.commands.get(name, name)


def _in_words(name: str) -> str:
    return name.replace("_", " ")


def _typed(value: str) -> str:
    """As a shell takes it; a mark alone is in quotes, since it could be taken for a stop."""
    import shlex

    if any(letter.isalnum() for letter in value):
        return shlex.quote(value)
    return f'"{value}"' if value == "'" else f"'{value}'"


def file_word(name: str) -> str:
    """The name of a file as a word of a shell command, which is never taken for an option."""
    import shlex

    name = name.replace("\n", " ")
    return shlex.quote(f"./{name}" if name.startswith("-") else name)


def number(value: float) -> str:
    """A number as a person writes it: at most six figures, no trailing zeros.

    Numbers here are finite in truth: an infinity is one that has left the floats' range.
    """
    if math.isinf(value):
        return "> 1.8e308" if value > 0 else "< -1.8e308"
    text = f"{value:.6g}"
    return "0" if text == "-0" else text


def written(value: Any) -> str:
    """A number as one writes it, exactly: 2, 0.5, 1/3. Whatever is no number as it prints."""
    if not isinstance(value, Fraction):
        return str(value)
    digits = decimal_digits(value)
    if digits is None or not -20 <= digits[1] <= 0:
        return str(value)
    return f"{Decimal((value < 0, tuple(map(int, str(abs(digits[0])))), digits[1])):f}"


def decimal_digits(value: Fraction) -> tuple[int, int] | None:
    """(m, e) with value = m·10^e, e <= 0 as large as it can be; None where it is no decimal."""
    left, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while left % prime == 0:
            left, power = left // prime, power + 1
        places = max(places, power)
    return None if left > 1 else (int(value * 10**places), -places)


def vector(values: Iterable[float]) -> str:
    """(3, -0.8), shortened in the middle where it is long."""
    shown = [number(float(value)) for value in values]
    if len(shown) > MOST_ENTRIES:
        shown = [*shown[: MOST_ENTRIES - 3], "…", *shown[-2:]]
    return "(" + ", ".join(shown) + ")"


def plural(n: int, word: str, many: str = "") -> str:
    """The word, as it goes with n of them: pass, passes; `many` where it is another: is, are."""
    return word if n == 1 else many or word + ("es" if word.endswith("s") else "s")


def count(n: int, word: str, form: str = "") -> str:
    """A number of things, such as '1 pass' and '2 passes'; '1,024 passes' in the form ','."""
    return f"{n:{form}} {plural(n, word)}"


def table_text(headers: Sequence[str], entries: Sequence[Sequence[str]]) -> str:
    """A plain table, each column as wide as its widest entry."""
    widths = [max(len(cells[k]) for cells in [headers, *entries]) for k in range(len(headers))]
    rule = ["-" * width for width in widths]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in [headers, rule, *entries]
    )


def table_html(headers: Sequence[str], entries: Sequence[Sequence[str]]) -> str:
    """The same for a notebook."""
    import html

    def row(cells: Sequence[str], tag: str) -> str:
        inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
        return f"<tr>{inner}</tr>"

    body = "".join(row(cells, "td") for cells in entries)
    return f"<table><thead>{row(headers, 'th')}</thead><tbody>{body}</tbody></table>"


def facts_text(sentence: str, facts: Sequence[tuple[str, str]]) -> str:
    """The sentence, a blank line, and one aligned line for each fact."""
    width = max(len(name) for name, _ in facts)
    entries = [f"  {name:<{width}}  {text}" for name, text in facts]
    return "\n".join([sentence, "", *entries])


def label_fact(reading: Any) -> list[tuple[str, str]]:
    """Which column of a file the labels are from, as a line of the facts, where a file was read."""
    return [] if reading is None or reading.label is None else [("label", repr(reading.label))]


def facts_html(sentence: str, facts: Sequence[tuple[str, str]]) -> str:
    """The same for a notebook."""
    import html

    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(text)}</td></tr>"
        for name, text in facts
    )
    return f"<p>{html.escape(sentence)}</p><table>{cells}</table>"


def unsteering(text: str) -> str:
    """The text without letters that would steer a terminal."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
