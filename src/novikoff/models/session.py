"""A fit that is done pass by pass, and can be saved between any two: every kind's checkpoint.

The model of a session is an ordinary model that also keeps what its passes to come depend on, so
a session that goes on from it on the same rows ends in the very bits of one that never stopped.
"""

from __future__ import annotations

import copy
from typing import Any

from novikoff.models.base import Model


class Session:
    """Passes of a model over all the rows there are."""

    def __init__(self, model: Model, X: Any, y: Any = None, *, same_rows: bool = False) -> None:
        """A model that has learnt goes on: on the `same_rows`, which it does not check, or on
        others, counting passes and mistakes anew.
        """
        self._before = copy.copy(model)
        self._run: Any = None
        if same_rows and model.is_fitted and model.converged_:
            return
        go_on = model.is_fitted
        if go_on and not same_rows:
            model._check_goes_on()
        self._run = self._before._open(
            X, y, None, None, go_on, True, session=True, same_rows=go_on and same_rows
        )

    @property
    def passes(self) -> int:
        """The passes made, those before a session that goes on included."""
        before = self._before.n_iter_ if self._run is None or self._run.same_rows else 0
        return before + (0 if self._run is None else int(self._run.passes))

    @property
    def is_over(self) -> bool:
        """Whether a pass was clean, or no more are allowed."""
        return self._run is None or self._before._is_over(self._run)

    def one_pass(self) -> int:
        """One pass more; its mistakes. A pass that is broken off leaves no trace."""
        random = self._before._random
        before, drawn = self._run.copy(), random.get_state()
        try:
            self._before._pass(self._run)
        except BaseException:
            self._run = before
            random.set_state(drawn)
            raise
        return int(self._run.last)

    def model(self) -> Model:
        """The model after the passes so far."""
        model = copy.copy(self._before)
        if self._run is not None and self._run.passes:
            model._close(self._run)
            model._keep_state(self._run)
        if not self.is_over and model.stop_reason_ == "max_iter":
            model.stop_reason_ = "one pass"
        elif self.is_over and model.stop_reason_ == "one pass":
            model.stop_reason_ = "max_iter"
        return model
