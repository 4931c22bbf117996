"""Data sets by name: 'xor', 'lecture:002', 'planted:200,5,0.05'."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from typing import Any, NamedTuple

from novikoff.datasets import families, generators, shipped
from novikoff.datasets.dataset import Dataset
from novikoff.errors import InputError, ParameterError
from novikoff.wording import count

# What a word after the colon is, by the name of the argument that it becomes; all others are text.
_KINDS: dict[str, Callable[[str], Any]] = {
    "n": int, "d": int, "flips": int, "random_state": int,
    "margin": float, "offset": float, "gap": float,
}  # fmt: skip
_WANTED: dict[Any, str] = {int: "a whole number", float: "a number"}


class _Entry(NamedTuple):
    """How to make a data set from the words after its colon: the arguments of `build`, in order."""

    build: Callable[..., Dataset]
    summary: str
    examples: tuple[str, ...] = ("",)  # what `names` lists; each of them loads
    shape: Callable[[int], tuple[int, int]] | None = None  # rows and columns, unless n and d

    @property
    def parameters(self) -> dict[str, bool]:
        """The names of the arguments, and whether each must be given."""
        found = inspect.signature(self.build).parameters.values()
        return {one.name: one.default is one.empty for one in found}


ENTRIES = {
    "lecture": _Entry(families.lecture, "A lecture's worked example.", families.lecture_names()),
    **{
        name: _Entry(partial(families.truth_table, name), f"The truth table of {name.upper()}.")
        for name in ("and", "or", "nand", "nor", "xor", "implies")
    },
    "parity": _Entry(families.parity, "All rows of d bits by parity.", ("4",),
                     lambda d: (1 << min(max(d, 0), 64), d)),
    "tight": _Entry(families.tight, "d rows, d mistakes: the bound attained.", ("5",),
                    lambda d: (d, d)),
    "badmargin": _Entry(families.badmargin, "Bits with an exponentially small margin.", ("8",),
                        lambda n: (n + 1, n)),
    "planted": _Entry(generators.planted, "n rows, d columns, a planted margin.", ("200,5,0.05",)),
    "needle": _Entry(generators.needle, "n rows, d columns, all at one tiny margin.",
                     ("50,5,0.001",)),
    "planted_obstruction": _Entry(
        generators.planted_obstruction,
        "n rows, d columns, overlapping by d + 2 of the rows.", ("200,5",)),
    "planted_flips": _Entry(
        generators.planted_flips,
        "n rows, d columns, the labels of a hyperplane, some turned round.", ("200,3,5",)),
    "touching": _Entry(families.touching, "A corner of one hull on a side of the other."),
    "conflict": _Entry(families.conflict, "One row with both labels."),
    "overlap": _Entry(families.overlap, "Overlapping by a given gap.", ("1e-12",)),
    "counterexample_origin": _Entry(families.counterexample_origin,
                                    "Separable with an offset, not through the origin."),
    "decimal_trap": _Entry(families.decimal_trap,
                           "Overlapping as decimals, separable as float64.",
                           ("decimal", "binary64")),
    "iris": _Entry(shipped.iris, "150 flowers of three kinds."),
    "digits": _Entry(shipped.digits, "1797 handwritten digits."),
    "breast_cancer": _Entry(shipped.breast_cancer, "569 tumours of two kinds."),
    "wine": _Entry(shipped.wine, "178 wines of three growers."),
}  # fmt: skip


def catalogue() -> dict[str, str]:
    """Every name with one line about it; no data is made."""
    return {
        f"{name}:{example}" if example else name: entry.summary
        for name, entry in ENTRIES.items()
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
    if entry.shape:
        return entry.shape(*arguments)
    return (arguments[0], arguments[1]) if {"n", "d"} <= set(entry.parameters) else None


def _read(name: str) -> tuple[_Entry, list[Any]]:
    """What the name stands for, and the arguments after its colon."""
    if not isinstance(name, str):
        raise InputError(f"the data set's name is {name!r}; it must be text such as 'xor'.")
    stem, colon, rest = name.strip().partition(":")
    if stem not in ENTRIES:
        close = get_close_matches(stem.lower(), ENTRIES, n=2)
        close = [stem.lower()] if stem.lower() in ENTRIES else close
        told = f"did you mean {' or '.join(map(repr, close))}?" if close else ""
        told = told or f"the names are {', '.join(ENTRIES)}."
        raise InputError(f"there is no data set {name!r}; {told}")
    entry = ENTRIES[stem]
    words = [word.strip() for word in rest.split(",")] if colon else []
    if not sum(entry.parameters.values()) <= len(words) <= len(entry.parameters):
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
    text, optional = stem, 0
    for k, (name, is_needed) in enumerate(entry.parameters.items()):
        word = f"{',' if k else ':'}{'seed' if name == 'random_state' else name}"
        text += word if is_needed else f"[{word}"
        optional += not is_needed
    return repr(text + "]" * optional)
