"""Data sets by name: 'xor', 'lecture:002', 'planted:200,5,0.05'."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from novikoff.datasets import families, generators, lectures, shipped
from novikoff.datasets.dataset import Dataset
from novikoff.errors import InputError, ParameterError
from novikoff.wording import count


def _turned(word: str) -> bool:
    if word != "turned":
        raise ValueError
    return True


# What a word after the colon is, by the name of the argument that it becomes; all others are text.
_KINDS: dict[str, Callable[[str], Any]] = {
    "n": int, "d": int, "flips": int, "random_state": int,
    "margin": float, "offset": float, "gap": float, "turned": _turned,
}  # fmt: skip
_WANTED: dict[Callable[[str], Any], str] = {
    int: "a whole number",
    float: "a number",
    _turned: "the word 'turned'",
}


@dataclass(frozen=True)
class _Entry:
    """How to make a data set from the words after its colon."""

    build: Callable[..., Dataset]
    summary: str
    needs: str = ""  # the names of the arguments that must be given, in order
    takes: str = ""  # and of those that may follow
    examples: tuple[str, ...] = ("",)  # what `names` lists; each of them loads
    shape: Callable[..., tuple[int, int]] | None = None  # rows and columns, where they are asked

    @property
    def parameters(self) -> list[str]:
        return [*self.needs.split(), *self.takes.split()]


def _n_by_d(n: int, d: int, *_: Any) -> tuple[int, int]:
    return n, d


def _entries() -> dict[str, _Entry]:
    tables = {
        name: _Entry(partial(lectures.truth_table, name), f"The truth table of {name.upper()}.")
        for name in ("and", "or", "nand", "nor", "xor", "implies")
    }
    made: tuple[tuple[Any, ...], ...] = (
        ("lecture", lectures.lecture, "A lecture's worked example.", "name", "",
         lectures.lecture_names()),
        ("parity", families.parity, "All rows of d bits by parity.", "d", "", ("4",),
         lambda d: (1 << min(max(d, 0), 64), d)),
        ("tight", families.tight, "d rows, d mistakes: the bound attained.", "d", "", ("5",),
         lambda d: (d, d)),
        ("badmargin", families.badmargin, "Bits with an exponentially small margin.", "n", "",
         ("8",), lambda n: (n + 1, n)),
        ("planted", generators.planted, "n rows, d columns, a planted margin.", "n d margin",
         "random_state offset", ("200,5,0.05",), _n_by_d),
        ("needle", generators.needle, "n rows, d columns, all at one tiny margin.", "n d margin",
         "random_state turned", ("50,5,0.001",), _n_by_d),
        ("planted_obstruction", generators.planted_obstruction,
         "n rows, d columns, overlapping by d + 2 of the rows.", "n d", "random_state",
         ("200,5",), _n_by_d),
        ("planted_flips", generators.planted_flips,
         "n rows, d columns, the labels of a hyperplane, some turned round.", "n d flips",
         "random_state", ("200,3,5",), _n_by_d),
        ("touching", families.touching, "A corner of one hull on a side of the other."),
        ("edge_contact", families.edge_contact, "Two hulls that share a piece of an edge."),
        ("conflict", families.conflict, "One row with both labels."),
        ("overlap", families.overlap, "Overlapping by a given gap.", "", "gap", ("1e-12",)),
        ("counterexample_origin", families.counterexample_origin,
         "Separable with an offset, not through the origin."),
        ("decimal_trap", families.decimal_trap, "Overlapping as decimals, separable as float64.",
         "", "numbers", ("decimal", "binary64")),
        ("iris", shipped.iris, "150 flowers of three kinds.", "", "negative positive"),
        ("digits", shipped.digits, "1797 handwritten digits.", "", "negative positive"),
        ("breast_cancer", shipped.breast_cancer, "569 tumours of two kinds.", "",
         "negative positive"),
        ("wine", shipped.wine, "178 wines of three growers.", "", "negative positive"),
    )  # fmt: skip
    others = {name: _Entry(*facts) for name, *facts in made}
    return {"lecture": others.pop("lecture"), **tables, **others}


def catalogue() -> dict[str, str]:
    """Every name with one line about it; no data is made."""
    return {
        f"{name}:{example}" if example else name: entry.summary
        for name, entry in _entries().items()
        for example in entry.examples
    }


def names() -> tuple[str, ...]:
    """Names that `load` takes; numbers after a colon stand for any others."""
    return tuple(catalogue())


def load(name: str) -> Dataset:
    """The data set of that name: 'xor', 'parity:4', 'planted:200,5,0.05', 'iris:setosa,virginica'.

    What stands after the colon are the function's arguments in order.
    """
    entry, arguments = _read(name)
    try:
        return entry.build(*arguments)
    except ParameterError as error:
        raise InputError(f"data set {name!r}: {error}") from None


def shape_of(name: str) -> tuple[int, int] | None:
    """The rows and columns that a name asks for, before anything is made of it.

    None for sets whose size is not asked for: those are small.
    """
    entry, arguments = _read(name)
    return entry.shape(*arguments) if entry.shape else None


def _read(name: str) -> tuple[_Entry, list[Any]]:
    """What the name stands for, and the arguments after its colon."""
    if not isinstance(name, str):
        raise InputError(f"the data set's name is {name!r}; it must be text such as 'xor'.")
    entries = _entries()
    stem, colon, rest = name.strip().partition(":")
    if stem not in entries:
        raise InputError(_unknown(name, stem, tuple(entries)))
    entry = entries[stem]
    words = [word.strip() for word in rest.split(",")] if colon else []
    if not len(entry.needs.split()) <= len(words) <= len(entry.parameters):
        raise InputError(
            f"data set {name!r} has {count(len(words), 'argument')} after its "
            f"colon; {_form(stem, entry)} is needed."
        )
    arguments: list[Any] = []
    for word, parameter in zip(words, entry.parameters, strict=False):
        kind = _KINDS.get(parameter, str)
        try:
            arguments.append(kind(word))
        except ValueError:
            raise InputError(
                f"{parameter} of data set {name!r} is {word!r}; it must be {_WANTED[kind]}: "
                f"{_form(stem, entry)}."
            ) from None
    return entry, arguments


def _form(stem: str, entry: _Entry) -> str:
    """How the name is written: 'planted:n,d,margin[,seed[,offset]]'."""
    required = ",".join(entry.needs.split())
    text = f"{stem}:{required}" if required else stem
    optional = entry.takes.replace("random_state", "seed").split()
    for k, word in enumerate(optional):
        text += f"[{',' if required or k else ':'}{word}"
    return repr(text + "]" * len(optional))


def _unknown(name: str, stem: str, known: tuple[str, ...]) -> str:
    written = stem.lower()
    close = [written] if written in known else difflib.get_close_matches(written, known, n=2)
    if close:
        return f"there is no data set {name!r}; did you mean {' or '.join(map(repr, close))}?"
    return f"there is no data set {name!r}; the names are {', '.join(known)}."
