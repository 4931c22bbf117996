"""The theorem of mixing, held against a run: Σ over rounds and shards of μ_i·k_i <= (R/γ)²."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError, NoTruthValue
from novikoff.verdicts.numerals import above
from novikoff.verdicts.verdict import Verdict
from novikoff.wording import keyword


@dataclass(frozen=True)
class MixingAudit(NoTruthValue):
    """What the rounds of `fit` came to.

    total : Σ μ_i·k_i over all rounds and shards, exactly
    radius : R, the largest norm of a row with its 1
    margin : γ, or None where none was given
    """

    rounds: int
    shards: int
    mistakes: int
    total: Fraction
    radius: float
    margin: float | None
    ask_instead = "audit.holds"

    @property
    def bound(self) -> Fraction | None:
        """(R/γ)²."""
        if self.margin is None:
            return None
        return Fraction(self.radius) ** 2 / Fraction(self.margin) ** 2

    @property
    def holds(self) -> bool | None:
        """Whether the theorem holds; None without a margin."""
        return None if self.bound is None else self.total <= self.bound

    def __str__(self) -> str:
        text = (
            f"{self.mistakes:,} mistakes in {self.rounds} rounds on {self.shards} shards: "
            f"Σ μ·k = {float(self.total):.6g}"
        )
        if self.bound is None:
            return text
        sign = "<=" if self.holds else "> (the theorem fails)"
        return f"{text} {sign} (R/γ)² = {above(self.bound)}"


def audit(model: Any, margin: float | Verdict | None = None) -> MixingAudit:
    """Hold the theorem against a model that `fit` learnt.

    margin : γ > 0 with sign·(w·x + b)/‖(w, b)‖ >= γ on all rows for some (w, b), or the verdict
        of certify on the same rows, of a cluster or of one machine, which has proven one
    """
    if not hasattr(model, "round_mistakes_"):
        raise InputError(
            f"a {type(model).__name__} without rounds was given; audit one that "
            "novikoff.distributed.fit learnt."
        )
    if isinstance(margin, Verdict):
        if margin.fit_intercept and not model.fit_intercept:
            raise InputError(
                "the verdict is about hyperplanes with an offset and the model has none; certify "
                f"the rows with {keyword('fit_intercept', False)}."
            )
        if not margin.margin[0]:
            raise InputError(f"the verdict is {margin.status}; no margin follows from it.")
        margin = margin.margin[0]
    if margin is not None and len(model.classes_) > 2:
        raise InputError(
            f"the model tells {len(model.classes_)} classes apart; the bound is for two."
        )
    if margin is not None and not 0.0 < float(margin) < math.inf:
        raise InputError(f"margin is {margin!r}; it must be a positive number.")
    made: np.ndarray = model.round_mistakes_
    if model.mixing_ == "uniform":
        total = Fraction(int(made.sum()), made.shape[1])
    else:
        total = sum((Fraction(int((k * k).sum()), int(k.sum())) for k in made if k.any()),
                    Fraction(0))  # fmt: skip
    return MixingAudit(
        rounds=len(made),
        shards=made.shape[1],
        mistakes=int(made.sum()),
        total=total,
        radius=float(model.radius_),
        margin=None if margin is None else float(margin),
    )
