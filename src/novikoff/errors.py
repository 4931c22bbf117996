"""Every error that a user can cause.

    NovikoffError
    ├── InputError (also a ValueError)         data or a parameter that cannot be used
    │   ├── FileError                          a file that cannot be read as data
    │   └── ParameterError                     a parameter that no data, or not this, goes with
    │       └── KeywordError (also a TypeError)    a keyword that there is none of, or elsewhere
    └── CertificateError (also a ValueError)   a proof that does not prove its claim

A message is one sentence or two: what was given, what is needed, what to do.
"""

from __future__ import annotations

import os
from typing import ClassVar, NoReturn


class NovikoffError(Exception):
    """The root of every error that this library raises on purpose."""


class InputError(NovikoffError, ValueError):
    """Data or a parameter that cannot be used."""


class FileError(InputError):
    """A file that is missing, unreadable, or not the table that was asked for."""


class ParameterError(InputError):
    """A parameter with a value that is none, or that this kind of data has no use for.

    At a command line it is wrong usage. `parameter` is its name, where it is one alone.
    """

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


class KeywordError(ParameterError, TypeError):
    """A keyword that there is not, such as one that only another library's estimator has."""


class CertificateError(NovikoffError, ValueError):
    """A certificate that is malformed, speaks of other data, or is false."""


class NoTruthValue:
    """An answer that, like an array, is neither true nor false: `if verdict:` would hide a bug."""

    ask_instead: ClassVar[str]

    def __bool__(self) -> NoReturn:
        raise InputError(
            f"{type(self).__name__} has no truth value, since it is an answer and not a yes or no; "
            f"ask {self.ask_instead}."
        )


def no_file(name: object, otherwise: str = "") -> FileError:
    """The error for a path at which there is no file: an address or a link is said to be one."""
    if "://" in str(name):
        return FileError(f"{name} is an address on the network; download it, and give the file.")
    if os.path.islink(str(name)):  # noqa: PTH114 - no path is so quick to import
        return FileError(f"{name} is a link to {os.readlink(str(name))}, where there is no file.")  # noqa: PTH115
    return FileError(otherwise or f"{name} does not exist.")


def one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Raise unless `value` is one of the words in `allowed`."""
    if not (isinstance(value, str) and value in allowed):
        words = ", ".join(repr(word) for word in allowed)
        raise ParameterError(f"{name} is {value!r}; it must be one of {words}.", name)
