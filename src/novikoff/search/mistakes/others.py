"""Other answers than the best one found, and the rows that all of them give up."""

from __future__ import annotations

import numpy as np

from novikoff.search.mistakes.hitting_set import HittingSetSearch
from novikoff.search.mistakes.local import trimmed
from novikoff.search.mistakes.tree import Node


def is_in_every_answer(search: HittingSetSearch, row: int) -> bool:
    """Whether every hyperplane that costs `upper` gives this row up; the bracket is closed.

    The row is kept, and the search goes on until the bound is passed, or an answer is found.
    """
    search.goal = (search.upper or 0) + 1
    search.heap = []
    try:
        search.push(Node(kept=(row,)))
        while search.heap and not has_answer_without(search, row):
            search.process_next()
        return not has_answer_without(search, row)
    finally:
        search.goal = None


def has_answer_without(search: HittingSetSearch, row: int) -> bool:
    """Whether a best answer is known that does not give this row up."""
    return any(cost == search.upper and row not in wrong
               for wrong, cost in search.best.answers.items())  # fmt: skip


def sample_optima(search: HittingSetSearch, times: int) -> None:
    """Walk from shaken forms of the best hyperplane, to see other answers."""
    weights = search.best.weights
    if not len(search.units) or not isinstance(weights, np.ndarray):
        return
    right = np.setdiff1d(np.arange(len(search.near)), np.flatnonzero(
        np.isin(search.near, search.best.wrong)))  # fmt: skip
    if not len(right):
        return
    w = trimmed(search.units[right], search.units[right].mean(axis=0), search.clock, 2)
    size = float(np.linalg.norm(w)) / search.z.dim**0.5
    for k in range(times):
        if search.clock.left() <= 0.0:
            return
        shaken = w + search.random.standard_normal(len(w)) * size * 0.02 * 2 ** (k % 6)
        search.improve(shaken, patience=3)
