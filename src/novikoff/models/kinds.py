"""The kinds of perceptron by the names that model files call them; imported when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from novikoff.models.base import Model

NAMES = (
    "Perceptron",
    "AveragedPerceptron",
    "VotedPerceptron",
    "PocketPerceptron",
    "KernelPerceptron",
    "RescaledPerceptron",
)


class Kinds(Mapping[str, type[Model]]):
    """A model of each kind, by its name: a fit of one kind does not pay for the others."""

    def __len__(self) -> int:
        return len(NAMES)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __contains__(self, name: object) -> bool:
        return name in NAMES

    def __getitem__(self, name: str) -> type[Model]:
        match name:
            case "Perceptron":
                from novikoff.models.perceptron import PerceptronModel

                return PerceptronModel
            case "AveragedPerceptron":
                from novikoff.models.averaged import AveragedPerceptronModel

                return AveragedPerceptronModel
            case "VotedPerceptron":
                from novikoff.models.voted import VotedPerceptronModel

                return VotedPerceptronModel
            case "PocketPerceptron":
                from novikoff.models.pocket import PocketPerceptronModel

                return PocketPerceptronModel
            case "KernelPerceptron":
                from novikoff.models.kernel.model import KernelPerceptronModel

                return KernelPerceptronModel
            case "RescaledPerceptron":
                from novikoff.models.rescaled import RescaledPerceptronModel

                return RescaledPerceptronModel
        raise KeyError(name)


KINDS = Kinds()
