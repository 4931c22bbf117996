"""Everything that can be said about how to read a file, checked."""

from __future__ import annotations

import codecs
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict, TypeVar, get_type_hints

import numpy as np

from novikoff.conventions import whole_number
from novikoff.errors import KeywordError, ParameterError, one_of
from novikoff.io.fields import Numerals
from novikoff.io.formats import FORMATS, OF_SOME, TEXT, TEXT_TABLES
from novikoff.wording import keyword, was_given

DECIMALS = (".", ",")
THOUSANDS = (",", ".", " ", "'", "’", "_")
_CHOICES: dict[str, Collection[str]] = {
    "format": FORMATS,
    "decimal": DECIMALS,
    "thousands": THOUSANDS,
    "numbers": ("binary64", "decimal", "as written"),
    "missing": ("error", "drop"),
    "labels": ("auto", "text", "as written"),
    "unseen": ("error", "zeros"),
    "levels": ("all", "reference"),
}
_WHOLE = {"skip_rows": (0, 2**31), "n_columns": (1, 2**31 - 2), "bits": (1, 30)}
BESIDE_ROWS = ("labels", "keep")  # what labels become, and what is not asked
_DELIMITERS = ",;\t|:!~^&@%$*/"
Function = TypeVar("Function", bound=Callable[..., Any])


class ScanOptions(TypedDict, total=False):
    """The keyword arguments of `scan`; those of `read` are these and `numbers`.

    format : "csv", "tsv", "jsonl", "svmlight", "vw", "parquet", "arrow", "npy" or "npz"; found out
        by default.
    header : whether the first line of a CSV file names the columns; found out by default.
    missing : "error", or "drop" to leave out rows with a missing value.
    na : texts that stand for a missing value in csv, tsv and jsonl, beside an empty cell, NA, N/A,
        n/a, #N/A, #NA, <NA>, NaN, nan, NULL, null and ?.
    skip_rows : how many lines at the start of a text file are no part of its table.
    text_encoding : how a text file stores its letters, such as "cp1252" or "utf-16"; by default
        "utf-8".
    classes : the labels, two or more, whose rows are kept; rows of other classes are left out.
    delimiter : of a CSV file, by default the one of comma, semicolon and tab it has most of.
    decimal, thousands : how a CSV file writes numbers: its decimal mark, "." or ",", and what
        stands between thousands, such as "." or " ". Numbers in a notation that is not said are
        an error, never text. Without them the point is the decimal mark.
    categorical : columns to encode as text even though they hold numbers, or as many texts that
        they name rows.
    drop, keep : columns to leave out, and columns to keep although they number the rows.
    columns : the columns to take, in this order, and no others.
    labels : "auto" makes labels numbers where all of them are, unless one begins with a zero, such
        as 02134; "text" never does. "as written" keeps the text of csv and tsv files, in which
        numbers that are equal are written alike, and is "auto" for all others.
    encoding, unseen : the `.encoding` of other data, to encode this file alike; a level it does
        not list is an error, or, with "zeros", a row of zeros in the column's places.
    levels : "all" gives every level of a text column a column of 0s and 1s, "reference" all but
        the first one. A file without text columns is read alike.
    zero_based, n_columns : of svmlight, the first index (by default 1 unless a 0 occurs) and the
        number of columns (by default the largest index).
    bits : hashes Vowpal Wabbit features to 2^bits columns, as `vw -b` does, instead of giving
        each name its column.
    """

    format: str | None
    header: bool | None
    missing: str
    na: Sequence[str]
    skip_rows: int
    text_encoding: str | None
    classes: Sequence[Any] | None
    delimiter: str | None
    decimal: str | None
    thousands: str | None
    categorical: Sequence[str | int]
    drop: Sequence[str | int]
    keep: Sequence[str | int]
    columns: Sequence[str | int] | None
    labels: str
    encoding: Mapping[str, Sequence[str]] | None
    unseen: str
    levels: Literal["all", "reference"]
    zero_based: bool | str
    n_columns: int | None
    bits: int | None


