"""Pictures and pages of a result: offered here by name, made by layers above the result.

A verdict has `plot` and `report`, a run has `plot`; only display and report know how, and they
stand above. When novikoff is imported it offers them here (see its __init__), and they are loaded
when they are first asked for. So nothing below needs to know where they are.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what static tools take for `typing`'s; see novikoff/__init__.py

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    View = Callable[..., Any]

_loaders: dict[str, Callable[[], View]] = {}


def offer(name: str, load: Callable[[], View]) -> None:
    """Let `view(name)` be what `load()` gives."""
    _loaders[name] = load


def view(name: str) -> View:
    """The function that was offered under this name."""
    if name not in _loaders:
        from novikoff.errors import NovikoffError

        raise NovikoffError(f"nothing offers {name!r}; there are {', '.join(sorted(_loaders))}.")
    return _loaders[name]()
