"""What stands for a public name whose extra is not installed.

The name is there, so that `help`, `dir`, `hasattr` and `from novikoff import *` work in any
installation; using it raises an ImportError that says what to install.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NoReturn

EXTRAS: dict[str, tuple[str, tuple[str, ...]]] = {  # and the packages that each needs
    "Studio": ("notebook", ("anywidget", "traitlets")),
    "distributed": ("distributed", ("dask", "distributed")),
}


def stand_in(name: str, error: ImportError) -> Any:
    """What to give for a public name that could not be imported; any other error is raised."""
    extra, packages = EXTRAS.get(name, ("", ()))
    if (error.name or "").partition(".")[0] not in packages:
        raise error
    sentence = (
        f"novikoff.{name} needs {packages[0]}, which is not installed: "
        f"pip install 'novikoff[{extra}]'."
    )
    if name[0].islower():
        return _Module(f"novikoff.{name}", sentence)

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise ImportError(sentence)

    content = {"__doc__": sentence, "__module__": "novikoff", "__new__": refuse}
    return type(name, (), {**content, "__init_subclass__": classmethod(refuse)})


class _Module(ModuleType):
    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)  # what tools look for, and no part of the module
        raise ImportError(self.__doc__)
