"""Everything that can be said about how to read a file, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from novikoff.conventions import whole_number
from novikoff.errors import InputError, one_of
from novikoff.io.text.numerals import Numerals

FORMATS = ("csv", "tsv", "svmlight", "vw", "parquet", "arrow", "npy", "npz")
ALIASES = {"feather": "arrow", "ipc": "arrow", "libsvm": "svmlight"}
NUMBERS = ("binary64", "decimal", "as written")
DECIMALS = (".", ",")
THOUSANDS = (",", ".", " ", "'", "’", "_")
_TEXT_TABLES = {"csv", "tsv"}
_TABLES = {"csv", "tsv", "parquet", "arrow"}
_ARRAYS = {"npy", "npz"}
# Which formats an option speaks of; those not listed speak of all.
_MEANT_FOR = {
    "header": _TEXT_TABLES,
    "delimiter": _TEXT_TABLES,
    "decimal": _TEXT_TABLES,
    "thousands": _TEXT_TABLES,
    "categorical": _TABLES,
    "drop": _TABLES | _ARRAYS,
    "keep": _TABLES,
    "columns": _TABLES | _ARRAYS,
    "labels": _TEXT_TABLES,
    "encoding": _TABLES | {"vw"},
    "unseen": _TABLES | {"vw"},
    "zero_based": {"svmlight"},
    "n_columns": {"svmlight"},
    "bits": {"vw"},
}


@dataclass(frozen=True)
class Options:
    """The keyword arguments of `read` and `scan`; see there for what each means."""

    label: str | int | Literal[False] | None = None
    format: str | None = None
    numbers: str | None = None
    header: bool | None = None
    missing: str = "error"
    positive: Any = None
    delimiter: str | None = None
    decimal: str = "."
    thousands: str | None = None
    categorical: tuple[str | int, ...] = ()
    drop: tuple[str | int, ...] = ()
    keep: tuple[str | int, ...] = ()
    columns: tuple[str | int, ...] | None = None
    labels: str = "auto"
    encoding: Mapping[str, Sequence[str]] | None = None
    unseen: str = "error"
    zero_based: bool | str = "auto"
    n_columns: int | None = None
    bits: int | None = None

    @property
    def numerals(self) -> Numerals:
        """How the numbers of a text table are written."""
        return Numerals(self.decimal, self.thousands)

    def as_written_in(self, found: str) -> Options:
        """The same, with what "as written" means in files of format `found`."""
        is_text = found in _TEXT_TABLES
        numbers, labels = self.numbers, self.labels
        if numbers == "as written":
            numbers = "decimal" if is_text else None
        if labels == "as written":
            labels = "text" if is_text else "auto"
        return replace(self, numbers=numbers, labels=labels)

    def check_meant_for(self, found: str) -> None:
        """Raise if an option was given that says nothing about files of format `found`."""
        for option in fields(self):
            meant = _MEANT_FOR.get(option.name)
            if meant and found not in meant and getattr(self, option.name) != option.default:
                raise InputError(
                    f"{option.name}= is for {', '.join(sorted(meant))} files, and this one is "
                    f"{found}; leave it out, or say format=."
                )

    def key(self) -> dict[str, Any]:
        """The options as plain JSON: two scans with one key read the same rows."""
        named = {option.name: getattr(self, option.name) for option in fields(self)}
        named["positive"] = None if self.positive is None else repr(self.positive)
        return named

    def told(self, format: str, label: str | None, **facts: Any) -> dict[str, Any]:
        """What gives this very table from the same file: arguments of `read`, plain JSON.

        `facts` are what was found out, or is not as it is by default; None is left out.
        """
        said: dict[str, Any] = {"format": format, "label": label, **facts}
        said["numbers"] = self.numbers
        said["positive"] = None if self.positive is None else str(self.positive)
        for name, usual in (("labels", "auto"), ("missing", "error")):
            said[name] = None if getattr(self, name) == usual else getattr(self, name)
        if self.label is False:
            said["label"] = False
        return {name: value for name, value in said.items() if value is not None}


def options(**given: Any) -> Options:
    """Options from keyword arguments, each checked."""
    known = {option.name for option in fields(Options)}
    for name in given:
        if name not in known:
            raise InputError(f"there is no option {name!r}; known are {', '.join(sorted(known))}.")
    for name in ("categorical", "drop", "keep", "columns"):
        value = given.get(name, ())
        if value is not None:
            given[name] = (value,) if isinstance(value, (str, int)) else tuple(value)
    given["columns"] = given["columns"] or None
    if given.get("format") is not None:
        given["format"] = ALIASES.get(given["format"], given["format"])
        one_of("format", given["format"], FORMATS)
    _check_encoding(given.get("encoding"))
    if given.get("encoding") is not None:
        given["encoding"] = {name: list(levels) for name, levels in given["encoding"].items()}
    for name in ("label", "n_columns", "bits"):
        if isinstance(given.get(name), np.integer):
            given[name] = int(given[name])
    made = Options(**given)
    _check(made)
    return made


def _check(made: Options) -> None:
    one_of("decimal", made.decimal, DECIMALS)
    if made.numbers is not None:
        one_of("numbers", made.numbers, NUMBERS)
    if made.thousands is not None:
        one_of("thousands", made.thousands, THOUSANDS)
    if made.decimal == made.thousands:
        raise InputError(
            f"decimal and thousands are both {made.decimal!r}; one mark cannot be both."
        )
    one_of("missing", made.missing, ("error", "drop"))
    one_of("labels", made.labels, ("auto", "text", "as written"))
    one_of("unseen", made.unseen, ("error", "zeros"))
    if made.label is True or not isinstance(made.label, (str, int, type(None))):
        raise InputError(f"label is {made.label!r}; give a column's name, its number, or False.")
    if made.header not in (None, True, False):
        raise InputError(f"header is {made.header!r}; it must be True, False or None.")
    if made.zero_based not in ("auto", True, False):
        raise InputError(f"zero_based is {made.zero_based!r}; it must be 'auto', True or False.")
    check_whole("n_columns", made.n_columns, 2**31 - 2)
    check_whole("bits", made.bits, 30)
    if made.delimiter is not None and (
        len(made.delimiter) != 1 or made.delimiter not in ",;\t|:!~^&@%$*/"
    ):
        raise InputError(
            f"delimiter is {made.delimiter!r}; it must be a tab or one of ,;|:!~^&@%$*/ ."
        )


def check_whole(name: str, value: Any, most: int) -> None:
    if value is not None:
        whole_number(name, value, 1, most)


def _check_encoding(encoding: Any) -> None:
    if encoding is None:
        return
    wrong = not isinstance(encoding, Mapping) or any(
        not isinstance(column, str)
        or isinstance(levels, str)
        or not isinstance(levels, Sequence)
        or not all(isinstance(level, str) for level in levels)
        or len(set(levels)) != len(levels)
        for column, levels in encoding.items()
    )
    if wrong:
        raise InputError(
            "encoding must map each text column's name to the list of its levels, without "
            "repeats: pass the .encoding of the data that was read before."
        )
