"""Functions of an upper layer that a lower one calls by name: `verdict.plot`, `verdict.report`.

Answers have `report`, and verdicts, runs and fewest mistakes `plot`; only the layers display and
report, which stand above, know how. novikoff/__init__.py registers their functions here, to be
loaded when they are first called, so that no lower layer imports an upper one.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what static tools take for `typing`'s; see novikoff/__init__.py

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Hook = Callable[..., Any]

_loaders: dict[str, Callable[[], Hook]] = {}


def register(name: str, load: Callable[[], Hook]) -> None:
    """Let `hook(name)` be what `load()` gives."""
    _loaders[name] = load


def hook(name: str) -> Hook:
    """The function that was registered under this name."""
    if name not in _loaders:
        from novikoff.errors import NovikoffError

        raise NovikoffError(f"no {name!r} is registered; there are {', '.join(sorted(_loaders))}.")
    return _loaders[name]()
