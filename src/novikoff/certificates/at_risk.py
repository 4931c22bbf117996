"""Whom does an event beat? The comparisons of a Cox model, without those that others imply.

An event e at time t is compared with every j at risk then, entry_j < t <= time_j: x_e·δ >= x_j·δ.
Events at the same time are equal in Breslow's and Efron's likelihood; in the exact one they are
compared with non-events only.

Let t_0 < t_1 < … be the event times of a stratum, and E_k the events at t_k. Let r_k be the event
of E_k whose first event time at risk is the earliest; of equal ones the lowest row, since proofs
number the comparisons. Let m be the first number > k for which r_m is at risk at t_k already. An
event of E_k need be compared with j only where j was last at risk before t_m, or then, with an
event. For otherwise it is compared with r_m, and r_m at t_m with j: x_e >= x_{r_m} >= x_j follows,
and so does every comparison, by induction. One that is left out is a sum of kept ones: it is
strict just when one of these is. rocq/Models.v proves it. Without entries m = k + 1, and with
Breslow's ties there are at most as many comparisons as subjects; exact ties multiply them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

Pairs = tuple[np.ndarray, np.ndarray, np.ndarray]  # who, with whom; sign 1, or 0 where equal


def risk_pairs(
    time: Sequence[Any],
    event: Sequence[Any],
    entry: Sequence[Any] | None,
    stratum: Sequence[Any] | None,
    exact_ties: bool,
) -> Pairs:
    """The comparisons, by stratum, event time, observation and opponent; numbers are exact."""
    n, earlier = len(time), () if entry is None else entry
    ranks = _ranks([*time, *earlier])
    times, entries = ranks[:n], ranks[n:] if len(earlier) else np.full(n, -1, dtype=np.int64)
    is_event = np.array([value == 1 for value in event], dtype=bool)
    strata = np.zeros(n, dtype=np.int64) if stratum is None else _ranks(stratum)
    order = np.argsort(strata, kind="stable")
    found: list[Pairs] = []
    for members in np.split(order, np.flatnonzero(np.diff(strata[order])) + 1):
        here = times[members], entries[members], is_event[members]
        found += _of_stratum(members, *here, exact_ties)
    none = np.empty(0, dtype=np.int64)
    parts = zip((none, none, none), *found, strict=True)
    first, second, signs = (np.concatenate(part) for part in parts)
    order = np.lexsort((second, first, times[first], strata[first]))
    return first[order], second[order], signs[order].astype(np.int8)


def _ranks(values: Sequence[Any]) -> np.ndarray:
    """The place of each number among the different ones, from 0; exact."""
    place = {value: k for k, value in enumerate(sorted(set(values)))}
    return np.array([place[value] for value in values], dtype=np.int64)


def _of_stratum(
    members: np.ndarray, times: np.ndarray, entries: np.ndarray, is_event: np.ndarray,
    exact_ties: bool,
) -> Iterator[Pairs]:  # fmt: skip
    event_times = np.unique(times[is_event])
    n_times = len(event_times)
    begins = np.searchsorted(event_times, entries, side="right")  # the first time at risk
    ends = np.searchsorted(event_times, times, side="right") - 1  # and the last
    by_end = np.argsort(ends, kind="stable")
    starts = np.searchsorted(ends[by_end], np.arange(n_times + 1))
    events = by_end[is_event[by_end]]
    tied = np.split(events, np.searchsorted(ends[events], np.arange(1, n_times)))[:n_times]
    leads = [group[np.argmin(begins[group])] for group in tied]
    following = _next_at_risk(begins[leads].tolist() if leads else [])
    for k, (group, lead, m) in enumerate(zip(tied, leads, following, strict=True)):
        others = by_end[starts[k] : starts[m]]  # last at risk at times k to m - 1
        if m < n_times:
            last = by_end[starts[m] : starts[m + 1]]
            others = np.concatenate([others, last[is_event[last]]])
        others = np.sort(others[begins[others] <= k])
        losers = others[~(is_event[others] & (ends[others] == k))]
        makers = np.sort(group) if exact_ties else group[group == lead]
        firsts, seconds = np.repeat(makers, len(losers)), np.tile(losers, len(makers))
        yield members[firsts], members[seconds], np.ones(len(firsts), dtype=np.int8)
        if not exact_ties:
            equal = np.sort(group[group != lead])
            whose = np.full(len(equal), members[lead])
            yield whose, members[equal], np.zeros(len(equal), dtype=np.int8)


def _next_at_risk(begins: list[int]) -> list[int]:
    """For each k the first m > k with begins[m] <= k; the number of times where there is none."""
    following = [len(begins)] * len(begins)
    waiting: list[int] = []  # those without one, the largest k last
    for m, begin in enumerate(begins):
        while waiting and waiting[-1] >= begin:
            following[waiting.pop()] = m
        waiting.append(m)
    return following
