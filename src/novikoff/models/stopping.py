"""Stopping before a pass is clean: by rows that are held out, or by passes that gain nothing.

The rule is scikit-learn's: `n_iter_no_change` passes in a row, none of which is better than the
best before it by at least `tol`. With `early_stopping` a pass is as good as the share of held-out
rows that it puts in their class; else as its mistakes are few.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

import numpy as np

from novikoff.conventions import true_or_false, whole_number
from novikoff.errors import InputError
from novikoff.models.data import Batch
from novikoff.wording import keyword

Split = Callable[[np.ndarray, float], tuple[np.ndarray, np.ndarray]]
DEFAULT_TOL = 1e-3  # of held-out rows, where early_stopping is asked for and tol is not


@dataclass(eq=False)
class HeldOut:
    """Rows that no pass visits."""

    X: Any
    targets: np.ndarray  # each row's class, as a number
    weights: np.ndarray | None

    def share(self, places: np.ndarray) -> float:
        """The share of rows, by weight, whose class is the one in `places`."""
        return float(np.average(places == self.targets, weights=self.weights))


@dataclass(eq=False)
class Stopping:
    """Whether passes still help."""

    tol: float | None  # None: only a clean pass ends it
    patience: int
    held_out: HeldOut | None = None
    best: float = -np.inf
    idle: int = 0  # passes in a row without a gain
    reason: str = field(default="", init=False)  # what ended it, if this did

    def after(self, worth: float) -> bool:
        """Whether to stop after a pass of this worth."""
        if self.tol is None:
            return False
        self.idle = self.idle + 1 if worth < self.best + self.tol else 0
        self.best = max(self.best, worth)
        if self.idle >= self.patience:
            self.reason = "early stopping" if self.held_out else "tol"
        return bool(self.reason)


def stopping_of(parameters: Mapping[str, Any], whole: bool) -> Stopping:
    """What a model's parameters say about stopping, before rows are held out."""
    tol, patience = parameters.get("tol"), parameters.get("n_iter_no_change", 1)
    if whole and parameters.get("early_stopping", False) and tol is None:
        tol = DEFAULT_TOL
    return Stopping(tol, patience)


def check_stopping(parameters: Mapping[str, Any], whole: bool) -> None:
    """Raise on parameters that cannot be used; a member that has none of them has none to check."""
    if "early_stopping" not in parameters:
        return
    whole_number("n_iter_no_change", parameters["n_iter_no_change"])
    tol, fraction = parameters["tol"], parameters["validation_fraction"]
    if tol is not None and not (_is_number(tol) and 0 <= tol < np.inf):
        raise InputError(f"tol is {tol!r}; it must be None or a number of at least 0.")
    if not (_is_number(fraction) and 0 < fraction < 1):
        raise InputError(
            f"validation_fraction is {fraction!r}; it must be a number between 0 and 1."
        )
    early = true_or_false("early_stopping", parameters["early_stopping"])
    if early and not whole:
        raise InputError(
            "early_stopping is True, which needs all rows at once: use fit, or hold rows out "
            "yourself and set early_stopping=False for partial_fit."
        )
    order = parameters["order"]
    if (early or tol is not None) and isinstance(order, str) and order == "restart":
        raise InputError(
            f"tol and early_stopping compare whole passes, and {keyword('order', 'restart')} ends "
            "a pass at its first mistake; choose another order."
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def hold_out(batch: Batch, fraction: float, split: Split) -> tuple[Batch, HeldOut]:
    """The batch without a share of every class, and the rows of that share."""
    everyone = np.arange(batch.n_rows) if batch.kept is None else batch.kept
    targets = batch.targets[everyone]
    try:
        learnt, held = split(targets, fraction)
    except ValueError:
        counts = np.unique(targets, return_counts=True)[1]
        raise InputError(
            f"early_stopping cannot hold out {fraction} of {len(targets)} rows with every class "
            f"on both sides ({len(counts)} classes; rows of the smallest: {counts.min()}); "
            "change validation_fraction, or set early_stopping=False."
        ) from None
    if len(np.unique(targets[learnt])) < len(np.unique(targets)):
        raise InputError(
            f"early_stopping would hold out every row of a class (validation_fraction is "
            f"{fraction}); lower it, or set early_stopping=False."
        )
    rows = np.sort(everyone[held])
    weights = None if len(batch.sizes) == 1 else batch.sizes[rows]
    held_out = HeldOut(batch.X[rows], batch.targets[rows], weights)
    return replace(batch, kept=np.sort(everyone[learnt])), held_out
