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
from novikoff.wording import count, speaking

_Parameters = tuple[tuple[str, Callable[[str], Any]], ...]


def _turned(word: str) -> bool:
    if word != "turned":
        raise ValueError
    return True


_WANTED: dict[Callable[[str], Any], str] = {
    int: "a whole number",
    float: "a number",
    _turned: "the word 'turned'",
}


@dataclass(frozen=True)
class _Entry:
    """How to make a data set from the words after its colon."""

    build: Callable[..., Dataset]
    parameters: _Parameters
    n_required: int
    examples: tuple[str, ...]  # what `names` lists; each of them loads
    summary: str
    shape: Callable[..., tuple[int, int]] | None = None  # rows and columns, where they are asked


def _of(
    build: Callable[..., Dataset],
    summary: str,
    parameters: _Parameters = (),
    n_required: int = 0,
    examples: tuple[str, ...] = ("",),
    shape: Callable[..., tuple[int, int]] | None = None,
) -> _Entry:
    return _Entry(build, parameters, n_required, examples, summary, shape)


def _entries() -> dict[str, _Entry]:
    n, d, margin, seed = ("n", int), ("d", int), ("margin", float), ("random_state", int)
    two_classes = (("negative", str), ("positive", str))

    def asked(n: int, d: int, *_: Any) -> tuple[int, int]:
        return n, d

    tables = {
        name: _of(partial(lectures.truth_table, name), f"The truth table of {name.upper()}.")
        for name in ("and", "or", "nand", "nor", "xor", "implies")
    }
    return {
        "lecture": _of(
            lectures.lecture,
            "A lecture's worked example.",
            (("name", str),),
            1,
            lectures.lecture_names(),
        ),
        **tables,
        "parity": _of(
            families.parity,
            "All rows of d bits by parity.",
            (d,),
            1,
            ("4",),
            lambda d: (1 << min(max(d, 0), 64), d),
        ),
        "tight": _of(
            families.tight,
            "d rows, d mistakes: the bound attained.",
            (d,),
            1,
            ("5",),
            lambda d: (d, d),
        ),
        "badmargin": _of(
            families.badmargin,
            "Bits with an exponentially small margin.",
            (n,),
            1,
            ("8",),
            lambda n: (n + 1, n),
        ),
        "planted": _of(
            generators.planted,
            "n rows, d columns, a planted margin.",
            (n, d, margin, seed, ("offset", float)),
            3,
            ("200,5,0.05",),
            asked,
        ),
        "needle": _of(
            generators.needle,
            "n rows, d columns, all at one tiny margin.",
            (n, d, margin, seed, ("turned", _turned)),
            3,
            ("50,5,0.001",),
            asked,
        ),
        "planted_obstruction": _of(
            generators.planted_obstruction,
            "n rows, d columns, overlapping by d + 2 of the rows.",
            (n, d, seed),
            2,
            ("200,5",),
            asked,
        ),
        "planted_flips": _of(
            generators.planted_flips,
            "n rows, d columns, the labels of a hyperplane, some turned round.",
            (n, d, ("flips", int), seed),
            3,
            ("200,3,5",),
            asked,
        ),
        "touching": _of(families.touching, "A corner of one hull on a side of the other."),
        "edge_contact": _of(families.edge_contact, "Two hulls that share a piece of an edge."),
        "conflict": _of(families.conflict, "One row with both labels."),
        "overlap": _of(
            families.overlap, "Overlapping by a given gap.", (("gap", float),), 0, ("1e-12",)
        ),
        "counterexample_origin": _of(
            families.counterexample_origin, "Separable with an offset, not through the origin."
        ),
        "decimal_trap": _of(
            families.decimal_trap,
            "Overlapping as decimals, separable as float64.",
            (("numbers", str),),
            0,
            ("decimal", "binary64"),
        ),
        "iris": _of(shipped.iris, "150 flowers of three kinds.", two_classes),
        "digits": _of(shipped.digits, "1797 handwritten digits.", two_classes),
        "breast_cancer": _of(shipped.breast_cancer, "569 tumours of two kinds.", two_classes),
        "wine": _of(shipped.wine, "178 wines of three growers.", two_classes),
    }


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
        with speaking(None):  # the parameters of a set are its own, and no options
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
    if not entry.n_required <= len(words) <= len(entry.parameters):
        raise InputError(
            f"data set {name!r} has {count(len(words), 'argument')} after its "
            f"colon; {_form(stem, entry)} is needed."
        )
    arguments: list[Any] = []
    for word, (parameter, kind) in zip(words, entry.parameters, strict=False):
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
    words = [parameter.replace("random_state", "seed") for parameter, _ in entry.parameters]
    required = ",".join(words[: entry.n_required])
    text = f"{stem}:{required}" if required else stem
    optional = words[entry.n_required :]
    for k, word in enumerate(optional):
        text += f"[{',' if required or k else ':'}{word}"
    return repr(text + "]" * len(optional))


def _unknown(name: str, stem: str, known: tuple[str, ...]) -> str:
    written = stem.lower()
    close = [written] if written in known else difflib.get_close_matches(written, known, n=2)
    if close:
        return f"there is no data set {name!r}; did you mean {' or '.join(map(repr, close))}?"
    return f"there is no data set {name!r}; the names are {', '.join(known)}."