class ReadOptions(ScanOptions, total=False):
    """The keyword arguments of `read`: those of `scan`, and

    numbers : "binary64" for the nearest floats, or "decimal" for the very numbers of the file,
        which makes X an exact Table. By default text is read as the nearest floats, and whole
        numbers and decimals of binary files that no float64 is equal to stay exact, in X of up to
        5,000,000 numbers. n_rounded counts what a float64 may not hold exactly. "as written"
        is "decimal" for text of up to 32 MB, unpacked, of svmlight and vw as long as they are that
        few, and the default for all others.
    """

    numbers: str | None


@dataclass(frozen=True)
class Options:
    """What was given, checked, and the rest as by default; ReadOptions says what each means."""

    label: str | int | Literal[False] | None = None
    format: str | None = None
    numbers: str | None = None
    header: bool | None = None
    missing: str = "error"
    na: tuple[str, ...] = ()
    skip_rows: int = 0
    text_encoding: str | None = None
    classes: tuple[str, ...] | None = None
    delimiter: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    categorical: tuple[str | int, ...] = ()
    drop: tuple[str | int, ...] = ()
    keep: tuple[str | int, ...] = ()
    columns: tuple[str | int, ...] | None = None
    among: tuple[str, ...] | None = None  # names, of which X is made of those that the file has
    labels: str = "auto"
    encoding: Mapping[str, Sequence[str]] | None = None
    unseen: str = "error"
    levels: str = "all"
    zero_based: bool | str = "auto"
    n_columns: int | None = None
    bits: int | None = None

    @property
    def numerals(self) -> Numerals:
        """How the numbers of a text table are written."""
        return Numerals(self.decimal or ".", self.thousands, frozenset(self.na))

    def as_written_in(self, found: str) -> Options:
        """The same for files of format `found`, with what "as written" means in them."""
        is_table = found in TEXT_TABLES
        numbers, labels = self.numbers, self.labels
        if numbers == "as written" and (is_table or found not in TEXT):
            numbers = "decimal" if is_table else None
        if labels == "as written" and not is_table:
            labels = "auto"
        return replace(self, format=found, numbers=numbers, labels=labels)

    def check_meant_for(self, found: str) -> None:
        """Raise if an option was given that says nothing about files of format `found`."""
        for name, value in vars(self).items():
            if name in OF_SOME - FORMATS[found].options and value != DEFAULTS[name]:
                meant = sorted(known for known in FORMATS if name in FORMATS[known].options)
                raise ParameterError(
                    f"{was_given(name, value)} is for {', '.join(meant)} files, and this one "
                    f"is {found}; leave it out, or say {keyword('format')}.",
                    name,
                )

    def to_read_again(self, label: str | None, **facts: Any) -> dict[str, Any]:
        """The arguments of `read` that give this very table from the same file. Plain JSON.

        `facts` are what was found out, or is not as it is by default; None is left out.
        """
        arguments: dict[str, Any] = {
            "format": self.format,
            "label": False if self.label is False else label,
            "numbers": self.numbers,
            "missing": None if self.missing == "error" else self.missing,
            "classes": None if self.classes is None else list(self.classes),
            **facts,
            **self.beside_rows(),
        }
        return {name: value for name, value in arguments.items() if value is not None}

    def of_text(self) -> dict[str, Any]:
        """The arguments of `read` that say how text is taken."""
        return {
            "decimal": self.decimal,
            "thousands": self.thousands,
            "na": list(self.na) or None,
            "skip_rows": self.skip_rows or None,
            "text_encoding": self.text_encoding,
        }

    def beside_rows(self) -> dict[str, Any]:
        """The arguments of `read` that do not change the rows: see BESIDE_ROWS."""
        arguments = {
            "labels": None if self.labels == "auto" else self.labels,
            "keep": [str(column) for column in self.keep] or None,
        }
        return {name: value for name, value in arguments.items() if value is not None}


DEFAULTS = vars(Options())


