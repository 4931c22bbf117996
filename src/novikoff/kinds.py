"""The kinds of perceptron, by the names that model files and users call them.

A kind has one stem everywhere: `PocketPerceptron` is in `models/pocket.py` and in
`estimators/pocket.py`, and the command calls it `pocket`.
"""

from __future__ import annotations

KINDS = (
    "Perceptron",
    "AveragedPerceptron",
    "VotedPerceptron",
    "PocketPerceptron",
    "KernelPerceptron",
    "RescaledPerceptron",
)


def stem(kind: str) -> str:
    """What its files, and the command, call a kind."""
    return kind.removesuffix("Perceptron").lower() or "perceptron"
