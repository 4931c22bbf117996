"""Which engine when: obstructions first, counting where they are slow and it is affordable."""

from __future__ import annotations

import math

import numpy as np

from novikoff.search.mistakes.counting import counting_of, seconds_of
from novikoff.search.mistakes.hitting_set import HittingSetSearch
from novikoff.search.strict import Separated, decide_strict

SECONDS_BEFORE_COUNTING = 10.0  # seconds before hyperplanes are counted
COUNTED_ROWS, COUNTED_COLUMNS = 3000, 8  # of a count that is thought of at all


def close(hitting: HittingSetSearch) -> bool:
    """Close the bracket as far as time allows; whether counting has decided it.

    Obstructions have twice the time of a count, or what a count leaves them of the limit.
    """
    z, clock = hitting.z, hitting.clock
    limit = math.inf if clock.time_limit is None else clock.time_limit
    is_small = z.n_rows <= COUNTED_ROWS and z.dim <= COUNTED_COLUMNS
    needed = seconds_of(z.n_rows, z.dim) if is_small else math.inf
    if needed == math.inf or 2.0 * needed > limit:
        hitting.run()
        return False
    pause = max(SECONDS_BEFORE_COUNTING, 2.0 * needed)
    hitting.run(min(pause, max(0.0, limit - 1.5 * needed)))
    if hitting.is_closed or hitting.upper is None:
        return False
    counting = counting_of(z, hitting.costs, clock)
    if not counting.fits:
        hitting.resume()
        return False
    hitting.how.append("counting of hyperplanes")
    try:
        found = counting.least(hitting.upper)
    except MemoryError:  # too many to be listed
        hitting.resume()
        return False
    if found is not None:
        rest = np.delete(z.rows, sorted(found[1]))
        answer = decide_strict(hitting.among(rest), clock)
        if not isinstance(answer, Separated):
            raise RuntimeError("a hyperplane was counted wrongly")
        hitting.best.offer(answer.weights)
    return True