def with_keywords(*declared: type) -> Callable[[Function], Function]:
    """Let `help` and shells see options that are declared here as keywords of a function."""
    hints = {name: hint for one in declared for name, hint in get_type_hints(one).items()}
    kind = inspect.Parameter.KEYWORD_ONLY
    listed = [inspect.cleandoc(one.__doc__ or "").partition("\n\n")[2] for one in declared]

    def show(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind != one.VAR_KEYWORD]
        own += [
            inspect.Parameter(name, kind, default=getattr(Options, name), annotation=hint)
            for name, hint in hints.items()
        ]
        function.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
        function.__doc__ = "\n".join([inspect.cleandoc(function.__doc__ or ""), *listed])
        return function

    return show


def options(**given: Any) -> Options:
    """Options from keyword arguments, each checked."""
    for name in given:
        if name not in DEFAULTS:
            listed = ", ".join(sorted(DEFAULTS))
            raise KeywordError(f"there is no option {name!r}; known are {listed}.")
    for name in ("categorical", "drop", "keep", "columns", "na", "classes"):
        value = given.get(name)
        if value is not None:
            given[name] = (value,) if isinstance(value, (str, int)) else tuple(value)
    given["columns"] = given.get("columns") or None
    given["na"] = tuple(map(str, given.get("na", ())))
    if given.get("classes") is not None:
        given["classes"] = tuple(dict.fromkeys(map(str, given["classes"])))
    for name in ("label", "n_columns", "bits", "skip_rows"):
        if isinstance(given.get(name), np.integer):
            given[name] = int(given[name])
    made = Options(**given)
    for name, default in DEFAULTS.items():
        value = getattr(made, name)
        if value is None and default is None:
            continue
        if name in _CHOICES:
            one_of(name, value, tuple(_CHOICES[name]))
        elif name in _WHOLE:
            whole_number(name, value, *_WHOLE[name])
        elif name in _CHECKS and not _CHECKS[name][0](value):
            raise ParameterError(f"{name} is {value!r}; it must be {_CHECKS[name][1]}.", name)
    if made.classes is not None and made.label is False:
        raise ParameterError(
            f"{keyword('classes')} needs labels, and {keyword('label', False)} leaves them out.",
            "classes",
        )
    if (made.decimal or ".") == made.thousands:
        raise ParameterError(
            f"{keyword('thousands', made.thousands)} needs another decimal mark: say "
            f"{keyword('decimal', '.' if made.decimal == ',' else ',')}.",
            "thousands",
        )
    if made.levels == "reference" and made.unseen == "zeros":
        raise ParameterError(
            f"{keyword('unseen', 'zeros')} takes an unseen level as all zeros, and with "
            f"{keyword('levels', 'reference')} all zeros are the reference; leave one of the two "
            "out."
        )
    if made.encoding is None:
        return made
    return replace(made, encoding={name: list(levels) for name, levels in made.encoding.items()})


def _is_known_to_python(name: Any) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding
    except (LookupError, TypeError, ValueError):
        return False


def _is_encoding(encoding: Any) -> bool:
    return isinstance(encoding, Mapping) and all(
        isinstance(column, str)
        and isinstance(levels, Sequence)
        and not isinstance(levels, str)
        and all(isinstance(level, str) for level in levels)
        and len(set(levels)) == len(levels)
        for column, levels in encoding.items()
    )


# What an option must be that is neither one of a few words nor a whole number.
_CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "header": (lambda value: value in (True, False), "True, False or None"),
    "zero_based": (lambda value: value in (True, False, "auto"), "True, False or 'auto'"),
    "label": (
        lambda value: value is not True and isinstance(value, (str, int)),
        "a column's name, its number, or False",
    ),
    "delimiter": (
        lambda value: isinstance(value, str) and len(value) == 1 and value in _DELIMITERS,
        "a tab or one of ,;|:!~^&@%$*/ ",
    ),
    "classes": (lambda value: len(value) > 1, "the names of two or more classes"),
    "text_encoding": (
        _is_known_to_python,
        "one that Python knows, such as cp1252, latin-1, utf-16 or shift_jis",
    ),
    "encoding": (
        _is_encoding,
        "text columns with the list of their levels, without repeats, as the .encoding of the data "
        f"that was read before; how letters are stored is said by {keyword('text_encoding')}",
    ),
}
