"""Whom does an event beat? The comparisons of a Cox model, without those that others imply.

An event e at time t is compared with every j at risk then: entry_j < t <= time_j. That is
x_e·δ >= x_j·δ. Events at the same time, in Breslow's and Efron's likelihood, are each compared
with the other, so they are equal; in the exact one they are compared with non-events only.

Let t_0 < t_1 < … be the event times of a stratum, E_k the events at t_k, and L_j the last k at
which j is at risk. Let r_k be the event of E_k whose first event time at risk has the lowest
number; of equal ones the lowest row, since proofs number the comparisons. Let next(k) be the first
m > k for which r_m is at risk at t_k already. An event of E_k need be compared with j only where

    L_j < next(k), or L_j = next(k) and j is an event then.

For otherwise m = next(k) <= L_j, j is at risk at t_m, since it is at t_k and at t_{L_j}, and j is
compared with r_m there (it is not itself an event at t_m). E_k is compared with r_m at t_k: r_m
ends at t_m = t_next(k) with an event, so the rule keeps that comparison. So x_e >= x_{r_m} >= x_j
follows, and by induction on L_j - k every comparison does. A comparison that is left out is a sum
of some that are kept: it is strict just when one of these is. Without entries next(k) = k + 1, and
with Breslow's ties there are at most as many comparisons as subjects; exact ties multiply them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


class Pairs(NamedTuple):
    """Observation `first[r]` is compared with `second[r]`: sign 1, or 0 where they are equal."""

    first: np.ndarray
    second: np.ndarray
    signs: np.ndarray


def ranks_of(values: Sequence[Any]) -> np.ndarray:
    """The place of each number among the different ones, from 0; exact."""
    place = {value: k for k, value in enumerate(sorted(set(values)))}
    return np.array([place[value] for value in values], dtype=np.int64)


def risk_pairs(
    time: Sequence[Any],
    event: Sequence[Any],
    entry: Sequence[Any] | None,
    stratum: Sequence[Any] | None,
    exact_ties: bool,
) -> Pairs:
    """The comparisons in order: by stratum, by event time, by event, by the one compared with."""
    n = len(time)
    # Times and entries as ranks of one scale, so that comparing them is exact and quick.
    ranks = ranks_of([*time, *(entry or ())])
    times = ranks[:n]
    entries = ranks[n:] if entry is not None else np.full(n, -1, dtype=np.int64)
    is_event = np.array([value == 1 for value in event], dtype=bool)
    strata = np.zeros(n, dtype=np.int64) if stratum is None else ranks_of(stratum)
    found: list[tuple[np.ndarray, np.ndarray, int]] = []
    order = np.argsort(strata, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(strata[order])) + 1):
        _of_stratum(members, times[members], entries[members], is_event[members], exact_ties, found)
    if not found:
        none = np.empty(0, dtype=np.int64)
        return Pairs(none, none, none.astype(np.int8))
    first, second = (np.concatenate([part[k] for part in found]) for k in (0, 1))
    signs = np.concatenate([np.full(len(part[0]), part[2], dtype=np.int8) for part in found])
    order = np.lexsort((second, first, times[first], strata[first]))
    return Pairs(first[order], second[order], signs[order])


def _of_stratum(
    members: np.ndarray,
    times: np.ndarray,
    entries: np.ndarray,
    is_event: np.ndarray,
    exact_ties: bool,
    found: list[tuple[np.ndarray, np.ndarray, int]],
) -> None:
    event_times = np.unique(times[is_event])
    n_times = len(event_times)
    begins = np.searchsorted(event_times, entries, side="right")  # the first time at risk
    ends = np.searchsorted(event_times, times, side="right") - 1  # and the last
    events = np.flatnonzero(is_event)
    events = events[np.argsort(ends[events], kind="stable")]
    tied = np.split(events, np.flatnonzero(np.diff(ends[events])) + 1) if n_times else []
    leads = [group[np.argmin(begins[group])] for group in tied]
    lead_begins = begins[leads] if n_times else begins[:0]
    following = _next_at_risk(lead_begins)
    by_end = np.argsort(ends, kind="stable")
    starts = np.searchsorted(ends[by_end], np.arange(n_times + 1))
    for k, group in enumerate(tied):
        m = following[k]
        others = by_end[starts[k] : starts[m]]  # L_j from k to m - 1
        if m < n_times:
            last = by_end[starts[m] : starts[m + 1]]
            others = np.concatenate([others, last[is_event[last]]])
        others = np.sort(others[begins[others] <= k])
        losers = others[~(is_event[others] & (ends[others] == k))]
        makers = np.sort(group) if exact_ties else group[group == leads[k]]
        if len(losers):
            firsts = np.repeat(makers, len(losers))
            found.append((members[firsts], members[np.tile(losers, len(makers))], 1))
        equal = group[group != leads[k]]
        if len(equal) and not exact_ties:
            firsts = np.full(len(equal), leads[k])
            found.append((members[firsts], members[np.sort(equal)], 0))


def _next_at_risk(begins: np.ndarray) -> list[int]:
    """For each k the first m > k with begins[m] <= k; the number of times where there is none."""
    n = len(begins)
    following = [n] * n
    waiting: list[int] = []  # those without one, the largest k last
    for m in range(n):
        while waiting and waiting[-1] >= begins[m]:
            following[waiting.pop()] = m
        waiting.append(m)
    return following
