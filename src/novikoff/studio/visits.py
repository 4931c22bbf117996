"""Every row that a run looks at, in order: not only the mistakes, which alone are on the tape."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from novikoff.conventions import read_random
from novikoff.runs.run import Run
from novikoff.studio.state import Conventions


class Visits:
    """Which row is looked at, visit by visit (from 0), and in which pass."""

    def __init__(self, run: Run, conventions: Conventions) -> None:
        self.total = run.n_visits
        self.n = run.table.n_rows
        self._mistakes: list[int] = run.tape.visits.tolist()
        self._restarts = conventions.order == "restart"
        self._orders: list[np.ndarray] | None = None
        self._fixed = np.arange(self.n)
        if isinstance(conventions.order, tuple):
            self._fixed = np.array(conventions.order)
        if conventions.order == "shuffled":
            random = read_random(conventions.seed)
            if conventions.start == "random":  # its weights are drawn before the first order
                random.standard_normal(run.table.n_columns + run.fit_intercept)
            self._random, self._orders = random, []

    def row(self, visit: int) -> int:
        """The row of a visit."""
        begin = self.pass_begin(visit)
        if self._orders is None:
            return int(self._fixed[visit - begin])
        while len(self._orders) <= visit // self.n:
            self._orders.append(self._random.permutation(self.n))
        return int(self._orders[visit // self.n][visit - begin])

    def pass_begin(self, visit: int) -> int:
        """The first visit of the pass of a visit; under `restart` a mistake ends its pass."""
        if not self._restarts:
            return visit - visit % self.n
        before = bisect_left(self._mistakes, visit)
        return self._mistakes[before - 1] + 1 if before else 0

    def is_mistake(self, visit: int) -> bool:
        place = bisect_left(self._mistakes, visit)
        return place < len(self._mistakes) and self._mistakes[place] == visit

    def k_before(self, visit: int) -> int:
        """The mistakes made before a visit."""
        return bisect_left(self._mistakes, visit)
