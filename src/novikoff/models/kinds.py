"""The model of each kind of perceptron, imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from novikoff.kinds import KINDS as NAMES
from novikoff.kinds import stem
from novikoff.models.base import Model


class Kinds(Mapping[str, type[Model]]):
    """A model of each kind, by its name: a fit of one kind does not pay for the others."""

    def __len__(self) -> int:
        return len(NAMES)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __contains__(self, name: object) -> bool:
        return name in NAMES

    def __getitem__(self, name: str) -> type[Model]:
        if name not in NAMES:
            raise KeyError(name)
        home = import_module(f"{__package__}.{stem(name)}")
        model: type[Model] = getattr(home, f"{name}Model")
        return model


KINDS = Kinds()
