"""Rows that a verdict does not have: they are on the workers of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from novikoff.errors import InputError


@dataclass(frozen=True)
class Elsewhere:
    """What the workers measured on their rows; nothing more can be asked."""

    bracket: tuple[float, float]  # around the margin, both ends proven
    radius: float  # rounded up

    def refuse(self, what: str) -> NoReturn:
        raise InputError(
            f"the rows are on a cluster, and the verdict has none of them: {what} is not known "
            "there. novikoff.certify finds it for rows on one machine."
        )
