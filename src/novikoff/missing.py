"""What stands for a public name whose extra is not installed.

The name is there, so that `help`, `dir`, `hasattr` and `from novikoff import *` work in any
installation; using it raises an ImportError that says what to install.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple, NoReturn


class Extra(NamedTuple):
    """What a public name needs beyond a plain installation."""

    name: str
    modules: tuple[str, ...]


EXTRAS = {
    "Studio": Extra("notebook", ("anywidget", "traitlets")),
    "distributed": Extra("distributed", ("dask", "distributed")),
}


def stand_in(name: str, error: ImportError) -> Any:
    """What to give for a public name that could not be imported; any other error is raised."""
    extra = EXTRAS.get(name)
    if extra is None or (error.name or "").partition(".")[0] not in extra.modules:
        raise error
    sentence = (
        f"novikoff.{name} needs {extra.modules[0]}, which is not installed: "
        f"pip install 'novikoff[{extra.name}]'."
    )
    return _class(name, sentence) if name[0].isupper() else _Module(name, sentence)


def _class(name: str, sentence: str) -> type:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise ImportError(sentence)

    content = {"__doc__": sentence, "__module__": "novikoff", "__new__": refuse}
    return type(name, (), {**content, "__init_subclass__": classmethod(refuse)})


class _Module(ModuleType):
    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(f"novikoff.{name}", sentence)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)  # what tools look for, and no part of the module
        raise ImportError(self.__doc__)
