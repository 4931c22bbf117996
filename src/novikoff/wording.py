"""Numbers, counts, tables and arguments as a person writes them: one form for all messages.

A message names an argument as Python gives it, by `keyword`: drop='id'. The command line rewrites
that as its option, --drop id, when it prints the message (cli/messages.py); no other code does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

MOST_ENTRIES = 8
MOST_DECIMALS = 20  # of a fraction that is written as a decimal
MOST_NAMED = 8  # of a list in a message
ANY = object()  # the value of an argument that is left open


def keyword(name: str, value: Any = ANY) -> str:
    """An argument as Python gives it: drop='id', or drop= where its value is left open."""
    return f"{name}=" if value is ANY else f"{name}={value!r}"


def was_given(name: str, value: Any) -> str:
    """An argument that was given, with its value where that is True or False."""
    return keyword(name, value) if isinstance(value, bool) else keyword(name)


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
    if not isinstance(value, Fraction) or 10**MOST_DECIMALS % value.denominator:
        return str(value)
    places = next(k for k in range(MOST_DECIMALS + 1) if 10**k % value.denominator == 0)
    digits = tuple(map(int, str(abs(int(value * 10**places)))))
    return f"{Decimal((value < 0, digits, -places)):f}"


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


def first_few(
    names: Collection[Any], most: int = MOST_NAMED, show: Callable[[Any], str] = repr
) -> str:
    """'a', 'b', … : the first of a list, and that there are more."""
    return ", ".join(map(show, islice(names, most))) + ", …" * (len(names) > most)


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
