"""Functions of an upper layer that a lower one calls by name: `verdict.plot`, `verdict.report`.

Answers have `report`, and verdicts, runs and fewest mistakes `plot`; only the layers display and
report, which stand above, know how. novikoff/__init__.py registers here what loads their functions
when they are first called, so that no lower layer imports an upper one.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what static tools take for `typing`'s; see novikoff/__init__.py

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LOADERS: dict[str, Callable[[], Callable[..., Any]]] = {}


def hook(name: str) -> Callable[..., Any]:
    """The function that was registered under this name."""
    return LOADERS[name]()
