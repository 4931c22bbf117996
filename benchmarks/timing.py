"""How the benchmarks time: all competitors in one process, in turns, medians."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(works: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The median time of each, all of them run once per round, after one round to warm up."""
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            times[name].append(seconds(work))
    return {name: statistics.median(taken) for name, taken in times.items()}
